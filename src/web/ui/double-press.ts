import { useEffect, useState } from 'react';

/**
 * A second press of the same key or button within this time belongs to the first: it was not meant for what has replaced
 * it meanwhile (a dialog that has opened, its next step, a form that is empty again). As long as a double click.
 */
export const doublePressMs = 500;

/** false while what has just come to be `shown` (by identity: a new object each time) could be hit by such a press. */
export function useArmed(shown: object): boolean {
  const [armed, setArmed] = useState<object>();
  useEffect(() => {
    const timer = setTimeout(() => setArmed(shown), doublePressMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return armed === shown;
}
