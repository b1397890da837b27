import type { Settings } from '../../shared/contract/settings.ts';
import type { GlobalDb } from '../db/tenant.ts';

const columns =
  'copies_per_day AS "copiesPerDay", is_directory_on AS "isDirectoryOn", updated_at AS "updatedAt", version';

type SettingsRow = Omit<Settings, 'updatedAt'> & { updatedAt: Date };

function toSettings(row: SettingsRow | undefined): Settings {
  if (row === undefined) throw new Error('The migration made the one row of settings');
  return { ...row, updatedAt: row.updatedAt.toISOString() };
}

export async function selectSettings(db: GlobalDb, lock: '' | 'FOR UPDATE' = ''): Promise<Settings> {
  const { rows } = await db.query<SettingsRow>(`SELECT ${columns} FROM settings ${lock}`);
  return toSettings(rows[0]);
}

export async function updateSettings(
  db: GlobalDb,
  { copiesPerDay, isDirectoryOn }: Pick<Settings, 'copiesPerDay' | 'isDirectoryOn'>,
): Promise<Settings> {
  const { rows } = await db.query<SettingsRow>(
    `UPDATE settings SET copies_per_day = $1, is_directory_on = $2, updated_at = clock_timestamp(), version = version + 1
     RETURNING ${columns}`,
    [copiesPerDay, isDirectoryOn],
  );
  return toSettings(rows[0]);
}
