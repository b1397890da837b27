import { lazy, useCallback, useRef, type ReactNode } from 'react';
import { Banknote } from 'lucide-react';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { idValue } from '../../kit/filters/filter-values.ts';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import type { GridHandle } from '../../kit/grid/grid-types.ts';
import { topDialog } from '../../kit/ui/dialog-stack.ts';
import { useOpenRecord } from '../../kit/records/record-dialogs.ts';
import type { RecordGrid } from '../../kit/records/record-grid.ts';

// Loaded when the dialog is first opened.
const OwnerPayments = lazy(() => import('./owner-payments.tsx'));

/** The values in the URL: the owner whose payments are shown, the requested payment, and the page. */
const shape = { payments: idValue(), payment: idValue(), paymentsPage: url.number(1) };
const modes = ['view'] as const;

interface Payments {
  /** Opens the dialog. When it closes, the row `rowId` gets the focus again. */
  show: (ownerId: string, rowId: string, paymentId?: string) => void;
  dialog: ReactNode;
}

/** The command of a list of owners that shows an owner's payments. */
export const paymentsCommand = {
  id: 'payments',
  label: 'Payments',
  title: 'Payments of an owner, with their trips',
  icon: <Banknote size={15} aria-hidden />,
  keys: 'P',
} as const;

/** The dialog with an owner's payments over a list of owners, kept in the URL. `rows` are the rows of that list. */
export function useOwnerPayments<Row extends { id: string }>(
  grid: RecordGrid<Row>,
  rows: readonly Row[] | undefined,
): Payments {
  const [{ payments, payment, paymentsPage }, setUrl] = useUrlState(shape);
  const openedFrom = useRef({ rowId: '', paymentId: '' });
  const { open, close } = useOpenRecord<Row, 'view'>({
    grid,
    rows,
    openId: payments,
    modes,
    setUrl: useCallback(
      ({ open: id }, options) =>
        setUrl({ payments: id, payment: id === '' ? '' : openedFrom.current.paymentId, paymentsPage: 1 }, options),
      [setUrl],
    ),
  });
  const show = useCallback(
    (ownerId: string, rowId: string, paymentId = '') => {
      openedFrom.current = { rowId, paymentId };
      open(ownerId);
    },
    [open],
  );
  const restoreFocus = (): boolean => {
    const wanted = [openedFrom.current.rowId, payments].find((id) => rows?.some((row) => row.id === id));
    const handle: GridHandle<Row> | null = grid.handle.current;
    return topDialog() !== undefined || (wanted !== undefined && (handle?.focusRow(wanted) ?? false));
  };
  return {
    show,
    dialog: payments !== '' && (
      <LazyDialog>
        <OwnerPayments
          key={payments}
          ownerId={payments}
          paymentId={payment}
          page={paymentsPage}
          onPage={(page) => setUrl({ paymentsPage: page }, { replace: true })}
          placeFocus={restoreFocus}
          onClose={close}
        />
      </LazyDialog>
    ),
  };
}
