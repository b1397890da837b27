import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyFields } from '../../../src/shared/columns/history-fields.ts';
import type { BodyInput, Endpoint } from '../../../src/shared/contract/define.ts';
import type { HistoryEntry } from '../../../src/shared/contract/history.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { storedFields } from '../../../src/server/features/challans/challans.queries.ts';
import { startApi, type Answer, type Api, type Tenant } from '../support/api.ts';
import {
  createBankAccount,
  createDeclaration,
  createTdsDeposit,
  createChallan,
  createOwner,
  createPump,
  createTag,
  createTruck,
} from '../support/builders.ts';
import { expectRefusal, unknownId, withoutRequestId } from '../support/expect.ts';
import { addPerson } from '../support/people.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant('Koel Carriers');
});
afterAll(() => api.close());

const { history, owners, trucks, tags, petrolPumps, challans, bankStatement, paymentBatches, subadmins, profile } =
  contract;
type TenantHistory = Exclude<keyof typeof history, 'listSubadmin' | 'listProfile'>;

const on = (screen: string, who: { token: string } = tenant) => ({
  token: who.token,
  headers: { 'x-screen': screen },
});
const admin = () => ({ token: api.adminToken });

const read = async (verb: TenantHistory, id: string, who = tenant): Promise<HistoryEntry[]> =>
  (await api.call(history[verb], { params: { id }, query: { limit: 100 } }, { token: who.token })).body.data;
const readAccount = async (id: string): Promise<HistoryEntry[]> =>
  (await api.call(history.listSubadmin, { params: { id } }, admin())).body.data;

/** 'Edited: Rate per MT 1000.00 → 1050.00', newest first. */
const shown = (entries: readonly HistoryEntry[]): string[] =>
  entries.map(({ action, changes }) => {
    const shown = changes.map(({ label, before, after }) => `${label} ${before ?? '—'} → ${after ?? '—'}`);
    return [action, ...shown].join(': ').replaceAll(': ', ' | ').replace(' | ', ': ');
  });

const expectDone = (answer: Answer<unknown>): void => expect([answer.status, answer.text]).toEqual([200, answer.text]);

async function openBooks(who = tenant) {
  const owner = await createOwner(api, who);
  const tag = await createTag(api, who);
  const pump = await createPump(api, who);
  const refs = { ownerId: owner.id, tagId: tag.id };
  return { owner, tag, pump, refs };
}

describe('master data', () => {
  it('tells who did what to an owner, when, on which screen and in the words of the screen', async () => {
    const owner = await createOwner(api, tenant, { address: '', ifsc: '', accountNo: '00012345' });
    const body = { ifsc: 'sbin0001234', accountNo: '00098765', address: 'Joda' };
    expectDone(await api.call(owners.update, { params: { id: owner.id }, body }, on('Owners')));
    const [edited, created, ...rest] = await read('listOwner', owner.id);
    expect(rest).toEqual([]);
    expect(edited).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      actor: tenant.email,
      screen: 'Owners',
      action: 'Edited',
      reason: '',
      payment: null,
      changes: [
        { field: 'address', label: 'Address', kind: 'text', before: null, after: 'Joda' },
        { field: 'accountNo', label: 'Account Number', kind: 'text', before: '00012345', after: '00098765' },
        { field: 'ifsc', label: 'IFSC Code', kind: 'text', before: null, after: 'SBIN0001234' },
      ],
    });
    expect(created).toMatchObject({ action: 'Created', actor: tenant.email, screen: '', changes: [] });
    expect(Date.parse(edited?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(created?.at ?? ''));
  });

  it('keeps the name of no screen that the app does not have', async () => {
    const tag = await createTag(api, tenant, {});
    for (const name of ['Owners of Others', 'owners', 'Pay me at evil example']) {
      const body = { description: `Changed on ${name}` };
      expectDone(await api.call(tags.update, { params: { id: tag.id }, body }, on(name)));
    }
    const entries = await read('listTag', tag.id);
    expect(entries.map(({ screen }) => screen)).toEqual(['', '', '', '']);
  });

  it('gives its entries random ids, which say nothing of what other businesses do', async () => {
    const owner = await createOwner(api, tenant);
    const other = await api.addTenant();
    for (let n = 0; n < 3; n += 1) await createOwner(api, other);
    expectDone(await api.call(owners.update, { params: { id: owner.id }, body: { address: 'Joda' } }, on('Owners')));
    expectDone(await api.call(subadmins.setActive, { params: { id: other.id }, body: { isActive: false } }, admin()));
    const entries = [...(await read('listOwner', owner.id)), ...(await readAccount(other.id))];
    const ids = entries.map(({ id }) => id);
    const isRandom = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids).toHaveLength(3);
    expect(ids.filter((id) => !isRandom.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tells nothing of a save that changed nothing', async () => {
    const owner = await createOwner(api, tenant);
    expectDone(await api.call(owners.update, { params: { id: owner.id }, body: { name: owner.name } }, on('Owners')));
    expect(shown(await read('listOwner', owner.id))).toEqual(['Created']);
  });

  it('names the owner of a truck, also a deleted one, and tells of trucks that went with theirs', async () => {
    const first = await createOwner(api, tenant, { name: 'Bikash Mohanta' });
    const second = await createOwner(api, tenant, { name: 'Sanjukta Naik' });
    const truck = await createTruck(api, tenant, first.id);
    const change = { ownerId: second.id, noOfWheels: 14 };
    expectDone(await api.call(trucks.update, { params: { id: truck.id }, body: change }, on('Trucks')));
    expectDone(await api.call(owners.remove, { params: { id: second.id } }, on('Owners')));
    expect(shown(await read('listTruck', truck.id))).toEqual([
      'Deleted with its owner',
      'Edited: Owner Name Bikash Mohanta → Sanjukta Naik | Wheels 12 → 14',
      'Created',
    ]);
    expect(shown(await read('listOwner', second.id))).toEqual(['Deleted', 'Created']);

    const alone = await createTruck(api, tenant, first.id);
    expectDone(await api.call(trucks.remove, { params: { id: alone.id } }, on('Trucks')));
    expect(shown(await read('listTruck', alone.id))).toEqual(['Deleted', 'Created']);
  });

  it('tells the changes and the end of a tag and of a petrol pump', async () => {
    const tag = await createTag(api, tenant, { name: 'JODA', color: '#111111', description: '' });
    const tagChange = { name: 'JODA-PARADIP', description: 'Coal' };
    expectDone(await api.call(tags.update, { params: { id: tag.id }, body: tagChange }, on('Tags')));
    expectDone(await api.call(tags.remove, { params: { id: tag.id } }, on('Tags')));
    expect(shown(await read('listTag', tag.id))).toEqual([
      'Deleted',
      'Edited: Name JODA → JODA-PARADIP | Description — → Coal',
      'Created',
    ]);

    const pump = await createPump(api, tenant, { name: 'Maa Tarini', address: 'Joda road' });
    const pumpChange = { address: 'Bypass road' };
    expectDone(await api.call(petrolPumps.update, { params: { id: pump.id }, body: pumpChange }, on('Petrol Pumps')));
    expectDone(await api.call(petrolPumps.remove, { params: { id: pump.id } }, on('Petrol Pumps')));
    expect(shown(await read('listPetrolPump', pump.id))).toEqual([
      'Deleted',
      'Edited: Address Joda road → Bypass road',
      'Created',
    ]);
  });

  it('tells in the history of an owner of a report that was sent', async () => {
    const { owner, refs } = await openBooks();
    await createChallan(api, tenant, refs);
    const asked = { body: { ownerId: owner.id, filters: {} } };
    expectDone(await api.call(contract.accounting.shareOnWhatsapp, asked, on('Owner Challans')));
    const [sent] = await read('listOwner', owner.id);
    expect(sent).toMatchObject({ action: 'Report shared', screen: 'Owner Challans', actor: tenant.email });
    expect(sent?.changes.map(({ label }) => label)).toEqual(['File', 'Challans']);
  });

  it('tells of a Copy in both accounts, and to the source not by whom', async () => {
    const source = await api.addTenant('Mayur Roadlines');
    const owner = await createOwner(api, source, { panNo: 'ZZZPK9999F' });
    const truck = await createTruck(api, source, owner.id);
    expectDone(await api.call(owners.copy, { body: { ownerIds: [owner.id] } }, on('Copy Owners')));
    const found = await api.call(owners.search, { query: { q: truck.truckNumber } }, { token: tenant.token });
    const [copy] = found.body.results;
    const copied = await read('listOwner', copy?.id ?? '');
    expect(shown(copied)).toEqual(['Copied from another business: Copied From — → Mayur Roadlines']);
    expect(copied[0]).toMatchObject({ actor: tenant.email, screen: 'Copy Owners' });
    expect(JSON.stringify(copied)).not.toContain(owner.id);
    expect(shown(await read('listTruck', copy?.trucks[0]?.id ?? ''))).toEqual(['Copied with its owner']);

    const [seen] = await read('listOwner', owner.id, source);
    expect(seen).toMatchObject({
      action: 'Copied by another business',
      actor: 'another business',
      screen: 'Copy Owners',
      changes: [],
    });
    expect(JSON.stringify(seen)).not.toContain(tenant.email);
  });
});

describe('a challan', () => {
  const update = (id: string, body: BodyInput<typeof challans.update>, screen = 'Edit Challan') =>
    api.call(challans.update, { params: { id }, body }, on(screen));

  it('shows figures raw with their kind, days, and tags, pumps and discounters by name', async () => {
    const { owner, pump, refs } = await openBooks();
    const newTag = await createTag(api, tenant, { name: 'BARBIL-DHAMRA' });
    const [oldTag, discounter] = [
      await createTag(api, tenant, { name: 'JODA-HALDIA' }),
      await createOwner(api, tenant, { name: 'Ranjan Discounts' }),
    ];
    const made = await createChallan(
      api,
      tenant,
      { ...refs, tagId: oldTag.id },
      { depositedAt: '2026-04-12', discounterId: discounter.id },
    );
    expectDone(
      await update(made.id, {
        ratePerMT: '1050',
        tagId: newTag.id,
        discounterId: owner.id,
        petrolPumpId: pump.id,
        depositedAt: '2026-04-13',
        driverName: 'Suresh',
      }),
    );
    const [edited] = await read('listChallan', made.id);
    expect(edited).toMatchObject({ action: 'Edited', actor: tenant.email, screen: 'Edit Challan', payment: null });
    const shown = Object.fromEntries(
      (edited?.changes ?? []).map(({ label, kind, before, after }) => [label, [kind, before, after]]),
    );
    expect(shown).toEqual({
      Tag: ['text', 'JODA-HALDIA', 'BARBIL-DHAMRA'],
      Discounter: ['text', 'Ranjan Discounts', owner.name],
      'Petrol Pump': ['text', null, pump.name],
      'Rate per MT': ['money', '1000.00', '1050.00'],
      'TDS Amount': ['money', '249.00', '261.45'],
      'Shortage Amount': ['money', '100.00', '105.00'],
      'Net Amount Payable': ['money', '19551.00', '20783.55'],
      'Driver Name': ['text', null, 'Suresh'],
      'Deposited On': ['date', '2026-04-11T18:30:00.000Z', '2026-04-12T18:30:00.000Z'],
    });
    // In the order of the form.
    expect(Object.keys(shown).slice(0, 4)).toEqual(['Tag', 'Discounter', 'Petrol Pump', 'Rate per MT']);

    const answer = await api.call(tags.remove, { params: { id: oldTag.id } }, on('Tags'));
    expect(answer.status).toBe(200);
    const [after] = await read('listChallan', made.id);
    expect(after?.changes[0]).toMatchObject({ label: 'Tag', before: 'JODA-HALDIA' });
  });

  it('has a name for each field that a write stores', () => {
    expect(storedFields.filter((field) => !(field in historyFields.challan))).toEqual([]);
  });

  it('tells of its checkbox through the ledger, with the payment', async () => {
    const { refs } = await openBooks();
    const made = await createChallan(api, tenant, refs);
    expectDone(await update(made.id, { paymentStatus: true }, 'Challans'));
    expectDone(await update(made.id, { paymentStatus: false }, 'Challans'));
    const entries = await read('listChallan', made.id);
    expect(shown(entries)).toEqual([
      'Marked unpaid: Payment Status Paid → Unpaid',
      'Marked paid: Payment Status Unpaid → Paid',
      'Created',
    ]);
    const [unpaid, paid] = entries;
    expect(unpaid).toMatchObject({ actor: tenant.email, screen: 'Challans', reason: '' });
    expect(paid).toMatchObject({ actor: tenant.email, screen: 'Challans', reason: '' });
    expect(paid?.payment).toEqual({
      id: expect.any(String),
      number: expect.stringMatching(/^PAY-\d{4}-\d{6}$/),
      amount: '19551.00',
    });
    expect(unpaid?.payment).toEqual(paid?.payment);
    expect(unpaid?.id).not.toBe(paid?.id);
  });

  it('that is made as paid begins with being made', async () => {
    const { refs } = await openBooks();
    const made = await createChallan(api, tenant, refs, { paymentStatus: true });
    expect(shown(await read('listChallan', made.id))).toEqual(['Marked paid: Payment Status Unpaid → Paid', 'Created']);
  });

  it('that is paid and gets another net amount tells the payment taken back, the change and the new payment', async () => {
    const { refs } = await openBooks();
    const made = await createChallan(api, tenant, refs, { paymentStatus: true });
    expectDone(await update(made.id, { advanceMoney: '4000' }));
    const entries = await read('listChallan', made.id);
    expect(shown(entries)).toEqual([
      'Marked paid: Payment Status Unpaid → Paid',
      'Edited: Advance Money 5000.00 → 4000.00 | Net Amount Payable 19551.00 → 20551.00',
      'Marked unpaid: Payment Status Paid → Unpaid',
      'Marked paid: Payment Status Unpaid → Paid',
      'Created',
    ]);
    expect(entries[2]?.reason).toBe('Net amount payable changed from ₹19,551.00 to ₹20,551.00');
    expect(entries.map(({ payment }) => payment?.amount)).toEqual([
      '20551.00',
      undefined,
      '19551.00',
      '19551.00',
      undefined,
    ]);
  });

  it('tells of both bulk payments and of their undo, from where, by whom and why', async () => {
    const { refs } = await openBooks();
    const [one, two] = [await createChallan(api, tenant, refs), await createChallan(api, tenant, refs)];
    const paid = await api.call(bankStatement.markPaid, { body: { challanIds: [one.id] } }, on('Bank Statement'));
    const filter = { filters: { ownerId: refs.ownerId }, paymentStatus: true as const };
    expectDone(await api.call(bankStatement.markMatchingPaid, { body: filter }, on('Bank Statement')));
    const undo = { params: { id: paid.body.data.batchId ?? '' }, body: { reason: 'The bank sent it back' } };
    expectDone(await api.call(paymentBatches.reverse, undo, on('Payments')));

    const entries = await read('listChallan', one.id);
    expect(shown(entries)).toEqual([
      'Marked unpaid: Payment Status Paid → Unpaid',
      'Marked paid: Payment Status Unpaid → Paid',
      'Created',
    ]);
    expect(entries[0]).toMatchObject({ screen: 'Payments', reason: 'The bank sent it back', actor: tenant.email });
    expect(entries[1]).toMatchObject({ screen: 'Bank Statement', payment: { id: paid.body.data.batchId } });
    expect((await read('listChallan', two.id))[0]).toMatchObject({ action: 'Marked paid', screen: 'Bank Statement' });
  });

  it('tells when its diesel was verified, and why that was taken back', async () => {
    const { pump, refs } = await openBooks();
    const made = await createChallan(api, tenant, refs, {
      petrolPumpId: pump.id,
      hsdPricePerLiter: '92.64',
      hsdInLiters: '50.00',
    });
    const verify = (hsdVerified: boolean) =>
      api.call(challans.setHsdVerified, { params: { id: made.id }, body: { hsdVerified } }, on('Challans'));
    expectDone(await verify(true));
    expectDone(await verify(false));
    expectDone(await verify(true));
    expectDone(await update(made.id, { tpNo: 'Y9900123' }));
    const entries = await read('listChallan', made.id);
    expect(shown(entries).slice(1)).toEqual([
      'HSD verified: HSD Verified Not verified → Verified',
      'HSD verification removed: HSD Verified Verified → Not verified',
      'HSD verified: HSD Verified Not verified → Verified',
      'Created',
    ]);
    expect(entries[0]).toMatchObject({ action: 'Edited', reason: 'Cleared by a change of TP No' });
    expect(entries[0]?.changes.map(({ label, after }) => [label, after])).toEqual([
      ['TP No', 'Y9900123'],
      ['HSD Verified', 'Not verified'],
    ]);
  });

  it('tells of a bulk verification as of one by hand', async () => {
    const { pump, refs } = await openBooks();
    const made = await createChallan(api, tenant, refs, {
      petrolPumpId: pump.id,
      hsdPricePerLiter: '92.64',
      hsdInLiters: '50.00',
    });
    const verify = { body: { challanIds: [made.id] } };
    expectDone(await api.call(contract.hsdVerification.verify, verify, on('HSD Verification')));
    expectDone(await api.call(contract.hsdVerification.verify, verify, on('HSD Verification')));
    const entries = await read('listChallan', made.id);
    expect(shown(entries)).toEqual(['HSD verified: HSD Verified Not verified → Verified', 'Created']);
    expect(entries[0]).toMatchObject({ screen: 'HSD Verification', actor: tenant.email });
  });

  it('keeps its history when it is deleted', async () => {
    const { refs } = await openBooks();
    const made = await createChallan(api, tenant, refs);
    expectDone(await api.call(challans.remove, { params: { id: made.id } }, on('Challans')));
    expect(shown(await read('listChallan', made.id))).toEqual([
      expect.stringMatching(/^Deleted by Change /),
      'Created',
    ]);
  });

  it('has one line for each change, however many were made at once', async () => {
    const { refs } = await openBooks();
    const made = await createChallan(api, tenant, refs);
    const toggles = Array.from({ length: 12 }, (_, n) => update(made.id, { paymentStatus: n % 2 === 0 }, 'Challans'));
    await Promise.all(toggles);
    const states = (await read('listChallan', made.id))
      .filter(({ payment }) => payment !== null)
      .map(({ changes }) => changes[0]?.after);
    const now = await api.call(challans.get, { params: { id: made.id } }, { token: tenant.token });
    expect(states[0] ?? 'Unpaid').toBe(now.body.data.paymentStatus ? 'Paid' : 'Unpaid');
    // Paid and unpaid take turns, from the first payment on.
    expect(states.toReversed()).toEqual(states.map((_, n) => (n % 2 === 0 ? 'Paid' : 'Unpaid')));
  });

  it('comes in pages, newest first, and a page past the end is empty with the true count', async () => {
    const { refs } = await openBooks();
    const made = await createChallan(api, tenant, refs);
    for (const n of [1, 2, 3, 4]) expectDone(await update(made.id, { remarks: `Remark ${n}` }));
    const page = (number: number) =>
      api.call(
        history.listChallan,
        { params: { id: made.id }, query: { page: number, limit: 2 } },
        { token: tenant.token },
      );
    const pages = await Promise.all([page(1), page(2), page(3), page(9)]);
    expect(pages.map(({ body }) => body.data.map(({ changes }) => changes[0]?.after ?? 'Created'))).toEqual([
      ['Remark 4', 'Remark 3'],
      ['Remark 2', 'Remark 1'],
      ['Created'],
      [],
    ]);
    expect(pages.map(({ body }) => body.pagination.totalCount)).toEqual([5, 5, 5, 5]);
    const wrong = { params: { id: made.id }, query: { limit: 101 } };
    expectRefusal(await api.call(history.listChallan, wrong, { token: tenant.token }), 400, 'INVALID_PAGINATION');
  });
});

describe('the people in it', () => {
  it('are those who did something, and it can be read by one of them', async () => {
    const business = await api.addTenant();
    const ravi = await addPerson(api, business, 'accountant');
    const { owner, refs } = await openBooks(business);
    const { id } = await createChallan(api, business, refs);
    const edited = { params: { id }, body: { loadingPlace: 'Koira' } };
    expectDone(await api.call(challans.update, edited, { token: ravi.token }));
    const paid = { body: { challanIds: [id] } };
    expectDone(await api.call(bankStatement.markPaid, paid, { token: ravi.token }));
    const list = async (personId?: string) =>
      (await api.call(history.listChallan, { params: { id }, query: { personId } }, { token: business.token })).body;
    const { data, people } = await list();
    expect(data).toHaveLength(3);
    expect(new Map(people.map((person) => [person.name, person.id]))).toEqual(
      new Map([
        [ravi.name, ravi.id],
        [business.email, business.id],
      ]),
    );
    const byRavi = await list(ravi.id);
    expect(byRavi.data.map(({ actor }) => actor)).toEqual([ravi.name, ravi.name]);
    expect(byRavi.pagination.totalCount).toBe(2);
    expect(byRavi.people).toEqual(people);
    const ofOwner = { params: { id: owner.id }, query: { personId: ravi.id } };
    expect((await api.call(history.listOwner, ofOwner, { token: business.token })).body).toMatchObject({
      data: [],
      people: [{ id: business.id, name: business.email }],
    });
  });
});

describe('a sub-admin account, as its admin sees it', () => {
  let counter = 0;
  const make = async () => {
    const body = {
      email: `desk${(counter += 1)}@transport.test`,
      password: 'first secret',
      bannerName: 'Hansa Logistics',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'Station Road, Keonjhar',
    };
    const made = await api.call(subadmins.create, { body }, { ...admin(), headers: { 'x-screen': 'Subadmins' } });
    return { ...made.body.data, password: body.password };
  };
  const setActive = (id: string, isActive: boolean) =>
    api.call(
      subadmins.setActive,
      { params: { id }, body: { isActive } },
      { ...admin(), headers: { 'x-screen': 'Subadmins' } },
    );

  it('tells of its making, changes, activation and end, and that a password was changed, never which', async () => {
    const { id } = await make();
    expectDone(await setActive(id, false));
    expectDone(await setActive(id, true));
    const change = (body: BodyInput<typeof subadmins.update>) =>
      api.call(subadmins.update, { params: { id }, body }, admin());
    expectDone(await change({ password: 'second secret' }));
    expectDone(await change({ password: 'third secret', bannerName: 'Hansa Roadways', isActive: false }));
    expectDone(await api.call(subadmins.remove, { params: { id } }, admin()));
    const entries = await readAccount(id);
    expect(shown(entries)).toEqual([
      'Deleted',
      'Edited: Banner Name Hansa Logistics → Hansa Roadways | Status Active → Inactive | Password — → Changed',
      'Password changed',
      'Activated: Status Inactive → Active',
      'Deactivated: Status Active → Inactive',
      'Created',
    ]);
    expect(entries.map(({ actor }) => actor)).toEqual(entries.map(() => 'admin'));
    expect(entries.slice(-3).map(({ screen }) => screen)).toEqual(['Subadmins', 'Subadmins', 'Subadmins']);
    expect(JSON.stringify(entries)).not.toMatch(/secret|argon|hidden/i);
  });

  it("tells of the account's own changes by its email", async () => {
    const { id, email, password } = await make();
    const signedIn = await api.call(contract.session.loginSubadmin, { body: { email, password } });
    const own = on('Profile', signedIn.body);
    expectDone(await api.call(profile.update, { body: { officeAddress: 'Bypass Road, Barbil' } }, own));
    const passwords = { currentPassword: password, newPassword: 'another one', confirmPassword: 'another one' };
    expectDone(await api.call(profile.changePassword, { body: passwords }, own));
    const entries = await readAccount(id);
    expect(shown(entries)).toEqual([
      'Password changed',
      'Edited: Office Address Station Road, Keonjhar → Bypass Road, Barbil',
      'Created',
    ]);
    expect(entries.map(({ actor, screen }) => [actor, screen])).toEqual([
      [email, 'Profile'],
      [email, 'Profile'],
      ['admin', 'Subadmins'],
    ]);
    // The business reads of itself what an admin reads of it, and nothing of another.
    const ownHistory = async (who: { token: string }) => (await api.call(history.listProfile, {}, who)).body.data;
    expect(await ownHistory(own)).toEqual(entries);
    expect((await ownHistory(tenant)).map(({ id: entryId }) => entryId)).not.toContain(entries[0]?.id);
  });

  it('shows nothing of its business, however an admin asks', async () => {
    const { owner, tag, pump, refs } = await openBooks();
    const challan = await createChallan(api, tenant, refs);
    expect(await readAccount(tenant.id)).toEqual([]);
    for (const { id } of [owner, tag, pump, challan]) {
      const answer = await api.call(history.listSubadmin, { params: { id } }, admin());
      expectRefusal(answer, 404, 'NOT_FOUND', 'Subadmin not found');
      // Past the API too: the function answers for accounts alone, and without a tenant the table is empty.
      const seen = await withGlobal(api.pools.main, 'read', async (db) => [
        ...(await db.query('SELECT * FROM account_history($1, 100, 0)', [id])).rows,
        ...(await db.query('SELECT id FROM history')).rows,
      ]);
      expect(seen).toEqual([]);
    }
    const asDefiner = await asSchemaOwner(api, async (client) => {
      await client.query('SET ROLE challan_definer');
      const { rows } = await client.query<{ entity: string }>('SELECT DISTINCT entity FROM history');
      await client.query('RESET ROLE');
      return rows;
    });
    expect(asDefiner).toEqual([{ entity: 'subadmin' }]);
  });

  it('has no history for an admin, nor for an id that nobody has', async () => {
    const { rows } = await withGlobal(api.pools.main, 'read', (db) =>
      db.query<{ id: string }>(`SELECT id FROM accounts WHERE role = 'admin' LIMIT 1`),
    );
    for (const id of [rows[0]?.id ?? '', unknownId]) {
      const answer = await api.call(history.listSubadmin, { params: { id } }, admin());
      expectRefusal(answer, 404, 'NOT_FOUND', 'Subadmin not found');
    }
  });
});

describe("another business's record", () => {
  it.each<[TenantHistory, string]>([
    ['listOwner', 'Owner not found'],
    ['listTruck', 'Truck not found'],
    ['listTag', 'Tag not found'],
    ['listPetrolPump', 'Petrol pump not found'],
    ['listBankAccount', 'Bank account not found'],
    ['listDeclaration', 'Declaration not found'],
    ['listTdsDeposit', 'TDS deposit not found'],
    ['listChallan', 'Challan not found'],
  ])('is answered by %s as one that nobody has', async (verb, message) => {
    const other = await api.addTenant();
    const books = await openBooks(other);
    const ids: Record<TenantHistory, string> = {
      listOwner: books.owner.id,
      listTruck: (await createTruck(api, other, books.owner.id)).id,
      listTag: books.tag.id,
      listPetrolPump: books.pump.id,
      listBankAccount: (await createBankAccount(api, other)).id,
      listDeclaration: (await createDeclaration(api, other, books.owner.id, { receivedOn: '2024-04-04' })).id,
      listTdsDeposit: (await createTdsDeposit(api, other)).id,
      listChallan: (await createChallan(api, other, books.refs)).id,
    };
    const ask = (id: string) =>
      api.call(history[verb] as Endpoint, { params: { id } } as never, { token: tenant.token });
    const foreign = await ask(ids[verb]);
    expectRefusal(foreign, 404, 'NOT_FOUND', message);
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await ask(unknownId)));
    // Nor does the id of another kind of record of one's own open anything.
    const mine = await openBooks();
    expectRefusal(await ask(verb === 'listTag' ? mine.owner.id : mine.tag.id), 404, 'NOT_FOUND', message);
  });
});
