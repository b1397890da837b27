import { useMemo, useState, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import { Printer, Undo2 } from 'lucide-react';
import { formatINR } from '../../../shared/calc/money.ts';
import { carryWords, paymentLineColumns, paymentOwnerColumns } from '../../../shared/columns/payment-batch-columns.ts';
import type {
  PaymentBatch,
  PaymentCarry,
  PaymentLine,
  PaymentOwner,
} from '../../../shared/contract/payment-batches.ts';
import { paymentBatches } from '../../api/payment-batches.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { pageSizes } from '../../filters/filter-values.ts';
import { useDebouncedText } from '../../filters/use-debounced-text.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridTree } from '../../grid/grid-types.ts';
import { groupCells, treeColumns } from '../../grid/tree-columns.tsx';
import { downloadAdvice } from './download-advice.ts';
import { counted } from './payment-words.ts';
import { usePreference } from '../../session/account-storage.ts';
import { TextField } from '../../ui/text-field.tsx';

/** One flat list: each owner, and behind an expanded one its challans. */
type Row =
  | { kind: 'owner'; key: string; owner: PaymentOwner }
  | { kind: 'line'; key: string; owner: PaymentOwner; line: PaymentLine }
  /** What was carried or deducted, shown like a challan of the owner. */
  | { kind: 'carry'; key: string; owner: PaymentOwner; carry: PaymentCarry };

const keyOfRow = (row: Row): string => row.key;

const both = {
  groups: paymentOwnerColumns,
  members: paymentLineColumns,
  groupOf: ({ owner }: Row): PaymentOwner => owner,
  memberOf: (row: Row): PaymentLine | undefined => (row.kind === 'owner' ? undefined : lineOf(row)),
};
const columns = treeColumns(both);

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

/** What of this owner can be taken back. */
const openCarry = ({ carries }: PaymentOwner): PaymentCarry | undefined =>
  carries.find(({ kind, isBack }) => kind === 'carry' && !isBack);

function keptCarry(owner: PaymentOwner): string | undefined {
  const carry = openCarry(owner);
  if (!carry) return 'Nothing of this owner is carried by this payment';
  return carry.otherNumber === null
    ? undefined
    : `It was deducted by payment ${carry.otherNumber}. Undo that one first.`;
}

const defaultSize = 10;
const searchMs = 300;

/** What the actions of the details need of the list inside. */
export interface OwnersPage {
  page: number;
  lastPage: number;
}

/** The owners of a payment in pages, searched by name, phone and account; from the dialog above it. */
export function usePaymentOwners(id: string, page: number, onPage: (page: number) => void) {
  const [remembered, remember] = usePreference('payments.lines', defaultSize);
  const limit = pageSizes.find((size) => size === remembered) ?? defaultSize;
  const [searched, setSearched] = useState({ id, text: '' });
  // Of another payment nothing is searched yet.
  const search = searched.id === id ? searched.text : '';
  const query = paymentBatches.useOwners({
    params: { id },
    query: { page, limit, ...(search === '' ? {} : { search }) },
  });
  const totalCount = query.data?.pagination.totalCount ?? 0;
  const lastPage = Math.max(1, Math.ceil(totalCount / limit));
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
    turnPage: (by: 1 | -1) => {
      const next = page + by;
      if (next >= 1 && next <= lastPage) onPage(next);
    },
  };
}

interface PaymentOwnersProps {
  /** undefined: it is being loaded. */
  batch: PaymentBatch | undefined;
  list: ReturnType<typeof usePaymentOwners>;
  fieldRef: Ref<HTMLInputElement>;
}

/** What a payment paid to whom: a row for each owner, which opens to its challans. */
export function PaymentOwners({ batch, list, fieldRef }: PaymentOwnersProps) {
  const navigate = useNavigate();
  const { mutateAsync: takeBack } = paymentBatches.useTakeBackCarry({
    onSuccess: ({ data }) => notify.success(`Carry taken back: ${counted(data.reversedCount, 'challan')} unpaid again`),
  });
  const askTakeBack = (id: string, owner: PaymentOwner): void => {
    const carry = openCarry(owner);
    if (!carry) return;
    void confirm({
      title: `Take back the ${formatINR(carry.amount)} that ${owner.name} owes?`,
      body: `${counted(owner.paidCount, 'challan')} of this owner in this payment will be unpaid again, and its next payment deducts nothing.`,
      confirmLabel: 'Take Back',
      danger: true,
      act: () => takeBack({ params: { id, ownerId: owner.ownerId } }),
      failed: 'Failed to take the carry back',
    });
  };
  const { query, page, limit, totalCount, search, setSearch, setLimit, onPage } = list;
  // While another payment is loading, the answer of the last one is still there: it is not this one's.
  const owners = batch && !query.isPlaceholderData ? query.data?.data : undefined;
  const text = useDebouncedText({ applied: search, apply: setSearch, least: 2, debounceMs: searchMs });
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  // A single owner is open from the start.
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
      cells: groupCells(both, { isExpanded: ({ owner }) => isExpanded(owner.ownerId) }),
    };
  }, [toggled, isOnly, owners]);
  const rows = useMemo(
    () =>
      owners?.flatMap((owner): Row[] => [
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
    [owners, toggled, isOnly],
  );
  const status = gridStatusOf(query, 'Failed to fetch payments');
  return (
    <>
      {batch && batch.ownerCount > 1 && (
        <TextField
          ref={fieldRef}
          label="Search owners of this payment"
          hideLabel
          reserve={false}
          className="w-80"
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
        columns={columns}
        rows={rows}
        keyOf={keyOfRow}
        status={batch ? status : { ...status, isLoading: query.error === null }}
        empty={search === '' ? 'No owners' : `No owners match “${search}”`}
        tree={tree}
        pager={{ page, limit, totalCount, noun: 'owners', onPage, onLimit: setLimit }}
        isMuted={isUndone}
        // Of all its owners, so not under a search.
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
                owner.paidCount === 0 ? 'This owner is no longer paid by it.' : undefined,
            },
            ...(owners?.some(openCarry)
              ? [
                  {
                    id: 'take-back',
                    label: 'Take Back the Carry',
                    icon: <Undo2 size={15} aria-hidden />,
                    run: ({ owner }: Row) => askTakeBack(batch.id, owner),
                    disabledReason: ({ owner }: Row) => keptCarry(owner),
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
  const count = paidCount.toLocaleString('en-IN');
  return paidCount === updatedCount ? `Total of ${count}` : `${count} still paid`;
}
