import { afterEach, expect, test, vi } from 'vitest';
import { routes } from '../../../src/web/app/routes.tsx';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildCard, buildOwner, many, subadminsOf } from '../support/builders.ts';
import { foreignAnswer, offline, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  closeApp,
  dialog,
  fill,
  goToCell,
  openAdmin,
  openApp,
  page,
  press,
  saveKeys,
  toasts,
  userEvent,
  openRoutes,
} from '../support/screen.tsx';

/** Messages and labels of access, master data and dashboard that no screen's own test asserts letter for letter. */

afterEach(closeApp);

async function signIn(): Promise<void> {
  await userEvent.fill(page.getByRole('textbox', { name: 'Email' }), 'desk@carriers.example');
  await userEvent.fill(page.getByLabelText(/^Password/), 'some password');
  await press('{Enter}');
}

test.each([
  ['/login', 'Invalid subadmin credentials'],
  ['/adminlogin', 'Invalid admin credentials'],
])('%s says its own default where the server says nothing', async (path, message) => {
  const desk = fakeServer();
  const { loginAdmin, loginSubadmin } = contract.session;
  desk.once(path === '/login' ? loginSubadmin : loginAdmin, () => foreignAnswer({ success: false }, 401));
  openRoutes(routes, path);
  await signIn();
  const alert = page.getByRole('alert');
  await expect.element(alert.getByText('Login Failed', { exact: true })).toBeInTheDocument();
  await expect.element(alert.getByText(message, { exact: true })).toBeInTheDocument();
});

test('the button counts the owners that are to be copied', async () => {
  fakeServer({ cards: many(3, (n) => buildCard(n)) });
  await openApp('/owners/copy');
  await expect.element(button('Copy Selected Owners (0)')).toBeInTheDocument();
  await goToCell(401, 'ifsc');
  await press('{Control>}a{/Control}');
  await expect.element(button('Copy Selected Owners (3)')).toBeInTheDocument();
});

test('the petrol pumps offer to add one', async () => {
  fakeServer();
  await openApp('/petrol-pumps', 'h1');
  await expect.element(button('Add Petrol Pump').first()).toBeInTheDocument();
});

test('a sub-admin that was not created: the alert of the modal is called Error', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await press('n');
  await fill({
    Email: 'office@balaji.example',
    Password: 'secret',
    'Banner Name': 'Shree Balaji',
    'GST No': '21ABCDE1234F1Z5',
    'Contact Number': '9876543210',
    'Office Address': 'NH 520, Barbil',
  });
  desk.once(contract.subadmins.create, speechless);
  await saveKeys();
  const alert = dialog('Add New Subadmin').getByRole('alert');
  await expect.element(alert.getByText('Error', { exact: true })).toBeInTheDocument();
  await expect.element(alert.getByText('Failed to create subadmin', { exact: true })).toBeInTheDocument();
  expect(toasts()).toEqual([]);
});

async function editFirst(): Promise<void> {
  await goToCell(1, 'address');
  await press('e');
  await fill({ 'Branch Name': 'Barbil' });
}

test('both texts of a refusal are told as one', async () => {
  const desk = fakeServer({ owners: [buildOwner(1)] });
  desk.once(contract.owners.update, () => foreignAnswer({ success: false, error: 'Owner', message: 'is locked' }, 409));
  await openApp('/owners');
  await editFirst();
  await saveKeys();
  await expect.poll(toasts).toEqual(['Owner: is locked']);
});

test('without a network the toast is the transport’s text, not the default', async () => {
  const desk = fakeServer({ owners: [buildOwner(1)] });
  desk.once(contract.owners.update, offline);
  await openApp('/owners');
  await editFirst();
  await saveKeys();
  await expect.poll(toasts).toEqual(['Network Error']);
});

test('an answer that does not come is given up after 30 seconds, in the words of the transport', async () => {
  const desk = fakeServer({ owners: [buildOwner(1)] });
  await openApp('/owners');
  desk.once(contract.owners.update, () => new Promise<Response>(() => undefined));
  await editFirst();
  // The clock of a call runs out at once, and no other does.
  const { setTimeout: start } = window;
  const clock = vi
    .spyOn(window, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number) => start(run, ms === 30_000 ? 0 : ms)) as typeof setTimeout);
  await saveKeys();
  await expect.poll(toasts).toContain('timeout of 30000 ms exceeded');
  clock.mockRestore();
});

test('tag analytics that cannot be loaded say so on the dashboard', async () => {
  const desk = fakeServer();
  desk.once(contract.accounting.getTagAnalytics, speechless);
  await openApp('/dashboard', '[role="alert"]');
  const alert = page.getByRole('alert').filter({ hasText: 'Error Loading' });
  await expect.element(alert.getByText('Error Loading Tag Analytics', { exact: true })).toBeInTheDocument();
  await expect.element(alert.getByText('Failed to load tag analytics data')).toBeInTheDocument();
});

test('a profile that cannot be loaded says so', async () => {
  const desk = fakeServer();
  desk.once(contract.profile.get, speechless);
  await openApp('/profile', '[role="alert"]');
  await expect.element(page.getByRole('alert').getByText('Failed to fetch profile')).toBeInTheDocument();
});
