import { namedNegativeOwners, type NegativeOwner } from '../../../shared/contract/negative-owners.ts';

/**
 * What a payment does with the unpaid challans of one owner, in SQL (docs/specification.md §10.5, §10.8, §10.10). It says the same
 * as shared/calc/payable.ts. A row of an owner has `challans` and `amount`, which are chosen, `held_challans` and `held_amount`,
 * which are on hold among them, `carried`, and `below_zero`, what is decided for it if it is below zero.
 */

/** SQL: this amount is less than what was carried, so its owner is below zero. */
export const isBelowZero = (amount: string, carried: string): string => `(${amount}) < ${carried}`;

const challans = 'challans - held_challans';
const amount = 'amount - held_amount';
const hasPayable = 'challans > held_challans';
const isNegative = `${hasPayable} AND ${isBelowZero(amount, 'carried')}`;
/** SQL: the owner has challans to pay and is not below zero. */
export const isNotNegative = `${hasPayable} AND NOT ${isBelowZero(amount, 'carried')}`;
export const isLeftOut = `${isNegative} AND below_zero = 'leaveOut'`;
const isCarried = `${isNegative} AND below_zero = 'carry'`;
const isPaid = `${hasPayable} AND NOT (${isLeftOut})`;

/**
 * SQL: how many or how much of an owner's unpaid challans is on hold: all when the owner `o` is, else those that are themselves.
 * `sums` has all of the owner, `held` the challans on hold.
 */
export const heldOf = (what: 'challans' | 'amount'): string =>
  `CASE WHEN o.hold_reason = '' THEN coalesce(held.${what}, 0) ELSE sums.${what} END`;

/** Sums over all owners of a filter or selection. Those called negative are of the owners below zero, whatever is decided for them. */
export interface OwnerTotals {
  total_owners: number;
  total_challans: number;
  total_amount: string;
  held_count: number;
  held_amount: string;
  /** What is not on hold. */
  open_count: number;
  open_amount: string;
  negative_count: number;
  negative_owners: NegativeOwner[];
  negative_challans: number;
  negative_amount: string;
  deducted_amount: string;
  negative_carried: string;
  /** What a payment pays: the challans, the sum of their amounts, and its own amount with what is deducted and carried. */
  paid_owners: number;
  paid_challans: number;
  paid_challan_amount: string;
  paid_amount: string;
  paid_deducted: string;
  paid_carried: string;
  left_out_owners: number;
  left_out_challans: number;
}

const count = (condition: string): string => `count(*) FILTER (WHERE ${condition})::int`;
const sumOf = (of: string, condition = 'true'): string =>
  `round(coalesce(sum(${of}) FILTER (WHERE ${condition}), 0), 2)`;
const challansIn = (condition = 'true', of = challans): string =>
  `coalesce(sum(${of}) FILTER (WHERE ${condition}), 0)::int`;

/** SQL: `OwnerTotals` over `found`, which has one row per owner, with its id and name. */
export const ownerTotals = `
  SELECT count(*)::int AS total_owners, ${challansIn('true', 'challans')} AS total_challans, ${sumOf('amount')} AS total_amount,
    ${challansIn('true', 'held_challans')} AS held_count, ${sumOf('held_amount')} AS held_amount,
    ${challansIn()} AS open_count, ${sumOf(amount)} AS open_amount,
    ${count(isNegative)} AS negative_count, ${challansIn(isNegative)} AS negative_challans,
    ${sumOf(amount, isNegative)} AS negative_amount, ${sumOf('carried', isNegative)} AS negative_carried,
    ${sumOf('carried', isNotNegative)} AS deducted_amount,
    ${count(isPaid)} AS paid_owners, ${challansIn(isPaid)} AS paid_challans, ${sumOf(amount, isPaid)} AS paid_challan_amount,
    ${sumOf(`${amount} - carried`, `${isPaid} AND NOT (${isCarried})`)} AS paid_amount,
    ${sumOf('carried', isPaid)} AS paid_deducted, ${sumOf(`carried - (${amount})`, isCarried)} AS paid_carried,
    ${count(isLeftOut)} AS left_out_owners, ${challansIn(isLeftOut)} AS left_out_challans,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'challanCount', ${challans},
         'amount', round(${amount} - carried, 2)::text, 'owes', round(carried - (${amount}), 2)::text, 'carriedAmount', round(carried, 2)::text)
         ORDER BY ${amount} - carried, id), '[]')
     FROM (SELECT * FROM found WHERE ${isNegative} ORDER BY ${amount} - carried, id LIMIT ${namedNegativeOwners}) AS lowest
    ) AS negative_owners
  FROM found`;
