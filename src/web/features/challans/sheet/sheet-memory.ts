import { z } from 'zod';
import { daysBetween, formatDate } from '../../../../shared/calc/dates.ts';
import { typedDay } from '../../../../shared/reading/day.ts';
import { kindOfColumn, sheetColumns, type SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import type { RowCheck, Starts } from '../../../../shared/sheet/check-row.ts';
import type { Mapping } from '../../../../shared/sheet/headings.ts';
import type { Cells } from '../../../../shared/sheet/sheet.ts';
import { blankForm, fieldNames, isDateField } from '../form/form-values.ts';
import { readRemembered, rememberedFields, rememberValues } from '../form/remembered.ts';
import { drafts, type Draft } from '../../../kit/api/account-storage.ts';
import { rememberedMapping, rememberMapping } from '../../../kit/sheet/column-memory.ts';
import type { LookupTable } from './lookup-table.ts';

/**
 * What the sheet stores on this device: its draft, the columns of pasted tables, and the values that it shares with
 * the challan form.
 */

const isColumn = (name: unknown): name is SheetColumn => sheetColumns.some((column) => column === name);

/** The fields that a new row starts with: what is remembered, and the days. */
export const startingFields: readonly SheetColumn[] = sheetColumns.filter(
  (name) => name !== 'tpNo' && (kindOfColumn(name) === 'date' || rememberedFields.some((one) => one === name)),
);

/**
 * The values that new rows start with. The TP No is left out, because a challan never takes the TP No of the one
 * before it.
 */
export function readStarts(): Starts {
  const { tripDays = 0, tpNo: _tpNo, ...remembered } = readRemembered();
  const texts = Object.entries(remembered).flatMap(([name, value]) => {
    if (!isColumn(name) || !value) return [];
    const text = typeof value === 'object' ? value.name : String(value);
    return [[name, kindOfColumn(name) === 'date' ? formatDate(text) : text]];
  });
  return { texts: Object.fromEntries(texts), tripDays };
}

/**
 * Remembers the last challan of a commit: the next one starts with its values, here and in the form
 * (docs/specification.md §8.7).
 */
export function rememberRow({ texts }: RowCheck, lookups: LookupTable, today: string): void {
  const values = blankForm();
  for (const name of fieldNames) {
    if (!isColumn(name) || name === 'discounter' || name === 'tag' || name === 'petrolPump') continue;
    Object.assign(values, { [name]: isDateField(name) ? typedDay(texts[name], today) : texts[name] });
  }
  const [tag, petrolPump, discounter] = [
    lookups.tags(texts.tag)?.[0],
    lookups.petrolPumps(texts.petrolPump)?.[0],
    lookups.owners(texts.discounter)?.[0],
  ];
  values.tag = tag ? { id: tag.id, name: tag.name, color: tag.color } : null;
  values.petrolPump = petrolPump ? { id: petrolPump.id, name: petrolPump.name } : null;
  values.discounter = discounter ? { id: discounter.id, name: discounter.name } : null;
  if (daysBetween(values.loadingDate, values.unloadingDate) >= 0) rememberValues(values);
}

const cellsSchema = z.record(z.string(), z.string()).transform((cells): Cells => {
  const known = Object.entries(cells).filter(([name]) => isColumn(name));
  return Object.fromEntries(known);
});
const draftSchema = z.object({
  rows: z.array(cellsSchema).min(1),
  /** The idempotency key of a commit that was not answered: the same rows sent with it are stored only once. */
  commitKey: z.string().optional(),
});
export interface SheetDraft {
  rows: readonly Cells[];
  commitKey?: string | undefined;
}

const draftKey = 'challan.sheet';

export const readSheetDraft = (): Draft<SheetDraft> | undefined =>
  drafts.read(draftKey, (value) => draftSchema.safeParse(value).data);

export function writeSheetDraft(draft: SheetDraft): void {
  if (draft.rows.length === 0) drafts.remove(draftKey);
  else drafts.write(draftKey, draft);
}

const mappingsKey = 'challan-sheet.columns';
export const rememberedColumns = (found: Mapping<SheetColumn>): Mapping<SheetColumn> =>
  rememberedMapping(mappingsKey, found, isColumn);
export const rememberColumns = (headings: readonly string[], columns: readonly (SheetColumn | null)[]): void =>
  rememberMapping(mappingsKey, headings, columns);
