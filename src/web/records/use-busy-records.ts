import { useCallback, useMemo, useRef, useState } from 'react';

interface BusyRecords {
  /** The ids as they are shown. */
  pending: ReadonlySet<string>;
  /** As it is this moment: a second key press may come before the next render. */
  isBusy: (id: string) => boolean;
  setBusy: (id: string, isBusy: boolean) => void;
}

/** One call per record at a time: the records that have one under way. */
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
