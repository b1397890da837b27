import { nothingToPay } from '../../../shared/access.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { dayOf } from '../../../shared/calc/dates.ts';
import { paymentFileName } from '../../../shared/calc/file-names.ts';
import { compare, formatINR, isNegative, subtract, sum } from '../../../shared/calc/money.ts';
import type { PaymentAsked, PaymentResult, SelectionReview } from '../../../shared/contract/bank-statement.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { csvContentType, csvPieces } from '../../files/csv.ts';
import { lockChallanRow } from '../challans/challans.queries.ts';
import { insertFailures, selectReversedAtBank, type LineAtBank } from '../bank/bank-lines.queries.ts';
import { insertCarryEvents, lockTouchedCarries, type CarryEvent, type TouchedCarry } from './carries.queries.ts';
import {
  insertPayment,
  insertReversal,
  insertReversalOfBatch,
  type PaidRow,
  type PaymentChoice,
  type Reversed,
} from './payments.queries.ts';
import {
  insertSinglePayments,
  insertSingleReversals,
  lockFreeChallans,
  selectChallans,
} from './payments-single.queries.ts';
import { checksOf, requireChecks } from './account-changes.service.ts';
import { bankColumnsOf, withSums } from './bank-statement-file.service.ts';
import { paymentFileLines } from './payment-batches.queries.ts';
import { reviewSelection } from './payment-preparation.queries.ts';
import { selectPaymentChecks, selectReleaseRule } from './release-rules.queries.ts';
import { requireReleaseOfReversal } from './release-rules.service.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { requireRight } from '../../seat.ts';

/**
 * The ledger: everything that marks a challan paid or unpaid goes through here, inside the transaction of its caller, so
 * that a paid challan has exactly one live line and the line's amount is the challan's net.
 */

export interface Payment {
  /** Null when every chosen challan was already paid; then there is no batch. */
  batchId: string | null;
  number: string | null;
  updatedCount: number;
  /** Challans that were chosen by id and were already paid. */
  skippedCount: number;
  /** Challans of owners that were left out because their sum is negative. */
  negativeCount: number;
  /** How many owners these are. */
  negativeOwnerCount: number;
  totalAmount: string;
  /** In the order of the batch's file; null for more than 5,000. */
  challanIds: string[] | null;
  /** The time of the batch, of its lines and of the challans' paidAt. */
  createdAt: Date;
  /** The owners whose negative sum was carried. They add nothing to the total. */
  carried: PaidRow['carried'];
}

/** A call that pays many challans: these, or all of a filter less the exclusions. */
type ManyPaid = BodyOf<typeof contract.bankStatement.markPaid> | BodyOf<typeof contract.bankStatement.markMatchingPaid>;

/** The choice of a call that pays many challans, and what it does with owners below zero. */
export function choiceOf(call: ManyPaid): PaymentChoice {
  const { paysNegative, carries } = call;
  const how = { skipsNegativeOwners: !paysNegative, deducts: 'open', carries } as const;
  if ('challanIds' in call) return { kind: 'selected', challanIds: call.challanIds, ...how };
  return { kind: 'filter', filters: call.filters, excludeChallanIds: call.excludeChallanIds, ...how };
}

/** Returns what a selection covers now, and whether a second person has to release its payment. */
export async function review(db: TenantDb, caller: Caller, asked: PaymentAsked): Promise<SelectionReview> {
  const { prepared, ...reviewed } = await reviewSelection(db, caller, asked);
  return { ...reviewed, ...(await checksOf(db, caller, prepared)) };
}

/**
 * Pays the challans. A filter that matches nothing, and a payment that is not as it was confirmed, are refused. The result
 * contains the payment's file, or for a large payment the address of the file.
 */
export async function markPaid(db: TenantDb, caller: Caller, call: ManyPaid): Promise<PaymentResult> {
  const choice = choiceOf(call);
  const payment = await payChallans(db, caller, choice);
  refuseUnconfirmed(payment, call);
  return {
    batchId: payment.batchId,
    number: payment.number,
    updatedCount: payment.updatedCount,
    skippedCount: payment.skippedCount,
    negativeCount: payment.negativeCount,
    totalAmount: payment.totalAmount,
    paymentStatus: true,
    timestamp: payment.createdAt.toISOString(),
    appliedFilters: choice.kind === 'filter' ? choice.filters : null,
    ...(await paymentFileResult(db, payment)),
  };
}

function refuseUnconfirmed(payment: Payment, call: ManyPaid): void {
  const expected = 'filters' in call ? call.expected : undefined;
  const { carried, updatedCount: count, totalAmount } = payment;
  const carriedAmounts = new Map(carried.map(({ ownerId, amount }) => [ownerId, amount]));
  if (call.carries.some(({ ownerId, amount }) => compare(carriedAmounts.get(ownerId) ?? '0', amount) !== 0)) {
    const others = count - carried.reduce((sum, { challans }) => sum + challans, 0);
    throw new Refusal(
      'SELECTION_CHANGED',
      'What an owner owes has changed meanwhile. Review the payment, then pay again.',
      { data: { count: others, totalAmount } },
    );
  }
  if (expected && (expected.count !== count || compare(expected.totalAmount, totalAmount) !== 0)) {
    throw new Refusal(
      'SELECTION_CHANGED',
      'The matching challans have changed meanwhile. Review the new count and amount, then pay again.',
      { data: { count, totalAmount } },
    );
  }
  if ('filters' in call && count === 0) {
    throw new Refusal('NO_MATCHING_CHALLANS', nothingToPay(payment.negativeCount, payment.negativeOwnerCount));
  }
}

async function paymentFileResult(
  db: TenantDb,
  { batchId, number, createdAt, challanIds }: Payment,
): Promise<Pick<PaymentResult, 'challanIds' | 'csv' | 'csvUrl'>> {
  if (batchId === null || number === null) return { challanIds: [] };
  if (challanIds === null) return { csvUrl: `/api/payment-batches/${batchId}/csv` };
  let content = '';
  for await (const piece of csvPieces(bankColumnsOf('csv'), withSums(paymentFileLines(db, batchId)))) content += piece;
  const filename = paymentFileName(number, dayOf(createdAt));
  return { challanIds, csv: { content, filename, contentType: csvContentType } };
}

/**
 * Marks challans paid in one batch, all or nothing. Ids of deleted challans, or of challans that are not this tenant's, are
 * answered with 404, and nothing changes. An id that is given twice counts once. Paid challans are skipped and counted.
 */
export async function payChallans(db: TenantDb, caller: Caller, choice: PaymentChoice): Promise<Payment> {
  requireRight(caller, 'pay');
  const asked = choice.kind === 'filter' ? choice : { ...choice, challanIds: [...new Set(choice.challanIds)] };
  // Sent together. When the payment fails this fails too, and its own error is the one that says whether to run it again.
  const paying = insertPayment(db, caller, asked);
  const asking = selectPaymentChecks(db);
  asking.catch(() => undefined);
  const row = await paying;
  const checks = await asking;

  if (asked.kind !== 'filter' && row.found_count !== asked.challanIds.length) throw notFound('Challan');
  if (row.held_count > 0) throw onHold(row);
  // The invariant before COMMIT (docs/security.md §5.2): the ledger records exactly what was changed.
  if (row.line_count !== row.paid_challans || compare(row.line_amount, row.paid_challan_amount) !== 0) {
    throw new Error('The lines of a payment do not agree with the challans it paid');
  }
  if (row.paid_challans > 0)
    await requireChecks(db, caller, checks, { isImport: choice.kind === 'import', isAtBank: choice.isAtBank ?? false });
  return {
    batchId: row.batch_id,
    number: row.number,
    updatedCount: row.paid_challans,
    skippedCount: row.found_count - row.paid_challans - row.left_out_challans,
    negativeCount: row.left_out_challans,
    negativeOwnerCount: row.left_out_owners,
    totalAmount: row.paid_amount,
    challanIds: row.challan_ids,
    createdAt: row.at,
    carried: row.carried,
  };
}

/** 'CH-2627-000001 (accident) and CH-2627-000002 (Anil Jena: no papers) are on hold. …' */
function onHold({ held, held_count: count }: Pick<PaidRow, 'held' | 'held_count'>): Refusal {
  const names = held.map(
    ({ challanNumber, ownerName, reason }) =>
      `${challanNumber} (${ownerName === null ? '' : `${ownerName}: `}${reason})`,
  );
  const more = count - names.length;
  const last = more > 0 ? `${formatCount(more)} more` : names.pop();
  const all = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return new Refusal(
    'ON_HOLD',
    count === 1
      ? `${all} is on hold, so nothing was paid. Take it off hold, or leave it out.`
      : `${all} are on hold, so nothing was paid. Take them off hold, or leave them out.`,
  );
}

/** The reason of a reversal when a challan's own checkbox was cleared. */
export const unmarked = 'Payment status unmarked';

export interface Reversal {
  reversedCount: number;
  /** How much less the payments pay: the challans, with what was carried or deducted together with them. */
  reversedAmount: string;
}

/**
 * Makes one challan unpaid by a reversing line, with its reason, on the batch that had paid it. Returns null when it
 * was not paid; 404 when it does not exist.
 */
export async function unpayChallan(
  db: TenantDb,
  caller: Caller,
  challanId: string,
  reason: string,
): Promise<(Reversal & { batchId: string }) | null> {
  // Locked before the ledger is read: a statement that waits for a lock does not see lines written while it waited.
  if (!(await lockChallanRow(db, challanId))) throw notFound('Challan');
  const { batchId, ...reversal } = await reverse(db, caller, { challanIds: [challanId] }, reason);
  return batchId === null ? null : { batchId, ...reversal };
}

/** The click on a challan's checkbox. */
export interface Toggle {
  challanId: string;
  isPaid: boolean;
  /** The version of the challan that the caller saw, if it was sent. */
  version?: number | undefined;
}

/**
 * Handles the checkboxes of several challans, each as if it were the only one. Returns for each toggle the challan as it is
 * afterwards, or undefined if the toggle was not handled: it would have to wait or be refused, or is the second one of its
 * challan.
 */
export async function togglePayments(
  db: TenantDb,
  caller: Caller,
  toggles: readonly Toggle[],
): Promise<readonly (Challan | undefined)[]> {
  requireRight(caller, 'pay');
  const locked = new Map(
    (await lockFreeChallans(db, [...new Set(toggles.map(({ challanId }) => challanId))])).map((row) => [row.id, row]),
  );
  const asked = new Map<string, Toggle>();
  for (const toggle of toggles) {
    const { challanId: id, isPaid, version } = toggle;
    const row = locked.get(id);
    if (!row || asked.has(id) || (version !== undefined && version !== row.version)) continue;
    if (isPaid && !row.isPaid && row.isOnHold) continue;
    asked.set(id, toggle);
  }
  const ids = [...asked.keys()];
  const toChange = (to: boolean): string[] =>
    ids.filter((id) => asked.get(id)?.isPaid === to && locked.get(id)?.isPaid !== to);
  const isSame = (id: string): boolean => asked.get(id)?.isPaid === locked.get(id)?.isPaid;
  // All are sent together. The payments come after the reversals, because the statement that takes their numbers makes other
  // payments wait until the commit.
  const [reversed, paid, challans, checks] = await Promise.all([
    insertSingleReversals(db, caller, toChange(false), unmarked),
    insertSinglePayments(db, caller, toChange(true)),
    selectChallans(db, ids),
    // One statement for both: only a payment asks whether an account was changed.
    selectPaymentChecks(db),
  ]);
  for (const id of reversed) requireReleaseOfReversal(caller, checks.rule, challans.get(id)?.netAmountPayable ?? '0');
  if (paid.length > 0) await requireChecks(db, caller, checks);
  const done = new Set([...reversed, ...paid, ...ids.filter(isSame)]);
  return toggles.map((toggle) => {
    const { challanId: id } = toggle;
    return asked.get(id) === toggle && done.has(id) ? challans.get(id) : undefined;
  });
}

/**
 * Makes these challans unpaid, each by a reversing line on the batch that had paid it, with the one reason or with reasons
 * of their own, which are those of the bank. The caller has locked them.
 */
export async function unpayChallans(
  db: TenantDb,
  caller: Caller,
  challanIds: readonly string[],
  reason: string | Readonly<Record<string, string>>,
): Promise<Reversal> {
  const what = typeof reason === 'string' ? { challanIds } : { challanIds, reasons: reason };
  const { reversedCount, reversedAmount } = await reverse(db, caller, what, typeof reason === 'string' ? reason : '');
  return { reversedCount, reversedAmount };
}

/**
 * Makes the challans that a batch still pays unpaid again; there may be none. `bankLines` says what happens to its lines that
 * are in a bank file without an answer. Without it such lines refuse the reversal.
 */
export async function reverseLines(
  db: TenantDb,
  caller: Caller,
  batchId: string,
  reason: string,
  bankLines?: 'failed',
): Promise<Reversal> {
  const { reversedCount, reversedAmount } = await reverse(db, caller, { batchId }, reason, bankLines);
  return { reversedCount, reversedAmount };
}

async function reverse(
  db: TenantDb,
  caller: Caller,
  what: Reversed,
  reason: string,
  bankLines?: 'failed',
): Promise<Reversal & { batchId: string | null }> {
  requireRight(caller, 'pay');
  const row = await insertReversal(db, caller, what, reason);
  if (row.line_count !== row.unpaid_count) throw new Error('The reversing lines do not agree with the challans unpaid');
  const reversal = { batchId: row.batch_id, reversedCount: row.line_count, reversedAmount: row.line_amount };
  if (row.line_count === 0) return reversal;
  // That the bank did not transfer the money is no decision of the caller.
  const isOfBank = 'reasons' in what;
  if (!isOfBank) requireReleaseOfReversal(caller, await selectReleaseRule(db), row.line_gross);
  await settleBankLines(db, caller, what, reason, bankLines);
  const settled = await settleCarries(db, caller, what, reason);
  // A carry that is cancelled had added to what the payment paid, and a deduction that is restored had reduced it.
  reversal.reversedAmount = subtract(row.line_amount, settled);
  if ('batchId' in what) await insertReversalOfBatch(db, caller, what.batchId, reason, reversal);
  return reversal;
}

/** Why what a line at the bank pays cannot become unpaid. `lineCount` is for how many lines the text stands. */
export function atBankText({ state, name, number }: LineAtBank, lineCount = 1): string {
  const whose = `the line of ${name}${lineCount === 1 ? '' : ` (and ${lineCount - 1} more)`}`;
  return state === 'executed'
    ? `The bank has executed ${whose} in bank file ${number}. Record its return first.`
    : `T${whose.slice(1)} is in bank file ${number}. Withdraw the file, or record what the bank answered, first.`;
}

/**
 * Refuses a reversal while the bank has the order to transfer the money (docs/specification.md §24.5). A line in a bank file
 * refuses it, unless the caller says that the line failed. An executed line always refuses it, until its return is recorded.
 * This is checked after the challans are locked, because a file that is being made holds the same locks.
 */
async function settleBankLines(
  db: TenantDb,
  caller: Caller,
  what: Reversed,
  reason: string,
  bankLines: 'failed' | undefined,
): Promise<void> {
  const lines = await selectReversedAtBank(db, what);
  const [line] = lines.filter(({ state }) => state === 'executed' || bankLines === undefined);
  if (line) {
    throw new Refusal('LINE_AT_BANK', atBankText(line, lines.length), {
      data: { fileNumber: line.number, lineCount: lines.length, state: line.state },
    });
  }
  if (lines.length > 0) {
    await insertFailures(db, caller, lines, {
      reason: `Payment reversed: ${reason}`.slice(0, 500),
      source: 'reversal',
    });
  }
}

/**
 * Updates carries when payments of challans are reversed (docs/specification.md §10.10).
 *
 * A deduction is restored when the last challan of its owner and payment is reversed, or as soon as the remaining
 * challans do not cover it: no payment may pay below zero because of a deduction. A carry is cancelled when all
 * challans that it settled are reversed. Reversing only a part of them is refused, and so is reversing a carry that was
 * deducted. Returns the sum of what was restored and cancelled, with its sign.
 */
async function settleCarries(db: TenantDb, caller: Caller, what: Reversed, reason: string): Promise<string> {
  const touched = await lockTouchedCarries(db, what);
  const events = touched.flatMap((carry): CarryEvent[] => {
    if (carry.madeIn === carry.batchId) return cancelEvents(carry);
    const isDeducted = carry.kind === 'deduct' && carry.lastIn === carry.batchId;
    const isCovered = carry.challansLeft > 0 && !isNegative(carry.amountLeft);
    return isDeducted && !isCovered ? [{ ...nextEvent(carry), kind: 'restore', amount: carry.amount }] : [];
  });
  if (events.length > 0) await insertCarryEvents(db, caller, events, reason);
  return sum(events.map(({ amount }) => amount));
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
