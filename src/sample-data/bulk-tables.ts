import type { Client } from 'pg';

/** The tables with a row for each challan. Their keys are built after the rows are loaded, and the rows are written frozen. */
export const bulkTables = ['challans', 'payment_lines'] as const;

/** The tables that the sample data fill. */
export const filledTables = [
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
export async function prepareBulkLoad(client: Client): Promise<() => Promise<void>> {
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
