import { useEffect, useState } from 'react';
import { clsx } from 'clsx';

/** A grey bar where a value will be; give it the value's width and height, so that nothing moves when it comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton inline-block rounded', className)} />;
}

/** docs/specification.md §19.2: nothing grey flashes for an answer that takes no time. */
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
