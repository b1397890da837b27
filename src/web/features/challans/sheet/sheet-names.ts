import { vehicleKey } from '../../../../shared/calc/keys.ts';
import { trucks } from '../../../resources/trucks.ts';
import { owners } from '../../../resources/owners.ts';
import { tags } from '../../../resources/tags.ts';
import { petrolPumps } from '../../../resources/petrol-pumps.ts';
import type { SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import { call } from '../../../kit/api/client.ts';
import type { FindNames, FoundNames, SheetName } from '../../../kit/grid/sheet-grid-types.ts';
import { fieldOf } from './sheet-columns.ts';

/** Finds the names that are offered while a cell of the sheet is typed. */

const maxNames = 8;
/** Shorter texts are not searched (docs/specification.md §3.3). */
const isSearchable = (text: string): boolean => text.length >= 2;
const firstPage = { page: 1, limit: maxNames };

type Found = Omit<FoundNames, 'meant'>;
type Find = (text: string, signal: AbortSignal) => Promise<Found>;

const findVehicles: Find = async (q, signal) => {
  const nameOf = ({
    id,
    truckNumber,
    owner,
  }: {
    id: string;
    truckNumber: string;
    owner: { name: string };
  }): SheetName => ({
    key: id,
    text: truckNumber,
    detail: owner.name,
  });
  if (!isSearchable(q)) {
    const { data, pagination } = await call(trucks.calls.list, { query: firstPage }, { signal });
    return { names: data.map(nameOf), total: pagination.totalCount };
  }
  const { results, count } = await call(trucks.calls.search, { query: { q, ...firstPage } }, { signal });
  return { names: results.map(nameOf), total: count };
};

interface NamedOwner {
  id: string;
  name: string;
  contactNumber: string;
  address: string;
  branchName: string;
}
const findOwners =
  (takesContact: boolean): Find =>
  async (q, signal) => {
    const nameOf = ({ id, name, contactNumber, address, branchName }: NamedOwner): SheetName => ({
      key: id,
      text: name,
      detail: [contactNumber, address || branchName].filter(Boolean).join(' · '),
      // The contact number tells which of several owners of one name is meant.
      ...(takesContact && { also: { ownerContactNumber: contactNumber } }),
    });
    if (!isSearchable(q)) {
      const { data, pagination } = await call(owners.calls.list, { query: firstPage }, { signal });
      return { names: data.map(({ owner }) => nameOf(owner)), total: pagination.totalCount };
    }
    const { results, count } = await call(owners.calls.search, { query: { q, ...firstPage } }, { signal });
    return { names: results.map(nameOf), total: count };
  };

const searchQuery = (text: string) => ({ ...firstPage, ...(isSearchable(text) && { search: text }) });

const findTags: Find = async (text, signal) => {
  const { data, pagination } = await call(tags.calls.list, { query: searchQuery(text) }, { signal });
  return {
    names: data.map(({ id, name, color }) => ({ key: id, text: name, color })),
    total: pagination.totalCount,
  };
};

const findPumps: Find = async (text, signal) => {
  const { data, pagination } = await call(petrolPumps.calls.list, { query: searchQuery(text) }, { signal });
  return {
    names: data.map(({ id, name, address }) => ({ key: id, text: name, detail: address })),
    total: pagination.totalCount,
  };
};

/** A complete vehicle number, such as OD09AB1234 or 22BH1234AA. It may belong to a truck that is not stored yet. */
const isWholeNumber = (text: string): boolean =>
  /^([A-Z]{2}\d{1,2}[A-Z]{0,3}\d{4}|\d{2}BH\d{4}[A-Z]{1,2})$/.test(vehicleKey(text));

/**
 * How the names of each column are found. `isPart` tells whether a text that fits only one record may stand for it.
 * An owner's name may not, because another owner can have the same name.
 */
const finders: Partial<Record<SheetColumn, { find: Find; isPart: (text: string) => boolean }>> = {
  vehicleNo: { find: findVehicles, isPart: (text) => !isWholeNumber(text) },
  ownerName: { find: findOwners(true), isPart: () => false },
  discounter: { find: findOwners(false), isPart: () => true },
  tag: { find: findTags, isPart: () => true },
  petrolPump: { find: findPumps, isPart: () => true },
};

/** The name search of a column of the grid; undefined if the column has no names. */
export function namesOf(column: string): FindNames | undefined {
  const name = fieldOf(column);
  const finder = name && finders[name];
  if (!finder) return undefined;
  return async (typed, signal) => {
    const text = typed.trim();
    const found = await finder.find(text, signal);
    const isOnly = isSearchable(text) && found.names.length === 1 && found.total === 1 && finder.isPart(text);
    return { ...found, meant: isOnly ? found.names[0] : undefined };
  };
}
