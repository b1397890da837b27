import { logout } from '../../../shared/contract/logout.ts';
import { call } from '../../kit/api/client.ts';
import { endSession } from '../../kit/api/session-store.ts';

/** Ends the session on the server too, but does not wait for it: the sign-out works even if that call fails. */
export function signOut(): void {
  call(logout, {}).catch(() => undefined);
  endSession('logout');
}
