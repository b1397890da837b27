import { columnsInCells } from '../../../shared/contract/fields.ts';
import { useCallback, useMemo, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Pause, Truck } from 'lucide-react';
import { canDeleteOwner, canViewTrucks, reasonOf } from '../../../shared/access.ts';
import { ownerColumns, ownerTruckColumns } from '../../../shared/columns/record-columns.ts';
import { declarationStatus } from '../../../shared/columns/declaration-status.ts';
import { ownerFields, type OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import { owners } from '../../resources/owners.ts';
import { OwnerFormDialog, loadOwnerCells, RecordBulkDialog } from '../master-data/index.ts';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { ownersFailed, ownerSearchHint, ownerSorts, useOwner, useOwnerRows } from './owner-record.ts';
import { EditFooter, recordDetails } from '../../kit/records/record-details.tsx';
import { useHold } from '../challans/index.ts';
import { useAccountConfirmation, useToConfirm } from '../bank/index.ts';
import { paymentsCommand, useOwnerPayments } from '../payments/index.ts';
import { recordScreen, type RecordViewProps } from '../../kit/records/record-screen.tsx';
import { useSession } from '../../kit/api/use-session.ts';
import { AuthenticationRequired } from '../../kit/ui/authentication-required.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { formatCount, countText } from '../../../shared/calc/count-text.ts';
import { mapCell, numericKinds } from '../../../shared/columns/define.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { shownText } from '../../kit/grid/column-kinds.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { Scrolled } from '../../kit/ui/page.tsx';

type Mode = 'view' | 'trucks';

/** The trucks of an owner are deleted with it, so the question says how many they are (docs/specification.md §6.3). */
function removalText(trucksCount: number): string {
  const its = trucksCount === 1 ? 'Its truck is' : `Its ${trucksCount} trucks are`;
  const sentence = trucksCount === 0 ? '' : ` ${its} deleted with it.`;
  return `Are you sure you want to delete this owner?${sentence} This action cannot be undone.`;
}

const { name, contactNumber, address, ...bankingFields } = ownerFields;
const basicFields = { name, contactNumber, address };

/**
 * The details of an owner: its fields in the two groups of the form, and its times (docs/specification.md §6.1,
 * view).
 */
const Details = recordDetails<OwnerWithTrucks>({
  record: 'owner',
  title: (owner) => owner?.name ?? 'Owner',
  size: 'lg',
  columns: 2,
  useRecord: useOwner,
  failed: 'Failed to fetch owners',
  facts: (owner) => [
    {
      title: 'Basic Information',
      facts: [
        ...factsOf(basicFields, owner),
        { label: 'Trucks', value: formatCount(owner.trucksCount) },
        ...(owner.declaration ? [{ label: 'Declaration', value: declarationStatus(owner.declaration).label }] : []),
        ...timesOf(owner),
      ],
    },
    { title: 'Banking Information', facts: factsOf(bankingFields, owner) },
    ...(owner.holdReason === '' ? [] : [{ title: 'On Hold', facts: [{ label: 'Reason', value: owner.holdReason }] }]),
  ],
});

function OwnerView(props: RecordViewProps<OwnerWithTrucks, Mode>) {
  const { calls, open, onEdit, onRemove, onClose } = props;
  return (
    <Details
      {...props}
      renderFooter={(owner) => (
        <EditFooter
          record="owner"
          calls={calls}
          onEdit={() => onEdit(owner)}
          onRemove={() => onRemove(owner)}
          onClose={onClose}
        >
          <Button
            icon={<Truck size={14} aria-hidden />}
            disabledReason={reasonOf(canViewTrucks(owner))}
            onClick={() => open(owner.id, 'trucks')}
          >
            View trucks
          </Button>
        </EditFooter>
      )}
    />
  );
}

const Owners = recordScreen<OwnerWithTrucks, Mode>({
  screen: 'owners',
  noun: ['owner', 'owners'],
  columns: ownerColumns,
  sorts: ownerSorts,
  search: { hint: ownerSearchHint },
  useRows: (ask) => useOwnerRows(ask, useToConfirm()),
  failed: ownersFailed,
  empty: {
    importKind: 'owners',
    text: 'Add an owner with the bank account to pay. Then choose the owner for trucks and challans.',
  },
  viewLabel: 'View',
  views: { view: OwnerView, trucks: OwnerTrucks },
  hasBeside: true,
  cells: {
    columns: columnsInCells(ownerFields),
    load: loadOwnerCells,
  },
  form: { addLabel: 'Add New Owner', Dialog: OwnerFormDialog },
  calls: owners.calls,
  bulk: { resource: 'owners', Dialog: RecordBulkDialog, nameOf: ({ name }) => name },
  removal: {
    useSend: owners.useRemove,
    useRefusal: () => {
      const client = useQueryClient();
      return async (owner) => {
        const asked = owners.usageOptions({ params: { id: owner.id } });
        const { data } = await client.fetchQuery({ ...asked, staleTime: 0, retry: false });
        return reasonOf(canDeleteOwner(owner, data.usage.totalChallans));
      };
    },
    question: ({ name, trucksCount }) => ({ title: `Delete owner "${name}"?`, body: removalText(trucksCount) }),
    done: 'Owner deleted successfully',
    failed: 'Failed to delete owner',
  },
  useMore: ({ open, grid, rows }) => {
    const { hold, dialog } = useHold();
    const account = useAccountConfirmation<OwnerWithTrucks>('owner');
    const confirmAccount = account.command;
    const payments = useOwnerPayments(grid, rows);
    const showPayments = payments.show;
    const viewTrucks = useCallback(({ id }: OwnerWithTrucks) => open(id, 'trucks'), [open]);
    const rowCommands = useMemo(
      () => [
        {
          id: 'trucks',
          label: 'View trucks',
          icon: <Truck size={15} aria-hidden />,
          keys: 'T',
          run: viewTrucks,
          disabledReason: (owner: OwnerWithTrucks) => reasonOf(canViewTrucks(owner)),
        },
        { ...paymentsCommand, run: ({ id }: OwnerWithTrucks) => showPayments(id, id) },
        {
          id: 'hold',
          label: 'Put on hold or release',
          icon: <Pause size={15} aria-hidden />,
          keys: 'H',
          calls: owners.calls.setHold,
          run: ({ id, name }: OwnerWithTrucks) => hold({ record: 'owner', id, name }),
        },
        confirmAccount,
      ],
      [viewTrucks, hold, showPayments, confirmAccount],
    );
    return {
      cells: account.cells,
      empty: account.empty,
      aside: account.aside,
      rowCommands,
      dialogs: (
        <>
          {dialog}
          {payments.dialog}
          {account.dialog}
        </>
      ),
    };
  },
});

/** /owners (docs/specification.md §6.1). */
export function OwnersPage() {
  if (!useSession()) {
    return <AuthenticationRequired title="Owners" text="Please log in to access owner management." />;
  }
  return <Owners />;
}

type OwnerTrucksProps = Pick<RecordViewProps<OwnerWithTrucks>, 'id' | 'row' | 'placeFocus' | 'onClose'>;

/** Mode 'trucks': lists the trucks of an owner (docs/specification.md §6.1). */
function OwnerTrucks({ id, row, placeFocus, onClose }: OwnerTrucksProps) {
  const query = useOwner(id);
  const owner = query.data?.data ?? row;
  const contentRef = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      size="md"
      closeOnOutside
      title={owner ? `Trucks of ${owner.name}` : 'Trucks'}
      description={owner && countText(owner.trucksCount, 'truck')}
      onClose={onClose}
      initialFocus={contentRef}
      placeFocus={placeFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <QueryFailure className="mb-4" query={query} fallback="Failed to fetch owners" />
      {owner && (
        <Scrolled ref={contentRef} aria-label="Trucks" className="outline-none">
          {owner.trucks.length === 0 ? (
            <p className="text-muted">This owner has no trucks</p>
          ) : (
            <TruckTable trucks={owner.trucks} />
          )}
        </Scrolled>
      )}
      {!owner && !query.error && (
        <div className="grid min-h-40 place-items-center">
          <Spinner label="Loading trucks" />
        </div>
      )}
    </Dialog>
  );
}

const cellClass = ({ kind }: (typeof ownerTruckColumns)[number]): string =>
  numericKinds.has(kind) ? 'py-1.5 text-right' : 'py-1.5 text-left';

function TruckTable({ trucks }: { trucks: OwnerWithTrucks['trucks'] }) {
  return (
    <table className="nums w-full border-collapse">
      <thead className="text-xs text-muted">
        <tr className="border-b border-line">
          {ownerTruckColumns.map((column) => (
            <th key={column.key} scope="col" className={`${cellClass(column)} pr-4 font-medium`}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trucks.map((truck) => (
          <tr key={truck.id} className="border-b border-line last:border-b-0">
            {ownerTruckColumns.map((column) => (
              <td key={column.key} className={`${cellClass(column)} pr-4`}>
                {mapCell(shownText, column, truck) || <span className="text-muted">—</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
