import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildOwner, buildPump, buildTag, buildTruck } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  cellText,
  closeApp,
  dialog,
  focusPlace,
  goToCell,
  openApp,
  page,
  press,
  search,
  toasts,
} from '../support/screen.tsx';

afterEach(closeApp);

const ravi = buildOwner(1, { name: 'Ravi Kumar' });
const editor = (label: string) =>
  page.getByRole('group', { name: new RegExp(`^${label} of `) }).getByRole('textbox', { name: label, exact: true });

test.each([
  {
    at: '/trucks',
    n: 101,
    column: 'noOfWheels',
    label: 'Wheels',
    wrong: ['1.5', 'Wheels must be a whole number'],
    right: ['12', { noOfWheels: 12, version: 1 }, '12'],
    books: () => ({ owners: [ravi], trucks: [buildTruck(1, ravi, { noOfWheels: 10 })] }),
  },
  {
    at: '/tags',
    n: 201,
    column: 'name',
    label: 'Name',
    wrong: ['x', 'Tag name must be at least 2 characters'],
    right: ['ORE', { name: 'ORE', version: 1 }, 'ORE'],
    books: () => ({ tags: [buildTag(1)] }),
  },
  {
    at: '/petrol-pumps',
    n: 301,
    column: 'contactNumber',
    label: 'Contact Number',
    wrong: ['123', 'Please enter a valid 10-digit contact number'],
    right: ['91234 56789', { contactNumber: '9123456789', version: 1 }, '9123456789'],
    books: () => ({ petrolPumps: [buildPump(1)] }),
  },
] as const)('$at: a cell is saved under its version, or refused in the words of the form', async (of) => {
  const desk = fakeServer(of.books());
  await openApp(of.at);
  await goToCell(of.n, of.column);
  await press('{F2}');
  await expect.element(editor(of.label)).toHaveFocus();
  await press(`${of.wrong[0]}{Enter}`);
  await expect.element(page.getByText(of.wrong[1], { exact: true })).toBeInTheDocument();
  expect(desk.writes()).toEqual([]);
  await press('{Control>}a{/Control}');
  // There is no cell below: the editor is left.
  await press(`${of.right[0]}{Enter}`);
  await expect.poll(focusPlace).toBe(`${of.n} ${of.column}`);
  await vi.waitFor(() => expect(desk.writes()).toEqual([of.right[1]]));
  await vi.waitFor(() => expect(cellText(of.n, of.column)).toBe(of.right[2]));
});

test('an owner that was found by a search is edited too; a conflict keeps what was typed', async () => {
  const desk = fakeServer({ owners: [buildOwner(1, { name: 'Ravi Kumar', contactNumber: '9876543210' })] });
  await openApp('/owners');
  await search('Ravi');
  await vi.waitFor(() => expect(desk.asks(contract.owners.search).length).toBeGreaterThan(0));
  await goToCell(1, 'contactNumber');
  Object.assign(desk.books.owners[0] ?? {}, { contactNumber: '9000000000', version: 5 });
  await press('{F2}9123456789{F2}');
  await expect.element(editor('Contact Number')).toHaveValue('9123456789');
  await expect
    .element(page.getByText(/^This owner was changed by someone else It is now “9000000000”\.$/))
    .toBeVisible();
  await press('{F2}');
  await vi.waitFor(() => expect(cellText(1, 'contactNumber')).toBe('9123456789'));
  expect(desk.writes(contract.owners.update)).toEqual([
    { contactNumber: '9123456789', version: 1 },
    { contactNumber: '9123456789', version: 5 },
  ]);
  await vi.waitFor(() => expect(toasts()).toContain('Contact Number of Ravi Kumar saved'));
});

test('a row that leaves the page while one types keeps its editor, which says so', async () => {
  const desk = fakeServer({ tags: [buildTag(1), buildTag(2, { name: 'COAL' })] });
  await openApp('/tags');
  await goToCell(202, 'name');
  await press('{F2}ORE');
  desk.books.tags.pop();
  // The list is old enough to be fetched again when the user comes back to the window.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.element(page.getByText('COAL is no longer on this page. Enter saves, Esc leaves it.')).toBeVisible();
  vi.restoreAllMocks();
  await expect.element(editor('Name')).toHaveValue('ORE');
  await press('S{Enter}');
  await vi.waitFor(() => expect(desk.writes(contract.tags.update)).toEqual([{ name: 'ORES', version: 1 }]));
  await press('{Escape}');
  await expect.element(editor('Name')).not.toBeInTheDocument();
});

test('a cell whose save fails after its row left the page does not open over another row', async () => {
  const desk = fakeServer({ tags: [buildTag(1), buildTag(2, { name: 'COAL' })] });
  const refuse = desk.hold(contract.tags.update, () => refusal('NOT_FOUND', 'Tag not found'));
  await openApp('/tags');
  await goToCell(202, 'name');
  await press('{F2}ORE{F2}');
  await vi.waitFor(() => expect(desk.writes(contract.tags.update)).toEqual([{ name: 'ORE', version: 1 }]));
  desk.books.tags.pop();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  window.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(document.querySelector('.ag-row[row-id="202"]')).toBeNull());
  vi.restoreAllMocks();
  refuse();
  await vi.waitFor(() => expect(toasts().join()).toContain('Name of COAL is not saved'));
  await expect.element(editor('Name')).not.toBeInTheDocument();
});

test('what an owner is paid by is changed in the form', async () => {
  fakeServer({ owners: [ravi] });
  await openApp('/owners');
  await goToCell(1, 'accountNo');
  await press('{F2}');
  await expect.element(dialog('Edit Owner')).toBeInTheDocument();
});
