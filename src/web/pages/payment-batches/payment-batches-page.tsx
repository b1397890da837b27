import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Download, Eye, FileSpreadsheet, ReceiptIndianRupee, Undo2 } from 'lucide-react';
import { canReverseBatch, reasonOf } from '../../../shared/access.ts';
import { paymentBatchColumns } from '../../../shared/columns/payment-batch-columns.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { usePaymentListActions } from '../../actions/payment-batches.ts';
import { paymentBatches } from '../../api/resources.ts';
import { idValue, limitValue } from '../../filters/filter-values.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { CellSpec, GridHandle, RowAction } from '../../grid/grid-types.ts';
import { DownloadStatus } from '../../feedback/download-status.tsx';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { Page } from '../../shell/page.tsx';
import { notify } from '../../feedback/toast.ts';
import { url, useUrlState } from '../../filters/url-state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';
import { stillOf } from './payment-words.ts';
import { useDownload } from './use-download.ts';

const shape = {
  page: url.number(1),
  /** 0: as this account last chose it. */
  limit: limitValue(),
  open: idValue(),
  /** The page of challans in the details. */
  lines: url.number(1),
};
const keyOf = (row: PaymentBatch): string => row.id;
const failed = 'Failed to fetch payments';

/** How many are still paid, beside how many were: '16', and '14 of 16' once two were taken back. */
const stillPaid = (of: (row: PaymentBatch) => string): CellSpec<PaymentBatch> => ({
  render: (row) => <>{of(row)}</>,
  text: of,
});
const cells: Readonly<Record<string, CellSpec<PaymentBatch>>> = {
  updatedCount: stillPaid((row) => stillOf(row.paidCount, row.updatedCount)),
  ownerCount: stillPaid((row) => stillOf(row.paidOwnerCount, row.ownerCount)),
};

/**
 * /accounting/payments: what was marked paid together, its file again, and Undo after the ten seconds
 * (docs/specification.md §10.4).
 */
export function PaymentBatchesPage() {
  const navigate = useNavigate();
  const [state, setUrl] = useUrlState(shape);
  const [reversing, setReversing] = useState<PaymentBatch>();
  const grid = useRef<GridHandle<PaymentBatch>>(null);
  const table = useRef<HTMLDivElement>(null);
  const file = useDownload();
  const { download } = file;
  const downloadExcel = useCallback((row: PaymentBatch) => download(row, 'xlsx'), [download]);
  const downloadCsv = useCallback((row: PaymentBatch) => download(row, 'csv'), [download]);

  const { page, open } = state;
  const { limit, isFit, choose } = usePageSize('payments', state.limit);
  const query = paymentBatches.useList({ query: { page, limit } });
  const { data, isPlaceholderData } = query;
  const totalCount = data?.pagination.totalCount ?? 0;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isPastEnd) setUrl({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setUrl]);
  const rows = data?.data;
  const index = rows?.findIndex((row) => row.id === open) ?? -1;

  /** The page that was shown when the details were opened here: Back closes them. */
  const openedOn = useRef<number>(undefined);
  const openRow = useCallback(
    (row: PaymentBatch) => {
      openedOn.current = page;
      setUrl({ open: row.id, lines: 1 });
    },
    [setUrl, page],
  );
  const close = (): void => {
    const isOurs = openedOn.current === page;
    openedOn.current = undefined;
    // Taking the step back leaves no second entry of the same list behind.
    if (isOurs) void navigate(-1);
    else setUrl({ open: '', lines: 1 }, { replace: true });
  };
  const reverse = useCallback((row: PaymentBatch) => {
    const reason = reasonOf(canReverseBatch(row));
    if (reason) notify.warning(reason, { kind: reason, many: () => reason });
    else setReversing(row);
  }, []);
  const onRow = (act: (row: PaymentBatch) => void): void => {
    const isInTable = table.current?.contains(document.activeElement) ?? false;
    const row = isInTable ? grid.current?.focusedRow() : undefined;
    if (row) act(row);
    else notify.info('Choose a payment in the table first');
  };
  const actions = usePaymentListActions({
    excel: () => onRow(downloadExcel),
    download: () => onRow(downloadCsv),
    reverse: () => onRow(reverse),
  });

  const excelKeys = actions.excel.keys;
  const csvKeys = actions.csv.keys;
  const reverseKeys = actions.reverse.keys;
  const rowActions = useMemo<RowAction<PaymentBatch>[]>(
    () => [
      { id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: openRow },
      {
        id: 'excel',
        label: 'Download Excel',
        icon: <FileSpreadsheet size={15} aria-hidden />,
        keys: excelKeys,
        run: downloadExcel,
      },
      { id: 'csv', label: 'Download CSV', icon: <Download size={15} aria-hidden />, keys: csvKeys, run: downloadCsv },
      {
        id: 'reverse',
        label: 'Undo Payment',
        icon: <Undo2 size={15} aria-hidden />,
        keys: reverseKeys,
        run: reverse,
        disabledReason: (row) => reasonOf(canReverseBatch(row)),
      },
    ],
    [openRow, downloadExcel, downloadCsv, reverse, excelKeys, csvKeys, reverseKeys],
  );
  const step = (by: 1 | -1): void => {
    const row = rows?.[index + by];
    if (row) setUrl({ open: row.id, lines: 1 }, { replace: true });
  };

  const fileStatus = <DownloadStatus label="Payment file" progress={file.progress} onCancel={file.cancel} />;

  return (
    <Page fill title="Payments" aside={open === '' && fileStatus}>
      <div ref={table} className="flex min-h-0 flex-1 flex-col">
        <DataGrid<PaymentBatch>
          ref={grid}
          label="Payments"
          memoryKey="payments"
          columns={paymentBatchColumns}
          rows={isPastEnd ? undefined : rows}
          keyOf={keyOf}
          cells={cells}
          status={gridStatusOf(query, failed)}
          empty={<Nothing />}
          pager={{
            page,
            limit,
            isFit,
            totalCount,
            noun: 'payments',
            onPage: (next) => setUrl({ page: next, limit }),
            onLimit: (next) => setUrl({ limit: choose(next), page: 1 }),
          }}
          rowActions={rowActions}
          onOpen={openRow}
        />
      </div>
      {open !== '' && (
        <PaymentDetails
          id={open}
          linesPage={state.lines}
          onLinesPage={(lines) => setUrl({ lines }, { replace: true })}
          position={index < 0 ? undefined : `${index + 1} of ${rows?.length ?? 0} on this page`}
          atFirst={index <= 0 ? 'There is no payment before it on this page' : undefined}
          atLast={
            index < 0 || index === (rows?.length ?? 0) - 1 ? 'There is no payment after it on this page' : undefined
          }
          onStep={step}
          onDownload={download}
          fileStatus={fileStatus}
          onReverse={reverse}
          onClose={close}
          placeFocus={() => grid.current?.focusRow(open) ?? false}
        />
      )}
      {reversing && <ReverseDialog batch={reversing} onClose={() => setReversing(undefined)} />}
    </Page>
  );
}

function Nothing() {
  return (
    <EmptyState
      icon={<ReceiptIndianRupee size={18} aria-hidden />}
      title="No payments yet"
      actions={<Link to="/accounting/bank-statement">Go to the bank statement</Link>}
    >
      Challans that are marked paid, one or many at once, are kept here as a payment, with its file and a way to undo
      it.
    </EmptyState>
  );
}
