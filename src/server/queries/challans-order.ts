import {
  challanFields,
  challanFieldNames,
  sortKeyOf,
  type ChallanSortKey,
  type NamedField,
} from '../../shared/contract/challan-fields.ts';
import type { ChallanOrder } from '../../shared/contract/challan-order.ts';
import { namedRecord } from './challans-row.ts';

/**
 * The sort keys that have an index of their own, which ends with the id (migration 004). `indexColumns` are the columns of
 * that index, for a page of the whole list. `sortExpression` gives the same order for the challans of a filter, written so
 * that the planner does not read the whole index for it. Vehicles compare without spaces, hyphens and case
 * (docs/specification.md §3.5), TP numbers as in §11.2. Sorting by a day and then by its instant is the same as sorting by
 * the instant.
 */
const indexedKeys: { readonly [Key in ChallanSortKey]?: { indexColumns: readonly string[]; sortExpression: string } } =
  {
    tpNo: { indexColumns: ['c.tp_key'], sortExpression: "(c.tp_key || '')" },
    vehicleNo: { indexColumns: ['c.vehicle_key'], sortExpression: "(c.vehicle_key || '')" },
    ownerName: { indexColumns: ['lower(c.owner_name)'], sortExpression: "(lower(c.owner_name) || '')" },
    depositedAt: { indexColumns: ['c.deposited_on', 'c.deposited_at'], sortExpression: 'c.deposited_at' },
    netAmountPayable: { indexColumns: ['c.net_paise'], sortExpression: 'c.net_amount_payable' },
  };

interface Ordering {
  /** SQL: the value to sort by, of challan `c` or of the record that `join` adds. */
  expression: string;
  join: string;
  isNullable: boolean;
}
const orderingOf = (name: (typeof challanFieldNames)[number], key: ChallanSortKey): Ordering => {
  const { kind, column, answer } = challanFields[name];
  if (kind === 'record') {
    // The fields of the kind 'record' are the records that a challan names.
    const { nameExpression, join } = namedRecord(name as NamedField);
    return { expression: `lower(${nameExpression})`, join, isNullable: true };
  }
  const isNullable = answer.safeParse(null).success;
  // Texts sort without regard to case. Codes (kind 'identifier') sort by case too, so that an index can have their order.
  const expression = indexedKeys[key]?.sortExpression ?? (kind === 'text' ? `lower(c.${column})` : `c.${column}`);
  return { expression, join: '', isNullable };
};

/** How to sort by each key. Only these keys are allowed. */
const orderings = Object.fromEntries(
  challanFieldNames.flatMap((name) => {
    const key = sortKeyOf(name);
    return key === undefined ? [] : [[key, orderingOf(name, key)]];
  }),
  // Every sort key is that of a field.
) as Record<ChallanSortKey, Ordering>;

/** SQL: the order. Nulls come last in both directions, and the id breaks ties (docs/specification.md §14.9). */
export function orderOf(order: ChallanOrder, isReversed: boolean = false): string {
  const parts = order.map(({ key, order: direction }) => {
    const { expression, isNullable } = orderings[key];
    return `${expression} ${directionOf(direction, isReversed)}${isNullable ? ` NULLS ${isReversed ? 'FIRST' : 'LAST'}` : ''}`;
  });
  return [...parts, `c.id ${directionOf(order.at(-1)?.order ?? 'desc', isReversed)}`].join(', ');
}

const directionOf = (direction: 'asc' | 'desc', isReversed: boolean): 'ASC' | 'DESC' =>
  (direction === 'asc') !== isReversed ? 'ASC' : 'DESC';

export const joinsOf = (order: ChallanOrder): string =>
  [...new Set(order.map(({ key }) => orderings[key].join))].filter(Boolean).join(' ');

/** How to read the whole list from an index that has its order. */
export interface IndexScan {
  /** SQL: the columns of the index with their direction. */
  order: string;
  /** SQL: conditions. The list is the challans of the first condition, then those of the second if there is one. */
  parts: readonly string[];
}

/**
 * Returns undefined when no index has the order. An index has nulls at its upper end, so in ascending order they come last
 * by themselves. In descending order the challans with a value are read first, and then those without one.
 */
export function indexScanOf([only, ...others]: ChallanOrder, isReversed: boolean): IndexScan | undefined {
  const indexColumns = only && indexedKeys[only.key]?.indexColumns;
  if (!indexColumns || others.length > 0) return undefined;
  const direction = directionOf(only.order, isReversed);
  const isOnePart = only.order === 'asc' || !orderings[only.key].isNullable;
  const parts = isOnePart ? ['true'] : [`${indexColumns[0]} IS NOT NULL`, `${indexColumns[0]} IS NULL`];
  return {
    order: [...indexColumns, 'c.id'].map((column) => `${column} ${direction}`).join(', '),
    parts: isReversed ? parts.toReversed() : parts,
  };
}

/**
 * SQL: for a list that is sorted by a yes/no column, the condition of the challans that come first. Within the same value
 * challans are in the order of their ids. No index sorts by these columns, because each payment and each check of
 * a bill would have to write it.
 */
export function firstFlagCondition([only, ...others]: ChallanOrder): string | undefined {
  const column = only && flagColumns[only.key];
  if (!column || others.length > 0) return undefined;
  return `${only.order === 'asc' ? 'NOT ' : ''}c.${column}`;
}
const flagColumns: { readonly [Key in ChallanSortKey]?: string } = {
  paymentStatus: 'payment_status',
  hsdVerified: 'hsd_verified',
};

/** A column with few different values. A roll-up has the number of challans of each value. */
export interface Grouping {
  column: 'tag_id' | 'material' | 'loading_place' | 'unloading_place';
  /** SQL: the text that a value is sorted by, over the rows of the roll-up and the join that it needs. */
  name: string;
  join: string;
  /** Whether an index has the challans of each value in order of their ids (migration 004). */
  isInOrder: boolean;
}

export const groupingOf = ([only, ...others]: ChallanOrder): Grouping | undefined =>
  only && others.length === 0 ? groupings[only.key] : undefined;

const textGrouping = (column: Grouping['column']): Grouping => ({
  column,
  name: `lower(${column})`,
  join: '',
  isInOrder: true,
});
const groupings: { readonly [Key in ChallanSortKey]?: Grouping } = {
  tagName: {
    column: 'tag_id',
    name: 'lower(t.name)',
    join: 'LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = tag_id',
    isInOrder: false,
  },
  material: textGrouping('material'),
  loadingPlace: textGrouping('loading_place'),
  unloadingPlace: textGrouping('unloading_place'),
};
