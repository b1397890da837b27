import type { RefObject } from 'react';
import { canDeleteChallan, reasonOf } from '../../../../shared/access.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import type { ListedChallan } from '../../../../shared/contract/challan.ts';
import type { challans } from '../../../resources/challans.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import type { GridHandle } from '../../../kit/grid/grid-types.ts';

/** What a deletion needs of the list. */
export interface ShownList {
  grid: RefObject<GridHandle<ListedChallan> | null>;
  rows: readonly ListedChallan[] | undefined;
  place: { page: number };
  setPlace: (change: { page: number }, options: { replace: boolean }) => void;
  fetchPage: (page: number) => Promise<readonly ListedChallan[]>;
  openId: string;
  details: { close: () => void };
}

interface Removal {
  latest: RefObject<ShownList>;
  isBusy: (row: ListedChallan) => boolean;
  send: ReturnType<typeof challans.useRemove>['mutateAsync'];
  latestUndo: RefObject<(batchId: string) => unknown>;
  setDeleting: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Deletes after a confirmation. The focus then moves to the row below, or else to the row above (docs/keyboard.md §5). */
export async function removeChallan(row: ListedChallan, removal: Removal): Promise<void> {
  const { latest, isBusy, send, latestUndo, setDeleting } = removal;
  const reason = reasonOf(canDeleteChallan(row));
  if (reason) {
    notify.warning(reason, { kind: reason, many: () => reason });
    return;
  }
  // A call that marks or unmarks the challan is still running, and the deletion could reach the server before it.
  if (isBusy(row)) return;
  const isConfirmed = await confirm({
    title: `Delete challan ${row.challanNumber}?`,
    body: `TP No ${row.tpNo}, ${row.ownerName}, net amount ${formatINR(row.netAmountPayable)}. The toast and Ctrl+Z offer to undo it.`,
    confirmLabel: 'Delete',
    danger: true,
  });
  if (!isConfirmed) return;
  const { grid } = latest.current;
  const next = grid.current?.neighbourId(row.id);
  setDeleting((before) => new Set(before).add(row.id));
  try {
    const { batch } = (await send({ params: { id: row.id } })).data;
    const done = 'Challan deleted successfully';
    if (batch) notify.undo(done, () => latestUndo.current(batch.id));
    else notify.success(done);
    if (next !== undefined) grid.current?.focusRow(next);
    await tidyAfterDeletion(latest.current, row);
  } catch (error) {
    notify.error(error, 'Failed to delete challan');
  } finally {
    setDeleting((before) => {
      const rest = new Set(before);
      rest.delete(row.id);
      return rest;
    });
  }
}

/**
 * Closes the details of the deleted challan. If it was the only row of the page, the list shows the previous page with the
 * focus on its last row (docs/specification.md §3.4).
 */
async function tidyAfterDeletion(list: ShownList, row: ListedChallan): Promise<void> {
  const { grid, rows, place, setPlace, fetchPage, openId, details } = list;
  if (openId === row.id) details.close();
  const page = place.page - 1;
  if (page < 1 || rows?.length !== 1) return;
  // The page is fetched before it is shown: the table is never empty, so it keeps the focus. If it fails, the list reports it.
  const before = await fetchPage(page).catch(() => undefined);
  setPlace({ page }, { replace: true });
  const last = before?.at(-1);
  if (last) grid.current?.focusRow(last.id);
}
