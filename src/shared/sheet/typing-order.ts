import type { SheetColumn } from './challan-sheet-fields.ts';
import type { RowCheck, Starts } from './check-row.ts';
import { isBlank, type SheetRow } from './sheet.ts';

/** The columns that the vehicle or its owner fills in. */
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
 * Whether the focus can skip a cell when a challan is like the one before. It can skip a cell that is filled in, unless
 * another value was typed in the row above, and an optional cell that is empty in the row above too.
 */
export function needsNoTyping(
  column: SheetColumn,
  row: SheetRow | undefined,
  check: RowCheck | undefined,
  { above, error, starts }: Around,
): boolean {
  // Nothing is filled in yet in an empty row.
  if (!row || !check || row.cells[column]) return false;
  if (check.isWaiting && lookedUp.includes(column)) return true;
  if (error !== undefined) return false;
  const isFilled = check.filled.has(column);
  if (isFilled && lookedUp.includes(column)) return true;
  if (column === 'hsdInLiters' && (check.texts.petrolPump || starts.texts.petrolPump)) return false;
  // The first challan of all has none before it that it could be like.
  if (!above || isBlank(above)) return Object.keys(starts.texts).length > 0;
  const typedAbove = above.cells[column] ?? '';
  return typedAbove === '' || (isFilled && typedAbove === check.texts[column]);
}
