import type { PaymentCarry } from '../../../shared/contract/payment-batches.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { writePaymentAdvice, type AdviceOwner } from './payment-advice.file.ts';
import { pdfContentType } from '../../files/pdf.ts';
import type { TableFile } from '../../files/table-file.ts';
import { selectPaymentCarries } from './carries.queries.ts';
import { selectAdviceBusiness, selectAdviceRows, type AdviceRow } from './payment-advice.queries.ts';
import { Refusal } from '../../refusal.ts';
import { getBatch } from './payment-batches.service.ts';

/**
 * Returns the advice of a payment as a PDF: of one owner, or of all owners with one page each (docs/specification.md
 * §24.7).
 */
export async function paymentAdvice(db: TenantDb, batchId: string, ownerId: string | undefined): Promise<TableFile> {
  const { number, paidOn } = await getBatch(db, batchId);
  const business = await selectAdviceBusiness(db);
  // The first owner is read before the first byte is sent. So a payment that no longer pays anything can still be
  // answered with a message.
  const carries = await selectPaymentCarries(db, batchId, ownerId === undefined ? null : [ownerId]);
  const owners = groupByOwner(selectAdviceRows(db, batchId, ownerId ?? null), carries);
  const first = await owners.next();
  if (first.done) throw new Refusal('NO_DATA_FOUND', 'This payment pays nothing of this kind any more.');
  async function* all() {
    yield first.value as AdviceOwner;
    yield* owners;
  }
  return {
    name: `payment_advice_${number}.pdf`,
    contentType: pdfContentType,
    write: (sink) => writePaymentAdvice(sink, { number, paidOn, business }, all()),
  };
}

/** Groups the rows into owners. The rows come sorted by owner. */
async function* groupByOwner(
  pages: AsyncIterable<AdviceRow[]>,
  carries: ReadonlyMap<string, PaymentCarry[]>,
): AsyncGenerator<AdviceOwner> {
  let rows: AdviceRow[] = [];
  for await (const page of pages) {
    for (const row of page) {
      if (rows[0] && rows[0].owner_id !== row.owner_id) {
        yield toAdviceOwner(rows, carries);
        rows = [];
      }
      rows.push(row);
    }
  }
  if (rows.length > 0) yield toAdviceOwner(rows, carries);
}

function toAdviceOwner(rows: readonly AdviceRow[], carries: ReadonlyMap<string, PaymentCarry[]>): AdviceOwner {
  // Safe: this is called with at least one row.
  const { owner_id: ownerId, name, account_no: accountNo, ifsc, utr, executed_on: executedOn } = rows[0]!;
  return {
    name,
    accountNo,
    ifsc,
    utr,
    executedOn,
    carries: (carries.get(ownerId) ?? []).filter(({ isBack }) => !isBack),
    trips: rows.map((row) => ({
      challanNumber: row.challan_number,
      tpNo: row.tp_no,
      vehicleNo: row.vehicle_no,
      loadingPlace: row.loading_place,
      unloadingPlace: row.unloading_place,
      loadedAt: row.loading_at?.toISOString() ?? null,
      loadingWeight: row.loading_weight,
      unloadingWeight: row.unloading_weight,
      rate: row.rate,
      tds: row.tds,
      hsd: row.hsd,
      advance: row.advance,
      office: row.office,
      materialShortage: row.material_shortage,
      net: row.net,
    })),
  };
}
