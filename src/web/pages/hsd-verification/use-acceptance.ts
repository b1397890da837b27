import { useCallback, useMemo, useRef, useState } from 'react';
import { formatINR } from '../../../shared/calc/money.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import type { HsdMismatchRow, HsdNotFoundRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { GridSelection } from '../../grid/grid-types.ts';
import { useRowSelection } from '../../grid/row-selection.ts';
import type { ResultKind } from './result-tables.tsx';

/** A row as it is sent. */
export interface AcceptedLine {
  row: number;
  challanId: string;
  challanAmount: string;
}

interface Offer {
  challanId: string;
  challanAmount: string;
  isWithinTolerance: boolean;
  /** What tells this challan from others. */
  words: string;
}

/** A row that may be accepted, and the challans that it could be of. */
export interface ToAccept {
  row: number;
  tpNo: string;
  uploadedAmount: string;
  offers: readonly Offer[];
}

const mismatchKey = (row: HsdMismatchRow): string => row.challanId;
const mismatchLabel = (row: HsdMismatchRow): string => `Select ${row.challanNumber}`;
function mismatchReason({ isAccepted, row, challanNumber }: HsdMismatchRow): string | undefined {
  if (isAccepted) return `${challanNumber} is accepted already`;
  return row === undefined ? 'Upload the file again to accept it' : undefined;
}
const notFoundKey = (row: HsdNotFoundRow): string => row.id;
const notFoundLabel = ({ row, id }: HsdNotFoundRow): string => `Select row ${row ?? id}`;
function notFoundReason({ isAccepted, near, tpNo }: HsdNotFoundRow): string | undefined {
  if (isAccepted) return `TP No ${tpNo} is accepted already`;
  return near.length === 0 ? `No challan has a TP number near ${tpNo}` : undefined;
}

const placed = (vehicleNo = '', loadingDate = '', ownerName = ''): string =>
  [vehicleNo, loadingDate && formatDate(loadingDate), ownerName].filter(Boolean).join(', ');

const ofMismatch = (one: HsdMismatchRow): ToAccept => ({
  row: one.row ?? 0,
  tpNo: one.tpNo,
  uploadedAmount: one.uploadedAmount,
  offers: [
    {
      challanId: one.challanId,
      challanAmount: one.challanAmount,
      isWithinTolerance: false,
      words: `${one.challanNumber}, ${formatINR(one.challanAmount)} (${placed(one.vehicleNo, one.loadingDate, one.ownerName)})`,
    },
  ],
});

const ofNotFound = ({ row = 0, tpNo, uploadedAmount, near }: HsdNotFoundRow): ToAccept => ({
  row,
  tpNo,
  uploadedAmount: uploadedAmount ?? '0.00',
  offers: near.map((one) => ({
    challanId: one.challanId,
    challanAmount: one.challanAmount,
    isWithinTolerance: one.isWithinTolerance,
    words: `TP No ${one.tpNo}, ${one.challanNumber}, ${formatINR(one.challanAmount)} (${placed(one.vehicleNo, one.loadingDate, one.ownerName)})`,
  })),
});

/** The chosen mismatches and near matches, and the dialog that accepts them. Select all takes only what is unique. */
export function useAcceptance(
  kind: ResultKind,
  mismatches: readonly HsdMismatchRow[],
  notFound: readonly HsdNotFoundRow[],
  send: (lines: AcceptedLine[], reason: string) => Promise<boolean>,
) {
  const ofAmount = useRowSelection(mismatches, {
    keyOf: mismatchKey,
    labelOf: mismatchLabel,
    disabledReason: mismatchReason,
  });
  const ofTp = useRowSelection(notFound, {
    keyOf: notFoundKey,
    labelOf: notFoundLabel,
    disabledReason: notFoundReason,
  });
  const unique = useMemo(() => notFound.filter(({ isUnique, isAccepted }) => isUnique && !isAccepted), [notFound]);
  const { selection: tpSelection, setRows } = ofTp;
  const nearSelection = useMemo<GridSelection<HsdNotFoundRow>>(
    () => ({
      ...tpSelection,
      ...(tpSelection.header && {
        header: {
          ...tpSelection.header,
          label: 'Select all rows that one challan fits',
          onToggle: (isOn: boolean) => setRows(isOn ? unique : notFound, isOn),
        },
      }),
      onSelectAll: () => setRows(unique, true),
    }),
    [tpSelection, setRows, unique, notFound],
  );

  const chosen = useMemo<ToAccept[]>(() => {
    if (kind === 'mismatches')
      return mismatches.filter((row) => !mismatchReason(row) && ofAmount.ids.has(mismatchKey(row))).map(ofMismatch);
    if (kind === 'notFound')
      return notFound.filter((row) => !notFoundReason(row) && ofTp.ids.has(notFoundKey(row))).map(ofNotFound);
    return [];
  }, [kind, mismatches, notFound, ofAmount.ids, ofTp.ids]);

  const [asked, setAsked] = useState<readonly ToAccept[]>();
  const [isBusy, setBusy] = useState(false);
  const under = useRef(false);
  const clear = kind === 'mismatches' ? ofAmount.clear : ofTp.clear;
  const accept = useCallback(
    async (lines: AcceptedLine[], reason: string): Promise<void> => {
      if (under.current) return;
      under.current = true;
      setBusy(true);
      const isDone = await send(lines, reason);
      under.current = false;
      setBusy(false);
      if (!isDone) return;
      clear();
      setAsked(undefined);
    },
    [send, clear],
  );
  const openOne = useCallback((row: HsdNotFoundRow) => {
    if (!notFoundReason(row)) setAsked([ofNotFound(row)]);
  }, []);

  return {
    mismatchSelection: ofAmount.selection,
    nearSelection,
    chosen,
    asked,
    isBusy,
    ask: () => setAsked(chosen),
    openOne,
    accept,
    close: () => setAsked(undefined),
  };
}
