import { hash, randomBytes } from 'node:crypto';

/** Returns a new token for a session or a link: 32 random bytes, opaque (docs/specification.md §2.4). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash that is stored and looked up. The token itself is never stored. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

const wellFormed = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of our tokens. Other texts are not looked up in the database. */
export function isToken(text: string): boolean {
  return wellFormed.test(text);
}
