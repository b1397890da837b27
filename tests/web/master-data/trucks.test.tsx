import { afterEach, expect, test } from 'vitest';
import { typeRightAfter } from '../in-the-gap.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildOwner, buildTruck, idOf, many } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  expectMessage,
  field,
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

const ravi = buildOwner(1, { name: 'Ravi Kumar' });
const sunita = buildOwner(2, { name: 'Sunita Jindal' });
const desk = (count: number) => fakeServer({ owners: [ravi, sunita], trucks: many(count, (n) => buildTruck(n, ravi)) });
const owner = () => page.getByRole('combobox', { name: 'Owner' });

test('shows number, owner or "Unknown", wheels and type', async () => {
  fakeServer({ trucks: [buildTruck(1, ravi), buildTruck(2, { id: idOf(77), name: '' }, { noOfWheels: 10 })] });
  await openApp('/trucks');
  expect(heads()).toEqual(['Truck Number', 'Owner Name', 'Wheels', 'Vehicle Type', 'Actions']);
  expect(['truckNumber', 'ownerName', 'noOfWheels', 'typeOfVehicle'].map((key) => cellText(101, key))).toEqual([
    'OD09AB1001',
    'Ravi Kumar',
    '12',
    'Hyva',
  ]);
  expect([cellText(102, 'ownerName'), cellText(102, 'noOfWheels')]).toEqual(['Unknown', '10']);
});

test('the search asks by number and is not paged; clearing it comes back', async () => {
  const { asks } = desk(12);
  await openApp('/trucks?page=2');
  await search('ab1003');
  await expect.poll(shownRows).toEqual(['103']);
  expect(asks(contract.trucks.search).map((query) => query['q'])).toEqual(['ab1003']);
  await userEvent.click(button('Clear search'));
  await expect.poll(shownRows).toEqual(['111', '112']);
  expect(searchNow()).toEqual({ page: '2' });
});

test('failures say their own message', async () => {
  const stage = desk(2);
  stage.once(contract.trucks.list, speechless);
  await openApp('/trucks', '[role="alert"]');
  await expect.poll(toasts).toEqual(['Failed to fetch trucks']);
  // How many there are is not known: no "0 of 0 trucks".
  const counted = page.getByRole('navigation', { name: 'Pages' }).getByRole('status');
  await expect.element(counted).toHaveTextContent(/^$/);
  await userEvent.click(button('Retry'));
  await expect.poll(shownRows).toEqual(['101', '102']);
  await expect.element(counted).toHaveTextContent('1-2 of 2 trucks');
  stage.once(contract.trucks.search, speechless);
  await search('od');
  await expect.poll(toasts).toContain('Failed to search trucks');
});

test('Enter views it, with a link to its owner', async () => {
  desk(2);
  await openApp('/trucks');
  await goToCell(102, 'ownerName');
  await press('{Enter}');
  const shown = dialog('Truck OD09AB1002');
  await expect.element(shown.getByText('14/11/2026 10:30')).toBeInTheDocument();
  await expect
    .element(shown.getByRole('link', { name: 'Ravi Kumar' }))
    .toHaveAttribute('href', `/owners?open=${ravi.id}`);
  await press('{Escape}');
  await expect.poll(focusPlace).toBe('102 ownerName');
});

test('a link to a truck that is not on the page says so', async () => {
  desk(2);
  await openApp(`/trucks?open=${idOf(555)}`);
  await expect.element(page.getByText('This truck is not on this page of the list')).toBeInTheDocument();
  await userEvent.click(button('Close').last());
  await expect.poll(searchNow).toEqual({});
});

test('each rule is said when its field is left', async () => {
  desk(1);
  await openApp('/trucks');
  await press('n');
  await expect.element(dialog('Add New Truck')).toBeInTheDocument();
  await expectMessage('Truck Number', '', 'Please enter truck number');
  await expectMessage('Wheels', '', 'Please enter number of wheels');
  await expectMessage('Wheels', 'abc', 'Wheels must be a whole number');
  await userEvent.click(button('Create Truck'));
  await expect.element(owner()).toHaveAccessibleDescription('Please select an owner');
});

test('N: the owner is searched and picked, and the truck goes with its id', async () => {
  const { books } = desk(1);
  await openApp('/trucks');
  await press('n');
  await fill({ 'Truck Number': 'od 09 zz 1' });
  await userEvent.click(owner());
  await press('sun');
  await expect.element(page.getByRole('option', { name: /Sunita Jindal/ })).toBeInTheDocument();
  await press('{Enter}');
  await expect.element(field('Wheels')).toHaveFocus();
  await fill({ Wheels: '14', 'Vehicle Type': 'Trailer' });
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Truck created successfully']);
  expect(books.trucks[1]).toMatchObject({ ownerId: sunita.id, noOfWheels: 14, typeOfVehicle: 'Trailer' });
  await expect.poll(focusPlace).toMatch(/^191 /);
});

test('what is typed right after Enter has taken the owner goes into the next field', async () => {
  desk(1);
  await openApp('/trucks');
  await press('n');
  await userEvent.click(owner());
  await press('sun');
  await expect.element(page.getByRole('option', { name: /Sunita Jindal/ })).toBeInTheDocument();
  const typed = typeRightAfter('Enter', '14');
  await press('{Enter}');
  await typed;
  await expect.element(field('Wheels')).toHaveValue('14');
  await expect.element(owner()).toHaveValue('Sunita Jindal');
});

test('a number that is there already is said beside its field', async () => {
  const stage = desk(1);
  await openApp('/trucks');
  await goToCell(101, 'ownerName');
  await press('e');
  await fill({ 'Truck Number': 'OD09AB1002' });
  stage.once(contract.trucks.update, () => refusal('TRUCK_EXISTS', 'Truck OD09AB1002 is already in your list'));
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Truck OD09AB1002 is already in your list']);
  await expect.element(field('Truck Number')).toHaveValue('OD09AB1002');
});

test('E changes wheels and owner only as they were changed', async () => {
  const stage = desk(2);
  await openApp('/trucks');
  await goToCell(101, 'ownerName');
  await press('e');
  await fill({ Wheels: '16' });
  stage.once(contract.trucks.update, speechless);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Failed to update truck']);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toContain('Truck updated successfully');
  expect(stage.writes(contract.trucks.update).at(-1)).toEqual({ noOfWheels: 16, version: 1 });
  await expect.poll(() => cellText(101, 'noOfWheels')).toBe('16');
  await expect.poll(focusPlace).toBe('101 ownerName');
});

test('Delete asks, and tells what came of it', async () => {
  const stage = desk(2);
  await openApp('/trucks');
  await goToCell(101, 'ownerName');
  await press('{Delete}');
  await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
  expect(question()).toBe(
    'Delete truck OD09AB1001? Are you sure you want to delete this truck? This action cannot be undone.',
  );
  stage.once(contract.trucks.remove, speechless);
  await userEvent.click(button('Delete').last());
  await expect.element(whyNotDone()).toHaveTextContent('Failed to delete truck');
  expect(toasts()).toEqual([]);
  await userEvent.click(button('Retry'));
  await expect.poll(toasts).toContain('Truck deleted successfully');
  await expect.poll(shownRows).toEqual(['102']);
  await expect.poll(focusPlace).toBe('102 ownerName');
});

test('a failed create says its default', async () => {
  const stage = desk(1);
  await openApp('/trucks');
  await press('n');
  await fill({ 'Truck Number': 'OD1', Wheels: '6' });
  await userEvent.click(owner());
  await press('ravi');
  await expect.element(page.getByRole('option', { name: /Ravi Kumar/ })).toBeInTheDocument();
  await press('{Enter}');
  stage.once(contract.trucks.create, speechless);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Failed to create truck']);
});
