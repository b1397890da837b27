import type { Preference } from '../../../shared/contract/preferences.ts';
import type { TenantDb } from '../../db/tenant.ts';

const columns = 'key, value, updated_at AS "updatedAt"';

export const selectPreferences = (db: TenantDb, accountId: string): Promise<Preference[]> =>
  db.records(
    `SELECT ${columns} FROM preferences WHERE subadmin_id = $1 AND account_id = $2 ORDER BY key`,
    [db.tenantId, accountId],
    'select-preferences',
  );

/** Stores a preference of a person. Returns null when the person already has `most` other preferences. */
export async function upsertPreference(
  db: TenantDb,
  accountId: string,
  key: string,
  value: string,
  most: number,
): Promise<Preference | null> {
  const [preference] = await db.records<Preference>(
    `INSERT INTO preferences (subadmin_id, account_id, key, value)
     SELECT $1, $5, $2, $3
     WHERE (SELECT count(*) FROM preferences WHERE subadmin_id = $1 AND account_id = $5 AND key <> $2) < $4
     ON CONFLICT (subadmin_id, account_id, key) DO UPDATE SET value = excluded.value, updated_at = clock_timestamp()
     RETURNING ${columns}`,
    [db.tenantId, key, value, most, accountId],
    'upsert-preference',
  );
  return preference ?? null;
}

export async function removePreference(db: TenantDb, accountId: string, key: string): Promise<void> {
  await db.query(
    'DELETE FROM preferences WHERE subadmin_id = $1 AND account_id = $2 AND key = $3',
    [db.tenantId, accountId, key],
    'remove-preference',
  );
}
