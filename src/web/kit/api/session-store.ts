import type { AccountRole } from '../../../shared/contract/define.ts';
import { seats, type Seat } from '../../../shared/contract/seats.ts';

/**
 * The account that is signed in. It is kept in the browser's storage under the keys token, user and role
 * (docs/specification.md §2.4). This module does not use React, because the API client needs it; hooks subscribe to it.
 */
interface SessionUser {
  id: string;
  email: string;
  bannerName?: string;
  role: AccountRole;
  /** Of a person beside the login of the business, which has neither (docs/specification.md §28). */
  name?: string | undefined;
  seat?: Seat | undefined;
  /** An owner looks at the product as this seat (docs/specification.md §28.4). The server does the same with the session. */
  view?: View | undefined;
}

export interface View {
  seat: Seat;
  /** When it ends by itself. */
  until: string;
}

export interface Session {
  token: string;
  role: AccountRole;
  user: SessionUser;
}

/**
 * How the session ended: by a Logout in this tab ('logout') or in another tab ('elsewhere'), or because the server answered 401
 * ('expired').
 */
type SessionEnd = 'logout' | 'expired' | 'elsewhere';

/** A stored token is used only if it is longer than this. The server checks it on every call (docs/specification.md §2.4). */
const unusableTokenLength = 10;

const keys = { token: 'token', user: 'user', role: 'role' } as const;
const anyAccount = 'challan-desk:';

/** The beginning of all storage keys of an account, so that Logout can remove them (docs/specification.md §2.5). */
export const accountPrefix = (userId: string): string => `${anyAccount}${userId}:`;
/** The beginning of the keys of display settings, such as column widths. Logout keeps them, as they hold no business data. */
export const preferencePrefix = (userId: string): string => `challan-desk-view:${userId}:`;

let current: Session | null = null;
let lastEnd: SessionEnd | null = null;
/** Whether the server has answered this account on this page, so that its screens show something worth keeping. */
let hasAnswered = false;

/**
 * The session has expired while screens are open, and they wait for a new sign-in (docs/specification.md §2.4). Until then
 * `getSession` still returns their account, but its token no longer works.
 */
interface Pause {
  /** A write was refused because the session had expired. */
  hasRefusedWrite: boolean;
}
let pause: Pause | null = null;
/** The number of mounted layouts on this page: one, or none on the sign-in page. */
let layoutCount = 0;
const listeners = new Set<() => void>();
/** The storage of the browser has the session: it outlives a reload, and other tabs have it too. */
let isKept = true;

/** The storage of the browser or of this tab. It is got at each use, because a browser may refuse even to return it. */
export type Area = () => Storage;
export const wholeBrowser: Area = () => localStorage;
export const thisTab: Area = () => sessionStorage;

/** What `use` returns; `otherwise` where the storage is refused, or has no room for what is written. */
export function withStorage<T>(use: (storage: Storage) => T, otherwise: T, area = wholeBrowser): T {
  try {
    return use(area());
  } catch {
    return otherwise;
  }
}
const readKey = (key: string): string | null => withStorage((storage) => storage.getItem(key), null);

function readStored(): Session | null {
  const token = readKey(keys.token);
  const role = readKey(keys.role);
  const stored = readKey(keys.user);
  if (!token || token.length <= unusableTokenLength || (role !== 'admin' && role !== 'subadmin') || !stored)
    return null;
  try {
    const user: unknown = JSON.parse(stored);
    if (typeof user !== 'object' || user === null || !('email' in user) || typeof user.email !== 'string') return null;
    const { bannerName, name, seat, view } = user as Readonly<Record<string, unknown>>;
    return {
      token,
      role,
      user: {
        // The id of a user is the email (docs/specification.md §2.3).
        id: user.email,
        email: user.email,
        role,
        ...(isText(bannerName) && { bannerName }),
        ...(isText(name) && { name }),
        ...(isSeat(seat) && { seat }),
        ...(isView(view) && { view }),
      },
    };
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isSeat = (value: unknown): value is Seat => (seats as readonly unknown[]).includes(value);
const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  'seat' in value &&
  isSeat(value.seat) &&
  'until' in value &&
  Date.parse(String(value.until)) > Date.now();

/** Whom the screens are shown to. What another one has seen is neither shown nor kept (docs/security.md §2.4). */
export const viewerOf = ({ user }: Session): string => `${user.id} ${user.view?.seat ?? user.seat ?? ''}`;

function emit(): void {
  for (const listener of listeners) listener();
}

function clearStored(): void {
  withStorage((storage) => Object.values(keys).forEach((key) => storage.removeItem(key)), undefined);
}

/** Restores the stored session when the page loads. An invalid one is removed from storage (docs/specification.md §2.4). */
export function restoreSession(): void {
  current = readStored();
  hasAnswered = false;
  pause = null;
  if (current) forgetOthers(current.user.id);
  else clearStored();
}

export const getSession = (): Session | null => current;
/** False: the storage is full or refused, so that a reload asks for a new sign-in. */
export const isSessionKept = (): boolean => isKept;
export const getLastEnd = (): SessionEnd | null => lastEnd;
export const getPause = (): Pause | null => pause;

/** Called by a layout while it is mounted: its screens can wait for a sign-in. Returns its clean-up. */
export function registerLayout(): () => void {
  layoutCount += 1;
  return () => {
    layoutCount -= 1;
  };
}

/** Notes that a call with this token got another answer than 401. */
export function noteAnswer(token: string): void {
  if (token === current?.token) hasAnswered = true;
}

/** Notes that a write was refused because the session had expired. */
export function noteRefusedWrite(): void {
  if (!pause || pause.hasRefusedWrite) return;
  pause = { hasRefusedWrite: true };
  emit();
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startSession(session: Session): void {
  current = session;
  lastEnd = null;
  hasAnswered = true;
  pause = null;
  forgetOthers(session.user.id);
  isKept = withStorage((storage) => {
    storage.removeItem(expiredKey(session.user.id));
    storage.setItem(keys.role, session.role);
    storage.setItem(keys.user, JSON.stringify(session.user));
    // The token is written last, so that another tab which sees it also finds its account.
    storage.setItem(keys.token, session.token);
    return true;
  }, false);
  // What is left of an earlier session would belong to another account.
  if (!isKept) clearStored();
  emit();
}

/** Updates the banner name, which is shown in the title and the greeting, after a change of the profile. */
export const renameSession = (bannerName: string): void => changeUser({ bannerName });

/** Changes what is known of the user: the names, and as which seat an owner looks. */
export function changeUser(change: Partial<Pick<SessionUser, 'bannerName' | 'name' | 'view'>>): void {
  if (!current || pause) return;
  const user = { ...current.user, ...change };
  if (JSON.stringify(user) !== JSON.stringify(current.user)) startSession({ ...current, user });
}

/** Takes over what was changed in another tab. */
function followChanges(): void {
  const stored = readStored();
  if (!current || stored?.user.id !== current.user.id || JSON.stringify(stored.user) === JSON.stringify(current.user))
    return;
  current = { ...current, user: stored.user };
  emit();
}

/**
 * Handles an expired session. If the server has answered screens of this account, they stay and wait for a sign-in.
 * Otherwise the sign-in page opens. A Logout in another tab ends the session here too.
 */
export function loseSession(how: 'expired' | 'elsewhere'): void {
  if (!current) return;
  const { id } = current.user;
  const hasExpired = how === 'expired' || readKey(expiredKey(id)) !== null;
  if (!hasExpired || !hasAnswered || layoutCount === 0) {
    endSession(how);
    return;
  }
  if (pause) return;
  if (how === 'expired') {
    writeExpired(id);
    clearStored();
  }
  pause = { hasRefusedWrite: false };
  emit();
}

/** Ends the session in this tab. Drafts stay if it expired (docs/specification.md §2.4), and Logout removes them (§2.5). */
export function endSession(how: SessionEnd): void {
  if (!current) return;
  const { id } = current.user;
  const hasExpired = how === 'expired' || (how === 'elsewhere' && readKey(expiredKey(id)) !== null);
  if (how === 'expired') writeExpired(id);
  if (how === 'logout') forgetAccount(wholeBrowser, id);
  if (!hasExpired) forgetAccount(thisTab, id);
  current = null;
  pause = null;
  hasAnswered = false;
  lastEnd = hasExpired ? 'expired' : how;
  if (how !== 'elsewhere') clearStored();
  emit();
}

/** Tells the other tabs, which only see that the token is gone, that the session expired and was not ended by Logout. */
const expiredKey = (userId: string): string => `${accountPrefix(userId)}expired`;

/** If the storage is full or refused, the other tabs treat it as a Logout. */
const writeExpired = (userId: string): void =>
  withStorage((storage) => storage.setItem(expiredKey(userId), '1'), undefined);

/** Removes the keys for which `isGone` is true. */
export function removeKeys(area: Area, isGone: (key: string) => boolean): void {
  withStorage(
    (storage) => {
      for (const key of Object.keys(storage)) if (isGone(key)) storage.removeItem(key);
    },
    undefined,
    area,
  );
}

const forgetAccount = (area: Area, userId: string): void =>
  removeKeys(area, (key) => key.startsWith(accountPrefix(userId)));

/** Removes drafts and remembered values of other accounts when an account signs in (docs/specification.md §2.5). */
function forgetOthers(userId: string): void {
  for (const area of [thisTab, wholeBrowser]) {
    removeKeys(area, (key) => key.startsWith(anyAccount) && !key.startsWith(accountPrefix(userId)));
  }
}

/**
 * Compares the session of this tab with the stored one, which another tab may have changed (docs/specification.md §2.5).
 * 'same' means that nothing has to be done, 'ended' that this tab has to sign out, and 'other-account' that it has to reload
 * before it reads or writes anything. A new token of the same account is taken over, also while screens wait for a sign-in.
 */
export function compareWithStorage(): 'same' | 'ended' | 'other-account' {
  if (!current) return 'same';
  if (readKey(keys.token) === current.token) return 'same';
  const stored = readStored();
  // A session that the storage does not have lives in this page.
  if (!stored) return isKept ? 'ended' : 'same';
  if (stored.user.id !== current.user.id || stored.role !== current.role) return 'other-account';
  current = stored;
  if (pause) {
    pause = null;
    emit();
  }
  return 'same';
}

/**
 * Reloads for another account. Screens that wait for a sign-in are closed first, because a form with unsaved changes would ask
 * before the reload.
 */
export function closeAndReload(reload: () => void): void {
  if (!pause) {
    reload();
    return;
  }
  endSession('elsewhere');
  setTimeout(reload);
}

/** Follows changes of the session in other tabs. Tests pass their own `reload`. Returns the function that stops it. */
export function followOtherTabs(reload: () => void = () => location.reload()): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key !== null && event.key !== keys.token && event.key !== keys.user && event.key !== keys.role) return;
    if (!current) {
      // A sign-in in another tab signs this tab in too, once all three values are stored.
      current = readStored();
      if (!current) return;
      forgetOthers(current.user.id);
      emit();
      return;
    }
    const found = compareWithStorage();
    if (found === 'ended' && readKey(keys.token) === null) loseSession('elsewhere');
    else if (found === 'other-account') closeAndReload(reload);
    else followChanges();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
