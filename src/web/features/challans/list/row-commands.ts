import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { canDeleteChallan, canEditChallan, canPayChallan, canToggleHsd, reasonOf } from '../../../../shared/access.ts';
import type { ListedChallan } from '../../../../shared/contract/challan.ts';
import { person, refusalOf } from '../../../kit/api/seat.ts';
import { challans } from '../../../resources/challans.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { rememberPlace } from './return-place.ts';
import type { ShownList } from './remove-challan.ts';
import type { Toggles } from './use-toggles.ts';
import { useLatest } from '../../../kit/ui/use-latest.ts';
import { challansText } from '../../../../shared/calc/count-text.ts';
import { useUndoFromToast } from '../../../kit/records/act-on-many.ts';

/** Loaded when the table is entered (challan-list-page.tsx). */
export const loadRemoval = () => import('./remove-challan.ts');

/** Why the seat may not edit the challan. */
export const editRefusal = (row: ListedChallan): string | undefined =>
  refusalOf(challans.calls.update) ?? reasonOf(canEditChallan(person(), row));
/** Why the challan cannot be deleted. */
export const deleteRefusal = (row: ListedChallan): string | undefined =>
  refusalOf(challans.calls.remove) ?? reasonOf(canDeleteChallan(row));

export const explain = (reason: string): void => notify.warning(reason, { kind: reason, many: () => reason });

/** The commands for one challan, used by its row, the keys and the details dialog. */
export interface RowCommands {
  edit: (row: ListedChallan) => void;
  duplicate: (row: ListedChallan) => void;
  remove: (row: ListedChallan) => void;
  togglePaid: (row: ListedChallan) => void;
  toggleHsd: (row: ListedChallan) => void;
  isPending: (row: Pick<ListedChallan, 'id'>) => boolean;
}

export function useRowCommands(list: ShownList, toggles: Toggles) {
  const navigate = useNavigate();
  const { setPaid, setHsdVerified, isBusy, isPending } = toggles;
  const { deleting, remove } = useRemoval(list, isBusy);

  const edit = useCallback(
    (row: ListedChallan) => {
      const reason = editRefusal(row);
      if (reason) return explain(reason);
      rememberPlace(row.id);
      void navigate(`/challans/edit/${row.id}`);
    },
    [navigate],
  );
  const duplicate = useCallback(
    (row: ListedChallan) => {
      rememberPlace(row.id);
      // The form reads the challan to copy from this state.
      void navigate('/challans/create', { state: { copyFrom: row.id } });
    },
    [navigate],
  );
  const togglePaid = useCallback(
    (row: ListedChallan) => {
      const reason = row.paymentStatus ? undefined : reasonOf(canPayChallan(row));
      if (reason) explain(reason);
      else setPaid(row, !row.paymentStatus);
    },
    [setPaid],
  );
  const toggleHsd = useCallback(
    (row: ListedChallan) => {
      const reason = reasonOf(canToggleHsd(row));
      if (reason) explain(reason);
      else setHsdVerified(row, !row.hsdVerified);
    },
    [setHsdVerified],
  );

  const commands = useMemo<RowCommands>(
    () => ({ edit, duplicate, remove, togglePaid, toggleHsd, isPending }),
    [edit, duplicate, remove, togglePaid, toggleHsd, isPending],
  );
  return { commands, deleting };
}

/** Deletes after a confirmation. The focus then moves to the row below, or else to the row above (docs/keyboard.md §5). */
function useRemoval(list: ShownList, isBusy: (row: ListedChallan) => boolean) {
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set());
  const { mutateAsync: send } = challans.useRemove();
  // `remove` must stay the same function: a new one at each render would render the buttons of all rows again.
  const latest = useLatest(list);
  const latestUndo = useLatest(useUndoOfChallans());

  const remove = useCallback(
    (row: ListedChallan): void => {
      loadRemoval().then(
        ({ removeChallan }) => removeChallan(row, { latest, isBusy, send, latestUndo, setDeleting }),
        (error: unknown) => notify.error(error, 'Failed to delete challan'),
      );
    },
    [send, isBusy, latest, latestUndo],
  );
  return { deleting, remove };
}

const words: Parameters<typeof useUndoFromToast>[0] = { counted: challansText, leftText: ({ reason }) => reason };

/** Undoes a change of challans from the toast that reports it: of many, or the deletion of one. */
export const useUndoOfChallans = () => useUndoFromToast(words);
