import { canDeleteOwner } from '../../shared/access.ts';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Owner } from '../../shared/contract/owners.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { changesBetween, insertHistory } from '../queries/history.ts';
import { countChallansOf, insertOwner, lockOwner, updateOwner as updateOwnerRow } from '../queries/owners.ts';
import { removeRecord } from '../queries/records.ts';
import { removeTrucksOf } from '../queries/trucks.ts';
import { notFound, Refusal, versionConflict } from '../refusal.ts';

const fields = ['name', 'contactNumber', 'address', 'accountNo', 'ifsc', 'panNo', 'branchName'] as const;

export async function createOwner(
  db: TenantDb,
  caller: Caller,
  input: BodyOf<typeof contract.owners.create>,
): Promise<Owner> {
  const owner = await insertOwner(db, { ...input, address: input.address ?? '', ifsc: input.ifsc ?? '' });
  await insertHistory(db, caller, { entity: 'owner', entityId: owner.id, action: 'created' });
  return owner;
}

export async function updateOwner(
  db: TenantDb,
  caller: Caller,
  id: string,
  { version, ...input }: BodyOf<typeof contract.owners.update>,
): Promise<Owner> {
  const before = await lockOwner(db, id);
  if (!before) throw notFound('Owner');
  if (version !== undefined && version !== before.version) throw versionConflict('owner', before);
  const after = { ...before, ...input };
  const changes = changesBetween(before, after, fields);
  if (Object.keys(changes).length === 0) return before;
  const saved = await updateOwnerRow(db, id, after);
  await insertHistory(db, caller, { entity: 'owner', entityId: id, action: 'updated', changes });
  return saved;
}

/** Refused while challans name the owner; its trucks go with it (ruling 12). */
export async function removeOwner(db: TenantDb, caller: Caller, id: string): Promise<void> {
  const owner = await lockOwner(db, id);
  if (!owner) throw notFound('Owner');
  const challans = await countChallansOf(db, id);
  const permission = canDeleteOwner(owner, challans);
  if (!permission.allowed) throw new Refusal('OWNER_IN_USE', permission.reason, { data: { totalChallans: challans } });
  await removeRecord(db, 'owners', id);
  await removeTrucksOf(db, caller, id);
  await insertHistory(db, caller, { entity: 'owner', entityId: id, action: 'deleted' });
}
