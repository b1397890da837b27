import { useCallback, useMemo, useState } from 'react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { clsx } from 'clsx';
import { challansText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatDate } from '../../../../shared/calc/dates.ts';
import { accountProblem, failureText } from '../../../../shared/bank/lines.ts';
import { formatINR, isZero } from '../../../../shared/calc/money.ts';
import { paymentOf } from '../../../../shared/calc/payable.ts';
import {
  isSelected,
  ownerState,
  selectPage,
  setSelected,
  type SelectableOwner,
  type Selection,
} from '../../../../shared/calc/selection.ts';
import { statementChallanColumns, statementStatus } from '../../../../shared/columns/bank-statement-columns.ts';
import { cellValue, type Column, type Status } from '../../../../shared/columns/define.ts';
import type {
  OwedChallan,
  OwedOwner,
  StatementChallan,
  StatementFilters,
} from '../../../../shared/contract/bank-statement.ts';
import type { GridSelection, GridTree, SelectionState } from '../../../kit/grid/grid-types.ts';
import { payableOf, payableOwner } from './payment-plan.ts';
import type { Details, NextSelection } from './use-statement.ts';

/** A row of the flat list: each owner, and after an expanded one its unpaid challans (docs/specification.md §10.1). */
export type StatementRow =
  | { kind: 'owner'; key: string; owner: OwedOwner }
  | { kind: 'challan'; key: string; owner: OwedOwner; challan: OwedChallan; details: Details };

export const keyOfRow = (row: StatementRow): string => row.key;

export function flatten(
  owners: readonly OwedOwner[],
  expanded: ReadonlySet<string>,
  detailsOf: (challanId: string) => Details,
): StatementRow[] {
  return owners.flatMap((owner): StatementRow[] => [
    { kind: 'owner', key: owner.id, owner },
    ...(expanded.has(owner.id)
      ? owner.challans.map((challan): StatementRow => {
          const { challanId } = challan;
          return { kind: 'challan', key: challanId, owner, challan, details: detailsOf(challanId) };
        })
      : []),
  ]);
}

/** The headings of owners, in the columns that show something of them. */
const ownerHeadings: Readonly<Record<string, string>> = {
  challanNumber: 'Name',
  vehicleNo: 'Contact',
  trip: 'Account Number',
  loadingDate: 'IFSC',
  unloadingDate: 'Unpaid Count',
  depositedAt: 'Oldest Deposit',
  netAmountPayable: 'Unpaid Amount',
  tag: 'Branch',
};
const challanHeadings = Object.fromEntries(statementChallanColumns.map(({ key, label }) => [key, label]));

/**
 * The columns of the flat list: headed as an owner's row is, with the values of challans. The rows of owners have their own
 * cells (`ownerCells`).
 */
export const statementColumns = statementChallanColumns.map((column) => ({
  ...column,
  label: ownerHeadings[column.key] ?? column.label,
  value: (row: StatementRow) => (row.kind === 'challan' ? challanCell(column, row) : null),
  // The kind and the value come from the same challan column, which the compiler checked; '' is empty for every kind.
})) as readonly Column<StatementRow>[];

type ChallanRow = Extract<StatementRow, { kind: 'challan' }>;

/** Amount and hold are those that a payment uses. The details may have been loaded earlier or later. */
function challanCell(column: Column<StatementChallan>, { challan, details }: ChallanRow) {
  if (column.key === 'netAmountPayable') return challan.netAmountPayable;
  if (column.kind === 'status')
    return details === 'failed' && challan.holdReason === ''
      ? notLoaded
      : statementStatus({ ...challan, paymentStatus: false });
  return typeof details === 'object' ? cellValue(column, details) : '';
}

const notLoaded: Status = { label: 'Not loaded', tone: 'neutral' };

/** Why a row cannot be selected. An owner can be, unless all its challans are on hold. */
function holdOf({ kind, owner, ...row }: StatementRow): string | undefined {
  if (owner.holdReason !== '') return `${owner.name} is on hold: ${owner.holdReason}`;
  if (kind === 'owner')
    return owner.heldCount < owner.unpaidCount ? undefined : 'All challans of this owner are on hold';
  const challan = 'challan' in row ? row.challan : undefined;
  return challan && challan.holdReason !== '' ? `On hold: ${challan.holdReason}` : undefined;
}

/** The cells of an owner's row. */
const ownerCells = (expanded: ReadonlySet<string>): GridTree<StatementRow>['cells'] => ({
  // A name is long, so it spans the columns of number and TP.
  challanNumber: {
    span: 2,
    render: ({ owner }) => (
      <span className="flex min-w-0 items-center gap-1.5 font-medium text-ink" title={owner.name}>
        {expanded.has(owner.id) ? (
          <ChevronDown size={14} aria-hidden className="shrink-0" />
        ) : (
          <ChevronRight size={14} aria-hidden className="shrink-0" />
        )}
        <span className="truncate">{owner.name}</span>
        {owner.holdReason !== '' && (
          <span className="truncate text-xs font-normal text-danger" title={`On hold: ${owner.holdReason}`}>
            On hold: {owner.holdReason}
          </span>
        )}
        {owner.holdReason === '' && owner.heldCount > 0 && (
          <span
            className="shrink-0 text-xs font-normal text-danger"
            title={`${heldText(owner)}, ${formatINR(owner.heldAmount)}`}
          >
            {heldText(owner)}
          </span>
        )}
      </span>
    ),
    text: ({ owner }) => owner.name,
  },
  vehicleNo: {
    render: ({ owner }) => <span className="nums truncate">{owner.contactNumber}</span>,
    text: ({ owner }) => owner.contactNumber,
  },
  trip: {
    // A missing account must be noticed before the payment, not at the bank.
    render: ({ owner: { accountNo } }) =>
      accountNo === '' ? (
        <span className="truncate text-warn">No account number</span>
      ) : (
        <span className="nums truncate">{accountNo}</span>
      ),
    text: ({ owner }) => owner.accountNo,
  },
  loadingDate: {
    render: ({ owner: { ifsc } }) =>
      ifsc === '' ? <span className="text-warn">No IFSC</span> : <span className="nums">{ifsc}</span>,
    text: ({ owner }) => owner.ifsc,
  },
  unloadingDate: {
    kind: 'count',
    render: ({ owner }) => <span className="nums truncate">{challansText(owner.unpaidCount)}</span>,
    text: ({ owner }) => String(owner.unpaidCount),
  },
  depositedAt: {
    kind: 'date',
    render: ({ owner: { oldestDeposit } }) => (
      <span className="nums truncate">{oldestDeposit === null ? 'Not deposited' : formatDate(oldestDeposit)}</span>
    ),
    text: ({ owner: { oldestDeposit } }) => (oldestDeposit === null ? '' : formatDate(oldestDeposit)),
  },
  netAmountPayable: {
    kind: 'money',
    render: ({ owner }) => <span className="font-semibold">{formatINR(owner.unpaidAmount)}</span>,
    text: ({ owner }) => owner.unpaidAmount,
  },
  tag: {
    render: ({ owner: { branchName } }) => (
      <span className="truncate" title={branchName}>
        {branchName}
      </span>
    ),
    text: ({ owner }) => owner.branchName,
  },
  // The challans are all unpaid, so for an owner the status says whether money can be transferred to it.
  paymentStatus: {
    render: ({ owner }) => {
      const { word, why, isGood } = readiness(owner);
      return (
        <span className={clsx('font-medium', isGood ? 'text-good' : 'text-warn')} title={why}>
          {word}
        </span>
      );
    },
    text: ({ owner }) => readiness(owner).word,
  },
});

/** Whether money can be transferred to this owner, in as few words as the column holds. */
function readiness(owner: OwedOwner): {
  word: string;
  why: string;
  isGood: boolean;
} {
  const { accountNo, ifsc, carriedAmount, holdReason, failedTransfer } = owner;
  if (holdReason !== '') return { word: 'On hold', why: `On hold: ${holdReason}`, isGood: false };
  const carried = isZero(carriedAmount)
    ? ''
    : ` ${formatINR(carriedAmount)} carried from earlier payments is deducted.`;
  if (paymentOf({ ...owner, challanCount: owner.unpaidCount, amount: owner.unpaidAmount }).is === 'leftOut') {
    return {
      word: 'Negative',
      why: `The sum is negative: nothing to transfer${carried && `.${carried}`}`,
      isGood: false,
    };
  }
  if (accountNo === '') return { word: 'No account', why: 'The owner has no account number', isGood: false };
  if (ifsc === '') return { word: 'No IFSC', why: 'The owner has no IFSC', isGood: false };
  // Who sees the last four characters only is not told that the dots before them are wrong.
  const problem = accountProblem({
    accountNo: accountNo.replaceAll('•', '0'),
    ifsc: ifsc.replace(/^•{7}/, 'AAAA0AA'),
  });
  if (problem !== undefined) {
    return { word: problem.includes('IFSC') ? 'Check IFSC' : 'Check account', why: problem, isGood: false };
  }
  if (failedTransfer !== null) {
    const word = failureText(failedTransfer);
    const why = `The last transfer to this account: ${word}. Correct the account or the IFSC, or send it again in the bank file.${carried}`;
    return { word, why, isGood: false };
  }
  const why = `The owner has an account number and an IFSC${carried && `.${carried}`}`;
  return { word: 'Ready', why, isGood: true };
}

/** Challans on hold are part of the owner's sum, but not of a payment. */
const heldText = ({ heldCount }: OwedOwner): string => `${formatCount(heldCount)} on hold`;

function stateOfRow(selection: Selection<StatementFilters>, row: StatementRow): SelectionState {
  if (row.kind === 'owner') return ownerState(selection, payableOwner(row.owner)).state;
  if (holdOf(row) !== undefined) return 'none';
  return isSelected(selection, row.challan.challanId) ? 'all' : 'none';
}

function labelOfRow(row: StatementRow): string {
  if (row.kind === 'owner') return `Select ${row.owner.name}`;
  return `Select ${typeof row.details === 'object' ? row.details.challanNumber : `a challan of ${row.owner.name}`}`;
}

/** The expanded owners. Paging and sorting keep them, Refresh collapses all (docs/specification.md §10.1). */
export function useExpansion(owners: readonly OwedOwner[]) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const collapseAll = useCallback(() => setExpanded(new Set()), []);
  const expandAll = useCallback(
    () => setExpanded((before) => new Set([...before, ...owners.map(({ id }) => id)])),
    [owners],
  );
  const tree = useMemo<GridTree<StatementRow>>(
    () => ({
      isGroup: (row) => row.kind === 'owner',
      isExpanded: (row) => expanded.has(row.owner.id),
      onToggle: (row, isOpen) =>
        setExpanded((before) => {
          const next = new Set(before);
          if (isOpen) next.add(row.owner.id);
          else next.delete(row.owner.id);
          return next;
        }),
      onExpandAll: expandAll,
      groupIdOf: (row) => (row.kind === 'challan' ? row.owner.id : undefined),
      missing: (row) => (row.kind === 'owner' || typeof row.details === 'object' ? undefined : row.details),
      cells: ownerCells(expanded),
      headings: challanHeadings,
    }),
    [expanded, expandAll],
  );
  return { expanded, collapseAll, expandAll, tree };
}

interface Parts {
  owners: readonly OwedOwner[];
  expanded: ReadonlySet<string>;
  selection: Selection<StatementFilters>;
  setSelection: (next: NextSelection) => void;
  onClear: () => boolean;
  onSelectAll: () => void;
}

/**
 * The statement's selection in the form of the grid. Selecting an owner's row selects all of its challans
 * (docs/specification.md §10.2).
 */
export function useGridSelection({ owners, expanded, selection, setSelection, onClear, onSelectAll }: Parts) {
  return useMemo<GridSelection<StatementRow>>(() => {
    const payable = owners.map(payableOwner);
    const challans = payable.flatMap((owner) => owner.challans);
    const chosen = challans.filter(({ challanId }) => isSelected(selection, challanId)).length;
    const isWholePage = challans.length > 0 && chosen === challans.length;
    return {
      stateOf: (row) => stateOfRow(selection, row),
      labelOf: labelOfRow,
      disabledReason: holdOf,
      textOf: (row) => {
        if (row.kind !== 'owner') return undefined;
        const { state, text } = ownerState(selection, payableOwner(row.owner));
        return state === 'some' ? text : undefined;
      },
      setRows: (rows, on) => {
        // One step for each owner: the rows of a range may be thousands, and each step copies the selection.
        const changes = [...challansByOwner(rows, expanded)];
        setSelection((before) => changes.reduce((next, [ownerId, own]) => setSelected(next, ownerId, own, on), before));
      },
      header: {
        state: chosen === 0 ? 'none' : isWholePage ? 'all' : 'some',
        label: 'Select all challans on this page',
        onToggle: (on) => setSelection((before) => (on ? selectPage(before, payable) : withoutPage(before, payable))),
      },
      // Ctrl+A: the page; pressed again with the page selected, everything that matches.
      onSelectAll: () => {
        if (isWholePage) onSelectAll();
        else setSelection((before) => selectPage(before, payable));
      },
      onClear,
    };
  }, [owners, expanded, selection, setSelection, onClear, onSelectAll]);
}

/**
 * The challans that selecting these rows selects, by owner. A row of an owner stands for all of its challans. In a range the
 * row of an expanded owner is skipped, because the range contains the rows of its challans.
 */
function challansByOwner(
  rows: readonly StatementRow[],
  expanded: ReadonlySet<string>,
): ReadonlyMap<string, readonly OwedChallan[]> {
  const found = new Map<string, OwedChallan[]>();
  for (const row of rows) {
    if (row.kind === 'owner' && rows.length > 1 && expanded.has(row.owner.id)) continue;
    const own = found.get(row.owner.id) ?? [];
    const payable = payableOf(row.owner);
    if (row.kind === 'owner') for (const challan of payable) own.push(challan);
    else if (payable.includes(row.challan)) own.push(row.challan);
    found.set(row.owner.id, own);
  }
  return found;
}

const withoutPage = (selection: Selection<StatementFilters>, owners: readonly SelectableOwner[]) =>
  owners.reduce((next, owner) => setSelected(next, owner.id, owner.challans, false), selection);
