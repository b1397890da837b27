import type { BelowZero } from '../../../shared/calc/payable.ts';
import { namedNegativeOwners, type NegativeOwner } from '../../../shared/contract/negative-owners.ts';

/**
 * What a payment does with the unpaid challans of one owner, in SQL (docs/specification.md §10.5, §10.8, §10.10). It says the same
 * as shared/calc/payable.ts. A row of `due` is an owner: `challans` and `amount`, which are chosen, `held_challans` and `held_amount`,
 * which are on hold among them, `carried`, and `below_zero`, what is decided for it if it is below zero.
 */

const open = 'challans - held_challans AS open_challans, amount - held_amount AS open_amount';
const balance = 'amount - held_amount - carried';

/** SQL: what becomes of an owner of `decided`. It is paid out if nothing of it is carried. */
const isPaid = "outcome IN ('paid', 'carry', 'pay')";
export const isPaidOut = "outcome IN ('paid', 'pay')";
export const isCarried = "outcome = 'carry'";
export const isLeftOut = "outcome = 'leaveOut'";
/** SQL: the owner has challans to pay, and is below zero or not. */
export const isNotNegative = "outcome = 'paid'";
const isNegative = "outcome IN ('leaveOut', 'carry', 'pay')";

/** SQL: what is decided for an owner below zero: it is among those that are carried, or it is as for all others. */
export const belowZeroOf = (owner: string, carriedIds: string, others: Exclude<BelowZero, 'carry'>): string =>
  `CASE WHEN ${owner} = ANY (${carriedIds}::uuid[]) THEN 'carry' ELSE '${others}' END`;

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

const count = (of: string, condition = 'true'): string => `coalesce(sum(${of}) FILTER (WHERE ${condition}), 0)::int`;
const sumOf = (of: string, condition = 'true'): string =>
  `round(coalesce(sum(${of}) FILTER (WHERE ${condition}), 0), 2)`;

/** SQL: the owners of `due` with what becomes of each: 'nothing' can be paid, it is 'paid', or what is decided for it below zero. */
export const outcomesOf = (due: string): string => `
  SELECT due.*, ${balance} AS balance,
    CASE WHEN challans <= held_challans THEN 'nothing' WHEN amount - held_amount < carried THEN below_zero ELSE 'paid' END AS outcome
  FROM ${due}`;

/**
 * SQL: the owners of `due` with their outcomes (`decided`). `due` is MATERIALIZED, because its sums are named several times and would
 * be computed each time.
 */
export const decidedOwners = (due: string): string => `
  due AS MATERIALIZED (${due}
  ), decided AS (${outcomesOf('due')}
  )`;

/**
 * SQL: the `totals` of `decided`, all but `negative_owners`. They are first added up by outcome: with the condition in each of the sums
 * a review of 1,500 owners took 68 ms instead of 41.
 */
export const ownerTotals = `
  totals AS (
    SELECT ${count('owners')} AS total_owners, ${count('challans')} AS total_challans, ${sumOf('amount')} AS total_amount,
      ${count('held_challans')} AS held_count, ${sumOf('held_amount')} AS held_amount,
      ${count('open_challans')} AS open_count, ${sumOf('open_amount')} AS open_amount,
      ${count('owners', isNegative)} AS negative_count, ${count('open_challans', isNegative)} AS negative_challans,
      ${sumOf('open_amount', isNegative)} AS negative_amount, ${sumOf('carried', isNegative)} AS negative_carried,
      ${sumOf('carried', isNotNegative)} AS deducted_amount,
      ${count('owners', isPaid)} AS paid_owners, ${count('open_challans', isPaid)} AS paid_challans,
      ${sumOf('open_amount', isPaid)} AS paid_challan_amount, ${sumOf('balance', isPaidOut)} AS paid_amount,
      ${sumOf('carried', isPaid)} AS paid_deducted, ${sumOf('-balance', isCarried)} AS paid_carried,
      ${count('owners', isLeftOut)} AS left_out_owners, ${count('open_challans', isLeftOut)} AS left_out_challans
    FROM (
      SELECT *, ${open}, ${balance} AS balance FROM (
        SELECT outcome, count(*) AS owners, sum(challans) AS challans, sum(amount) AS amount, sum(held_challans) AS held_challans,
          sum(held_amount) AS held_amount, sum(carried) AS carried
        FROM decided GROUP BY outcome
      ) AS by_outcome
    ) AS of_outcomes
  )`;

/** SQL: those of the owners `decided`, here with id and name, that are furthest below zero. */
export const negativeOwners = `(
  SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'challanCount', challans - held_challans,
    'amount', round(balance, 2)::text, 'owes', round(-balance, 2)::text, 'carriedAmount', round(carried, 2)::text)
    ORDER BY balance, id), '[]')
  FROM (SELECT * FROM decided WHERE ${isNegative} ORDER BY balance, id LIMIT ${namedNegativeOwners}) AS lowest
)`;
