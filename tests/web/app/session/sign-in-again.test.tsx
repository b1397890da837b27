import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contract } from '../../../../src/shared/contract/index.ts';
import { followOtherTabs, getSession, restoreSession } from '../../../../src/web/kit/api/session-store.ts';
import { buildChallans, buildOwner, buildTag, subadminsOf } from '../../support/builders.ts';
import { offline, refusal } from '../../support/fake-server.ts';
import { type Desk, fakeServer } from '../../support/records.ts';
import {
  button,
  closeApp,
  dialog,
  field,
  focusPlace,
  goTo,
  goToCell,
  openAdmin,
  openApp,
  page,
  press,
  shownRows,
  toasts,
  userEvent,
} from '../../support/screen.tsx';

const expired = () => refusal('UNAUTHORIZED', 'Session expired or invalid token');
const { loginSubadmin } = contract.session;
const welcome = () => ({
  token: 'token-of-the-next-session',
  bannerName: 'Maa Tarini',
  user: { id: 'a@b.in', email: 'a@b.in', bannerName: 'Maa Tarini', role: 'subadmin' as const },
});
const signInDialog = () => page.getByRole('alertdialog', { name: 'Your session has ended' });
const password = () => signInDialog().getByLabelText(/^Password/);
const isOpen = (): boolean => document.querySelector('dialog:modal') !== null;

async function signIn(text = 'right one'): Promise<void> {
  await expect.element(password()).toHaveFocus();
  await press(`${text}{Enter}`);
}

let stop: () => void;
const reload = vi.fn<() => void>();
beforeEach(() => {
  reload.mockClear();
  stop = followOtherTabs(reload);
});
afterEach(async () => {
  stop();
  await closeApp();
  sessionStorage.clear();
});

/** A new owner is typed; Save finds that the session has ended. */
async function saveTooLate(): Promise<Desk> {
  const desk = fakeServer({ owners: [buildOwner(1)] });
  await openApp('/owners');
  await userEvent.click(button('Add New Owner'));
  await userEvent.fill(field('Owner Name'), 'Sunita Jindal');
  await userEvent.fill(field('Contact Number'), '9876543210');
  await userEvent.fill(field('PAN Number'), 'abcde1234f');
  await userEvent.fill(field('Branch Name'), 'Joda');
  await userEvent.fill(field('Account Number'), '000987654321');
  desk.once(contract.owners.create, expired);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(signInDialog()).toBeVisible();
  return desk;
}
const creates = (desk: Desk) => desk.calls(contract.owners.create);

describe('a form whose saving finds the session ended', () => {
  test('is there after the sign-in as it was, with its focus, and is saved by pressing again', async () => {
    const desk = await saveTooLate();
    await expect.element(signInDialog()).toHaveTextContent('a@b.in');
    await expect.element(signInDialog()).toHaveTextContent('Your last change was not saved');
    expect(['token', 'user', 'role'].map((key) => localStorage.getItem(key))).toEqual([null, null, null]);
    desk.once(loginSubadmin, welcome);
    await signIn();
    await expect.element(signInDialog()).not.toBeInTheDocument();
    expect(desk.writes(loginSubadmin)[0]).toEqual({ email: 'a@b.in', password: 'right one' });
    expect(localStorage.getItem('token')).toBe('token-of-the-next-session');
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    await expect.element(field('Account Number')).toHaveValue('000987654321');
    await expect.element(field('Account Number')).toHaveFocus();
    // Not sent again by itself: it was not done, and that is said.
    expect(creates(desk)).toHaveLength(1);
    expect(toasts()).toContain('Session expired or invalid token');
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toContain('Owner created successfully');
    expect(creates(desk)).toHaveLength(2);
  });

  test('cannot be reached meanwhile: not by Escape, Tab, keys, focus or the mouse', async () => {
    await saveTooLate();
    await expect.element(password()).toHaveFocus();
    for (const key of [
      '{Escape}',
      '{Escape}',
      '{Control>}k{/Control}',
      '{Alt>}5{/Alt}',
      '{Control>}{Enter}{/Control}',
    ]) {
      await press(key);
    }
    expect(isOpen()).toBe(true);
    expect(document.querySelectorAll('[role="dialog"], [role="alertdialog"]')).toHaveLength(2);
    expect(window.location.pathname).toBe('/owners');
    for (let step = 0; step < 4; step += 1) {
      await press('{Tab}');
      const at = document.activeElement;
      expect(at === document.body || at?.closest('dialog') !== null).toBe(true);
    }
    const owner = document.querySelector<HTMLInputElement>('[role="dialog"] input');
    owner?.focus();
    expect(document.activeElement).not.toBe(owner);
    const box = owner?.getBoundingClientRect() ?? new DOMRect();
    expect(document.elementFromPoint(box.x + 5, box.y + 5)?.closest('dialog')).not.toBeNull();
  });

  test.each([
    [
      'a wrong password',
      () => refusal('INVALID_CREDENTIALS', 'Invalid subadmin credentials'),
      'Invalid subadmin credentials',
    ],
    [
      'too many tries',
      () => refusal('TOO_MANY_REQUESTS', 'Too many sign-ins. Please try again in 2 minutes.'),
      'Too many sign-ins. Please try again in 2 minutes.',
    ],
    ['no server', offline, 'Network Error'],
    ['no token', () => refusal('INTERNAL_ERROR', ''), 'Invalid subadmin credentials'],
  ])('says what is wrong: %s', async (_name, answer, text) => {
    const desk = await saveTooLate();
    desk.once(loginSubadmin, answer);
    await signIn('wrong one');
    await expect.element(signInDialog().getByRole('alert')).toHaveTextContent(`Login Failed${text}`);
    await expect.element(password()).toHaveFocus();
    await expect.element(password()).toHaveValue('');
    expect(isOpen()).toBe(true);
    desk.once(loginSubadmin, welcome);
    await signIn();
    await expect.element(signInDialog()).not.toBeInTheDocument();
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
  });

  test('goes with Use another account to the sign-in page, where its entries are kept', async () => {
    await saveTooLate();
    await userEvent.click(button('Use another account'));
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in');
    await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus();
    expect(isOpen()).toBe(false);
    expect(Object.values(sessionStorage).join()).toContain('Sunita');
  });

  test('goes on when another tab has signed in', async () => {
    await saveTooLate();
    localStorage.setItem('role', 'subadmin');
    localStorage.setItem('user', JSON.stringify({ email: 'a@b.in' }));
    localStorage.setItem('token', 'token-of-another-tab');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    await expect.element(signInDialog()).not.toBeInTheDocument();
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    expect(getSession()?.token).toBe('token-of-another-tab');
    expect(reload).not.toHaveBeenCalled();
  });

  test('is gone, without a question, when another account has signed in in another tab', async () => {
    await saveTooLate();
    sessionStorage.setItem('challan-desk:a@b.in:selection', 'of the one before');
    localStorage.clear();
    localStorage.setItem('role', 'subadmin');
    localStorage.setItem('user', JSON.stringify({ email: 'c@d.in' }));
    localStorage.setItem('token', 'token-of-somebody-else');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(getSession()).toBeNull();
    await expect.element(dialog('Add New Owner')).not.toBeInTheDocument();
    const asked = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(asked);
    expect(asked.defaultPrevented).toBe(false);
    expect(sessionStorage.length).toBe(0);
    restoreSession();
    expect(getSession()?.user.email).toBe('c@d.in');
  });
});

test('the rows of a list are asked for again after the sign-in; selection, focus and page stay', async () => {
  const stage = fakeServer({ challans: buildChallans(30) });
  const router = await openApp('/challans');
  const before = shownRows();
  await goTo(29);
  await press(' ');
  const place = focusPlace();
  // The second page is there already, before its key.
  await vi.waitFor(() => expect(stage.asks(contract.challans.listRows)).toHaveLength(2));
  stage.once(contract.challans.listRows, expired);
  await router.navigate('/challans?page=3');
  await expect.element(signInDialog()).toBeVisible();
  await expect.element(signInDialog()).not.toHaveTextContent('was not saved');
  expect(shownRows()).toEqual(before);
  const asked = stage.asks(contract.challans.listRows).length;
  stage.once(loginSubadmin, welcome);
  await signIn();
  await vi.waitFor(() => expect(shownRows()).not.toEqual(before));
  expect(stage.asks(contract.challans.listRows).length).toBeGreaterThan(asked);
  expect(window.location.search).toContain('page=3');
  expect(document.body.textContent).toContain('1 selected');
  expect(focusPlace()).not.toBe('body');
  expect(place).not.toBe('body');
  expect(toasts()).toEqual([]);
});

test('a question that was answered too late stays, and can be answered again', async () => {
  const desk = fakeServer({ tags: [buildTag(1), buildTag(2)] });
  await openApp('/tags');
  await goToCell(201, 'name');
  await press('{Delete}');
  const question = page.getByRole('alertdialog', { name: /^Delete/ });
  desk.once(contract.tags.remove, expired);
  await question.getByRole('button', { name: 'Delete' }).click();
  desk.once(loginSubadmin, welcome);
  await signIn();
  await expect.element(signInDialog()).not.toBeInTheDocument();
  expect(desk.books.tags).toHaveLength(2);
  await question.getByRole('button', { name: 'Retry' }).click();
  await vi.waitFor(() => expect(desk.books.tags).toHaveLength(1));
});

test('the admin signs in as the admin', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  desk.once(contract.subadmins.list, expired);
  await press('{Alt>}1{/Alt}');
  await expect.element(signInDialog()).toBeVisible();
  desk.once(contract.session.loginAdmin, () => ({
    data: { token: 'token-of-the-next-session', user: { id: 'a@b.in', email: 'a@b.in', role: 'admin' as const } },
  }));
  await signIn();
  await expect.element(signInDialog()).not.toBeInTheDocument();
  expect(getSession()).toMatchObject({ role: 'admin', token: 'token-of-the-next-session' });
});
