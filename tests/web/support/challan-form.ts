import { fireEvent } from '@testing-library/react';
import { expect } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import type { Owner } from '../../../src/shared/contract/owners.ts';
import type { Truck } from '../../../src/shared/contract/trucks.ts';
import { buildChallan, buildOwner, buildPump, buildTag, buildTruck, idOf } from './builders.ts';
import { find } from './kept.ts';
import { fakeServer, type Desk } from './records.ts';
import { button, openApp, page, press, userEvent } from './screen.tsx';

/** The form of a challan: two owners, a truck of the first, two tags, a pump, and a stored challan. */

export const { create, update, get, list, listFields, findDuplicates, findLastRate } = contract.challans;
export const { lookUp } = contract.trucks;

export const ravi = buildOwner(1, { name: 'Ravi Roadlines', branchName: 'Barbil' });
export const tarini = buildOwner(2, { name: 'Maa Tarini', branchName: 'Barbil' });
export const coal = buildTag(11, { name: 'Coal' });
export const ore = buildTag(12, { name: 'Iron Ore' });
export const pump = buildPump(21, { name: 'HP Joda' });

export const storedChallan: Challan = buildChallan(31, {
  tpNo: 'TP-31',
  vehicleNo: 'OD 09 AB 1234',
  owner: { id: ravi.id, name: ravi.name, contactNumber: ravi.contactNumber, holdReason: '' },
  ownerName: ravi.name,
  ownerContactNumber: ravi.contactNumber,
  tag: { id: coal.id, name: coal.name, color: coal.color },
  petrolPump: { id: pump.id, name: pump.name },
  material: 'Coal',
  loadingDate: '2026-11-17T18:30:00.000Z',
  unloadingDate: '2026-11-18T18:30:00.000Z',
  loadingPlace: 'Talcher',
  loadingWeight: '32.50',
  unloadingWeight: '32.10',
  differenceWeight: '0.40',
  discountWeight: '0.10',
  ratePerMT: '1000.00',
  tdsPercentage: '2.0',
  tdsAmount: '642.00',
  hsdInLiters: '100.00',
  hsdAmount: '9000.00',
  advanceMoney: '1000.00',
  officeCharges: '100.00',
  shortageAmount: '300.00',
  materialShortageAmount: '600.00',
  netAmountPayable: '20758.00',
  vehicleType: 'Tipper',
  depositedAt: '2026-11-19T18:30:00.000Z',
});

export type FormDesk = Desk & {
  /** The stored challan as it is now. The lists have only `books.challans`, which is empty. */
  stored: Challan;
};

/** The server of the form. What is created gets the number CH-2627-000041. */
export function formDesk(): FormDesk {
  const server = fakeServer({
    owners: [ravi, tarini].map((owner) => ({ ...owner })),
    tags: [coal, ore],
    petrolPumps: [pump],
  });
  const desk: FormDesk = Object.assign(server, { stored: storedChallan });
  addTruck(desk, 'OD 09 AB 1234', ravi, { typeOfVehicle: 'Tipper' });
  desk.serve(get, ({ params }) => ({ data: find('Challan', [desk.stored, ...desk.books.challans], params.id) }));
  desk.serve(update, () => ({ data: desk.stored, warnings: [] }));
  desk.serve(create, () => ({
    data: { ...storedChallan, id: idOf(40 + desk.calls(create).length), challanNumber: 'CH-2627-000041' },
    warnings: [],
  }));
  return desk;
}

export const addTruck = (
  { books: { trucks } }: Desk,
  truckNumber: string,
  owner: Owner,
  over: Partial<Truck> = { typeOfVehicle: 'Trailer' },
) => void trucks.push(buildTruck(trucks.length, owner, { truckNumber, ...over }));

/** Opens an address of the app, and does not wait for anything. */
export const open = (path: string, state?: unknown) => openApp(path, 'body', 'subadmin', undefined, state);

export const storageKey = (name: string): string => `challan-desk:a@b.in:${name}`;
export const remember = (values: object): void =>
  localStorage.setItem(storageKey('challan-form.remembered'), JSON.stringify(values));

export const field = (label: string) =>
  page.getByRole('textbox', { name: label, exact: true }).or(page.getByRole('combobox', { name: label, exact: true }));
export { button, press as keys };

/** The name of the field or the words of the button that has the focus. */
export function focused(): string {
  const element = document.activeElement;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    // Without the signs that are for the eye alone.
    return element.labels?.[0]?.textContent?.replace(/[*⏎]/g, '') ?? element.name;
  }
  return element?.textContent?.trim() ?? '';
}
/** Patient, as the first test of a file waits for the screen's code too. */
export const focusOn = (name: string): Promise<void> => expect.poll(focused).toBe(name);

/** Past the prefill (100 ms): the form stands as a person finds it. */
export async function openNew(state?: unknown): Promise<void> {
  await open('/challans/create', state);
  await focusOn('TP No');
  await expect.element(field('Deposited On')).not.toHaveValue('');
}

export async function openEdit() {
  const router = await open(`/challans/edit/${storedChallan.id}`);
  await focusOn('TP No');
  return router;
}

/** Into a field as the keyboard gets there: a toast over it is no hindrance. */
export function goTo(label: string): void {
  const element = field(label).element();
  if (element instanceof HTMLElement) element.focus();
}

/** A field filled as a person does it: into it, typed over, and out of it again. */
export async function type(label: string, text: string): Promise<void> {
  await userEvent.fill(field(label), text);
  await press('{Tab}');
}

/** The same without a key for each letter, where the typing is not what is tested: into it, typed over, and left for the next. */
function enter(label: string, text: string): void {
  goTo(label);
  fireEvent.change(field(label).element(), { target: { value: text } });
}

/** Everything a challan needs, the owner from the vehicle number; `tdsPercentage` null: left as it came. */
export async function fillChallan(tdsPercentage: string | null = '2'): Promise<void> {
  enter('TP No', 'TP-900');
  enter('Vehicle No', 'OD 09 AB 1234');
  enter('Material', 'Coal');
  await expect.element(field('Owner Name')).toHaveValue(ravi.name);
  goTo('Tag');
  await press('{F4}');
  await expect.element(page.getByRole('option', { name: 'Coal' })).toBeInTheDocument();
  await press('{ArrowDown}{Enter}');
  enter('Loading Place', 'Talcher');
  enter('Unloading Place', 'Paradip');
  enter('Loading Weight (MT)', '32.50');
  enter('Unloading Weight (MT)', '32.10');
  enter('Rate per MT', '1000');
  if (tdsPercentage !== null) enter('TDS Percentage', tdsPercentage);
  enter('Advance Money', '1000');
  enter('Office Charges', '100');
  await press('{Tab}');
}
