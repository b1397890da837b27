import type { AnswerOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  insertCopiedOwner,
  insertCopyHistory,
  lockCopying,
  selectOwnersToCopy,
  selectReasonNotToCopy,
  type OwnerToCopy,
} from '../queries/owners-directory.ts';

type CopyMeta = AnswerOf<typeof contract.owners.copy>['meta'];

/** One text for an owner that does not exist, is the caller's own, or belongs to a closed account. */
const nothingToCopy = 'Owner not found';

/**
 * Copies other accounts' owners with their trucks into the caller's list, one by one: an owner is copied whole or is an
 * entry in `errors`, and a truck whose number exists already is left out and named there (ruling 9). Nothing of the
 * original changes.
 */
export async function copyOwners(db: TenantDb, caller: Caller, ownerIds: readonly string[]): Promise<CopyMeta> {
  await lockCopying(db);
  const meta: CopyMeta = { totalOwnersCopied: 0, totalTrucksCopied: 0, errors: [] };
  for (const { wanted, source } of await selectOwnersToCopy(db, ownerIds)) {
    const messages = source === null ? [nothingToCopy] : await copyOwner(db, caller, source, meta);
    meta.errors.push(...messages.map((message) => ({ ownerId: wanted, message })));
  }
  return meta;
}

/** Counts what it copied in `meta`, and returns what it has to say. */
async function copyOwner(
  db: TenantDb,
  caller: Caller,
  source: NonNullable<OwnerToCopy['source']>,
  meta: CopyMeta,
): Promise<string[]> {
  const reason = await selectReasonNotToCopy(db, source);
  if (reason === 'copied before') return [`"${source.name}" was copied before and is in your list`];
  if (reason === 'same pan') return [`An owner with the PAN of "${source.name}" is already in your list`];
  const copied = await insertCopiedOwner(db, source.id);
  if (copied === null) return [nothingToCopy];
  await insertCopyHistory(db, caller, source, copied);
  meta.totalOwnersCopied += 1;
  meta.totalTrucksCopied += copied.truckIds.length;
  return copied.skippedTrucks.map(
    (number) => `Truck ${number} of "${source.name}" is already in your list and was left out`,
  );
}
