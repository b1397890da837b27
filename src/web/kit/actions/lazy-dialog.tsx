import { Suspense, useLayoutEffect, type ReactNode } from 'react';
import { holdKeysForDialog } from './held-keys.ts';

/** Wraps a dialog whose script loads when it is first opened. Keys pressed meanwhile go to the dialog, not to the screen. */
export function LazyDialog({ children }: { children: ReactNode }) {
  return <Suspense fallback={<HoldKeys />}>{children}</Suspense>;
}

function HoldKeys() {
  useLayoutEffect(holdKeysForDialog, []);
  return null;
}
