import { useEffect, useState } from 'react';

/**
 * The time of a double click. A second press within it belongs to the first one, and must not act on what has appeared
 * meanwhile: a dialog, its next step, or a cleared form.
 */
export const doublePressMs = 500;

/** false until `shown` has been on screen for longer than a double press. Pass a new object each time something is shown. */
export function useArmed(shown: object): boolean {
  const [armed, setArmed] = useState<object>();
  useEffect(() => {
    const timer = setTimeout(() => setArmed(shown), doublePressMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return armed === shown;
}
