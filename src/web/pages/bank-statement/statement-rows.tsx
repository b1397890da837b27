import { ChevronDown, ChevronRight } from 'lucide-react';
import { formatINR } from '../../../shared/calc/money.ts';
import type { Selection } from '../../../shared/calc/selection.ts';
import { isSelected, ownerState } from '../../../shared/calc/selection.ts';
import { statementChallanColumns } from '../../../shared/columns/bank-statement-columns.ts';
import { cellValue, type Column } from '../../../shared/columns/define.ts';
import type { StatementChallan, StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';
import type { GridTree, SelectionState } from '../../grid/grid-types.ts';

/** One flat list: each owner, and behind an expanded one its unpaid challans (docs/specification.md §10.1). */
export type StatementRow =
  | { kind: 'owner'; key: string; owner: StatementOwner }
  | { kind: 'challan'; key: string; owner: StatementOwner; challan: StatementChallan };

export const keyOfRow = (row: StatementRow): string => row.key;

export function flatten(owners: readonly StatementOwner[], expanded: ReadonlySet<string>): StatementRow[] {
  return owners.flatMap((owner): StatementRow[] => [
    { kind: 'owner', key: owner.id, owner },
    ...(expanded.has(owner.id)
      ? owner.challans.map((challan): StatementRow => ({ kind: 'challan', key: challan.challanId, owner, challan }))
      : []),
  ]);
}

/** The challan's columns, read from a row of the flat list; an owner's row has cells of its own. */
export const statementColumns = statementChallanColumns.map((column) => ({
  ...column,
  value: (row: StatementRow) => (row.kind === 'challan' ? cellValue(column, row.challan) : null),
  // The kind and the value come from the same challan column, which the compiler checked.
})) as readonly Column<StatementRow>[];

export const ownerCells = (expanded: ReadonlySet<string>): GridTree<StatementRow>['cells'] => ({
  // Over the columns of number and TP: a name needs the room.
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
      </span>
    ),
    text: ({ owner }) => owner.name,
  },
  vehicleNo: {
    // Not under its heading: an owner's row says itself what it shows.
    render: ({ owner }) => (
      <span className="truncate">
        <span className="text-muted">Ph </span>
        <span className="nums">{owner.contactNumber}</span>
      </span>
    ),
    text: ({ owner }) => owner.contactNumber,
  },
  trip: {
    span: 2,
    render: ({ owner: { accountNo } }) => <Account accountNo={accountNo} />,
    text: ({ owner }) => owner.accountNo,
  },
  unloadingDate: {
    span: 2,
    render: ({ owner }) => <span className="nums">{unpaidText(owner)}</span>,
    text: ({ owner }) => String(owner.unpaidCount),
  },
  netAmountPayable: {
    render: ({ owner }) => <span className="font-semibold">{formatINR(owner.unpaidAmount)}</span>,
    text: ({ owner }) => owner.unpaidAmount,
  },
});

function Account({ accountNo }: { accountNo: string }) {
  // Whoever pays must see it here, not at the bank.
  if (accountNo === '') return <span className="truncate text-warn">No account number</span>;
  return (
    <span className="truncate">
      <span className="text-muted">A/c </span>
      <span className="nums">{accountNo}</span>
    </span>
  );
}

const unpaidText = ({ unpaidCount }: StatementOwner): string =>
  `${unpaidCount.toLocaleString('en-IN')} unpaid ${unpaidCount === 1 ? 'challan' : 'challans'}`;

export function stateOfRow(selection: Selection<StatementFilters>, row: StatementRow): SelectionState {
  if (row.kind === 'owner') return ownerState(selection, row.owner).state;
  return isSelected(selection, row.challan.challanId) ? 'all' : 'none';
}

export const labelOfRow = (row: StatementRow): string =>
  row.kind === 'owner' ? `Select ${row.owner.name}` : `Select ${row.challan.challanNumber}`;
