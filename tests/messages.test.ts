import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gap, literalsOf, testsOf } from './messages/literals.ts';
import { part1 } from './messages/part-1.ts';
import { part2 } from './messages/part-2.ts';
import { patternOf, sentencesOf, type Message, type PartTable } from './messages/table.ts';

/**
 * Each message of the specification stands in the product letter for letter, and a test that exists asserts it. That the
 * test passes is the suite's business; that it is there and says the very words is this one's.
 */
const parts: Record<string, PartTable> = { 'part 1': part1, 'part 2': part2 };
const root = path.resolve(import.meta.dirname, '..');

const sourceTexts = new Set(
  readdirSync(path.join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .flatMap((entry) => [...literalsOf(path.relative(root, path.join(entry.parentPath, entry.name)))]),
);

function isInSource(sentence: string, gaps: Message['gaps']): boolean {
  if (!gaps) return sourceTexts.has(sentence);
  const pattern = new RegExp(`^${patternOf(sentence, gaps, gap)}$`);
  return [...sourceTexts].some((text) => pattern.test(text));
}

const known = new Map<string, ReturnType<typeof testsOf>>();
function assertedBy(file: string, test: string): readonly string[] | undefined {
  if (!existsSync(path.join(root, file))) return undefined;
  const tests = known.get(file) ?? testsOf(file);
  known.set(file, tests);
  return tests.get(test);
}

/** What is wrong with a row of the table, in words; empty where it holds. */
function faultsOf(row: Message): string[] {
  const faults: string[] = [];
  if (row.tests.length === 0) faults.push('no test provokes it');
  for (const sentence of sentencesOf(row)) {
    if (!isInSource(sentence, row.gaps)) faults.push(`the product does not say ${JSON.stringify(sentence)}`);
    for (const { file, test, shown = sentence } of row.tests) {
      const asserted = assertedBy(file, test);
      if (!new RegExp(patternOf(sentence, row.gaps, '.+')).test(shown)) faults.push(`"${shown}" is another message`);
      if (!asserted) faults.push(`${file} has no test "${test}"`);
      else if (!asserted.includes(shown)) faults.push(`${file}: "${test}" does not assert ${JSON.stringify(shown)}`);
    }
  }
  return faults;
}

describe.each(Object.entries(parts))('the messages of %s', (_part, table) => {
  const rows = Object.entries(table).flatMap(([section, { messages }]) =>
    messages.map((row) => ({ section, text: row.text, row })),
  );

  it.each(Object.entries(table))('%s: as many as are stated, none twice', (_section, { stated, messages }) => {
    expect(messages).toHaveLength(stated);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(stated);
  });

  it.each(rows)('$section $text', ({ row }) => {
    expect(faultsOf(row)).toEqual([]);
  });
});

describe('the check itself', () => {
  const file = 'tests/web/tags.test.tsx';
  const test = 'E edits, Delete deletes';
  const found = (row: Partial<Message>) =>
    faultsOf({ text: 'Tag deleted successfully', tests: [{ file, test }], ...row });

  it('holds what is right', () => {
    expect(found({})).toEqual([]);
  });

  it.each<[string, Partial<Message>, string]>([
    ['no test', { tests: [] }, 'no test provokes it'],
    ['a file that is not there', { tests: [{ file: 'tests/web/x.test.tsx', test }] }, 'has no test'],
    ['a test that is not there', { tests: [{ file, test: 'E edits' }] }, 'has no test'],
    ['a letter that differs', { text: 'Tag deleted successfully!' }, 'does not say "Tag deleted successfully!"'],
    ['a message that the test does not assert', { text: 'Failed to save tag' }, 'does not assert'],
    ['a message asserted in other words', { tests: [{ file, test, shown: 'Tag updated successfully' }] }, 'another'],
  ])('names %s', (_what, row, fault) => {
    expect(found(row).join()).toContain(fault);
  });

  it('does not take what must not be there, what is typed or what the network answers for an assertion', () => {
    const asserted = testsOf('tests/web/owners.test.tsx').get(
      'E sends only what was changed, with the version, and comes back to the row',
    );
    expect(asserted).toContain('Owner updated successfully');
    expect(asserted).not.toContain('/owners');
    const gone = testsOf('tests/web/owners.test.tsx').get('from the details, which close with it');
    expect(gone).toContain('2 address');
    expect(gone).not.toContain('{Control>}{Enter}{/Control}');
  });
});
