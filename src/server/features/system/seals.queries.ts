import { grouped } from '../../../shared/calc/grouped.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { Found } from './checks.queries.ts';

/**
 * Append-only records are sealed in a hash chain (migration 014). So it is detected when somebody changes, removes or
 * adds a row of an earlier day, even when the triggers are bypassed.
 */

interface SealedTable {
  name: string;
  /** The quoted names of the columns, in the order of the table. */
  columns: string[];
}

/**
 * Returns the append-only tables with the columns that are hashed. A table that gets the trigger is sealed
 * automatically.
 */
async function selectSealedTables(db: TenantDb): Promise<SealedTable[]> {
  const { rows } = await db.query<SealedTable>(
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
     FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE g.tgname = 'append_only' AND c.relname <> 'seals' AND c.relnamespace = 'public'::regnamespace
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/** Settings that the text of a row depends on. */
const rowTextSettings = "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL bytea_output = 'hex'";

const rowHash = (columns: readonly string[]): string => `sha256(convert_to(ROW(${columns.join(', ')})::text, 'UTF8'))`;
/**
 * SQL: the hash of many rows. They are sorted by their hashes, so that a changed key order does not change the result.
 */
const hashOfRows = "coalesce(sha256(string_agg(hash, ''::bytea ORDER BY hash)), '\\x')";

/**
 * Seals the rows that were written up to `agoMinutes` minutes ago. That must be longer than any transaction lasts,
 * because a row has the time at which its transaction began. Returns the number of new seals. When two processes seal
 * at once, the second does nothing.
 */
export async function sealWritten(db: TenantDb, agoMinutes: number): Promise<number> {
  await db.query(rowTextSettings);
  const lock = await db.query<{ is_free: boolean; until: string }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('seals:' || $1, 0)) AS is_free,
       (clock_timestamp() - make_interval(mins => $2))::text AS until`,
    [db.tenantId, agoMinutes],
  );
  const [now] = lock.rows;
  if (!now?.is_free) return 0;
  let made = 0;
  for (const { name, columns } of await selectSealedTables(db)) {
    const { rowCount } = await db.query(
      `WITH since AS (
         SELECT coalesce(max(written_until), '-infinity') AS at FROM seals WHERE subadmin_id = $1 AND table_name = $2
       ), last AS (
         SELECT seal_no, hash FROM seals WHERE subadmin_id = $1 ORDER BY seal_no DESC LIMIT 1
       ), written AS (
         SELECT ${rowHash(columns)} AS hash FROM ${name}
         WHERE subadmin_id = $1 AND written_at >= (SELECT at FROM since) AND written_at < $3
       ), wanted AS (
         SELECT coalesce((SELECT seal_no FROM last), 0) + 1 AS seal_no, (SELECT at FROM since) AS written_from,
           count(*) AS row_count, ${hashOfRows} AS rows_hash
         FROM written
       )
       INSERT INTO seals (subadmin_id, seal_no, table_name, written_from, written_until, columns, row_count, hash)
       SELECT $1, seal_no, $2, written_from, $3, $4, row_count,
         seal_hash((SELECT hash FROM last), seal_no, $2, written_from, $3, $4, row_count, rows_hash)
       FROM wanted WHERE row_count > 0`,
      [db.tenantId, name, now.until, columns],
    );
    made += rowCount;
  }
  return made;
}

interface Seal {
  seal_no: string;
  table_name: string;
  written_from: string;
  written_until: string;
  columns: string[];
}

/** Finds the seals whose rows, or whose place in the chain, are not as they were sealed. */
export async function selectBrokenSeals(db: TenantDb): Promise<Found> {
  await db.query(rowTextSettings);
  const { rows: seals } = await db.query<Seal>(
    `SELECT seal_no, table_name, written_from::text, written_until::text, columns FROM seals WHERE subadmin_id = $1
     ORDER BY seal_no`,
    [db.tenantId],
  );
  const tables = new Map((await selectSealedTables(db)).map((table) => [table.name, table]));
  const recount: { no: string; rows: string; hash: Buffer }[] = [];
  const wrong: string[] = [];
  for (const [name, ofTable] of grouped(seals, ({ table_name: table }) => [table])) {
    wrong.push(...gapsIn(ofTable));
    for (const [list, alike] of grouped(ofTable, ({ columns }) => [columns.join(', ')])) {
      const table = tables.get(name);
      // The column names become part of a statement, so only columns of the table are allowed.
      const isKnown = table !== undefined && alike[0]?.columns.every((column) => table.columns.includes(column));
      if (!isKnown) wrong.push(`seal ${alike[0]?.seal_no}: ${name} has not these columns: ${list}`);
      else recount.push(...(await selectRowHashes(db, name, alike)));
    }
  }
  const { rows: broken } = await db.query<{ wrong: string }>(
    `SELECT 'seal ' || s.seal_no || ': ' || s.table_name || ' of ' || s.written_from::date || ' to ' || s.written_until::date AS wrong
     FROM (SELECT *, lag(hash) OVER w AS previous, row_number() OVER w AS place FROM seals WHERE subadmin_id = $1
       WINDOW w AS (ORDER BY seal_no)) AS s
     LEFT JOIN unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS r (no, row_count, hash) ON r.no = s.seal_no
     WHERE s.seal_no <> s.place OR s.row_count IS DISTINCT FROM r.row_count OR s.hash IS DISTINCT FROM
       seal_hash(s.previous, s.seal_no, s.table_name, s.written_from, s.written_until, s.columns, r.row_count, r.hash)
     ORDER BY s.seal_no`,
    [db.tenantId, recount.map(({ no }) => no), recount.map(({ rows }) => rows), recount.map(({ hash }) => hash)],
  );
  wrong.push(...broken.map((row) => row.wrong));
  return { differences: wrong.length, examples: wrong.slice(0, 3) };
}

/**
 * Finds the seals of a table that do not begin where the previous one ended: nothing between two seals may be left out.
 */
function gapsIn(seals: readonly Seal[]): string[] {
  return seals
    .filter(({ written_from: from }, index) => from !== (seals[index - 1]?.written_until ?? '-infinity'))
    .map((seal) => `seal ${seal.seal_no}: ${seal.table_name} does not go on where its seal before ended`);
}

/** Recomputes every seal of a table in one pass over it. */
async function selectRowHashes(
  db: TenantDb,
  name: string,
  seals: readonly Seal[],
): Promise<{ no: string; rows: string; hash: Buffer }[]> {
  const { rows } = await db.query<{ no: string; rows: string; hash: Buffer }>(
    `WITH found AS (
       SELECT width_bucket(written_at, $2::timestamptz[]) AS place, ${rowHash(seals[0]?.columns ?? [])} AS hash,
         written_at
       FROM ${name} WHERE subadmin_id = $1 AND written_at >= ($2::timestamptz[])[1]
     ), summed AS (
       SELECT place, count(*) AS rows, ${hashOfRows} AS hash FROM found
       WHERE written_at < ($4::timestamptz[])[place] GROUP BY place
     )
     SELECT s.no, coalesce(f.rows, 0) AS rows, coalesce(f.hash, '\\x') AS hash
     FROM unnest($3::bigint[]) WITH ORDINALITY AS s (no, place) LEFT JOIN summed AS f USING (place)`,
    [
      db.tenantId,
      seals.map(({ written_from: from }) => from),
      seals.map(({ seal_no: no }) => no),
      seals.map(({ written_until: until }) => until),
    ],
  );
  return rows;
}

/**
 * Returns the length of a business's chain and its last hash. When the hash is also kept elsewhere, it reveals a
 * truncated chain.
 */
export async function selectChainEnd(db: TenantDb): Promise<{ seals: number; hash: string }> {
  const row = await db.first<{ seals: number; hash: string }>(
    `SELECT seal_no::int AS seals, encode(hash, 'hex') AS hash FROM seals WHERE subadmin_id = $1
     ORDER BY seal_no DESC LIMIT 1`,
    [db.tenantId],
  );
  return row ?? { seals: 0, hash: '' };
}
