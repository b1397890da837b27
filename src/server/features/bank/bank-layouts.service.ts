import { isShipped, shippedKeys, shippedLayout } from '../../../shared/bank/shipped-layouts.ts';
import type { NamedLayout } from '../../../shared/bank/layout.ts';
import type { BankLayout } from '../../../shared/contract/bank-layouts.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  insertBankLayout,
  lockBankLayout,
  removeBankLayout,
  selectAccountsOfLayout,
  selectBankLayouts,
  updateBankLayout,
} from './bank-layouts.queries.ts';
import { refuseWhenTaken } from '../../sql/conflicts.ts';
import { fieldRefusal, notFound, Refusal, versionConflict } from '../../refusal.ts';

/** Lists the shipped layouts first. They are data of the program: they can be copied but not changed. */
export async function listBankLayouts(db: TenantDb): Promise<BankLayout[]> {
  const shipped = shippedKeys.map((id) => ({ id, ...shippedLayout(id), isShipped: true, version: 0 }));
  return [...shipped, ...(await selectBankLayouts(db))];
}

/** Finds the layout that a paying account or a request refers to: a shipped one by its key, a custom one by its id. */
export async function findLayout(db: TenantDb, id: string): Promise<NamedLayout | undefined> {
  if (isShipped(id)) return shippedLayout(id);
  return (await selectBankLayouts(db)).find((layout) => layout.id === id);
}

const refuseDuplicateName = (name: string, saving: Promise<BankLayout>): Promise<BankLayout> =>
  refuseWhenTaken(saving, ['bank_layouts_name'], () =>
    fieldRefusal('LAYOUT_EXISTS', 'name', `A layout named "${name}" already exists`),
  );

export const createBankLayout = (db: TenantDb, input: NamedLayout): Promise<BankLayout> =>
  refuseDuplicateName(input.name, insertBankLayout(db, input));

export async function updateCustomLayout(
  db: TenantDb,
  id: string,
  { version, ...input }: NamedLayout & { version: number },
): Promise<BankLayout> {
  const before = await lockBankLayout(db, id);
  if (!before) throw notFound('Layout');
  if (before.version !== version) throw versionConflict('layout', before);
  return refuseDuplicateName(input.name, updateBankLayout(db, id, input));
}

export async function removeCustomLayout(db: TenantDb, id: string): Promise<void> {
  if (!(await lockBankLayout(db, id))) throw notFound('Layout');
  const accounts = await selectAccountsOfLayout(db, id);
  if (accounts.length > 0) {
    throw new Refusal(
      'LAYOUT_IN_USE',
      `This layout is used by ${accounts.join(', ')}. Choose another one there first.`,
    );
  }
  await removeBankLayout(db, id);
}
