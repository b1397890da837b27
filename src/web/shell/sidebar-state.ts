import { useState, useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../session/account-storage.ts';

/** Narrower than this the tables need the sidebar's room more than the sidebar needs its words: it begins collapsed. */
const tight = '(width < 1440px)';
/** Here it would leave the screen hardly half of the window (200 % zoom): it is only opened for the moment. */
const narrow = '(width < 1100px)';

function useMatch(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}

const key = 'sidebar-collapsed';
/** undefined: never chosen, so the window says. */
const stored = (): boolean | undefined => {
  const isCollapsed = readPreference(key, false);
  // A boolean that reads the same with either fallback has been chosen.
  return isCollapsed === readPreference(key, true) ? isCollapsed : undefined;
};

/** Whether the sidebar is collapsed, and the toggle; remembered for the account where it was chosen in a wide window. */
export function useSidebar(): [isCollapsed: boolean, toggle: () => void] {
  const isTight = useMatch(tight);
  const isNarrow = useMatch(narrow);
  const [chosen, setChosen] = useState(stored);
  const [isOpenHere, setOpenHere] = useState(false);
  const isCollapsed = isNarrow ? !isOpenHere : (chosen ?? isTight);
  const toggle = (): void => {
    if (isNarrow) {
      setOpenHere(isCollapsed);
      return;
    }
    setChosen(!isCollapsed);
    writePreference(key, !isCollapsed);
  };
  return [isCollapsed, toggle];
}
