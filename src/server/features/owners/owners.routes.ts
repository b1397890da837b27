import { canDeleteOwner } from '../../../shared/access.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import {
  isInDirectory,
  listAllCopied,
  listCopied,
  listDirectory,
  selectCopiedByOthers,
  selectCopyAllowance,
} from './owners-directory.queries.ts';
import { countUsesOf, listOwners, ownerTable, selectOwnerWithTrucks } from '../master-data/owners.queries.ts';
import { searchAnswer } from '../../sql/paging.ts';
import { countTrucks } from '../master-data/trucks.queries.ts';
import { accountsToConfirm } from '../payments/account-changes.service.ts';
import { notFound } from '../../refusal.ts';
import { setOwnerHold } from '../challans/holds.service.ts';
import { copyOwners } from './owners-copy.service.ts';

/** The calls of owners beyond those of every record (records.routes.ts). */
export function ownersRoutes(implement: Implementer): void {
  implement.tenant(contract.owners.list, async ({ db, caller, query }) => {
    const ids = query.toConfirm && (await accountsToConfirm(db, caller)).owners;
    const [{ data, pagination }, totalTrucks] = await Promise.all([listOwners(db, { ...query, ids }), countTrucks(db)]);
    return {
      data: data.map(({ trucksCount, trucks, declaration, ...owner }) => ({
        owner,
        trucksCount,
        trucks,
        declaration,
      })),
      pagination,
      meta: { totalTrucks },
    };
  });

  implement.tenant(contract.owners.search, async ({ db, caller, query }) => {
    const ids = query.toConfirm && (await accountsToConfirm(db, caller)).owners;
    return searchAnswer(query.q, await listOwners(db, { ...query, search: query.q, ids }));
  });

  implement.tenant(contract.owners.get, async ({ db, params }) => {
    const owner = await selectOwnerWithTrucks(db, params.id);
    if (!owner) throw notFound('Owner');
    return { data: owner };
  });

  implement.tenant(contract.owners.usage, async ({ db, params }) => {
    const [owner, uses] = await Promise.all([ownerTable.get(db, params.id), countUsesOf(db, [params.id])]);
    if (!owner) throw notFound('Owner');
    const totalChallans = uses.get(owner.id)?.challans ?? 0;
    return { data: { usage: { totalChallans, canDelete: canDeleteOwner(owner, totalChallans).allowed } } };
  });

  implement.data(contract.owners.setHold, ({ db, caller, params, body }) => setOwnerHold(db, caller, params.id, body));

  implement.global(contract.owners.listAllSystem, async ({ db, caller, query }) => {
    const own = caller.role === 'subadmin' ? caller.businessId : null;
    const [page, copying, isDirectoryOn] = await Promise.all([
      listDirectory(db, own, query),
      own === null ? null : selectCopyAllowance(db, own),
      isInDirectory(db, own),
    ]);
    return { ...page, meta: { copying, isDirectoryOn } };
  });

  implement.tenant(contract.owners.listCopied, ({ db, query }) => listCopied(db, query));
  implement.global(contract.owners.listAllCopied, ({ db, query }) => listAllCopied(db, query));
  implement.data(contract.owners.getCopiedByOthers, ({ db }) => selectCopiedByOthers(db));

  implement.tenant(contract.owners.copy, async ({ db, caller, body }) => ({
    meta: await copyOwners(db, caller, body.ownerIds),
  }));
}
