/**
 * What a payment does with the unpaid challans of one owner, in SQL (docs/specification.md §10.5, §10.8, §10.10). It says the same
 * as shared/calc/payable.ts. A row of an owner has `challans` and `amount`, which are chosen, `held_challans` and `held_amount`,
 * which are on hold among them, and `carried`.
 */

/** SQL: this amount is less than what was carried, so its owner is left out. */
export const isBelowZero = (amount: string, carried: string): string => `(${amount}) < ${carried}`;

export const payableChallans = 'challans - held_challans';
export const payableAmount = 'amount - held_amount';
const hasPayable = 'challans > held_challans';
export const isLeftOut = `${hasPayable} AND ${isBelowZero(payableAmount, 'carried')}`;
export const isPaid = `${hasPayable} AND NOT ${isBelowZero(payableAmount, 'carried')}`;

/**
 * SQL: how many or how much of an owner's unpaid challans is on hold: all when the owner `o` is, else those that are themselves.
 * `sums` has all of the owner, `held` the challans on hold.
 */
export const heldOf = (what: 'challans' | 'amount'): string =>
  `CASE WHEN o.hold_reason = '' THEN coalesce(held.${what}, 0) ELSE sums.${what} END`;
