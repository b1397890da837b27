import { useCallback, useMemo, useRef, useState } from 'react';

interface BusyRecords {
  /** The busy ids, for rendering. */
  pending: ReadonlySet<string>;
  /** Whether the record is busy now: a second key press may come before the next render. */
  isBusy: (id: string) => boolean;
  setBusy: (id: string, isBusy: boolean) => void;
}

/** Tracks the records with a running request, so that each has only one at a time. */
export function useBusyRecords(): BusyRecords {
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const inFlight = useRef(new Set<string>());
  const isBusy = useCallback((id: string) => inFlight.current.has(id), []);
  const setBusy = useCallback((id: string, busy: boolean) => {
    if (busy) inFlight.current.add(id);
    else inFlight.current.delete(id);
    setPending(new Set(inFlight.current));
  }, []);
  return useMemo(() => ({ pending, isBusy, setBusy }), [pending, isBusy, setBusy]);
}
