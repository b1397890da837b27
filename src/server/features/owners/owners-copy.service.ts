import { canCopyOwners } from '../../../shared/access.ts';
import type { AnswerOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { CopyAllowance } from '../../../shared/contract/owners.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import {
  insertCopiedOwner,
  insertCopyHistory,
  selectCopyAllowance,
  selectOwnersToCopy,
  selectReasonNotToCopy,
  type OwnerToCopy,
} from './owners-directory.queries.ts';
import { Refusal } from '../../refusal.ts';

type CopyMeta = AnswerOf<typeof contract.owners.copy>['meta'];

/**
 * The message for an owner that does not exist, is the caller's own, or belongs to a closed account. They all get the
 * same text.
 */
const ownerNotFound = 'Owner not found';

/**
 * Copies other accounts' owners with their trucks into the caller's list, one by one. Each owner is either copied
 * completely or gets an entry in `errors`. A truck whose number already exists is left out and also named in `errors`
 * (docs/specification.md §6.4). Nothing of the original changes.
 */
export async function copyOwners(db: TenantDb, caller: Caller, ownerIds: readonly string[]): Promise<CopyMeta> {
  await takeTurns(db, 'copy-owners');
  const allowance = await selectCopyAllowance(db, db.tenantId);
  // When copying is switched off, nothing of another account is looked up.
  const isOn = canCopyOwners(0, allowance);
  if (!isOn.allowed) throw new Refusal('COPY_LIMIT', isOn.reason);
  const meta: CopyMeta = { totalOwnersCopied: 0, totalTrucksCopied: 0, errors: [] };
  for (const { wanted, source } of await selectOwnersToCopy(db, ownerIds)) {
    const messages = source === null ? [ownerNotFound] : await copyOwner(db, caller, source, meta, allowance);
    meta.errors.push(...messages.map((message) => ({ ownerId: wanted, message })));
  }
  return meta;
}

/** Copies one owner, adds the numbers to `meta`, and returns the error messages. */
async function copyOwner(
  db: TenantDb,
  caller: Caller,
  source: NonNullable<OwnerToCopy['source']>,
  meta: CopyMeta,
  allowance: CopyAllowance,
): Promise<string[]> {
  const reason = await selectReasonNotToCopy(db, source.id);
  if (reason === 'copied') return [`"${source.name}" was copied before and is in your list`];
  if (reason === 'same-pan') return [`An owner with the PAN of "${source.name}" is already in your list`];
  // This is thrown, so that the whole call is rolled back. The user selects fewer owners, and nothing was copied in
  // part.
  const permission = canCopyOwners(meta.totalOwnersCopied + 1, allowance);
  if (!permission.allowed) throw new Refusal('COPY_LIMIT', permission.reason);
  const copied = await insertCopiedOwner(db, source.id);
  if (copied === null) return [ownerNotFound];
  await insertCopyHistory(db, caller, source, copied);
  meta.totalOwnersCopied += 1;
  meta.totalTrucksCopied += copied.truckIds.length;
  return copied.skippedTrucks.map(
    (number) => `Truck ${number} of "${source.name}" is already in your list and was left out`,
  );
}
