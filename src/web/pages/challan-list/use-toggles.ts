import { useCallback, useMemo } from 'react';
import { canPayChallan, canToggleHsd, reasonOf } from '../../../shared/access.ts';
import { add, subtract } from '../../../shared/calc/money.ts';
import type { Challan, ChallanSummary } from '../../../shared/contract/challan.ts';
import { challans } from '../../api/challans.ts';
import { isApiError } from '../../api/api-error.ts';
import { change, type OptimisticChange } from '../../api/optimistic.ts';
import type { CellSpec } from '../../grid/grid-types.ts';
import { notify } from '../../feedback/toast.ts';
import { useBusyRecords } from '../../records/use-busy-records.ts';

type Field = 'paymentStatus' | 'hsdVerified';
/** The payment filter as the address has it. */
interface PaidFilter {
  paymentStatus: '' | 'paid' | 'unpaid';
}

/** docs/specification.md §8.1.1: a row that no longer fits the filter because it was just marked. */
export function leavesFilter({ paymentStatus }: PaidFilter, row: { paymentStatus: boolean }): boolean {
  return paymentStatus !== '' && row.paymentStatus !== (paymentStatus === 'paid');
}

/**
 * The sums of the filter after one challan was marked or unmarked, without asking for the list again: its rows stay as
 * they are until the next load (docs/specification.md §8.1.1). A challan that leaves the filter leaves its sums, one
 * that returns returns.
 */
function summaryAfter(
  summary: ChallanSummary,
  challan: Pick<Challan, 'netAmountPayable'>,
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

/** What a toggle looks like before the server has answered: on every list in the cache, and in the open details. */
function shownAtOnce(id: string, field: Field, value: boolean, filters: PaidFilter): OptimisticChange[] {
  return [
    change(challans.calls.list, (answer) => {
      const row = answer.data.find((item) => item.id === id);
      // An answer that came meanwhile knows of it already: applying it twice would count it twice.
      if (!row || row[field] === value) return;
      row[field] = value;
      if (field !== 'paymentStatus') return;
      // The payment's number and day come with the answer.
      Object.assign(row, { paidAt: null, payment: null });
      answer.summary = summaryAfter(answer.summary, row, value, filters);
    }),
    change(
      challans.calls.get,
      (answer) => {
        answer.data[field] = value;
      },
      { params: { id } },
    ),
  ];
}

/** The messages of docs/specification.md §8.1.1. */
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
  cells: { paymentStatus: CellSpec<Challan>; hsdVerified: CellSpec<Challan> };
  setPaid: (row: Challan, isPaid: boolean) => void;
  setHsdVerified: (row: Challan, isVerified: boolean) => void;
  /** As it is shown. */
  isPending: (row: Pick<Challan, 'id'>) => boolean;
  /** As it is this moment; never changes itself. */
  isBusy: (row: Pick<Challan, 'id'>) => boolean;
}

/**
 * The paid and the HSD checkbox (docs/specification.md §8.1.1): shown at once, taken back if the call fails, one call per
 * challan at a time, and the list is not asked again, so that a row that leaves the filter stays in its place.
 */
export function useToggles(filters: PaidFilter, onGone: () => void): Toggles {
  const { pending, isBusy: isIdBusy, setBusy } = useBusyRecords();
  const isBusy = useCallback((row: Pick<Challan, 'id'>) => isIdBusy(row.id), [isIdBusy]);
  const refused = (error: unknown, fallback: string): void => {
    notify.error(error, fallback);
    // Deleted elsewhere: what is shown is old, so this is the next load.
    if (isApiError(error, 'NOT_FOUND')) onGone();
  };

  const update = challans.useUpdate({
    hold: [challans.calls.list],
    optimistic: ({ params, body }) => shownAtOnce(params.id, 'paymentStatus', body?.paymentStatus === true, filters),
    learned: ({ data: { id, paidAt, payment } }) => [
      change(challans.calls.list, ({ data }) => {
        const row = data.find((item) => item.id === id);
        if (row) Object.assign(row, { paidAt, payment });
      }),
    ],
    onError: (error) => refused(error, 'Failed to update payment status'),
    onSettled: ({ params }) => setBusy(params.id, false),
  });
  const verify = challans.useSetHsdVerified({
    hold: [challans.calls.list],
    optimistic: ({ params, body }) => shownAtOnce(params.id, 'hsdVerified', body.hsdVerified, filters),
    onError: (error) => refused(error, 'Failed to toggle HSD verification'),
    onSettled: ({ params }) => setBusy(params.id, false),
  });

  const { mutateAsync: sendUpdate } = update;
  const { mutateAsync: sendVerify } = verify;

  /**
   * One call per challan at a time; what it did can be taken back (docs/specification.md §19.7), which is not offered
   * once more.
   */
  const toggle = useCallback(
    ({ id }: Challan, field: Field, chosen: boolean) => {
      const send = (value: boolean, isTakenBack: boolean): void => {
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
            if (isTakenBack) notify.success(text, merge);
            else notify.undo(text, () => send(!value, true), 'Undo', merge);
          },
          // onError above has shown the refusal.
          () => undefined,
        );
      };
      send(chosen, false);
    },
    [sendUpdate, sendVerify, isIdBusy, setBusy],
  );
  const setPaid = useCallback((row: Challan, isPaid: boolean) => toggle(row, 'paymentStatus', isPaid), [toggle]);
  const setHsdVerified = useCallback(
    (row: Challan, isVerified: boolean) => toggle(row, 'hsdVerified', isVerified),
    [toggle],
  );

  const isPending = useCallback((row: Pick<Challan, 'id'>) => pending.has(row.id), [pending]);
  const cells = useMemo<Toggles['cells']>(
    () => ({
      paymentStatus: {
        toggle: {
          isOn: (row) => row.paymentStatus,
          onToggle: setPaid,
          label: (row) => `Paid, ${row.challanNumber}`,
          disabledReason: (row) => (row.paymentStatus ? undefined : reasonOf(canPayChallan(row))),
          isPending,
        },
      },
      hsdVerified: {
        toggle: {
          isOn: (row) => row.hsdVerified,
          onToggle: setHsdVerified,
          label: (row) => `HSD verified, ${row.challanNumber}`,
          disabledReason: (row) => reasonOf(canToggleHsd(row)),
          isPending,
        },
      },
    }),
    [setPaid, setHsdVerified, isPending],
  );
  return { cells, setPaid, setHsdVerified, isPending, isBusy };
}
