import { useEffect, useRef, useState } from 'react';
import { getLastEnd, getSession } from '../api/session-store.ts';
import { notify } from '../feedback/toast.ts';
import { tabDrafts } from '../session/account-storage.ts';

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
export function useKeeping<Source>({ place, source, keep, isWaiting }: Keeping<Source>): void {
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
