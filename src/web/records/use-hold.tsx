import { lazy, useCallback, useState, type ReactNode } from 'react';
import { LazyDialog } from '../actions/lazy-dialog.tsx';

const HoldDialog = lazy(() => import('./hold-dialog.tsx'));

/** What is put on hold or taken off: a challan by its number, an owner by its name. */
export interface Holdable {
  record: 'challan' | 'owner';
  id: string;
  name: string;
}

/** The dialog that puts something on hold or takes it off, for a key of a row (docs/specification.md §10.8). */
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
