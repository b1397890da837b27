import { useCallback, useMemo, useRef, useState } from 'react';
import { contract } from '../../../shared/contract/index.ts';
import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import { change } from '../../api/optimistic.ts';
import { subadmins } from '../../api/resources.ts';
import type { CellSpec } from '../../grid/grid-types.ts';
import { notify } from '../../feedback/toast.ts';

/**
 * The activation switch (docs/specification.md §5.2): shown at once, taken back if the call fails, one call per
 * sub-admin at a time.
 */
export function useActivation() {
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  /** The same at once, for a second key press that comes before the next render. */
  const inFlight = useRef(new Set<string>());
  const setBusy = useCallback((id: string, isBusy: boolean) => {
    if (isBusy) inFlight.current.add(id);
    else inFlight.current.delete(id);
    setPending(new Set(inFlight.current));
  }, []);

  const { mutate: send } = subadmins.useSetActive({
    optimistic: ({ params, body }) => [
      change(contract.subadmins.list, (answer) => {
        const row = answer.data.find(({ id }) => id === params.id);
        if (row) row.isActive = body.isActive;
      }),
    ],
    onSuccess: (_answer, { body }) =>
      notify.success(body.isActive ? 'Subadmin activated successfully' : 'Subadmin deactivated successfully'),
    onError: (error) => notify.error(error, 'Failed to update subadmin status'),
    onSettled: ({ params }) => setBusy(params.id, false),
  });

  const setActive = useCallback(
    (row: Subadmin, isActive: boolean) => {
      if (inFlight.current.has(row.id)) return;
      setBusy(row.id, true);
      send({ params: { id: row.id }, body: { isActive } });
    },
    [send, setBusy],
  );
  const cells = useMemo<Readonly<Record<string, CellSpec<Subadmin>>>>(
    () => ({
      active: {
        toggle: {
          isSwitch: true,
          isOn: (row) => row.isActive,
          onToggle: setActive,
          label: (row) => `Active, ${row.email}`,
          isPending: (row) => pending.has(row.id),
        },
      },
    }),
    [setActive, pending],
  );
  return { cells, toggleActive: useCallback((row: Subadmin) => setActive(row, !row.isActive), [setActive]) };
}
