import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { callerOf, startApi } from './api.ts';
import { createOwner, createTag } from './builders.ts';
import { assertLedger, assertTotals, idsOf, insertChallans, type TestChallan } from './ledger.ts';

type MatchingBody = Omit<BodyInput<typeof contract.bankStatement.markMatchingPaid>, 'paymentStatus'>;

/** A business with two owners and a tag, and what the tests of payments do with it. */
export async function openPaymentDesk() {
  const api = await startApi();
  const tenant = await api.addTenant();
  const ownerId = (await createOwner(api, tenant, { name: 'Bijay Mohanta' })).id;
  const otherOwnerId = (await createOwner(api, tenant, { name: 'abani Sahu' })).id;
  const tagId = (await createTag(api, tenant)).id;
  const as = (key?: string) => ({ token: tenant.token, ...(key ? { key } : {}) });

  const caller = callerOf(tenant);

  return {
    api,
    tenant,
    ownerId,
    otherOwnerId,
    tagId,
    caller,
    make: (
      count: number,
      over: Parameters<typeof insertChallans>[3] & { ownerId?: string; tagId?: string | null } = {},
    ) =>
      api.inTenant(tenant, (db) =>
        insertChallans(
          db,
          { ownerId: over.ownerId ?? ownerId, tagId: over.tagId === undefined ? tagId : over.tagId },
          count,
          over,
        ),
      ),
    pay: (challanIds: readonly string[], key?: string) =>
      api.call(contract.bankStatement.markPaid, { body: { challanIds: [...challanIds] } }, as(key)),
    payMatching: (body: MatchingBody, key?: string) =>
      api.call(contract.bankStatement.markMatchingPaid, { body: { paymentStatus: true, ...body } }, as(key)),
    /** Everything a payment may change, to compare before and after what must change nothing. */
    snapshot: () =>
      api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ state: string }>(
          `SELECT md5(concat(
             (SELECT string_agg(concat_ws(' ', id, payment_status, paid_at, pay_cycle, updated_at, version), ';' ORDER BY id)
              FROM challans WHERE subadmin_id = $1),
             (SELECT string_agg(concat_ws(' ', challan_id, pay_cycle, kind), ';' ORDER BY challan_id, pay_cycle, kind)
              FROM payment_lines WHERE subadmin_id = $1),
             (SELECT count(*) FROM payment_batches WHERE subadmin_id = $1),
             (SELECT string_agg(concat_ws(' ', name, value), ';' ORDER BY name) FROM counters WHERE subadmin_id = $1)
           )) AS state`,
          [db.tenantId],
        );
        return rows[0]?.state;
      }),
    /** Whether each is paid, in the order given. */
    statusOf: (challans: readonly TestChallan[]) =>
      api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ payment_status: boolean }>(
          `SELECT payment_status FROM challans WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])
            ORDER BY array_position($2::uuid[], id)`,
          [db.tenantId, idsOf(challans)],
        );
        return rows.map((row) => row.payment_status);
      }),
    assertMoney: () =>
      api.inTenant(tenant, async (db) => {
        await assertTotals(db);
        await assertLedger(db);
      }),
  };
}
export type PaymentDesk = Awaited<ReturnType<typeof openPaymentDesk>>;
