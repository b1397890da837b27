import { Suspense, useLayoutEffect, type ReactNode } from 'react';
import { holdForDialog } from './held-keys.ts';

/** Dialogs that are loaded when they are first opened: keys that are pressed meanwhile are theirs, not the screen's. */
export function LateDialog({ children }: { children: ReactNode }) {
  return <Suspense fallback={<OnItsWay />}>{children}</Suspense>;
}

function OnItsWay() {
  useLayoutEffect(holdForDialog, []);
  return null;
}
