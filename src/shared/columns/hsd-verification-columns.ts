import type { HsdAlreadyVerified, HsdMatch, HsdMismatch, HsdUpload } from '../contract/hsd-verification.ts';
import type { Column } from './define.ts';

/** A valid match on the screen: some may have been verified since the file was read, or changed and no longer match. */
export interface HsdMatchRow extends HsdMatch {
  isVerified: boolean;
  isChanged: boolean;
}

/** Result tables of HSD verification (docs/specification.md §17.7). */
export const hsdMatchColumns: readonly Column<HsdMatchRow>[] = [
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 170 },
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 150 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 150 },
  {
    key: 'isVerified',
    label: 'Status',
    kind: 'status',
    width: 120,
    value: ({ isVerified, isChanged }) => {
      if (isChanged) return { label: 'Changed since', tone: 'bad' };
      return isVerified ? { label: 'Verified', tone: 'good' } : { label: 'Not verified', tone: 'warn' };
    },
  },
];

export const hsdMismatchColumns: readonly Column<HsdMismatch>[] = [
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 170 },
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 150 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 150 },
  { key: 'difference', label: 'Difference', kind: 'money', width: 130 },
];

export const hsdVerifiedColumns: readonly Column<HsdAlreadyVerified>[] = [
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 170 },
  { key: 'verifiedAt', label: 'Verified At', kind: 'datetime', width: 160 },
];

/** The file's TP numbers that no challan has; `id` only distinguishes two equal ones. */
export const hsdNotFoundColumns: readonly Column<{ id: string; tpNo: string }>[] = [
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
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
