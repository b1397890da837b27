import { nothingToPay } from '../../../shared/access.ts';
import { dayOf } from '../../../shared/calc/dates.ts';
import { bankStatementFileName, paymentFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { compare } from '../../../shared/calc/money.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { PaymentResult, SelectionReview } from '../../../shared/contract/bank-statement.ts';
import { csvContentType, csvPieces } from '../../files/csv.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  selectStatementOwners,
  statementLines,
  type SelectUnpaid,
  type StatementFilter,
} from './bank-statement.queries.ts';
import { reviewSelection } from './payment-preparation.queries.ts';
import { checksOf } from './account-changes.service.ts';
import type { PaymentChoice } from './payments.queries.ts';
import { selectNames } from '../master-data/records.queries.ts';
import { bankColumnsOf, refuseTooManyRows, withSums } from './bank-statement-file.service.ts';
import { paymentLines } from './payment-batches.service.ts';
import { Refusal } from '../../refusal.ts';
import { payChallans, type Payment } from './payments.service.ts';

/**
 * Returns a page of owners with all their unpaid challans under the filter, as `selectChallans` reads them. The summary covers
 * the whole filter.
 */
export async function listStatement<Challan>(
  db: TenantDb,
  filter: StatementFilter,
  paging: { page: number; limit: number },
  selectChallans: SelectUnpaid<Challan>,
) {
  const { owners, summary } = await selectStatementOwners(db, filter, paging);
  const ids = owners.map(({ id }) => id);
  const unpaid = await selectChallans(db, filter, ids);
  const nothing = { oldestDeposit: null, challans: [] };
  return { owners: owners.map((owner) => ({ ...owner, ...(unpaid.get(owner.id) ?? nothing) })), summary };
}

/**
 * Returns the statement of every matching owner as a file, named as docs/specification.md §13.4 says. `today` is the
 * current instant.
 */
export async function statementFile(
  db: TenantDb,
  filter: StatementFilter,
  format: FileFormat,
  today: Date,
): Promise<TableFile> {
  const { ownerId } = filter;
  const ownerName = ownerId ? (await selectNames(db, 'owners', [ownerId])).get(ownerId) : filter.ownerName;
  if (format === 'xlsx') {
    const { summary } = await selectStatementOwners(db, filter, { page: 1, limit: 1 });
    refuseTooManyRows(format, summary.totalChallans, summary.totalOwners);
  }
  return tableFile(format, {
    name: bankStatementFileName({
      ownerName,
      from: filter.depositedStartDate,
      to: filter.depositedEndDate,
      today: dayOf(today),
      format,
    }),
    sheet: 'Bank statement',
    columns: bankColumnsOf(format),
    lines: withSums(statementLines(db, filter)),
  });
}

/** Returns what a selection covers now, and whether a second person has to release its payment. */
export async function review(
  db: TenantDb,
  caller: Caller,
  asked: BodyOf<typeof contract.bankStatement.review>,
): Promise<SelectionReview> {
  const { prepared, ...reviewed } = await reviewSelection(db, caller, asked);
  return { ...reviewed, ...(await checksOf(db, caller, prepared)) };
}

/** What the caller saw before it decided (docs/specification.md §14.10). */
interface Expected {
  count: number;
  totalAmount: string;
}

/**
 * Pays the challans. A filter that matches nothing, and a payment that is not as it was confirmed, are refused. The result
 * contains the payment's file, or for a large payment the address of the file.
 */
export async function markPaid(
  db: TenantDb,
  caller: Caller,
  choice: PaymentChoice,
  expected?: Expected,
): Promise<PaymentResult> {
  const payment = await payChallans(db, caller, choice);
  refuseUnconfirmed(payment, choice, expected);
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

function refuseUnconfirmed(payment: Payment, { kind, carries = [] }: PaymentChoice, expected?: Expected): void {
  const { carried, updatedCount: count, totalAmount } = payment;
  const carriedAmounts = new Map(carried.map(({ ownerId, amount }) => [ownerId, amount]));
  if (carries.some(({ ownerId, amount }) => compare(carriedAmounts.get(ownerId) ?? '0', amount) !== 0)) {
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
  if (kind === 'filter' && count === 0) {
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
  for await (const piece of csvPieces(bankColumnsOf('csv'), paymentLines(db, batchId))) content += piece;
  const filename = paymentFileName(number, dayOf(createdAt));
  return { challanIds, csv: { content, filename, contentType: csvContentType } };
}
