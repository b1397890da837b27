import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../../src/shared/contract/index.ts';
import { ownerFields } from '../../../src/shared/contract/owners.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Answer, type Api } from '../support/api.ts';
import { createChallan, createDeclaration, createOwner } from '../support/builders.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { pdfText } from '../support/pdf-text.ts';
import { addPerson, seatPerson } from '../support/people.ts';
import { randomOf } from '../support/random.ts';
import { buildScene, type Refs, type Scene } from '../support/scene.ts';
import { partsOf } from '../support/workbooks.ts';

/**
 * A clerk reads everything there is to read, with random filters, orders, searches and ids, and makes files of it: account,
 * IFSC and PAN of owners are nowhere whole (docs/specification.md §28.2).
 */
const calls = long(2_000, 100_000);
const random = randomOf(testSeed('masked fields'));
const masked = Object.entries(ownerFields).flatMap(([name, field]) => ('seenWith' in field ? [name] : []));

let api: Api;
let scene: Scene;
let clerk: { token: string };
let accountant: { token: string };
const variants: Partial<Refs>[] = [];

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const chars = (from: string, count: number): string =>
  Array.from({ length: count }, () => random.pick([...from])).join('');
const digits = '0123456789';
/** Values that exist nowhere else; what was an owner's before a change counts as well. */
const buildSecret = () => ({
  accountNo: `98765${chars(digits, 10)}`,
  ifsc: `${chars(letters, 4)}0${chars(letters + digits, 6)}`,
  panNo: `${chars(letters, 5)}${chars(digits, 4)}${chars(letters, 1)}`,
});
type Secret = ReturnType<typeof buildSecret>;
const secrets: Secret[] = [];
/** Nobody's: what is found by these would be found by chance. */
const nobodys = buildSecret();
/** Each whole, and without the four characters that a clerk may see, where enough is left. */
const hidden: string[] = [];
/** As a clerk might try them: short enough that an answer which repeats them says nothing. */
const pieceOf = (secret: Secret, field: keyof Secret): string => secret[field].slice(0, 6);

beforeAll(async () => {
  api = await startApi();
  scene = await buildScene(api, 'MASKED');
  const auth = { token: scene.tenant.token };
  const { token } = await seatPerson(api, scene.tenant, 'accountant');
  accountant = await seatPerson(api, scene.tenant, 'accountant');
  for (let n = 0; n < 8; n += 1) {
    const [first, then] = [buildSecret(), buildSecret()];
    secrets.push(first, then);
    // Names and accounts are in no order of each other.
    const { id: ownerId } = await createOwner(api, scene.tenant, { ...first, name: `Owner ${chars(letters, 6)}` });
    const refs = { ownerId, tagId: scene.refs.tagId };
    const challans = [];
    for (let count = 0; count < 3; count += 1) challans.push(await createChallan(api, scene.tenant, refs));
    const changed = await api.call(contract.owners.update, { params: { id: ownerId }, body: then }, auth);
    expect(changed.status, changed.text).toBe(200);
    const called = { lastFour: then.accountNo.slice(-4), called: '9876543210' };
    // Some wait for it.
    if (n % 4 > 0) {
      const confirmed = { params: { id: ownerId }, body: called };
      expect((await api.call(contract.preparedPayments.confirmAccount, confirmed, { token })).status).toBe(200);
      const body = { challanIds: [challans[0]!.id] };
      const paid = await api.call(contract.bankStatement.markPaid, { body }, auth);
      variants.push({ batchId: paid.body.data.batchId ?? '', paidChallanId: challans[0]!.id });
    }
    const { id: declarationId } = await createDeclaration(api, scene.tenant, ownerId, { panNo: then.panNo });
    variants.push({ ownerId, challanId: challans[1]!.id, changedOwnerId: ownerId, declarationId });
  }
  hidden.push(
    ...secrets.flatMap((secret) =>
      Object.values(secret).flatMap((value) => [value, value.slice(0, Math.max(7, value.length - 4))]),
    ),
  );
  clerk = await addPerson(api, scene.tenant, 'clerk');
});
afterAll(() => api.close());

const reads = presentRows.filter(
  ({ endpoint }) => endpoint.reads && Array.isArray(endpoint.roles) && endpoint.roles.includes('subadmin'),
);
/** Writes whose answers show an owner: a stale save, undoing what somebody did. */
const writes = presentRows.filter(({ name }) => ['owners.update', 'owners.remove', 'batches.undo'].includes(name));

/** Where a term looks. The other parameters of queries have values of their own. */
const searches = ['search', 'q', 'ownerName', 'name', 'accountNo', 'panNo', 'tpNo', 'vehicleNo'];
const orders = [
  ...masked,
  'name',
  'createdAt',
  'number',
  'challanNumber',
  'ownerName',
  'unpaidAmount',
  'netAmountPayable',
];
const enums = new Map<z.ZodType, unknown[]>();
function optionsOf(schema: z.ZodType): unknown[] {
  const known = enums.get(schema);
  if (known) return known;
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const found = [...text.matchAll(/"enum":(\[[^\]]*\])/g)].flatMap(([, list = '[]']) => JSON.parse(list) as unknown[]);
  enums.set(schema, found);
  return found;
}

type Bag = Record<string, unknown>;
function valueOf(name: string, schema: z.ZodType, term: string): unknown {
  if (searches.includes(name)) return term;
  if (name === 'sortBy') return random.pick([...orders, ...optionsOf(schema)]);
  if (name === 'sortOrder') return random.pick(['asc', 'desc']);
  if (name === 'fields') return random.some([...masked, 'id', 'tag', 'ownerName', 'vehicleNo'], 3).join();
  if (name === 'page') return random.pick([1, 1, 2, 3, 0]);
  if (name === 'limit') return random.pick([1, 3, 10, 100, 1000]);
  const options = optionsOf(schema);
  return options.length > 0 ? random.pick(options) : random.pick(['', '1', 'true', '2026-04-10', 'Owner', term, '•']);
}

/** A call of the table with other ids of the business, and some of the parameters that its query knows. */
function draw(row: TableRow, term: string) {
  const refs = { ...scene.refs, ...random.pick([{}, ...variants]) };
  const args = row.cell.args(refs) as { params?: Record<string, string>; query?: Bag; body?: Bag };
  const shape = Object.entries((row.endpoint.query?.shape ?? {}) as Record<string, z.ZodType>);
  const more = random
    .some(shape, random.below(4))
    .map(([name, schema]) => [name, valueOf(name, schema, term)] as const);
  const searched = shape
    .filter(([name]) => searches.includes(name) && random.chance(0.6))
    .map(([name]) => [name, term]);
  const query = { ...args.query, ...Object.fromEntries(more), ...Object.fromEntries(searched) };
  const body = row.name === 'owners.update' ? { ...args.body, version: random.pick([1, 1, 999]) } : args.body;
  const params = args.params && random.chance(0.03) ? { id: 'x' } : args.params;
  const path = row.endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? 'x'));
  const search = new URLSearchParams(
    Object.entries({ ...query, ...row.endpoint.when }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return { row, url: `/api${path}?${search.toString()}`, body };
}
type Drawn = ReturnType<typeof draw>;
const send = ({ row, url, body }: Drawn, who: { token: string }) =>
  api.callRaw(row.endpoint.method, url, { token: who.token, ...(body === undefined ? {} : { body }) });

/** What a person can read of an answer: its body, its headers, and what is in a file. */
async function readable({ text, bytes, headers }: Answer<unknown>): Promise<string> {
  const parts = [text, JSON.stringify(headers)];
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') parts.push(...(await partsOf(bytes)).values());
  else if (bytes.subarray(0, 4).toString('latin1') === '%PDF') parts.push(...pdfText(bytes));
  return parts.join('\n');
}
const shownIn = (text: string): string[] => hidden.filter((value) => text.includes(value));
const ownersIn = (text: string): string[] =>
  variants.flatMap(({ ownerId }) => (ownerId !== undefined && text.includes(ownerId) ? [ownerId] : []));

it(
  `${calls} answers to a clerk: no account, IFSC or PAN in any of them, and no owner is found by one`,
  async () => {
    const statuses = new Map<number, number>();
    const count = { answers: 0, files: 0, compared: 0, shownToAccountant: 0 };
    const look = async (drawn: Drawn): Promise<string> => {
      const answer = await send(drawn, clerk);
      const text = await readable(answer);
      const where = `${drawn.row.endpoint.method} ${drawn.url}`;
      expect([where, shownIn(text)]).toEqual([where, []]);
      expect(answer.status, `${where}: ${answer.text.slice(0, 200)}`).toBeLessThan(500);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      count.answers += 1;
      if (/^(PK|%PDF)/.test(answer.bytes.subarray(0, 4).toString('latin1'))) count.files += 1;
      return text;
    };
    const once = async (): Promise<void> => {
      const field = random.pick(['accountNo', 'ifsc', 'panNo'] as const);
      const piece = pieceOf(random.pick(secrets), field);
      const term = random.pick(['', 'Owner', 'MASKED', 'OD09', '•••', piece, piece, piece]);
      const drawn = draw(random.chance(0.04) ? random.pick(writes) : random.pick(reads), term);
      const text = await look(drawn);
      if (term === piece && drawn.row.endpoint.reads && drawn.url.includes(piece)) {
        // The same question with what nobody has: an owner that only the first answer names was found by the hidden value.
        const other = await look({ ...drawn, url: drawn.url.replaceAll(piece, pieceOf(nobodys, field)) });
        expect([drawn.url, ownersIn(text)]).toEqual([drawn.url, ownersIn(other)]);
        count.compared += 1;
      }
      // What the accountant reads by the same call: without it nothing would be proven.
      if (drawn.row.endpoint.reads && random.chance(0.05)) {
        const theirs = await readable(await send(drawn, accountant));
        if (shownIn(theirs).length > 0) count.shownToAccountant += 1;
      }
    };
    // As many at once as one account may have at work.
    while (count.answers < calls) await Promise.all(Array.from({ length: 6 }, once));
    process.stdout.write(
      `${count.answers} answers to a clerk, ${count.files} of them workbooks and PDFs, ${count.compared} searches by what is ` +
        `hidden compared; ${count.shownToAccountant} of the same calls showed it to an accountant; ` +
        `statuses ${JSON.stringify([...statuses].sort())}\n`,
    );
    expect(statuses.get(200) ?? 0).toBeGreaterThan(calls / 4);
    expect(count.compared).toBeGreaterThan(calls / 100);
    expect(count.shownToAccountant).toBeGreaterThan(0);
    expect(count.files).toBeGreaterThan(0);
  },
  longLimit(120_000, 3_600_000),
);

it('no list is put in the order of a masked field', async () => {
  const idsIn = (text: string): string[] => [...text.matchAll(/"(?:ownerId|id)":"([^"]+)"/g)].map(([, id = '']) => id);
  const sorted = reads.filter(({ endpoint }) => 'sortBy' in (endpoint.query?.shape ?? {}));
  const followed: string[] = [];
  for (const row of sorted) {
    for (const sortBy of [...masked, 'ownerAccountNo', 'ownerPanNo']) {
      const [up, down] = await Promise.all(
        ['asc', 'desc'].map((sortOrder) => {
          const args = row.cell.args(scene.refs) as { query?: Bag };
          // What is not in the table of orders must not be taken.
          const asked = { ...args, query: { ...args.query, sortBy, sortOrder } };
          return api.call(row.endpoint, asked as never, clerk);
        }),
      );
      if (up!.status === 200 && idsIn(up!.text).join() !== idsIn(down!.text).join())
        followed.push(`${row.name} ${sortBy}`);
    }
  }
  expect(sorted.length).toBeGreaterThan(3);
  expect(followed).toEqual([]);
});
