import type { LayoutDefinition, NamedLayout } from '../../../shared/bank/layout.ts';
import type { BankLayout } from '../../../shared/contract/bank-layouts.ts';
import type { TenantDb } from '../../db/tenant.ts';

interface LayoutRow {
  id: string;
  name: string;
  definition: LayoutDefinition;
  version: number;
}
const toLayout = (row: LayoutRow): BankLayout => ({ ...row, isShipped: false });

const columns = 'id, name, definition, version';
const living = 'FROM bank_layouts WHERE subadmin_id = $1 AND deleted_at IS NULL';

export async function selectBankLayouts(db: TenantDb): Promise<BankLayout[]> {
  const { rows } = await db.query<LayoutRow>(
    `SELECT ${columns} ${living} ORDER BY lower(name), id`,
    [db.tenantId],
    'select-bank-layouts',
  );
  return rows.map(toLayout);
}

/** Reads a layout and locks it until the transaction ends. */
export async function lockBankLayout(db: TenantDb, id: string): Promise<BankLayout | undefined> {
  const row = await db.first<LayoutRow>(
    `SELECT ${columns} ${living} AND id = $2 FOR UPDATE`,
    [db.tenantId, id],
    'lock-bank-layout',
  );
  return row && toLayout(row);
}

/**
 * Whether the layout exists. It is locked, so that it cannot be deleted while an account that uses it is being saved.
 */
export async function holdBankLayout(db: TenantDb, id: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT id ${living} AND id::text = $2 FOR KEY SHARE`,
    [db.tenantId, id],
    'hold-bank-layout',
  );
  return rows.length > 0;
}

export async function insertBankLayout(db: TenantDb, { name, definition }: NamedLayout): Promise<BankLayout> {
  const row = await db.one<LayoutRow>(
    `INSERT INTO bank_layouts (subadmin_id, name, definition) VALUES ($1, $2, $3::jsonb) RETURNING ${columns}`,
    [db.tenantId, name, JSON.stringify(definition)],
    'insert-bank-layout',
  );
  return toLayout(row);
}

/** The caller holds its lock. */
export async function updateBankLayout(
  db: TenantDb,
  id: string,
  { name, definition }: NamedLayout,
): Promise<BankLayout> {
  const row = await db.one<LayoutRow>(
    `UPDATE bank_layouts SET name = $3, definition = $4::jsonb, updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2 RETURNING ${columns}`,
    [db.tenantId, id, name, JSON.stringify(definition)],
    'update-bank-layout',
  );
  // Safe: the caller has locked the row, so it exists.
  return toLayout(row);
}

/** The caller holds its lock. */
export async function removeBankLayout(db: TenantDb, id: string): Promise<void> {
  await db.query(
    `UPDATE bank_layouts SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    'remove-bank-layout',
  );
}

/** Returns the names of the paying accounts that use a layout. */
export async function selectAccountsOfLayout(db: TenantDb, id: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM bank_accounts WHERE subadmin_id = $1 AND layout = $2 AND deleted_at IS NULL ORDER BY lower(name), id`,
    [db.tenantId, id],
    'select-accounts-of-layout',
  );
  return rows.map(({ name }) => name);
}
