import { shippedDeclarationRules } from '../../../shared/contract/declarations.ts';
import { shippedDepositRules } from '../../../shared/contract/tds-deposits.ts';
import type { TdsSettings, TdsSettingsChange } from '../../../shared/contract/tds.ts';
import type { TenantDb } from '../../db/tenant.ts';

const settingsColumns = `basis, section, year_threshold AS "yearThreshold", challan_threshold AS "challanThreshold",
  declaration_rules AS declarations, deposit_rules AS deposits, updated_at AS "updatedAt", version`;

type StoredSettings = Omit<TdsSettings, 'declarations' | 'deposits'> & {
  declarations: Omit<TdsSettings['declarations'], 'isShipped'> | null;
  deposits: Omit<TdsSettings['deposits'], 'isShipped'> | null;
};
const withShipped = ({ declarations, deposits, ...settings }: StoredSettings): TdsSettings => ({
  ...settings,
  declarations: { ...(declarations ?? shippedDeclarationRules), isShipped: declarations === null },
  deposits: { ...(deposits ?? shippedDepositRules), isShipped: deposits === null },
});

/** The settings of a business that has not saved any. */
const unsaved: StoredSettings = {
  basis: 'paid',
  section: '',
  yearThreshold: null,
  challanThreshold: null,
  declarations: null,
  deposits: null,
  updatedAt: null,
  version: 0,
};

export const unsavedTdsSettings = withShipped(unsaved);

export async function selectTdsSettings(db: TenantDb): Promise<TdsSettings> {
  const [settings] = await db.records<StoredSettings>(
    `SELECT ${settingsColumns} FROM tds_settings WHERE subadmin_id = $1`,
    [db.tenantId],
    'select-tds-settings',
  );
  return settings ? withShipped(settings) : unsavedTdsSettings;
}

/** Saves the settings. Returns undefined when somebody else has saved since the given version. */
export async function saveTdsSettings(db: TenantDb, change: TdsSettingsChange): Promise<TdsSettings | undefined> {
  const [settings] = await db.records<StoredSettings>(
    `INSERT INTO tds_settings AS t (subadmin_id, basis, section, year_threshold, challan_threshold, declaration_rules, deposit_rules)
     VALUES ($1, $2, $3, $4, $5, $7::jsonb, $8::jsonb)
     ON CONFLICT (subadmin_id) DO UPDATE SET basis = excluded.basis, section = excluded.section,
       year_threshold = excluded.year_threshold, challan_threshold = excluded.challan_threshold,
       declaration_rules = coalesce(excluded.declaration_rules, t.declaration_rules),
       deposit_rules = coalesce(excluded.deposit_rules, t.deposit_rules), updated_at = clock_timestamp(), version = t.version + 1
     WHERE t.version = $6::bigint
     RETURNING ${settingsColumns}`,
    [
      db.tenantId,
      change.basis,
      change.section,
      change.yearThreshold,
      change.challanThreshold,
      change.version,
      change.declarations ? JSON.stringify(change.declarations) : null,
      change.deposits ? JSON.stringify(change.deposits) : null,
    ],
    'save-tds-settings',
  );
  return settings && withShipped(settings);
}
