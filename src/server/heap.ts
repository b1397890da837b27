import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps the memory of a start small (docs/decisions.md 107). Nearly all objects that a start makes stay alive. V8 takes this
 * for load and grows its young generation to 32 MB, which a server at rest never gives back. So the young generation does
 * not grow until endStart().
 */
export function startSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Ends the start: collects its garbage once, and lets the young generation grow with the load from now on. */
export function endStart(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
  // The default of V8.
  setFlagsFromString('--semi-space-growth-factor=2');
}
