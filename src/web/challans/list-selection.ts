import { useCallback, useMemo, useState } from 'react';
import type { Challan } from '../../shared/contract/challan.ts';
import type { GridSelection } from '../grid/grid-types.ts';
import { useRowSelection } from '../grid/row-selection.ts';
import { notify } from '../feedback/toast.ts';
import { useKeptListSelection, type ChosenAmounts } from './kept-list-selection.ts';

const options = {
  keyOf: (row: Challan): string => row.id,
  labelOf: (row: Challan) => `Select ${row.challanNumber}`,
};
const countOf = (count: number): string => count.toLocaleString('en-IN');

/**
 * The selected challans: to copy and to add up. Nothing is done to many challans from this list, so a second Ctrl+A has
 * nothing more to select; it says what is selected, and where all matching ones can be paid (docs/keyboard.md §3).
 */
export function useListSelection(place: string, rows: readonly Challan[] | undefined, totalCount: number) {
  const rowSelection = useRowSelection(rows, options);
  const { ids, selection: plain, add } = rowSelection;
  const [seen, setSeen] = useState<readonly Challan[]>();
  /** The amounts of all challans that were on the screen, or selected before. */
  const [amounts, setAmounts] = useState<ChosenAmounts>(new Map());
  if (rows && rows !== seen) {
    setSeen(rows);
    setAmounts(new Map([...amounts, ...rows.map((row) => [row.id, row.netAmountPayable] as const)]));
  }
  const chosen = useMemo(() => new Map([...ids].map((id) => [id, amounts.get(id) ?? '0.00'])), [ids, amounts]);
  useKeptListSelection({
    place,
    chosen,
    onRestored: useCallback(
      (again) => {
        setAmounts((before) => new Map([...before, ...again]));
        add(again.keys());
      },
      [add],
    ),
  });
  /** Of this page, as the bar under the table counts them. */
  const size = (rows ?? []).filter((row) => ids.has(row.id)).length;
  const selection = useMemo<GridSelection<Challan>>(
    () => ({
      ...plain,
      onSelectAll: () => {
        if (plain.header?.state !== 'all') plain.onSelectAll?.();
        else if (size >= totalCount) notify.info(`All ${countOf(totalCount)} matching challans are selected.`);
        else {
          notify.info(
            `${countOf(size)} of ${countOf(totalCount)} matching challans are selected: the page, to copy or to add up. To pay all that match, use the Bank Statement.`,
          );
        }
      },
    }),
    [plain, size, totalCount],
  );
  return { ...rowSelection, selection };
}
