import { useCallback, useMemo, useRef } from 'react';
import { canPayChallan, canToggleHsd, reasonOf } from '../../../../shared/access.ts';
import { add, subtract } from '../../../../shared/calc/money.ts';
import type { ChallanSummary, ListedChallan } from '../../../../shared/contract/challan.ts';
import type { CallArguments } from '../../../../shared/contract/define.ts';
import { none } from '../../../../shared/filters/define.ts';
import { challans } from '../../../resources/challans.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { paying, refusalOf } from '../../../kit/api/seat.ts';
import { change, type OptimisticChange } from '../../../kit/api/optimistic.ts';
import type { CellSpec } from '../../../kit/grid/grid-types.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useBusyRecords } from '../../../kit/records/use-busy-records.ts';

type Field = 'paymentStatus' | 'hsdVerified';
/** The payment filter as it is in the address. */
interface PaidFilter {
  paymentStatus: '' | 'paid' | 'unpaid';
  /** The number of a payment, or none. */
  paymentIs?: string;
}

/** Whether a row no longer matches the filter because it was just marked or unmarked (docs/specification.md §8.1.1). */
export function leavesFilter({ paymentStatus, paymentIs = '' }: PaidFilter, row: { paymentStatus: boolean }): boolean {
  const leavesStatus = paymentStatus !== '' && row.paymentStatus !== (paymentStatus === 'paid');
  return leavesStatus || (paymentIs !== '' && row.paymentStatus === (paymentIs === none));
}

/**
 * The sums of the filter after one challan was marked or unmarked. They are computed here, because the list is not loaded
 * again: its rows stay in place until the next load (docs/specification.md §8.1.1). A challan that no longer matches the
 * filter is taken out of the sums, and one that matches again is added.
 */
function summaryAfter(
  summary: ChallanSummary,
  challan: Pick<ListedChallan, 'netAmountPayable'>,
  isPaid: boolean,
  filters: PaidFilter,
): ChallanSummary {
  const net = challan.netAmountPayable;
  const wasIn = !leavesFilter(filters, { paymentStatus: !isPaid });
  const isIn = !leavesFilter(filters, { paymentStatus: isPaid });
  const next = { ...summary };
  if (wasIn) {
    next.totalCount -= 1;
    next.totalAmount = subtract(next.totalAmount, net);
    if (isPaid) {
      next.unpaidCount -= 1;
      next.unpaidAmount = subtract(next.unpaidAmount, net);
    } else {
      next.paidCount -= 1;
      next.paidAmount = subtract(next.paidAmount, net);
    }
  }
  if (isIn) {
    next.totalCount += 1;
    next.totalAmount = add(next.totalAmount, net);
    if (isPaid) {
      next.paidCount += 1;
      next.paidAmount = add(next.paidAmount, net);
    } else {
      next.unpaidCount += 1;
      next.unpaidAmount = add(next.unpaidAmount, net);
    }
  }
  return next;
}

/** What a toggle changes: a field of a challan in the list of a filter, whose sums this call asks for. */
interface Toggled {
  id: string;
  challan: ListedChallan | undefined;
  field: Field;
  value: boolean;
  filters: PaidFilter;
  sums: CallArguments<typeof challans.calls.getSums>;
}

/** The optimistic changes of a toggle: in every cached list, in sums that were asked for alone, and in the open details. */
function optimisticChanges({ id, challan, field, value, filters, sums }: Toggled): OptimisticChange[] {
  const ofSums = change(
    challans.calls.getSums,
    (answer) => {
      if (challan) answer.data = summaryAfter(answer.data, challan, value, filters);
    },
    sums,
  );
  return [
    change(challans.calls.listRows, (answer) => {
      const row = answer.data.find((item) => item.id === id);
      // A list that was loaded in the meantime already has the new value. Its sums must not be changed a second time.
      if (!row || row[field] === value) return;
      row[field] = value;
      if (field !== 'paymentStatus') return;
      // The number and date of the payment come with the server's answer.
      Object.assign(row, { paidAt: null, payment: null });
      if (answer.summary) answer.summary = summaryAfter(answer.summary, row, value, filters);
    }),
    change(
      challans.calls.get,
      (answer) => {
        answer.data[field] = value;
      },
      { params: { id } },
    ),
    ...(field === 'paymentStatus' ? [ofSums] : []),
  ];
}

/** The message for one challan (docs/specification.md §8.1.1), and the one for several toasts merged into one. */
function wordsOf(field: Field, value: boolean): { text: string; kind: string; many: (count: number) => string } {
  if (field === 'paymentStatus') {
    return value
      ? {
          text: 'Payment status marked as done',
          kind: 'paid',
          many: (count) => `${count} challans marked paid`,
        }
      : { text: 'Payment status unmarked', kind: 'unpaid', many: (count) => `${count} challans unmarked` };
  }
  return value
    ? {
        text: 'HSD verification enabled successfully',
        kind: 'hsd-verified',
        many: (count) => `${count} challans HSD verified`,
      }
    : {
        text: 'HSD verification disabled successfully',
        kind: 'hsd-not-verified',
        many: (count) => `${count} challans no longer HSD verified`,
      };
}

export interface Toggles {
  /** The two checkboxes as the grid shows them. */
  cells: { paymentStatus: CellSpec<ListedChallan>; hsdVerified: CellSpec<ListedChallan> };
  setPaid: (row: ListedChallan, isPaid: boolean) => void;
  setHsdVerified: (row: ListedChallan, isVerified: boolean) => void;
  /** Whether a call for the challan is running, as of the last render. */
  isPending: (row: Pick<ListedChallan, 'id'>) => boolean;
  /** The same as of now: a second key may be pressed before the next render. */
  isBusy: (row: Pick<ListedChallan, 'id'>) => boolean;
}

/**
 * The Paid and the HSD checkbox (docs/specification.md §8.1.1). The change is shown at once and taken back if the call fails.
 * Each challan has one call at a time. The list is not loaded again, so that a row which leaves the filter stays in place.
 */
export function useToggles(filters: PaidFilter, sums: Toggled['sums'], onGone: () => void): Toggles {
  const { pending, isBusy: isIdBusy, setBusy } = useBusyRecords();
  const isBusy = useCallback((row: Pick<ListedChallan, 'id'>) => isIdBusy(row.id), [isIdBusy]);
  const reportError = (error: unknown, fallback: string): void => {
    notify.error(error, fallback);
    // The challan was deleted elsewhere, so the list is stale and has to be loaded again.
    if (isApiError(error, 'NOT_FOUND')) onGone();
  };

  /** The challans that were toggled, by id. */
  const toggled = useRef(new Map<string, ListedChallan>());
  const changesOf = (id: string, field: Field, value: boolean): OptimisticChange[] =>
    optimisticChanges({ id, challan: toggled.current.get(id), field, value, filters, sums });

  // Sums that were asked for alone are counted again: a count that was running has been stopped.
  const update = challans.useUpdate({
    keepShown: [challans.calls.listRows],
    optimistic: ({ params, body }) => changesOf(params.id, 'paymentStatus', body?.paymentStatus === true),
    fromAnswer: ({ data: { id, paidAt, payment } }) => [
      change(challans.calls.listRows, ({ data }) => {
        const row = data.find((item) => item.id === id);
        if (row) Object.assign(row, { paidAt, payment });
      }),
    ],
    onError: (error) => reportError(error, 'Failed to update payment status'),
    onSettled: ({ params }) => setBusy(params.id, false),
  });
  const verify = challans.useSetHsdVerified({
    keepShown: [challans.calls.listRows],
    optimistic: ({ params, body }) => changesOf(params.id, 'hsdVerified', body.hsdVerified),
    onError: (error) => reportError(error, 'Failed to toggle HSD verification'),
    onSettled: ({ params }) => setBusy(params.id, false),
  });

  const { mutateAsync: sendUpdate } = update;
  const { mutateAsync: sendVerify } = verify;

  /**
   * Changes one field, unless a call for the challan is running. The toast offers Undo (docs/specification.md §19.7), but the
   * toast of an undo does not.
   */
  const toggle = useCallback(
    (challan: ListedChallan, field: Field, chosen: boolean) => {
      const { id } = challan;
      toggled.current.set(id, challan);
      const send = (value: boolean, isUndo: boolean): void => {
        if (isIdBusy(id)) return;
        setBusy(id, true);
        const params = { id };
        const sent: Promise<unknown> =
          field === 'paymentStatus'
            ? sendUpdate({ params, body: { paymentStatus: value } })
            : sendVerify({ params, body: { hsdVerified: value } });
        sent.then(
          () => {
            const { text, ...words } = wordsOf(field, value);
            const merge = { ...words, about: field, of: id };
            if (isUndo) notify.success(text, merge);
            else notify.undo(text, () => send(!value, true), 'Undo', merge);
          },
          // onError above has already reported the error.
          () => undefined,
        );
      };
      send(chosen, false);
    },
    [sendUpdate, sendVerify, isIdBusy, setBusy],
  );
  const setPaid = useCallback((row: ListedChallan, isPaid: boolean) => toggle(row, 'paymentStatus', isPaid), [toggle]);
  const setHsdVerified = useCallback(
    (row: ListedChallan, isVerified: boolean) => toggle(row, 'hsdVerified', isVerified),
    [toggle],
  );

  const isPending = useCallback((row: Pick<ListedChallan, 'id'>) => pending.has(row.id), [pending]);
  const cells = useMemo<Toggles['cells']>(
    () => ({
      paymentStatus: {
        toggle: {
          isOn: (row) => row.paymentStatus,
          onToggle: setPaid,
          label: (row) => `Paid, ${row.challanNumber}`,
          disabledReason: (row) => refusalOf(paying) ?? (row.paymentStatus ? undefined : reasonOf(canPayChallan(row))),
          isPending,
        },
      },
      hsdVerified: {
        toggle: {
          isOn: (row) => row.hsdVerified,
          onToggle: setHsdVerified,
          label: (row) => `HSD verified, ${row.challanNumber}`,
          disabledReason: (row) => refusalOf(challans.calls.setHsdVerified) ?? reasonOf(canToggleHsd(row)),
          isPending,
        },
      },
    }),
    [setPaid, setHsdVerified, isPending],
  );
  return { cells, setPaid, setHsdVerified, isPending, isBusy };
}
