import { Navigate, Outlet, useLocation } from 'react-router-dom';
import type { AccountRole } from '../../shared/contract/define.ts';
import { getLastEnd } from '../api/session-store.ts';
import { useSession } from '../session/session.ts';

/**
 * docs/specification.md §2.2: without a session to /login, with the location remembered; with the wrong role to
 * /unauthorized.
 */
export function RouteGuard({ only }: { only?: AccountRole }) {
  const session = useSession();
  const location = useLocation();
  if (!session) {
    // After one's own Logout there is nothing to come back to: the next to sign in may be somebody else.
    const from = getLastEnd() === 'logout' ? undefined : location.pathname + location.search;
    return <Navigate to="/login" replace state={from ? { from } : null} />;
  }
  if (only && session.role !== only) return <Navigate to="/unauthorized" replace />;
  return <Outlet />;
}
