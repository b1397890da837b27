import { challanFilters, type ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import { vehicleKey } from '../../../shared/calc/keys.ts';
import { filterNames, type FilterName, type FilterValues } from '../../../shared/filters/define.ts';
import { heldChallans, notHeld } from './holds.queries.ts';
import { conditions, platesWith, type Condition, type Over } from '../../sql/filter-conditions.ts';
import { escapeLike, type Bind } from '../../sql/statements.ts';

/** SQL: the driver by whom challans are grouped; null where none is named. Some write "none" for that. */
export const driver = (column: string): string => `nullif(nullif(lower(${column}), ''), 'none')`;

type Name = FilterName<typeof challanFilters>;
type Kind<N extends Name> = (typeof challanFilters)[N]['kind'];

/**
 * Whether a part of a plate matches few vehicles, so that an index finds their challans. Six characters are enough. Three
 * digits in a row are enough too, because only the last part of a plate has so many. A shorter part may match most vehicles.
 */
const matchesFewVehicles = (key: string): boolean => key.length >= 6 || /\d{3}/.test(key);

/**
 * Whether a part of a challan number matches few challans. It does when it ends with four or more digits of the counter.
 * Four digits may also be a financial year (2627), which matches many.
 */
function matchesFewNumbers(typed: string): boolean {
  const digits = /\d{4,}$/.exec(typed)?.[0] ?? '';
  const [startYear, endYear] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  const isFinancialYear = startYear >= 20 && endYear === startYear + 1;
  return digits.length > 4 || (digits !== '' && !isFinancialYear);
}

/** SQL: an amount in paise, the unit of the index on the net amount (migration 004). */
export const paise = (amount: string): string => `(${amount}::numeric * 100)::bigint`;

/** The column of `challans` that each filter is about, with its own condition where that of its kind does not fit. */
const columns: {
  readonly [N in Name]:
    | string
    | {
        column: string;
        condition: (value: FilterValues[Kind<N>], over: Over) => string;
        /** Whether the condition looks at other rows first, which takes as long as counting. */
        readsOthers?: (value: FilterValues[Kind<N>]) => boolean;
      };
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
    readsOthers: matchesFewNumbers,
    condition: (value, over) => {
      if (!matchesFewNumbers(value)) return conditions.contains(value, over);
      const { column, tenant, bind } = over;
      // The numbers are read in their index. For a part without letters LIKE finds the same as ILIKE in less time.
      const like = /^[ -@]*$/.test(value) ? 'LIKE' : 'ILIKE';
      return `${column} = ANY (ARRAY(SELECT other.challan_number FROM challans AS other
        WHERE other.subadmin_id = ${tenant} AND other.challan_number ${like} '%' || ${bind(escapeLike(value))} || '%'))`;
    },
  },
  vehicleNo: {
    column: 'vehicle_key',
    condition: (value, { column, tenant, bind }) => {
      const key = vehicleKey(value);
      const part = bind(escapeLike(key));
      return matchesFewVehicles(key)
        ? `${column} = ANY (${platesWith(tenant, part)})`
        : `${column} LIKE '%' || ${part} || '%'`;
    },
  },
  material: 'material',
  place: {
    column: 'loading_place',
    condition: (value, over) =>
      `(${conditions.contains(value, over)} OR ${conditions.contains(value, { ...over, column: 'c.unloading_place' })})`,
  },
  petrolPumpId: 'petrol_pump_id',
  hsdVerified: {
    column: 'hsd_verified',
    condition: (value, { column }) => (value ? column : `(NOT ${column} AND c.petrol_pump_id IS NOT NULL)`),
  },
  netFrom: { column: 'net_paise', condition: (value, { column, bind }) => `${column} >= ${paise(bind(value))}` },
  netTo: { column: 'net_paise', condition: (value, { column, bind }) => `${column} <= ${paise(bind(value))}` },
  paidStartDate: 'paid_on',
  paidEndDate: 'paid_on',
  // A challan is on hold by itself or with its owner. No roll-up has this.
  hold: {
    column: 'hold_reason',
    readsOthers: (value) => value,
    condition: (value, { tenant }) =>
      value ? `c.id = ANY (ARRAY(${heldChallans(tenant)})) AND NOT (${notHeld(tenant)})` : `(${notHeld(tenant)})`,
  },
  tdsDeclared: {
    column: 'tds_percentage',
    readsOthers: () => true,
    // Both are of owners who have or had a declaration (challan_tds_declared). Only their challans are read, by an index.
    condition: (value, { column, tenant }) =>
      `c.owner_id = ANY (ARRAY(SELECT declared.owner_id FROM declarations AS declared WHERE declared.subadmin_id = ${tenant}))
      AND ${column} ${value ? '> 0 AND EXISTS' : '= 0 AND NOT EXISTS'} (SELECT FROM declarations AS valid
        WHERE valid.subadmin_id = ${tenant} AND valid.owner_id = c.owner_id AND valid.deleted_at IS NULL
          AND coalesce(c.deposited_on, c.loading_on) BETWEEN valid.valid_from AND valid.valid_to)`,
  },
  tpUse: {
    column: 'tp_key',
    readsOthers: () => true,
    condition: (value, { column, tenant }) =>
      `${column} ${value ? 'IN' : 'NOT IN'} (SELECT same.tp_key FROM challans AS same
        WHERE same.subadmin_id = ${tenant} AND same.deleted_at IS NULL GROUP BY same.tp_key HAVING count(*) > 1)`,
  },
  materialIs: 'material',
  loadingPlaceIs: 'loading_place',
  unloadingPlaceIs: 'unloading_place',
  vehicleIs: {
    column: 'vehicle_key',
    condition: (value, { column, bind }) => `${column} = ${bind(vehicleKey(value))}`,
  },
  driverIs: {
    column: 'driver_name',
    condition: (value, over) => (value === 'none' ? `${driver(over.column)} IS NULL` : conditions.exact(value, over)),
  },
  // No roll-up has the pay cycle, by which a challan knows its payment.
  paymentIs: {
    column: 'pay_cycle',
    readsOthers: (value) => value !== 'none',
    condition: (value, { column, tenant, bind }) =>
      value === 'none'
        ? 'NOT c.payment_status'
        : `c.payment_status AND (c.id, ${column}) IN (SELECT paid.challan_id, paid.pay_cycle FROM payment_lines AS paid
        WHERE paid.subadmin_id = ${tenant} AND paid.kind = 'pay' AND paid.batch_id = (SELECT b.id FROM payment_batches AS b
          WHERE b.subadmin_id = ${tenant} AND b.number = ${bind(value)}))`,
  },
};

const columnOf = (name: Name): string => {
  const entry = columns[name];
  return typeof entry === 'string' ? entry : entry.column;
};

/** The filters that are set. Throws on an unknown filter, because ignoring it would show too many challans. */
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

/** Whether the conditions of a filter are quickly answered for one challan. */
export const isQuickToTest = (filter: ChallanFilter): boolean =>
  !setNames(filter).some((name) => {
    const entry: { readsOthers?: (value: never) => boolean } | string = columns[name];
    // Safe: the entry of a filter takes the filter's value.
    return typeof entry !== 'string' && entry.readsOthers?.(filter[name] as never);
  });

/** The filters that are set whose column is one of these. */
export function filterOn(filter: ChallanFilter, among: readonly string[]): ChallanFilter {
  const names = setNames(filter).filter((name) => among.includes(columnOf(name)));
  return Object.fromEntries(names.map((name) => [name, filter[name]]));
}

function conditionsOf(filter: ChallanFilter, overOf: (name: Name, column: string) => Over): string[] {
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
 * The values that the roll-ups have in place of null, because these columns are part of a key there (migration 005).
 * `noneId` means no tag.
 */
export const noneId = '00000000-0000-0000-0000-000000000000';
export const notDeposited = '-infinity';
const noneInRollUps: Readonly<Record<string, string>> = { tag_id: `'${noneId}'`, deposited_on: `'${notDeposited}'` };

/**
 * The conditions on rows of a roll-up, or of the open differences, that has all columns of the filter. `$1` is the
 * tenant.
 */
export const rollUpConditions = (filter: ChallanFilter, bind: Bind): string[] =>
  conditionsOf(filter, (_, column) => ({ column, none: noneInRollUps[column] ?? null, tenant: '$1', bind }));

interface ConditionOptions {
  /** SQL: the tenant, usually a parameter. */
  tenant?: string;
  /** Whether a search by TP number uses its index; default true. */
  isSearched?: boolean;
}

/** The conditions on challans `c`, without those on tenant and deletion. */
export function bareConditions(filter: ChallanFilter, bind: Bind, { tenant = '$1' }: ConditionOptions = {}): string[] {
  return conditionsOf(filter, (_, column) => ({ column: `c.${column}`, none: null, tenant, bind }));
}

/** The columns of a challan that search_challans_by_tp returns. */
const searchedColumns: readonly string[] = ['owner_id', 'tag_id', 'loading_on', 'deposited_on', 'payment_status'];

/** A trigram index needs three letters. For fewer, all of it would be read (docs/architecture.md §6.4). */
export const isTpIndexed = ({ tpNo }: ChallanFilter): boolean => [...(tpNo ?? '')].length >= 3;

/**
 * SQL: the source of the challans of a filter, as `c`, and all conditions, including those on tenant and deletion. The source
 * is the table or the search by TP number. The search returns the columns that most filters, the default order and the
 * sums need. For a filter on another column its hits are joined with the table.
 */
export function challansOf(
  filter: ChallanFilter,
  bind: Bind,
  options: ConditionOptions = {},
): { source: string; conditions: string } {
  const { tenant = '$1', isSearched = true } = options;
  const all = (others: string[]): string =>
    [`c.subadmin_id = ${tenant}`, 'c.deleted_at IS NULL', ...others].join(' AND ');
  if (!isTpIndexed(filter) || !isSearched)
    return { source: 'challans AS c', conditions: all(bareConditions(filter, bind, options)) };
  const { tpNo, ...others } = filter;
  const search = `search_challans_by_tp(${bind(tpNo)})`;
  const otherConditions = bareConditions(others, bind, options);
  if (filteredColumns(others).every((column) => searchedColumns.includes(column))) {
    return { source: `${search} AS c`, conditions: otherConditions.join(' AND ') || 'true' };
  }
  return {
    source: `${search} AS found JOIN challans AS c ON c.subadmin_id = ${tenant} AND c.id = found.id`,
    conditions: all(otherConditions),
  };
}
