import { headingKey, kindOfHeading } from '../calc/column-headings.ts';
import { normalizeTyped } from '../calc/money.ts';
import { parseTypedDate } from '../reading/day.ts';
import { challanFields, challanFile } from '../contract/challan-fields.ts';
import type { FieldKind } from '../contract/fields.ts';
import { kindOfColumn, type SheetColumn } from './challan-sheet-fields.ts';
import type { Source } from './sheet.ts';

type Content = 'day' | 'number' | 'text';

const numbers: readonly FieldKind[] = ['money', 'weight', 'liters', 'percent', 'count'];
function contentOf(column: SheetColumn): Content {
  const kind = kindOfColumn(column);
  return kind === 'date' ? 'day' : numbers.includes(kind) ? 'number' : 'text';
}

function contentOfText(text: string, today: string): Content {
  const read = parseTypedDate(text, today);
  // '5' is a day as well when it is typed, but in a column it is a number.
  if (!/^[\d,.]+$/.test(text) && 'day' in read) return 'day';
  return 'error' in normalizeTyped(text) ? 'text' : 'number';
}

/** The headings of our own file and form. A column of a figure is not used, because the figure is computed. */
const ownHeadings = new Set(
  [
    ...Object.values(challanFile).map((column) => column?.[0] ?? ''),
    ...Object.values(challanFields).map(({ label }) => label),
  ]
    .filter((heading) => heading !== '')
    .map(headingKey),
);
const isKnown = (heading: string): boolean =>
  ownHeadings.has(headingKey(heading)) || kindOfHeading(heading) !== undefined;

/**
 * Which of the fields that would be filled in may be in a column of the table whose heading is not known: the column is not
 * used, and has texts of that kind. Another value must not be filled in there before the user has said what the column is.
 */
export function fieldsInDoubt(
  { headings, columns }: Pick<Source, 'headings' | 'columns'>,
  rows: readonly (readonly string[])[],
  filledIn: readonly SheetColumn[],
  today: string,
): SheetColumn[] {
  const found = new Set<Content>();
  for (const [at, column] of columns.entries()) {
    if (column !== null || isKnown(headings[at] ?? '')) continue;
    for (const cells of rows) {
      const text = cells[at] ?? '';
      if (text !== '') found.add(contentOfText(text, today));
    }
  }
  return filledIn.filter((column) => !columns.includes(column) && found.has(contentOf(column)));
}
