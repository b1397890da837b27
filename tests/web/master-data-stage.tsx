import { expect, vi } from 'vitest';
import type { Endpoint, AnswerOf } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import type { OwnerAccount } from '../../src/shared/contract/accounting.ts';
import type { CopyAllowance, Owner, OwnerCard } from '../../src/shared/contract/owners.ts';
import type { PetrolPump } from '../../src/shared/contract/petrol-pumps.ts';
import type { Pagination } from '../../src/shared/contract/scalars.ts';
import type { Tag } from '../../src/shared/contract/tags.ts';
import type { Truck } from '../../src/shared/contract/trucks.ts';
import { canDeleteOwner, canDeleteTag, reasonOf } from '../../src/shared/access.ts';
import { sum } from '../../src/shared/calc/money.ts';
import { failure, focusPlace, idOf, json, page, press, userEvent, type Asked } from './challan-list-stage.tsx';

/**
 * The master-data screens on a pretend network: `fetch` is the one thing replaced. It answers from records in memory,
 * typed by the contract, checks every query and body against it as the server does, and keeps what was asked.
 */
type Answer = (asked: Asked) => Response | Promise<Response>;

export interface Books {
  owners: Owner[];
  trucks: Truck[];
  tags: Tag[];
  petrolPumps: PetrolPump[];
  cards: OwnerCard[];
  /** How many owners may still be copied today. */
  copying: CopyAllowance;
  /** False: the admin has switched the directory of owners off. */
  isDirectoryOn?: boolean;
  /** Challans per owner or tag. */
  challans: Map<string, number>;
  /** What owners are owed and were paid; of the others nothing. */
  accounts: Map<string, Partial<OwnerAccount>>;
}

export interface Desk {
  books: Books;
  asked: Asked[];
  /** The idempotency keys of the writes, in their order. */
  keys: (string | null)[];
  /** The next call of this kind is answered by `answer`. */
  once: (method: string, path: RegExp, answer: Answer) => void;
  asks: (method: string, path: RegExp) => Asked[];
}

const stamp = { createdAt: '2026-11-14T05:00:00.000Z', updatedAt: '2026-11-20T05:30:00.000Z', version: 1 };
const two = (n: number): string => String(n).padStart(2, '0');

export const buildOwner = (n: number, over: Partial<Owner> = {}): Owner => ({
  id: idOf(n),
  name: `Owner ${two(n)}`,
  contactNumber: `98765432${two(n)}`,
  address: `Plot ${n}, Joda`,
  accountNo: `0012345678${two(n)}`,
  ifsc: 'SBIN0001234',
  panNo: `ABCDE12${two(n)}F`,
  branchName: 'Joda',
  language: 'English',
  holdReason: '',
  subadminId: idOf(1000),
  ...stamp,
  ...over,
});
export const buildTruck = (n: number, owner: Pick<Owner, 'id' | 'name'>, over: Partial<Truck> = {}): Truck => ({
  id: idOf(100 + n),
  truckNumber: `OD09AB10${two(n)}`,
  typeOfVehicle: 'Hyva',
  noOfWheels: 12,
  ownerId: owner.id,
  owner: { id: owner.id, name: owner.name },
  ...stamp,
  ...over,
});
export const buildTag = (n: number, over: Partial<Tag> = {}): Tag => ({
  id: idOf(200 + n),
  name: `TAG ${two(n)}`,
  color: '#10B981',
  description: '',
  ...stamp,
  ...over,
});
export const buildPump = (n: number, over: Partial<PetrolPump> = {}): PetrolPump => ({
  id: idOf(300 + n),
  name: `Pump ${two(n)}`,
  contactNumber: `91234567${two(n)}`,
  address: 'Main Road, Joda',
  ...stamp,
  ...over,
});
export const buildCard = (n: number, over: Partial<OwnerCard> = {}): OwnerCard => ({
  ...buildOwner(n),
  id: idOf(400 + n),
  contactNumber: `••••••32${two(n)}`,
  accountNo: `••••••••78${two(n)}`,
  panNo: `••••••2${two(n)}F`,
  subadminId: idOf(2000),
  trucks: [],
  trucksCount: 0,
  inYourList: null,
  currentSubAdmin: { bannerName: 'Shree Balaji Carriers' },
  ...over,
});

export const many = <T,>(count: number, build: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => build(index + 1));

const emptyBooks = (over: Partial<Books> = {}): Books => ({
  owners: [],
  trucks: [],
  tags: [],
  petrolPumps: [],
  copying: { perDay: 100, left: 100 },
  cards: [],
  challans: new Map(),
  accounts: new Map(),
  ...over,
});

export const reply = <E extends Endpoint>(_endpoint: E, body: AnswerOf<E>, status = 200): Response =>
  json({ success: true, ...body }, status);
const gone = (noun: string): Response => failure(404, 'NOT_FOUND', `${noun} not found`);
const nextId = (rows: readonly { id: string }[], from: number): string => idOf(from + 90 + rows.length);

/** What one business copied of another, as the lists of both roles have it. */
export const copiedPage = (asked: { page: number; limit: number }, by: string) =>
  paged(
    [
      {
        id: '00000000-0000-4000-8000-00000000c001',
        name: 'Asha Roadlines',
        from: 'Maa Tarini Transport',
        to: 'Shree Balaji Carriers',
        copiedAt: '2026-11-20T05:30:00.000Z',
        by,
      },
    ],
    asked,
  );

export function paged<T>(rows: readonly T[], { page, limit }: { page: number; limit: number }) {
  const offset = (page - 1) * limit;
  const totalPages = Math.ceil(rows.length / limit);
  const pagination: Pagination = {
    currentPage: page,
    limit,
    totalPages,
    totalCount: rows.length,
    hasNext: page < totalPages,
    hasPrevious: page > 1,
    offset,
  };
  return { data: rows.slice(offset, offset + limit), pagination };
}

const holds = (text: string, term: string | undefined): boolean =>
  text.toLowerCase().includes((term ?? '').toLowerCase());
const byName = <T extends { name: string }>(rows: readonly T[], order: 'asc' | 'desc'): T[] =>
  rows.toSorted((a, b) => a.name.localeCompare(b.name) * (order === 'asc' ? 1 : -1));

/** Saves a change over the stored record, or refuses one that was made on an older version. */
function change<T extends { version: number }>(noun: string, row: T | undefined, body: { version?: number }): Response {
  if (!row) return gone(noun);
  if (body.version !== undefined && body.version !== row.version) {
    const message = `This ${noun.toLowerCase()} was changed by someone else`;
    return json({ success: false, message, code: 'VERSION_CONFLICT', data: row, requestId: 'r' }, 409);
  }
  Object.assign(row, body, { version: row.version + 1 });
  return json({ success: true, data: row });
}

function ownersAnswer(books: Books, { method, path, query, body }: Asked): Response {
  const endpoints = contract.owners;
  const id = path.split('/')[2] ?? '';
  const owner = books.owners.find((item) => item.id === id);
  const trucksOf = (ownerId: string) => books.trucks.filter((truck) => truck.ownerId === ownerId);
  const withTrucks = (item: Owner) => ({ ...item, trucks: trucksOf(item.id), trucksCount: trucksOf(item.id).length });
  if (path === '/owners/all-system') {
    const asked = endpoints.listAllSystem.query.parse(query);
    const found = books.cards.filter((card) => holds(card.name + card.currentSubAdmin.bannerName, asked.search));
    return reply(endpoints.listAllSystem, {
      ...paged(found, asked),
      meta: { copying: books.copying, isDirectoryOn: books.isDirectoryOn ?? true },
    });
  }
  if (path === '/owners/copied') {
    return reply(endpoints.listCopied, copiedPage(endpoints.listCopied.query.parse(query), 'desk@balaji.test'));
  }
  if (path === '/owners/copy') {
    const { ownerIds } = endpoints.copy.body.parse(body);
    const copied = books.cards.filter((card) => ownerIds.includes(card.id));
    const trucks = copied.reduce((count, card) => count + card.trucksCount, 0);
    const meta = { totalOwnersCopied: copied.length, totalTrucksCopied: trucks, errors: [] };
    return reply(endpoints.copy, { meta });
  }
  if (path === '/owners/search') {
    const asked = endpoints.search.query.parse(query);
    const found = books.owners
      .filter((item) => holds(item.name + item.contactNumber + item.panNo + item.accountNo, asked.q))
      .map(withTrucks);
    const { data: results, pagination } = paged(found, asked);
    return reply(endpoints.search, { results, count: found.length, searchTerm: asked.q, pagination });
  }
  if (method === 'GET' && path === '/owners') {
    const asked = endpoints.list.query.parse(query);
    const { data, pagination } = paged(byName(books.owners, asked.sortOrder), asked);
    const rows = data.map((item) => {
      const { trucks, trucksCount } = withTrucks(item);
      return { owner: item, trucks, trucksCount };
    });
    return reply(endpoints.list, { data: rows, pagination, meta: { totalTrucks: books.trucks.length } });
  }
  if (method === 'POST') {
    const input = endpoints.create.body.parse(body);
    const made = buildOwner(0, { ...input, id: nextId(books.owners, 0) });
    books.owners.push(made);
    return reply(endpoints.create, { data: made }, 201);
  }
  if (method === 'PUT') return change('Owner', owner, endpoints.update.body.parse(body));
  if (!owner) return gone('Owner');
  const totalChallans = books.challans.get(id) ?? 0;
  const reason = reasonOf(canDeleteOwner(owner, totalChallans));
  if (path.endsWith('/usage')) {
    return reply(endpoints.usage, { data: { usage: { totalChallans, canDelete: reason === undefined } } });
  }
  if (method === 'GET') return reply(endpoints.get, { data: withTrucks(owner) });
  if (reason) return failure(409, 'OWNER_IN_USE', reason);
  books.owners = books.owners.filter((item) => item !== owner);
  books.trucks = books.trucks.filter((truck) => truck.ownerId !== id);
  return reply(endpoints.remove, { message: 'Owner deleted successfully' });
}

function trucksAnswer(books: Books, { method, path, query, body }: Asked): Response {
  const endpoints = contract.trucks;
  const truck = books.trucks.find((item) => item.id === path.split('/')[2]);
  if (path === '/trucks/search') {
    const asked = endpoints.search.query.parse(query);
    const found = books.trucks.filter((item) => holds(item.truckNumber + item.owner.name, asked.q));
    const { data: results, pagination } = paged(found, asked);
    return reply(endpoints.search, { results, count: found.length, searchTerm: asked.q, pagination });
  }
  if (method === 'GET') return reply(endpoints.list, paged(books.trucks, endpoints.list.query.parse(query)));
  if (method === 'POST') {
    const { typeOfVehicle = '', ...input } = endpoints.create.body.parse(body);
    const owner = books.owners.find(({ id }) => id === input.ownerId);
    if (!owner) return failure(400, 'INVALID_REFERENCE', 'Please select an owner');
    const made = buildTruck(0, owner, { ...input, typeOfVehicle, id: nextId(books.trucks, 100) });
    books.trucks.push(made);
    return reply(endpoints.create, { data: made }, 201);
  }
  if (method === 'PUT') return change('Truck', truck, endpoints.update.body.parse(body));
  if (!truck) return gone('Truck');
  books.trucks = books.trucks.filter((item) => item !== truck);
  return reply(endpoints.remove, { message: 'Truck deleted successfully' });
}

function tagsAnswer(books: Books, { method, path, query, body }: Asked): Response {
  const endpoints = contract.tags;
  const tag = books.tags.find((item) => item.id === path.split('/')[2]);
  if (method === 'GET' && path === '/tags') {
    const asked = endpoints.list.query.parse(query);
    const found = books.tags.filter(({ name }) => holds(name, asked.search));
    return reply(endpoints.list, paged(byName(found, asked.sortOrder), asked));
  }
  if (method === 'POST') {
    const { description = '', ...input } = endpoints.create.body.parse(body);
    const made = buildTag(0, { ...input, description, id: nextId(books.tags, 200) });
    books.tags.push(made);
    return reply(endpoints.create, { data: made }, 201);
  }
  if (method === 'PUT') return change('Tag', tag, endpoints.update.body.parse(body));
  if (!tag) return gone('Tag');
  const totalChallans = books.challans.get(tag.id) ?? 0;
  const reason = reasonOf(canDeleteTag(tag, totalChallans));
  if (path.endsWith('/usage')) {
    const usage = { totalChallans, paidChallans: totalChallans, unpaidChallans: 0, canDelete: reason === undefined };
    return reply(endpoints.usage, { data: { usage } });
  }
  if (method === 'GET') return reply(endpoints.get, { data: tag });
  if (reason) return failure(409, 'TAG_IN_USE', reason);
  books.tags = books.tags.filter((item) => item !== tag);
  return reply(endpoints.remove, { message: 'Tag deleted successfully' });
}

function pumpsAnswer(books: Books, { method, path, query, body }: Asked): Response {
  const endpoints = contract.petrolPumps;
  const pump = books.petrolPumps.find((item) => item.id === path.split('/')[2]);
  if (method === 'GET' && path === '/petrol-pumps') {
    const asked = endpoints.list.query.parse(query);
    return reply(
      endpoints.list,
      paged(
        books.petrolPumps.filter(({ name }) => holds(name, asked.search)),
        asked,
      ),
    );
  }
  if (method === 'POST') {
    const made = buildPump(0, { ...endpoints.create.body.parse(body), id: nextId(books.petrolPumps, 300) });
    books.petrolPumps.push(made);
    return reply(endpoints.create, { data: made }, 201);
  }
  if (method === 'PUT') return change('Petrol pump', pump, endpoints.update.body.parse(body));
  if (!pump) return gone('Petrol pump');
  if (method === 'GET') return reply(endpoints.get, { data: pump });
  books.petrolPumps = books.petrolPumps.filter((item) => item !== pump);
  return reply(endpoints.remove, { message: 'Petrol pump deleted successfully' });
}

const noMoney = {
  unpaidCount: 0,
  unpaidAmount: '0.00',
  carriedAmount: '0.00',
  openingBalance: '0.00',
  oldestDue: null,
  lastPaidOn: null,
  paidThisMonth: '0.00',
  payments: [],
};

export function buildAccount({ id, name, contactNumber, address, holdReason, createdAt }: Owner, books: Books) {
  const trucksCount = books.trucks.filter(({ ownerId }) => ownerId === id).length;
  const own = books.accounts.get(id) ?? {};
  return { id, name, contactNumber, address, holdReason, createdAt, trucksCount, ...noMoney, ...own };
}

/** In the order of their names, whatever is asked for: the server sorts. */
function accountsAnswer(books: Books, { query }: Asked): Response {
  const endpoint = contract.accounting.listOwners;
  const asked = endpoint.query.parse(query);
  const found = byName(books.owners, 'asc').filter((item) => holds(item.name + item.contactNumber, asked.search));
  const all = found.map((item) => buildAccount(item, books));
  const summary = {
    totalTrucks: all.reduce((count, row) => count + row.trucksCount, 0),
    unpaidCount: all.reduce((count, row) => count + row.unpaidCount, 0),
    unpaidAmount: sum(all.map((row) => row.unpaidAmount)),
    carriedAmount: sum(all.map((row) => row.carriedAmount)),
    openingBalance: sum(all.map((row) => row.openingBalance)),
    paidThisMonth: sum(all.map((row) => row.paidThisMonth)),
  };
  return reply(endpoint, { ...paged(all, asked), summary });
}

function answerOf(books: Books, asked: Asked): Response {
  if (asked.path === '/accounting/owners') return accountsAnswer(books, asked);
  if (asked.path.startsWith('/owners')) return ownersAnswer(books, asked);
  if (asked.path.startsWith('/trucks')) return trucksAnswer(books, asked);
  if (asked.path.startsWith('/tags')) return tagsAnswer(books, asked);
  if (asked.path.startsWith('/petrol-pumps')) return pumpsAnswer(books, asked);
  return failure(404, 'NOT_FOUND', `Nothing answers ${asked.method} ${asked.path}`);
}

/** What the account has arranged is asked for beside every table: only a test that names it means it. */
const isMeant = (asked: Asked, method: string, path: RegExp): boolean =>
  asked.method === method &&
  path.test(asked.path) &&
  (asked.path !== '/preferences' || path.source.includes('preferences'));

export function makeDesk(over: Partial<Books> = {}): Desk {
  const special: { method: string; path: RegExp; answer: Answer }[] = [];
  const desk: Desk = {
    books: emptyBooks(over),
    asked: [],
    keys: [],
    once: (method, path, answer) => void special.push({ method, path, answer }),
    asks: (method, path) => desk.asked.filter((item) => isMeant(item, method, path)),
  };
  vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
    const url = new URL(target, 'http://here');
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    desk.asked.push(asked);
    if (asked.method !== 'GET') desk.keys.push(new Headers(init.headers).get('idempotency-key'));
    const at = special.findIndex((item) => isMeant(asked, item.method, item.path));
    const found = at < 0 ? undefined : special.splice(at, 1)[0];
    const answer = Promise.resolve(found ? found.answer(asked) : answerOf(desk.books, asked));
    const { signal } = init;
    if (!signal) return answer;
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return Promise.race([answer, aborted]);
  });
  return desk;
}

/** Types into the search field, which '/' leads to. */
export async function search(text: string): Promise<void> {
  await press('/');
  // At once: between single letters a busy machine pauses longer than the search waits.
  document.execCommand('insertText', false, text);
}

/** A server that fails without a sentence of its own: the screen's default of the error catalogue is what is shown. */
export const speechless = (): Response => json({ success: false }, 500);

/** Puts the focus on a cell as a user does. */
export async function goToCell(n: number, column: string): Promise<void> {
  const found = () => document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="${column}"]`);
  await expect.poll(found, { message: `The cell ${column} of record ${n}` }).not.toBeNull();
  await userEvent.click(found() as Element);
  await expect.poll(focusPlace).toBe(`${n} ${column}`);
}

export const cell = (n: number, column: string): string =>
  document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="${column}"]`)?.textContent?.trim() ?? 'no cell';
export const heads = (): string[] =>
  [...document.querySelectorAll('.ag-header-cell .ag-header-cell-text')].map((item) => item.textContent ?? '');
export const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
export const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
export const button = (name: string) => page.getByRole('button', { name, exact: true });
/** The confirmation on the screen: '<title> <body>'. */
export const question = (): string => {
  const box = document.querySelector('[role="alertdialog"]');
  return [box?.querySelector('h2')?.textContent, box?.querySelector('.overflow-y-auto')?.textContent].join(' ');
};

/** Why what was confirmed has failed: it is shown in the confirmation, which stays. */
export const whyNotDone = () => page.getByRole('alertdialog').getByRole('alert');

/** Fills fields by label, one after the other, and leaves the last. */
export async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) await userEvent.fill(field(label), text);
  await press('{Tab}');
}

/** Each row of the table: what is left in a field, and the message beside it. */
export async function expectMessage(label: string, text: string, message: string): Promise<void> {
  await userEvent.fill(field(label), text);
  await press('{Tab}');
  await expect.element(field(label)).toHaveAccessibleDescription(message);
}
