import type { AnswerOf } from '../../../shared/contract/define.ts';
import { adminLoginInput, session as calls, subadminLoginInput } from '../../../shared/contract/session.ts';
import { call } from '../../kit/api/client.ts';
import { startSession } from '../../kit/api/session-store.ts';

/** The message if the answer to a sign-in has no token (docs/specification.md §2.3). */
const missingToken = 'Invalid response - missing token';

export interface Credentials {
  email: string;
  password: string;
}

async function signInSubadmin(body: Credentials): Promise<void> {
  const answer = await call(calls.loginSubadmin, { body });
  if (!answer.token) throw new Error(missingToken);
  startSubadminSession(answer);
}

/** Opens the session of a business, or of one of its people. */
export function startSubadminSession({ token, bannerName, user }: AnswerOf<typeof calls.loginSubadmin>): void {
  const { email, name, seat } = user;
  startSession({
    token,
    role: 'subadmin',
    user: { id: email, email, bannerName, role: 'subadmin', ...(seat && { name, seat }) },
  });
}

async function signInAdmin(body: Credentials): Promise<void> {
  const { data } = await call(calls.loginAdmin, { body });
  if (!data?.token) throw new Error(missingToken);
  const { email } = data.user;
  startSession({ token: data.token, role: 'admin', user: { id: email, email, role: 'admin' } });
}

/** The properties of the sign-in form for each role (docs/specification.md §2.3). */
export const signInProps = {
  subadmin: { schema: subadminLoginInput, signIn: signInSubadmin, fallback: 'Invalid subadmin credentials' },
  admin: { schema: adminLoginInput, signIn: signInAdmin, fallback: 'Invalid admin credentials' },
};
