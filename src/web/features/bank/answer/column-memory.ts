import { z } from 'zod';
import type { AnswerState } from '../../../../shared/bank-answers/answers.ts';
import { headingsKey, type Mapping } from '../../../../shared/sheet/headings.ts';
import { squared } from '../../../../shared/sheet/table-cells.ts';
import { tableMemory } from '../../../kit/sheet/column-memory.ts';

/** Remembers how this user read the files of each bank account: what their columns are, and what statuses mean. */

const choice = z.object({
  columns: z.array(z.string().nullable()),
  statuses: z.record(z.string(), z.enum(['executed', 'failed', 'returned']).nullable()),
});
const memory = tableMemory('bank-answer.columns', choice, 40);
/** How many rows may be above the headings. */
const headingRows = 45;

/** For what a choice is remembered: the kind of the file, and the account that it is of ('' while none is chosen). */
export interface Place {
  kind: 'answers' | 'statement';
  accountId: string;
}

/** Files have one shape when they have the same headings, or none and as many columns. */
function keyOf({ kind, accountId }: Place, headings: readonly string[]): string {
  const shape = headingsKey({ headings }).replace(/\|+$/, '');
  return `${kind} ${accountId} ${shape === '' ? `${headings.length} columns` : shape}`;
}

interface Remembered<Name> {
  mapping: Mapping<Name & string>;
  statuses: Readonly<Record<string, AnswerState | null>>;
}

/** What this user chose for a file of this shape. Its headings may be in a row that the program does not recognise. */
export function rememberedColumns<Name extends string>(
  place: Place,
  rows: readonly (readonly string[])[],
  found: Mapping<Name>,
  names: readonly Name[],
): Remembered<Name> | undefined {
  const all = memory.read();
  const withKept = (mapping: Mapping<Name>): Remembered<Name> | undefined => {
    const kept = all[keyOf(place, mapping.headings)];
    if (!kept) return undefined;
    const columns = mapping.headings.map((_, at) => names.find((name) => name === kept.columns[at]) ?? null);
    return { mapping: { ...mapping, columns }, statuses: kept.statuses };
  };
  const table = squared(rows.slice(0, headingRows).map((row) => [...row]));
  const row = table.findIndex(
    (cells) => cells.filter((cell) => cell !== '').length > 1 && all[keyOf(place, cells)] !== undefined,
  );
  const headings = table[row];
  return headings ? withKept({ headings, columns: [], firstRow: row + 1, hasHeadings: true }) : withKept(found);
}

export function rememberColumns(
  place: Place,
  { headings, columns }: Pick<Mapping<string>, 'headings' | 'columns'>,
  statuses: Readonly<Record<string, AnswerState | null>> = {},
): void {
  memory.remember(keyOf(place, headings), { columns: [...columns], statuses: { ...statuses } });
}
