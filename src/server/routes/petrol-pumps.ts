import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { paginationOf } from '../queries/paging.ts';
import { listPetrolPumps, selectPetrolPump } from '../queries/petrol-pumps.ts';
import { notFound } from '../refusal.ts';
import { createPetrolPump, removePetrolPump, updatePetrolPump } from '../services/petrol-pumps.ts';

export function petrolPumpsRoutes(implement: Implementer): void {
  implement.tenant(contract.petrolPumps.list, async ({ db, query }) => {
    const { petrolPumps, totalCount } = await listPetrolPumps(db, query);
    return { data: petrolPumps, pagination: paginationOf(query, totalCount) };
  });

  implement.tenant(contract.petrolPumps.get, async ({ db, params }) => {
    const petrolPump = await selectPetrolPump(db, params.id);
    if (!petrolPump) throw notFound('Petrol pump');
    return { data: petrolPump };
  });

  implement.tenant(contract.petrolPumps.create, async ({ db, caller, body }) => ({
    data: await createPetrolPump(db, caller, body),
  }));

  implement.tenant(contract.petrolPumps.update, async ({ db, caller, params, body }) => ({
    data: await updatePetrolPump(db, caller, params.id, body),
  }));

  implement.tenant(contract.petrolPumps.remove, async ({ db, caller, params }) => {
    await removePetrolPump(db, caller, params.id);
    return { message: 'Petrol pump deleted successfully!' };
  });
}
