import type { BodyOf, Endpoint, QueryOf } from '../../../shared/contract/define.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { DataOf, Result } from '../../http/answer.ts';
import type { Implementer } from '../../http/implement.ts';
import { searchAnswer } from '../../sql/paging.ts';
import { bankAccountTable } from '../bank/bank-accounts.queries.ts';
import { accountsToConfirm } from '../payments/account-changes.service.ts';
import { petrolPumpTable } from './petrol-pumps.queries.ts';
import { selectTagUsage, tagTable } from './tags.queries.ts';
import { selectVehicles, truckTable } from './trucks.queries.ts';
import { declarationTable } from '../tds/declarations.queries.ts';
import { depositTable } from '../tds/deposits.queries.ts';
import { depositWrites } from '../tds/deposits.service.ts';
import { notFound } from '../../refusal.ts';
import { bulkOwners, bulkPetrolPumps, bulkTags, bulkTrucks } from './records-bulk.service.ts';
import {
  bankAccountWrites,
  createRecordWrites,
  declarationWrites,
  ownerWrites,
  tagWrites,
  truckWrites,
} from './records.service.ts';

/** The calls of master data. Those that only owners have are in owners.routes.ts. */
export function recordsRoutes(implement: Implementer): void {
  const pumpWrites = createRecordWrites({ table: petrolPumpTable });
  bindRecord(implement, contract.petrolPumps, petrolPumpTable, pumpWrites, 'Petrol pump deleted successfully!');

  bindWrites(implement, contract.bankAccounts, bankAccountWrites, 'Bank account deleted successfully!');
  implement.tenant(contract.bankAccounts.list, async ({ db, caller, query }) => {
    const ids = query.toConfirm && (await accountsToConfirm(db, caller)).bankAccounts;
    return bankAccountTable.list(db, { ...query, ids });
  });
  bindGet(implement, contract.bankAccounts.get, bankAccountTable.get, bankAccountWrites.gone);

  bindRecord(
    implement,
    contract.declarations,
    declarationTable,
    declarationWrites,
    'Declaration deleted successfully!',
  );

  bindWrites(implement, contract.tdsDeposits, depositWrites, 'Deposit deleted successfully!');
  bindGet(implement, contract.tdsDeposits.get, depositTable.get, depositWrites.gone);

  bindRecord(implement, contract.tags, tagTable, tagWrites, 'Tag deleted successfully');
  implement.tenant(contract.tags.usage, async ({ db, params }) => {
    const [tag, usage] = await Promise.all([tagTable.get(db, params.id), selectTagUsage(db, params.id)]);
    if (!tag) throw notFound('Tag');
    return { data: { usage } };
  });

  bindWrites(implement, contract.trucks, truckWrites, 'Truck deleted successfully');
  implement.tenant(contract.trucks.list, ({ db, query }) => truckTable.list(db, query));
  implement.tenant(contract.trucks.search, async ({ db, query }) => {
    return searchAnswer(query.q, await truckTable.list(db, { ...query, search: query.q }));
  });
  implement.tenant(contract.trucks.lookUp, async ({ db, params }) => {
    const { vehicleNumber } = params;
    const vehicle = (await selectVehicles(db, [vehicleNumber])).get(vehicleNumber);
    if (!vehicle) throw notFound('Vehicle');
    return { data: vehicle };
  });

  bindWrites(implement, contract.owners, ownerWrites, 'Owner deleted successfully');

  bindBulk(implement, contract.owners, bulkOwners);
  bindBulk(implement, contract.trucks, bulkTrucks);
  bindBulk(implement, contract.tags, bulkTags);
  bindBulk(implement, contract.petrolPumps, bulkPetrolPumps);
}

type Call<E extends Endpoint> = Promise<DataOf<E>>;

type GetOf<E extends Endpoint> = (db: TenantDb, id: string) => Promise<DataOf<E> | null>;
type ListOf<E extends Endpoint> = (db: TenantDb, query: QueryOf<E>) => Promise<Result<E>>;
interface WritesOf<C extends Endpoint, U extends Endpoint> {
  create: (db: TenantDb, caller: Caller, input: BodyOf<C>) => Call<C>;
  update: (db: TenantDb, caller: Caller, id: string, input: BodyOf<U>) => Call<U>;
  remove: (db: TenantDb, caller: Caller, id: string) => Promise<void>;
}

/** Binds the five calls of a resource that are what its table and its writes do. `removed` is said after a delete. */
function bindRecord<L extends Endpoint, G extends Endpoint, C extends Endpoint, U extends Endpoint>(
  implement: Implementer,
  endpoints: { list: L; get: G; create: C; update: U; remove: Endpoint },
  table: { list: ListOf<L>; get: GetOf<G> },
  write: WritesOf<C, U> & { gone: () => Error },
  removed: string,
): void {
  bindWrites(implement, endpoints, write, removed);
  implement.tenant(endpoints.list, ({ db, query }) => table.list(db, query));
  bindGet(implement, endpoints.get, table.get, write.gone);
}

function bindWrites<C extends Endpoint, U extends Endpoint>(
  implement: Implementer,
  endpoints: { create: C; update: U; remove: Endpoint },
  write: WritesOf<C, U>,
  removed: string,
): void {
  implement.data(endpoints.create, ({ db, caller, body }) => write.create(db, caller, body));
  implement.data(endpoints.update, ({ db, caller, params, body }) => write.update(db, caller, idOf(params), body));
  implement.tenant(endpoints.remove, async ({ db, caller, params }) => {
    await write.remove(db, caller, idOf(params));
    return { message: removed };
  });
}

function bindBulk<P extends Endpoint, C extends Endpoint>(
  implement: Implementer,
  endpoints: { previewMany: P; changeMany: C },
  write: {
    previewMany: (db: TenantDb, asked: BodyOf<P>) => Call<P>;
    changeMany: (db: TenantDb, caller: Caller, asked: BodyOf<C>) => Call<C>;
  },
): void {
  implement.data(endpoints.previewMany, ({ db, body }) => write.previewMany(db, body));
  implement.data(endpoints.changeMany, ({ db, caller, body }) => write.changeMany(db, caller, body));
}

function bindGet<E extends Endpoint>(implement: Implementer, endpoint: E, select: GetOf<E>, gone: () => Error): void {
  implement.data(endpoint, async ({ db, params }) => {
    const record = await select(db, idOf(params));
    if (record === null) throw gone();
    return record;
  });
}

// Safe: every endpoint of one record has its id in the path.
const idOf = (params: unknown): string => (params as { id: string }).id;
