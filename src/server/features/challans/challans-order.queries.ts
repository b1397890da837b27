import {
  challanFields,
  challanFieldNames,
  sortKeyOf,
  type ChallanSortKey,
  type NamedField,
} from '../../../shared/contract/challan-fields.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import { noneId, notDeposited } from './challans-filter.queries.ts';
import { namedRecord } from './challans-row.queries.ts';
import { byDay, byTag, type RollUp } from './challans-totals.queries.ts';

/**
 * The sort keys that an index has, beside what else it is for (migration 004). `indexColumn` is its column, for a page of the whole
 * list; ties are sorted after they are read. `sortExpression` gives the same order for the challans of a filter, written so that
 * the planner does not read the whole index for it. Vehicles compare without spaces, hyphens and case (docs/specification.md §3.5),
 * TP numbers as in §11.2.
 */
const indexedKeys: { readonly [Key in ChallanSortKey]?: { indexColumn: string; sortExpression?: string } } = {
  tpNo: { indexColumn: 'c.tp_key', sortExpression: "(c.tp_key || '')" },
  vehicleNo: { indexColumn: 'c.vehicle_key', sortExpression: "(c.vehicle_key || '')" },
  ownerName: { indexColumn: 'lower(c.owner_name)', sortExpression: "(lower(c.owner_name) || '')" },
  netAmountPayable: { indexColumn: 'c.net_paise', sortExpression: 'c.net_amount_payable' },
  loadingDate: { indexColumn: 'c.loading_on' },
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

/** SQL: the order of an index that has the whole list in it; undefined when no index has it. */
export function indexOrderOf(order: ChallanOrder, isReversed: boolean): string | undefined {
  const [only, ...others] = order;
  if (!only || others.length > 0) return undefined;
  if (only.key === 'createdAt') return orderOf(order, isReversed);
  const indexColumn = indexedKeys[only.key]?.indexColumn;
  return indexColumn && `${indexColumn} ${directionOf(only.order, isReversed)}, ${orderOf(order, isReversed)}`;
}

/**
 * The columns of which a roll-up has the number of challans of each value. `none` is what it has in place of null, `name` is SQL: what
 * a value is sorted by, over the rows of the roll-up and the `join`.
 */
interface Grouping extends Record<'type' | 'name' | 'join' | 'none', string> {
  rollUp: RollUp;
  column: 'tag_id' | 'deposited_on';
}

export const groupingOf = ([only, ...others]: ChallanOrder): Grouping | undefined =>
  only && others.length === 0 ? groupings[only.key] : undefined;

const groupings: { readonly [Key in ChallanSortKey]?: Grouping } = {
  tagName: {
    rollUp: byTag,
    column: 'tag_id',
    type: 'uuid',
    none: noneId,
    name: 'lower(t.name)',
    join: 'LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = tag_id',
  },
  depositedAt: {
    rollUp: byDay,
    column: 'deposited_on',
    type: 'date',
    none: notDeposited,
    name: `nullif(deposited_on, '${notDeposited}')`,
    join: '',
  },
};
