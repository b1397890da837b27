import { useCallback, useMemo, useState } from 'react';
import { canCopyOwner, reasonOf } from '../../../shared/access.ts';
import type { OwnerCard } from '../../../shared/contract/owners.ts';
import type { GridSelection } from '../../grid/grid-types.ts';
import { notify } from '../../feedback/toast.ts';

/** The server copies as many at once (docs/specification.md §14.7). */
const mostOwners = 100;

/** The owners chosen for copying. Paging and searching keep them, so each is kept with what the totals need of it. */
export function useCopySelection(rows: readonly OwnerCard[] | undefined) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, OwnerCard>>(new Map());

  const setRows = useCallback(
    (changed: readonly OwnerCard[], isOn: boolean) => {
      const next = new Map(chosen);
      let isFull = false;
      for (const row of changed) {
        if (!isOn) next.delete(row.id);
        else if (!canCopyOwner(row).allowed) continue;
        else if (next.size < mostOwners || next.has(row.id)) next.set(row.id, row);
        else isFull = true;
      }
      setChosen(next);
      if (isFull) notify.warning(`At most ${mostOwners} owners can be copied at once`);
    },
    [chosen],
  );
  const clear = useCallback(() => setChosen(new Map()), []);

  const selection = useMemo<GridSelection<OwnerCard>>(() => {
    const all = (rows ?? []).filter((row) => canCopyOwner(row).allowed);
    const here = all.filter(({ id }) => chosen.has(id)).length;
    return {
      stateOf: ({ id }) => (chosen.has(id) ? 'all' : 'none'),
      labelOf: ({ name }) => `Select ${name}`,
      disabledReason: (row) => reasonOf(canCopyOwner(row)),
      setRows,
      header: {
        state: here === 0 ? 'none' : here === all.length ? 'all' : 'some',
        label: 'Select all owners on this page',
        onToggle: (isOn) => setRows(all, isOn),
      },
      onSelectAll: () => setRows(all, true),
      onClear: () => {
        if (chosen.size === 0) return false;
        clear();
        return true;
      },
    };
  }, [rows, chosen, setRows, clear]);

  return { chosen: useMemo(() => [...chosen.values()], [chosen]), selection, clear };
}
