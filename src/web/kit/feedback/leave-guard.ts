import { useEffect, useLayoutEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { getSession } from '../api/session-store.ts';
import { confirm } from './confirm.tsx';

/**
 * The unsaved changes on the screen: those of a form, and of dialogs over it. The router supports only one blocker at a time,
 * so `LeaveGuardHost` asks for all of them.
 */
const guards = new Set<{ body: string }>();

/**
 * Protects unsaved changes (docs/specification.md §19.4): leaving the route asks first, and closing the tab makes the
 * browser ask. The end of a session does not ask, because the draft is kept (docs/specification.md §2.4).
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

/** Asks before the route changes. Rendered once, in the shell. */
export function LeaveGuardHost(): null {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      guards.size > 0 && getSession() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined;
    let isReplaced = false;
    void confirm({
      title: 'Leave without saving?',
      body: [...guards].at(-1)?.body,
      confirmLabel: 'Leave',
      cancelLabel: 'Stay',
      danger: true,
    }).then((leaves) => {
      // If Back is pressed again, a new question replaces this one, and only its answer counts.
      if (isReplaced) return;
      if (leaves) blocker.proceed();
      else blocker.reset();
    });
    return () => {
      isReplaced = true;
    };
  }, [blocker]);
  return null;
}
