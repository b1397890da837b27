import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { long } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';

let api: Api;
let tenant: Tenant;
let auth: { token: string };
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  auth = { token: tenant.token };
});
afterAll(() => api.close());

const { challans, owners, tags, petrolPumps, bankStatement } = contract;
const rounds = long(25);

/** Challans that name a record which is deleted; a hidden pump may stay named. */
async function orphans(): Promise<string[]> {
  return api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ challan_number: string }>(
      `SELECT c.challan_number FROM challans c
         JOIN owners o ON o.subadmin_id = c.subadmin_id AND o.id IN (c.owner_id, c.discounter_id)
         LEFT JOIN tags t ON t.subadmin_id = c.subadmin_id AND t.id = c.tag_id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND (o.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL)`,
      [tenant.id],
    );
    return rows.map(({ challan_number }) => challan_number);
  });
}

describe('a delete against a challan that names the record', () => {
  it('leaves no orphan: one of the two is refused', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
      const [made, tagGone, ownerGone] = await Promise.all([
        api.call(challans.create, { body: buildChallan(refs) }, auth),
        api.call(tags.remove, { params: { id: refs.tagId } }, auth),
        api.call(owners.remove, { params: { id: refs.ownerId } }, auth),
      ]);
      if (made.status === 201) expect([tagGone.status, ownerGone.status]).toEqual([409, 409]);
      else {
        expect([made.status, made.error.code]).toEqual([400, 'INVALID_REFERENCE']);
        expect([tagGone.status, ownerGone.status]).toContain(200);
      }
    }
    expect(await orphans()).toEqual([]);
  });

  it('leaves no orphan when a change names the record', async () => {
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    const challan = await createChallan(api, tenant, refs);
    for (let round = 0; round < rounds; round += 1) {
      const tag = await createTag(api, tenant);
      const discounter = await createOwner(api, tenant);
      const pump = await createPump(api, tenant);
      const [changed, tagGone, ownerGone, pumpGone] = await Promise.all([
        api.call(
          challans.update,
          { params: { id: challan.id }, body: { tagId: tag.id, discounterId: discounter.id, petrolPumpId: pump.id } },
          auth,
        ),
        api.call(tags.remove, { params: { id: tag.id } }, auth),
        api.call(owners.remove, { params: { id: discounter.id } }, auth),
        api.call(petrolPumps.remove, { params: { id: pump.id } }, auth),
      ]);
      expect([200, 400]).toContain(changed.status);
      expect(pumpGone.status).toBe(200);
      if (changed.status === 200) expect([tagGone.status, ownerGone.status]).toEqual([409, 409]);
      // Back to records that stay, so that the next round's can be deleted.
      await api.call(
        challans.update,
        { params: { id: challan.id }, body: { tagId: refs.tagId, discounterId: null } },
        auth,
      );
    }
    expect(await orphans()).toEqual([]);
  });
});

describe('one challan, changed from all sides at once', () => {
  it('keeps ledger and totals to the paisa', async () => {
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    for (let round = 0; round < 8; round += 1) {
      const { id } = await createChallan(api, tenant, refs);
      const change = (body: object) => api.callRaw('PUT', `/api/challans/${id}`, { ...auth, body });
      const answers = await Promise.all([
        change({ advanceMoney: '1000' }),
        change({ paymentStatus: true }),
        change({ ratePerMT: '1200', paymentStatus: true }),
        api.call(bankStatement.markPaid, { body: { challanIds: [id] } }, auth),
        change({ paymentStatus: false }),
        change({ advanceMoney: '2000.50' }),
        api.call(challans.remove, { params: { id } }, auth),
        api.call(
          bankStatement.markMatchingPaid,
          { body: { filters: { ownerId: refs.ownerId }, paymentStatus: true } },
          auth,
        ),
      ]);
      for (const { status } of answers) expect([200, 400, 404, 409]).toContain(status);
    }
    await api.inTenant(tenant, assertLedger);
    await api.inTenant(tenant, assertTotals);
  });
});

describe('challans created at once', () => {
  it("are each numbered and recorded once, and a refused one or a repeated key is nobody else's matter", async () => {
    const own = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, own)).id, tagId: (await createTag(api, own)).id };
    const gone = await createTag(api, own);
    await api.call(tags.remove, { params: { id: gone.id } }, { token: own.token });
    const repeated = { ...buildChallan(refs), tpNo: 'ONCESAME' };
    const sent = Array.from({ length: 18 }, (_, at) => ({
      isRefused: at % 9 === 4,
      ...(at % 9 === 7
        ? { body: repeated, key: 'same-key' }
        : { body: { ...buildChallan(refs), tpNo: `ONCE${at}` }, key: `key-${at}` }),
    }));
    const answers = await Promise.all(
      sent.map(({ isRefused, body, key }) =>
        api.call(challans.create, { body: isRefused ? { ...body, tagId: gone.id } : body }, { token: own.token, key }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(sent.map(({ isRefused }) => (isRefused ? 400 : 201)));
    const same = answers.filter((_, at) => at % 9 === 7).map(({ text }) => text);
    expect(new Set(same).size).toBe(1);

    const stored = await api.inTenant(own, async (db) => {
      const { rows } = await db.query<{ counter: number; lines: number; tp: string }>(
        `SELECT right(c.challan_number, 6)::int AS counter, c.tp_no AS tp, (
           SELECT count(*)::int FROM history h
           WHERE h.subadmin_id = $1 AND h.entity_id = c.id AND h.action = 'created') AS lines
         FROM challans c WHERE c.subadmin_id = $1 ORDER BY c.created_at, c.id`,
        [own.id],
      );
      return rows;
    });
    const wanted = new Set(sent.filter(({ isRefused }) => !isRefused).map(({ body }) => body.tpNo));
    expect(stored.map(({ counter }) => counter)).toEqual(Array.from({ length: wanted.size }, (_, at) => at + 1));
    expect(new Set(stored.map(({ tp }) => tp))).toEqual(wanted);
    expect(stored.map(({ lines }) => lines)).toEqual(stored.map(() => 1));
    await api.inTenant(own, assertTotals);
  });
});
