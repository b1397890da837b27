import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { childrenOf, programOf, type Node } from '../messages/literals.ts';

/**
 * Every pattern that may see a text from outside takes time in proportion to its length (docs/security.md §6.1). A pattern that
 * looks from each place to the end takes the square of it: a small file then holds its reader for minutes.
 */
const root = path.resolve(import.meta.dirname, '../..');
const files = ['src/shared', 'src/server/files'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`),
);

interface Found {
  file: string;
  pattern: RegExp;
}
function literalsOf(file: string): Found[] {
  const found: Found[] = [];
  const visit = (node: Node): void => {
    const regex = node['regex'] as { pattern: string; flags: string } | undefined;
    if (node.type === 'Literal' && regex) found.push({ file, pattern: new RegExp(regex.pattern, regex.flags) });
    for (const child of childrenOf(node)) visit(child);
  };
  visit(programOf(file));
  return found;
}

/** The patterns that modules put together from texts when they are loaded, and the one that markup.ts makes at its first use. */
async function madeByModules(): Promise<Found[]> {
  const made: Found[] = [];
  let loading = '';
  const Original = RegExp;
  vi.stubGlobal(
    'RegExp',
    new Proxy(Original, {
      construct: (target, parts: [string, string]) => {
        const pattern = Reflect.construct(target, parts) as RegExp;
        if (loading !== '') made.push({ file: loading, pattern });
        return pattern;
      },
    }),
  );
  vi.resetModules();
  for (const file of [
    'src/server/files/pdf.ts',
    'src/shared/bank-answers/account-statement.ts',
    'src/shared/calc/column-headings.ts',
  ]) {
    loading = file;
    await import(path.join(root, file));
  }
  loading = 'src/server/files/spreadsheet/markup.ts';
  const { tokensOf } = (await import(
    path.join(root, loading)
  )) as typeof import('../../src/server/files/spreadsheet/markup.ts');
  for (const token of tokensOf('<a href="x">')) if ('tag' in token) token.valueOf('href');
  vi.unstubAllGlobals();
  return made;
}

/** Signs that texts are made of, of every class of a pattern. */
const signs = [' ', '\t', '\n', '\u00a0', ...'1aA.,-/"\'<>&;:=x#_|(%*@'];

const repeatedSigns = [' ', '\n', '\u00a0', ...'10a.-,(<"*'];

/** What a pattern is begun with: its own plain letters, up to each place where it has a choice. */
function beginningsOf({ source }: RegExp): string[] {
  const cut = '\u0001';
  const plain = source
    .replace(/\\([dws])/g, (_, kind: string) => ({ d: '1', w: 'a', s: ' ' })[kind] ?? cut)
    .replace(/\\[a-zA-Z]|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|\{\d*,?\d*\}/g, cut)
    .replace(/\\(.)|[(|)?*+^$.]/g, (_, sign: string | undefined) => sign ?? cut);
  return [...new Set(plain.split(cut).filter((text) => text !== ''))];
}

/** Finds all matches in the text, and says how long that took. */
function timeOf(pattern: RegExp, text: string): number {
  const begun = performance.now();
  text.replace(pattern, '');
  return performance.now() - begun;
}
const shortestOf = (pattern: RegExp, text: string): number =>
  Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(pattern, text)));

const firstSteps = [20, 26, 34, 44, 60, 120];
const screened = 2_048;
/** A text of this length that takes less is not looked at twice: the square would take ten times as much. */
const harmlessMs = 0.6;

/** A text of the pattern's own beginning for which twice the length takes 2.7 times as long, and so on; undefined: none. */
function slowTextOf(given: RegExp): string | undefined {
  const pattern = new RegExp(given.source, /[gy]/.test(given.flags) ? given.flags : `${given.flags}g`);
  const own = beginningsOf(pattern);
  const isSlow = (make: (length: number) => string, length: number): boolean => {
    // One that takes far more than the square would not come to an end, so it is led there in steps.
    if (firstSteps.some((step) => timeOf(pattern, make(step)) > 20 && shortestOf(pattern, make(step)) > 20))
      return true;
    if (timeOf(pattern, make(length)) < harmlessMs) return false;
    // Twice, because on a busy machine a single measurement may be anything.
    return [1, 2].every(() => {
      const times = [1, 2, 4].map((factor) => shortestOf(pattern, make(factor * length)));
      return times.every((time, at) => time > (at === 0 ? harmlessMs / 2 : 2.7 * times[at - 1]!));
    });
  };
  const repeated = (text: string) => (length: number) => text.repeat(length / text.length);
  for (const start of new Set([...own, ...signs]))
    for (const sign of repeatedSigns)
      for (const end of ['', '\u0001']) {
        const forms = [
          (length: number) => repeated(start + sign)(length) + end,
          (length: number) => start + sign.repeat(length) + end,
        ];
        if (forms.some((make) => isSlow(make, screened))) return JSON.stringify([start, sign, end]);
      }
  // Long beginnings have few places to look from, so these texts are longer: up to 65,536 letters.
  return own.find((start) => ['', ...repeatedSigns].some((sign) => isSlow(repeated(start + sign), 65_536 / 4)));
}

it('takes the square of the length for no text of its own beginning', { timeout: 240_000, retry: 2 }, async () => {
  expect(slowTextOf(/\s+$/)).toBeDefined();
  expect(slowTextOf(/<!--.*?-->/s)).toBeDefined();
  expect(slowTextOf(/^(a+)+$/)).toBeDefined();
  const all = [...files.flatMap(literalsOf), ...(await madeByModules())];
  // What repeats nothing reads each letter once.
  const patterns = [...new Map(all.map((one) => [String(one.pattern), one])).values()].filter(({ pattern }) =>
    /[*+{]/.test(pattern.source.replace(/\\[pu]\{\w+\}/g, '')),
  );
  expect(patterns.length).toBeGreaterThan(100);
  const slow = patterns.flatMap(({ file, pattern }) => {
    const text = slowTextOf(pattern);
    return text === undefined ? [] : [`${file}: ${pattern} with ${text}`];
  });
  expect(slow).toEqual([]);
});
