import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { add, subtract, sum } from '../../../src/shared/calc/money.ts';
import { paymentOf, type OwnerDue, type OwnerPayment } from '../../../src/shared/calc/payable.ts';
import { namedNegativeOwners } from '../../../src/shared/contract/negative-owners.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { createOwner } from '../support/builders.ts';
import { idsOf } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';
import { randomOf } from '../support/random.ts';

/** What may be paid has a home in TypeScript and one in SQL. They say the same, at every place that pays or shows what it would. */
const { bankStatement, challans, owners } = contract;

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterAll(() => desk.api.close());

const as = () => ({ token: desk.tenant.token });

interface Owner extends OwnerDue, Pick<OwnerPayment, 'is' | 'balance'> {
  id: string;
  payableCount: number;
  payableAmount: string;
}

/** Every owner with unpaid challans, from the plain rows, and what the rule in TypeScript says of it. */
async function duesNow(): Promise<Owner[]> {
  const rows = await desk.api.inTenant(desk.tenant, async (db) => {
    const found = await db.query<{ owner: string; net: string; is_held: boolean; carried: string }>(
      `SELECT c.owner_id AS owner, c.net_amount_payable AS net, c.hold_reason <> '' OR o.hold_reason <> '' AS is_held,
         round(coalesce((SELECT sum(k.amount) FROM open_carries k WHERE k.subadmin_id = $1 AND k.owner_id = o.id), 0), 2) AS carried
       FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status`,
      [db.tenantId],
    );
    return found.rows;
  });
  return [...new Set(rows.map(({ owner }) => owner))].map((id) => {
    const own = rows.filter(({ owner }) => owner === id);
    const held = own.filter(({ is_held: isHeld }) => isHeld);
    const due = {
      challanCount: own.length,
      amount: sum(own.map(({ net }) => net)),
      heldCount: held.length,
      heldAmount: sum(held.map(({ net }) => net)),
      carriedAmount: own[0]!.carried,
    };
    const { challanCount: payableCount, amount: payableAmount, is, balance } = paymentOf(due);
    return { ...due, id, is, balance, payableCount, payableAmount };
  });
}

const unpaidIds = () =>
  desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `SELECT c.id FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status AND c.hold_reason = '' AND o.hold_reason = ''`,
      [db.tenantId],
    );
    return rows.map(({ id }) => id);
  });

const hold = (call: typeof challans.setHold | typeof owners.setHold, id: string) =>
  desk.api.call(call, { params: { id }, body: { reason: 'No papers' } }, as());

describe('what may be paid', () => {
  it(
    'is the same in the statement, the review, the preview of the list and the payment',
    async () => {
      const random = randomOf(testSeed('payable'));
      const kinds = new Set<string>();
      // Until each kind was seen, however few rounds there are.
      for (let round = 0; round < long(15) || kinds.size < 3; round += 1) {
        for (let index = 0; index < 5; index += 1) {
          const { id: ownerId } = await createOwner(desk.api, desk.tenant);
          const advance = () => random.pick(['0', '900', '1500', '5000']);
          if (random.chance(0.3)) {
            // What the owner owes is carried.
            const debt = await desk.make(1, { ownerId, advance: '5000' });
            const amount = add('0', debt[0]!.net.replace('-', ''));
            const body = { challanIds: idsOf(debt), carries: [{ ownerId, amount }] };
            const { status, text } = await desk.api.call(bankStatement.markPaid, { body }, as());
            expect(status, text).toBe(200);
          }
          for (let count = random.below(5); count > 0; count -= 1) {
            const [made] = await desk.make(1, { ownerId, advance: advance() });
            if (random.chance(0.2)) await hold(challans.setHold, made!.id);
          }
          if (random.chance(0.1)) await hold(owners.setHold, ownerId);
        }
        const dues = await duesNow();
        dues.forEach(({ is }) => kinds.add(is));
        const paid = dues.filter(({ is }) => is === 'paid');
        const leftOut = dues.filter(({ is }) => is === 'leftOut');
        const countOf = (some: readonly Owner[]) => some.reduce((count, owner) => count + owner.payableCount, 0);
        const sums = {
          negativeOwnerCount: leftOut.length,
          negativeChallanCount: countOf(leftOut),
          negativeAmount: sum(leftOut.map(({ payableAmount }) => payableAmount)),
          negativeCarriedAmount: sum(leftOut.map(({ carriedAmount }) => carriedAmount)),
          deductedAmount: sum(paid.map(({ carriedAmount }) => carriedAmount)),
        };

        const shown = (await desk.api.call(bankStatement.list, { query: { limit: 100 } }, as())).body.data;
        expect(shown.summary).toMatchObject({
          ...sums,
          totalChallans: dues.reduce((count, { challanCount }) => count + challanCount, 0),
          totalUnpaidAmount: sum(dues.map(({ amount }) => amount)),
          heldCount: dues.reduce((count, { heldCount }) => count + heldCount, 0),
          heldAmount: sum(dues.map(({ heldAmount }) => heldAmount)),
          matching: { count: countOf(dues), amount: sum(dues.map(({ payableAmount }) => payableAmount)) },
          payment: { count: countOf(paid), amount: sum(paid.map(({ balance }) => balance)) },
        });
        for (const owner of shown.owners) {
          const due = dues.find(({ id }) => id === owner.id);
          expect({ ...owner, challanCount: owner.unpaidCount, amount: owner.unpaidAmount }).toMatchObject({
            challanCount: due?.challanCount,
            amount: due?.amount,
            heldCount: due?.heldCount,
            heldAmount: due?.heldAmount,
            carriedAmount: due?.carriedAmount,
          });
        }

        const review = await desk.api.call(bankStatement.review, { body: { filters: {} } }, as());
        expect(review.body.data).toMatchObject({ ...sums, count: countOf(dues) });

        for (const belowZero of ['leaveOut', 'carry', 'pay'] as const) {
          const named = leftOut.slice(0, namedNegativeOwners);
          const carries = named.map(({ id, balance }) => ({ ownerId: id, amount: subtract('0', balance) }));
          const choice = belowZero === 'carry' ? { carries } : { paysNegative: belowZero === 'pay' };
          const { data } = (await desk.api.call(bankStatement.review, { body: { filters: {}, ...choice } }, as())).body;
          const decided = dues.map((due) => {
            const isChosen = belowZero !== 'carry' || named.includes(due);
            return { ...due, ...paymentOf(due, isChosen ? belowZero : 'leaveOut') };
          });
          const [left, carried, taken] = (['leftOut', 'carried', 'paid'] as const).map((what) =>
            decided.filter(({ is }) => is === what),
          );
          expect(data.payment).toEqual({
            count: countOf([...taken!, ...carried!]),
            amount: sum(taken!.map(({ balance }) => balance)),
            ownerCount: taken!.length + carried!.length,
            deductedAmount: sum([...taken!, ...carried!].map(({ carriedAmount }) => carriedAmount)),
            carriedAmount: subtract('0', sum(carried!.map(({ balance }) => balance))),
            leftOutCount: countOf(left!),
            leftOutOwnerCount: left!.length,
          });
        }

        const challanIds = await unpaidIds();
        const previewed = await desk.api.call(
          challans.previewMany,
          { body: { selection: { by: 'ids', challanIds }, act: { kind: 'paid', value: true } } },
          as(),
        );
        expect(previewed.body.data).toMatchObject({
          changedCount: countOf(paid),
          negativeOwnerCount: leftOut.length,
          deductedAmount: sums.deductedAmount,
        });

        if (paid.length === 0) continue;
        const expected = { count: countOf(paid), totalAmount: sum(paid.map(({ balance }) => balance)) };
        const { status, text, body } = await desk.payMatching({ filters: {}, expected });
        expect(status, text).toBe(200);
        expect(body.data).toMatchObject({
          updatedCount: expected.count,
          totalAmount: expected.totalAmount,
          negativeCount: sums.negativeChallanCount,
        });
        const after = await duesNow();
        expect(after.map(({ id }) => id).toSorted()).toEqual(
          dues
            .filter(({ is, heldCount }) => is !== 'paid' || heldCount > 0)
            .map(({ id }) => id)
            .toSorted(),
        );
      }
      expect([...kinds].sort()).toEqual(['leftOut', 'nothing', 'paid']);
      await desk.assertMoney();
    },
    longLimit(120_000),
  );
});
