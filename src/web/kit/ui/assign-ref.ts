import type { Ref, RefCallback } from 'react';

/** Sets the caller's ref in a component that also keeps its own. Return the result from the own ref callback. */
export function assignRef<T>(ref: Ref<T> | undefined, element: T | null): ReturnType<RefCallback<T>> {
  if (typeof ref === 'function') return ref(element);
  if (ref) ref.current = element;
  return undefined;
}
