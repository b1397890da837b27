import { useEffect, useLayoutEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { getSession } from '../api/session-store.ts';
import { confirm } from './confirm.tsx';

/**
 * What is unsaved on the screen: a form, and dialogs over it. The router asks one blocker only, so all are asked
 * through it.
 */
const guards = new Set<{ body: string }>();

/**
 * Unsaved changes are not lost by a click beside the form (docs/specification.md §19.4): leaving the route asks,
 * closing the tab lets the browser ask. An ended session does not ask: its draft is kept (docs/specification.md §2.4).
 */
export function useLeaveGuard(isDirty: boolean, body = 'What you have typed on this screen is not saved.'): void {
  useLayoutEffect(() => {
    if (!isDirty) return undefined;
    const guard = { body };
    guards.add(guard);
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      guards.delete(guard);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isDirty, body]);
}

/** Stands once in the shell. */
export function LeaveGuardHost(): null {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      guards.size > 0 && getSession() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined;
    let isAskedAnew = false;
    void confirm({
      title: 'Leave without saving?',
      body: [...guards].at(-1)?.body,
      confirmLabel: 'Leave',
      cancelLabel: 'Stay',
      danger: true,
    }).then((leaves) => {
      // Back pressed once more asks again; the answer to the new question counts.
      if (isAskedAnew) return;
      if (leaves) blocker.proceed();
      else blocker.reset();
    });
    return () => {
      isAskedAnew = true;
    };
  }, [blocker]);
  return null;
}
