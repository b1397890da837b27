import { isShipped, shippedKeys, shippedLayout } from '../../shared/bank/shipped-layouts.ts';
import type { NamedLayout } from '../../shared/bank/layout.ts';
import type { BankLayout } from '../../shared/contract/bank-layouts.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  insertBankLayout,
  lockBankLayout,
  removeBankLayout,
  selectAccountsOfLayout,
  selectBankLayouts,
  updateBankLayout,
} from '../queries/bank-layouts.ts';
import { isTaken } from '../queries/unique.ts';
import { notFound, Refusal, versionConflict } from '../refusal.ts';

/** The shipped layouts first; they are data of the program and cannot be changed, only copied. */
export async function listBankLayouts(db: TenantDb): Promise<BankLayout[]> {
  const shipped = shippedKeys.map((id) => ({ id, ...shippedLayout(id), isShipped: true, version: 0 }));
  return [...shipped, ...(await selectBankLayouts(db))];
}

/** What a paying account or a request names: a shipped one by its key, an own one by its id. */
export async function layoutNamed(db: TenantDb, id: string): Promise<NamedLayout | undefined> {
  if (isShipped(id)) return shippedLayout(id);
  return (await selectBankLayouts(db)).find((layout) => layout.id === id);
}

async function refusingTwins(name: string, saving: Promise<BankLayout>): Promise<BankLayout> {
  try {
    return await saving;
  } catch (error) {
    if (!isTaken(error, 'bank_layouts_name')) throw error;
    const message = `A layout named "${name}" already exists`;
    throw new Refusal('LAYOUT_EXISTS', message, { fields: { name: message } });
  }
}

export const createBankLayout = (db: TenantDb, input: NamedLayout): Promise<BankLayout> =>
  refusingTwins(input.name, insertBankLayout(db, input));

export async function updateOwnLayout(
  db: TenantDb,
  id: string,
  { version, ...input }: NamedLayout & { version: number },
): Promise<BankLayout> {
  const before = await lockBankLayout(db, id);
  if (!before) throw notFound('Layout');
  if (before.version !== version) throw versionConflict('layout', before);
  return refusingTwins(input.name, updateBankLayout(db, id, input));
}

export async function removeOwnLayout(db: TenantDb, id: string): Promise<void> {
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
