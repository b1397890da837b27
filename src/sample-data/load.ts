import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../server/db/client.ts';
import { foldAll } from '../server/db/fold-all.ts';
import { OperatorError } from '../server/operator-error.ts';
import { hashPassword } from '../server/features/session/passwords.service.ts';
import { SampleData, type SampleLogin, type SampleOptions, type SampleTable } from './sample-data.ts';

/** Says in one line for the operator why no sample data was loaded. */
export class SeedError extends OperatorError {
  override name = 'SeedError';
}

export interface Loaded {
  /** The logins that were made. The admin is not among them when the database had one already. */
  logins: SampleLogin[];
  /** The number of rows of each table. */
  counts: Map<string, number>;
}

/** Whether a business uses this database already: then no sample data may be loaded. */
export async function hasSubadmins(url: string): Promise<boolean> {
  return withClient(url, 'seed', subadminsExist);
}

/**
 * Loads the sample data into an empty database in one transaction. `url` connects as the owner of the schema, which has to
 * be up to date. Rows are made while they are sent, so that the memory does not grow with the size.
 */
export async function loadSampleData(
  url: string,
  options: SampleOptions,
  say: (line: string) => void = () => undefined,
): Promise<Loaded> {
  const data = new SampleData(options);
  const counts = new Map<string, number>();
  return withClient(url, 'seed', async (client) => {
    await client.query('BEGIN');
    await client.query("SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = 0; SET LOCAL timezone = 'UTC'");
    await client.query("SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL work_mem = '128MB'");
    // The lock keeps others, above all a second seed, from creating an account in the meantime.
    await client.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    if (await subadminsExist(client)) {
      throw new SeedError('The database has sub-admins already: sample data is only loaded into an empty one.');
    }
    const logins = await insertLogins(client, data.logins);
    const restore = await prepareBulkLoad(client);
    for (const table of data.tables()) {
      const count = await copyTable(client, table);
      counts.set(table.name, count);
      if (count >= 100_000) say(`${table.name}: ${count} rows`);
    }
    for (const { id } of data.tenants) await foldAll(client, id);
    say('Building the indexes …');
    await restore();
    await client.query('COMMIT');
    // The planner and index-only scans need it, and autovacuum would do it only after a while.
    await client.query(`VACUUM (ANALYZE) ${[...filledTables, ...totals, 'accounts'].join(', ')}`);
    return { logins, counts };
  });
}

/** The tables that the triggers on challans and payment lines maintain. */
const totals = [
  'challan_deltas',
  'challan_totals_by_tag',
  'challan_totals_by_day',
  'challan_totals_by_owner',
  'challan_unpaid_by_owner_day',
  'challan_counts_by_created_day',
  'challan_vehicles',
  'payment_sums',
];

/** Whether the database has any tables, of the app or of anything else. */
export function hasTables(url: string): Promise<boolean> {
  return withClient(url, 'seed', async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p'))",
    );
    return rows[0]?.exists === true;
  });
}

async function subadminsExist(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT EXISTS (SELECT FROM accounts WHERE role = 'subadmin')",
  );
  return rows[0]?.exists === true;
}

async function insertLogins(client: Client, logins: readonly SampleLogin[]): Promise<SampleLogin[]> {
  const { rows } = await client.query<{ exists: boolean }>("SELECT EXISTS (SELECT FROM accounts WHERE role = 'admin')");
  const isAdminThere = rows[0]?.exists === true;
  const made = logins.filter(({ role }) => role === 'subadmin' || !isAdminThere);
  for (const login of made) {
    await client.query(
      `INSERT INTO accounts (id, role, email, password_hash, banner_name, gst_no, contact_number, office_address,
         created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [
        login.id,
        login.role,
        login.email,
        await hashPassword(login.password),
        login.bannerName,
        login.gstNo,
        login.contactNumber,
        login.officeAddress,
        login.createdAt,
      ],
    );
  }
  return made;
}

async function copyTable(client: Client, { name, columns, rows }: SampleTable): Promise<number> {
  const isBulk = bulkTables.some((table) => table === name);
  const copy = client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN${isBulk ? ' WITH (FREEZE)' : ''}`));
  await pipeline(Readable.from(inChunks(rows), { objectMode: false }), copy);
  return copy.rowCount;
}

/** Joins rows, so that some hundred of them go into one message of the protocol. */
function* inChunks(rows: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const row of rows) {
    chunk += row;
    if (chunk.length >= 65_536) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

/** The tables with a row for each challan. Their keys are built after the rows are loaded, and the rows are written frozen. */
const bulkTables = ['challans', 'payment_lines'] as const;

/** The tables that the sample data fill. */
const filledTables = [
  'owners',
  'trucks',
  'declarations',
  'tags',
  'petrol_pumps',
  ...bulkTables,
  'payment_batches',
  'payment_batch_owners',
  'payment_reversals',
  'counters',
] as const;

interface Removed {
  remove: string;
  restore: string;
}

/**
 * Drops the keys and indexes, which make each row expensive, and the forced policies, which COPY refuses. It returns a
 * function that restores them. The statements come from the catalogue, so that nothing of the migrations is repeated here.
 * All of it happens inside the transaction of the load, so other connections never see the tables without them.
 */
async function prepareBulkLoad(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<Removed>(whatToRemove, [filledTables, bulkTables]);
  for (const { remove } of rows) await client.query(remove);
  // The tables are truncated in this transaction, so that COPY can write the rows frozen and no vacuum has to visit them
  // later. The triggers that refuse TRUNCATE are not needed while there are no rows. They are enabled again afterwards,
  // because the load needs the triggers that maintain the totals.
  for (const table of bulkTables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await client.query(`TRUNCATE ${bulkTables.join(', ')}`);
  for (const table of bulkTables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  // This trigger looks up the challan of each line by the key that was dropped.
  await client.query(`ALTER TABLE payment_lines DISABLE TRIGGER ${lookUp}`);
  return async () => {
    for (const { restore } of rows.toReversed()) await client.query(restore);
    // Without statistics the query for orphans gets a plan that takes minutes for a million lines.
    await client.query('ANALYZE challans, payment_lines, payment_batches');
    const { rowCount } = await client.query(orphans);
    if (rowCount !== 0) throw new Error('A line of a payment names a challan or a payment that is not there');
    await client.query(`ALTER TABLE payment_lines ENABLE TRIGGER ${lookUp}`);
  };
}

const lookUp = 'payment_lines_name_what_is_there';
const orphans = `SELECT FROM payment_lines AS l
  LEFT JOIN challans AS c ON c.subadmin_id = l.subadmin_id AND c.id = l.challan_id
  LEFT JOIN payment_batches AS b ON b.subadmin_id = l.subadmin_id AND b.id = l.batch_id
  WHERE c.id IS NULL OR b.id IS NULL LIMIT 1`;

/** The steps are dropped in order and restored in reverse: foreign keys are dropped first and restored last. */
const whatToRemove = `
  WITH filled AS (
    SELECT c.oid, c.relname, c.relrowsecurity AND c.relforcerowsecurity AS is_forced, c.relname = ANY ($2) AS is_bulk
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
  ), work AS (
    SELECT 1 AS step, k.conname AS name,
      format('ALTER TABLE %I DROP CONSTRAINT %I', t.relname, k.conname) AS remove,
      format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)) AS restore
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN filled f ON f.oid IN (k.conrelid, k.confrelid)
    WHERE k.contype = 'f' AND f.is_bulk
    UNION
    SELECT 2, i.relname, format('DROP INDEX %I', i.relname), pg_get_indexdef(i.oid)
    FROM pg_index x JOIN filled f ON f.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE f.is_bulk AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.indexrelid)
    UNION
    SELECT 3, k.conname, format('ALTER TABLE %I DROP CONSTRAINT %I', f.relname, k.conname),
      format('ALTER TABLE %I ADD CONSTRAINT %I %s', f.relname, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN filled f ON f.oid = k.conrelid
    WHERE f.is_bulk AND k.contype IN ('p', 'u')
    UNION
    SELECT 4, f.relname, format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', f.relname),
      format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', f.relname)
    FROM filled f WHERE f.is_forced
  )
  SELECT remove, restore FROM work ORDER BY step, name, remove`;
