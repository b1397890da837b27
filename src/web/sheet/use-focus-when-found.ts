import { useLayoutEffect, useRef } from 'react';

/**
 * The buttons of a name that is not found go once it is, and the focus with them: then `next` gives it another place. Not
 * where somebody has gone on meanwhile. `unknown` is how many names are not found.
 */
export function useFocusWhenFound(unknown: number, next: () => void): void {
  const before = useRef(unknown);
  useLayoutEffect(() => {
    const isFewer = unknown < before.current;
    before.current = unknown;
    if (isFewer && document.activeElement === document.body) next();
  });
}
