import { cleanup, fireEvent, render } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { contract } from '../../src/shared/contract/index.ts';
import type { Challan, ChallanReference } from '../../src/shared/contract/challan.ts';
import type { AnswerOf, Endpoint } from '../../src/shared/contract/define.ts';
import type { ErrorBody } from '../../src/shared/contract/errors.ts';
import type { OwnerWithTrucks } from '../../src/shared/contract/owners.ts';
import type { PetrolPump } from '../../src/shared/contract/petrol-pumps.ts';
import type { Tag } from '../../src/shared/contract/tags.ts';
import { makeQueryClient } from '../../src/web/api/query-client.ts';
import { endSession, startSession } from '../../src/web/api/session-store.ts';
import { routes } from '../../src/web/routes.tsx';
import { notify } from '../../src/web/feedback/toast.ts';
import '../../src/web/theme.css';

/** The form on a network that is ours: a small server at the edge of `fetch`, typed by the contract. */
export const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const stamp = { createdAt: '2026-11-20T05:00:00.000Z', updatedAt: '2026-11-20T05:00:00.000Z', version: 1 };

const owner = (number: number, name: string): OwnerWithTrucks => ({
  id: id(number),
  name,
  contactNumber: `943700000${number}`,
  address: '',
  accountNo: '00123',
  ifsc: '',
  panNo: 'ABCDE1234F',
  branchName: 'Barbil',
  language: 'English',
  holdReason: '',
  subadminId: id(99),
  trucksCount: 0,
  trucks: [],
  ...stamp,
});
export const ravi = owner(1, 'Ravi Roadlines');
export const tarini = owner(2, 'Maa Tarini');
export const coal: Tag = { id: id(11), name: 'Coal', color: '#64748B', description: '', ...stamp };
export const ore: Tag = { id: id(12), name: 'Iron Ore', color: '#EF4444', description: '', ...stamp };
export const pump: PetrolPump = { id: id(21), name: 'HP Joda', contactNumber: '9437000000', address: 'Joda', ...stamp };

const reference = ({ id, name, contactNumber }: OwnerWithTrucks) => ({ id, name, contactNumber });

export const storedChallan: Challan = {
  id: id(31),
  challanNumber: 'CH-2627-000031',
  tpNo: 'TP-31',
  vehicleNo: 'OD 09 AB 1234',
  owner: { ...reference(ravi), holdReason: '' },
  ownerName: ravi.name,
  ownerContactNumber: ravi.contactNumber,
  discounter: null,
  tag: { id: coal.id, name: coal.name, color: coal.color },
  petrolPump: { id: pump.id, name: pump.name },
  material: 'Coal',
  loadingDate: '2026-11-17T18:30:00.000Z',
  unloadingDate: '2026-11-18T18:30:00.000Z',
  loadingPlace: 'Talcher',
  unloadingPlace: 'Paradip',
  loadingWeight: '32.50',
  unloadingWeight: '32.10',
  differenceWeight: '0.40',
  discountWeight: '0.10',
  ratePerMT: '1000.00',
  tdsPercentage: '2.0',
  tdsAmount: '642.00',
  hsdPricePerLiter: '90.00',
  hsdInLiters: '100.00',
  hsdAmount: '9000.00',
  advanceMoney: '1000.00',
  officeCharges: '100.00',
  shortageAmount: '300.00',
  materialShortageAmount: '600.00',
  netAmountPayable: '20758.00',
  vehicleType: 'Tipper',
  vehicleWheel: 12,
  driverName: '',
  drivingLicenseNo: '',
  dataEntryBy: 'Sunil',
  remarks: '',
  paymentStatus: false,
  paidAt: null,
  payment: null,
  holdReason: '',
  hsdVerified: false,
  hsdVerifiedAt: null,
  depositedAt: '2026-11-19T18:30:00.000Z',
  ...stamp,
};

export const referenceOf = ({ id, challanNumber, tpNo, vehicleNo, loadingDate }: Challan): ChallanReference => ({
  id,
  challanNumber,
  tpNo,
  vehicleNo,
  loadingDate,
});

interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  // What a test compares is whatever was sent.
  body: unknown;
  headers: Headers;
}
type Handler = (sent: Sent) => Response | Promise<Response>;

const jsonOf = (body: unknown, status: number) => new Response(JSON.stringify(body), { status });
export const reply = <E extends Endpoint>(endpoint: E, body: AnswerOf<E>): Response =>
  jsonOf({ success: true, ...body }, endpoint.status);
export const refuse = (status: number, body: Partial<ErrorBody>): Response =>
  jsonOf({ success: false, message: 'Refused', code: 'VALIDATION_ERROR', requestId: 'r-1', ...body }, status);

const pageOf = (count: number) => ({
  currentPage: 1,
  limit: 10,
  totalPages: 1,
  totalCount: count,
  hasNext: false,
  hasPrevious: false,
  offset: 0,
});

export interface Network {
  sent: Sent[];
  /** Requests of one call: 'POST /challans'. */
  of: (call: string) => Sent[];
  on: (call: string, handler: Handler) => void;
  /** The challans of the account, newest first. */
  challans: Challan[];
  /** The numbers of the account's trucks. */
  trucks: string[];
}

const listOf = (rows: readonly Challan[]): AnswerOf<typeof contract.challans.list> => ({
  data: [...rows],
  pagination: pageOf(rows.length),
  summary: {
    totalCount: rows.length,
    totalAmount: '0.00',
    paidCount: 0,
    paidAmount: '0.00',
    unpaidCount: 0,
    unpaidAmount: '0.00',
  },
});

export function startNetwork(): Network {
  const handlers = new Map<string, Handler>();
  const network: Network = {
    sent: [],
    of: (call) => network.sent.filter(({ method, path }) => `${method} ${path}` === call),
    on: (call, handler) => handlers.set(call, handler),
    challans: [],
    trucks: [],
  };
  const { owners, tags, petrolPumps, trucks, challans } = contract;
  const all = [ravi, tarini];
  network.on('GET /owners', () =>
    reply(owners.list, {
      data: all.map((item) => ({ owner: item, trucks: [], trucksCount: 0 })),
      pagination: pageOf(2),
      meta: { totalTrucks: 0 },
    }),
  );
  network.on('GET /owners/search', ({ query }) => {
    const q = query.get('q') ?? '';
    const results = all.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
    const pagination = pageOf(results.length);
    return reply(owners.search, { results, count: results.length, searchTerm: q, pagination });
  });
  network.on('GET /tags', ({ query }) => {
    const search = (query.get('search') ?? '').toLowerCase();
    const data = [coal, ore].filter(({ name }) => name.toLowerCase().includes(search));
    return reply(tags.list, { data, pagination: pageOf(data.length) });
  });
  network.on('GET /petrol-pumps', () => reply(petrolPumps.list, { data: [pump], pagination: pageOf(1) }));
  network.on('GET /challans', ({ query }) => {
    const ownerId = query.get('ownerId');
    return reply(challans.list, listOf(network.challans.filter((item) => !ownerId || item.owner.id === ownerId)));
  });
  network.on('GET /challans/duplicates', () => reply(challans.findDuplicates, { data: { sameTp: [], sameTrip: [] } }));
  network.on('GET /challans/last-rate', () => reply(challans.findLastRate, { data: null }));
  network.on('POST /challans', () => {
    const made = {
      ...storedChallan,
      id: id(40 + network.of('POST /challans').length),
      challanNumber: 'CH-2627-000041',
    };
    return reply(challans.create, { data: made, warnings: [] });
  });
  network.on(`GET /challans/${storedChallan.id}`, () => reply(challans.get, { data: storedChallan }));
  network.on(`PUT /challans/${storedChallan.id}`, () => reply(challans.update, { data: storedChallan, warnings: [] }));
  network.on('GET /trucks/vehicle/OD 09 AB 1234', () =>
    reply(trucks.lookUp, {
      data: {
        owner: reference(ravi),
        vehicle: { truckNumber: 'OD 09 AB 1234', typeOfVehicle: 'Tipper', noOfWheels: 12 },
      },
    }),
  );

  network.on('GET /trucks/search', ({ query }) => {
    const q = query.get('q') ?? '';
    const results = network.trucks
      .filter((truckNumber) => truckNumber.includes(q))
      .map((truckNumber, index) => ({
        id: id(80 + index),
        truckNumber,
        typeOfVehicle: 'Tipper',
        noOfWheels: 12,
        ownerId: ravi.id,
        owner: { id: ravi.id, name: ravi.name },
        ...stamp,
      }));
    return reply(trucks.search, {
      results,
      count: results.length,
      searchTerm: q,
      pagination: pageOf(results.length),
    });
  });

  vi.stubGlobal('fetch', async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url, location.origin);
    const sent: Sent = {
      method: init.method ?? 'GET',
      path: decodeURIComponent(pathname.replace(/^\/api/, '')),
      query: searchParams,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
    };
    network.sent.push(sent);
    const handler = handlers.get(`${sent.method} ${sent.path}`);
    const answer = handler ? await handler(sent) : refuse(404, { code: 'NOT_FOUND', message: 'Not found' });
    if (init.signal?.aborted) throw new DOMException('aborted', 'AbortError');
    return answer;
  });
  return network;
}

export function stopNetwork(): void {
  notify.dismissAll();
  cleanup();
  vi.unstubAllGlobals();
  endSession('logout');
  localStorage.clear();
}

/** Opens an address of the app as the sub-admin a@b.in. */
export function open(path: string, state?: unknown) {
  startSession({
    token: 'opaque-token-of-32-bytes',
    role: 'subadmin',
    user: { id: 'a@b.in', email: 'a@b.in', bannerName: 'Maa Tarini', role: 'subadmin' },
  });
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname: path, state }] });
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

export const storageKey = (name: string): string => `challan-desk:a@b.in:${name}`;
export const remember = (values: object): void =>
  localStorage.setItem(storageKey('challan-form.remembered'), JSON.stringify(values));

export const field = (label: string) =>
  page.getByRole('textbox', { name: label, exact: true }).or(page.getByRole('combobox', { name: label, exact: true }));
export const button = (name: string) => page.getByRole('button', { name, exact: true });
export const keys = (text: string): Promise<void> => userEvent.keyboard(text);

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
  open('/challans/create', state);
  await focusOn('TP No');
  await expect.element(field('Deposited On')).not.toHaveValue('');
}

export async function openEdit() {
  const router = open(`/challans/edit/${storedChallan.id}`);
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
  await keys('{Tab}');
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
  await keys('{F4}');
  await expect.element(page.getByRole('option', { name: 'Coal' })).toBeInTheDocument();
  await keys('{ArrowDown}{Enter}');
  enter('Loading Place', 'Talcher');
  enter('Unloading Place', 'Paradip');
  enter('Loading Weight (MT)', '32.50');
  enter('Unloading Weight (MT)', '32.10');
  enter('Rate per MT', '1000');
  if (tdsPercentage !== null) enter('TDS Percentage', tdsPercentage);
  enter('Advance Money', '1000');
  enter('Office Charges', '100');
  await keys('{Tab}');
}
