import type { Preference } from '../../../shared/contract/preferences.ts';
import type { TenantDb } from '../../db/tenant.ts';

const columns = 'key, value, updated_at AS "updatedAt"';

export const selectPreferences = (db: TenantDb): Promise<Preference[]> =>
  db.records(
    `SELECT ${columns} FROM preferences WHERE subadmin_id = $1 ORDER BY key`,
    [db.tenantId],
    'select-preferences',
  );

/** Stores a preference. Returns null when the account already has `most` other preferences. */
export async function upsertPreference(
  db: TenantDb,
  key: string,
  value: string,
  most: number,
): Promise<Preference | null> {
  const [preference] = await db.records<Preference>(
    `INSERT INTO preferences (subadmin_id, key, value)
     SELECT $1, $2, $3
     WHERE (SELECT count(*) FROM preferences WHERE subadmin_id = $1 AND key <> $2) < $4
     ON CONFLICT (subadmin_id, key) DO UPDATE SET value = excluded.value, updated_at = clock_timestamp()
     RETURNING ${columns}`,
    [db.tenantId, key, value, most],
    'upsert-preference',
  );
  return preference ?? null;
}

export async function removePreference(db: TenantDb, key: string): Promise<void> {
  await db.query(
    'DELETE FROM preferences WHERE subadmin_id = $1 AND key = $2',
    [db.tenantId, key],
    'remove-preference',
  );
}
