import type { TdsSettings, TdsSettingsChange } from '../../../shared/contract/tds.ts';
import type { TenantDb } from '../../db/tenant.ts';

const settingsColumns = `basis, section, year_threshold AS "yearThreshold", challan_threshold AS "challanThreshold",
  updated_at AS "updatedAt", version`;

/** The settings of a business that has not saved any. */
const unsaved: TdsSettings = {
  basis: 'paid',
  section: '',
  yearThreshold: null,
  challanThreshold: null,
  updatedAt: null,
  version: 0,
};

export async function selectTdsSettings(db: TenantDb): Promise<TdsSettings> {
  const [settings] = await db.records<TdsSettings>(
    `SELECT ${settingsColumns} FROM tds_settings WHERE subadmin_id = $1`,
    [db.tenantId],
    'select-tds-settings',
  );
  return settings ?? unsaved;
}

/** Saves the settings. Returns undefined when somebody else has saved since the given version. */
export async function saveTdsSettings(db: TenantDb, change: TdsSettingsChange): Promise<TdsSettings | undefined> {
  const [settings] = await db.records<TdsSettings>(
    `INSERT INTO tds_settings AS t (subadmin_id, basis, section, year_threshold, challan_threshold)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (subadmin_id) DO UPDATE SET basis = excluded.basis, section = excluded.section,
       year_threshold = excluded.year_threshold, challan_threshold = excluded.challan_threshold,
       updated_at = clock_timestamp(), version = t.version + 1
     WHERE t.version = $6::bigint
     RETURNING ${settingsColumns}`,
    [db.tenantId, change.basis, change.section, change.yearThreshold, change.challanThreshold, change.version],
    'save-tds-settings',
  );
  return settings;
}
