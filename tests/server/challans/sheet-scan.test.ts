import { describe, expect, it } from 'vitest';
import { fileMessages } from '../../../src/server/files/spreadsheet/messages.ts';
import { LAST_ROW, SheetScan } from '../../../src/server/files/spreadsheet/sheet-scan.ts';

/** The scan of a sheet's XML before a workbook is built from it (docs/security.md §6.1). */
const scan = (text: string): SheetScan => {
  const sheet = new SheetScan();
  sheet.take(Buffer.from(text));
  sheet.take(Buffer.from('</worksheet>'));
  return sheet;
};

describe('the scan of a sheet', () => {
  it('finds the last row with a value, whatever lies between the tags', () => {
    expect(scan('<row r="3"><c r="A3"><v>1</v></c></row><row r="7"><c r="A7"><v></v></c></row>').lastRow).toBe(3);
    expect(scan('<x:row r="5" ><x:c r="B5"><x:is><x:t>a</x:t></x:is></x:c></x:row>').lastRow).toBe(5);
    expect(scan('<![CDATA[ <row <row ]]><row r="2"><c r="A2"><v>1</v></c></row>').lastRow).toBe(2);
  });

  it.each([
    ['a row beyond the last one', `<row r="${LAST_ROW + 1}"><c><v>1</v></c></row>`],
    ['a row that hides behind a sign that XML has not', `<row a="<" r="${LAST_ROW + 1}"><c><v>1</v></c></row>`],
    ['a cell that hides so', `<row r="1"><c a='<' r="A${LAST_ROW + 1}"><v>1</v></c></row>`],
  ])('refuses %s', (_, text) => {
    expect(() => scan(text)).toThrow(fileMessages.damaged);
  });

  // A pattern that looks from each tag to the end takes the square of the length: 64 times as long for 8 times as much. Times of
  // some milliseconds are noisy on a busy machine, so the shortest of several counts, and a bad moment is tried again.
  it.each(['<row ', '<v ', '<c r=', '<row r', '<hyperlink ref="', "<c 'x'", '<a:row '])(
    'takes time in proportion to the length of %s again and again',
    { retry: 3 },
    (part) => {
      const timeOf = (length: number): number => {
        const text = part.repeat(length / part.length);
        const times = Array.from({ length: 5 }, () => {
          const begun = performance.now();
          try {
            scan(text);
          } catch {
            // Refused, which also took time.
          }
          return performance.now() - begun;
        });
        return Math.min(...times);
      };
      timeOf(8_192);
      expect(timeOf(8 * 8_192) / Math.max(timeOf(8_192), 0.3)).toBeLessThan(32);
    },
  );
});
