import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { createOwner, createTag } from '../support/builders.ts';
import { idsOf, insertChallans, type TestChallan } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';
import { randomOf } from '../support/random.ts';

const { bankStatement, challans, owners } = contract;
const random = randomOf(testSeed('owners of the bank statement'));

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterAll(() => desk.api.close());

const as = (token = desk.tenant.token) => ({ token });
const ownersOf = async (query: object = {}, token?: string) =>
  (await desk.api.call(bankStatement.listOwners, { query: { limit: 100, ...query } }, as(token))).body;
const statementOf = async (query: object = {}) =>
  (await desk.api.call(bankStatement.list, { query: { limit: 100, ...query } }, as())).body;

/** The answer of the full call, as the short one has to say it. */
const shortened = async (query: object) => {
  const { data, ...rest } = await statementOf(query);
  return {
    ...rest,
    data: {
      ...data,
      owners: data.owners.map((owner) => ({
        ...owner,
        challans: owner.challans.map(({ challanId, netAmountPayable, holdReason }) => ({
          challanId,
          netAmountPayable,
          holdReason,
        })),
      })),
    },
  };
};

const holdChallan = (id: string, reason: string) =>
  desk.api.call(challans.setHold, { params: { id }, body: { reason } }, as());

describe('GET /challans/bank-report/owners', () => {
  it('has an owner with its sums, and of its challans id, amount and hold in the order of creation', async () => {
    const { id: ownerId } = await createOwner(desk.api, desk.tenant, { name: 'Chandan', accountNo: '000123456789' });
    const made = [
      ...(await desk.make(2, { ownerId, depositedOn: null })),
      ...(await desk.make(1, { ownerId, depositedOn: '2026-05-02' })),
      ...(await desk.make(2, { ownerId, depositedOn: '2026-04-30' })),
    ];
    await holdChallan(made[4]!.id, 'Shortage in dispute');
    const paid = await desk.make(1, { ownerId, depositedOn: '2026-04-12' });
    await desk.pay(idsOf(paid));
    const held = (challan: TestChallan) => (challan === made[4] ? 'Shortage in dispute' : '');
    const { data, pagination } = await ownersOf({ ownerId });
    expect(pagination).toMatchObject({ totalCount: 1, totalPages: 1 });
    expect(data.summary).toMatchObject({ totalOwners: 1, totalChallans: 5, heldCount: 1, heldAmount: made[4]!.net });
    expect(data.owners).toEqual([
      {
        id: ownerId,
        name: 'Chandan',
        contactNumber: expect.stringMatching(/^\d{10}$/) as string,
        accountNo: '000123456789',
        ifsc: 'SBIN0001234',
        branchName: 'Barbil',
        holdReason: '',
        failedTransfer: null,
        unpaidAmount: data.summary.totalUnpaidAmount,
        unpaidCount: 5,
        carriedAmount: '0.00',
        heldCount: 1,
        heldAmount: made[4]!.net,
        // Of what is unpaid, also of what is on hold; what was paid does not count.
        oldestDeposit: '2026-04-30',
        challans: made.map((challan) => ({
          challanId: challan.id,
          netAmountPayable: challan.net,
          holdReason: held(challan),
        })),
      },
    ]);
    const late = await ownersOf({ ownerId, depositedStartDate: '2026-05-01' });
    expect(late.data.owners.map(({ oldestDeposit, challans: of }) => [oldestDeposit, of.length])).toEqual([
      ['2026-05-02', 1],
    ]);
  });

  it('pages by owner as the full call does; past the end is empty; a wrong page, day or owner is refused', async () => {
    for (const query of [
      { page: 1, limit: 2 },
      { page: 2, pageSize: 1 },
      { page: 9, limit: 2 },
    ])
      expect(await ownersOf(query)).toEqual(await shortened(query));
    expect((await ownersOf({ page: 9, limit: 2 })).data.owners).toEqual([]);
    const path = (query: string) =>
      desk.api.callRaw('GET', `/api/challans/bank-report/owners?${query}`, { token: desk.tenant.token });
    for (const [query, code] of [
      ['page=0', 'INVALID_PAGINATION'],
      ['pageSize=101', 'INVALID_PAGINATION'],
      ['ownerId=x', 'VALIDATION_ERROR'],
      ['depositedStartDate=2026-05-02&depositedEndDate=2026-05-01', 'VALIDATION_ERROR'],
    ] as const) {
      const answer = await path(query);
      expect([query, answer.status, answer.error.code]).toEqual([query, 400, code]);
    }
  });

  it('says of a random business what the full call says, under every filter', async () => {
    const ownerIds: string[] = [];
    for (const name of ['R1 abani', 'R2 Bijay', 'R3 abani', 'R4'])
      ownerIds.push((await createOwner(desk.api, desk.tenant, { name })).id);
    const tagIds = [(await createTag(desk.api, desk.tenant)).id, (await createTag(desk.api, desk.tenant)).id, null];
    const days = ['2026-04-12', '2026-04-30', '2026-05-01', null];
    const made: TestChallan[] = [];
    for (let n = 0; n < 30; n += 1) {
      made.push(
        ...(await desk.make(1 + random.below(4), {
          ownerId: random.pick(ownerIds),
          tagId: random.pick(tagIds),
          depositedOn: random.pick(days),
          advance: random.chance(0.2) ? '4000' : '0',
        })),
      );
    }
    for (const { id } of random.some(made, 8)) await holdChallan(id, 'Random');
    for (const { id } of random.some(made, 8)) await desk.pay([id]);
    const setHold = (id: string, reason: string) =>
      desk.api.call(owners.setHold, { params: { id }, body: { reason } }, as());
    await setHold(random.pick(ownerIds), 'No papers');
    let seen = 0;
    for (let round = 0; round < 25; round += 1) {
      const query = {
        ...(random.chance(0.3) && { ownerId: random.pick(ownerIds) }),
        ...(random.chance(0.3) && { ownerName: random.pick(['abani', 'R', 'nobody']) }),
        ...(random.chance(0.3) && { tagId: random.pick(tagIds) ?? 'none' }),
        ...(random.chance(0.4) && { depositedStartDate: random.pick(['2026-04-01', '2026-04-30']) }),
        ...(random.chance(0.4) && { depositedEndDate: random.pick(['2026-04-30', '2026-05-31']) }),
        limit: random.pick([1, 2, 100]),
      };
      const expected = await shortened(query);
      expect([query, await ownersOf(query)]).toEqual([query, expected]);
      seen += expected.data.owners.filter(({ challans: of }) => of.some(({ holdReason }) => holdReason !== '')).length;
    }
    expect(seen).toBeGreaterThan(0);
  });

  it('names nobody of another business', async () => {
    const other = await desk.api.addTenant();
    const { id: ownerId } = await createOwner(desk.api, other, { name: 'Of another business' });
    const foreign = await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId }, 3));
    for (const query of [{}, { ownerId }, { ownerName: 'another' }]) {
      const answer = JSON.stringify(await ownersOf(query));
      expect([ownerId, 'Of another business', ...idsOf(foreign)].filter((mark) => answer.includes(mark))).toEqual([]);
    }
    expect((await ownersOf({}, other.token)).data.owners.map(({ id }) => id)).toEqual([ownerId]);
  });

  it('needs a sub-admin', async () => {
    const statusOf = async (token: string) => (await desk.api.call(bankStatement.listOwners, {}, { token })).status;
    expect([await statusOf('nonsense'), await statusOf(desk.api.adminToken)]).toEqual([401, 403]);
  });
});
