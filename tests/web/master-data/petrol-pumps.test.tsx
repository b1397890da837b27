import { afterEach, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildPump, idOf, many } from '../support/builders.ts';
import { speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  expectMessage,
  fill,
  focusPlace,
  goToCell,
  heads,
  openApp,
  page,
  press,
  question,
  search,
  searchNow,
  shownRows,
  toasts,
  userEvent,
  whyNotDone,
} from '../support/screen.tsx';

afterEach(closeApp);

const pumpsOf = (count: number) => many(count, (n) => buildPump(n));

test('has its five columns', async () => {
  fakeServer({ petrolPumps: pumpsOf(1) });
  await openApp('/petrol-pumps');
  expect(heads()).toEqual(['Name', 'Contact Number', 'Address', 'Created At', 'Actions']);
  expect(['name', 'contactNumber', 'address', 'createdAt'].map((key) => cellText(301, key))).toEqual([
    'Pump 01',
    '9123456701',
    'Main Road, Joda',
    '14/11/2026 10:30',
  ]);
});

test('searches in pages of its own, from two characters on', async () => {
  const { asks } = fakeServer({ petrolPumps: [...pumpsOf(12), buildPump(20, { name: 'Joda Filling' })] });
  await openApp('/petrol-pumps?page=2');
  await search('j');
  await press('o');
  await expect.poll(shownRows).toEqual(['320']);
  expect(asks(contract.petrolPumps.list)).toEqual([
    { page: '2', limit: '10' },
    { page: '1', limit: '10', search: 'jo' },
  ]);
  await press('{Escape}');
  await expect.poll(shownRows).toEqual(['311', '312', '320']);
  expect(searchNow()).toEqual({ page: '2' });
});

test('a failed list says so, with Retry', async () => {
  const desk = fakeServer({ petrolPumps: pumpsOf(1) });
  desk.once(contract.petrolPumps.list, speechless);
  await openApp('/petrol-pumps', '[role="alert"]');
  await expect.poll(toasts).toEqual(['Failed to fetch petrol pumps']);
  await userEvent.click(button('Retry'));
  await expect.poll(shownRows).toEqual(['301']);
});

test('Enter shows all of it', async () => {
  fakeServer({ petrolPumps: pumpsOf(2) });
  await openApp('/petrol-pumps');
  await goToCell(302, 'address');
  await press('{Enter}');
  await expect.element(dialog('Pump 02').getByText('20/11/2026 11:00')).toBeInTheDocument();
  expect(searchNow()).toEqual({ open: idOf(302) });
  await press('{Escape}');
  await expect.poll(focusPlace).toBe('302 address');
});

test('each rule is said when its field is left', async () => {
  fakeServer({ petrolPumps: pumpsOf(1) });
  await openApp('/petrol-pumps');
  await userEvent.click(button('Add Petrol Pump'));
  await expect.element(dialog('Add New Petrol Pump')).toBeInTheDocument();
  await expectMessage('Name', '', 'Please enter petrol pump name');
  await expectMessage('Name', 'x', 'Name must be at least 2 characters');
  await expectMessage('Name', 'x'.repeat(101), 'Name must not exceed 100 characters');
  await expectMessage('Contact Number', '', 'Please enter contact number');
  await expectMessage('Contact Number', '123', 'Please enter a valid 10-digit contact number');
  await expectMessage('Address', '', 'Please enter address');
  await expectMessage('Address', 'abc', 'Address must be at least 5 characters');
  await expectMessage('Address', 'x'.repeat(501), 'Address must not exceed 500 characters');
});

test('N creates, with the values trimmed', async () => {
  const desk = fakeServer({ petrolPumps: pumpsOf(1) });
  await openApp('/petrol-pumps');
  await press('n');
  await fill({ Name: ' HP Joda ', 'Contact Number': '91234 56789', Address: ' Main Road ' });
  desk.once(contract.petrolPumps.create, speechless);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Failed to save petrol pump']);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toContain('Petrol pump created successfully!');
  expect(desk.books.petrolPumps[1]).toMatchObject({
    name: 'HP Joda',
    contactNumber: '9123456789',
    address: 'Main Road',
  });
});

test('E edits, and with nothing changed says so', async () => {
  const desk = fakeServer({ petrolPumps: pumpsOf(2) });
  await openApp('/petrol-pumps');
  await goToCell(301, 'address');
  await press('e');
  await expect.element(dialog('Edit Petrol Pump')).toBeInTheDocument();
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['No changes detected']);
  expect(desk.calls(contract.petrolPumps.update)).toEqual([]);
  await expect.poll(focusPlace).toBe('301 address');
  await press('e');
  await fill({ Address: 'NH 520, Barbil' });
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toContain('Petrol pump updated successfully!');
  await expect.poll(() => cellText(301, 'address')).toBe('NH 520, Barbil');
});

test('Delete asks with the stated words', async () => {
  const desk = fakeServer({ petrolPumps: pumpsOf(2) });
  await openApp('/petrol-pumps');
  await goToCell(302, 'address');
  await press('{Delete}');
  await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
  expect(question()).toBe(
    'Delete petrol pump "Pump 02"? Are you sure you want to delete this petrol pump? This action cannot be undone.',
  );
  desk.once(contract.petrolPumps.remove, speechless);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(whyNotDone()).toHaveTextContent('Failed to delete petrol pump');
  expect(toasts()).toEqual([]);
  await userEvent.click(button('Retry'));
  await expect.poll(toasts).toContain('Petrol pump deleted successfully!');
  await expect.poll(shownRows).toEqual(['301']);
  await expect.poll(focusPlace).toBe('301 address');
});
