import { parseAst } from 'vite';

/** One change of a source file, inside the text of a statement: the characters from `start` to `end` are replaced. */
export interface Fault {
  start: number;
  end: number;
  replacement: string;
}

/**
 * What is replaced by what. A condition on the tenant stays: row-level security checks the same, so no test could notice that
 * the condition is missing.
 */
const changes: readonly [pattern: RegExp, replacement: string][] = [
  // Leaves a condition out.
  [
    / AND (?:NOT )?(?!\w*\.?subadmin_id\b)[a-z][\w.]*(?: (?:=|<>|<|>|<=|>=) [\w.$']+| IS (?:NOT )?NULL)?(?=\s+AND\b|\s*\)|\s*`?$)/gm,
    '',
  ],
  [/\bNOT (?!MATERIALIZED)/g, ''],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/ <> (?=')/g, ' = '],
  [/ > /g, ' >= '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bsum\(/g, 'max('],
  [/\bLEFT JOIN\b/g, 'JOIN'],
  [/\bORDER BY /g, 'ORDER BY random(), '],
  [/\s+FOR UPDATE(?: OF \w+)?/g, ''],
  [/\s+SKIP LOCKED/g, ''],
];

/** All faults that can be put into the statements of a source file, which are the texts of its template strings. */
export function sqlFaults(source: string): Fault[] {
  const faults: Fault[] = [];
  for (const [from, text] of templateTexts(source)) {
    for (const [pattern, replacement] of changes) {
      for (const found of text.matchAll(pattern)) {
        const start = from + found.index;
        faults.push({ start, end: start + found[0].length, replacement });
      }
    }
  }
  return faults.toSorted((one, other) => one.start - other.start);
}

export const withFault = (source: string, { start, end, replacement }: Fault): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** Describes a fault in one line of a report: the line number, what is replaced by what, and the line before the change. */
export function describeFault(source: string, fault: Fault): string {
  const before = source.slice(0, fault.start).split('\n');
  const line = before.length + (/^\s*\n/.test(source.slice(fault.start, fault.end)) ? 1 : 0);
  const original = source.split('\n')[line - 1]?.trim() ?? '';
  return `${line}: "${source.slice(fault.start, fault.end).trim()}" becomes "${fault.replacement.trim()}" in: ${original}`;
}

/**
 * The texts of the template strings, without the expressions in them but with their marks (`), and where each text begins.
 */
function templateTexts(source: string): [from: number, text: string][] {
  const texts: [number, string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node) {
      // The parser gives the texts of a template string with their positions.
      for (const { start, end } of node.quasis as { start: number; end: number }[]) {
        texts.push([start, source.slice(start, end)]);
      }
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return texts;
}
