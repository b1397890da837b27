import type { Client, PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { subtract } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { TenantTransaction } from '../../../src/server/db/bound-transaction.ts';
import { withGlobal, type TenantDb } from '../../../src/server/db/tenant.ts';
import { startMaintenance } from '../../../src/server/maintenance.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { checks, selectDifferences, type Found } from '../../../src/server/features/system/checks.queries.ts';
import { selectBrokenSeals, sealWritten } from '../../../src/server/features/system/seals.queries.ts';
import { claimTonight, endUpkeep, type UpkeepKind } from '../../../src/server/features/system/upkeep.queries.ts';
import { checkBooks, sealAfterMinutes } from '../../../src/server/features/system/books.service.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { idsOf, insertChallans, totalOf } from '../support/ledger.ts';
import { buildScene, type Scene } from '../support/scene.ts';
import { asSchemaOwner, tenantTables } from '../support/tables.ts';

let api: Api;
let tables: string[];
let tenant: Tenant;

/**
 * What is entered and may be corrected by its users at any time: nothing else in the database says what it should be. What
 * was paid, sent or printed of it has copies of its own, in tables that are checked.
 */
const entered = [
  'account_changes',
  'bank_accounts',
  'bank_layouts',
  'batches',
  'counters',
  'declarations',
  'exception_fines',
  'hsd_pump_settings',
  'idempotency_keys',
  'owners',
  'petrol_pumps',
  'preferences',
  'release_rules',
  'shared_reports',
  'tags',
  'tds_deposit_covers',
  'tds_deposits',
  // What went out last; what went out is in the vouchers, which are checked.
  'tally_exported',
  'tally_masters',
  'tally_settings',
  'tds_settings',
  'trucks',
];

beforeAll(async () => {
  api = await startApi();
  const scene = await buildScene(api, 'KOEL');
  ({ tenant } = scene);
  await buildScene(api, 'MAYUR');
  tables = await tenantTables(api);
  await fillTheRest(scene);
});
afterAll(() => api.close());

/** A business whose books agree, with a row in every table that is checked. */
async function fillTheRest({ refs }: Scene): Promise<void> {
  await asSchemaOwner(api, async (client) => {
    // The scene writes these as they could not be: a carry beside a challan that stays paid.
    await client.query("SET session_replication_role = 'replica'");
    await client.query('DELETE FROM carry_events');
    await client.query('DELETE FROM payment_sums WHERE challans = 0');
    await client.query("SET session_replication_role = 'origin'");
    await client.query(
      `INSERT INTO hsd_upload_verifications (subadmin_id, upload_id, verified_count, skipped_count, created_by)
       VALUES ($1, $2, 1, 0, $1)`,
      [tenant.id, refs.hsdUploadId],
    );
    await client.query(
      `INSERT INTO hsd_upload_matches (subadmin_id, upload_id, challan_id, tp_key, hsd_amount, petrol_pump_id)
       VALUES ($1, $2, gen_random_uuid(), 'TP', 1, gen_random_uuid())`,
      [tenant.id, refs.hsdUploadId],
    );
    await client.query(
      `INSERT INTO hsd_acceptances (subadmin_id, upload_id, row_no, challan_id, challan_amount, reason, created_by)
       SELECT $1, upload_id, row_no, challan_id, 0, 'x', $1 FROM hsd_upload_rows WHERE subadmin_id = $1`,
      [tenant.id],
    );
  });
  const auth = { token: tenant.token };
  const pay = async (ownerId: string, over: { advance?: string; other?: string } = {}) => {
    const insert = (id: string, advance = '0') =>
      api.inTenant(tenant, (db) => insertChallans(db, { ownerId: id }, 3, { advance }));
    const made = await insert(ownerId, over.advance);
    const rest = over.other ? await insert(over.other) : [];
    const carries = over.advance ? [{ ownerId, amount: subtract('0', totalOf(made)) }] : [];
    const body = { challanIds: idsOf([...made, ...rest]), carries };
    const paid = await api.call(contract.bankStatement.markPaid, { body }, auth);
    expect(paid.status, paid.text).toBe(200);
    return paid.body.data.batchId ?? '';
  };
  const reversed = { params: { id: await pay(refs.ownerId) }, body: { reason: 'wrong owner' } };
  expect((await api.call(contract.paymentBatches.reverse, reversed, auth)).status).toBe(200);
  await pay(refs.freeOwnerId, { advance: '5000', other: refs.ownerId });
  await api.inTenant(tenant, (db) => foldTotals(db, tenant.id));
  await api.inTenant(tenant, (db) => sealWritten(db, 0));
  // A second seal of the same tables, and differences that are not folded yet.
  await pay(refs.ownerId);
  await api.inTenant(tenant, (db) => sealWritten(db, 0));
}

/** Another value of each type, for `$`. */
const others: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  'uuid[]': 'ARRAY[gen_random_uuid()]',
  text: "coalesce($, '') || 'x'",
  'text[]': "ARRAY['x']",
  'numeric[]': '$ || 1.00',
  integer: 'coalesce($, 0) + 1',
  bigint: 'coalesce($, 0) + 1',
  numeric: 'coalesce($, 0) + 1',
  boolean: 'NOT $',
  date: "coalesce($, '2026-04-01') - 1",
  'timestamp with time zone': "CASE WHEN isfinite($) THEN $ - interval '1 microsecond' ELSE now() END",
  jsonb: `'{"of": "somebody else"}'`,
  bytea: "'\\x00' || coalesce($, '')",
};

/** Runs a check after a superuser has changed something behind every trigger; nothing of it is kept. */
async function afterwards<T>(
  tamper: (client: Client) => Promise<unknown>,
  check: (db: TenantDb) => Promise<T>,
): Promise<T> {
  return asSchemaOwner(api, async (client) => {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    await tamper(client);
    const found = await check(new TenantTransaction(client as PoolClient, 'write', tenant.id));
    await client.query('ROLLBACK');
    return found;
  });
}

const wrongAfter = (tamper: (client: Client) => Promise<unknown>): Promise<string[]> =>
  afterwards(tamper, async (db) =>
    (await checkBooks(db)).filter(({ differences }) => differences > 0).map(({ check }) => check),
  );

/** Changes the first row of a table that there is of the business, and fails where there is none. */
async function change(client: Client, table: string, what: string, where = 'true'): Promise<void> {
  const row = `ctid = (SELECT ctid FROM ${table} WHERE subadmin_id = $1 AND ${where} LIMIT 1)`;
  const text = what === 'DELETE' ? `DELETE FROM ${table} WHERE ${row}` : `UPDATE ${table} SET ${what} WHERE ${row}`;
  const { rowCount } = await client.query(text, [tenant.id]);
  expect([text, rowCount]).toEqual([text, 1]);
}

/** The check that is to find a change of a table: of a maintained total its own, else the chain. */
function finderOf(table: string): (db: TenantDb) => Promise<Found> {
  const name = {
    challans: 'challans by day of creation',
    challan_counts_by_created_day: 'challans by day of creation',
    challan_deltas: 'totals by owner',
    challan_totals_by_day: 'totals by day',
    challan_totals_by_owner: 'totals by owner',
    challan_totals_by_tag: 'totals by tag',
    challan_unpaid_by_owner_day: 'unpaid by owner and day',
    challan_vehicles: 'plates of challans',
    prepared_payments: 'prepared and released payments',
    prepared_payment_owners: 'prepared and released payments',
  }[table];
  const check = checks.find((one) => one.name === name);
  return check ? (db) => selectDifferences(db, check) : selectBrokenSeals;
}

const chain = 'chain of what was written once';
const ledger = 'payments and challans agree';

describe('the check of the books', () => {
  it('finds nothing where nothing was touched', async () => {
    const checked = await api.inTenant(tenant, checkBooks);
    expect(checked.filter(({ differences }) => differences > 0)).toEqual([]);
    expect(checked.map(({ check }) => check)).toContain(chain);
    expect(await wrongAfter(() => Promise.resolve())).toEqual([]);
  });

  it('finds a row that was removed from any table but those that people correct', async () => {
    for (const table of tables.filter((name) => !entered.includes(name))) {
      const found = await afterwards((client) => change(client, table, 'DELETE'), finderOf(table));
      expect([table, found.differences > 0]).toEqual([table, true]);
    }
  });

  it('finds a change in any column of what is written once', async () => {
    const columns = await asSchemaOwner(api, async (client) => {
      const { rows } = await client.query<{ table: string; column: string; type: string }>(
        `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type
         FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE g.tgname = 'append_only' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
           AND a.attname <> 'subadmin_id' ORDER BY 1, 2`,
      );
      return rows;
    });
    expect(columns.length).toBeGreaterThan(150);
    const ofTable = (name: string) => columns.filter(({ table }) => table === name);
    const names = [...new Set(columns.map(({ table }) => table))];
    // The first column of every table at once, then the second one: each breaks the seal of its table and no other. What is
    // changed of the seals themselves breaks the next one too.
    const rounds = [
      ...Array.from({ length: Math.max(...names.map((name) => ofTable(name).length)) }, (_, round) =>
        names.filter((name) => name !== 'seals').flatMap((name) => ofTable(name).slice(round, round + 1)),
      ),
      ...ofTable('seals').map((column) => [column]),
    ];
    for (const round of rounds) {
      const found = await afterwards(async (client) => {
        for (const { table, column, type } of round) {
          const value = others[type];
          if (value === undefined) throw new Error(`Another value of ${table}.${column}, which is ${type}?`);
          await dropChecks(client, table);
          await change(client, table, `${column} = ${value.replaceAll('$', column)}`);
        }
      }, selectBrokenSeals);
      if (round[0]?.table === 'seals') expect([round, found.differences > 0]).toEqual([round, true]);
      else expect([round, found.differences]).toEqual([round, round.length]);
    }
  });

  it('finds a row that was added to a day that is over', async () => {
    const added = await wrongAfter((client) =>
      client.query(
        `INSERT INTO history SELECT (h).* FROM (
           SELECT jsonb_populate_record(h, jsonb_build_object('id', gen_random_uuid())) AS h FROM history AS h
           WHERE subadmin_id = $1 LIMIT 1) AS copied`,
        [tenant.id],
      ),
    );
    expect(added).toEqual([chain]);
  });

  it('finds a seal that was taken out or whose columns are none', async () => {
    for (const what of ['DELETE', "columns = ARRAY['1); DROP TABLE seals; --']"]) {
      expect(await wrongAfter((client) => change(client, 'seals', what, 'seal_no = 2'))).toEqual([chain]);
    }
  });

  it.each([
    ['a paid challan called unpaid', 'payment_status = false, paid_at = NULL', 'payment_status', ledger],
    [
      'a paid challan with another net',
      'rate_per_mt = rate_per_mt + 1, net_amount_payable = net_amount_payable + 1',
      'payment_status',
      ledger,
    ],
    ['a challan of another cycle', 'pay_cycle = pay_cycle + 1', 'payment_status', ledger],
    ['a paid challan of another day', "paid_at = paid_at - interval '2 days'", 'payment_status', ledger],
    ['an unpaid challan called paid', 'payment_status = true, paid_at = now()', 'NOT payment_status', ledger],
    [
      'an unpaid challan with another net',
      'rate_per_mt = rate_per_mt + 1, net_amount_payable = net_amount_payable + 1',
      'NOT payment_status',
      'totals by owner',
    ],
    [
      'another TDS',
      'tds_amount = tds_amount + 1, net_amount_payable = net_amount_payable - 1',
      'NOT payment_status',
      'totals by tag',
    ],
    ['a challan that is gone', 'deleted_at = now()', 'NOT payment_status', 'challans by day of creation'],
    ['a challan of another tag', 'tag_id = NULL', 'tag_id IS NOT NULL', 'totals by tag'],
    [
      'a challan of another deposit',
      "deposited_at = deposited_at + interval '1 day'",
      'NOT payment_status',
      'unpaid by owner and day',
    ],
  ])('finds %s', async (_, what, where, check) => {
    expect(await wrongAfter((client) => change(client, 'challans', what, where))).toContain(check);
  });

  it('finds a payment that was taken back whose challan is gone', async () => {
    const gone = await wrongAfter((client) =>
      change(client, 'challans', 'DELETE', 'NOT payment_status AND pay_cycle > 0'),
    );
    expect(gone).toContain(ledger);
  });

  it('finds every measure of every roll-up that is off by the smallest amount', async () => {
    const kept = tables.filter((name) => /^challan_(totals|unpaid|counts|deltas)/.test(name));
    expect(kept).toHaveLength(6);
    for (const table of kept) {
      const measures = await asSchemaOwner(api, async (client) => {
        const { rows } = await client.query<{ column: string }>(
          `SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
             AND atttypid IN ('bigint'::regtype, 'numeric'::regtype)`,
          [table],
        );
        return rows.map(({ column }) => column);
      });
      for (const column of measures) {
        const off = `${column} = ${column} + 0.01 * 100`;
        // The roll-up that is made of this column of a difference, where not every one is.
        const ofDifferences: Record<string, string> = Object.fromEntries(
          measures.filter((name) => name.endsWith('weight')).map((name) => [name, 'challan_totals_by_day']),
        );
        const finder = finderOf((table === 'challan_deltas' ? ofDifferences[column] : undefined) ?? table);
        const found = await afterwards((client) => change(client, table, off), finder);
        expect([table, column, found.differences > 0]).toEqual([table, column, true]);
      }
    }
  });
});

/** Constraints that would refuse the change, or make it somewhere else. */
async function dropChecks(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(conname) AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('c', 'u', 'p')`,
    [table],
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name} CASCADE`);
}

describe('sealing', () => {
  it('seals a row once, and nothing of the last hour', async () => {
    expect(await api.inTenant(tenant, (db) => sealWritten(db, 0))).toBe(0);
    const owner = await createOwner(api, tenant);
    expect(await api.inTenant(tenant, (db) => sealWritten(db, sealAfterMinutes))).toBe(0);
    expect(owner.id).toEqual(expect.any(String));
    expect(await api.inTenant(tenant, (db) => sealWritten(db, 0))).toBe(1);
  });

  it('is of every table that refuses changes: each says when a row was written', async () => {
    const missing = await asSchemaOwner(api, async (client) => {
      const { rows } = await client.query(
        `SELECT tgrelid::regclass::text AS table FROM pg_trigger WHERE tgname = 'append_only'
           AND tgrelid <> 'seals'::regclass AND NOT EXISTS (
             SELECT FROM pg_attribute WHERE attrelid = tgrelid AND attname = 'written_at' AND attnotnull AND atthasdef)`,
      );
      return rows;
    });
    expect(missing, 'written_at, which make_write_once adds (migration 001)').toEqual([]);
  });
});

describe('every night', () => {
  const silent = { warn: () => undefined };
  const health = async () => (await api.call(contract.health.get, {}, { token: api.adminToken })).body.data;

  it('the server checks all books once, and the admin sees the result', async () => {
    expect(await health()).toMatchObject({ check: null, backup: null, log: null });
    await asSchemaOwner(api, (client) =>
      client.query('UPDATE challan_counts_by_created_day SET challans = challans + 1 WHERE subadmin_id <> $1', [
        tenant.id,
      ]),
    );
    const first = startMaintenance(api.pools.main, silent, { checkNightEveryMs: 20 });
    const second = startMaintenance(api.pools.main, silent, { checkNightEveryMs: 20 });
    await vi.waitUntil(async () => (await health()).check?.endedAt, { timeout: 30_000 });
    await Promise.all([first.stop(), second.stop()]);
    const { check } = await health();
    expect(check).toMatchObject({ isGood: false, goodAt: null });
    expect(check?.summary).toMatch(/^2 businesses: MAYUR banner: challans by day of creation \(1\)$/);
    const { rows } = await asSchemaOwner(api, (client) => client.query('SELECT FROM upkeep'));
    expect(rows).toHaveLength(1);
  });

  it('the check waits for the night in India, unless the last good one is older than 48 hours', async () => {
    const lastGood = '2026-04-10T21:10:00Z';
    const isClaimed = (kind: UpkeepKind, at: string, ...others: [beganAt: string, isGood: boolean][]) =>
      withGlobal(api.pools.main, 'write', async (db) => {
        await db.query('DELETE FROM upkeep');
        for (const [beganAt, isGood] of [[lastGood, true] as const, ...others]) {
          await db.query('INSERT INTO upkeep (kind, began_at, ended_at, is_good) VALUES ($1, $2, $2, $3)', [
            kind,
            beganAt,
            isGood,
          ]);
        }
        const claimed = await claimTonight(db, kind, { now: new Date(at) });
        await db.query('DELETE FROM upkeep');
        return claimed !== null;
      });
    // 10:00 of the same day, which a check was made for, and of the next one.
    expect(await isClaimed('check', '2026-04-11T04:30:00Z')).toBe(false);
    expect(await isClaimed('check', '2026-04-12T04:30:00Z')).toBe(false);
    // 02:29, 02:31, 06:29 and 06:31.
    expect(await isClaimed('check', '2026-04-11T20:59:00Z')).toBe(false);
    expect(await isClaimed('check', '2026-04-11T21:01:00Z')).toBe(true);
    expect(await isClaimed('check', '2026-04-12T00:59:00Z')).toBe(true);
    expect(await isClaimed('check', '2026-04-12T01:01:00Z')).toBe(false);
    // By day after 48 hours, but not once more when the check of the night found something.
    expect(await isClaimed('check', '2026-04-13T04:30:00Z')).toBe(true);
    expect(await isClaimed('check', '2026-04-13T04:30:00Z', ['2026-04-12T21:10:00Z', false])).toBe(false);
    // A backup is made up for as soon as the server runs.
    expect(await isClaimed('backup', '2026-04-12T04:30:00Z')).toBe(true);
  });

  it('one of two servers on one database makes the backup, and the other leaves it alone while it lasts', async () => {
    const begun: string[] = [];
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const backUp = async (claimed: string) => {
      begun.push(claimed);
      await held;
      await withGlobal(api.pools.main, 'write', (db) => endUpkeep(db, claimed, true, 'one.dump'));
      return { isGood: true, summary: 'one.dump' };
    };
    const servers = [1, 2].map(() => startMaintenance(api.pools.main, silent, { checkNightEveryMs: 20 }, backUp));
    await vi.waitUntil(() => begun.length > 0, { timeout: 30_000 });
    // The other one looks again and again meanwhile.
    let looks = 0;
    api.pools.main.on('acquire', () => (looks += 1));
    await vi.waitUntil(() => looks > 20, { timeout: 30_000 });
    letGo();
    await Promise.all(servers.map((server) => server.stop()));
    expect(begun).toHaveLength(1);
    expect((await health()).backup).toMatchObject({ isGood: true, summary: 'one.dump' });
  });

  it('a second backup is made where the archived log leads on from none, at most one an hour', async () => {
    let made = 0;
    let asked = 0;
    const backUp = async (claimed: string) => {
      made += 1;
      await withGlobal(api.pools.main, 'write', (db) => endUpkeep(db, claimed, true, 'two'));
      return { isGood: true, summary: 'two' };
    };
    const isWanted = async () => {
      asked += 1;
      return true;
    };
    const works = async (isDone: () => boolean, answer: () => Promise<boolean>) => {
      const server = startMaintenance(api.pools.main, silent, { checkNightEveryMs: 20 }, backUp, answer);
      await vi.waitUntil(isDone, { timeout: 30_000 });
      await server.stop();
    };
    // The one of the test before is of this hour.
    await works(() => asked > 3, isWanted);
    expect(made).toBe(0);
    await asSchemaOwner(api, (client) => client.query("UPDATE upkeep SET began_at = began_at - interval '2 hours'"));
    await works(() => made > 0, isWanted);
    asked = 0;
    await works(() => asked > 3, isWanted);
    expect(made).toBe(1);
  });
});
