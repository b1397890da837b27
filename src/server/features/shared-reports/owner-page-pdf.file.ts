import { PassThrough, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate, formatDateTime, formatShortDate } from '../../../shared/calc/dates.ts';
import { formatAmount, formatINR, formatWeight, sum } from '../../../shared/calc/money.ts';
import type { OwnerPage, OwnerTrip } from '../../../shared/contract/shared-reports.ts';
import { ownerTexts, type OwnerTexts } from './owner-page-texts.file.ts';
import { Refusal } from '../../refusal.ts';
import { Semaphore } from '../../semaphore.ts';
import { createPdf, nonZeroCell, type PdfColumn } from '../../files/pdf.ts';

const tripColumns = (texts: OwnerTexts): PdfColumn[] => [
  { label: texts.challanNumber, width: 80, isWhole: true },
  { label: texts.tpNo, width: 78 },
  { label: texts.vehicleNo, width: 66, isWhole: true },
  { label: texts.loadedOn, width: 42 },
  { label: `${texts.from} – ${texts.to}`, width: 84 },
  { label: texts.loadingWeight, width: 44, align: 'right' },
  { label: texts.unloadingWeight, width: 48, align: 'right' },
  { label: texts.rate, width: 46, align: 'right' },
  { label: texts.freight, width: 56, align: 'right' },
  { label: texts.tds, width: 44, align: 'right' },
  { label: texts.hsd, width: 52, align: 'right' },
  { label: texts.advance, width: 52, align: 'right' },
  { label: texts.office, width: 42, align: 'right' },
  { label: texts.shortage, width: 44, align: 'right' },
  { label: texts.net, width: 60, align: 'right' },
  { label: texts.paidOn, width: 46 },
];

/** Writes the content of the owner's page as a PDF on A4. */
export async function writeOwnerPage(sink: Writable, page: OwnerPage, trips: readonly OwnerTrip[]): Promise<void> {
  const texts = ownerTexts[page.language];
  const pdf = createPdf({ title: texts.title, landscape: true });
  await pdf.write(sink, async (drained) => {
    pdf.newPage();
    pdf.text(page.business, { size: 14, weight: 'bold' });
    pdf.text(texts.title, { size: 12, weight: 'bold', keepPlace: true });
    pdf.text(`${texts.asOf} ${formatDateTime(page.asOf)}`, { size: 10, align: 'right' });
    pdf.space(4);
    pdf.rule();
    pdf.text(page.owner, { size: 11, weight: 'bold' });
    if (page.account !== '') pdf.text(`${texts.account} ${page.account}`);
    if (page.chosen !== '') pdf.text(`${texts.chosen}: ${page.chosen}`);
    pdf.text(`${texts.owed}: ${formatINR(page.unpaid)}`, { size: 12, weight: 'bold' });
    pdf.text(
      [
        `${texts.trips} ${formatCount(page.count)}`,
        `${texts.total} ${formatINR(page.total)}`,
        `${texts.paid} ${formatINR(page.paid)}`,
        ...(page.carried === undefined ? [] : [`${texts.carried} − ${formatINR(page.carried)}`]),
        `${texts.tds} ${formatINR(page.tds)}`,
      ].join(' · '),
    );
    pdf.space(8);
    pdf.text(texts.payments, { size: 11, weight: 'bold' });
    if (page.payments.length === 0) pdf.text(texts.noPayments);
    const isCarried = page.payments.some(({ carried }) => carried !== undefined);
    const payments: PdfColumn[] = [
      { label: texts.paidOn, width: 80 },
      { label: texts.paymentNumber, width: 120 },
      { label: texts.trips, width: 60, align: 'right' },
      ...(isCarried ? [{ label: texts.carried, width: 90, align: 'right' as const }] : []),
      { label: texts.paid, width: 110, align: 'right' },
      { label: texts.utr, width: 160 },
      { label: texts.bankOn, width: 100 },
    ];
    for (const some of chunksOf(page.payments)) {
      pdf.table(
        payments,
        some.map((one) => [
          formatDate(one.paidOn),
          one.number,
          formatCount(one.count),
          ...(isCarried ? [one.carried === undefined ? '' : formatAmount(one.carried)] : []),
          formatAmount(one.amount),
          one.utr,
          one.bankOn === null ? '' : formatDate(one.bankOn),
        ]),
        { isContinued: some[0] !== page.payments[0] },
      );
      await drained();
    }
    pdf.space(8);
    pdf.text(texts.trips, { size: 11, weight: 'bold' });
    const columns = tripColumns(texts);
    for (const some of chunksOf(trips)) {
      pdf.table(columns, some.map(rowOf), {
        isContinued: some[0] !== trips[0],
        ...(some.at(-1) === trips.at(-1) && { sums: sumsOf(texts, trips) }),
      });
      await drained();
    }
  });
}

/** Limits the drawing of these PDFs: one with many trips takes seconds, and the reader has not signed in. */
const drawingSlots = new Semaphore({
  running: { inAll: 2, perKey: 1 },
  waiting: { inAll: 8, perKey: 2 },
  waitMs: 15_000,
  refusal: () =>
    new Refusal('TOO_MANY_REQUESTS', 'Too many requests. Please try again in a moment.', { retryAfterSeconds: 15 }),
});

/**
 * Returns the whole PDF, which is complete before it is sent, because a slow reader would otherwise occupy one of the
 * few slots. `key` identifies the reader.
 */
export const ownerPagePdf = (key: string, page: OwnerPage, trips: readonly OwnerTrip[]): Promise<Buffer> =>
  drawingSlots.run(key, undefined, async () => {
    const sink = new PassThrough();
    const [whole] = await Promise.all([buffer(sink), writeOwnerPage(sink, page, trips)]);
    return whole;
  });

/** Splits rows into parts, so that other calls can run between them. */
function* chunksOf<T>(rows: readonly T[], size = 20): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

const rowOf = (trip: OwnerTrip): string[] => [
  trip.challanNumber,
  trip.tpNo,
  trip.vehicleNo,
  formatShortDate(trip.loadedOn),
  `${trip.from} – ${trip.to}`,
  formatWeight(trip.loadingWeight),
  formatWeight(trip.unloadingWeight),
  formatAmount(trip.rate),
  formatAmount(trip.freight),
  ...[trip.tds, trip.hsd, trip.advance, trip.office, trip.shortage].map(nonZeroCell),
  formatAmount(trip.net),
  trip.paidOn === null ? '' : formatShortDate(trip.paidOn),
];

function sumsOf(texts: OwnerTexts, trips: readonly OwnerTrip[]): string[] {
  const total = (of: (trip: OwnerTrip) => string): string => nonZeroCell(sum(trips.map(of)));
  return [
    `${texts.total} ${formatCount(trips.length)}`,
    ...Array.from({ length: 7 }, () => ''),
    total((trip) => trip.freight),
    total((trip) => trip.tds),
    total((trip) => trip.hsd),
    total((trip) => trip.advance),
    total((trip) => trip.office),
    total((trip) => trip.shortage),
    formatAmount(sum(trips.map(({ net }) => net))),
    '',
  ];
}
