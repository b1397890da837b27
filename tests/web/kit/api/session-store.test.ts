import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  accountPrefix,
  compareWithStorage,
  endSession,
  followOtherTabs,
  getLastEnd,
  getPause,
  getSession,
  isSessionKept,
  loseSession,
  noteAnswer,
  preferencePrefix,
  renameSession,
  restoreSession,
  startSession,
  subscribeSession,
  registerLayout,
  type Session,
} from '../../../../src/web/kit/api/session-store.ts';
import { drafts } from '../../../../src/web/kit/api/account-storage.ts';

const mine: Session = {
  token: 'a-token-long-enough',
  role: 'subadmin',
  user: { id: 'a@b.in', email: 'a@b.in', bannerName: 'Maa Tarini', role: 'subadmin' },
};

function store(token: string | null, role: string | null, user: unknown): void {
  for (const [key, value] of Object.entries({ token, role, user: user === null ? null : JSON.stringify(user) })) {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  }
}

const fromOtherTab = (key: string): boolean => window.dispatchEvent(new StorageEvent('storage', { key }));

beforeEach(() => {
  localStorage.clear();
  restoreSession();
});
afterEach(() => endSession('logout'));

test('a stored session comes back, the user id being the email', () => {
  store(mine.token, 'subadmin', { id: '7', email: 'a@b.in', bannerName: 'Maa Tarini' });
  restoreSession();
  expect(getSession()).toEqual(mine);
});

test.each([
  ['a token of ten characters', '1234567890', 'subadmin', { email: 'a@b.in' }],
  ['another role', mine.token, 'owner', { email: 'a@b.in' }],
  ['no role', mine.token, null, { email: 'a@b.in' }],
  ['no user', mine.token, 'admin', null],
  ['a broken user', mine.token, 'admin', ['x']],
])('%s: all stored auth is cleared', (_name, token, role, user) => {
  store(token, role, user);
  localStorage.setItem('theme', 'dark');
  restoreSession();
  expect(getSession()).toBeNull();
  expect(['token', 'role', 'user'].map((key) => localStorage.getItem(key))).toEqual([null, null, null]);
  expect(localStorage.getItem('theme')).toBe('dark');
});

test('Logout takes the drafts of this account along and leaves theme, looks and other accounts', () => {
  startSession(mine);
  localStorage.setItem(`${accountPrefix('a@b.in')}draft:create`, '1');
  localStorage.setItem(`${accountPrefix('c@d.in')}draft:create`, '2');
  localStorage.setItem(`${preferencePrefix('a@b.in')}grid:challans`, '3');
  localStorage.setItem('theme', 'dark');
  endSession('logout');
  expect(Object.values(localStorage).sort()).toEqual(['2', '3', 'dark']);
});

test("another account's sign-in takes the drafts of the others along, in this browser and this tab", () => {
  localStorage.setItem(`${accountPrefix('c@d.in')}draft:create`, '2');
  sessionStorage.setItem(`${accountPrefix('c@d.in')}draft:owners`, '2');
  localStorage.setItem(`${accountPrefix('a@b.in')}draft:create`, '1');
  localStorage.setItem(`${preferencePrefix('c@d.in')}grid:challans`, '3');
  startSession(mine);
  const left = Object.keys(localStorage).filter((key) => key.startsWith('challan-desk'));
  expect(left.sort()).toEqual(['challan-desk-view:c@d.in:grid:challans', 'challan-desk:a@b.in:draft:create']);
  expect(sessionStorage.length).toBe(0);
});

test('an expired session keeps the drafts', () => {
  startSession(mine);
  localStorage.setItem(`${accountPrefix('a@b.in')}draft:create`, '1');
  endSession('expired');
  expect(localStorage.getItem(`${accountPrefix('a@b.in')}draft:create`)).toBe('1');
  expect(getLastEnd()).toBe('expired');
});

test('signing out in another tab signs this one out', () => {
  const reload = vi.fn<() => void>();
  const stop = followOtherTabs(reload);
  startSession(mine);
  store(null, null, null);
  fromOtherTab('token');
  expect(getSession()).toBeNull();
  expect(getLastEnd()).toBe('elsewhere');
  expect(reload).not.toHaveBeenCalled();
  stop();
});

test('another account in another tab reloads this one; the same account with a new token does not', () => {
  const reload = vi.fn<() => void>();
  const stop = followOtherTabs(reload);
  startSession(mine);
  store('a-renewed-token-now', 'subadmin', mine.user);
  fromOtherTab('token');
  expect(reload).not.toHaveBeenCalled();
  expect(getSession()?.token).toBe('a-renewed-token-now');
  store('the-token-of-another', 'subadmin', { ...mine.user, id: 'c@d.in', email: 'c@d.in' });
  expect(compareWithStorage()).toBe('other-account');
  fromOtherTab('token');
  expect(reload).toHaveBeenCalledTimes(1);
  stop();
});

test("a new banner name is the other tabs' too", () => {
  const stop = followOtherTabs(() => undefined);
  const heard = vi.fn<() => void>();
  const forget = subscribeSession(heard);
  startSession(mine);
  heard.mockClear();
  store(mine.token, 'subadmin', { ...mine.user, bannerName: 'Tarini Transport' });
  fromOtherTab('user');
  expect(getSession()).toEqual({ ...mine, user: { ...mine.user, bannerName: 'Tarini Transport' } });
  expect(heard).toHaveBeenCalledTimes(1);
  fromOtherTab('user');
  expect(heard).toHaveBeenCalledTimes(1);
  renameSession('Tarini Transport');
  expect(heard).toHaveBeenCalledTimes(1);
  forget();
  stop();
});

test('a stored seat is used only if there is such a seat, and a view only until its time', () => {
  const until = '2999-01-01T00:00:00.000Z';
  store(mine.token, 'subadmin', { ...mine.user, name: 'Ravi', seat: 'clerk', view: { seat: 'auditor', until } });
  restoreSession();
  expect(getSession()?.user).toMatchObject({ name: 'Ravi', seat: 'clerk', view: { seat: 'auditor', until } });
  for (const view of [{ seat: 'king', until }, { seat: 'auditor', until: '2020-01-01T00:00:00.000Z' }, 'auditor']) {
    store(mine.token, 'subadmin', { ...mine.user, name: 7, seat: 'king', view });
    restoreSession();
    expect(getSession()?.user).toEqual(mine.user);
  }
});

test('signing in elsewhere signs a waiting tab in', () => {
  const stop = followOtherTabs(() => undefined);
  store(mine.token, 'subadmin', mine.user);
  fromOtherTab('token');
  expect(getSession()?.user.email).toBe('a@b.in');
  stop();
});

describe('a browser that does not keep the session', () => {
  const refuse = (): never => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };

  test('full: the account is signed in on this page, and nothing of an earlier one is left', () => {
    store('an-earlier-token', 'admin', { email: 'x@y.in' });
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    startSession(mine);
    expect([getSession(), isSessionKept(), compareWithStorage()]).toEqual([mine, false, 'same']);
    expect(['token', 'role', 'user'].map((key) => localStorage.getItem(key))).toEqual([null, null, null]);
    fromOtherTab('token');
    expect(getSession()).toEqual(mine);
    full.mockRestore();
    startSession(mine);
    expect([isSessionKept(), localStorage.getItem('token')]).toEqual([true, mine.token]);
  });

  test('with room for the session but none for a draft: it is kept, and drafts are not', () => {
    const { setItem } = Storage.prototype;
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
      if (key.includes('draft:')) refuse();
      setItem.call(this, key, value);
    });
    startSession(mine);
    expect([isSessionKept(), drafts.write('challan.create', {}), localStorage.getItem('token')]).toEqual([
      true,
      false,
      mine.token,
    ]);
    vi.restoreAllMocks();
  });

  test('refused: opening, signing in, an expired session and Logout go on', () => {
    for (const area of ['localStorage', 'sessionStorage'] as const) {
      vi.spyOn(window, area, 'get').mockImplementation(() => {
        throw new DOMException('Access is denied', 'SecurityError');
      });
    }
    restoreSession();
    expect(getSession()).toBeNull();
    startSession(mine);
    drafts.removeOld();
    expect([getSession(), isSessionKept(), compareWithStorage()]).toEqual([mine, false, 'same']);
    loseSession('expired');
    startSession(mine);
    endSession('logout');
    expect(getSession()).toBeNull();
    vi.restoreAllMocks();
  });
});

describe('a session that ends by itself', () => {
  let stop: () => void;
  let close: () => void;
  const reload = vi.fn<() => void>();
  beforeEach(() => {
    reload.mockClear();
    stop = followOtherTabs(reload);
    close = registerLayout();
  });
  afterEach(() => {
    stop();
    close();
  });

  test('keeps its screens waiting; its token leaves the storage', () => {
    startSession(mine);
    loseSession('expired');
    expect(getPause()).toEqual({ hasRefusedWrite: false });
    expect(getSession()?.user.id).toBe('a@b.in');
    expect(localStorage.getItem('token')).toBeNull();
    startSession({ ...mine, token: 'a-renewed-token-now' });
    expect(getPause()).toBeNull();
  });

  test('ends where no screen is open, and where the server has answered nothing yet', () => {
    close();
    startSession(mine);
    loseSession('expired');
    expect(getSession()).toBeNull();
    close = registerLayout();
    store(mine.token, 'subadmin', mine.user);
    restoreSession();
    loseSession('expired');
    expect([getSession(), getPause()]).toEqual([null, null]);
    store(mine.token, 'subadmin', mine.user);
    restoreSession();
    noteAnswer(mine.token);
    loseSession('expired');
    expect(getPause()).not.toBeNull();
  });

  test('waits in the other tabs too, until one of them signs in or out', () => {
    startSession(mine);
    localStorage.setItem(`${accountPrefix('a@b.in')}expired`, '1');
    store(null, null, null);
    fromOtherTab('token');
    expect(getPause()).not.toBeNull();
    localStorage.removeItem(`${accountPrefix('a@b.in')}expired`);
    store('a-renewed-token-now', 'subadmin', mine.user);
    fromOtherTab('token');
    expect([getPause(), getSession()?.token]).toEqual([null, 'a-renewed-token-now']);
    loseSession('expired');
    // Signed in and out there, before this tab has looked.
    localStorage.removeItem(`${accountPrefix('a@b.in')}expired`);
    fromOtherTab('token');
    expect([getPause(), getSession(), getLastEnd()]).toEqual([null, null, 'elsewhere']);
  });

  test("another account's sign-in in another tab ends the waiting before it reloads", async () => {
    startSession(mine);
    loseSession('expired');
    store('the-token-of-another', 'subadmin', { email: 'c@d.in' });
    fromOtherTab('token');
    expect([getPause(), getSession()]).toEqual([null, null]);
    expect(reload).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(localStorage.getItem('token')).toBe('the-token-of-another');
  });
});
