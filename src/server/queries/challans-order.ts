import {
  challanFields,
  challanFieldNames,
  sortKeyOf,
  type ChallanSortKey,
  type NamedField,
} from '../../shared/contract/challan-fields.ts';
import type { ChallanOrder } from '../../shared/contract/challan-order.ts';

/** Records that a challan refers to by id, and by whose name a list can be sorted. */
const joined: { readonly [Name in Exclude<NamedField, 'owner' | 'payment'>]: { table: string; alias: string } } = {
  discounter: { table: 'owners', alias: 'd' },
  tag: { table: 'tags', alias: 't' },
  petrolPump: { table: 'petrol_pumps', alias: 'p' },
};
const joinOf = (name: string): (typeof joined)[keyof typeof joined] | undefined =>
  name in joined ? joined[name as keyof typeof joined] : undefined;

/**
 * The orders that an index has, down to the id (migration 004). `walked` is the order as the index has it, for a page of the
 * whole list. `sorted` is the same order for the challans of a filter, written so that the planner does not read the whole
 * index for it. Vehicles compare without spaces, hyphens and case (docs/specification.md §3.5), TP numbers as in §11.2. An
 * instant that follows its day is in the order of the instant.
 */
const indexed: { readonly [Key in ChallanSortKey]?: { walked: readonly string[]; sorted: string } } = {
  tpNo: { walked: ['c.tp_key'], sorted: "(c.tp_key || '')" },
  vehicleNo: { walked: ['c.vehicle_key'], sorted: "(c.vehicle_key || '')" },
  ownerName: { walked: ['lower(c.owner_name)'], sorted: "(lower(c.owner_name) || '')" },
  depositedAt: { walked: ['c.deposited_on', 'c.deposited_at'], sorted: 'c.deposited_at' },
  netAmountPayable: { walked: ['c.net_paise'], sorted: 'c.net_amount_payable' },
};

interface Ordering {
  /** Over `c` and the join that it needs. */
  expression: string;
  join: string;
  isNullable: boolean;
}
const orderingOf = (name: (typeof challanFieldNames)[number], key: ChallanSortKey): Ordering => {
  const { kind, column, answer } = challanFields[name];
  const other = joinOf(name);
  if (other) {
    const { table, alias } = other;
    const join = `LEFT JOIN ${table} AS ${alias} ON ${alias}.subadmin_id = $1 AND ${alias}.id = c.${column}`;
    return { expression: `lower(${alias}.name)`, join, isNullable: true };
  }
  const isNullable = answer.safeParse(null).success;
  // Codes are compared with their case, so that an index can have their order.
  const expression = indexed[key]?.sorted ?? (kind === 'text' ? `lower(c.${column})` : `c.${column}`);
  return { expression, join: '', isNullable };
};

/** The allow-list of orders. */
const orderings = Object.fromEntries(
  challanFieldNames.flatMap((name) => {
    const key = sortKeyOf(name);
    return key === undefined ? [] : [[key, orderingOf(name, key)]];
  }),
  // Every sort key is that of a field.
) as Record<ChallanSortKey, Ordering>;

/** Nulls last in all directions, the id breaks ties (docs/specification.md §14.9). */
export function orderOf(order: ChallanOrder, isReversed: boolean = false): string {
  const parts = order.map(({ key, order: direction }) => {
    const { expression, isNullable } = orderings[key];
    return `${expression} ${turned(direction, isReversed)}${isNullable ? ` NULLS ${isReversed ? 'FIRST' : 'LAST'}` : ''}`;
  });
  return [...parts, `c.id ${turned(order.at(-1)?.order ?? 'desc', isReversed)}`].join(', ');
}

const turned = (direction: 'asc' | 'desc', isReversed: boolean): 'ASC' | 'DESC' =>
  (direction === 'asc') !== isReversed ? 'ASC' : 'DESC';

export const joinsOf = (order: ChallanOrder): string =>
  [...new Set(order.map(({ key }) => orderings[key].join))].filter(Boolean).join(' ');

/** The whole list in an order that an index has. */
export interface Walk {
  order: string;
  /** Conditions on its parts, one after the other. */
  parts: readonly string[];
}

/**
 * An index has nulls at its upper end, so in ascending order they come last. In descending order the values come first, as
 * one part, and then the nulls as another.
 */
export function walkOf([only, ...others]: ChallanOrder, isReversed: boolean): Walk | undefined {
  const walked = only && indexed[only.key]?.walked;
  if (!walked || others.length > 0) return undefined;
  const direction = turned(only.order, isReversed);
  const [valued, none] = [`${walked[0]} IS NOT NULL`, `${walked[0]} IS NULL`];
  const parts = only.order === 'asc' || !orderings[only.key].isNullable ? ['true'] : [valued, none];
  return {
    order: [...walked, 'c.id'].map((column) => `${column} ${direction}`).join(', '),
    parts: isReversed ? parts.toReversed() : parts,
  };
}

/**
 * The first of two groups that no index tells apart, because a payment or the check of a bill writes their column. Within a
 * group challans are in the order of their ids.
 */
export function firstOfTwo([only, ...others]: ChallanOrder): { column: string; condition: string } | undefined {
  const column = only && twofold[only.key];
  if (!column || others.length > 0) return undefined;
  return { column, condition: `${only.order === 'asc' ? 'NOT ' : ''}c.${column}` };
}
const twofold: { readonly [Key in ChallanSortKey]?: string } = {
  paymentStatus: 'payment_status',
  hsdVerified: 'hsd_verified',
};

/** A column with few values, whose challans a roll-up counts. */
export interface Grouping {
  column: 'tag_id' | 'material' | 'loading_place' | 'unloading_place';
  /** Its name over the rows of the roll-up, with the join that it needs. */
  name: string;
  join: string;
  /** An index has the challans of each value in order of their ids (migration 004). */
  isInOrder: boolean;
}

export const groupingOf = ([only, ...others]: ChallanOrder): Grouping | undefined =>
  only && others.length === 0 ? grouped[only.key] : undefined;

const ofText = (column: Grouping['column']): Grouping => ({
  column,
  name: `lower(${column})`,
  join: '',
  isInOrder: true,
});
const grouped: { readonly [Key in ChallanSortKey]?: Grouping } = {
  tagName: {
    column: 'tag_id',
    name: 'lower(t.name)',
    join: 'LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = tag_id',
    isInOrder: false,
  },
  material: ofText('material'),
  loadingPlace: ofText('loading_place'),
  unloadingPlace: ofText('unloading_place'),
};
