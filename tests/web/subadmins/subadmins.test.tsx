import { afterEach, describe, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildSubadmin, idOf, subadminsOf } from '../support/builders.ts';
import { foreignAnswer, refusal, speechless } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  focusPlace,
  goToCell,
  heads,
  isBusy,
  openAdmin,
  page,
  press,
  question,
  saveKeys,
  searchNow,
  shownRows,
  switchOf,
  toasts,
  userEvent,
  whyNotDone,
} from '../support/screen.tsx';

afterEach(closeApp);

const { setActive } = contract.subadmins;
const switched = (desk: Desk) => desk.calls(setActive).map(({ path, body }) => ({ path, body }));

test('has its columns, and says active or inactive in a word', async () => {
  fakeServer({ subadmins: [buildSubadmin(1), buildSubadmin(2, { isActive: false })] });
  await openAdmin('/admin/subadmins');
  expect(heads()).toEqual([
    'Email',
    'Banner Name',
    'GST No',
    'Contact Number',
    'Office Address',
    'Status',
    'Active',
    'Actions',
  ]);
  const keys = ['email', 'bannerName', 'gstNo', 'contactNumber', 'officeAddress', 'isActive'];
  expect(keys.map((key) => cellText(2, key))).toEqual([
    'desk2@carriers.example',
    'Carriers 002',
    '21ABCDE1234F1Z5',
    '9876543202',
    'Plot 2, Joda',
    'Inactive',
  ]);
  expect([switchOf(1), switchOf(2)]).toEqual(['true', 'false']);
});

test('is paged, in what fits or 10, 20, 50 or 100, and not searched', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(23) });
  await openAdmin('/admin/subadmins?page=2&search=desk1');
  await expect.poll(shownRows).toEqual(Array.from({ length: 10 }, (_, index) => String(11 + index)));
  expect(document.querySelector('input[type="search"]')).toBeNull();
  const sizes = page.getByRole('combobox', { name: /per page|page size/i });
  await userEvent.click(sizes);
  const offered = page.getByRole('listbox').getByRole('option').elements();
  expect(offered.map((item) => item.textContent)).toEqual(['Fit to window', '10', '20', '50', '100']);
  await userEvent.click(page.getByRole('option', { name: '50', exact: true }));
  await expect.poll(() => shownRows().length).toBe(23);
  const asked = desk.asks(contract.subadmins.list);
  expect([asked[0], asked.at(-1)]).toEqual([
    { page: '2', limit: '10' },
    { page: '1', limit: '50' },
  ]);
});

test('a failed list says so, with Retry', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  desk.once(contract.subadmins.list, speechless);
  await openAdmin('/admin/subadmins', '[role="alert"]');
  await expect.poll(toasts).toEqual(['Failed to fetch subadmins']);
  await userEvent.click(button('Retry'));
  await expect.poll(shownRows).toEqual(['1']);
});

test('without any, it offers to add one', async () => {
  fakeServer();
  await openAdmin('/admin/subadmins', 'h1');
  await expect.element(page.getByText('Add your first business')).toBeInTheDocument();
  expect(button('Add New Subadmin').elements()).toHaveLength(2);
});

test('Enter shows everything, id and role too', async () => {
  fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  await goToCell(2, 'officeAddress');
  await press('{Enter}');
  await expect.element(dialog('Carriers 002')).toBeInTheDocument();
  const facts = [...document.querySelectorAll('[role="dialog"] dt')].map((name) =>
    [name.textContent, name.nextElementSibling?.textContent].join(': '),
  );
  expect(facts).toEqual([
    'Banner Name: Carriers 002',
    'GST No: 21ABCDE1234F1Z5',
    'Contact Number: 9876543202',
    'Office Address: Plot 2, Joda',
    'Email: desk2@carriers.example',
    'Status: Active',
    'Directory of Owners: On',
    'Role: Subadmin',
    'People: 0',
    'Last Seen: 20/11/2026 11:00',
    `ID: ${idOf(2)}`,
    'Created: 14/11/2026 10:30',
    'Updated: 20/11/2026 11:00',
  ]);
  expect(searchNow()).toEqual({ open: idOf(2) });
  await press('{Escape}');
  await expect.poll(focusPlace).toBe('2 officeAddress');
});

test('a link to one that is no more says so', async () => {
  fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin(`/admin/subadmins?open=${idOf(7)}`, '[role="dialog"]');
  await expect.element(dialog('Subadmin').getByText('Subadmin not found')).toBeInTheDocument();
});

test('Space on the switch deactivates and activates, once at a time', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'isActive');
  await press('{ArrowRight}');
  const wait = desk.hold(setActive);
  await press(' ');
  await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
  expect(question()).toBe(
    'Deactivate "Carriers 001"? Its users are signed out at once and cannot sign in until you activate it again. ' +
      'Its records are kept.',
  );
  await saveKeys();
  await expect.poll(() => [switchOf(1), cellText(1, 'isActive'), isBusy(1)]).toEqual(['false', 'Inactive', true]);
  await press(' ');
  await press('a');
  await expect.poll(() => switchOf(2)).toBe('true');
  wait();
  await expect.poll(toasts).toEqual(['Subadmin deactivated successfully']);
  await expect.poll(() => isBusy(1)).toBe(false);
  const path = `/subadmins/${idOf(1)}/status`;
  expect(switched(desk)).toEqual([{ path, body: { isActive: false } }]);
  await press('a');
  await expect.poll(toasts).toContain('Subadmin activated successfully');
  await expect.poll(() => cellText(1, 'isActive')).toBe('Active');
  expect(switched(desk).at(-1)).toEqual({ path, body: { isActive: true } });
});

test('a switch that fails goes back and says why', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'bannerName');
  const wait = desk.hold(setActive, speechless);
  await press('a');
  await saveKeys();
  await expect.poll(() => cellText(1, 'isActive')).toBe('Inactive');
  wait();
  await expect.poll(toasts).toEqual(['Failed to update subadmin status']);
  await expect.poll(() => cellText(1, 'isActive')).toBe('Active');
  desk.once(setActive, () => refusal('NOT_FOUND', 'Subadmin not found'));
  await press('a');
  await saveKeys();
  await expect.poll(toasts).toContain('Subadmin not found');
});

test('a deactivation is not sent when it is cancelled, and Undo takes it back', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'bannerName');
  await press('a');
  await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
  await press('{Escape}');
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await expect.poll(focusPlace).toBe('1 bannerName');
  expect(switched(desk)).toEqual([]);
  await press('a');
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin deactivated successfully']);
  await userEvent.click(button('Undo'));
  await expect.poll(toasts).toContain('Subadmin activated successfully');
  await expect.poll(() => cellText(1, 'isActive')).toBe('Active');
  expect(desk.writes(setActive)).toEqual([{ isActive: false }, { isActive: true }]);
});

test('two accounts can be switched at the same time', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  const release = desk.hold(setActive, speechless, { id: idOf(1) });
  await goToCell(1, 'bannerName');
  await press('a');
  await saveKeys();
  await expect.poll(() => isBusy(1)).toBe(true);
  await press('{ArrowDown}');
  await press('a');
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin deactivated successfully']);
  release();
  await expect.poll(toasts).toContain('Failed to update subadmin status');
  await expect.poll(() => [cellText(1, 'isActive'), cellText(2, 'isActive')]).toEqual(['Active', 'Inactive']);
});

test('Delete asks with the stated words, and says what becomes of the account', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  await goToCell(2, 'bannerName');
  await press('{Delete}');
  await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
  expect(question()).toBe(
    'Delete subadmin "Carriers 002"? Are you sure you want to delete this subadmin?' +
      'The account can no longer sign in, and desk2@carriers.example stays taken. Its records are kept.',
  );
  desk.once(contract.subadmins.remove, speechless);
  await saveKeys();
  await expect.element(whyNotDone()).toHaveTextContent('Failed to delete subadmin');
  expect(toasts()).toEqual([]);
  await userEvent.click(button('Retry'));
  await expect.poll(toasts).toContain('Subadmin deleted successfully');
  await expect.poll(shownRows).toEqual(['1']);
  await expect.poll(focusPlace).toBe('1 bannerName');
});

test('after the last of the last page the page before is shown', async () => {
  fakeServer({ subadmins: subadminsOf(11) });
  await openAdmin('/admin/subadmins?page=2');
  await goToCell(11, 'bannerName');
  await press('{Delete}');
  await saveKeys();
  await expect.poll(() => shownRows().length).toBe(10);
});

test('the dashboard counts them and leads there', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1284) });
  desk.once(contract.subadmins.list, speechless);
  await openAdmin('/dashboard', '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch subadmins');
  await userEvent.click(button('Retry'));
  await expect.element(page.getByText('1,284')).toBeInTheDocument();
  expect(document.querySelector('dt')?.textContent).toBe('Total Subadmins');
  expect(desk.asks(contract.subadmins.list).at(-1)).toEqual({ page: '1', limit: '1' });
  const actions = page.getByRole('region', { name: 'Quick Actions' });
  await userEvent.click(actions.getByRole('link', { name: 'Subadmins' }));
  await expect.poll(() => window.location.pathname).toBe('/admin/subadmins');
});

describe('the health of the data', () => {
  const health = () => page.getByRole('region', { name: 'Health of the data' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000 - 60_000).toISOString();
  const database = { version: '18.6', warning: null as string | null };
  const done = { beganAt: '2026-11-22T21:00:00.000Z', endedAt: '2026-11-22T21:01:00.000Z', isGood: true };

  test('is none before the first night, and says how old the last check and backup are', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('None yet').nth(1)).toBeVisible();
    desk.books.health = {
      disks: [],
      database,
      check: { ...done, summary: '3 businesses: no difference', goodAt: hoursAgo(6) },
      backup: { ...done, isGood: false, summary: 'The disk is full', goodAt: hoursAgo(79) },
      log: null,
    };
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('Good 6 hours ago')).toBeVisible();
    await expect.element(health().getByText('Last 23/11/2026 02:31: 3 businesses: no difference')).toBeVisible();
    await expect.element(health().getByText('Good 3 days ago')).toBeVisible();
    await expect.element(health().getByText(/The disk is full/)).toBeVisible();
  });

  test('has the archive of the log where there is one, and why it waits', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    const log = { trouble: null, archivedAt: done.endedAt, waitingSince: null, waitingBytes: 0 };
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('None yet').nth(1)).toBeVisible();
    expect(health().getByText('Archive of the log').query()).toBeNull();
    desk.books.health = { check: null, backup: null, log, disks: [], database };
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('Up to date')).toBeVisible();
    await expect.element(health().getByText('Last 23/11/2026 02:31')).toBeVisible();
    desk.books.health = {
      disks: [],
      database,
      check: null,
      backup: null,
      log: { ...log, trouble: 'The disk is full', waitingSince: hoursAgo(1), waitingBytes: 33_554_432 },
    };
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('34 MB not archived')).toBeVisible();
    await expect.element(health().getByText('Last 23/11/2026 02:31: The disk is full')).toBeVisible();
  });

  test('that cannot be loaded says so and is asked for again', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    desk.once(contract.health.get, speechless);
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] [role="alert"]');
    await expect.element(page.getByText('Failed to fetch the health of the data')).toBeVisible();
    await userEvent.click(health().getByRole('button', { name: 'Retry' }));
    await expect.element(health().getByText('None yet').first()).toBeVisible();
  });

  test('says which PostgreSQL runs, and that a newer one should take its place', async () => {
    const desk = fakeServer();
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('PostgreSQL 18.6')).toBeVisible();
    await expect.element(health().getByText('No newer version is known')).toBeVisible();
    const old = { version: '18.4', warning: '18.6 is out since August 2026: update it' };
    desk.books.health = { check: null, backup: null, log: null, disks: [], database: old };
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText('PostgreSQL 18.4')).toBeVisible();
    await expect.element(health().getByText(old.warning)).toBeVisible();
  });

  test.each([
    {
      what: 'how much room the disks have, the fullest first',
      disks: [
        { name: 'data' as const, freeBytes: 60e9, totalBytes: 100e9 },
        { name: 'backups' as const, freeBytes: 1.5e9, totalBytes: 100e9 },
      ],
      free: '1.5 GB free',
      detail: 'Backups 1.5 of 100 GB · Data 60 of 100 GB',
    },
    {
      what: 'the room of the disk in danger, although another one has a smaller share free',
      disks: [
        { name: 'backups' as const, freeBytes: 150e9, totalBytes: 1_000e9 },
        { name: 'data' as const, freeBytes: 0.9e9, totalBytes: 4e9 },
      ],
      free: '0.9 GB free',
      detail: 'Data 0.9 of 4 GB · Backups 150 of 1000 GB',
    },
  ])('says $what', async ({ disks, free, detail }) => {
    const desk = fakeServer();
    desk.books.health = { check: null, backup: null, log: null, disks, database };
    await openAdmin('/dashboard', 'section[aria-label="Health of the data"] dd');
    await expect.element(health().getByText(free)).toBeVisible();
    await expect.element(health().getByText(detail)).toBeVisible();
  });
});

describe('how many owners a business may copy a day', () => {
  const limit = () => page.getByRole('textbox', { name: 'Owners a business may copy per day' });
  const save = () => page.getByRole('region', { name: 'Copying owners' }).getByRole('button', { name: 'Save' });

  test('is set on the dashboard; what is no number is refused where it was typed', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    await openAdmin('/dashboard', 'section[aria-label="Copying owners"] input');
    await expect.element(limit()).toHaveValue('100');
    await userEvent.fill(limit(), '12.5');
    await userEvent.click(save());
    await expect.element(limit()).toHaveFocus();
    await expect.element(page.getByText('Please enter a whole number from 0 to 10,000')).toBeVisible();
    await userEvent.fill(limit(), '1,500');
    await press('{Enter}');
    await expect.poll(toasts).toEqual(['Settings saved']);
    expect(desk.books.settings).toMatchObject({ copiesPerDay: 1500, version: 2 });
    // The next one goes on from there.
    await userEvent.fill(limit(), '20');
    await userEvent.click(save());
    await expect.poll(() => desk.books.settings).toMatchObject({ copiesPerDay: 20, version: 3 });
  });

  const directory = () => page.getByRole('switch', { name: 'Directory of owners' });

  test('is saved together with the switch of the directory, which leads to what was copied', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    await openAdmin('/dashboard', 'section[aria-label="Copying owners"] input[role="switch"]');
    await expect.element(directory()).toBeChecked();
    await userEvent.click(directory());
    // A switch of a form: it is saved with it.
    expect(desk.books.settings.isDirectoryOn).toBe(true);
    await userEvent.click(save());
    await expect.poll(() => desk.books.settings).toMatchObject({ copiesPerDay: 100, isDirectoryOn: false, version: 2 });
    desk.books.settings = { ...desk.books.settings, isDirectoryOn: true, version: 3 };
    await userEvent.fill(limit(), '20');
    await userEvent.click(save());
    const said = 'Another admin has switched the directory on and set this to 100. Save again to replace both.';
    await expect.element(page.getByText(said)).toBeVisible();
    await expect.element(directory()).not.toBeChecked();
    await userEvent.click(page.getByRole('link', { name: 'Copied owners' }));
    await expect.element(page.getByRole('gridcell', { name: 'Asha Roadlines', exact: true })).toBeVisible();
    await expect.element(page.getByRole('gridcell', { name: 'admin', exact: true })).toBeVisible();
  });

  test('that another admin has set meanwhile is shown before it is replaced', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    await openAdmin('/dashboard', 'section[aria-label="Copying owners"] input');
    desk.books.settings = { ...desk.books.settings, copiesPerDay: 7, version: 5 };
    await userEvent.fill(limit(), '20');
    await userEvent.click(save());
    const said = 'Another admin has changed this to 7. Save again to replace it.';
    await expect.element(page.getByText(said)).toBeVisible();
    await expect.element(limit()).toHaveValue('20');
    await userEvent.click(save());
    await expect.poll(() => desk.books.settings).toMatchObject({ copiesPerDay: 20, version: 6 });
  });

  test('that cannot be saved names its request until the next change', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    await openAdmin('/dashboard', 'section[aria-label="Copying owners"] input');
    desk.once(contract.settings.update, () => foreignAnswer({ success: false, requestId: 'r-9' }, 500));
    await userEvent.fill(limit(), '20');
    await userEvent.click(save());
    await expect.element(page.getByText('Failed to save the settings')).toBeVisible();
    await expect.element(page.getByText('Request r-9')).toBeVisible();
    await userEvent.fill(limit(), '21');
    await expect.element(page.getByText('Request r-9')).not.toBeInTheDocument();
  });

  test('that cannot be loaded says so and is asked for again', async () => {
    const desk = fakeServer({ subadmins: subadminsOf(1) });
    desk.once(contract.settings.get, speechless);
    await openAdmin('/dashboard', 'section[aria-label="Copying owners"] [role="alert"]');
    await expect.element(page.getByText('Failed to fetch the settings')).toBeVisible();
    await userEvent.click(button('Retry'));
    await expect.element(limit()).toHaveValue('100');
  });
});
