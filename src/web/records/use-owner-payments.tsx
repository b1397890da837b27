import { lazy, useCallback, useRef, type ReactNode } from 'react';
import { Banknote } from 'lucide-react';
import { LazyDialog } from '../actions/lazy-dialog.tsx';
import { idValue } from '../filters/filter-values.ts';
import { url, useUrlState } from '../filters/url-state.ts';
import type { GridHandle } from '../grid/grid-types.ts';
import { topDialog } from '../ui/dialog-stack.ts';
import { useOpenRecord } from './record-dialogs.ts';
import type { RecordGrid } from './record-grid.ts';

// Opened when somebody asks what was paid.
const OwnerPayments = lazy(() => import('./owner-payments.tsx'));

/** Whose payments are shown, the one that was asked for, and the page. */
const shape = { payments: idValue(), payment: idValue(), paymentsPage: url.number(1) };
const modes = ['view'] as const;

interface Payments {
  /** The row that is left for it has the focus again afterwards. */
  show: (ownerId: string, rowId: string, paymentId?: string) => void;
  dialog: ReactNode;
}

/** The key and button of a list of owners that shows their payments. */
export const paymentsCommand = {
  id: 'payments',
  label: 'Payments',
  title: 'Payments of an owner, with their trips',
  icon: <Banknote size={15} aria-hidden />,
  keys: 'P',
} as const;

/** The payments of an owner over a list of owners, in its address. `rows` are those that the list shows. */
export function useOwnerPayments<Row extends { id: string }>(
  grid: RecordGrid<Row>,
  rows: readonly Row[] | undefined,
): Payments {
  const [{ payments, payment, paymentsPage }, setUrl] = useUrlState(shape);
  const left = useRef({ rowId: '', paymentId: '' });
  const { open, close } = useOpenRecord<Row, 'view'>({
    grid,
    rows,
    openId: payments,
    modes,
    setUrl: useCallback(
      ({ open: id }, options) =>
        setUrl({ payments: id, payment: id === '' ? '' : left.current.paymentId, paymentsPage: 1 }, options),
      [setUrl],
    ),
  });
  const show = useCallback(
    (ownerId: string, rowId: string, paymentId = '') => {
      left.current = { rowId, paymentId };
      open(ownerId);
    },
    [open],
  );
  const focusLeft = (): boolean => {
    const wanted = [left.current.rowId, payments].find((id) => rows?.some((row) => row.id === id));
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
          placeFocus={focusLeft}
          onClose={close}
        />
      </LazyDialog>
    ),
  };
}
