import type { AnswerOf } from '../../../shared/contract/define.ts';
import {
  adminLoginInput,
  session as calls,
  subadminLoginInput,
  type NewDevices,
} from '../../../shared/contract/session.ts';
import { call } from '../../kit/api/client.ts';
import { startSession, withStorage } from '../../kit/api/session-store.ts';

/** The message if the answer to a sign-in has no token (docs/specification.md §2.3). */
const missingToken = 'Invalid response - missing token';

export interface Credentials {
  email: string;
  password: string;
}

/** What this browser calls itself, the same at each sign-in, so that a new one is told. Kept beyond Logout, and says nothing else. */
export function device(): string {
  const key = 'challan-desk-device';
  return withStorage((storage) => {
    const known = storage.getItem(key) ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
    storage.setItem(key, known);
    return known;
  }, '');
}

async function tell(newDevices: NewDevices): Promise<void> {
  if (newDevices) (await import('./new-devices.ts')).tellNewDevices(newDevices);
}

async function signInSubadmin(body: Credentials): Promise<void> {
  const answer = await call(calls.loginSubadmin, { body }, { device: device() });
  if (!answer.token) throw new Error(missingToken);
  startSubadminSession(answer);
}

/** Opens the session of a business, or of one of its people. */
export function startSubadminSession(answer: AnswerOf<typeof calls.loginSubadmin>): void {
  const { token, bannerName, user, newDevices } = answer;
  const { email, name, seat } = user;
  startSession({
    token,
    role: 'subadmin',
    user: { id: email, email, bannerName, role: 'subadmin', ...(seat && { name, seat }) },
  });
  void tell(newDevices);
}

async function signInAdmin(body: Credentials): Promise<void> {
  startAdminSession(await call(calls.loginAdmin, { body }, { device: device() }));
}

export function startAdminSession({ data, newDevices }: AnswerOf<typeof calls.loginAdmin>): void {
  if (!data?.token) throw new Error(missingToken);
  const { email } = data.user;
  startSession({ token: data.token, role: 'admin', user: { id: email, email, role: 'admin' } });
  void tell(newDevices);
}

/** The properties of the sign-in form for each role (docs/specification.md §2.3). */
export const signInProps = {
  subadmin: {
    role: 'subadmin',
    schema: subadminLoginInput,
    signIn: signInSubadmin,
    fallback: 'Invalid subadmin credentials',
  },
  admin: { role: 'admin', schema: adminLoginInput, signIn: signInAdmin, fallback: 'Invalid admin credentials' },
} as const;
