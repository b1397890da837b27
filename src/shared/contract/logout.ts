import { empty, endpoint } from './define.ts';

/** The only call of a session that every screen needs, so that they do without the shapes of the others. */
export const logout = endpoint('session', 'POST /logout', {
  summary: 'Sign out; the token is dead from then on',
  answer: empty,
  status: 204,
});
