import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { escapeIdentifier, type Client, type PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { OperatorError } from '../server/operator-error.ts';
import { TenantTransaction } from '../server/db/bound-transaction.ts';
import { withClient } from '../server/db/client.ts';
import { foldAll } from '../server/db/fold-all.ts';
import type { TenantDb } from '../server/db/tenant.ts';

export interface ImportedTakeOut {
  tenantId: string;
  /** The number of rows by table. */
  counts: Map<string, number>;
}

/** Our manifests have less than 20 kB. */
const maxManifestBytes = 1024 * 1024;
const maxHeadingBytes = 64 * 1024;

const manifestFile = z.object({
  name: z.string().regex(/^[a-z_]{1,63}\.csv$/),
  rows: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
type ManifestFile = z.output<typeof manifestFile>;
const manifestOf = z.object({ format: z.literal(1), files: z.array(manifestFile).max(200) });

interface TakeInRules {
  /** The tables of a business that no take-out has. */
  notTaken: Readonly<Record<string, string>>;
  /** Checks the books before anything is committed. A difference undoes everything. */
  differencesOf: (db: TenantDb) => Promise<string[]>;
}

/**
 * Imports the data that a business took out into a business that has no data yet, all or nothing. Ids are kept, because
 * rows are always looked up together with the business. A reference to an account becomes the new account, or the person's
 * new one. Triggers recompute the totals. Connect as the owner of the schema.
 */
export async function importTakeOut(
  url: string,
  file: string,
  email: string,
  { notTaken, differencesOf }: TakeInRules,
): Promise<ImportedTakeOut> {
  const zip = await openArchive(file);
  try {
    const { listed, entries } = await checkArchive(zip);
    return await withClient(url, 'take-in', async (client) => {
      await client.query(
        "BEGIN; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL statement_timeout = 0",
      );
      const tenantId = await findBusiness(client, email);
      const people = entries.get('people.csv');
      await takeInPeople(client, tenantId, people && (await openEntry(zip, people)));
      const account = entries.get('account.csv');
      if (account !== undefined) await takeInDemand(client, tenantId, await openEntry(zip, account));
      const counts = new Map<string, number>();
      for (const table of await selectTables(client, listed, notTaken)) {
        const name = `${table.name}.csv`;
        const entry = entries.get(name);
        if (entry === undefined) continue;
        const rows = await loadTable(client, tenantId, table, await openEntry(zip, entry));
        if (rows !== listed.get(name)?.rows)
          throw new OperatorError(`${name} has ${rows} rows, its manifest says otherwise.`);
        counts.set(table.name, rows);
      }
      await foldAll(client, tenantId);
      await client.query("SELECT set_config('app.tenant', $1, true)", [tenantId]);
      // The cast is safe: a bound transaction only queries its connection.
      const differences = await differencesOf(new TenantTransaction(client as unknown as PoolClient, 'read', tenantId));
      if (differences.length > 0)
        throw new OperatorError(`Nothing was taken in, because the books would not agree: ${differences.join('; ')}.`);
      await client.query('COMMIT');
      await client.query('ANALYZE');
      return { tenantId, counts };
    });
  } finally {
    zip.close();
  }
}

async function openArchive(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw new OperatorError(`${file} cannot be read as an archive: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

const openEntry = (zip: ZipFile, entry: Entry): Promise<Readable> => zip.openReadStreamPromise(entry);

/** Checks that every file of the manifest exists and has its hash, before anything is written. */
async function checkArchive(zip: ZipFile): Promise<{ listed: Map<string, ManifestFile>; entries: Map<string, Entry> }> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const last = entries.get('manifest.json');
  if (last === undefined) throw new OperatorError('The archive has no manifest.json: it is not whole, or no take-out.');
  const manifest = await readManifest(zip, last);
  for (const { name, sha256 } of manifest.files) {
    const entry = entries.get(name);
    const hash = createHash('sha256');
    if (entry !== undefined) await pipeline(await openEntry(zip, entry), hash);
    if (entry === undefined || hash.digest('hex') !== sha256) {
      throw new OperatorError(`${name} is not as the manifest says: the archive was changed.`);
    }
  }
  return { listed: new Map(manifest.files.map((one) => [one.name, one])), entries };
}

async function readManifest(zip: ZipFile, entry: Entry): Promise<z.output<typeof manifestOf>> {
  if (entry.uncompressedSize > maxManifestBytes)
    throw new OperatorError('The manifest.json of the archive is too large.');
  let said: unknown;
  try {
    said = JSON.parse(await text(await openEntry(zip, entry)));
  } catch (error) {
    throw new OperatorError('The manifest.json of the archive cannot be read.', { cause: error });
  }
  const { format } = z.looseObject({ format: z.unknown() }).catch({ format: undefined }).parse(said);
  if (typeof format === 'number' && format > 1)
    throw new OperatorError('The archive was written by a newer version of this program.');
  const read = manifestOf.safeParse(said);
  if (!read.success) throw new OperatorError('The manifest.json of the archive is not one of a take-out.');
  return read.data;
}

async function findBusiness(client: Client, email: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM accounts WHERE role = 'subadmin' AND lower(email) = lower($1) AND deleted_at IS NULL FOR UPDATE",
    [email],
  );
  const [business] = rows;
  if (!business) throw new OperatorError(`There is no sub-admin with the e-mail ${email}: make one first.`);
  return business.id;
}

/**
 * Makes the people of the archive, under new ids, and a table that says which id became which. Nobody of them can sign in until
 * an owner makes a link. An email that is in use here stays with its account; the person then gets one that no one can have.
 */
async function takeInPeople(client: Client, tenantId: string, csv: Readable | undefined): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE actors_in (old_id uuid, email text, person_name text, seat text, ends_on date, is_active boolean,
       new_id uuid DEFAULT gen_random_uuid()) ON COMMIT DROP`,
  );
  if (csv === undefined) return;
  const [heading, rest] = await readHeading(csv);
  if (heading.trim() !== 'id,email,person_name,seat,ends_on,is_active')
    throw new OperatorError('people.csv of the archive has other columns than this version of the program.');
  await pipeline(
    rest,
    client.query(
      copyFrom('COPY actors_in (old_id, email, person_name, seat, ends_on, is_active) FROM STDIN (FORMAT csv)'),
    ),
  );
  await client.query(
    `INSERT INTO accounts (id, role, email, password_hash, business_id, seat, person_name, ends_on, is_active)
     SELECT p.new_id, 'person', CASE WHEN EXISTS (SELECT FROM accounts a WHERE lower(a.email) = lower(${withoutApostrophe('p.email')}))
         THEN p.new_id || '@not-in-use.invalid' ELSE ${withoutApostrophe('p.email')} END,
       '', $1, ${withoutApostrophe('p.seat')}, ${withoutApostrophe('p.person_name')}, p.ends_on, p.is_active
     FROM actors_in p`,
    [tenantId],
  );
}

/** Demands a second step where the archive's business did. The rest of the account is what its new login says it is. */
async function takeInDemand(client: Client, tenantId: string, csv: Readable): Promise<void> {
  const [heading, rest] = await readHeading(csv);
  const columns = heading.trim().split(',');
  if (!columns.every((name) => /^[a-z_]{1,63}$/.test(name)))
    throw new OperatorError('account.csv of the archive has other columns than this version of the program.');
  await client.query(
    `CREATE TEMP TABLE account_in (${columns.map((name) => `${escapeIdentifier(name)} text`).join()}) ON COMMIT DROP`,
  );
  await pipeline(rest, client.query(copyFrom('COPY account_in FROM STDIN (FORMAT csv)')));
  if (!columns.includes('demands_second_step')) return;
  // Sessions were opened without the second step. Whoever signs in again sets it up.
  await client.query(
    `WITH demanded AS (UPDATE accounts SET demands_second_step = true
       WHERE id = $1 AND EXISTS (SELECT FROM account_in WHERE demands_second_step::boolean) RETURNING id)
     DELETE FROM sessions WHERE account_id IN (SELECT id FROM demanded)`,
    [tenantId],
  );
}

interface Column {
  name: string;
  isText: boolean;
  /** Refers to an account: who did something. */
  isAccount: boolean;
}

interface Table {
  name: string;
  columns: Column[];
}

/**
 * Tables that come before a table without a foreign key. What rows of the first three name is looked up once per statement
 * (docs/decisions.md 92, 179).
 */
const implicitReferences: Readonly<Record<string, readonly string[]>> = {
  payment_lines: ['challans', 'payment_batches'],
  hsd_upload_matches: ['hsd_uploads'],
  hsd_upload_rows: ['challans', 'hsd_uploads'],
  // The lock would refuse what comes after it.
  period_lock_acts: ['challans', 'owner_opening_balances', 'payment_batches'],
};

/** Returns the tables of the archive, each after the tables that it refers to. */
async function selectTables(
  client: Client,
  listed: ReadonlyMap<string, ManifestFile>,
  notTaken: TakeInRules['notTaken'],
): Promise<Table[]> {
  const names = [...listed.keys()]
    .map((name) => name.replace(/\.csv$/, ''))
    .filter((name) => name !== 'account' && name !== 'people');
  const { rows: tables } = await client.query<Table & { after: string[] }>(
    `SELECT c.relname AS name,
       (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'isText', t.typcategory = 'S', 'isAccount',
           a.attname IN ('created_by', 'updated_by', 'undone_by', 'actor_id') OR EXISTS (
             SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'
               AND k.confrelid = 'accounts'::regclass AND k.conkey = ARRAY[a.attnum])))
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       (SELECT coalesce(array_agg(DISTINCT r.relname::text), '{}') FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.oid <> c.oid) AS after
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND c.relname = ANY ($1) AND c.relname <> ALL ($2) AND EXISTS (SELECT FROM pg_attribute own
         WHERE own.attrelid = c.oid AND own.attname = 'subadmin_id' AND NOT own.attisdropped)
     ORDER BY c.relname`,
    // Only what a take-out has, whatever the manifest names.
    [names, Object.keys(notTaken)],
  );
  const unknown = names.filter((name) => !tables.some((table) => table.name === name));
  if (unknown.length > 0) throw new OperatorError(`This version of the program has no ${unknown.join(', ')}.`);
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const isReady = (name: string): boolean => !names.includes(name) || ordered.some((table) => table.name === name);
    const next = tables.find(
      (table) => !ordered.includes(table) && [...table.after, ...(implicitReferences[table.name] ?? [])].every(isReady),
    );
    if (!next) throw new Error('The tables of a business refer to each other in a circle');
    ordered.push(next);
  }
  return ordered;
}

/** Loads one table through a temporary table, because the values of the file differ from the stored ones. */
async function loadTable(client: Client, tenantId: string, table: Table, csv: Readable): Promise<number> {
  const target = escapeIdentifier(table.name);
  const { rows: present } = await client.query(
    `SELECT FROM ${target} AS t WHERE subadmin_id = $1 AND to_jsonb(t) ->> 'entity' IS DISTINCT FROM 'subadmin' LIMIT 1`,
    [tenantId],
  );
  if (present.length > 0) {
    throw new OperatorError(`The business has ${table.name} already: an archive is read into an empty one only.`);
  }
  const [head, rest] = await readHeading(csv);
  const columns = head.split(',').map((name) => {
    const found = table.columns.find((column) => column.name === name);
    if (!found) throw new OperatorError(`This version of the program has no ${table.name}.${name}.`);
    return found;
  });
  const list = columns.map(({ name }) => escapeIdentifier(name)).join(', ');
  await client.query(`CREATE TEMP TABLE taken_in ON COMMIT DROP AS SELECT ${list} FROM ${target} WITH NO DATA`);
  await pipeline(rest, client.query(copyFrom('COPY taken_in FROM STDIN (FORMAT csv)')));
  // A share link gets a random hash, so it leads nowhere: the archive does not contain its token.
  const isLink = table.columns.some(({ name }) => name === 'token_hash');
  const { rowCount } = await client.query(
    `INSERT INTO ${target} (subadmin_id, ${list}${isLink ? ', token_hash' : ''})
     SELECT $1, ${columns.map((column) => storedExpression(column, table)).join(', ')}
       ${isLink ? ", sha256(convert_to(gen_random_uuid()::text, 'UTF8'))" : ''} FROM taken_in`,
    [tenantId],
  );
  await client.query('DROP TABLE taken_in');
  return rowCount ?? 0;
}

function storedExpression({ name, isText, isAccount }: Column, table: Table): string {
  const column = escapeIdentifier(name);
  if (isAccount)
    return `CASE WHEN ${column} IS NOT NULL THEN coalesce((SELECT new_id FROM actors_in WHERE old_id = ${column}), $1::uuid) END`;
  // History of the account itself refers to the new account.
  if (table.name === 'history' && name === 'entity_id')
    return `CASE entity WHEN 'subadmin' THEN $1::uuid ELSE entity_id END`;
  return isText ? withoutApostrophe(column) : column;
}

/** SQL: a text without the apostrophe that server/features/profile/take-out.queries.ts put before it. */
const withoutApostrophe = (column: string): string =>
  `CASE WHEN ${column} LIKE '''%' THEN substr(${column}, 2) ELSE ${column} END`;

/** Returns the heading line and the rest of the stream. */
async function readHeading(csv: Readable): Promise<[string, AsyncIterable<Buffer>]> {
  const chunks = csv[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start = Buffer.alloc(0);
  for (;;) {
    const end = start.indexOf('\n');
    if (end !== -1) {
      const rest = start.subarray(end + 1);
      return [
        start.subarray(0, end).toString('utf8'),
        (async function* () {
          yield rest;
          yield* { [Symbol.asyncIterator]: () => chunks };
        })(),
      ];
    }
    const { value, done } = await chunks.next();
    if (done || start.length > maxHeadingBytes) throw new OperatorError('A file of the archive has no heading.');
    start = Buffer.concat([start, value]);
  }
}
