import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { paginationOf } from '../queries/paging.ts';
import { selectVehicles, truckTable } from '../queries/trucks.ts';
import { notFound } from '../refusal.ts';

/** The calls of trucks beyond those of every record (records.ts). */
export function trucksRoutes(implement: Implementer): void {
  implement.tenant(contract.trucks.search, async ({ db, query }) => {
    const { records, totalCount } = await truckTable.list(db, { ...query, search: query.q });
    return { results: records, count: totalCount, searchTerm: query.q, pagination: paginationOf(query, totalCount) };
  });

  implement.tenant(contract.trucks.lookUp, async ({ db, params }) => {
    const { vehicleNumber } = params;
    const vehicle = (await selectVehicles(db, [vehicleNumber])).get(vehicleNumber);
    if (!vehicle) throw notFound('Vehicle');
    return { data: vehicle };
  });
}
