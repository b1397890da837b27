import type { OpenSession } from '../../../shared/contract/session.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { deleteOtherSessions, deleteOwnSession, listOpenSessions, lockOwnSession } from './sessions.queries.ts';
import { noSession, notFound } from '../../refusal.ts';

/**
 * Lists the open sessions of the caller's account. The account is always the session's own: no function of this file
 * takes an account id.
 */
export async function presentOpenSessions(db: GlobalDb, caller: Caller): Promise<OpenSession[]> {
  const sessions = await listOpenSessions(db, caller.accountId, caller.sessionId);
  return sessions.map((session) => ({ ...session, userAgent: describeUserAgent(session.userAgent) }));
}

/** Ends all other sessions. When two sessions do this at once, the first one stays and the other gets a 401. */
export async function endOtherSessions(db: GlobalDb, caller: Caller): Promise<number> {
  if (!(await lockOwnSession(db, caller.accountId, caller.sessionId))) throw noSession();
  return deleteOtherSessions(db, caller.accountId, caller.sessionId);
}

export async function endOwnSession(db: GlobalDb, caller: Caller, id: string): Promise<void> {
  if (!(await lockOwnSession(db, caller.accountId, caller.sessionId))) throw noSession();
  if (!(await deleteOwnSession(db, caller.accountId, id))) throw notFound('Session');
}

/** The first match wins, because browsers also name others (Edge contains Chrome and Safari too). */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameOf = (known: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Describes a User-Agent header briefly: 'Chrome on Windows'. A program that is not a browser keeps its own name
 * ('curl').
 */
export function describeUserAgent(header: string): string {
  const browser = nameOf(browsers, header) ?? /^[A-Za-z][A-Za-z0-9._-]{0,39}/.exec(header)?.[0];
  const system = nameOf(systems, header);
  // Every browser begins with Mozilla, so that word means nothing.
  if (browser === undefined || browser === 'Mozilla') return system ? `Unknown browser on ${system}` : 'Unknown device';
  return system ? `${browser} on ${system}` : browser;
}
