import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertedTextsOf, gap, literalsOf } from './messages/literals.ts';
import { messages } from './messages/specification.ts';
import { messageOf, patternOf, sentencesOf, type Message } from './messages/table.ts';

/**
 * Each message that docs/specification.md quotes is in the product letter for letter, and a test asserts it. The table
 * names no test and no file, so renaming or moving a test changes nothing here.
 */
const root = path.resolve(import.meta.dirname, '..');

const filesUnder = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));

const sourceTexts = new Set(filesUnder('src', /\.tsx?$/).flatMap((file) => [...literalsOf(file)]));
const assertedTexts = new Set(
  filesUnder('tests', /\.test\.tsx?$/)
    .filter((file) => file !== 'tests/messages.test.ts')
    .flatMap((file) => [...assertedTextsOf(file)]),
);

function isInSource(sentence: string, gaps: Message['gaps']): boolean {
  if (!gaps) return sourceTexts.has(sentence);
  const pattern = new RegExp(`^${patternOf(sentence, gaps, gap)}$`);
  return [...sourceTexts].some((text) => pattern.test(text));
}

/** What is wrong with a message, in words; empty when nothing is. */
function faultsOf(message: Message, asserted: ReadonlySet<string> = assertedTexts): string[] {
  const { gaps, shown } = message;
  const sentences = sentencesOf(message);
  const faults = sentences
    .filter((sentence) => !isInSource(sentence, gaps))
    .map((sentence) => `the product does not say ${JSON.stringify(sentence)}`);
  for (const text of shown ?? []) {
    const isOfMessage = sentences.some((sentence) => new RegExp(patternOf(sentence, gaps, '.+')).test(text));
    if (!isOfMessage) faults.push(`${JSON.stringify(text)} is another message`);
  }
  for (const text of shown ?? sentences) {
    if (!asserted.has(text)) faults.push(`no test asserts ${JSON.stringify(text)}`);
  }
  return faults;
}

/** Quoted in the document as examples or as parts of a title or a value, not as messages. */
const notMessages = new Set([
  ' - Transport Management System',
  'Challan Desk',
  'Create …',
  '1,23,456.50',
  'OD 09 AB 1234',
  'od-09-ab-1234',
  'T.P. No',
  'tp_no',
  'TP NUMBER',
  'HSD Amount',
  'Amount (Rs)',
  '0.00',
]);

/** Section → the texts it quotes, in their order. */
function quotedBySection(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const parts = readFileSync(path.join(root, 'docs/specification.md'), 'utf8').split(/^#{2,4} (?=\d)/m);
  for (const part of parts.slice(1)) {
    const section = /^[\d.]*\d/.exec(part)?.[0] ?? '';
    const plain = part
      .replaceAll('`', '')
      .replace(/\\([_*|])/g, '$1')
      .replace(/\s+/g, ' ');
    const quoted = plain.matchAll(/(?<![\w'])'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)/g);
    found.set(
      `§${section}`,
      [...quoted].map(([, text = '']) => text),
    );
  }
  return found;
}

describe('the messages of the specification', () => {
  const rows = Object.entries(messages).flatMap(([section, entries]) =>
    entries.map((entry) => ({ section, message: messageOf(entry) })),
  );

  it('are all in the table, each under the section that quotes it first', () => {
    const seen = new Set(notMessages);
    const first: Record<string, string[]> = {};
    for (const [section, texts] of quotedBySection()) {
      const fresh = [...new Set(texts)].filter((text) => !seen.has(text));
      fresh.forEach((text) => seen.add(text));
      if (fresh.length > 0) first[section] = fresh;
    }
    const inTable = Object.entries(messages).map(([section, entries]): [string, string[]] => [
      section,
      entries.map((entry) => messageOf(entry).text),
    ]);
    expect(Object.fromEntries(inTable)).toEqual(first);
    expect(rows.length).toBeGreaterThan(200);
  });

  it.each(rows)('$section $message.text', ({ message }) => {
    expect(faultsOf(message)).toEqual([]);
  });
});

describe('the check itself', () => {
  const asserted = new Set(['Tag deleted successfully', 'Welcome back, Admin!']);

  it('holds what is right', () => {
    expect(faultsOf({ text: 'Tag deleted successfully' }, asserted)).toEqual([]);
  });

  it.each<[string, Message, string]>([
    ['a letter that differs', { text: 'Tag deleted successfully!' }, 'does not say "Tag deleted successfully!"'],
    ['a message that no test asserts', { text: 'Failed to save tag' }, 'no test asserts "Failed to save tag"'],
    [
      'a message asserted in other words',
      { text: 'Tag deleted successfully', shown: ['Welcome back, Admin!'] },
      'another message',
    ],
    [
      'a filled message that no test asserts',
      { text: 'Tag deleted successfully', shown: ['Tag deleted successfully, twice'] },
      'no test asserts "Tag deleted successfully, twice"',
    ],
  ])('names %s', (_what, message, fault) => {
    expect(faultsOf(message, asserted).join()).toContain(fault);
  });

  it('does not take what must not be there, what is typed or what the network answers for an assertion', () => {
    const texts = assertedTextsOf('tests/web/owners/owners.test.tsx');
    expect(texts).toContain('Owner updated successfully');
    expect(texts).not.toContain('{Control>}{Enter}{/Control}');
  });
});
