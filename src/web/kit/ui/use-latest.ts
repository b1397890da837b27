import { useLayoutEffect, useRef, type RefObject } from 'react';

/** The value of the last render, for a function that must stay the same or that runs later. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
