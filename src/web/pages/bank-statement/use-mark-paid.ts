import { useEffect, useRef, useState, type RefObject } from 'react';
import { nothingMatches } from '../../../shared/access.ts';
import { clearSelection } from '../../../shared/calc/selection.ts';
import type { GridHandle, SelectionState } from '../../grid/grid-types.ts';
import { notify } from '../../shell/toast.ts';
import { matchingRequest, planFor, planOver, type PaymentPlan } from './payment-plan.ts';
import type { StatementRow } from './statement-rows.tsx';
import { changedTo, usePayment } from './use-payment.ts';
import type { useStatement } from './use-statement.ts';

interface MarkPaidParts {
  statement: ReturnType<typeof useStatement>;
  rows: readonly StatementRow[] | undefined;
  grid: RefObject<GridHandle<StatementRow> | null>;
  /** Around the grid: takes the focus when no row is left to have it. */
  table: RefObject<HTMLElement | null>;
  stateOf: (row: StatementRow) => SelectionState;
}

const failed = 'Failed to update payment status';

/** Both ways to pay (part 2 §4): the selected challans through the two steps, everything that matches at once. */
export function useMarkPaid({ statement, rows, grid, table, stateOf }: MarkPaidParts) {
  const { selection, setSelection, summary, matching, filters, query } = statement;
  const [plan, setPlan] = useState<PaymentPlan>();
  const [isAll, setAll] = useState(false);
  /** Where the focus belongs once the paid rows are gone; '' where no row of this page stays. */
  const nextRow = useRef<string>(undefined);

  const payment = usePayment(() => {
    nextRow.current = rowAfterPayment(rows ?? [], grid.current?.focusedRow(), (row) => stateOf(row) === 'all');
    setSelection(clearSelection());
  });

  const { dataUpdatedAt, data } = query;
  const isEmpty = data?.data.owners.length === 0;
  useEffect(() => {
    const wanted = nextRow.current;
    if (wanted === undefined || dataUpdatedAt === 0) return;
    nextRow.current = undefined;
    const at = document.activeElement;
    // Whoever has gone on to a field or a button meanwhile is not called back.
    if (at && at !== document.body && !table.current?.contains(at)) return;
    if (isEmpty) table.current?.focus();
    else if (wanted === '' || !grid.current?.focusRow(wanted)) grid.current?.focusFirstRow();
  }, [dataUpdatedAt, isEmpty, grid, table]);

  const markSelected = (): void => {
    const made = planFor(selection, statement, summary?.totalOwners ?? 0);
    if ('refused' in made) notify.error(made.refused);
    else setPlan(made);
  };
  const markAll = (): void => {
    if (payment.isPaying) return;
    if (matching.count === 0) {
      notify.error(nothingMatches);
      return;
    }
    const request = matchingRequest({ filters, matching });
    setAll(true);
    payment
      .pay(request)
      .catch((error: unknown) => {
        const now = changedTo(error);
        // Not paid over figures nobody has seen: the two steps show what was and what is.
        if (now) setPlan(planOver({ request, count: matching.count, amount: matching.amount }, now));
        else notify.error(error, failed);
      })
      .finally(() => setAll(false));
  };

  return {
    plan,
    setPlan,
    close: () => setPlan(undefined),
    pay: payment.pay,
    undo: payment.undo,
    paying: payment.isPaying ? (isAll ? ('matching' as const) : ('selected' as const)) : undefined,
    /** How far the file of a large payment is. */
    file: payment.file,
    markSelected,
    markAll,
    /** After a payment the dialog gives the focus to the row that is next in line. */
    placeFocus: () => (nextRow.current ? (grid.current?.focusRow(nextRow.current) ?? false) : false),
  };
}

/** The first row behind the focused one that stays, else the nearest before it. */
function rowAfterPayment(
  rows: readonly StatementRow[],
  focused: StatementRow | undefined,
  isPaid: (row: StatementRow) => boolean,
): string {
  const at = focused ? rows.findIndex((row) => row.key === focused.key) : -1;
  const from = Math.max(at, 0);
  const stays = (row: StatementRow): boolean => !isPaid(row);
  return (rows.slice(from).find(stays) ?? rows.slice(0, from).findLast(stays))?.key ?? '';
}
