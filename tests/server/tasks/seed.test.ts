import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildApp } from '../../../src/server/app.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { isZero } from '../../../src/shared/calc/money.ts';
import { selectMonthPacks } from '../../../src/server/features/accounting/month-packs.queries.ts';
import { selectLockedUpTo } from '../../../src/server/features/accounting/period-lock.queries.ts';
import { selectTallyChanged, selectTallyExports } from '../../../src/server/features/accounting/tally.queries.ts';
import { listMonths } from '../../../src/server/features/tds/deposits.service.ts';
import { closeSampleMonth } from '../../../src/sample-data/month-end.ts';
import { hasSubadmins, loadSampleData, SeedError, type Loaded } from '../../../src/sample-data/load.ts';
import { readSeedOptions } from '../../../src/sample-data/options.ts';
import { SampleData } from '../../../src/sample-data/sample-data.ts';
import { withTenant, type TenantDb } from '../../../src/server/db/tenant.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { buildChallan } from '../support/builders.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';

const sample = { size: 'S', seed: 3, asOf: '2026-06-15' } as const;

let database: TestDatabase;
let loaded: Loaded;
let before: unknown[];
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await freshDatabase();
  before = await catalogue(database.url);
  expect(await hasSubadmins(database.url)).toBe(false);
  loaded = await loadSampleData(database.url, sample);
  pool = createPool(database.appUrl);
}, 120_000);

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

describe('the load', () => {
  it('writes every row of the generator', async () => {
    const rows = await query<{ n: number }>(
      database.url,
      'SELECT count(*)::int AS n FROM challans WHERE deleted_at IS NULL',
    );
    expect(rows[0]?.n).toBe(8_000 + 1_200);
    for (const { name, rows } of new SampleData(sample).tables()) {
      let lines = 0;
      for (const row of rows) lines += row.split('\n').length - 1;
      expect([name, loaded.counts.get(name)]).toEqual([name, lines]);
    }
  });

  it('leaves keys, indexes, triggers and policies as they were', async () => {
    const after = await catalogue(database.url);
    expect(after.length).toBeGreaterThan(60);
    expect(after).toEqual(before);
    // Restored foreign keys are checked, not only declared.
    const wrong = await query(database.url, 'SELECT conname FROM pg_constraint WHERE NOT convalidated');
    expect(wrong).toEqual([]);
  });

  it('leaves totals that the triggers would have left', async () => {
    const other = await freshDatabase();
    try {
      await copyByInserts(database.url, other.url);
      for (const table of await totalTables(database.url)) {
        const rows = `SELECT to_jsonb(t) - 'id' AS row FROM ${table} t ORDER BY to_jsonb(t)::text`;
        const [mine, theirs] = await Promise.all([query(database.url, rows), query(other.url, rows)]);
        expect([table, mine.length]).not.toEqual([table, 0]);
        expect(mine).toEqual(theirs);
      }
    } finally {
      await other.drop();
    }
  }, 120_000);

  it('keeps the invariants of the ledger, for each business', async () => {
    for (const { id } of new SampleData(sample).tenants) {
      await inTenant(id, assertLedger);
      await inTenant(id, assertTotals);
    }
    const kinds = await query<{ kind: string }>(
      database.url,
      'SELECT DISTINCT kind FROM payment_batches ORDER BY kind',
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['filter', 'selected', 'single']);
    const reversed = await query(database.url, "SELECT FROM payment_lines WHERE kind = 'reverse'");
    expect(reversed.length).toBeGreaterThan(0);
  });
});

describe('the product on the sample data', () => {
  it('takes the printed logins, and goes on with the numbers', async () => {
    const streams = createPool(database.appUrl, { pipeline: false, max: 2 });
    const app = await buildApp({ pools: { main: pool, stream: streams }, logLevel: 'silent' });
    try {
      for (const { role, email, password } of loaded.logins) {
        const url = role === 'admin' ? '/api/admin/login' : '/api/subadmins/login';
        expect((await app.inject({ method: 'POST', url, payload: { email, password } })).statusCode).toBe(200);
      }
      const [, first] = loaded.logins;
      const { email, password } = first ?? { email: '', password: '' };
      const login = await app.inject({ method: 'POST', url: '/api/subadmins/login', payload: { email, password } });
      const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };

      const [ref] = await query<{ owner: string; name: string; tag: string }>(
        database.url,
        `SELECT o.id AS owner, o.name, t.id AS tag FROM owners o JOIN tags t USING (subadmin_id) WHERE o.subadmin_id = '${first?.id}' LIMIT 1`,
      );
      const body = buildChallan({ ownerId: ref?.owner ?? '', tagId: ref?.tag ?? '' }, { ownerName: ref?.name ?? '' });
      const created = await app.inject({
        method: 'POST',
        url: `/api${contract.challans.create.path}`,
        headers,
        payload: body,
      });
      expect(created.statusCode).toBe(201);
      const { id, challanNumber } = created.json<{ data: { id: string; challanNumber: string } }>().data;
      const others = await query<{ n: number }>(
        database.url,
        `SELECT max(right(challan_number, 6))::int AS n FROM challans
         WHERE subadmin_id = '${first?.id}' AND left(challan_number, 7) = '${challanNumber.slice(0, 7)}' AND id <> '${id}'`,
      );
      expect(Number(challanNumber.slice(8))).toBe((others[0]?.n ?? 0) + 1);
    } finally {
      await app.close();
      await streams.end();
    }
  });
});

it('has a closed month with its pack, deposits and a file for Tally from which something differs', async () => {
  const { tenants } = new SampleData(sample);
  const [first] = tenants;
  if (!first) throw new Error('There are businesses');
  const now = new Date('2026-06-15T06:00:00Z');
  await closeSampleMonth(database.url, database.appUrl, first, now);
  const paging = { page: 1, limit: 10 };
  const found = await inTenant(first.id, async (db) => ({
    lock: await selectLockedUpTo(db),
    packs: await selectMonthPacks(db, paging),
    files: await selectTallyExports(db, paging),
    changed: await selectTallyChanged(db, paging),
    months: (await listMonths(db, {}, now)).data.map(({ from, open }) => [from, isZero(open)]),
  }));
  expect(found).toMatchObject({
    lock: '2026-04-30',
    packs: { pagination: { totalCount: 1 }, data: [{ month: '2026-04' }] },
    files: { pagination: { totalCount: 1 }, data: [{ from: '2026-04-01', to: '2026-04-30' }] },
    months: [
      ['2026-04-01', true],
      ['2026-05-01', false],
      ['2026-06-01', false],
    ],
  });
  expect(found.changed.count).toBeGreaterThan(0);
  await inTenant(first.id, assertLedger);
  await inTenant(first.id, assertTotals);
});

describe('refusals', () => {
  it('never comes near a database in which somebody works', async () => {
    await expect(loadSampleData(database.url, sample)).rejects.toThrow(SeedError);
    expect(await hasSubadmins(database.url)).toBe(true);
    const rows = await query<{ n: number }>(
      database.url,
      "SELECT count(*)::int AS n FROM accounts WHERE role = 'subadmin'",
    );
    expect(rows[0]?.n).toBe(2);
  });

  it('leaves nothing behind when it fails on the way', async () => {
    const other = await freshDatabase();
    try {
      const untouched = await catalogue(other.url);
      await query(other.url, 'ALTER TABLE payment_reversals ADD CONSTRAINT refused CHECK (reversed_count < 0)');
      await expect(loadSampleData(other.url, sample)).rejects.toThrow(/refused/);
      await query(other.url, 'ALTER TABLE payment_reversals DROP CONSTRAINT refused');
      expect(await catalogue(other.url)).toEqual(untouched);
      for (const table of ['accounts', 'owners', 'challans', 'challan_deltas', 'payment_batches']) {
        expect(await query(other.url, `SELECT FROM ${table}`)).toEqual([]);
      }
    } finally {
      await other.drop();
    }
  });

  it('says in one line what is wrong with the options', () => {
    expect(readSeedOptions(['--size', 'xl', '--seed', '9'], '2026-01-02')).toEqual({
      size: 'XL',
      seed: 9,
      asOf: '2026-01-02',
      isConfirmed: false,
    });
    expect(readSeedOptions(['--as-of=2025-12-31'], '2026-01-02')).toEqual({
      size: 'S',
      seed: 1,
      asOf: '2025-12-31',
      isConfirmed: false,
    });
    expect(readSeedOptions(['--yes'], '2026-01-02').isConfirmed).toBe(true);
    expect(() => readSeedOptions(['--size', 'XXL'], '2026-01-02')).toThrow(/^--size must be one of S, M, L, XL/);
    expect(() => readSeedOptions(['--seed', '1.5'], '2026-01-02')).toThrow(/^--seed must be a whole number/);
    expect(() => readSeedOptions(['--as-of', '2025-02-30'], '2026-01-02')).toThrow(/^--as-of must be a day/);
    expect(() => readSeedOptions(['--force'], '2026-01-02')).toThrow(/--force/);
  });

  it('is refused in production, before anything is opened', async () => {
    const entry = join(import.meta.dirname, '../../../src/sample-data/main.ts');
    const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: database.url };
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', entry, '--size', 'S'], { env });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: 'Sample data is not loaded when NODE_ENV is production.\n',
    });
  });
});

it('is refused a database that it did not make, unless that is confirmed, and leaves it as it is', async () => {
  const other = await freshDatabase();
  try {
    const entry = join(import.meta.dirname, '../../../src/sample-data/main.ts');
    const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: other.url, DATABASE_ADMIN_URL: other.url };
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', entry, '--size', 'S'], { env });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Without --yes sample data/) });
    const client = new Client({ connectionString: other.url });
    await client.connect();
    const { rows } = await client.query("SELECT count(*)::int AS count FROM accounts WHERE role = 'subadmin'");
    await client.end();
    expect(rows).toEqual([{ count: 0 }]);
  } finally {
    await other.drop();
  }
});

describe('a database server of one’s own', () => {
  it('is filled by a schema owner who is no superuser', async () => {
    const other = await freshDatabase();
    const name = `keeper_${new URL(other.url).pathname.slice(1)}`;
    try {
      // The template belongs to the superuser: the schema is made again, as this owner's own.
      await query(other.url, `CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'kept'`);
      await query(other.url, 'GRANT challan_app, challan_definer TO CURRENT_USER');
      await query(other.url, `GRANT challan_app, challan_definer TO ${name}`);
      await query(other.url, `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`);
      const url = new URL(other.url);
      [url.username, url.password, url.pathname] = [name, 'kept', `/${name}`];
      await migrate(url.href);
      const { counts } = await loadSampleData(url.href, sample);
      expect(counts.get('challans')).toBe(loaded.counts.get('challans'));
    } finally {
      await query(other.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await query(other.url, `DROP OWNED BY ${name}`);
      await query(other.url, `DROP ROLE IF EXISTS ${name}`);
      await other.drop();
    }
  }, 120_000);
});

function inTenant<T>(id: string, work: (db: TenantDb) => Promise<T>): Promise<T> {
  return withTenant(pool, id, 'write', work);
}

async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Constraints, indexes, triggers and policies, word for word. */
function catalogue(url: string): Promise<unknown[]> {
  return query(
    url,
    `SELECT 'constraint' AS what, conname AS name, pg_get_constraintdef(oid) AS definition, convalidated AS is_on
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL
     SELECT 'index', indexname, indexdef, true FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL
     SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid), tgenabled = 'O'
       FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL
     SELECT 'table', relname, array_to_string(reloptions, ','), relrowsecurity AND relforcerowsecurity
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
     ORDER BY 1, 2, 3`,
  );
}

async function totalTables(url: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'challan\\_totals%' ORDER BY 1",
  );
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ name }) => name);
}

/** The same challans by ordinary inserts, with every trigger at work, and folded. */
async function copyByInserts(from: string, to: string): Promise<void> {
  const columns = await query<{ list: string }>(
    from,
    `SELECT string_agg(attname, ', ' ORDER BY attnum) AS list FROM pg_attribute
     WHERE attrelid = 'challans'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  const list = columns[0]?.list ?? '';
  const dump = await query<{ rows: unknown }>(
    from,
    `SELECT json_agg(to_jsonb(c)) AS rows FROM (SELECT ${list} FROM challans ORDER BY created_at, id) AS c`,
  );
  const client = new Client({ connectionString: to });
  await client.connect();
  try {
    // References are another test's matter: only the totals are looked at here.
    await client.query('ALTER TABLE challans DISABLE TRIGGER ALL; ALTER TABLE challans ENABLE TRIGGER USER');
    await client.query(
      `INSERT INTO challans (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::challans, $1::jsonb)`,
      [JSON.stringify(dump[0]?.rows)],
    );
    for (const { id } of new SampleData(sample).tenants) {
      await client.query('SELECT fold_totals_of($1)', [id]);
    }
  } finally {
    await client.end();
  }
}
