import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

/** Reads source files for the texts a person may see: every literal, and what the tests assert. */
const root = path.resolve(import.meta.dirname, '../..');

/** Takes the place of each `${…}` of a template in a literal. */
export const gap = '\u0000';

export interface Node {
  type: string;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export function programOf(file: string): Node {
  const { program, errors } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  // A syntax tree is nodes of a type and fields; its exact types add nothing to a walk over all of it.
  return program as unknown as Node;
}

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const entities: Record<string, string> = { apos: "'", quot: '"', amp: '&', lt: '<', gt: '>', nbsp: ' ' };
const plain = (text: string): string =>
  text
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();

/** The text of a literal; a template with a gap for each expression. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? plain(node['value']) : undefined;
  if (node.type === 'JSXText') return plain(String(node['value']));
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return plain(quasis.join(gap));
}

/** Every text in a file. */
export function literalsOf(file: string): Set<string> {
  const found = new Set<string>();
  const walk = (node: Node): void => {
    const text = textOf(node);
    if (text) found.add(text);
    childrenOf(node).forEach(walk);
  };
  walk(programOf(file));
  return found;
}

/** `expect` of `expect(x).not.toBe`, `test` of `test.each`, with the names of the members on the way. */
function chainOf(node: Node): { start: string; members: string[] } {
  const members: string[] = [];
  let at: unknown = node;
  while (isNode(at)) {
    if (at.type === 'MemberExpression') {
      if (isNode(at['property'])) members.push(String(at['property']['name']));
      at = at['object'];
    } else if (at.type === 'CallExpression') at = at['callee'];
    else return { start: at.type === 'Identifier' ? String(at['name']) : '', members };
  }
  return { start: '', members };
}

/** What says that something must be there: expect…, and a locator that is waited for. Not what must not be there. */
function isAssertion(call: Node): boolean {
  const { start, members } = chainOf(call);
  if (members.includes('not')) return false;
  return start.startsWith('expect') || members[0] === 'waitFor';
}

function assertedIn(node: Node, isInside = false): string[] {
  const holds = isInside || (node.type === 'CallExpression' && isAssertion(node));
  const text = holds ? textOf(node) : undefined;
  return [...(text ? [text] : []), ...childrenOf(node).flatMap((child) => assertedIn(child, holds))];
}

/** Every text that the tests of a file assert, those of an `each` table among them. */
export function assertedTextsOf(file: string): Set<string> {
  const found = new Set<string>();
  const walk = (node: Node): void => {
    if (node.type === 'CallExpression' && ['it', 'test'].includes(chainOf(node).start)) {
      const [title, ...rest] = (node['arguments'] as Node[]).filter(isNode);
      if (title && textOf(title) !== undefined && rest.length > 0) {
        // `it.each(table)('title', …)`: the table is in the callee, and its texts are what the test asserts.
        const table = isNode(node['callee']) && node['callee'].type === 'CallExpression' ? [node['callee']] : [];
        for (const part of rest) assertedIn(part).forEach((text) => found.add(text));
        for (const part of table) assertedIn(part, true).forEach((text) => found.add(text));
        return;
      }
    }
    childrenOf(node).forEach(walk);
  };
  walk(programOf(file));
  return found;
}
