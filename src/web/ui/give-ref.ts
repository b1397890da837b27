import type { Ref, RefCallback } from 'react';

/** Hands an element to the ref that a component was given, where it keeps one of its own. Returned by the own ref. */
export function giveRef<T>(ref: Ref<T> | undefined, element: T | null): ReturnType<RefCallback<T>> {
  if (typeof ref === 'function') return ref(element);
  if (ref) ref.current = element;
  return undefined;
}
