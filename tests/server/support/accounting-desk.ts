import { contract } from '../../../src/shared/contract/index.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import type { Api, Tenant } from './api.ts';
import { buildChallan, createOwner, createTag } from './builders.ts';
import type { Random } from './random.ts';

const { challans, bankStatement, paymentBatches } = contract;

export interface AccountingDesk {
  tenant: Tenant;
  owners: string[];
  tags: string[];
}

export async function openAccountingDesk(api: Api): Promise<AccountingDesk> {
  const tenant = await api.addTenant();
  const owners = [];
  const tags = [];
  for (let index = 0; index < 2; index += 1) owners.push((await createOwner(api, tenant)).id);
  for (let index = 0; index < 3; index += 1) tags.push((await createTag(api, tenant)).id);
  return { tenant, owners, tags };
}

export const depositedDays = ['2026-04-12', '2026-04-13', '2026-05-01'];

/** One thing of a day's work, refusals included; now and then a challan loses its tag or its deposited day, as imported ones may. */
export async function workOnce(api: Api, desk: AccountingDesk, random: Random): Promise<void> {
  const { tenant, owners, tags } = desk;
  const auth = { token: tenant.token };
  const { data } = (await api.call(challans.list, { query: { limit: 50 } }, auth)).body;
  const one = data.length === 0 ? undefined : random.pick(data).id;
  const amount = () => `${random.below(40_000)}.${10 + random.below(90)}`;
  const change = (body: object) => one && api.callRaw('PUT', `/api/challans/${one}`, { ...auth, body });
  const create = () =>
    api.call(
      challans.create,
      {
        body: buildChallan(
          { ownerId: random.pick(owners), tagId: random.pick(tags.slice(0, 2)) },
          {
            depositedAt: random.pick(depositedDays),
            advanceMoney: amount(),
            unloadingWeight: `2${random.below(9)}.${10 + random.below(90)}`,
            paymentStatus: random.chance(0.3),
          },
        ),
      },
      auth,
    );
  const acts: (() => unknown)[] = [
    create,
    create,
    create,
    () => change({ advanceMoney: amount(), depositedAt: random.pick(depositedDays) }),
    () => change({ tagId: random.pick(tags.slice(0, 2)), tdsPercentage: random.pick(['0.5', '2.0']) }),
    () => change({ paymentStatus: random.chance(0.5) }),
    () => one && api.call(challans.remove, { params: { id: one } }, auth),
    () => one && api.call(bankStatement.markPaid, { body: { challanIds: [one] } }, auth),
    async () => {
      const batches = (await api.call(paymentBatches.list, {}, auth)).body.data;
      if (batches.length === 0) return;
      const params = { id: random.pick(batches).id };
      await api.call(paymentBatches.reverse, { params, body: { reason: 'Wrong' } }, auth);
    },
    () => api.inTenant(tenant, (db) => foldTotals(db, db.tenantId)),
    () =>
      one &&
      api.inTenant(tenant, (db) =>
        db.query(
          `UPDATE challans SET tag_id = NULL, deposited_at = CASE WHEN $3 THEN deposited_at END
           WHERE subadmin_id = $1 AND id = $2`,
          [tenant.id, one, random.chance(0.5)],
        ),
      ),
  ];
  await random.pick(acts)();
}

export interface Recounted {
  ownerId: string;
  tagId: string | null;
  paid: boolean;
  deposited: string | null;
  net: string;
  tds: string;
  loaded: string;
  unloaded: string;
}

/** Every living challan as the table has it, for sums of our own. */
export function everyRow(api: Api, tenant: Tenant): Promise<Recounted[]> {
  return api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<Recounted>(
      `SELECT owner_id AS "ownerId", tag_id AS "tagId", payment_status AS paid, deposited_on::text AS deposited,
         net_amount_payable AS net, tds_amount AS tds, loading_weight AS loaded, unloading_weight AS unloaded
       FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL`,
      [db.tenantId],
    );
    return rows;
  });
}

export interface Wanted {
  ownerId?: string | undefined;
  paymentStatus?: boolean | undefined;
  tagId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export function isWanted(
  row: Pick<Recounted, 'ownerId' | 'tagId' | 'paid' | 'deposited'>,
  { ownerId, paymentStatus, tagId, from, to }: Wanted,
): boolean {
  if (ownerId !== undefined && row.ownerId !== ownerId) return false;
  if (paymentStatus !== undefined && row.paid !== paymentStatus) return false;
  if (tagId !== undefined && row.tagId !== (tagId === 'none' ? null : tagId)) return false;
  if (from === undefined && to === undefined) return true;
  const { deposited } = row;
  return deposited !== null && (from === undefined || deposited >= from) && (to === undefined || deposited <= to);
}
