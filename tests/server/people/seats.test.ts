import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { rights, seats, type Seat } from '../../../src/shared/contract/seats.ts';
import { startApi, type Answer, type Api } from '../support/api.ts';
import {
  buildChallan,
  buildImport,
  buildPastChallan,
  buildOwner,
  createChallan,
  createOwner,
} from '../support/builders.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson, seatPerson, type TestPerson } from '../support/people.ts';
import { buildScene, unknownRefs, type Scene } from '../support/scene.ts';

/** What each seat may call, see and pay (docs/specification.md §28). */
let api: Api;
let scene: Scene;
const people = {} as Record<Seat, TestPerson>;
beforeAll(async () => {
  api = await startApi();
  scene = await buildScene(api, 'SEATS');
  for (const seat of seats) people[seat] = await addPerson(api, scene.tenant, seat);
});
afterAll(() => api.close());

const rows = presentRows.filter(({ endpoint }) => Array.isArray(endpoint.roles) && endpoint.roles.includes('subadmin'));

/** What an accountant may not call: people, profile, take-out, the lock. */
const ofOwners = [
  'profile.update',
  'profile.takeOut',
  'periodLock.lock',
  'periodLock.lift',
  'monthPacks.create',
  'people.list',
  'activity.list',
  'activity.listEntries',
  'people.invite',
  'people.update',
  'people.newLink',
  'people.endSessions',
  'people.viewAs',
  'people.resetSecondStep',
  'people.demandSecondStep',
  'preparedPayments.setRule',
  'preparedPayments.confirmRule',
];
/** What a clerk may not call beside these: bank details in full, and money. */
const ofMoney = [
  ...['list', 'listDeductions', 'exportCsv', 'exportXlsx', 'updateSettings'].map((name) => `tds.${name}`),
  ...['listMonths', 'exportReturnCsv', 'exportReturnXlsx'].map((name) => `tds.${name}`),
  ...['checks', 'list', 'download'].map((name) => `monthPacks.${name}`),
  ...['getSettings', 'updateSettings', 'masters', 'list', 'create', 'download', 'listChanged'].map(
    (name) => `tally.${name}`,
  ),
  ...['exportCsv', 'exportXlsx', 'markPaid', 'markMatchingPaid'].map((name) => `bankStatement.${name}`),
  ...['exportCsv', 'exportXlsx', 'advice', 'writeTo', 'takeBackCarry', 'reverse'].map(
    (name) => `paymentBatches.${name}`,
  ),
  ...['bankAccounts', 'bankLayouts', 'bankFiles', 'bankAnswers', 'tdsDeposits'].flatMap((resource) =>
    rows.map(({ name }) => name).filter((name) => name.startsWith(`${resource}.`)),
  ),
  ...['prepare', 'release', 'sendBack', 'withdraw', 'confirmAccount'].map((name) => `preparedPayments.${name}`),
  'exceptions.setFine',
  'exceptions.takeBack',
  'challans.setHold',
  'owners.setHold',
  'ownerStatements.setOpenings',
];
/** What an auditor may do although it writes: everything of the own sign-in. */
const ofOneself = [
  'session.logout',
  'session.end',
  'session.endOthers',
  'profile.changePassword',
  'people.setOwnName',
  'people.endViewAs',
  'preferences.put',
  ...['begin', 'confirm', 'renewCodes', 'turnOff', 'confirmAgain'].map((name) => `secondStep.${name}`),
];

function isRefused(seat: Seat, { name, endpoint }: TableRow): boolean {
  if (seat === 'owner') return false;
  if (ofOwners.includes(name)) return true;
  if (seat === 'accountant') return false;
  if (seat === 'clerk') return ofMoney.includes(name);
  return !endpoint.reads && !ofOneself.includes(name);
}
const sentences = Object.values(rights).flatMap((right) => ('refusal' in right ? [right.refusal] : []));

describe('every call', () => {
  it('is in one of the lists of this test by its right name', () => {
    const known = rows.map(({ name }) => name);
    expect([...ofOwners, ...ofMoney, ...ofOneself].filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(seats)('is refused to the %s exactly where the table of seats says so', async (seat) => {
    const wrong: unknown[] = [];
    const { token } = people[seat];
    // With ids that nobody has, so that what is allowed changes nothing; what ends this session comes last.
    const ofSession = (name: string): boolean => name === 'session.logout' || name === 'profile.changePassword';
    for (const row of rows.toSorted((a, b) => Number(ofSession(a.name)) - Number(ofSession(b.name)))) {
      if (row.name === 'people.viewAs' || ofSession(row.name)) continue;
      const answer = await api.call(row.endpoint, row.cell.args(unknownRefs), { token });
      const isForbidden = answer.status === 403;
      if (isForbidden !== isRefused(seat, row)) wrong.push([row.name, answer.status, answer.text.slice(0, 120)]);
      else if (isForbidden && !sentences.includes(answer.error.message as never))
        wrong.push([row.name, answer.error.message]);
    }
    expect(wrong).toEqual([]);
  });
});

describe('accounts, IFSC and PAN', () => {
  const secret = { accountNo: '987650001234987', ifsc: 'KKBK0ZQ9X7W', panNo: 'QWZXP7531K' };
  const parts = [secret.accountNo, secret.ifsc, secret.panNo, '98765000123', 'KKBK0ZQ', 'QWZXP75'];
  const found = (text: string): string[] => parts.filter((part) => text.includes(part));
  let ownerId = '';
  let clerk: TestPerson;
  let accountant: TestPerson;
  beforeAll(async () => {
    clerk = await addPerson(api, scene.tenant, 'clerk');
    accountant = await addPerson(api, scene.tenant, 'accountant');
    // The owner that every call of the table names.
    ownerId = scene.refs.ownerId;
    const changed = await api.call(
      contract.owners.update,
      { params: { id: ownerId }, body: secret },
      { token: scene.tenant.token },
    );
    expect(changed.status).toBe(200);
    // So that it can be paid. Who joined by a link of the owner's today counts as the owner.
    const { token } = await seatPerson(api, scene.tenant, 'accountant');
    const confirmed = await api.call(
      contract.preparedPayments.confirmAccount,
      { params: { id: ownerId }, body: { lastFour: '4987', called: '9876543210' } },
      { token },
    );
    expect(confirmed.status).toBe(200);
    const challan = await createChallan(api, scene.tenant, { ownerId, tagId: scene.refs.tagId });
    const paid = await api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: [challan.id] } },
      { token: scene.tenant.token },
    );
    scene = { ...scene, refs: { ...scene.refs, batchId: paid.body.data.batchId ?? '' } };
  });

  const reads = rows.filter(({ endpoint }) => endpoint.reads);

  it('are in no read of a clerk, and in those of an accountant', async () => {
    const leaks: unknown[] = [];
    let seen = 0;
    for (const row of reads) {
      const args = row.cell.args(scene.refs);
      const [mine, theirs] = [
        await api.call(row.endpoint, args, { token: clerk.token }),
        await api.call(row.endpoint, args, { token: accountant.token }),
      ];
      if (found(mine.text).length > 0) leaks.push([row.name, found(mine.text)]);
      if (found(theirs.text).length > 0) seen += 1;
    }
    expect(leaks).toEqual([]);
    // Lists, details, history, search, statement, payments: a comparison with nothing would prove nothing.
    expect(seen).toBeGreaterThanOrEqual(8);
  });

  it('end as the directory shows those of others', async () => {
    const { body } = await api.call(contract.owners.get, { params: { id: ownerId } }, { token: clerk.token });
    expect(body.data).toMatchObject({ accountNo: '•••••••••••4987', ifsc: '•••••••9X7W', panNo: '••••••531K' });
  });

  it.each([
    ['owners', (q: string) => [contract.owners.search, { query: { q } }] as const],
    ['accounting', (search: string) => [contract.accounting.listOwners, { query: { search } }] as const],
    ['palette', (search: string) => [contract.palette.search, { query: { search } }] as const],
    [
      'owners of a payment',
      (search: string) =>
        [contract.paymentBatches.owners, { params: { id: scene.refs.batchId }, query: { search } }] as const,
    ],
  ])('are not found by a search of a clerk: %s', async (_, search) => {
    const isFound = async (token: string, term: string): Promise<boolean> => {
      const [endpoint, args] = search(term);
      // The four calls have arguments of their own; what matters is whether the owner's id is in the answer.
      return (await api.call(endpoint as never, args as never, { token })).text.includes(ownerId);
    };
    for (const term of ['9876500012349', secret.panNo.slice(0, 6)]) {
      expect([term, await isFound(clerk.token, term)]).toEqual([term, false]);
    }
    expect(await isFound(accountant.token, '9876500012349')).toBe(true);
    expect(await isFound(clerk.token, 'SEATS owner')).toBe(true);
  });

  it('are not found by a search of a clerk: declarations', async () => {
    const of = { params: { id: scene.refs.declarationId }, body: { panNo: secret.panNo } };
    expect((await api.call(contract.declarations.update, of, { token: scene.tenant.token })).status).toBe(200);
    const query = { search: secret.panNo.slice(0, 6) };
    const found = async (token: string) =>
      (await api.call(contract.declarations.list, { query }, { token })).body.data.map(({ ownerId: id }) => id);
    expect([await found(clerk.token), await found(accountant.token)]).toEqual([[], [ownerId]]);
  });

  it('are in no answer to what a clerk writes: a save, a stale save, a check of a file, an undo', async () => {
    const auth = { token: clerk.token };
    const saved = await api.call(
      contract.owners.update,
      { params: { id: ownerId }, body: { branchName: 'Keonjhar Market' } },
      auth,
    );
    const stale = await api.call(
      contract.owners.update,
      { params: { id: ownerId }, body: { address: 'Elsewhere', version: 1 } },
      auth,
    );
    expect([saved.status, stale.status]).toEqual([200, 409]);
    const file = buildImport('owners', [
      { ...buildOwner(), name: saved.body.data.name, panNo: secret.panNo, accountNo: '555550001111' },
    ]);
    const check = await api.call(contract.imports.check, { body: file }, auth);
    expect(check.status).toBe(200);
    expect(check.text).toContain('"differences"');
    expect([saved, stale].flatMap(({ text }) => found(text))).toEqual([]);
    // The clerk typed the PAN in the file; the stored account is not shown.
    expect(check.text).not.toContain(secret.accountNo);
  });

  it('are not kept for another person with the same key and call', async () => {
    const body = buildChallan(scene.refs);
    const own = await api.call(contract.challans.create, { body }, { token: scene.tenant.token, key: 'the same key' });
    expect(own.status).toBe(201);
    const again = await api.call(contract.challans.create, { body }, { token: clerk.token, key: 'the same key' });
    expectRefusal(again, 422, 'IDEMPOTENCY_MISMATCH');
  });

  it('may be typed by a clerk, and are stored as typed', async () => {
    const body = { accountNo: '700070007000' };
    const saved = await api.call(contract.owners.update, { params: { id: ownerId }, body }, { token: clerk.token });
    expect(saved.body.data.accountNo).toBe('••••••••7000');
    const seen = await api.call(contract.owners.get, { params: { id: ownerId } }, { token: accountant.token });
    expect(seen.body.data.accountNo).toBe('700070007000');
    const masked = { accountNo: saved.body.data.accountNo };
    const refused = await api.call(
      contract.owners.update,
      { params: { id: ownerId }, body: masked },
      { token: clerk.token },
    );
    expectRefusal(refused, 400, 'VALIDATION_ERROR', 'Please type the whole account number');
  });
});

describe('a refusal', () => {
  const refs = unknownRefs;
  it.each<[Seat, (token: string) => Promise<Answer<unknown>>, string]>([
    [
      'clerk',
      (token) => api.call(contract.bankAccounts.list, {}, { token }),
      'A clerk does not see bank details and PANs in full. Ask an owner or an accountant.',
    ],
    [
      'auditor',
      (token) => api.call(contract.tags.remove, { params: { id: refs.tagId } }, { token }),
      'An auditor reads and does not change anything. Ask somebody of the business.',
    ],
    [
      'clerk',
      (token) => api.call(contract.owners.setHold, { params: { id: refs.ownerId }, body: { reason: 'x' } }, { token }),
      'Only an owner or an accountant may do this. Ask one of them.',
    ],
    [
      'accountant',
      (token) => api.call(contract.people.list, {}, { token }),
      'Only an owner of the business may do this. Ask one of them.',
    ],
    [
      'clerk',
      (token) =>
        api.call(
          contract.challans.update,
          { params: { id: scene.refs.paidChallanId }, body: { remarks: 'x' } },
          { token },
        ),
      'This challan is marked as paid. Only an owner or an accountant may change it.',
    ],
  ])('of a %s says who may', async (seat, call, message) => {
    const { token } = await addPerson(api, scene.tenant, seat);
    expectRefusal(await call(token), 403, 'FORBIDDEN', message);
  });
});

describe('a clerk', () => {
  let clerk: TestPerson;
  const ledger = () =>
    api.inTenant(scene.tenant, async (db) => {
      const of = async (text: string) => (await db.query(text, [db.tenantId])).rows;
      return [
        await of('SELECT t::text FROM payment_lines AS t WHERE subadmin_id = $1 ORDER BY 1'),
        await of('SELECT t::text FROM payment_batches AS t WHERE subadmin_id = $1 ORDER BY 1'),
        await of('SELECT t::text FROM owner_opening_balances AS t WHERE subadmin_id = $1 ORDER BY 1'),
        await of('SELECT t::text FROM carry_events AS t WHERE subadmin_id = $1 ORDER BY 1'),
        await of('SELECT id, payment_status, hold_reason FROM challans WHERE subadmin_id = $1 ORDER BY 1'),
        await of('SELECT id, hold_reason FROM owners WHERE subadmin_id = $1 ORDER BY 1'),
      ];
    });

  it('pays nothing and takes nothing back, by any way', async () => {
    clerk = await addPerson(api, scene.tenant, 'clerk');
    const owner = await createOwner(api, scene.tenant);
    const refs = { ownerId: owner.id, tagId: scene.refs.tagId };
    const [unpaid, paid, takenBack] = [
      await createChallan(api, scene.tenant, refs),
      await createChallan(api, scene.tenant, refs),
      await createChallan(api, scene.tenant, refs),
    ];
    const business = { token: scene.tenant.token };
    const body = { challanIds: [paid.id, takenBack.id] };
    const payment = await api.call(contract.bankStatement.markPaid, { body }, business);
    const batchId = payment.body.data.batchId ?? '';
    const made = await api.call(
      contract.challans.changeMany,
      { body: { selection: { by: 'ids', challanIds: [takenBack.id] }, act: { kind: 'paid', value: false } } },
      business,
    );
    expect(made.status).toBe(200);
    const [change] = (await api.call(contract.batches.list, { query: { kind: 'change' } }, business)).body.data;
    const changeId = change?.id ?? '';
    const openings = [{ ownerId: owner.id, asOf: '2026-03-31', amount: '9.00', note: '' }];
    const before = await ledger();
    const auth = { token: clerk.token };
    const past = buildImport('challans', [{ ...buildPastChallan(1), ownerName: owner.name }]);
    const tries = {
      'the checkbox of the grid': api.call(
        contract.challans.update,
        { params: { id: unpaid.id }, body: { paymentStatus: true } },
        auth,
      ),
      'the checkbox cleared': api.call(
        contract.challans.update,
        { params: { id: paid.id }, body: { paymentStatus: false } },
        auth,
      ),
      'a new challan that is paid': api.call(
        contract.challans.create,
        { body: { ...buildChallan(refs), paymentStatus: true } },
        auth,
      ),
      'a field and the checkbox': api.call(
        contract.challans.update,
        { params: { id: unpaid.id }, body: { remarks: 'x', paymentStatus: true } },
        auth,
      ),
      'an edit that pays another net': api.call(
        contract.challans.update,
        { params: { id: paid.id }, body: { advanceMoney: '1.00' } },
        auth,
      ),
      'a remark on a paid challan': api.call(
        contract.challans.update,
        { params: { id: paid.id }, body: { remarks: 'x' } },
        auth,
      ),
      'a sheet with a paid row': api.call(
        contract.challans.createMany,
        { body: { mode: 'all', rows: [{ key: 'a', ...buildChallan(refs), paymentStatus: true }] } },
        auth,
      ),
      'a bulk change to paid': api.call(
        contract.challans.changeMany,
        { body: { selection: { by: 'ids', challanIds: [unpaid.id] }, act: { kind: 'paid', value: true } } },
        auth,
      ),
      'a bulk change to unpaid': api.call(
        contract.challans.changeMany,
        { body: { selection: { by: 'ids', challanIds: [paid.id] }, act: { kind: 'paid', value: false } } },
        auth,
      ),
      'the bank statement': api.call(contract.bankStatement.markPaid, { body: { challanIds: [unpaid.id] } }, auth),
      'all that matches': api.call(
        contract.bankStatement.markMatchingPaid,
        { body: { paymentStatus: true, filters: {}, expected: { count: 1, totalAmount: '1.00' } } as never },
        auth,
      ),
      'a reversal': api.call(contract.paymentBatches.reverse, { params: { id: batchId }, body: { reason: 'x' } }, auth),
      'a carry taken back': api.call(
        contract.paymentBatches.takeBackCarry,
        { params: { id: batchId, ownerId: owner.id } },
        auth,
      ),
      'the undo of a bulk change to unpaid': api.call(contract.batches.undo, { params: { id: changeId } }, auth),
      'an import of paid challans': api.call(
        contract.imports.apply,
        { body: { ...past, choices: ['new'], fingerprint: 'x' } as never },
        auth,
      ),
      'opening balances': api.call(contract.ownerStatements.setOpenings, { body: { entries: openings } }, auth),
      'a hold': api.call(contract.challans.setHold, { params: { id: unpaid.id }, body: { reason: 'x' } }, auth),
      'the hold of an owner': api.call(
        contract.owners.setHold,
        { params: { id: owner.id }, body: { reason: 'x' } },
        auth,
      ),
    };
    for (const [name, call] of Object.entries(tries)) {
      const answer = await call;
      expect([name, answer.status < 300]).toEqual([name, false]);
    }
    expect(await ledger()).toEqual(before);
  });

  it('records and edits what is unpaid', async () => {
    const owner = await createOwner(api, scene.tenant);
    const auth = { token: clerk.token };
    const created = await api.call(
      contract.challans.create,
      { body: buildChallan({ ownerId: owner.id, tagId: scene.refs.tagId }) },
      auth,
    );
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    const edited = await api.call(contract.challans.update, { params: { id }, body: { remarks: 'wet load' } }, auth);
    expect(edited.status).toBe(200);
    const { data } = (await api.call(contract.history.listChallan, { params: { id } }, auth)).body;
    expect(data.map(({ actor }) => actor)).toEqual([clerk.name, clerk.name]);
  });
});
