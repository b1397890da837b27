import type { Column } from './define.ts';

/** A deduction in the working for the return (docs/specification.md §30.4). */
export interface TdsReturnRow {
  /** As it is entered; '' where there is none. */
  panNo: string;
  /** Nobody can have it. */
  isPanDoubtful: boolean;
  ownerName: string;
  code: string;
  challanNumber: string;
  day: string;
  gross: string;
  tdsPercentage: string | null;
  tdsAmount: string;
  reason: string | null;
  /** Of all deposits that cover it: nearly always one. */
  bsrCode: string | null;
  depositedOn: string | null;
  serialNo: string | null;
  openAmount: string;
}

/** A layout of the working: what it has in which order, and what it says of itself. */
interface ReturnLayout {
  mark: string;
  columns: readonly Column<TdsReturnRow>[];
}

const panCheck = ({ panNo, isPanDoubtful }: TdsReturnRow): string | null =>
  panNo === '' ? 'No PAN' : isPanDoubtful ? 'Not a possible PAN' : null;

export const tdsReturnLayout: ReturnLayout = {
  mark: 'It resembles the annexure of Form 140 (26Q until March 2026); check it in your utility; nobody has certified it.',
  columns: [
    { key: 'panNo', label: 'PAN', kind: 'identifier', width: 130 },
    { key: 'panCheck', label: 'Check', kind: 'text', width: 150, value: panCheck },
    { key: 'ownerName', label: 'Name', kind: 'text', width: 240 },
    { key: 'code', label: 'Section or Code', kind: 'text', width: 120 },
    { key: 'day', label: 'Deducted On', kind: 'date', width: 120 },
    { key: 'gross', label: 'Gross', kind: 'money', width: 130 },
    { key: 'tdsPercentage', label: 'Rate %', kind: 'percent', width: 84 },
    { key: 'tdsAmount', label: 'TDS', kind: 'money', width: 120 },
    { key: 'reason', label: 'Reason', kind: 'text', width: 170 },
    { key: 'bsrCode', label: 'BSR Code', kind: 'identifier', width: 110 },
    { key: 'depositedOn', label: 'Deposited On', kind: 'text', width: 120 },
    { key: 'serialNo', label: 'Challan Serial No', kind: 'identifier', width: 120 },
    { key: 'openAmount', label: 'Not Deposited', kind: 'money', width: 130 },
    { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 140 },
  ],
};
