import { useCallback, useMemo, useState, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import { Printer, Undo2 } from 'lucide-react';
import { challansText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import {
  carryWords,
  paymentLineColumns,
  paymentOwnerColumns,
} from '../../../../shared/columns/payment-batch-columns.ts';
import type {
  PaymentBatch,
  PaymentCarry,
  PaymentLine,
  PaymentOwner,
} from '../../../../shared/contract/payment-batches.ts';
import { pagesOf } from '../../../kit/api/create-resource.ts';
import { refusalOf } from '../../../kit/api/seat.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { gridStatusOf } from '../../../kit/feedback/grid-status.ts';
import { pageSizes } from '../../../kit/filters/filter-values.ts';
import { useDebouncedText } from '../../../kit/filters/use-debounced-text.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { GridTree } from '../../../kit/grid/grid-types.ts';
import { groupCells, treeColumns } from '../../../kit/grid/tree-columns.tsx';
import { downloadAdvice } from './download-advice.ts';
import { usePreference } from '../../../kit/api/account-storage.ts';
import { TextField } from '../../../kit/ui/text-field.tsx';

/** The rows of a flat list: each owner, followed by its challans if it is expanded. */
type Row =
  | { kind: 'owner'; key: string; owner: PaymentOwner }
  | { kind: 'line'; key: string; owner: PaymentOwner; line: PaymentLine }
  /** An amount that was carried or deducted, shown like a challan of the owner. */
  | { kind: 'carry'; key: string; owner: PaymentOwner; carry: PaymentCarry };

const keyOfRow = (row: Row): string => row.key;

const treeParts = {
  groups: paymentOwnerColumns,
  members: paymentLineColumns,
  groupOf: ({ owner }: Row): PaymentOwner => owner,
  memberOf: (row: Row): PaymentLine | undefined => (row.kind === 'owner' ? undefined : lineOf(row)),
};
const columns = treeColumns(treeParts);

function lineOf(row: Exclude<Row, { kind: 'owner' }>): PaymentLine {
  if (row.kind === 'line') return row.line;
  const { owner, carry } = row;
  return {
    challanId: '',
    challanNumber: carryWords(carry),
    tpNo: '',
    vehicleNo: '',
    ownerId: owner.ownerId,
    ownerName: owner.name,
    amount: carry.amount,
    reversedAt: carry.isBack ? '-' : null,
  };
}

/** The carry of this owner that can be undone. */
const openCarry = ({ carries }: PaymentOwner): PaymentCarry | undefined =>
  carries.find(({ kind, isBack }) => kind === 'carry' && !isBack);

function takeBackReason(owner: PaymentOwner): string | undefined {
  const carry = openCarry(owner);
  if (!carry) return 'This payment carries nothing of this owner';
  return carry.otherNumber === null
    ? undefined
    : `The carry was deducted by payment ${carry.otherNumber}. Undo that payment first.`;
}

const defaultSize = 10;
const searchDebounceMs = 300;

/** The owners of a payment in pages, with a search by name, phone and account. The dialog holds this state. */
export function usePaymentOwners(id: string, page: number, onPage: (page: number) => void) {
  const [remembered, remember] = usePreference('payments.lines', defaultSize);
  const limit = pageSizes.find((size) => size === remembered) ?? defaultSize;
  const [searched, setSearched] = useState({ id, text: '' });
  // The search belongs to one payment only.
  const search = searched.id === id ? searched.text : '';
  const query = paymentBatches.useOwners({
    params: { id },
    query: { page, limit, ...(search === '' ? {} : { search }) },
  });
  const totalCount = query.data?.pagination.totalCount ?? 0;
  return {
    query,
    page,
    limit,
    totalCount,
    search,
    setSearch: (text: string) => {
      setSearched({ id, text });
      onPage(1);
    },
    setLimit: (next: number) => {
      remember(pageSizes.find((size) => size === next) ?? defaultSize);
      onPage(1);
    },
    onPage,
  };
}

interface PaymentOwnersProps {
  /** undefined while it loads. */
  batch: PaymentBatch | undefined;
  list: ReturnType<typeof usePaymentOwners>;
  fieldRef: Ref<HTMLInputElement>;
}

/** Lists the owners of a payment. Each row expands to its challans. */
export function PaymentOwners({ batch, list, fieldRef }: PaymentOwnersProps) {
  const navigate = useNavigate();
  const { mutateAsync: takeBack } = paymentBatches.useTakeBackCarry({
    onSuccess: ({ data }) => notify.success(`Carry taken back: ${challansText(data.reversedCount)} unpaid again`),
  });
  const askTakeBack = (id: string, owner: PaymentOwner): void => {
    const carry = openCarry(owner);
    if (!carry) return;
    void confirm({
      title: `Take back the ${formatINR(carry.amount)} that ${owner.name} owes?`,
      body: `${challansText(owner.paidCount)} of this owner in this payment will be unpaid again, and its next payment deducts nothing.`,
      confirmLabel: 'Take Back',
      danger: true,
      act: () => takeBack({ params: { id, ownerId: owner.ownerId } }),
      failed: 'Failed to take the carry back',
    });
  };
  const { query, page, limit, totalCount, search, setSearch, setLimit, onPage } = list;
  // While the next payment loads, the query still holds the data of the previous one, which must not be shown.
  const owners = batch && !query.isPlaceholderData ? query.data?.data : undefined;
  const text = useDebouncedText({ applied: search, apply: setSearch, least: 2, debounceMs: searchDebounceMs });
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  // A single owner is expanded from the start.
  const isOnly = batch?.ownerCount === 1;
  const tree = useMemo<GridTree<Row>>(() => {
    const isExpanded = (id: string): boolean => toggled.has(id) !== isOnly;
    return {
      isGroup: ({ kind }) => kind === 'owner',
      isExpanded: ({ owner }) => isExpanded(owner.ownerId),
      onToggle: ({ owner: { ownerId } }, isOpen) =>
        setToggled((before) => {
          const next = new Set(before);
          if (isOpen === isOnly) next.delete(ownerId);
          else next.add(ownerId);
          return next;
        }),
      onExpandAll: () => setToggled(new Set(isOnly ? [] : (owners ?? []).map(({ ownerId }) => ownerId))),
      groupIdOf: (row) => (row.kind === 'owner' ? undefined : row.owner.ownerId),
      ...groupCells(treeParts, { isExpanded: ({ owner }) => isExpanded(owner.ownerId) }),
    };
  }, [toggled, isOnly, owners]);
  const flatten = useCallback(
    (some: readonly PaymentOwner[]) =>
      some.flatMap((owner): Row[] => [
        { kind: 'owner', key: owner.ownerId, owner },
        ...(toggled.has(owner.ownerId) === isOnly
          ? []
          : [
              ...owner.challans.map((line): Row => ({ kind: 'line', key: line.challanId, owner, line })),
              ...owner.carries.map((carry, at): Row => ({
                kind: 'carry',
                key: `${owner.ownerId} carry ${at}`,
                owner,
                carry,
              })),
            ]),
      ]),
    [toggled, isOnly],
  );
  const rows = useMemo(() => owners && flatten(owners), [owners, flatten]);
  const status = gridStatusOf(query, 'Failed to fetch payments');
  return (
    <>
      {batch && batch.ownerCount > 1 && (
        <TextField
          ref={fieldRef}
          label="Search owners of this payment"
          hideLabel
          reserve={false}
          className="w-80 max-w-full"
          maxLength={200}
          placeholder="Owner, phone or account"
          value={text.text}
          onValueChange={text.setText}
          onKeyDown={({ key }) => {
            if (key === 'Enter') text.flush();
          }}
        />
      )}
      <DataGrid<Row>
        label="Owners of this payment"
        memoryKey="payment-owners"
        ownFile="row"
        columns={columns}
        rows={rows}
        keyOf={keyOfRow}
        status={batch ? status : { ...status, isLoading: query.error === null }}
        empty={search === '' ? 'No owners' : `No owners match “${search}”`}
        tree={tree}
        loadPage={pagesOf(query, ({ data }) => flatten(data))}
        pager={{ page, limit, totalCount, noun: 'owners', onPage, onLimit: setLimit }}
        isMuted={isUndone}
        // The totals are of all owners, so they are hidden during a search.
        totals={batch && search === '' ? { totalAmount: batch.totalAmount, paidAmount: batch.paidAmount } : undefined}
        totalsLabel={batch ? totalsLabelOf(batch) : ''}
        rowActions={
          batch && [
            {
              id: 'advice',
              label: 'Payment Advice of this owner',
              icon: <Printer size={15} aria-hidden />,
              run: ({ owner }) => void downloadAdvice(batch, owner.ownerId),
              disabledReason: ({ owner }) =>
                refusalOf(paymentBatches.calls.advice) ??
                (owner.paidCount === 0 ? 'This payment no longer pays this owner.' : undefined),
            },
            ...(owners?.some(openCarry)
              ? [
                  {
                    id: 'take-back',
                    label: 'Take Back the Carry',
                    icon: <Undo2 size={15} aria-hidden />,
                    run: ({ owner }: Row) => askTakeBack(batch.id, owner),
                    disabledReason: ({ owner }: Row) =>
                      refusalOf(paymentBatches.calls.takeBackCarry) ?? takeBackReason(owner),
                  },
                ]
              : []),
          ]
        }
        onOpen={(row) => {
          if (row.kind === 'line') void navigate(`/challans?open=${row.line.challanId}`);
        }}
      />
    </>
  );
}

const isUndone = (row: Row): boolean =>
  row.kind === 'owner' ? row.owner.paidCount === 0 : lineOf(row).reversedAt !== null;

function totalsLabelOf({ paidCount, updatedCount }: PaymentBatch): string {
  const count = formatCount(paidCount);
  return paidCount === updatedCount ? `Total of ${count}` : `${count} still paid`;
}
