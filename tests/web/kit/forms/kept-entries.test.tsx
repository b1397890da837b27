import { afterEach, describe, expect, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { contract } from '../../../../src/shared/contract/index.ts';
import { accountPrefix, endSession, restoreSession, startSession } from '../../../../src/web/kit/api/session-store.ts';
import { buildOwner, buildPump, buildTag, buildTruck, subadminsOf } from '../../support/builders.ts';
import { formDesk, openNew as openNewChallan, type } from '../../support/challan-form.ts';
import { refusal } from '../../support/fake-server.ts';
import { type Desk, fakeServer } from '../../support/records.ts';
import {
  button,
  closeApp,
  dialog,
  field,
  goToCell,
  openAdmin,
  openApp,
  openProfile,
  page,
  press,
  toasts,
  userEvent,
} from '../../support/screen.tsx';

afterEach(async () => {
  vi.useRealTimers();
  await closeApp();
  sessionStorage.clear();
});

const leaving = () => page.getByRole('alertdialog', { name: 'Leave without saving?' });
const closing = () => page.getByRole('alertdialog', { name: 'Close without saving?' });
const note = () => page.getByRole('status').filter({ hasText: 'were kept' });
const heading = () => page.getByRole('heading', { level: 1 });
const kept = (): string => Object.values(sessionStorage).join('\n');
const everywhere = (): string => [...Object.values(localStorage), ...Object.values(sessionStorage)].join('\n');
const save = () => press('{Control>}{Enter}{/Control}');

function signIn(email = 'a@b.in', role: 'admin' | 'subadmin' = 'subadmin'): void {
  startSession({ token: 'token-of-a-new-session', role, user: { id: email, email, role } });
}
/** The sign-in comes over the screen; whoever does not sign in there goes to the sign-in page. */
const leaveScreen = () => userEvent.click(button('Use another account'));
const expired = () => refusal('UNAUTHORIZED', 'Session expired or invalid token');

/** The page goes and comes back, as the browser tells it. */
async function reload(address: string, waitFor?: string, role?: 'admin' | 'subadmin'): Promise<void> {
  window.dispatchEvent(new PageTransitionEvent('pagehide'));
  cleanup();
  document.querySelector('#root')?.remove();
  restoreSession();
  await openApp(address, waitFor, role);
}

const ravi = buildOwner(1);
async function openNewOwner(): Promise<Desk> {
  const desk = fakeServer({ owners: [ravi] });
  await openApp('/owners');
  await userEvent.click(button('Add New Owner'));
  await expect.element(dialog('Add New Owner')).toBeInTheDocument();
  return desk;
}
async function typeOwner(): Promise<void> {
  await userEvent.fill(field('Owner Name'), 'Sunita Jindal');
  await userEvent.fill(field('Account Number'), '000987654321');
}

describe('leaving the page', () => {
  test('Back asks where something was typed; Stay keeps it, Leave goes', async () => {
    fakeServer({ owners: [ravi], tags: [buildTag(1)] });
    const router = await openApp('/tags');
    await router.navigate('/owners');
    await userEvent.click(button('Add New Owner'));
    await userEvent.fill(field('Owner Name'), 'Sunita');
    window.history.back();
    await expect.element(leaving()).toBeInTheDocument();
    await userEvent.click(button('Stay'));
    await expect.element(field('Owner Name')).toHaveValue('Sunita');
    expect(router.state.location.pathname).toBe('/owners');
    window.history.back();
    await userEvent.click(button('Leave'));
    await expect.poll(() => router.state.location.pathname).toBe('/tags');
    await expect.element(dialog('Add New Owner')).not.toBeInTheDocument();
    expect(kept()).toBe('');
  });

  test('Back asks once, whatever lies open above or below what was typed', async () => {
    fakeServer({ owners: [ravi], tags: [buildTag(1)], trucks: [buildTruck(1, ravi)] });
    const router = await openApp('/tags');
    await router.navigate('/trucks');
    await userEvent.click(button('Add New Truck'));
    await userEvent.fill(field('Truck Number'), 'od02');
    await userEvent.fill(page.getByRole('combobox', { name: 'Owner' }), 'Zed');
    await press('{Alt>}c{/Alt}');
    await expect.element(dialog('Add New Owner')).toBeInTheDocument();
    // The upper one as it was opened, the lower one with something typed.
    window.history.back();
    await expect.element(leaving()).toBeInTheDocument();
    await userEvent.click(button('Stay'));
    await userEvent.fill(field('Address'), 'Joda');
    window.history.back();
    await expect.element(leaving()).toBeInTheDocument();
    // Pressed once more while it is asked.
    window.history.back();
    await expect.element(leaving()).toBeInTheDocument();
    await userEvent.click(button('Leave'));
    await expect.poll(() => router.state.location.pathname).toBe('/tags');
  });

  test('nothing typed: Back goes without a question', async () => {
    fakeServer({ owners: [ravi], tags: [buildTag(1)] });
    const router = await openApp('/tags');
    await router.navigate('/owners');
    await userEvent.click(button('Add New Owner'));
    window.history.back();
    await expect.poll(() => router.state.location.pathname).toBe('/tags');
  });

  test('the browser asks before the tab closes, only while something is unsaved', async () => {
    await openNewOwner();
    const asks = (): boolean => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(asks()).toBe(false);
    await userEvent.fill(field('Owner Name'), 'S');
    await expect.poll(asks).toBe(true);
    await press('{Escape}');
    await expect.element(closing()).toBeInTheDocument();
    await userEvent.click(button('Close without saving'));
    await expect.poll(asks).toBe(false);
  });
});

describe('a session that ends under the dialog', () => {
  test('what was typed stands in the dialog after the same account signs in, and leaves the storage with saving', async () => {
    const desk = await openNewOwner();
    await typeOwner();
    await userEvent.fill(field('Contact Number'), '9876543210');
    await userEvent.fill(field('PAN Number'), 'abcde1234f');
    await userEvent.fill(field('Branch Name'), 'Joda');
    expect(everywhere()).not.toContain('Sunita');
    desk.once(contract.owners.create, expired);
    await save();
    await leaveScreen();
    await expect.element(heading()).toHaveTextContent('Sign in');
    expect(kept()).toContain('Sunita');
    // Account numbers and PANs stay in the memory of the page.
    expect(everywhere()).not.toMatch(/000987654321|abcde1234f/i);
    signIn();
    await expect.element(dialog('Add New Owner')).toBeInTheDocument();
    await expect.element(note()).toHaveTextContent(/from \d\d\/\d\d\/\d{4} \d\d:\d\d were kept/);
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    await expect.element(field('Account Number')).toHaveValue('000987654321');
    await expect.element(field('PAN Number')).toHaveValue('ABCDE1234F');
    await save();
    await expect.poll(toasts).toContain('Owner created successfully');
    await expect.element(dialog('Add New Owner')).not.toBeInTheDocument();
    expect(everywhere()).not.toContain('Sunita');
    await userEvent.click(button('Add New Owner'));
    await expect.element(field('Owner Name')).toHaveValue('');
    expect(note().elements()).toHaveLength(0);
  });

  test('an edit comes back upon the record it was made on: what somebody saved meanwhile is a conflict', async () => {
    const desk = fakeServer({ owners: [buildOwner(1)] });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('e');
    await userEvent.fill(field('Address'), 'Mine');
    desk.once(contract.owners.update, expired);
    await save();
    await leaveScreen();
    await expect.element(heading()).toHaveTextContent('Sign in');
    Object.assign(desk.books.owners[0] ?? {}, { address: 'Theirs', branchName: 'Barbil', version: 2 });
    signIn();
    await expect.element(dialog('Edit Owner')).toBeInTheDocument();
    await expect.element(field('Address')).toHaveValue('Mine');
    await save();
    await expect.element(page.getByText(/was changed by someone else/)).toBeInTheDocument();
    await expect.element(field('Address')).toHaveValue('Mine');
    await expect.element(field('Branch Name')).toHaveValue('Barbil');
    await save();
    await expect.poll(() => desk.books.owners[0]).toMatchObject({ address: 'Mine', branchName: 'Barbil', version: 3 });
  });

  test.each([
    ['/tags', 'Add New Tag', 'Add New Tag', 'Tag Name'],
    ['/petrol-pumps', 'Add Petrol Pump', 'Add New Petrol Pump', 'Name'],
  ])('%s: its dialog too', async (address, add, title, label) => {
    fakeServer({ tags: [buildTag(1)], petrolPumps: [buildPump(1)] });
    await openApp(address);
    await userEvent.click(button(add));
    await userEvent.fill(field(label), 'Kept so');
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    signIn();
    await expect.element(dialog(title)).toBeInTheDocument();
    await expect.element(field(label)).toHaveValue('Kept so');
  });

  test("a truck and the owner that was being made for it come back, one over the other, with the truck's owner", async () => {
    const desk = fakeServer({ owners: [ravi, buildOwner(2)], trucks: [buildTruck(1, ravi)] });
    await openApp('/trucks');
    await userEvent.click(button('Add New Truck'));
    await userEvent.fill(field('Truck Number'), 'od02');
    const owner = page.getByRole('combobox', { name: 'Owner' });
    await userEvent.fill(owner, '02');
    await expect.element(page.getByRole('option', { name: /Owner 02/ })).toBeInTheDocument();
    await press('{Enter}');
    await expect.element(owner).toHaveValue('Owner 02');
    await userEvent.fill(owner, 'Zed');
    await press('{Alt>}c{/Alt}');
    await userEvent.fill(field('Address'), 'Barbil');
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    signIn();
    await expect.element(dialog('Add New Owner')).toBeInTheDocument();
    await expect.element(field('Owner Name')).toHaveValue('Zed');
    await expect.element(field('Address')).toHaveValue('Barbil');
    await press('{Escape}');
    await userEvent.click(button('Close without saving'));
    await expect.element(dialog('Add New Owner')).not.toBeInTheDocument();
    await expect.element(field('Truck Number')).toHaveValue('OD02');
    await expect.element(owner).toHaveValue('Owner 02');
    await userEvent.fill(field('Wheels'), '12');
    await save();
    await expect.poll(() => desk.writes(contract.trucks.create)[0]).toMatchObject({ ownerId: buildOwner(2).id });
  });

  test("what was being made for a challan comes back over the challan's own draft", async () => {
    formDesk();
    await openNewChallan();
    await type('Driver Name', 'Sunil');
    const tag = page.getByRole('combobox', { name: 'Tag' });
    await userEvent.fill(tag, 'Bauxite');
    await press('{Alt>}c{/Alt}');
    await expect.element(dialog('Add New Tag')).toBeInTheDocument();
    await userEvent.fill(field('Description'), 'From Kodinga');
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    signIn();
    await expect.element(dialog('Add New Tag')).toBeInTheDocument();
    await expect.element(field('Tag Name')).toHaveValue('Bauxite');
    await expect.element(field('Description')).toHaveValue('From Kodinga');
    await save();
    await expect.element(dialog('Add New Tag')).not.toBeInTheDocument();
    await expect.element(tag).toHaveValue('Bauxite');
    await userEvent.click(button('Restore'));
    await expect.element(field('Driver Name')).toHaveValue('Sunil');
    await expect.element(tag).toHaveValue('Bauxite');
  });

  test('a password is written nowhere', async () => {
    fakeServer({ subadmins: subadminsOf(1) });
    await openAdmin('/admin/subadmins');
    await userEvent.click(button('Add New Subadmin'));
    await userEvent.fill(field('Email'), 'office@balaji.example');
    await userEvent.fill(field('Password'), 'secret horse');
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    expect(kept()).toContain('office@balaji.example');
    expect(everywhere()).not.toContain('secret horse');
    expect(everywhere()).not.toContain('password');
    await userEvent.click(page.getByRole('link', { name: 'Admin Login' }));
    signIn('a@b.in', 'admin');
    await expect.element(dialog('Add New Subadmin')).toBeInTheDocument();
    await expect.element(field('Email')).toHaveValue('office@balaji.example');
    await expect.element(field('Password')).toHaveValue('');
    await expect.element(note()).toHaveTextContent('Passwords are not kept');
  });

  test("the profile's edit mode too", async () => {
    fakeServer();
    await openProfile();
    await userEvent.click(button('Edit Profile'));
    await userEvent.fill(field('Company/Banner Name'), 'Tarini Transport');
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    signIn();
    await expect.element(note()).toBeInTheDocument();
    await expect.element(field('Company/Banner Name')).toHaveValue('Tarini Transport');
    await userEvent.click(button('Discard'));
    await expect.element(field('Company/Banner Name')).not.toBeInTheDocument();
  });
});

describe('a reload that takes the memory of the page along', () => {
  /** As the storage is found by a page that has just begun. */
  async function reopen(address: string): Promise<void> {
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    const stored = Object.entries(sessionStorage);
    expect(everywhere()).not.toMatch(/000987654321|abcde1234f/i);
    // An end that is no expiry empties the memory; the storage is put back.
    endSession('logout');
    await closeApp();
    for (const [name, value] of stored) sessionStorage.setItem(name, String(value));
    fakeServer({ owners: [ravi] });
    await openApp(address);
  }

  test('brings a new owner back without account number and PAN, and says so', async () => {
    await openNewOwner();
    await typeOwner();
    await userEvent.fill(field('PAN Number'), 'abcde1234f');
    await reopen('/owners');
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    await expect.element(field('Account Number')).toHaveValue('');
    await expect.element(field('PAN Number')).toHaveValue('');
    await expect.element(note()).toHaveTextContent('Account numbers and PANs are not kept');
  });

  test('does not bring back an edit whose record it no longer knows in full', async () => {
    fakeServer({ owners: [ravi] });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('e');
    await userEvent.fill(field('Address'), 'Barbil');
    await reopen('/owners');
    expect(dialog('Edit Owner').elements()).toHaveLength(0);
    expect(kept()).toBe('');
  });
});

describe('a reload', () => {
  test('brings the dialog back; Discard closes it, and nothing is left', async () => {
    await openNewOwner();
    await typeOwner();
    await reload('/owners');
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    expect(kept()).toBe('');
    // Enter must not throw away what has just come back.
    await expect.element(field('Owner Name')).toHaveFocus();
    await userEvent.click(button('Discard'));
    await expect.element(dialog('Add New Owner')).not.toBeInTheDocument();
    expect(closing().elements()).toHaveLength(0);
    await reload('/owners');
    expect(dialog('Add New Owner').elements()).toHaveLength(0);
  });

  test('an edit that was begun in the details comes back over them', async () => {
    fakeServer({ owners: [ravi] });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('{Enter}');
    await userEvent.click(dialog('Owner 01').getByRole('button', { name: 'Edit' }));
    await userEvent.fill(field('Address'), 'Barbil');
    await reload(window.location.pathname + window.location.search);
    await expect.element(dialog('Edit Owner')).toBeInTheDocument();
    await expect.element(field('Address')).toHaveValue('Barbil');
    await expect.poll(() => document.activeElement?.closest('[role="dialog"]')?.textContent).toContain('Edit Owner');
    await userEvent.click(button('Discard'));
    await expect.element(dialog('Owner 01')).toBeInTheDocument();
  });

  test('kept twice in a row it is still there', async () => {
    await openNewOwner();
    await typeOwner();
    await reload('/owners');
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    await userEvent.fill(field('Address'), 'Barbil');
    await reload('/owners');
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
    await expect.element(field('Address')).toHaveValue('Barbil');
  });

  test('a page that comes back as it was has nothing in storage', async () => {
    await openNewOwner();
    await typeOwner();
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    expect(kept()).toContain('Sunita');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect(kept()).toBe('');
  });

  test('with nothing typed nothing comes back, nor does what is broken', async () => {
    await openNewOwner();
    await reload('/owners');
    expect(dialog('Add New Owner').elements()).toHaveLength(0);
    for (const value of [7, { values: { name: 5 } }, { base: { values: {} }, values: {} }]) {
      const draft = JSON.stringify({ value, savedAt: new Date().toISOString() });
      sessionStorage.setItem(`${accountPrefix('a@b.in')}draft:owners`, draft);
      await reload('/owners');
      expect(dialog('Add New Owner').elements()).toHaveLength(0);
    }
    expect(kept()).toBe('');
  });
});

describe('what is kept is for this account in this tab', () => {
  async function expire(): Promise<void> {
    await openNewOwner();
    await typeOwner();
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    expect(kept()).toContain('Sunita');
    expect(everywhere()).not.toContain('000987654321');
  }

  test("another account's sign-in clears it", async () => {
    await expire();
    signIn('c@d.in');
    expect(kept()).toBe('');
    await expect.element(heading()).toHaveTextContent('Owners');
    expect(dialog('Add New Owner').elements()).toHaveLength(0);
  });

  test('so does a page that another account has taken over in another tab', async () => {
    await expire();
    localStorage.setItem('role', 'subadmin');
    localStorage.setItem('user', JSON.stringify({ email: 'c@d.in' }));
    localStorage.setItem('token', 'token-of-another');
    restoreSession();
    expect(kept()).toBe('');
  });

  test('Logout clears it, and keeps nothing of what is open', async () => {
    await openNewOwner();
    await typeOwner();
    endSession('logout');
    await expect.element(heading()).toHaveTextContent('Sign in');
    expect(everywhere()).not.toContain('Sunita');
  });

  test('so does Logout in another tab', async () => {
    await openNewOwner();
    await typeOwner();
    for (const name of ['token', 'user', 'role']) localStorage.removeItem(name);
    endSession('elsewhere');
    await expect.element(heading()).toHaveTextContent('Sign in');
    expect(everywhere()).not.toContain('Sunita');
  });

  test('a session that the server ended for another tab is an expired one here too', async () => {
    fakeServer({ owners: [ravi] });
    await openApp('/owners');
    endSession('expired');
    await expect.element(heading()).toHaveTextContent('Sign in');
    const left = Object.entries(localStorage);
    signIn();
    await expect.element(heading()).toHaveTextContent('Owners');
    await userEvent.click(button('Add New Owner'));
    await typeOwner();
    localStorage.clear();
    for (const [name, value] of left) localStorage.setItem(name, String(value));
    endSession('elsewhere');
    await expect.element(heading()).toHaveTextContent('Sign in');
    expect(kept()).toContain('Sunita');
  });

  test('after eight hours it is gone', async () => {
    await expire();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 3_600_000 + 1_000 });
    signIn();
    await expect.element(heading()).toHaveTextContent('Owners');
    expect(dialog('Add New Owner').elements()).toHaveLength(0);
    expect(kept()).toBe('');
  });
});
