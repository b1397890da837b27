import { useLayoutEffect, useRef } from 'react';

/**
 * When a name is found, its buttons disappear, and the focus may be lost with them. Then this calls `moveFocus`. If the user
 * has moved the focus meanwhile, it stays there. `unknownCount` is the number of names that are not found.
 */
export function useFocusWhenFound(unknownCount: number, moveFocus: () => void): void {
  const before = useRef(unknownCount);
  useLayoutEffect(() => {
    const isFewer = unknownCount < before.current;
    before.current = unknownCount;
    if (isFewer && document.activeElement === document.body) moveFocus();
  });
}
