import { z } from 'zod';
import { passwordChange } from './profile.ts';
import { endpoint } from './define.ts';
import { logout } from './logout.ts';
import { anyHost, email, idQuery, instant, message, password } from './scalars.ts';
import { seats } from './seats.ts';

/** What the browser keeps under `user` (docs/specification.md §2.4). The id is the email. */
const adminUser = z.object({ id: z.string(), email: z.string(), role: z.literal('admin') });
const subadminUser = z.object({
  id: z.string(),
  email: z.string(),
  bannerName: z.string(),
  role: z.literal('subadmin'),
  /** Of a person beside the login of the business, which has neither (docs/specification.md §28). */
  name: z.string().optional(),
  seat: z.enum(seats).optional(),
});

/** Browsers that signed in for the first time since this one did last; absent when there is none. */
const newDevices = z.array(z.object({ name: z.string(), network: z.string(), at: instant })).optional();
export type NewDevices = z.output<typeof newDevices>;

/** The answer to a sign-in of a business or of one of its people. */
export const subadminLogin = z.object({ token: z.string(), bannerName: z.string(), user: subadminUser, newDevices });
export const adminLogin = z.object({ data: z.object({ token: z.string(), user: adminUser }), newDevices });

/** The forms check their fields with the same schemas when a field loses focus (docs/specification.md §2.3). */
export const adminLoginInput = z.strictObject({
  email: email('Please enter your admin email', 'Please enter a valid email', anyHost),
  password: password('Please enter your admin password'),
});
export const subadminLoginInput = z.strictObject({
  email: email('Please enter your email', 'Please enter a valid email'),
  password: password('Please enter your password'),
});

/** An open session of the caller's own account. It has no token, because only the token's hash is stored. */
const openSession = z.object({
  id: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
  /** The latest end. Half an hour without use ends the session earlier (docs/specification.md §2.4). */
  expiresAt: instant,
  address: z.string(),
  /** The browser in short words: 'Chrome on Windows'. */
  userAgent: z.string(),
  isCurrent: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

/** One attempt to sign in. What was typed is never kept. */
const signIn = z.object({
  id: z.string(),
  at: instant,
  role: z.enum(['admin', 'subadmin']),
  /** null where no account has the email that was typed. */
  accountId: z.string().nullable(),
  email: z.string().nullable(),
  network: z.string(),
  result: z.enum([
    'signed-in',
    'wrong-password',
    'inactive',
    'unknown',
    'code-wanted',
    'wrong-code',
    'second-step-reset',
  ]),
});
export type SignIn = z.output<typeof signIn>;

/** A password of a megabyte must not reach the hash function (docs/security.md §2.2). */
const loginBodyLimit = 16 * 1024;

export const session = {
  loginAdmin: endpoint('session', 'POST /admin/login', {
    summary: 'Sign in as admin',
    roles: 'public',
    body: adminLoginInput,
    answer: adminLogin,
    errors: ['INVALID_CREDENTIALS', 'SECOND_STEP_WANTED'],
    bodyLimit: loginBodyLimit,
  }),
  loginSubadmin: endpoint('session', 'POST /subadmins/login', {
    summary: 'Sign in as sub-admin',
    roles: 'public',
    body: subadminLoginInput,
    answer: subadminLogin,
    errors: ['INVALID_CREDENTIALS', 'SECOND_STEP_WANTED'],
    bodyLimit: loginBodyLimit,
  }),
  logout,
  list: endpoint('session', 'GET /sessions', {
    summary: "List the open sessions of the caller's own account",
    answer: z.object({ data: z.array(openSession) }),
  }),
  signIns: endpoint('session', 'GET /admin/sign-ins', {
    summary: 'List the last 200 tries to sign in, of all accounts or of one',
    roles: ['admin'],
    query: z.object({ accountId: idQuery }),
    answer: z.object({
      data: z.object({
        signIns: z.array(signIn),
        /** The accounts that occur in the log. */
        accounts: z.array(z.object({ id: z.string(), email: z.string() })),
      }),
    }),
  }),
  changeAdminPassword: endpoint('session', 'PUT /admin/change-password', {
    summary: "Change the admin's own password; every other session of the account ends",
    roles: ['admin'],
    body: passwordChange,
    answer: message,
    errors: ['WRONG_PASSWORD'],
    touches: ['session'],
  }),
  end: endpoint('session', 'DELETE /sessions/{id}', {
    summary: "End one session of the caller's own account",
    answer: message,
    touches: ['session', 'people'],
  }),
  endOthers: endpoint('session', 'POST /sessions/end-others', {
    summary: "End every session of the caller's own account but the calling one",
    answer: message.extend({ data: z.object({ endedCount: z.number() }) }),
    touches: ['session', 'people'],
  }),
};
