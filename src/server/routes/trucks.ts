import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { paginationOf } from '../queries/paging.ts';
import { listTrucks, searchTrucks, selectVehicle } from '../queries/trucks.ts';
import { notFound } from '../refusal.ts';
import { createTruck, removeTruck, updateTruck } from '../services/trucks.ts';

/** As for owners: at most 200 results of a search, with the true count. */
const searchResults = 200;

export function trucksRoutes(implement: Implementer): void {
  implement.tenant(contract.trucks.list, async ({ db, query }) => {
    const { trucks, totalCount } = await listTrucks(db, query);
    return { data: trucks, pagination: paginationOf(query, totalCount) };
  });

  implement.tenant(contract.trucks.search, async ({ db, query }) => {
    const { trucks, count } = await searchTrucks(db, query.q, searchResults);
    return { results: trucks, count, searchTerm: query.q };
  });

  implement.tenant(contract.trucks.lookUp, async ({ db, params }) => {
    const vehicle = await selectVehicle(db, params.vehicleNumber);
    if (!vehicle) throw notFound('Vehicle');
    return { data: vehicle };
  });

  implement.tenant(contract.trucks.create, async ({ db, caller, body }) => ({
    data: await createTruck(db, caller, body),
  }));

  implement.tenant(contract.trucks.update, async ({ db, caller, params, body }) => ({
    data: await updateTruck(db, caller, params.id, body),
  }));

  implement.tenant(contract.trucks.remove, async ({ db, caller, params }) => {
    await removeTruck(db, caller, params.id);
    return { message: 'Truck deleted successfully' };
  });
}
