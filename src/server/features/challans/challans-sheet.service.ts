import { grouped } from '../../../shared/calc/grouped.ts';
import { dayOf, isDay, isInstant } from '../../../shared/calc/dates.ts';
import { nameKey, vehicleKey, tpKey } from '../../../shared/calc/keys.ts';
import type { SheetCheck, SheetCheckInput } from '../../../shared/contract/challan-sheet.ts';
import type { ChallanReference } from '../../../shared/contract/challan.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  selectLastRates,
  selectLastTds,
  selectTpTwins,
  selectTripTwins,
  tripKey,
  type Route,
  type Trip,
} from './challans.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { petrolPumpTable } from '../master-data/petrol-pumps.queries.ts';
import { selectByName, type RecordTable, type Stored } from '../master-data/records.queries.ts';
import { tagTable } from '../master-data/tags.queries.ts';
import { selectDeclaredDays } from '../tds/declarations.queries.ts';
import { selectVehicles } from '../master-data/trucks.queries.ts';

/**
 * Looks up the records that the rows of an entry sheet name, and the duplicates of the rows: a handful of statements
 * for 1,000 rows.
 */
export async function checkSheet(db: TenantDb, { rows }: SheetCheckInput): Promise<SheetCheck> {
  const distinctTexts = (...cells: ((row: SheetCheckInput['rows'][number]) => string | undefined)[]): string[] => [
    ...new Set(cells.flatMap((cell) => rows.map(cell)).filter((text) => text !== undefined && isReadable(text))),
  ];
  const vehicleNumbers = distinctTexts(({ vehicleNo }) => vehicleNo);
  const [vehicles, owners, tags, petrolPumps, lastRates, twins] = await Promise.all([
    selectVehicles(db, vehicleNumbers),
    findByName(
      db,
      ownerTable,
      distinctTexts(
        ({ ownerName }) => ownerName,
        ({ discounterName }) => discounterName,
      ),
    ),
    findByName(
      db,
      tagTable,
      distinctTexts(({ tagName }) => tagName),
    ),
    findByName(
      db,
      petrolPumpTable,
      distinctTexts(({ petrolPumpName }) => petrolPumpName),
    ),
    selectLastRates(db, distinctRoutes(rows)),
    findTwins(db, rows),
  ]);
  const ownerIds = new Set([
    ...[...vehicles.values()].map(({ owner }) => owner.id),
    ...owners.flatMap(({ found }) => found.map(({ id }) => id)),
  ]);
  const [lastTds, declared] = await Promise.all([
    ownerIds.size === 0 ? [] : selectLastTds(db, [...ownerIds]),
    selectDeclaredDays(db, [...ownerIds]),
  ]);
  return {
    lastTds,
    declarations: [...declared].flatMap(([ownerId, all]) => all.map((days) => ({ ownerId, ...days }))),
    vehicles: vehicleNumbers.map((number) => ({ asked: number, found: vehicles.get(number) ?? null })),
    owners: owners.map(({ asked: name, found }) => ({
      asked: name,
      found: found.map(({ panNo, ...owner }) => ({ ...owner, panEnding: panNo.slice(-4) })),
    })),
    tags,
    petrolPumps,
    lastRates,
    twins,
  };
}

/** Whether a text is not empty and can be stored by PostgreSQL. */
const isReadable = (text: string | undefined): text is string =>
  text !== undefined && text.isWellFormed() && !text.includes('\0') && text.trim() !== '';

function distinctRoutes(rows: SheetCheckInput['rows']): Route[] {
  const routes = rows.flatMap(({ loadingPlace, unloadingPlace }) =>
    isReadable(loadingPlace) && isReadable(unloadingPlace) ? [{ loadingPlace, unloadingPlace }] : [],
  );
  return [...new Map(routes.map((route) => [JSON.stringify(route), route])).values()];
}

/** Returns the records that have each of these names. */
async function findByName<R extends Stored & { name: string }>(
  db: TenantDb,
  table: Pick<RecordTable<R, never, string>, 'record' | 'getMany'>,
  names: readonly string[],
): Promise<{ asked: string; found: R[] }[]> {
  const found = grouped(await selectByName(db, table, names), ({ name }) => [nameKey(name)]);
  return names.map((asked) => ({ asked, found: found.get(nameKey(asked)) ?? [] }));
}

async function findTwins(db: TenantDb, rows: SheetCheckInput['rows']): Promise<SheetCheck['twins']> {
  const keys = rows.map(({ key, tpNo, vehicleNo, loadingDate }) => {
    const tp = isReadable(tpNo) ? tpKey(tpNo) : '';
    return { key, tp, trip: isReadable(vehicleNo) ? toTrip(vehicleNo, loadingDate) : undefined };
  });
  const tps = [...new Set(keys.map(({ tp }) => tp).filter((tp) => tp !== ''))];
  const trips = new Map(keys.flatMap(({ trip }): [string, Trip][] => (trip ? [[tripKey(trip), trip]] : [])));
  const [sameTp, sameTrip] = await Promise.all([
    tps.length === 0 ? [] : selectTpTwins(db, tps),
    trips.size === 0 ? [] : selectTripTwins(db, [...trips.values()]),
  ]);
  const [byTp, byTrip] = [groupByKey(sameTp), groupByKey(sameTrip)];
  return keys.flatMap(({ key, tp, trip }) => {
    const twins = { sameTp: byTp.get(tp) ?? [], sameTrip: (trip && byTrip.get(tripKey(trip))) ?? [] };
    return twins.sameTp.length + twins.sameTrip.length > 0 ? [{ key, ...twins }] : [];
  });
}

function toTrip(vehicleNo: string, loadingDate: string | undefined): Trip | undefined {
  const vehicle = vehicleKey(vehicleNo);
  if (vehicle === '' || loadingDate === undefined || !(isDay(loadingDate) || isInstant(loadingDate))) return undefined;
  return { vehicleKey: vehicle, loadingOn: dayOf(loadingDate) };
}

function groupByKey(twins: readonly { asked: string; challan: ChallanReference }[]): Map<string, ChallanReference[]> {
  const groups = new Map<string, ChallanReference[]>();
  for (const { asked, challan } of twins) groups.set(asked, [...(groups.get(asked) ?? []), challan]);
  return groups;
}
