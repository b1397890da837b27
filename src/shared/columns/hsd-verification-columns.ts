import type {
  HsdAlreadyVerified,
  HsdCandidate,
  HsdLedgerLine,
  HsdMatch,
  HsdMismatch,
  HsdUpload,
} from '../contract/hsd-verification.ts';
import type { Column, Status } from './define.ts';

/** A valid match on the screen: some may have been verified since the file was read, or changed and no longer match. */
export interface HsdMatchRow extends HsdMatch {
  isVerified: boolean;
  isChanged: boolean;
}

/** A mismatch on the screen. */
export interface HsdMismatchRow extends HsdMismatch {
  isAccepted: boolean;
}

/** A row of the file whose TP number no challan has. */
export interface HsdNotFoundRow {
  /** Only distinguishes two equal ones. */
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

type Detailed = {
  row?: number | undefined;
  vehicleNo?: string | undefined;
  loadingDate?: string | undefined;
  ownerName?: string | undefined;
};
const rowColumn: Column<{ row?: number | undefined }> = {
  key: 'row',
  label: 'Row',
  kind: 'count',
  width: 66,
  value: ({ row }) => row ?? null,
};
/** What tells one challan from another. */
const whoAndWhen: readonly Column<Detailed>[] = [
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'text', width: 125, value: ({ vehicleNo }) => vehicleNo ?? null },
  { key: 'loadingDate', label: 'Loading Date', kind: 'date', width: 110, value: (row) => row.loadingDate ?? null },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 150, value: ({ ownerName }) => ownerName ?? null },
];

const acceptedOr = (isAccepted: boolean, open: Status): Status =>
  isAccepted ? { label: 'Accepted', tone: 'good' } : open;

/** Result tables of HSD verification (docs/specification.md §17.7). */
export const hsdMatchColumns: readonly Column<HsdMatchRow>[] = [
  rowColumn,
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 150 },
  ...whoAndWhen,
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 140 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 140 },
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
  rowColumn,
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 150 },
  ...whoAndWhen,
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 140 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 140 },
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
  rowColumn,
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 150 },
  ...whoAndWhen,
  { key: 'verifiedAt', label: 'Verified At', kind: 'datetime', width: 160 },
];

const onlyOne = ({ near, nearCount }: HsdNotFoundRow): HsdCandidate | undefined =>
  nearCount === 1 ? near[0] : undefined;

/** The file's TP numbers that no challan has, and the challans that they could be of. */
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
    value: (row) => onlyOne(row)?.tpNo ?? (row.nearCount > 1 ? `${row.nearCount} challans fit` : null),
  },
  {
    key: 'nearNumber',
    label: 'Challan No',
    kind: 'text',
    width: 150,
    value: (row) => onlyOne(row)?.challanNumber ?? null,
  },
  {
    key: 'nearVehicle',
    label: 'Vehicle No',
    kind: 'text',
    width: 125,
    value: (row) => onlyOne(row)?.vehicleNo ?? null,
  },
  {
    key: 'nearAmount',
    label: 'Challan Amount',
    kind: 'money',
    width: 140,
    value: (row) => onlyOne(row)?.challanAmount ?? null,
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

/** A line of the sheet that goes back to the pump (docs/specification.md §11.6). */
export interface HsdDiscrepancyRow {
  row: number;
  tpNo: string;
  /** A day, or as the bill writes it. */
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
const monthText = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The ledger of the petrol pumps. */
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

/** Past verifications: one line per upload. */
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
