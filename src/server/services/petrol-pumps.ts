import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { PetrolPump } from '../../shared/contract/petrol-pumps.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { changesBetween, insertHistory } from '../queries/history.ts';
import { insertPetrolPump, lockPetrolPump, updatePetrolPump as updatePetrolPumpRow } from '../queries/petrol-pumps.ts';
import { removeRecord } from '../queries/records.ts';
import { notFound, versionConflict } from '../refusal.ts';

const fields = ['name', 'contactNumber', 'address'] as const;

export async function createPetrolPump(
  db: TenantDb,
  caller: Caller,
  input: BodyOf<typeof contract.petrolPumps.create>,
): Promise<PetrolPump> {
  const pump = await insertPetrolPump(db, input);
  await insertHistory(db, caller, { entity: 'petrol-pump', entityId: pump.id, action: 'created' });
  return pump;
}

export async function updatePetrolPump(
  db: TenantDb,
  caller: Caller,
  id: string,
  { version, ...input }: BodyOf<typeof contract.petrolPumps.update>,
): Promise<PetrolPump> {
  const before = await lockPetrolPump(db, id);
  if (!before) throw notFound('Petrol pump');
  if (version !== undefined && version !== before.version) throw versionConflict('petrol pump', before);
  const after = { ...before, ...input };
  const changes = changesBetween(before, after, fields);
  if (Object.keys(changes).length === 0) return before;
  const saved = await updatePetrolPumpRow(db, id, after);
  await insertHistory(db, caller, { entity: 'petrol-pump', entityId: id, action: 'updated', changes });
  return saved;
}

/** Hides it from lists and pickers; challans that name it keep it (ruling 12). */
export async function removePetrolPump(db: TenantDb, caller: Caller, id: string): Promise<void> {
  if (!(await lockPetrolPump(db, id))) throw notFound('Petrol pump');
  await removeRecord(db, 'petrol_pumps', id);
  await insertHistory(db, caller, { entity: 'petrol-pump', entityId: id, action: 'deleted' });
}
