import type { SheetColumn } from './challan-sheet-fields.ts';
import type { RowCheck, Starts } from './check-row.ts';
import { isBlank, type SheetRow } from './sheet.ts';

/** They come with the vehicle or its owner. */
const lookedUp: readonly SheetColumn[] = [
  'ownerName',
  'ownerContactNumber',
  'vehicleType',
  'vehicleWheel',
  'tdsPercentage',
];

interface Around {
  above: SheetRow | undefined;
  error: string | undefined;
  starts: Starts;
}

/**
 * Whether a cell needs no typing in a challan like the one before: filled in, unless another value was typed in the row
 * above; or optional, and left empty there too.
 */
export function needsNoTyping(
  column: SheetColumn,
  row: SheetRow | undefined,
  check: RowCheck | undefined,
  { above, error, starts }: Around,
): boolean {
  // In a row with nothing in it nothing is filled in yet.
  if (!row || !check || row.cells[column]) return false;
  if (check.isWaiting && lookedUp.includes(column)) return true;
  if (error !== undefined) return false;
  const isFilled = check.filled.has(column);
  if (isFilled && lookedUp.includes(column)) return true;
  if (column === 'hsdInLiters' && (check.texts.petrolPump || starts.texts.petrolPump)) return false;
  // The first challan of all is like none before.
  if (!above || isBlank(above)) return Object.keys(starts.texts).length > 0;
  const typedAbove = above.cells[column] ?? '';
  return typedAbove === '' || (isFilled && typedAbove === check.texts[column]);
}
