import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ExternalLink } from 'lucide-react';
import { ownerPaymentColumns, ownerTripColumns } from '../../../shared/columns/owner-account-columns.ts';
import type { OwnerPaymentWithTrips as Payment, OwnerTrip } from '../../../shared/contract/accounting.ts';
import { isApiError } from '../../kit/api/api-error.ts';
import { accounting } from '../../resources/accounting.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { GridHandle, GridTree } from '../../kit/grid/grid-types.ts';
import { groupCells, treeColumns } from '../../kit/grid/tree-columns.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';

/** A row of one flat list: a payment, followed by its trips if it is expanded. */
type Row =
  { kind: 'payment'; key: string; payment: Payment } | { kind: 'trip'; key: string; payment: Payment; trip: OwnerTrip };

const treeSpec = {
  groups: ownerPaymentColumns,
  members: ownerTripColumns,
  groupOf: ({ payment }: Row): Payment => payment,
  memberOf: (row: Row): OwnerTrip | undefined => (row.kind === 'trip' ? row.trip : undefined),
};
const columns = treeColumns(treeSpec);
const keyOfRow = ({ key }: Row): string => key;
const isUndone = (row: Row): boolean =>
  row.kind === 'trip' ? row.trip.reversedAt !== null : row.payment.paidCount === 0;

const defaultLimit = 10;

interface OwnerPaymentsProps {
  ownerId: string;
  /** The payment that gets the first focus; '' for the newest. */
  paymentId: string;
  page: number;
  onPage: (page: number) => void;
  placeFocus: () => boolean;
  onClose: () => void;
}

/** What an owner was paid and for which trips (docs/specification.md §9.6). */
export default function OwnerPayments(props: OwnerPaymentsProps) {
  const { ownerId, paymentId, page, onPage, placeFocus, onClose } = props;
  const navigate = useNavigate();
  const grid = useRef<GridHandle<Row>>(null);
  const place = useRef<HTMLDivElement>(null);
  const [limit, setLimit] = useState(defaultLimit);
  const query = accounting.useListOwnerPayments({ query: { ownerId, page, limit } });
  const isGone = isApiError(query.error, 'NOT_FOUND');
  const payments = query.data?.data;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo<GridTree<Row>>(() => {
    const isExpanded = ({ payment }: Row): boolean => !closed.has(payment.batchId);
    return {
      isGroup: ({ kind }) => kind === 'payment',
      isExpanded,
      onToggle: ({ payment: { batchId } }, isOpen) =>
        setClosed((before) => {
          const next = new Set(before);
          if (isOpen) next.delete(batchId);
          else next.add(batchId);
          return next;
        }),
      onExpandAll: () => setClosed(new Set()),
      groupIdOf: (row) => (row.kind === 'trip' ? row.payment.batchId : undefined),
      ...groupCells(treeSpec, { isExpanded }),
    };
  }, [closed]);
  const flatten = useCallback(
    (some: readonly Payment[]) =>
      some.flatMap((payment): Row[] => [
        { kind: 'payment', key: payment.batchId, payment },
        ...(closed.has(payment.batchId)
          ? []
          : // The payment is part of the key, because a challan may be paid, unpaid and paid again.
            payment.trips.map((trip): Row => ({
              kind: 'trip',
              key: `${payment.batchId}:${trip.challanId}`,
              payment,
              trip,
            }))),
      ]),
    [closed],
  );
  const rows = useMemo(() => payments && flatten(payments), [payments, flatten]);

  const hasRows = payments !== undefined && payments.length > 0;
  useEffect(() => {
    if (!hasRows || !place.current || document.activeElement !== place.current) return;
    if (!payments.some(({ batchId }) => batchId === paymentId) || !grid.current?.focusRow(paymentId)) {
      grid.current?.focusFirstRow();
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, when the first rows are loaded
  }, [hasRows]);

  const owner = query.data?.meta.owner;
  const count = query.data?.pagination.totalCount ?? 0;
  return (
    <Dialog
      size="xl"
      closeOnOutside
      title={owner ? `Payments of ${owner.name}` : 'Payments'}
      onClose={onClose}
      initialFocus={place}
      placeFocus={placeFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {isGone ? (
        <Alert title="Owner not found">The link may be wrong, or it belongs to another account.</Alert>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- holds the focus until the rows are loaded
        <div ref={place} role="group" aria-label="Payments and trips" tabIndex={-1} className="outline-none">
          {owner && owner.holdReason !== '' && <p className="mb-2 text-sm text-danger">On hold: {owner.holdReason}</p>}
          <div className="flex h-[66vh] min-h-80 flex-col">
            <DataGrid<Row>
              ref={grid}
              label="Payments and their trips"
              memoryKey="owner-payments"
              columns={columns}
              rows={rows}
              keyOf={keyOfRow}
              status={gridStatusOf(query, 'Failed to fetch payments')}
              empty="This owner was not paid yet."
              tree={tree}
              loadPage={pagesOf(query, ({ data }) => flatten(data))}
              pager={{
                page,
                limit,
                totalCount: count,
                noun: 'payments',
                onPage,
                onLimit: (size) => {
                  setLimit(size);
                  onPage(1);
                },
              }}
              isMuted={isUndone}
              totals={query.data?.summary}
              totalsLabel={`Total of ${formatCount(count)}`}
              rowActions={[
                {
                  id: 'open',
                  label: 'Open the payment',
                  icon: <ExternalLink size={15} aria-hidden />,
                  run: ({ payment }) => void navigate(`/accounting/payments?open=${payment.batchId}`),
                  isOf: ({ kind }) => kind === 'payment',
                },
              ]}
              onOpen={(row) => {
                if (row.kind === 'trip') void navigate(`/challans?open=${row.trip.challanId}`);
              }}
              openLabel="Expand or collapse the payment; on a trip: open its challan"
            />
          </div>
        </div>
      )}
    </Dialog>
  );
}
