import type { HsdAlreadyVerified, HsdMatch, HsdMismatch } from '../contract/hsd-verification.ts';
import type { Column } from './define.ts';

/** Result tables of HSD verification (part 2 §3). */
export const hsdMatchColumns: readonly Column<HsdMatch>[] = [
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 170 },
  { key: 'uploadedAmount', label: 'Uploaded Amount', kind: 'money', width: 150 },
  { key: 'challanAmount', label: 'Challan Amount', kind: 'money', width: 150 },
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
