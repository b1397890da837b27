import { dayOf } from '../../shared/calc/dates.ts';
import { paymentFileName } from '../../shared/calc/file-names.ts';
import type { PaymentBatch } from '../../shared/contract/payment-batches.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { paymentFileLines, selectPaymentBatch } from '../queries/payment-batches.ts';
import { notFound, Refusal } from '../refusal.ts';
import { bankFileText } from './bank-statement-file.ts';
import { reverseLines, type Reversal } from './payments.ts';

export async function getBatch(db: TenantDb, id: string): Promise<PaymentBatch> {
  const batch = await selectPaymentBatch(db, id);
  if (!batch) throw notFound('Payment');
  return batch;
}

/**
 * Takes a whole payment back: the challans it still pays become unpaid, in one transaction. Of two who reverse at once
 * the second waits for the first one's challans and then finds none of them live.
 */
export async function reverseBatch(
  db: TenantDb,
  caller: Caller,
  id: string,
  reason: string,
): Promise<PaymentBatch & Reversal> {
  const before = await getBatch(db, id);
  if (before.reversedAt !== null) throw alreadyReversed();
  const reversal = await reverseLines(db, caller, id, reason);
  if (reversal.reversedCount === 0) throw alreadyReversed();
  return { ...(await getBatch(db, id)), ...reversal };
}

function alreadyReversed(): Refusal {
  return new Refusal('ALREADY_REVERSED', 'This payment was already reversed. Its challans are unpaid again.');
}

/** The file of a batch: from its own lines and owners, so the same name and bytes whenever it is asked for. */
export function paymentFile(
  db: TenantDb,
  batch: { id: string; number: string; createdAt: string | Date },
): { name: string; text: AsyncGenerator<string> } {
  return {
    name: paymentFileName(batch.number, dayOf(batch.createdAt)),
    text: bankFileText(paymentFileLines(db, batch.id)),
  };
}
