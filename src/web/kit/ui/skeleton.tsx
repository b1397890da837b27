import { useEffect, useState } from 'react';
import { clsx } from 'clsx';

/** A grey placeholder bar. Give it the width and height of the value, so that nothing moves when the value loads. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton inline-block rounded', className)} />;
}

/** Skeletons are delayed, so that they do not flash before a fast answer (docs/specification.md §19.2). */
const skeletonDelayMs = 150;

/** True once `active` has lasted for the delay. */
export function useDelayed(active: boolean, delayMs: number = skeletonDelayMs): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [active, delayMs]);
  return active && late;
}
