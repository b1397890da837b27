import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startMaintenance } from '../../../src/server/maintenance.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { withTenant, type TenantDb } from '../../../src/server/db/tenant.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { bookChecks, runCheck } from '../../../src/server/features/system/books.service.ts';
import { testSeed } from '../../calc/seed.ts';
import { isFull, long } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { assertLedger, insertChallans } from '../support/ledger.ts';
import { randomOf, type Random } from '../support/random.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { challans, bankStatement, paymentBatches } = contract;

const untagged = '00000000-0000-0000-0000-000000000000';
const allTags = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const sums = { challans: 'count(*)', net_amount: 'sum(net_amount_payable)' };
const withWeights = { ...sums, loading_weight: 'sum(loading_weight)', unloading_weight: 'sum(unloading_weight)' };
const tag = `coalesce(tag_id, '${untagged}')`;
const day = `coalesce(deposited_on, '-infinity')`;

/** Each roll-up with its key as the deltas and the challans say it, and its sums as the challans do. */
const rollUps: { table: string; keys: string; ofDelta: string; ofChallan: string; of: Record<string, string> }[] = [
  {
    table: 'challan_totals_by_tag',
    keys: 'tag_id, payment_status',
    ofDelta: 'tag_id, payment_status',
    ofChallan: `${tag}, payment_status`,
    of: withWeights,
  },
  {
    table: `(SELECT subadmin_id, owner_id, tag_id, s.*
      FROM challan_totals_by_owner, LATERAL (VALUES (true, paid_challans, paid_amount, paid_tds),
        (false, challans - paid_challans, net_amount - paid_amount, tds_amount - paid_tds))
        AS s (payment_status, challans, net_amount, tds_amount))`,
    keys: 'owner_id, tag_id, payment_status',
    ofDelta: 'owner_id, tag_id, payment_status',
    ofChallan: `owner_id, ${tag}, payment_status`,
    of: { ...sums, tds_amount: 'sum(tds_amount)' },
  },
  {
    table: `(SELECT * FROM challan_totals_by_day WHERE tag_id <> '${allTags}')`,
    keys: 'tag_id, deposited_on, payment_status',
    ofDelta: 'tag_id, deposited_on, payment_status',
    ofChallan: `${tag}, ${day}, payment_status`,
    of: withWeights,
  },
  {
    table: `(SELECT * FROM challan_totals_by_day WHERE tag_id = '${allTags}')`,
    keys: 'deposited_on, payment_status',
    ofDelta: 'deposited_on, payment_status',
    ofChallan: `${day}, payment_status`,
    of: withWeights,
  },
];

/** Roll-up and open differences together are the recount, for every key and measure. */
async function expectExact(db: TenantDb): Promise<void> {
  await expectCounted(db);
  for (const { table, keys, ofDelta, ofChallan, of } of rollUps) {
    const measures = Object.keys(of).join(', ');
    const each = (say: (measure: string, sum: string) => string) =>
      Object.entries(of)
        .map(([measure, sum]) => say(measure, sum))
        .join(', ');
    const key = keys
      .split(', ')
      .map((_, index) => index + 1)
      .join(', ');
    const { rows } = await db.query(
      `WITH maintained AS (
         SELECT ${keys}, ${each((measure) => `sum(${measure}) AS ${measure}`)}
         FROM (
           SELECT ${keys}, ${measures} FROM ${table} AS rolled WHERE subadmin_id = $1
           UNION ALL SELECT ${ofDelta}, ${measures} FROM open_challan_totals WHERE subadmin_id = $1
         ) AS parts GROUP BY ${key}
       ), recount AS (
         SELECT ${ofChallan}, ${each((measure, sum) => `${sum} AS ${measure}`)} FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL GROUP BY ${key}
       )
       (SELECT 'maintained' AS side, * FROM maintained WHERE (${measures}) <> (${each(() => '0')})
         EXCEPT ALL SELECT 'maintained', * FROM recount)
       UNION ALL (SELECT 'recount', * FROM recount EXCEPT ALL SELECT 'recount', * FROM maintained)`,
      [db.tenantId],
    );
    expect(rows, table).toEqual([]);
  }
}

/** The counts by day of creation have no differences: they are the recount at any moment. */
async function expectCounted(db: TenantDb): Promise<void> {
  const { rows } = await db.query(
    `SELECT created_on::text, sum(maintained)::int AS maintained, sum(recount)::int AS recount FROM (
       SELECT created_on, challans AS maintained, 0 AS recount FROM challan_counts_by_created_day WHERE subadmin_id = $1
       UNION ALL SELECT (created_at AT TIME ZONE 'UTC')::date, 0, 1 FROM challans
       WHERE subadmin_id = $1 AND deleted_at IS NULL
     ) AS parts GROUP BY 1 HAVING sum(maintained) <> sum(recount)`,
    [db.tenantId],
  );
  expect(rows).toEqual([]);
}

interface Desk {
  tenant: Tenant;
  owners: string[];
  tags: string[];
  pumps: string[];
}

async function openDesk(): Promise<Desk> {
  const tenant = await api.addTenant();
  const owners = [];
  const tags = [];
  for (let index = 0; index < 3; index += 1) {
    owners.push((await createOwner(api, tenant)).id);
    tags.push((await createTag(api, tenant)).id);
  }
  const pumps = [(await createPump(api, tenant)).id, (await createPump(api, tenant)).id];
  return { tenant, owners, tags, pumps };
}

const days = ['2026-04-12', '2026-04-13', '2026-04-14', '2026-05-01'];

/** One thing that people do. Refusals (a paid one deleted, a batch reversed twice) are part of a day's work. */
async function actOnce(desk: Desk, random: Random): Promise<void> {
  const { tenant, owners, tags, pumps } = desk;
  const auth = { token: tenant.token };
  const { data } = (await api.call(challans.list, { query: { limit: 30, page: 1 + random.below(3) } }, auth)).body;
  const some = data.filter(() => random.chance(0.3)).map(({ id }) => id);
  const one = data.length === 0 ? undefined : random.pick(data).id;
  const amount = () => `${random.below(9_000)}.${10 + random.below(90)}`;
  const change = (body: object) => one && api.callRaw('PUT', `/api/challans/${one}`, { ...auth, body });
  const acts: (() => unknown)[] = [
    () =>
      api.call(
        challans.create,
        {
          body: buildChallan(
            { ownerId: random.pick(owners), tagId: random.pick(tags) },
            { depositedAt: random.pick(days), advanceMoney: amount(), paymentStatus: random.chance(0.2) },
          ),
        },
        auth,
      ),
    () => change({ advanceMoney: amount(), tagId: random.pick(tags) }),
    () => change({ depositedAt: random.pick(days) }),
    () => change({ loadingDate: random.pick(['2026-04-09', '2026-04-10', '2026-04-11']) }),
    () => change({ unloadingWeight: `24.${10 + random.below(80)}`, tdsPercentage: random.pick(['0.5', '1.0', '2.0']) }),
    () => change({ remarks: amount() }),
    () =>
      change({ material: random.pick(['Coal', 'coal', 'Iron ore']), loadingPlace: random.pick(['Joda', 'Barbil']) }),
    () =>
      change({
        vehicleNo: random.pick(['OD09AB1234', 'OD 09 AB 1234', 'JH05C77']),
        unloadingPlace: random.pick(['Paradip', 'Vizag']),
      }),
    () => change({ tpNo: random.pick(['KJR/0001', 'kjr 000', '000000', 'TP', 'ÀB/İ7', '260']) }),
    () => change({ petrolPumpId: random.pick([null, ...pumps]), hsdPricePerLiter: '90.00', hsdInLiters: '0' }),
    // As the check of a pump's bill does.
    () =>
      api.inTenant(tenant, (db) =>
        db.query(
          `UPDATE challans SET hsd_verified = NOT hsd_verified,
             hsd_verified_at = CASE WHEN hsd_verified THEN NULL ELSE now() END
           WHERE subadmin_id = $1 AND petrol_pump_id = $2`,
          [tenant.id, random.pick(pumps)],
        ),
      ),
    () => change({ paymentStatus: random.chance(0.5) }),
    () => one && api.call(challans.remove, { params: { id: one } }, auth),
    () => some.length > 0 && api.call(bankStatement.markPaid, { body: { challanIds: some } }, auth),
    () =>
      api.call(
        bankStatement.markMatchingPaid,
        { body: { filters: { depositedEndDate: random.pick(days), tagId: random.pick(tags) }, paymentStatus: true } },
        auth,
      ),
    async () => {
      const batches = (await api.call(paymentBatches.list, {}, auth)).body.data;
      if (batches.length === 0) return;
      await api.call(
        paymentBatches.reverse,
        { params: { id: random.pick(batches).id }, body: { reason: 'Wrong' } },
        auth,
      );
    },
    () => api.inTenant(tenant, (db) => foldTotals(db, db.tenantId)),
    // What no screen does today: many challans moved at once, some of them changing places.
    () =>
      api.inTenant(tenant, (db) =>
        db.query(
          `UPDATE challans SET tag_id = CASE tag_id WHEN $2::uuid THEN $3::uuid WHEN $3::uuid THEN NULL ELSE $2::uuid END
           WHERE subadmin_id = $1 AND NOT payment_status`,
          [tenant.id, tags[0], tags[1]],
        ),
      ),
  ];
  await random.pick(acts)();
}

describe('maintained totals', () => {
  it('are the recount to the paisa after random histories with folds in between', async () => {
    const random = randomOf(testSeed('totals'));
    for (let round = 0; round < 3; round += 1) {
      const desk = await openDesk();
      for (let act = 0; act < 90; act += 1) {
        await actOnce(desk, random);
        if (act % 15 === 0) await api.inTenant(desk.tenant, expectExact);
      }
      await api.inTenant(desk.tenant, expectExact);
      await api.inTenant(desk.tenant, assertLedger);
      await api.inTenant(desk.tenant, (db) => foldTotals(db, db.tenantId));
      await api.inTenant(desk.tenant, async (db) => {
        const { rows } = await db.query('SELECT FROM challan_deltas WHERE subadmin_id = $1', [db.tenantId]);
        expect(rows).toEqual([]);
        await expectExact(db);
      });
    }
  });

  it('are exact while eight work at once and others fold', async () => {
    const seed = testSeed('totals at once');
    const desk = await openDesk();
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        const random = randomOf(seed + worker);
        for (let act = 0; act < 20; act += 1) await actOnce(desk, random);
      }),
    );
    await api.inTenant(desk.tenant, expectExact);
    await api.inTenant(desk.tenant, assertLedger);
    await Promise.all([1, 2, 3].map(() => api.inTenant(desk.tenant, (db) => foldTotals(db, db.tenantId))));
    await api.inTenant(desk.tenant, expectExact);
  });

  it('find challans that change places without changing a sum', async () => {
    const desk = await openDesk();
    const [owner, tags] = [desk.owners[0]!, desk.tags];
    const make = () =>
      createChallan(api, desk.tenant, { ownerId: owner, tagId: tags[0]! }, { depositedAt: '2026-04-12' });
    const [first, second] = [await make(), await make()];
    await api.inTenant(desk.tenant, (db) =>
      db.query('UPDATE challans SET tag_id = $3 WHERE subadmin_id = $1 AND id = $2', [
        desk.tenant.id,
        second.id,
        tags[1],
      ]),
    );
    await api.inTenant(desk.tenant, (db) => foldTotals(db, db.tenantId));
    await api.inTenant(desk.tenant, (db) =>
      db.query(
        `UPDATE challans SET tag_id = CASE id WHEN $2::uuid THEN $4::uuid ELSE $3::uuid END WHERE subadmin_id = $1`,
        [desk.tenant.id, first.id, tags[0], tags[1]],
      ),
    );
    await api.inTenant(desk.tenant, expectExact);
    for (const [tagId, id] of [
      [tags[0], second.id],
      [tags[1], first.id],
    ]) {
      const query = { tagId: tagId!, depositedDate: '2026-04-12' };
      const answer = await api.call(challans.list, { query }, { token: desk.tenant.token });
      expect(answer.body.data.map((row) => row.id)).toEqual([id]);
    }
  });

  it('are exact after a statement that pays some challans, takes others back and changes sums', async () => {
    const desk = await openDesk();
    const of = { ownerId: desk.owners[0]!, tagId: desk.tags[0]! };
    const challan = async () => (await createChallan(api, desk.tenant, of, { depositedAt: '2026-04-12' })).id;
    const [first, second, third] = [await challan(), await challan(), await challan()];
    const write = (paid: string[], advance: number) =>
      api.inTenant(desk.tenant, async (db) => {
        await db.query(
          `UPDATE challans SET payment_status = id = ANY ($2::uuid[]), paid_at = CASE WHEN id = ANY ($2::uuid[]) THEN now() END,
             advance_money = advance_money + $3, net_amount_payable = net_amount_payable - $3 WHERE subadmin_id = $1`,
          [db.tenantId, paid, advance],
        );
        await expectExact(db);
      });
    await write([first, second], 0);
    await write([second, third], 7);
    await write([first, second, third], 0);
    await write([], 5);
    await write([first, second, third], 0);
    await api.inTenant(desk.tenant, (db) => foldTotals(db, db.tenantId));
    await api.inTenant(desk.tenant, expectExact);
  });

  it('refuse that a challan vanishes', async () => {
    const desk = await openDesk();
    await createChallan(api, desk.tenant, { ownerId: desk.owners[0]!, tagId: desk.tags[0]! });
    await expect(asSchemaOwner(api, (client) => client.query('DELETE FROM challans'))).rejects.toThrow('append-only');
  });
});

/** The same by the checks of the books, which are quicker with many challans. All of them read one moment. */
const expectBooksExact = (tenant: Tenant): Promise<void> =>
  withTenant(api.pools.main, tenant.id, 'read', async (db) => {
    for (const check of bookChecks) {
      if (!/total|unpaid by owner|day of creation/.test(check.check)) continue;
      expect(await runCheck(db, check)).toMatchObject({ check: check.check, differences: 0, examples: [] });
    }
  });

/** Lets only so many differences be open in the database of this file, so that acts on some challans are large changes. */
const allowOpen = (most: number) =>
  asSchemaOwner(api, (client) =>
    client.query(
      `CREATE OR REPLACE FUNCTION most_open_differences() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ${most}`,
    ),
  );

const foldPortion = (tenant: Tenant, most: number): Promise<number> =>
  api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ n: number }>('SELECT fold_totals_of($1, $2)::int AS n', [db.tenantId, most]);
    return rows[0]!.n;
  });

const openDifferences = (tenant: Tenant): Promise<number> =>
  api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM challan_deltas WHERE subadmin_id = $1',
      [db.tenantId],
    );
    return rows[0]!.n;
  });

const update = (tenant: Tenant, what: string, where = 'true') =>
  api.inTenant(tenant, (db) =>
    db.query(`UPDATE challans SET ${what} WHERE subadmin_id = $1 AND ${where}`, [db.tenantId]),
  );

const pay = 'payment_status = true, paid_at = now()';
const reverse = 'payment_status = false, paid_at = NULL';

describe('large changes', () => {
  const usual = 25_000;
  afterEach(() => allowOpen(usual));

  it('leave no difference open, with exact totals at each moment', async () => {
    await allowOpen(isFull ? usual : 2_000);
    const perOwner = isFull ? 10_000 : 700;
    const desk = await openDesk();
    const { tenant, owners, tags } = desk;
    for (const [at, owner] of owners.entries()) {
      await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner, tagId: tags[at]! }, perOwner));
    }
    await expectBooksExact(tenant);
    const before = await openDifferences(tenant);
    for (const what of [pay, reverse, 'tag_id = NULL', pay, 'paid_at = now() - make_interval(days => 200)', reverse]) {
      await update(tenant, what);
      expect(await openDifferences(tenant)).toBe(before);
      await expectBooksExact(tenant);
    }
    const { summary } = (await api.call(challans.list, {}, { token: tenant.token })).body;
    expect(summary).toMatchObject({ totalCount: 3 * perOwner, unpaidCount: 3 * perOwner, paidAmount: '0.00' });
    // As many as may be open, and then one more act of some.
    while ((await foldPortion(tenant, usual)) > 0);
    await update(tenant, pay, `owner_id = '${owners[0]}'`);
    await update(tenant, pay, `owner_id = '${owners[1]}'`);
    expect(await openDifferences(tenant)).toBeLessThanOrEqual(isFull ? usual : 2_000);
    await expectBooksExact(tenant);
  }, 240_000);

  it('are exact in random histories in which nearly each act is one, with portions folded in between', async () => {
    await allowOpen(6);
    const random = randomOf(testSeed('large changes'));
    const desk = await openDesk();
    for (let act = 0; act < long(120); act += 1) {
      await actOnce(desk, random);
      if (random.chance(0.5)) await foldPortion(desk.tenant, 1 + random.below(12));
      if (act % 12 === 0) await api.inTenant(desk.tenant, expectExact);
    }
    while ((await foldPortion(desk.tenant, 5)) > 0);
    expect(await openDifferences(desk.tenant)).toBe(0);
    await api.inTenant(desk.tenant, expectExact);
    await api.inTenant(desk.tenant, assertLedger);
  }, 240_000);

  it('are exact at each moment for readers, while others write, fold in portions and are killed', async () => {
    await allowOpen(60);
    const random = randomOf(testSeed('large changes at once'));
    const { tenant, owners, tags } = await openDesk();
    for (const [at, owner] of owners.entries()) {
      await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner, tagId: tags[at]! }, 100));
    }
    const writing = new AbortController();
    const during = async (work: () => Promise<unknown>) => {
      while (!writing.signal.aborted) await work();
    };
    /** Folds a portion, and its connection ends before it is committed. */
    const foldAndDie = () =>
      asSchemaOwner(api, async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT fold_totals_of($1, 20)', [tenant.id]);
      });
    const write = async () => {
      for (let act = 0; act < long(20); act += 1) {
        const owner = random.pick(owners);
        // Of one owner each, so that two acts do not wait for each other's challans in different orders.
        await update(
          tenant,
          random.pick([
            pay,
            reverse,
            `tag_id = '${random.pick(tags)}'`,
            "deposited_at = deposited_at + interval '1 day'",
          ]),
          `owner_id = '${owner}' AND right(tp_no, 1) < '${random.below(10)}'`,
        ).catch((error: { code?: string }) => expect(error.code).toBe('40P01'));
      }
    };
    await Promise.all([
      Promise.all([write(), write(), write()]).finally(() => writing.abort()),
      during(() => foldPortion(tenant, 15)),
      during(foldAndDie),
      during(() => expectBooksExact(tenant)),
    ]);
    await expectBooksExact(tenant);
    while ((await foldPortion(tenant, 50)) > 0);
    await api.inTenant(tenant, expectExact);
  }, 240_000);

  it('find a challan that is there, when another leaves its day before its coming is folded', async () => {
    const { tenant, owners } = await openDesk();
    const of = { ownerId: owners[0]!, tagId: null };
    const make = (over: object) =>
      api.inTenant(tenant, async (db) => {
        const [made] = await insertChallans(db, of, 1, over);
        await db.query('UPDATE challans SET rate_per_mt = 1000, net_amount_payable = 1000 WHERE id = $1', [made!.id]);
        return made!.id;
      });
    const stays = await make({ minutesApart: 60 });
    while ((await foldPortion(tenant, usual)) > 0);
    const passes = await make({});
    await allowOpen(1);
    await update(tenant, "deposited_at = deposited_at + interval '1 day'", `id = '${passes}'`);
    await api.inTenant(tenant, expectExact);
    while ((await foldPortion(tenant, usual)) > 0);
    await api.inTenant(tenant, expectExact);
    const query = { depositedDate: '2026-04-12' };
    const answer = await api.call(challans.list, { query }, { token: tenant.token });
    expect(answer.body.data.map(({ id }) => id)).toEqual([stays]);
  });

  it('cancel out with their reversals before anything is added up', async () => {
    const { tenant, owners } = await openDesk();
    await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owners[0]! }, 20));
    while ((await foldPortion(tenant, usual)) > 0);
    const versions = () =>
      asSchemaOwner(api, async (client) => {
        const of = 'SELECT ctid, xmin FROM challan_totals_by_owner WHERE subadmin_id = $1 ORDER BY 1';
        return (await client.query(of, [tenant.id])).rows;
      });
    const before = await versions();
    await update(tenant, pay);
    await update(tenant, reverse);
    expect(await foldPortion(tenant, usual)).toBe(40);
    expect(await versions()).toEqual(before);
    await api.inTenant(tenant, expectExact);
  });

  it('leave one difference of a payment, two of a move, and none of what is not added up', async () => {
    const { tenant, owners } = await openDesk();
    await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owners[0]! }, 10));
    for (const [what, differences] of [
      [pay, 10],
      ["remarks = 'seen', material = 'Coal', paid_at = paid_at - interval '1 day'", 0],
      ['tag_id = NULL, payment_status = payment_status', 0],
      ["loading_at = loading_at - interval '1 day'", 0],
      ["deposited_at = deposited_at + interval '1 day'", 20],
      [reverse, 10],
      ['deleted_at = now()', 10],
      ["deposited_at = deposited_at + interval '1 day'", 0],
    ] as const) {
      while ((await foldPortion(tenant, usual)) > 0);
      await update(tenant, what);
      expect([what, await openDifferences(tenant)]).toEqual([what, differences]);
      await api.inTenant(tenant, expectExact);
    }
  });
});

describe('the background', () => {
  const silent = { warn: () => undefined };
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await wait(10);
  };

  it('folds open differences, forgets dead sessions and old keys, and stops when asked', async () => {
    const desk = await openDesk();
    const other = await api.addTenant();
    await api.inTenant(desk.tenant, (db) => insertChallans(db, { ownerId: desk.owners[0]! }, 5));
    await asSchemaOwner(api, async (client) => {
      await client.query(`UPDATE sessions SET expires_at = now() - interval '1 hour' WHERE account_id = $1`, [
        other.id,
      ]);
      await client.query(
        `INSERT INTO idempotency_keys (subadmin_id, key_hash, created_at)
         VALUES ($1, 'old', now() - interval '8 days'), ($1, 'young', now() - interval '6 days')`,
        [desk.tenant.id],
      );
    });
    const state = () =>
      asSchemaOwner(api, async (client) => {
        const { rows } = await client.query<{ deltas: number; sessions: number; keys: string }>(
          `SELECT (SELECT count(*)::int FROM challan_deltas WHERE subadmin_id = $1) AS deltas,
             (SELECT count(*)::int FROM sessions WHERE account_id = $2) AS sessions,
             (SELECT string_agg(convert_from(key_hash, 'UTF8'), ',') FROM idempotency_keys WHERE subadmin_id = $1) AS keys`,
          [desk.tenant.id, other.id],
        );
        return rows[0]!;
      });
    expect(await state()).toEqual({ deltas: 5, sessions: 1, keys: 'old,young' });
    const maintenance = startMaintenance(api.pools.main, silent, { foldEveryMs: 5, cleanEveryMs: 20 });
    await until(async () => JSON.stringify(await state()) === '{"deltas":0,"sessions":0,"keys":"young"}');
    await maintenance.stop();
    await api.inTenant(desk.tenant, (db) => insertChallans(db, { ownerId: desk.owners[0]! }, 1));
    await wait(60);
    expect((await state()).deltas).toBe(1);
    await api.inTenant(desk.tenant, expectExact);
  });

  it('folds although the limit of statements is small, and although the totals of another business fail', async () => {
    const [desk, broken] = [await openDesk(), await openDesk()];
    for (const { tenant, owners } of [desk, broken]) {
      await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owners[0]! }, 9_000));
    }
    await asSchemaOwner(api, (client) =>
      client.query(
        `ALTER TABLE challan_totals_by_owner ADD CONSTRAINT refused CHECK (owner_id <> '${broken.owners[0]}') NOT VALID`,
      ),
    );
    const pool = createPool(api.appUrl, { statementTimeoutMs: 100 });
    let isRefused = false;
    // Of a check that refuses. Other statements may be cancelled on a busy machine, and are repeated.
    const warn = (details: object) => (isRefused ||= (details as { code?: string }).code === '23514');
    const maintenance = startMaintenance(pool, { warn }, { foldEveryMs: 5, cleanEveryMs: 20 });
    try {
      await until(async () => isRefused && (await openDifferences(desk.tenant)) === 0);
    } finally {
      await maintenance.stop();
      await pool.end();
      await asSchemaOwner(api, (client) => client.query('ALTER TABLE challan_totals_by_owner DROP CONSTRAINT refused'));
    }
    expect(await openDifferences(broken.tenant)).toBe(9_000);
    await expectBooksExact(desk.tenant);
    await expectBooksExact(broken.tenant);
  }, 240_000);
});
