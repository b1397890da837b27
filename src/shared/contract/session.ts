import { z } from 'zod';
import { empty, endpoint } from './define.ts';
import { anyHost, email, password } from './scalars.ts';

/** What the browser keeps under `user` (part 1 §3): the id equals the email. */
export const adminUser = z.object({ id: z.string(), email: z.string(), role: z.literal('admin') });
export const subadminUser = z.object({
  id: z.string(),
  email: z.string(),
  bannerName: z.string(),
  role: z.literal('subadmin'),
});
export type AdminUser = z.output<typeof adminUser>;
export type SubadminUser = z.output<typeof subadminUser>;
export type SessionUser = AdminUser | SubadminUser;

/** Part 1 §5; the forms check on blur with these very schemas. */
export const adminLoginInput = z.strictObject({
  email: email('Please enter your admin email', 'Please enter a valid email', anyHost),
  password: password('Please enter your admin password'),
});
export const subadminLoginInput = z.strictObject({
  email: email('Please enter your email', 'Please enter a valid email'),
  password: password('Please enter your password'),
});

// A megabyte of password must not reach the hash (design/safety.md A16).
const loginBodyLimit = 16 * 1024;

export const session = {
  loginAdmin: endpoint('session', {
    method: 'POST',
    path: '/admin/login',
    summary: 'Sign in as admin',
    roles: 'public',
    body: adminLoginInput,
    answer: z.object({ data: z.object({ token: z.string(), user: adminUser }) }),
    errors: ['INVALID_CREDENTIALS'],
    bodyLimit: loginBodyLimit,
  }),
  loginSubadmin: endpoint('session', {
    method: 'POST',
    path: '/subadmins/login',
    summary: 'Sign in as sub-admin',
    roles: 'public',
    body: subadminLoginInput,
    answer: z.object({ token: z.string(), bannerName: z.string(), user: subadminUser }),
    errors: ['INVALID_CREDENTIALS'],
    bodyLimit: loginBodyLimit,
  }),
  logout: endpoint('session', {
    method: 'POST',
    path: '/logout',
    summary: 'Sign out; the token is dead from then on',
    roles: ['admin', 'subadmin'],
    answer: empty,
    status: 204,
  }),
};
