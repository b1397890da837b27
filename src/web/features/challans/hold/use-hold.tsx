import { lazy, useCallback, useState, type ReactNode } from 'react';
import { LazyDialog } from '../../../kit/actions/lazy-dialog.tsx';
import type { Holdable } from './hold-dialog.tsx';

const HoldDialog = lazy(() => import('./hold-dialog.tsx'));

/** The dialog that puts a row's record on hold or releases it (docs/specification.md §10.8). */
export function useHold(): { hold: (what: Holdable) => void; dialog: ReactNode } {
  const [what, setWhat] = useState<Holdable>();
  return {
    hold: useCallback((next: Holdable) => setWhat(next), []),
    dialog: what && (
      <LazyDialog>
        <HoldDialog what={what} onClose={() => setWhat(undefined)} />
      </LazyDialog>
    ),
  };
}
