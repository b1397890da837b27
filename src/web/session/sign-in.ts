import { adminLoginInput, session as calls, subadminLoginInput } from '../../shared/contract/session.ts';
import { call } from '../api/client.ts';
import { endSession, startSession } from '../api/session-store.ts';

/** Said when the login answer has no token (docs/specification.md §2.3). */
const missingToken = 'Invalid response - missing token';

export interface Credentials {
  email: string;
  password: string;
}

async function signInSubadmin(body: Credentials): Promise<void> {
  const answer = await call(calls.loginSubadmin, { body });
  if (!answer.token) throw new Error(missingToken);
  const { email } = answer.user;
  startSession({
    token: answer.token,
    role: 'subadmin',
    user: { id: email, email, bannerName: answer.bannerName, role: 'subadmin' },
  });
}

async function signInAdmin(body: Credentials): Promise<void> {
  const { data } = await call(calls.loginAdmin, { body });
  if (!data?.token) throw new Error(missingToken);
  const { email } = data.user;
  startSession({ token: data.token, role: 'admin', user: { id: email, email, role: 'admin' } });
}

/** What the form of each role takes (docs/specification.md §2.3). */
export const signInOf = {
  subadmin: { schema: subadminLoginInput, signIn: signInSubadmin, fallback: 'Invalid subadmin credentials' },
  admin: { schema: adminLoginInput, signIn: signInAdmin, fallback: 'Invalid admin credentials' },
};

/** The token dies at the server too; the screen does not wait for that, nor depend on it. */
export function signOut(): void {
  call(calls.logout, {}).catch(() => undefined);
  endSession('logout');
}
