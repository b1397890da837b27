import { challanFilters, type ChallanFilter } from '../../shared/filters/challan-filters.ts';
import { vehicleKey } from '../../shared/calc/vehicle.ts';
import { filterNames, type FilterKind, type FilterName, type FilterValues } from '../../shared/filters/define.ts';
import { heldChallans, notHeld } from './holds.ts';
import { platesWith } from './vehicles.ts';
import { conditions, escapeLike, isNone, type Bind, type Condition, type Over } from './filter-conditions.ts';

export { Parameters, type Bind } from './filter-conditions.ts';

/** A condition is written over challans `c`, or over the rows of a roll-up and the open differences. */
interface OverChallans extends Over {
  isRolledUp: boolean;
  /** Few challans match, so the condition is written for an index. */
  isFew: boolean;
  /** Another column of the same row. */
  other: (column: string) => Pick<Over, 'column' | 'none'>;
}

type Name = FilterName<typeof challanFilters>;
type Kind<N extends Name> = (typeof challanFilters)[N]['kind'];

/**
 * Whether a part of a plate matches few vehicles, whose challans an index finds. Six characters do, and three digits do,
 * because a plate has so many only in its last part. A shorter part may match most vehicles.
 */
const areFewVehicles = (key: string): boolean => key.length >= 6 || /\d{3}/.test(key);

/** Whether a part of a number matches few challans: four digits or more at its end are a counter, unless they are a year (2627). */
function areFewNumbers(typed: string): boolean {
  const digits = /\d{4,}$/.exec(typed)?.[0] ?? '';
  const [start, end] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  return digits.length > 4 || (digits !== '' && (start < 20 || end !== start + 1));
}

/** SQL: an amount in paise, as the index on the net has it (migration 004). */
export const paise = (amount: string): string => `(${amount}::numeric * 100)::bigint`;

/** The totals by trait have a band for each 2^14 paise of net (migration 005). */
export const bandBits = 14;

/** SQL: the band of an amount. */
const bandOf = (amount: string): string => `(${paise(amount)} >> ${bandBits})`;

/** SQL: conditions on challans `c` for the two bands at the ends of a range of amounts, which the range covers only in part. */
export const netEdges = ({ netFrom, netTo }: ChallanFilter, bind: Bind): string[] =>
  [netFrom, netTo].flatMap((amount) => {
    if (!amount) return [];
    const band = bandOf(bind(amount));
    return [`c.net_paise >= ${band} << ${bandBits} AND c.net_paise < (${band} + 1) << ${bandBits}`];
  });

/**
 * A condition that a text contains a part. When few challans match, the texts that match are read from the roll-up by route
 * and the open differences, which have all of them, and the index finds their challans.
 */
function containsPart(
  name: 'material' | 'loading_place' | 'unloading_place',
  value: string,
  over: OverChallans,
): string {
  const pattern = `'%' || ${over.bind(escapeLike(value))} || '%'`;
  const { column } = over.other(name);
  if (!over.isFew) return `${column} ILIKE ${pattern}`;
  const textsOf = (table: string): string =>
    `SELECT ${name} FROM ${table} WHERE subadmin_id = ${over.tenant} AND ${name} ILIKE ${pattern}`;
  return `${column} = ANY (ARRAY(${textsOf('challan_totals_by_trait')} AND trait = 'route' UNION ${textsOf('challan_deltas')}))`;
}

/** The column of `challans` that each filter is about, with its own condition where that of its kind does not fit. */
const columns: {
  readonly [N in Name]:
    string | { column: string; condition: (value: FilterValues[Kind<N>], over: OverChallans) => string };
} = {
  tpNo: 'tp_no',
  paymentStatus: 'payment_status',
  tagId: 'tag_id',
  ownerId: 'owner_id',
  // An owner with challans is never deleted, so the condition does not check that.
  ownerName: {
    column: 'owner_id',
    condition: (value, { column, tenant, bind }) =>
      `${column} IN (SELECT o.id FROM owners AS o
        WHERE o.subadmin_id = ${tenant} AND lower(o.name) LIKE '%' || lower(${bind(escapeLike(value))}) || '%')`,
  },
  startDate: 'loading_on',
  endDate: 'loading_on',
  depositedDate: 'deposited_on',
  depositedStartDate: 'deposited_on',
  depositedEndDate: 'deposited_on',
  challanNumber: {
    column: 'challan_number',
    condition: (value, over) => {
      if (!areFewNumbers(value)) return conditions.contains(value, over);
      const { column, tenant, bind } = over;
      // The numbers are read in their index. For a part without letters LIKE finds the same as ILIKE in less time.
      const like = /^[ -@]*$/.test(value) ? 'LIKE' : 'ILIKE';
      return `${column} = ANY (ARRAY(SELECT other.challan_number FROM challans AS other
        WHERE other.subadmin_id = ${tenant} AND other.challan_number ${like} '%' || ${bind(escapeLike(value))} || '%'))`;
    },
  },
  vehicleNo: {
    column: 'vehicle_key',
    condition: (value, { column, tenant, bind, isRolledUp, isFew }) => {
      const key = vehicleKey(value);
      const part = bind(escapeLike(key));
      return isFew || (areFewVehicles(key) && !isRolledUp)
        ? `${column} = ANY (${platesWith(tenant, part)})`
        : `${column} LIKE '%' || ${part} || '%'`;
    },
  },
  material: { column: 'material', condition: (value, over) => containsPart('material', value, over) },
  place: {
    column: 'loading_place',
    condition: (value, over) =>
      `(${containsPart('loading_place', value, over)} OR ${containsPart('unloading_place', value, over)})`,
  },
  petrolPumpId: 'petrol_pump_id',
  hsdVerified: {
    column: 'hsd_verified',
    condition: (value, { column, other }) =>
      value ? column : `(NOT ${column} AND NOT (${isNone(other('petrol_pump_id'))}))`,
  },
  // On a roll-up: the bands that are completely inside the range. The challans of the two bands at its ends are counted (netEdges).
  netFrom: {
    column: 'net_paise',
    condition: (value, { column, bind, isRolledUp }) =>
      isRolledUp ? `net_band > ${bandOf(bind(value))}` : `${column} >= ${paise(bind(value))}`,
  },
  netTo: {
    column: 'net_paise',
    condition: (value, { column, bind, isRolledUp }) =>
      isRolledUp ? `net_band < ${bandOf(bind(value))}` : `${column} <= ${paise(bind(value))}`,
  },
  paidStartDate: 'paid_on',
  paidEndDate: 'paid_on',
  // A challan is on hold by itself or with its owner. No roll-up has this.
  hold: {
    column: 'hold_reason',
    condition: (value, { tenant }) =>
      value ? `c.id = ANY (ARRAY(${heldChallans(tenant)})) AND NOT (${notHeld(tenant)})` : `(${notHeld(tenant)})`,
  },
  tpUse: {
    column: 'tp_key',
    condition: (value, { column, tenant }) =>
      `${column} ${value ? 'IN' : 'NOT IN'} (SELECT same.tp_key FROM challans AS same
        WHERE same.subadmin_id = ${tenant} AND same.deleted_at IS NULL GROUP BY same.tp_key HAVING count(*) > 1)`,
  },
};

const columnOf = (name: Name): string => {
  const entry = columns[name];
  return typeof entry === 'string' ? entry : entry.column;
};

/** The filters that are set. A filter that this file does not know must not be ignored. */
function setNames(filter: ChallanFilter): Name[] {
  // Object.keys widens to string; an unknown key is refused here.
  const set = (Object.keys(filter) as Name[]).filter((name) => filter[name] !== undefined && filter[name] !== '');
  const unknown = set.find((name) => !(name in challanFilters));
  if (unknown !== undefined) throw new Error(`Challans cannot be filtered by ${unknown}`);
  // In the table's order, so that the same filter always gives the same text.
  return filterNames(challanFilters).filter((name) => set.includes(name));
}

/** The columns of the filters that are set. */
export const filteredColumns = (filter: ChallanFilter): string[] => setNames(filter).map(columnOf);

/** Whether an index finds the challans of a filter when they are few. */
export const isFoundByIndex = (filter: ChallanFilter): boolean =>
  filter.petrolPumpId !== 'none' && filteredColumns(filter).some((column) => ofIndexes.includes(column));
const ofIndexes = ['material', 'loading_place', 'vehicle_key', 'net_paise', 'petrol_pump_id'];

/** The filters that are set whose column is one of these. */
export function filterOn(filter: ChallanFilter, among: readonly string[]): ChallanFilter {
  const held = setNames(filter).filter((name) => among.includes(columnOf(name)));
  return Object.fromEntries(held.map((name) => [name, filter[name]]));
}

function conditionsOf(filter: ChallanFilter, overOf: (name: Name, column: string) => OverChallans): string[] {
  return setNames(filter).map((name) => {
    const entry = columns[name];
    // The condition of a filter, its own or that of its kind, takes the filter's value.
    const condition = (
      typeof entry === 'string' ? conditions[challanFilters[name].kind] : entry.condition
    ) as Condition<unknown>;
    return condition(filter[name], overOf(name, columnOf(name)));
  });
}

/**
 * The values that mean null in the roll-ups, where these columns are part of a key (migration 005). The id stands for no tag
 * and for no petrol pump.
 */
export const noneId = '00000000-0000-0000-0000-000000000000';
export const notDeposited = '-infinity';
const noneInRollUps: Readonly<Record<string, string>> = {
  tag_id: `'${noneId}'`,
  petrol_pump_id: `'${noneId}'`,
  deposited_on: `'${notDeposited}'`,
};

/**
 * The conditions on rows of a roll-up, or of the open differences, that has all columns of the filter. `$1` is the
 * tenant.
 */
export const rollUpConditions = (filter: ChallanFilter, bind: Bind): string[] =>
  conditionsOf(filter, (_, column) => ({
    ...rolledUp(column),
    tenant: '$1',
    bind,
    other: rolledUp,
    isRolledUp: true,
    isFew: false,
  }));
const rolledUp = (column: string): Pick<Over, 'column' | 'none'> => ({ column, none: noneInRollUps[column] ?? null });

interface Written {
  /** The tenant's place in the statement. */
  tenant?: string;
  /**
   * The rows come from an index in order of creation. Conditions on days are then written so that the planner does not
   * choose an index on the day instead, which would sort a year for one page.
   */
  isWalk?: boolean;
  /** Few challans match: an index is to find them. */
  isFew?: boolean;
}

const dayKinds: ReadonlySet<FilterKind> = new Set<FilterKind>(['dayFrom', 'dayTo', 'dayOrNone']);

/** The conditions on challans `c`, without those on tenant and deletion. */
export function bareConditions(
  filter: ChallanFilter,
  bind: Bind,
  { tenant = '$1', isWalk = false, isFew = false }: Written = {},
): string[] {
  return conditionsOf(filter, (name, column) => ({
    column:
      isWalk && typeof columns[name] === 'string' && dayKinds.has(challanFilters[name].kind)
        ? `(c.${column} + 0)`
        : `c.${column}`,
    none: null,
    tenant,
    bind,
    other: (name) => ({ column: `c.${name}`, none: null }),
    isRolledUp: false,
    isFew,
  }));
}

/** What search_challans_by_tp returns of a challan. */
const searchedColumns: readonly string[] = ['owner_id', 'tag_id', 'loading_on', 'deposited_on', 'payment_status'];

/** The trigram index answers from three letters on; below that it would be read whole (docs/architecture.md §6.4). */
export const isTpIndexed = ({ tpNo }: ChallanFilter): boolean => [...(tpNo ?? '')].length >= 3;

/**
 * SQL: the source of the challans of a filter, as `c`, and all conditions, including those on tenant and deletion. The source
 * is the table or the search by TP number. The search returns the columns that most filters, the default order and the
 * sums need. For a filter on another column its hits are joined with the table.
 */
export function challansOf(
  filter: ChallanFilter,
  bind: Bind,
  written: Written = {},
): { source: string; conditions: string } {
  const { tenant = '$1' } = written;
  const all = (others: string[]): string =>
    [`c.subadmin_id = ${tenant}`, 'c.deleted_at IS NULL', ...others].join(' AND ');
  if (!isTpIndexed(filter)) return { source: 'challans AS c', conditions: all(bareConditions(filter, bind, written)) };
  const { tpNo, ...others } = filter;
  const search = `search_challans_by_tp(${bind(tpNo)})`;
  const left = bareConditions(others, bind, written);
  if (filteredColumns(others).every((column) => searchedColumns.includes(column))) {
    return { source: `${search} AS c`, conditions: left.join(' AND ') || 'true' };
  }
  return {
    source: `${search} AS found JOIN challans AS c ON c.subadmin_id = ${tenant} AND c.id = found.id`,
    conditions: all(left),
  };
}
