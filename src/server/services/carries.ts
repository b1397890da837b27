import { formatINR, isNegative, subtract } from '../../shared/calc/money.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { insertCarryEvents, lockTouchedCarries, type CarryEvent, type TouchedCarry } from '../queries/carries.ts';
import type { Reversed } from '../queries/payments.ts';
import { Refusal } from '../refusal.ts';

/**
 * Updates carries when payments of challans are reversed (docs/specification.md §10.10).
 *
 * A deduction is restored when the last challan of its owner and payment is reversed, or as soon as the remaining
 * challans do not cover it: no payment may pay below zero because of a deduction. A carry is cancelled when all
 * challans that it settled are reversed. Reversing only a part of them is refused, and so is reversing a carry that was
 * deducted.
 */
export async function settleCarries(db: TenantDb, caller: Caller, what: Reversed, reason: string): Promise<void> {
  const touched = await lockTouchedCarries(db, what);
  const events = touched.flatMap((carry): CarryEvent[] => {
    if (carry.madeIn === carry.batchId) return cancelEvents(carry);
    const isDeducted = carry.kind === 'deduct' && carry.lastIn === carry.batchId;
    const isCovered = carry.challansLeft > 0 && !isNegative(carry.amountLeft);
    return isDeducted && !isCovered ? [{ ...nextEvent(carry), kind: 'restore', amount: carry.amount }] : [];
  });
  if (events.length > 0) await insertCarryEvents(db, caller, events, reason);
}

const nextEvent = ({ carryId, eventNo, batchId, ownerId }: TouchedCarry) => ({
  carryId,
  eventNo: eventNo + 1,
  batchId,
  ownerId,
});

function cancelEvents(carry: TouchedCarry): CarryEvent[] {
  if (carry.kind === 'cancel') return [];
  const what = `${formatINR(carry.amount)} of ${carry.ownerName}`;
  if (carry.challansLeft > 0) {
    throw new Refusal(
      'CARRIED',
      `Payment ${carry.number} settled the challans of ${carry.ownerName} together by carrying ${formatINR(carry.amount)}. Take the carry back on the payment's page first.`,
    );
  }
  if (carry.kind === 'deduct') {
    throw new Refusal(
      'CARRIED',
      `${what}, carried by payment ${carry.number}, was deducted by payment ${carry.lastNumber}. Undo that payment first.`,
    );
  }
  return [{ ...nextEvent(carry), kind: 'cancel', amount: subtract('0', carry.amount) }];
}
