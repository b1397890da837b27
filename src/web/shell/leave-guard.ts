import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { getSession } from '../api/session-store.ts';
import { confirm } from './confirm.tsx';

/**
 * Unsaved changes are not lost by a click beside the form (expectation 36): leaving the route asks, closing the tab lets
 * the browser ask. An ended session does not ask: its draft is kept (ruling 2).
 */
export function useLeaveGuard(isDirty: boolean, body = 'What you have typed on this screen is not saved.'): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && getSession() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({
      title: 'Leave without saving?',
      body,
      confirmLabel: 'Leave',
      cancelLabel: 'Stay',
      danger: true,
    }).then((leaves) => (leaves ? blocker.proceed() : blocker.reset()));
  }, [blocker, body]);

  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
}
