import type { Writable } from 'node:stream';
import { amountInWords } from '../../../shared/calc/amount-words.ts';
import { formatDate, formatShortDate } from '../../../shared/calc/dates.ts';
import {
  formatAmount,
  formatINR,
  formatWeight,
  lesser,
  multiply,
  roundHalfUp,
  sum,
} from '../../../shared/calc/money.ts';
import type { PaymentCarry } from '../../../shared/contract/payment-batches.ts';
import { carryWords } from '../../../shared/columns/payment-batch-columns.ts';
import { createPdf, nonZeroCell, startPage, type Pdf, type PdfBusiness, type PdfColumn } from '../../files/pdf.ts';

/**
 * One trip of an advice. Identity and net are those of the time of the payment; weights and deductions are those of the
 * challan.
 */
export interface AdviceTrip {
  challanNumber: string;
  tpNo: string;
  vehicleNo: string;
  loadingPlace: string;
  unloadingPlace: string;
  loadedAt: string | null;
  loadingWeight: string;
  unloadingWeight: string;
  rate: string;
  tds: string;
  hsd: string;
  advance: string;
  office: string;
  materialShortage: string;
  net: string;
}

export interface AdviceOwner {
  name: string;
  accountNo: string;
  ifsc: string;
  /** The UTR of the line that the bank executed; '' when there is none. */
  utr: string;
  executedOn: string | null;
  /** What was carried or deducted in addition to the trips. */
  carries: readonly PaymentCarry[];
  trips: readonly AdviceTrip[];
}

export interface AdvicePayment {
  number: string;
  paidOn: string;
  business: PdfBusiness;
}

const columns: readonly PdfColumn[] = [
  { label: 'Challan', width: 78, isWhole: true },
  { label: 'TP No', width: 66 },
  { label: 'Vehicle', width: 68, isWhole: true },
  { label: 'Loaded', width: 40 },
  { label: 'Route', width: 86 },
  { label: 'Load MT', width: 38, align: 'right' },
  { label: 'Unload MT', width: 42, align: 'right' },
  { label: 'Rate', width: 46, align: 'right' },
  { label: 'Freight', width: 58, align: 'right' },
  { label: 'TDS', width: 44, align: 'right' },
  { label: 'HSD', width: 52, align: 'right' },
  { label: 'Advance', width: 54, align: 'right' },
  { label: 'Office', width: 42, align: 'right' },
  { label: 'Shortage', width: 46, align: 'right' },
  { label: 'Net', width: 60, align: 'right' },
];

/**
 * Returns the freight of a trip. Freight minus the deductions is the net, which the database enforces (migration 004).
 */
export const freightOf = ({
  loadingWeight,
  unloadingWeight,
  rate,
}: Pick<AdviceTrip, 'loadingWeight' | 'unloadingWeight' | 'rate'>): string =>
  roundHalfUp(multiply(lesser(loadingWeight, unloadingWeight), rate));

function ownerPage(pdf: Pdf, { number, paidOn, business }: AdvicePayment, owner: AdviceOwner): void {
  startPage(pdf, business, 'Payment advice', `${number} · paid on ${formatDate(paidOn)}`);
  pdf.text(owner.name, { size: 11, weight: 'bold' });
  const account = owner.accountNo === '' ? '' : `Account ending ${owner.accountNo.slice(-4)}`;
  pdf.text([account, owner.ifsc && `IFSC ${owner.ifsc}`].filter(Boolean).join(' · '));
  if (owner.utr !== '') {
    pdf.text(`UTR ${owner.utr}${owner.executedOn === null ? '' : `, executed on ${formatDate(owner.executedOn)}`}`);
  }
  pdf.space(6);
  const { trips } = owner;
  const total = (of: (trip: AdviceTrip) => string): string => sum(trips.map(of));
  pdf.table(
    columns,
    trips.map((trip) => [
      trip.challanNumber,
      trip.tpNo,
      trip.vehicleNo,
      trip.loadedAt === null ? '' : formatShortDate(trip.loadedAt),
      `${trip.loadingPlace} – ${trip.unloadingPlace}`,
      formatWeight(trip.loadingWeight),
      formatWeight(trip.unloadingWeight),
      formatAmount(trip.rate),
      formatAmount(freightOf(trip)),
      ...[trip.tds, trip.hsd, trip.advance, trip.office, trip.materialShortage].map(nonZeroCell),
      formatAmount(trip.net),
    ]),
    {
      sums: [
        trips.length === 1 ? '1 trip' : `${trips.length} trips`,
        ...Array.from({ length: 7 }, () => ''),
        formatAmount(total(freightOf)),
        ...[
          total((trip) => trip.tds),
          total((trip) => trip.hsd),
          total((trip) => trip.advance),
          total((trip) => trip.office),
          total((trip) => trip.materialShortage),
        ].map(nonZeroCell),
        formatAmount(total((trip) => trip.net)),
      ],
    },
  );
  pdf.space(8);
  for (const carry of owner.carries) pdf.text(`${carryWords(carry)} ${formatINR(carry.amount)}`, { size: 10 });
  const paid = sum([total((trip) => trip.net), ...owner.carries.map(({ amount }) => amount)]);
  pdf.text(`Total paid ${formatINR(paid)}`, { size: 12, weight: 'bold' });
  pdf.text(amountInWords(paid), { size: 9 });
}

/** Writes the advice with each owner on a new page. Owners are written as they arrive. */
export async function writePaymentAdvice(
  sink: Writable,
  payment: AdvicePayment,
  owners: AsyncIterable<AdviceOwner>,
): Promise<void> {
  const pdf = createPdf({ title: `Payment advice ${payment.number}`, landscape: true });
  await pdf.write(sink, async (drained) => {
    for await (const owner of owners) {
      ownerPage(pdf, payment, owner);
      await drained();
    }
  });
}
