import { useLayoutEffect, useRef } from 'react';

/**
 * A key or a button that acts on rows which are being loaded waits for them (docs/keyboard.md §1). The tables say here when
 * they load, and the queue of held keys does the waiting.
 */

/** A key as it was pressed, or what a key or a button does. */
export type Press = KeyboardEvent | (() => void);

export interface PressQueue {
  hold: (press: Press) => void;
  /** The rows are there: what was held is done. */
  resume: () => void;
  /** The rows do not come: what was held is dropped, with a message. */
  drop: () => void;
}

let queue: PressQueue | undefined;
let loads = 0;

/** Sets the queue that holds the presses. Returns a function that takes it away. */
export function setPressQueue(next: PressQueue): () => void {
  queue = next;
  return () => {
    if (queue === next) queue = undefined;
  };
}

export const areRowsAwaited = (): boolean => loads > 0;

/** Returns true if rows are being loaded; then the press is held, and done when they are there. */
export function holdForRows(press: Press): boolean {
  if (!areRowsAwaited() || !queue) return false;
  queue.hold(press);
  return true;
}

/** Holds what needs the rows of a table while `isAwaited`. `hasFailed`: they could not be loaded. */
export function useAwaitedRows(isAwaited: boolean, hasFailed: boolean): void {
  const wasAwaited = useRef(isAwaited);
  useLayoutEffect(() => {
    wasAwaited.current = isAwaited;
    if (isAwaited) {
      loads += 1;
      return () => {
        loads -= 1;
      };
    }
    if (hasFailed) queue?.drop();
    else if (!areRowsAwaited()) queue?.resume();
    return undefined;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each load, with how it ended
  }, [isAwaited]);
  // The table was left: what was held for it must not reach another screen.
  useLayoutEffect(
    () => () => {
      if (wasAwaited.current) queue?.drop();
    },
    [],
  );
}
