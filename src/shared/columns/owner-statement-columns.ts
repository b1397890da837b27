import type { StatementLine, StatementPrint } from '../contract/owner-statements.ts';
import { challansText } from '../calc/count-text.ts';
import type { Column } from './define.ts';

const kindWords: Readonly<Record<StatementLine['kind'], string>> = {
  challan: 'Challan',
  payment: 'Payment',
  reversal: 'Payment taken back',
  carry: 'Carried amount',
  hold: 'Put on hold',
  release: 'Taken off hold',
  opening: 'Opening balance',
};

/** The details of a line: a challan's trip, or the count of a payment's challans and the bank's UTR. */
export function statementDetails({
  kind,
  tpNo,
  vehicleNo,
  loadingPlace,
  unloadingPlace,
  challanCount,
  utr,
  number,
}: StatementLine) {
  if (kind === 'challan') return `TP ${tpNo} · ${vehicleNo} · ${loadingPlace} – ${unloadingPlace}`;
  if (challanCount !== null) {
    const count = challansText(challanCount);
    return utr === '' ? count : `${count} · UTR ${utr}`;
  }
  return (kind === 'hold' || kind === 'release') && number === '' ? 'All challans of the owner' : '';
}

export const statementKindWords = ({ kind }: StatementLine): string => kindWords[kind];

const money = (
  key: keyof StatementLine & ('freight' | 'tds' | 'hsd' | 'advance' | 'office' | 'shortage' | 'payable' | 'paid'),
) => ({ key, kind: 'money', total: key }) as const;

/** The lines of an owner's statement. The file for the owner has no reasons: the business wrote those for itself. */
export const statementColumns: readonly Column<StatementLine>[] = [
  { key: 'day', label: 'Date', kind: 'date', width: 100 },
  { key: 'kind', label: 'Entry', kind: 'text', width: 140, least: 124, value: statementKindWords },
  { key: 'number', label: 'Number', kind: 'text', width: 150, least: 144 },
  { key: 'details', label: 'Details', kind: 'text', width: 300, value: statementDetails },
  { ...money('freight'), label: 'Freight', width: 110 },
  { ...money('tds'), label: 'TDS', width: 110, least: 104 },
  { ...money('hsd'), label: 'HSD', width: 122, least: 116 },
  { ...money('advance'), label: 'Advance', width: 110, least: 104 },
  { ...money('office'), label: 'Office', width: 90, least: 94 },
  { ...money('shortage'), label: 'Shortage', width: 110, least: 104 },
  // Pinned beside the balance that they change, so that they are seen together in a narrow window too.
  { ...money('payable'), label: 'Payable', width: 120, pin: 'right' },
  { ...money('paid'), label: 'Paid', width: 120, pin: 'right' },
  { key: 'balance', label: 'Balance', kind: 'money', width: 140, pin: 'right' },
  { key: 'note', label: 'Reason', kind: 'text', width: 200, export: false },
];

/** The printed statements of an owner. */
export const statementPrintColumns: readonly Column<StatementPrint>[] = [
  { key: 'number', label: 'Statement No', kind: 'reference', width: 150 },
  { key: 'startDate', label: 'From', kind: 'date', width: 120, least: 114, empty: 'The beginning' },
  { key: 'endDate', label: 'To', kind: 'date', width: 100 },
  { key: 'opening', label: 'Opening', kind: 'money', width: 130 },
  { key: 'closing', label: 'Closing', kind: 'money', width: 130 },
  { key: 'lineCount', label: 'Lines', kind: 'count', width: 80 },
  { key: 'createdAt', label: 'Printed At', kind: 'datetime', width: 150 },
  { key: 'createdBy', label: 'Printed By', kind: 'text', width: 180 },
  { key: 'changedAt', label: 'Changed Since', kind: 'datetime', width: 150 },
];
