import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { getLastEnd, getSession } from '../api/session-store.ts';
import { notify } from '../feedback/toast.ts';
import { tabDrafts } from '../session/account-storage.ts';

interface Parts<Source, Stored, Kept, Review> {
  /** Names it in the tab's storage. */
  place: string;
  /** What storage holds of it, and what that is read as. */
  shape: z.ZodType<Stored>;
  read: (stored: Stored) => Kept;
  /** What is selected now, and what is kept of it: ids and amounts, nothing that names anybody. */
  source: Source;
  keep: (source: Source) => unknown;
  isNothing: boolean;
  /** The screen shows what the kept selection is of. */
  isHere: (kept: Kept) => boolean;
  /** Asks the server what is left of it. */
  ask: (kept: Kept, signal: AbortSignal) => Promise<Review>;
  /** Selects again what is left, and says so. */
  restore: (kept: Kept, review: Review) => string;
  /** Said when it could not be checked, where the screen does not show that itself. */
  failed?: (kept: Kept) => string;
}

function readKept<Stored, Kept>(
  parts: Pick<Parts<unknown, Stored, Kept, unknown>, 'place' | 'shape' | 'read'>,
): Kept | undefined {
  const { place, shape, read } = parts;
  const stored = tabDrafts.read(place, (value) => shape.safeParse(value).data)?.value;
  return stored === undefined ? undefined : read(stored);
}

/**
 * A selection that outlives its screen, a reload and an expired session (docs/specification.md §10.2): kept in this tab for
 * its account. Before it is used again the server says what of it is left.
 */
export function useKeptSelection<Source, Stored, Kept, Review>(parts: Parts<Source, Stored, Kept, Review>) {
  const { place, source, keep, isNothing, ask } = parts;
  const [kept, setKept] = useState(() => readKept(parts));
  const [attempt, setAttempt] = useState(0);
  const isHere = kept !== undefined && parts.isHere(kept);
  const { data: review, error } = useQuery({
    queryKey: ['kept-selection', place, attempt],
    queryFn: ({ signal }) => {
      if (kept === undefined) throw new Error('Only a kept selection is checked');
      return ask(kept, signal);
    },
    enabled: isHere,
    gcTime: 0,
    staleTime: Infinity,
  });

  const latest = useRef({ kept, parts });
  useEffect(() => {
    latest.current = { kept, parts };
  });
  useEffect(() => {
    const { kept: before, parts: now } = latest.current;
    if (!isHere || review === undefined || before === undefined) return;
    setKept(undefined);
    notify.info(now.restore(before, review));
  }, [isHere, review]);
  useEffect(() => {
    const { kept: before, parts: now } = latest.current;
    if (error && before !== undefined && now.failed) notify.error(error, now.failed(before));
  }, [error]);

  // Another selection takes the place of the one that waits for what it is of.
  if (kept !== undefined && !isHere && !isNothing) setKept(undefined);

  useKeeping({ place, source, keep, isWaiting: kept !== undefined && isNothing });

  return {
    kept,
    isHere,
    hasFailed: error !== null,
    retry: () => setAttempt((before) => before + 1),
    discard: (): void => {
      tabDrafts.remove(place);
      setKept(undefined);
    },
  };
}

const saveMs = 200;
const tooLarge = 'This selection is too large to be kept: it is lost when you leave this screen.';

interface Keeping<Source> {
  /** Names it in the tab's storage. */
  place: string;
  source: Source;
  /** What is kept of it: ids and amounts, nothing that names anybody. undefined: nothing is selected. */
  keep: (source: Source) => unknown;
  /** An earlier selection is still to be checked, and is not to be replaced by an empty one. */
  isWaiting: boolean;
}

/**
 * Keeps a selection in this tab for its account, so that it outlives its screen, a reload and an expired session, until
 * Logout (docs/specification.md §10.2).
 */
function useKeeping<Source>({ place, source, keep, isWaiting }: Keeping<Source>): void {
  const [account] = useState(() => getSession()?.user.id);
  const hasWarned = useRef(false);
  const latest = useRef(keep);
  /** Not at each tick: a page of large owners holds tens of thousands of challans. */
  const unsaved = useRef<() => void>(undefined);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    if (account === undefined || isWaiting) return undefined;
    const save = (): void => {
      unsaved.current = undefined;
      const session = getSession();
      // With Logout everything of the account leaves the browser; after an expired session it is what one comes back for.
      if (session ? session.user.id !== account : getLastEnd() !== 'expired') return;
      const kept = latest.current(source);
      if (kept === undefined) {
        if (session) tabDrafts.remove(place);
        return;
      }
      const isKept = tabDrafts.write(place, kept, account);
      // What was kept before is not the selection any more.
      if (!isKept) tabDrafts.remove(place);
      if (!isKept && !hasWarned.current) notify.warning(tooLarge);
      hasWarned.current = !isKept;
    };
    unsaved.current = save;
    const timer = setTimeout(save, saveMs);
    return () => clearTimeout(timer);
  }, [account, isWaiting, place, source]);
  useEffect(() => {
    const save = (): void => unsaved.current?.();
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, []);
}
