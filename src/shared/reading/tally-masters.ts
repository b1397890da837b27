/** The names of ledgers in Tally: read from its list of masters, and proposed for what the business needs (docs/specification.md §31.1). */

export const TALLY_MAX_NAME = 200;
export const TALLY_MAX_MASTERS = 20_000;

/** What two names of one ledger have in common: without case, spaces and the signs between words. */
export const tallyKey = (name: string): string => name.toLowerCase().replace(/[\s.,&'"()/_-]+/g, '');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

const distinct = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== '' && name.length <= TALLY_MAX_NAME)),
];

/** The ledgers of the masters that Tally exports as XML; undefined: the text is none. Nothing else of the file is looked at. */
export function ledgersOfXml(text: string): string[] | undefined {
  if (!/^\ufeff?\s*<(?:\?xml|ENVELOPE|!--)/i.test(text.slice(0, 200))) return undefined;
  const names = text
    .split(/<LEDGER\s/i)
    .slice(1)
    .map((rest) => {
      const found = /\bNAME="([^"<]*)"/i.exec(rest.slice(0, 4 * TALLY_MAX_NAME));
      // A name after the end of the tag is another's.
      return found && !rest.slice(0, found.index).includes('>') ? plain(found[1] ?? '') : '';
    });
  return distinct(names);
}

/** The names in a table: of the column that says so, else of the first. */
export function ledgersOfRows(rows: readonly (readonly string[])[]): string[] {
  const isHeading = (text: string): boolean =>
    /^(ledger|name|ledger name|name of ledger|particulars)$/i.test(text.trim());
  const heading = rows.slice(0, 20).findIndex((row) => row.some(isHeading));
  const column = heading === -1 ? 0 : (rows[heading] ?? []).findIndex(isHeading);
  return distinct(rows.slice(heading + 1).map((row) => row[column] ?? ''));
}

/** What a ledger of this use is often called: a name that has all words of a line. The first line that fits a name is proposed. */
const usual: Readonly<Record<string, readonly string[]>> = {
  freight: [
    'freight charges',
    'freight expense',
    'freight paid',
    'freight outward',
    'freight',
    'transport charges',
    'transport expense',
    'hire charges',
  ],
  tds: ['tds payable', 'tds 194c', 'tds contract', 'tds'],
  advance: ['advance truck', 'advance driver', 'advance trip', 'advance vehicle', 'cash'],
  officeCharges: ['office charges', 'office commission', 'commission received', 'commission income'],
  shortage: ['shortage'],
};
const hasWords = (name: string, words: string): boolean =>
  words.split(' ').every((word) => name.toLowerCase().includes(word));

/** The name in Tally for each use: one with the same key, else one that is usual; a use without either is left out. */
export function proposedLedgers(
  masters: readonly string[],
  wanted: Readonly<Record<string, string>>,
): Record<string, string> {
  const byKey = new Map(masters.map((name) => [tallyKey(name), name]));
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([use, name]) => {
      const lines = usual[use] ?? [];
      const found =
        byKey.get(tallyKey(name)) ?? lines.flatMap((line) => masters.find((one) => hasWords(one, line)) ?? [])[0];
      return found === undefined ? [] : [[use, found]];
    }),
  );
}
