import { dayOf } from '../../../shared/calc/dates.ts';
import { paymentFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { lockStillPaid } from '../bank/bank-lines.queries.ts';
import { selectCarriedChallans } from './carries.queries.ts';
import { paymentFileLines, selectPaymentBatch } from './payment-batches.queries.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { bankColumnsOf, refuseTooManyRows, withSums } from './bank-statement-file.service.ts';
import { reverseLines, unpayChallans, type Reversal } from './payments.service.ts';

export async function getBatch(db: TenantDb, id: string): Promise<PaymentBatch> {
  const batch = await selectPaymentBatch(db, id);
  if (!batch) throw notFound('Payment');
  return batch;
}

/**
 * Reverses a whole payment: the challans that it still pays become unpaid, in one transaction. When two calls reverse
 * it at once, the second waits for the first and then finds no live line.
 * @throws Refusal ALREADY_REVERSED when the payment has no live line
 */
export async function reverseBatch(
  db: TenantDb,
  caller: Caller,
  id: string,
  reason: string,
  bankLines?: 'failed',
): Promise<PaymentBatch & Reversal> {
  const before = await getBatch(db, id);
  if (before.reversedAt !== null) throw alreadyReversed();
  const reversal = await reverseLines(db, caller, id, reason, bankLines);
  if (reversal.reversedCount === 0) throw alreadyReversed();
  return { ...(await getBatch(db, id)), ...reversal };
}

/**
 * Undoes what a payment carried for an owner: the owner's challans in the payment become unpaid, and with the last of
 * them the carry is cancelled.
 */
export async function takeBackCarry(
  db: TenantDb,
  caller: Caller,
  id: string,
  ownerId: string,
): Promise<PaymentBatch & Reversal> {
  await getBatch(db, id);
  await lockStillPaid(db, [id]);
  const challanIds = await selectCarriedChallans(db, id, ownerId);
  if (challanIds.length === 0) throw notFound('Carry');
  const reversal = await unpayChallans(db, caller, challanIds, 'Carry taken back');
  return { ...(await getBatch(db, id)), ...reversal };
}

function alreadyReversed(): Refusal {
  return new Refusal('ALREADY_REVERSED', 'This payment was already reversed. Its challans are unpaid again.');
}

/** A payment's file. Its lines come from the stored lines and owners, so it is always the same. */
export async function paymentFile(db: TenantDb, id: string, format: FileFormat): Promise<TableFile> {
  const { number, createdAt, updatedCount, ownerCount } = await getBatch(db, id);
  refuseTooManyRows(format, updatedCount, ownerCount);
  return tableFile(format, {
    name: paymentFileName(number, dayOf(createdAt), format),
    sheet: `Payment ${number}`,
    columns: bankColumnsOf(format),
    lines: withSums(paymentFileLines(db, id)),
  });
}
