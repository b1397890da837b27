import { hash, randomBytes } from 'node:crypto';

/** A new token of a session or a link: 32 random bytes, opaque (docs/specification.md §2.4). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash that is stored and looked up; the token itself is never stored. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

const wellFormed = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of our tokens; nothing else is looked up. */
export function isToken(text: string): boolean {
  return wellFormed.test(text);
}

/** The token of `Authorization: Bearer …`, or null: a token anywhere else is ignored (docs/specification.md §14.1). */
export function bearerToken(authorization: string | undefined): string | null {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
  return isToken(token) ? token : null;
}
