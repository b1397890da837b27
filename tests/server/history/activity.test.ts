import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** What was done in a business, by person and day (docs/specification.md §28.5). */
let api: Api;
let business: Tenant;
let ravi: TestPerson;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  business = await api.addTenant('Activity banner');
  ravi = await addPerson(api, business, 'accountant');
});

const today = dayOf(new Date());
type Filters = { personId?: string; startDate?: string; endDate?: string };
const list = (query: Filters = {}, token = business.token) => api.call(contract.activity.list, { query }, { token });
const entries = (personId: string, day = today, token = business.token) =>
  api.call(contract.activity.listEntries, { query: { personId, day } }, { token });

/** Ravi records three challans, changes one, deletes one, pays two and takes one back. Returns the three. */
async function work() {
  const asRavi = { ...business, token: ravi.token };
  const as = { token: ravi.token };
  const owner = await createOwner(api, asRavi, { name: 'Bijay Mohanta' });
  const tag = await createTag(api, asRavi);
  const challans = [];
  for (let count = 0; count < 3; count += 1)
    challans.push(await createChallan(api, asRavi, { ownerId: owner.id, tagId: tag.id }));
  const [one, two, three] = challans as [(typeof challans)[0], (typeof challans)[0], (typeof challans)[0]];
  await api.call(contract.challans.update, { params: { id: one.id }, body: { remarks: 'Seen' } }, as);
  await api.call(contract.challans.remove, { params: { id: three.id } }, as);
  const paid = await api.call(contract.bankStatement.markPaid, { body: { challanIds: [one.id, two.id] } }, as);
  if (paid.status !== 200) throw new Error(paid.text);
  await api.call(contract.challans.update, { params: { id: two.id }, body: { paymentStatus: false } }, as);
  return { owner, one, two, three };
}

describe('the activity of a business', () => {
  it('counts what each person did on a day, and adds up what was paid and taken back', async () => {
    const { one, two } = await work();
    const rows = (await list()).body.data;
    expect(rows.map(({ person, day }) => [person, day])).toEqual([
      [business.email, today],
      [ravi.name, today],
    ]);
    const [owner, accountant] = rows;
    // The invitation; joining is an act of the person who joined.
    expect(owner).toMatchObject({ settings: 1, recorded: 0, paid: 0, paidAmount: '0.00' });
    expect(accountant).toMatchObject({
      settings: 1,
      recorded: 3,
      changed: 1,
      deleted: 1,
      masterData: 2,
      paid: 2,
      takenBack: 1,
    });
    const paise = (amount: string): bigint => BigInt(amount.replace('.', ''));
    expect(paise(accountant!.paidAmount)).toBe(paise(one.netAmountPayable) + paise(two.netAmountPayable));
    expect(accountant!.takenBackAmount).toBe(two.netAmountPayable);
  });

  it('lists a day of a person: settings first, then the newest, each with its record or payment', async () => {
    const { owner, two, three } = await work();
    const { data, pagination } = (await entries(ravi.id)).body;
    expect(data.map(({ action, record }) => [action, record?.noun ?? '', record?.name ?? ''])).toEqual([
      [`${ravi.name} (${ravi.email}) joined`, '', ''],
      ['Marked unpaid', '', ''],
      ['Marked paid', '', ''],
      ['Deleted by Change 2627-000001', 'challan', three.challanNumber],
      ['Edited', 'challan', expect.any(String)],
      ['Created', 'challan', three.challanNumber],
      ['Created', 'challan', two.challanNumber],
      ['Created', 'challan', expect.any(String)],
      ['Created', 'tag', expect.any(String)],
      ['Created', 'owner', owner.name],
    ]);
    expect(data[1]!.payment?.amount).toBe(two.netAmountPayable);
    expect(data[4]!.changes).toMatchObject([{ field: 'remarks', after: 'Seen' }]);
    expect(pagination.totalCount).toBe(data.length);
  });

  it('shows a change of many as one act, with its number, and its undo as another', async () => {
    const { owner, two } = await work();
    const as = { token: business.token };
    const other = await createChallan(api, business, { ownerId: owner.id, tagId: two.tag!.id });
    const body = {
      selection: { by: 'ids' as const, challanIds: [two.id, other.id] },
      act: { kind: 'delete' as const },
    };
    const { data } = (await api.call(contract.challans.changeMany, { body }, as)).body;
    await api.call(contract.batches.undo, { params: { id: data.batch!.id } }, as);
    const [undone, made] = (await entries(business.id)).body.data.slice(1);
    expect([undone, made].map((entry) => [entry!.action, entry!.record])).toEqual([
      [`Undone: Deleted, 2 records by ${data.batch!.number}`, null],
      [`Deleted, 2 records by ${data.batch!.number}`, null],
    ]);
  });

  it('has an India day: what is done before midnight in India is of the day before', async () => {
    await createTag(api, business);
    await asSchemaOwner(api, async (client) => {
      await client.query('ALTER TABLE history DISABLE TRIGGER USER');
      // 23:59 on 30 September and 00:00 on 1 October in India.
      await client.query(
        `UPDATE history SET at = CASE entity WHEN 'tag' THEN '2026-09-30T18:29:00Z' ELSE '2026-09-30T18:30:00Z' END::timestamptz
         WHERE subadmin_id = $1`,
        [business.id],
      );
      await client.query('ALTER TABLE history ENABLE TRIGGER USER');
    });
    const days = async (filters: Filters) => (await list(filters)).body.data.map(({ day, person }) => [day, person]);
    expect(await days({ startDate: '2026-09-30', endDate: '2026-09-30' })).toEqual([['2026-09-30', business.email]]);
    expect(await days({ startDate: '2026-10-01', endDate: '2026-10-01' })).toEqual([
      ['2026-10-01', business.email],
      ['2026-10-01', ravi.name],
    ]);
    // Without days it is the last month.
    expect(await days({})).toEqual([]);
    expect(await days({ endDate: '2026-10-31' })).toHaveLength(2);
    expect((await entries(business.id, '2026-09-30')).body.data.map(({ record }) => record?.noun)).toEqual(['tag']);
  });

  it('is filtered by a person, and is nobody else’s', async () => {
    await work();
    expect((await list({ personId: ravi.id })).body.data.map(({ person }) => person)).toEqual([ravi.name]);
    const other = await api.addTenant('Other banner');
    expect((await list({}, other.token)).body.data.map(({ person }) => person)).toEqual([]);
    expect((await list({ personId: ravi.id }, other.token)).body.data).toEqual([]);
    expect((await entries(ravi.id, today, other.token)).body.data).toEqual([]);
    expect((await entries(ravi.id, addDays(today, -1))).body.data).toEqual([]);
  });

  it('is for owners alone', async () => {
    const sentence = 'Only an owner of the business may do this. Ask one of them.';
    expectRefusal(await list({}, ravi.token), 403, 'FORBIDDEN', sentence);
    expectRefusal(await entries(ravi.id, today, ravi.token), 403, 'FORBIDDEN', sentence);
  });
});

describe('payments', () => {
  it('are filtered by who paid, whose names everybody of the business may list', async () => {
    await work();
    const names = (await api.call(contract.people.listNames, {}, { token: ravi.token })).body.data;
    expect(names).toEqual(
      [
        { id: business.id, name: business.email },
        { id: ravi.id, name: ravi.name },
      ].sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1)),
    );
    const paidBy = async (personId: string) =>
      (await api.call(contract.paymentBatches.list, { query: { personId } }, { token: ravi.token })).body.data.length;
    expect([await paidBy(ravi.id), await paidBy(business.id)]).toEqual([1, 0]);
  });
});
