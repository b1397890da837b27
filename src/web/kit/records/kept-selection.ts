import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { getLastEnd, getSession } from '../api/session-store.ts';
import { notify } from '../feedback/toast.ts';
import { tabDrafts } from '../api/account-storage.ts';

interface Parts<Source, Stored, Kept, Review> {
  /** The key in the tab's storage. */
  place: string;
  /** The schema of the stored selection, and the function that turns it into `Kept`. */
  shape: z.ZodType<Stored>;
  read: (stored: Stored) => Kept;
  /** The present selection, and what is stored of it: ids and amounts, but no names. */
  source: Source;
  keep: (source: Source) => unknown;
  isNothing: boolean;
  /** Whether the screen shows the data that the kept selection belongs to. */
  isHere: (kept: Kept) => boolean;
  /** Asks the server what of the selection still exists. */
  ask: (kept: Kept, signal: AbortSignal) => Promise<Review>;
  /** Selects again what still exists, and returns the message about it. */
  restore: (kept: Kept, review: Review) => string;
  /** The message when the server could not be asked; absent where the screen shows the failure itself. */
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
 * Keeps a selection in this tab, so that it survives leaving the screen, a reload and an expired session
 * (docs/specification.md §10.2). Before the selection is restored, the server is asked what of it still exists.
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

  // The kept selection waits for a screen that shows its data. A new selection replaces it.
  if (kept !== undefined && !isHere && !isNothing) setKept(undefined);

  useStoredSelection({ place, source, keep, isWaiting: kept !== undefined && isNothing });

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

interface StoredSelection<Source> {
  /** The key in the tab's storage. */
  place: string;
  source: Source;
  /** What is stored of the selection: ids and amounts, but no names. undefined: nothing is selected. */
  keep: (source: Source) => unknown;
  /** An earlier selection has not been restored yet, and must not be overwritten by an empty one. */
  isWaiting: boolean;
}

/** Writes the selection to the storage of this tab, under its account. Logout removes it (docs/specification.md §10.2). */
function useStoredSelection<Source>({ place, source, keep, isWaiting }: StoredSelection<Source>): void {
  const [account] = useState(() => getSession()?.user.id);
  const hasWarned = useRef(false);
  const latest = useRef(keep);
  /** Saves a selection that is not saved yet. Saving waits, because a selection can have tens of thousands of challans. */
  const unsaved = useRef<() => void>(undefined);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    if (account === undefined || isWaiting) return undefined;
    const save = (): void => {
      unsaved.current = undefined;
      const session = getSession();
      // After a Logout nothing of the account may stay in the browser. After an expired session the user will come back for it.
      if (session ? session.user.id !== account : getLastEnd() !== 'expired') return;
      const kept = latest.current(source);
      if (kept === undefined) {
        if (session) tabDrafts.remove(place);
        return;
      }
      const isKept = tabDrafts.write(place, kept, account);
      // The stored selection is outdated now.
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
