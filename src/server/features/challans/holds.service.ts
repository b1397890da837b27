import { canHoldChallan } from '../../../shared/access.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { Owner } from '../../../shared/contract/owners.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { lockChallan } from './challans.queries.ts';
import { insertHistory } from '../history/history.queries.ts';
import { lockHolds, updateChallanHold, updateOwnerHold } from './holds.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { notFound, Refusal, versionConflict } from '../../refusal.ts';
import { readChallan } from './challans.service.ts';

/** Holds: a challan or owner on hold is not paid (docs/specification.md §10.8). */

interface Hold {
  /** An empty text removes the hold. */
  reason: string;
  version?: number | undefined;
}

export async function setChallanHold(db: TenantDb, caller: Caller, id: string, hold: Hold): Promise<Challan> {
  const challan = await lockChallan(db, id);
  if (!challan) throw notFound('Challan');
  if (hold.version !== undefined && hold.version !== challan.version) throw versionConflict('challan', challan);
  if (challan.holdReason === hold.reason) return challan;
  const permission = canHoldChallan(challan);
  if (!permission.allowed) throw new Refusal('CHALLAN_PAID', permission.reason);
  await updateChallanHold(db, id, hold.reason);
  await insertHistory(db, caller, {
    entity: 'challan',
    entityId: id,
    action: 'updated',
    changes: { holdReason: [challan.holdReason, hold.reason] },
  });
  return readChallan(db, id);
}

export async function setOwnerHold(db: TenantDb, caller: Caller, id: string, hold: Hold): Promise<Owner> {
  // This lock comes before the lock of the owner's row. While it is held, no payment runs (server/features/challans/holds.queries.ts).
  await lockHolds(db);
  const owner = await ownerTable.lock(db, id);
  if (!owner) throw notFound('Owner');
  if (hold.version !== undefined && hold.version !== owner.version) throw versionConflict('owner', owner);
  if (owner.holdReason === hold.reason) return owner;
  await updateOwnerHold(db, id, hold.reason);
  await insertHistory(db, caller, {
    entity: 'owner',
    entityId: id,
    action: 'updated',
    changes: { holdReason: [owner.holdReason, hold.reason] },
  });
  const held = await ownerTable.get(db, id);
  if (!held) throw new Error('A locked owner is there');
  return held;
}
