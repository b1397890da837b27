import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { listDirectory } from '../queries/owners-directory.ts';
import { listOwners, searchOwners, selectOwnerWithTrucks } from '../queries/owners.ts';
import { paginationOf } from '../queries/paging.ts';
import { notFound } from '../refusal.ts';
import { copyOwners } from '../services/owners-copy.ts';
import { createOwner, removeOwner, updateOwner } from '../services/owners.ts';

/** wire.md: at most 200 results of a search. */
const searchResults = 200;

export function ownersRoutes(implement: Implementer): void {
  implement.tenant(contract.owners.list, async ({ db, query }) => {
    const { owners, totalCount, totalTrucks } = await listOwners(db, query);
    return {
      data: owners.map(({ trucksCount, trucks, ...owner }) => ({ owner, trucksCount, trucks })),
      pagination: paginationOf(query, totalCount),
      meta: { totalTrucks },
    };
  });

  implement.tenant(contract.owners.search, async ({ db, query }) => {
    const { owners, count } = await searchOwners(db, query.q, searchResults);
    return { results: owners, count, searchTerm: query.q };
  });

  implement.tenant(contract.owners.get, async ({ db, params }) => {
    const owner = await selectOwnerWithTrucks(db, params.id);
    if (!owner) throw notFound('Owner');
    return { data: owner };
  });

  implement.tenant(contract.owners.create, async ({ db, caller, body }) => ({
    data: await createOwner(db, caller, body),
  }));

  implement.tenant(contract.owners.update, async ({ db, caller, params, body }) => ({
    data: await updateOwner(db, caller, params.id, body),
  }));

  implement.tenant(contract.owners.remove, async ({ db, caller, params }) => {
    await removeOwner(db, caller, params.id);
    return { message: 'Owner deleted successfully' };
  });

  implement.global(contract.owners.listAllSystem, async ({ db, caller, query }) => {
    const own = caller.role === 'subadmin' ? caller.accountId : null;
    const { owners, totalCount } = await listDirectory(db, own, query);
    return { data: owners, pagination: paginationOf(query, totalCount) };
  });

  implement.tenant(contract.owners.copy, async ({ db, caller, body }) => ({
    meta: await copyOwners(db, caller, body.ownerIds),
  }));
}
