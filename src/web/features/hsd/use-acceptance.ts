import { useCallback, useMemo, useRef, useState } from 'react';
import { formatINR } from '../../../shared/calc/money.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import type { HsdMismatchRow, HsdNotFoundRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { GridSelection } from '../../kit/grid/grid-types.ts';
import { useRowSelection } from '../../kit/grid/row-selection.ts';
import type { ResultKind } from './result-tables.tsx';

/** One accepted row, as the call sends it. */
export interface AcceptedLine {
  row: number;
  challanId: string;
  challanAmount: string;
}

interface Offer {
  challanId: string;
  challanAmount: string;
  isWithinTolerance: boolean;
  /** A description that tells this challan from the others. */
  description: string;
}

/** A row that can be accepted, and the challans that fit it. */
export interface ToAccept {
  row: number;
  tpNo: string;
  uploadedAmount: string;
  offers: readonly Offer[];
}

const mismatchKey = (row: HsdMismatchRow): string => row.challanId;
const mismatchLabel = (row: HsdMismatchRow): string => `Select ${row.challanNumber}`;
function mismatchReason({ isAccepted, row, challanNumber }: HsdMismatchRow): string | undefined {
  if (isAccepted) return `${challanNumber} is already accepted`;
  return row === undefined ? 'Upload the file again to accept it' : undefined;
}
const notFoundKey = (row: HsdNotFoundRow): string => row.id;
const notFoundLabel = ({ row, id }: HsdNotFoundRow): string => `Select row ${row ?? id}`;
function notFoundReason({ isAccepted, near, tpNo }: HsdNotFoundRow): string | undefined {
  if (isAccepted) return `TP No ${tpNo} is already accepted`;
  return near.length === 0 ? `No challan has a TP number close to ${tpNo}` : undefined;
}

const describePlace = (vehicleNo = '', loadingDate = '', ownerName = ''): string =>
  [vehicleNo, loadingDate && formatDate(loadingDate), ownerName].filter(Boolean).join(', ');

const fromMismatch = (one: HsdMismatchRow): ToAccept => ({
  row: one.row ?? 0,
  tpNo: one.tpNo,
  uploadedAmount: one.uploadedAmount,
  offers: [
    {
      challanId: one.challanId,
      challanAmount: one.challanAmount,
      isWithinTolerance: false,
      description: `${one.challanNumber}, ${formatINR(one.challanAmount)} (${describePlace(one.vehicleNo, one.loadingDate, one.ownerName)})`,
    },
  ],
});

const fromNotFound = ({ row = 0, tpNo, uploadedAmount, near }: HsdNotFoundRow): ToAccept => ({
  row,
  tpNo,
  uploadedAmount: uploadedAmount ?? '0.00',
  offers: near.map((one) => ({
    challanId: one.challanId,
    challanAmount: one.challanAmount,
    isWithinTolerance: one.isWithinTolerance,
    description: `TP No ${one.tpNo}, ${one.challanNumber}, ${formatINR(one.challanAmount)} (${describePlace(one.vehicleNo, one.loadingDate, one.ownerName)})`,
  })),
});

/**
 * The selection of mismatches and near matches, and the dialog that accepts them. Select all takes only the rows that
 * exactly one challan fits.
 */
export function useAcceptance(
  kind: ResultKind,
  mismatches: readonly HsdMismatchRow[],
  notFound: readonly HsdNotFoundRow[],
  send: (lines: AcceptedLine[], reason: string) => Promise<boolean>,
) {
  const mismatchRows = useRowSelection(mismatches, {
    keyOf: mismatchKey,
    labelOf: mismatchLabel,
    disabledReason: mismatchReason,
  });
  const notFoundRows = useRowSelection(notFound, {
    keyOf: notFoundKey,
    labelOf: notFoundLabel,
    disabledReason: notFoundReason,
  });
  const uniqueRows = useMemo(() => notFound.filter(({ isUnique, isAccepted }) => isUnique && !isAccepted), [notFound]);
  const { selection: tpSelection, setRows } = notFoundRows;
  const nearSelection = useMemo<GridSelection<HsdNotFoundRow>>(
    () => ({
      ...tpSelection,
      ...(tpSelection.header && {
        header: {
          ...tpSelection.header,
          label: 'Select all rows that one challan fits',
          onToggle: (isOn: boolean) => setRows(isOn ? uniqueRows : notFound, isOn),
        },
      }),
      onSelectAll: () => setRows(uniqueRows, true),
    }),
    [tpSelection, setRows, uniqueRows, notFound],
  );

  const chosen = useMemo<ToAccept[]>(() => {
    if (kind === 'mismatches')
      return mismatches
        .filter((row) => !mismatchReason(row) && mismatchRows.ids.has(mismatchKey(row)))
        .map(fromMismatch);
    if (kind === 'notFound')
      return notFound.filter((row) => !notFoundReason(row) && notFoundRows.ids.has(notFoundKey(row))).map(fromNotFound);
    return [];
  }, [kind, mismatches, notFound, mismatchRows.ids, notFoundRows.ids]);

  const [rowsToAccept, setRowsToAccept] = useState<readonly ToAccept[]>();
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);
  const clear = kind === 'mismatches' ? mismatchRows.clear : notFoundRows.clear;
  const accept = useCallback(
    async (lines: AcceptedLine[], reason: string): Promise<void> => {
      if (isSending.current) return;
      isSending.current = true;
      setBusy(true);
      const isDone = await send(lines, reason);
      isSending.current = false;
      setBusy(false);
      if (!isDone) return;
      clear();
      setRowsToAccept(undefined);
    },
    [send, clear],
  );
  const openOne = useCallback((row: HsdNotFoundRow) => {
    if (!notFoundReason(row)) setRowsToAccept([fromNotFound(row)]);
  }, []);

  return {
    mismatchSelection: mismatchRows.selection,
    nearSelection,
    chosen,
    rowsToAccept,
    isBusy,
    openDialog: () => setRowsToAccept(chosen),
    openOne,
    accept,
    closeDialog: () => setRowsToAccept(undefined),
  };
}
