import { parseAst } from 'vite';

/** One change of a source file, in the text of a statement. */
export interface Fault {
  start: number;
  end: number;
  becomes: string;
}

/** What is replaced by what. Row-level security holds the tenant's condition too, so no test can miss it: it stays. */
const changes: readonly [was: RegExp, becomes: string][] = [
  // A condition is left out.
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

/** Every fault that is put into the statements of a source file: the texts of its template strings. */
export function sqlFaults(source: string): Fault[] {
  const faults: Fault[] = [];
  for (const [from, text] of templateTexts(source)) {
    for (const [was, becomes] of changes) {
      for (const found of text.matchAll(was)) {
        const start = from + found.index;
        faults.push({ start, end: start + found[0].length, becomes });
      }
    }
  }
  return faults.toSorted((one, other) => one.start - other.start);
}

export const withFault = (source: string, { start, end, becomes }: Fault): string =>
  source.slice(0, start) + becomes + source.slice(end);

/** As a line of a report: where, and what the line becomes. */
export function shownFault(source: string, fault: Fault): string {
  const before = source.slice(0, fault.start).split('\n');
  const line = before.length + (/^\s*\n/.test(source.slice(fault.start, fault.end)) ? 1 : 0);
  const was = source.split('\n')[line - 1]?.trim() ?? '';
  return `${line}: "${source.slice(fault.start, fault.end).trim()}" becomes "${fault.becomes.trim()}" in: ${was}`;
}

/** The texts of the template strings between what is put into them, with their marks (`) and their places. */
function templateTexts(source: string): [from: number, text: string][] {
  const texts: [number, string][] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node) {
      // What the parser says of a template string: its texts, each with its place.
      for (const { start, end } of node.quasis as { start: number; end: number }[]) {
        texts.push([start, source.slice(start, end)]);
      }
    }
    for (const value of Object.values(node)) look(value);
  };
  look(parseAst(source, { lang: 'ts' }));
  return texts;
}
