import type { Settings } from '../../../shared/contract/settings.ts';
import type { GlobalDb } from '../../db/tenant.ts';

const columns =
  'copies_per_day AS "copiesPerDay", is_directory_on AS "isDirectoryOn", updated_at AS "updatedAt", version';

async function oneRow(found: Promise<Settings[]>): Promise<Settings> {
  const [settings] = await found;
  if (settings === undefined) throw new Error('The migration made the one row of settings');
  return settings;
}

export const selectSettings = (db: GlobalDb, lock: '' | 'FOR UPDATE' = ''): Promise<Settings> =>
  oneRow(db.records(`SELECT ${columns} FROM settings ${lock}`));

export const updateSettings = (
  db: GlobalDb,
  { copiesPerDay, isDirectoryOn }: Pick<Settings, 'copiesPerDay' | 'isDirectoryOn'>,
): Promise<Settings> =>
  oneRow(
    db.records(
      `UPDATE settings SET copies_per_day = $1, is_directory_on = $2, updated_at = clock_timestamp(), version = version + 1
       RETURNING ${columns}`,
      [copiesPerDay, isDirectoryOn],
    ),
  );
