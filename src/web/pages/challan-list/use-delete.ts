import { useCallback, useState, type RefObject } from 'react';
import { formatINR } from '../../../shared/calc/money.ts';
import { canDeleteChallan, reasonOf } from '../../../shared/access.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import { challans } from '../../api/resources.ts';
import type { GridHandle } from '../../grid/grid-types.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';

/** Deletes after a confirmation; the focus goes to the row below, else above (docs/keyboard.md §5). */
export function useDelete(grid: RefObject<GridHandle<Challan> | null>, isBusy: (row: Challan) => boolean) {
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set());
  const { mutateAsync: send } = challans.useRemove();

  const remove = useCallback(
    async (row: Challan): Promise<boolean> => {
      const reason = reasonOf(canDeleteChallan(row));
      if (reason) {
        notify.warning(reason, { kind: reason, many: () => reason });
        return false;
      }
      // A payment that is being written must not be overtaken.
      if (isBusy(row)) return false;
      const yes = await confirm({
        title: `Delete challan ${row.challanNumber}?`,
        body: `TP No ${row.tpNo}, ${row.ownerName}, net amount ${formatINR(row.netAmountPayable)}. This action cannot be undone.`,
        confirmLabel: 'Delete',
        danger: true,
      });
      if (!yes) return false;
      const next = grid.current?.neighbourId(row.id);
      setDeleting((before) => new Set(before).add(row.id));
      try {
        await send({ params: { id: row.id } });
        notify.success('Challan deleted successfully');
        if (next !== undefined) grid.current?.focusRow(next);
        return true;
      } catch (error) {
        notify.error(error, 'Failed to delete challan');
        return false;
      } finally {
        setDeleting((before) => {
          const rest = new Set(before);
          rest.delete(row.id);
          return rest;
        });
      }
    },
    [grid, send, isBusy],
  );
  return { deleting, remove };
}
