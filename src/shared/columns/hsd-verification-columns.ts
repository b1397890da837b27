import { formatDate, isDay } from '../calc/dates.ts';
import type {
  HsdAlreadyVerified,
  HsdCandidate,
  HsdLedgerLine,
  HsdMatch,
  HsdMismatch,
  HsdUpload,
  HsdUploadRow,
} from '../contract/hsd-verification.ts';
import type { Column, Status } from './define.ts';

/** A valid match on the screen. Since the file was read it may have been verified, or changed so that it no longer matches. */
export interface HsdMatchRow extends HsdMatch {
  isVerified: boolean;
  isChanged: boolean;
}

/** A mismatch on the screen. */
export interface HsdMismatchRow extends HsdMismatch {
  isAccepted: boolean;
}

/** A row of the file whose TP number belongs to no challan. */
export interface HsdNotFoundRow {
  /** Only to tell equal rows apart. */
  id: string;
  tpNo: string;
  row?: number;
  uploadedAmount?: string;
  vehicleNo?: string;
  date?: string;
  near: readonly HsdCandidate[];
  nearCount: number;
  isUnique: boolean;
  isAccepted: boolean;
}

interface ComparedRow {
  row?: number | undefined;
  tpNo: string;
  challanNumber: string;
  vehicleNo?: string | undefined;
  loadingDate?: string | undefined;
  ownerName?: string | undefined;
}
const rowColumn: Column<{ row?: number | undefined }> = {
  key: 'row',
  label: 'Row',
  kind: 'count',
  width: 66,
  value: ({ row }) => row ?? null,
};
/** The row of the file and the challan that it was compared with. */
const challanInRow: readonly Column<ComparedRow>[] = [
  rowColumn,
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 150 },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'text', width: 125, value: ({ vehicleNo }) => vehicleNo ?? null },
  { key: 'loadingDate', label: 'Loading Date', kind: 'date', width: 110, value: (row) => row.loadingDate ?? null },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 150, value: ({ ownerName }) => ownerName ?? null },
];
const bothAmounts: readonly Column<{ uploadedAmount: string; challanAmount: string }>[] = [
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 140 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 140 },
];

const acceptedOr = (isAccepted: boolean, open: Status): Status =>
  isAccepted ? { label: 'Accepted', tone: 'good' } : open;

/** The tables of results of HSD verification (docs/specification.md §11.3). */
export const hsdMatchColumns: readonly Column<HsdMatchRow>[] = [
  ...challanInRow,
  ...bothAmounts,
  {
    key: 'isVerified',
    label: 'Status',
    kind: 'status',
    width: 130,
    value: ({ isVerified, isChanged, difference }) => {
      if (isChanged) return { label: 'Changed since', tone: 'bad' };
      if (isVerified) return { label: 'Verified', tone: 'good' };
      return { label: difference === undefined ? 'Not verified' : 'Within tolerance', tone: 'warn' };
    },
  },
];

export const hsdMismatchColumns: readonly Column<HsdMismatchRow>[] = [
  ...challanInRow,
  ...bothAmounts,
  { key: 'difference', label: 'Difference', kind: 'money', width: 120 },
  {
    key: 'isAccepted',
    label: 'Status',
    kind: 'status',
    width: 110,
    value: ({ isAccepted }) => acceptedOr(isAccepted, { label: 'Disputed', tone: 'bad' }),
  },
];

export const hsdVerifiedColumns: readonly Column<HsdAlreadyVerified>[] = [
  ...challanInRow,
  { key: 'verifiedAt', label: 'Verified At', kind: 'datetime', width: 160 },
];

const onlyCandidate = ({ near, nearCount }: HsdNotFoundRow): HsdCandidate | undefined =>
  nearCount === 1 ? near[0] : undefined;

/** The rows whose TP number belongs to no challan, and the challans that they may mean. */
export const hsdNotFoundColumns: readonly Column<HsdNotFoundRow>[] = [
  rowColumn,
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  {
    key: 'uploadedAmount',
    label: 'Uploaded Amount',
    kind: 'money',
    width: 140,
    value: (row) => row.uploadedAmount ?? null,
  },
  {
    key: 'vehicleNo',
    label: 'Vehicle No in File',
    kind: 'text',
    width: 130,
    value: ({ vehicleNo }) => vehicleNo ?? null,
  },
  {
    key: 'nearTp',
    label: 'Near TP No',
    kind: 'text',
    width: 170,
    empty: '—',
    value: (row) => onlyCandidate(row)?.tpNo ?? (row.nearCount > 1 ? `${row.nearCount} challans fit` : null),
  },
  {
    key: 'nearNumber',
    label: 'Challan No',
    kind: 'text',
    width: 150,
    value: (row) => onlyCandidate(row)?.challanNumber ?? null,
  },
  {
    key: 'nearVehicle',
    label: 'Vehicle No',
    kind: 'text',
    width: 125,
    value: (row) => onlyCandidate(row)?.vehicleNo ?? null,
  },
  {
    key: 'nearAmount',
    label: 'Challan Amount',
    kind: 'money',
    width: 140,
    value: (row) => onlyCandidate(row)?.challanAmount ?? null,
  },
  {
    key: 'isAccepted',
    label: 'Status',
    kind: 'status',
    width: 120,
    value: ({ isAccepted, nearCount, isUnique }) =>
      acceptedOr(
        isAccepted,
        nearCount === 0
          ? { label: 'Not found', tone: 'bad' }
          : { label: isUnique ? 'Near match' : 'Choose one', tone: 'warn' },
      ),
  },
];

/** A line of the discrepancy sheet that is sent back to the pump (docs/specification.md §11.6). */
export interface HsdDiscrepancyRow {
  row: number;
  tpNo: string;
  /** A day (YYYY-MM-DD), or the text of the bill where that is not a day. */
  billDate: string;
  billVehicle: string;
  billedAmount: string | null;
  challanNumber: string | null;
  vehicleNo: string | null;
  loadingDate: string | null;
  challanAmount: string | null;
  difference: string | null;
  remark: string;
}

export const hsdDiscrepancyColumns: readonly Column<HsdDiscrepancyRow>[] = [
  { key: 'row', label: 'Row in Bill', kind: 'count', width: 80 },
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'billDate', label: 'Date in Bill', kind: 'text', width: 100 },
  { key: 'billVehicle', label: 'Vehicle in Bill', kind: 'text', width: 120 },
  { key: 'billedAmount', label: 'Billed', kind: 'money', width: 110 },
  { key: 'challanNumber', label: 'Our Challan', kind: 'text', width: 140 },
  { key: 'vehicleNo', label: 'Our Vehicle', kind: 'text', width: 120 },
  { key: 'loadingDate', label: 'Our Date', kind: 'date', width: 100 },
  { key: 'challanAmount', label: 'Our Amount', kind: 'money', width: 110 },
  { key: 'difference', label: 'Difference', kind: 'money', width: 110 },
  { key: 'remark', label: 'Remark', kind: 'text', width: 320 },
];

/** '2026-04' → 'April 2026' */
export const monthText = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** 'Pump Ledger': a row is one pump in one month. */
export const hsdLedgerColumns: readonly Column<HsdLedgerLine>[] = [
  {
    key: 'petrolPump',
    label: 'Petrol Pump',
    kind: 'reference',
    width: 240,
    value: ({ petrolPump }) => petrolPump.name,
  },
  { key: 'month', label: 'Month', kind: 'text', width: 150, value: ({ month }) => monthText(month) },
  { key: 'rowCount', label: 'Rows', kind: 'count', width: 90 },
  { key: 'billedAmount', label: 'Billed', kind: 'money', width: 150 },
  { key: 'verifiedAmount', label: 'Verified', kind: 'money', width: 150 },
  { key: 'openAmount', label: 'Not Verified Yet', kind: 'money', width: 150 },
  { key: 'disputedAmount', label: 'Disputed', kind: 'money', width: 150 },
];

/** Past verifications: a row is one upload. */
export const hsdUploadColumns: readonly Column<HsdUpload>[] = [
  { key: 'fileName', label: 'File', kind: 'text', width: 220 },
  { key: 'createdAt', label: 'Uploaded At', kind: 'datetime', width: 150 },
  { key: 'createdBy', label: 'Uploaded By', kind: 'text', width: 170 },
  { key: 'totalRecords', label: 'Total', kind: 'count', width: 80 },
  { key: 'validRecords', label: 'Valid', kind: 'count', width: 80 },
  { key: 'validMatches', label: 'Matches', kind: 'count', width: 90 },
  { key: 'totalDiscrepancies', label: 'Discrepancies', kind: 'count', width: 116 },
  { key: 'verifiedCount', label: 'Verified', kind: 'count', width: 90, empty: '—' },
];

/** Only a day is written as one: what a bill says otherwise ('03/04/26') may be read in two ways, and stays as it is. */
export const billDateText = ({ billDate }: { billDate: string }): string =>
  isDay(billDate) ? formatDate(billDate) : billDate;

const statusOfRow = ({ found, isAccepted, isVerified }: HsdUploadRow): Status => {
  if (isAccepted) return { label: 'Accepted', tone: 'good' };
  if (found === 'mismatch') return { label: 'Amount differs', tone: 'bad' };
  if (found === 'not-found') return { label: 'TP not found', tone: 'bad' };
  if (found === 'set-aside') return { label: 'Set aside', tone: 'bad' };
  if (found === 'verified') return { label: 'Already verified', tone: 'good' };
  return isVerified ? { label: 'Verified', tone: 'good' } : { label: 'Not verified', tone: 'warn' };
};

/** The rows of a past verification (docs/specification.md §11.8). */
export const hsdUploadRowColumns: readonly Column<HsdUploadRow>[] = [
  rowColumn,
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 160, least: 150 },
  { key: 'found', label: 'Status', kind: 'status', width: 136, least: 130, value: statusOfRow },
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 124 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 124 },
  { key: 'difference', label: 'Difference', kind: 'money', width: 116 },
  { key: 'challanNumber', label: 'Challan No', kind: 'text', width: 144, least: 138, empty: '—' },
  { key: 'remark', label: 'Remark', kind: 'text', width: 200, least: 122 },
  { key: 'billVehicle', label: 'Vehicle in Bill', kind: 'text', width: 120, least: 106 },
  { key: 'billDate', label: 'Date in Bill', kind: 'text', width: 104, least: 98, value: billDateText },
];
