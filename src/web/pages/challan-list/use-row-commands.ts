import { useCallback, useMemo, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import { canToggleHsd, reasonOf } from '../../../shared/access.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { GridHandle } from '../../grid/grid-types.ts';
import { notify } from '../../feedback/toast.ts';
import { rememberPlace } from './list-place.ts';
import { useDelete } from './use-delete.ts';
import type { Toggles } from './use-toggles.ts';

/** What can be done with one challan, from its row, its keys and its details alike. */
export interface RowCommands {
  edit: (row: Challan) => void;
  duplicate: (row: Challan) => void;
  remove: (row: Challan) => void;
  togglePaid: (row: Challan) => void;
  toggleHsd: (row: Challan) => void;
  isPending: (row: Pick<Challan, 'id'>) => boolean;
}

interface Options {
  grid: RefObject<GridHandle<Challan> | null>;
  toggles: Toggles;
  onRemoved: (row: Challan) => Promise<void>;
}

export function useRowCommands({ grid, toggles, onRemoved }: Options) {
  const navigate = useNavigate();
  const { setPaid, setHsdVerified, isBusy, isPending } = toggles;
  const { deleting, remove } = useDelete(grid, isBusy);

  const edit = useCallback(
    (row: Challan) => {
      rememberPlace(row.id);
      void navigate(`/challans/edit/${row.id}`);
    },
    [navigate],
  );
  const duplicate = useCallback(
    (row: Challan) => {
      rememberPlace(row.id);
      // The form reads which challan to start from.
      void navigate('/challans/create', { state: { copyFrom: row.id } });
    },
    [navigate],
  );
  const removeRow = useCallback(
    (row: Challan) => {
      void remove(row).then((isGone) => (isGone ? onRemoved(row) : undefined));
    },
    [remove, onRemoved],
  );
  const togglePaid = useCallback((row: Challan) => setPaid(row, !row.paymentStatus), [setPaid]);
  const toggleHsd = useCallback(
    (row: Challan) => {
      const reason = reasonOf(canToggleHsd(row));
      if (reason) notify.warning(reason, { kind: reason, many: () => reason });
      else setHsdVerified(row, !row.hsdVerified);
    },
    [setHsdVerified],
  );

  const commands = useMemo<RowCommands>(
    () => ({ edit, duplicate, remove: removeRow, togglePaid, toggleHsd, isPending }),
    [edit, duplicate, removeRow, togglePaid, toggleHsd, isPending],
  );
  return { commands, deleting };
}
