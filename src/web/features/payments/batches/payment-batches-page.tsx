import { listFilters } from '../../filters/index.ts';
import { lazy, useCallback, useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Download, Eye, FileDown, FileSpreadsheet, MessageCircle, Printer, Undo2 } from 'lucide-react';
import { LazyDialog } from '../../../kit/actions/lazy-dialog.tsx';
import { canReverseBatch, canSendToBank, reasonOf } from '../../../../shared/access.ts';
import { paymentBatchColumns } from '../../../../shared/columns/payment-batch-columns.ts';
import { paymentSortKeys, type PaymentBatch } from '../../../../shared/contract/payment-batches.ts';
import type { FilterTexts } from '../../../../shared/filters/filter-texts.ts';
import { paymentFilters } from '../../../../shared/filters/payment-filters.ts';
import { refusalOf } from '../../../kit/api/seat.ts';
import { bankFiles } from '../../../resources/bank-files.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { DownloadStatus, fileMessages, useFileDownload } from '../../../kit/feedback/file-download.tsx';
import { idValue } from '../../../kit/filters/filter-values.ts';
import { url, useUrlState } from '../../../kit/filters/url-state.ts';
import type { CellSpec } from '../../../kit/grid/grid-types.ts';
import { pageOf } from '../../../kit/records/record-rows.ts';
import { recordScreen } from '../../../kit/records/record-screen.tsx';
import { screens } from '../../../screens.ts';
import { downloadAdvice } from './download-advice.ts';
import { PaymentDetails } from './payment-details.tsx';
import { stillPaidText, fileNote } from './payment-texts.ts';
import { ReverseDialog } from './reverse-dialog.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useRowSelection } from '../../../kit/grid/row-selection.ts';
import { SelectionFooter } from '../../../kit/grid/selection-footer.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import type { FileFormat } from '../../../../shared/calc/file-names.ts';
import { call, type CallOptions } from '../../../kit/api/client.ts';

const MessageOwnersDialog = lazy(() => import('./message-owners-dialog.tsx'));
const BankFileDialog = lazy(() => import('./bank-file-dialog.tsx'));

/**
 * What the address holds for the details: the open payment, the page of its owners, and whether the dialog with
 * messages to the owners or that of its bank file is open.
 */
const urlShape = {
  open: idValue(),
  owners: url.number(1),
  write: url.oneOf(['', 'owners'], ''),
  send: url.oneOf(['', 'bank'], ''),
};

/** How many are still paid: '16' if all are, or '14 of 16' once two were undone. */
const stillPaidCell = (
  of: (row: PaymentBatch) => string,
  paid: (row: PaymentBatch) => number,
): CellSpec<PaymentBatch> => ({
  render: (row) => <>{of(row)}</>,
  // A plain number, which a spreadsheet adds up.
  text: (row) => String(paid(row)),
});
const cells: Readonly<Record<string, CellSpec<PaymentBatch>>> = {
  updatedCount: stillPaidCell(
    (row) => stillPaidText(row.paidCount, row.updatedCount),
    ({ paidCount }) => paidCount,
  ),
  ownerCount: stillPaidCell(
    (row) => stillPaidText(row.paidOwnerCount, row.ownerCount),
    ({ paidOwnerCount }) => paidOwnerCount,
  ),
};

/**
 * /accounting/payments: the payments, with their files and Undo, which also works after the ten seconds of the toast
 * (docs/specification.md §10.4).
 */
export const PaymentBatchesPage = recordScreen<PaymentBatch>({
  screen: 'payments',
  noun: ['payment', 'payments'],
  columns: paymentBatchColumns,
  filters: listFilters(paymentFilters),
  sorts: { keys: paymentSortKeys, by: 'paidOn', order: 'desc' },
  useRows: ({ page, limit, sortBy, sortOrder, filters }) => {
    const order = paymentSortKeys.find((key) => key === sortBy);
    const query = paymentBatches.useList({
      query: {
        page,
        limit,
        ...(order === undefined && sortOrder === 'desc' ? {} : { sortBy: order ?? 'paidOn', sortOrder }),
        // Safe: the address was parsed with the same filters.
        ...(filters as Partial<FilterTexts<typeof paymentFilters>>),
      },
    });
    return { ...pageOf(query), totals: query.data && { ...query.data.summary } };
  },
  failed: { list: 'Failed to fetch payments' },
  hasBeside: true,
  empty: {
    text: 'Each payment of one or more challans is listed here. You can download its file and undo it.',
    actions: <Link to="/accounting/bank-statement">Open bank statement</Link>,
  },
  useMore: ({ grid, rows, openId, open, closeView, placeFocus }) => {
    const [{ owners, write, send }, setUrl] = useUrlState(urlShape);
    const [reversing, setReversing] = useState<PaymentBatch>();
    const [sending, setSending] = useState<readonly PaymentBatch[]>();
    const { selection, footer, clear, sendByKey } = usePaymentSelection(rows, setSending);
    const toSend = paymentBatches.useGet({ params: { id: openId } }, { enabled: openId !== '' && send !== '' }).data
      ?.data;
    const inAddress = send !== '' && toSend && reasonOf(canSendToBank(toSend)) === undefined ? [toSend] : undefined;
    const batchesToSend = sending ?? inAddress;
    const { download, progress, cancel } = usePaymentDownload();
    const show = useCallback(({ id }: PaymentBatch) => open(id), [open]);
    const rowCommands = useMemo(
      () => [
        { id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: show },
        {
          id: 'excel',
          title: 'Download the Excel file of a payment',
          label: 'Download Excel',
          icon: <FileSpreadsheet size={15} aria-hidden />,
          keys: 'Ctrl+Shift+E',
          calls: paymentBatches.calls.exportXlsx,
          run: (row: PaymentBatch): void => download(row, 'xlsx'),
        },
        {
          id: 'csv',
          title: 'Download the CSV of a payment',
          label: 'Download CSV',
          icon: <Download size={15} aria-hidden />,
          keys: 'Ctrl+E',
          calls: paymentBatches.calls.exportCsv,
          run: (row: PaymentBatch): void => download(row, 'csv'),
        },
        {
          id: 'bank',
          title: 'Make a bank file of a payment',
          label: 'Bank File',
          icon: <FileDown size={15} aria-hidden />,
          keys: 'B',
          calls: bankFiles.calls.create,
          run: (row: PaymentBatch): void => setSending([row]),
          byKey: sendByKey,
          disabledReason: (row: PaymentBatch) => reasonOf(canSendToBank(row)),
        },
        {
          id: 'advice',
          title: 'Download the payment advice, a page for each owner',
          label: 'Payment Advice',
          icon: <Printer size={15} aria-hidden />,
          keys: 'P',
          calls: paymentBatches.calls.advice,
          run: (row: PaymentBatch): void => void downloadAdvice(row),
          disabledReason: (row: PaymentBatch) => reasonOf(canSendToBank(row)),
        },
        {
          id: 'write',
          title: 'Write to the owners of a payment by WhatsApp',
          label: 'Write to Owners',
          icon: <MessageCircle size={15} aria-hidden />,
          keys: 'W',
          calls: paymentBatches.calls.writeTo,
          run: ({ id }: PaymentBatch): void => setUrl({ open: id, owners: 1, write: 'owners' }),
          disabledReason: (row: PaymentBatch) => reasonOf(canSendToBank(row)),
        },
        {
          id: 'reverse',
          label: 'Undo Payment',
          icon: <Undo2 size={15} aria-hidden />,
          keys: 'U',
          calls: paymentBatches.calls.reverse,
          run: setReversing,
          disabledReason: (row: PaymentBatch) => reasonOf(canReverseBatch(row)),
        },
      ],
      [show, download, sendByKey, setUrl],
    );
    const fileStatus = <DownloadStatus label="Payment file" progress={progress} onCancel={cancel} />;
    const [besidePage, setBesidePage] = useState({ id: '', page: 1 });
    const commands = {
      onDownload: download,
      onReverse: setReversing,
      onBankFile: (batch: PaymentBatch): void => setSending([batch]),
      placeFocus,
    };
    const index = rows?.findIndex(({ id }) => id === openId) ?? -1;
    return {
      ownFile: 'row',
      cells,
      selection,
      footer,
      rowCommands,
      onOpen: show,
      buttons: (
        <>
          <Link to={screens.toRelease.path}>To Release</Link>
          {refusalOf(bankFiles.calls.list) === undefined && <Link to="/accounting/bank-files">Bank Files</Link>}
        </>
      ),
      aside: openId === '' && fileStatus,
      beside: ({ id }) => (
        <PaymentDetails
          {...commands}
          id={id}
          ownersPage={besidePage.id === id ? besidePage.page : 1}
          onOwnersPage={(page) => setBesidePage({ id, page })}
          position={undefined}
          previousReason={undefined}
          nextReason={undefined}
          onStep={() => undefined}
          fileStatus={null}
          onWrite={() => undefined}
          onClose={() => undefined}
        />
      ),
      dialogs: (
        <>
          {openId !== '' && (
            <PaymentDetails
              id={openId}
              ownersPage={owners}
              onOwnersPage={(next) => setUrl({ owners: next }, { replace: true })}
              position={index < 0 ? undefined : `${index + 1} of ${rows?.length ?? 0} on this page`}
              previousReason={index <= 0 ? 'This is the first payment on this page' : undefined}
              nextReason={
                index < 0 || index === (rows?.length ?? 0) - 1 ? 'This is the last payment on this page' : undefined
              }
              onStep={(by) => {
                const row = rows?.[index + by];
                if (row) setUrl({ open: row.id, owners: 1 }, { replace: true });
              }}
              {...commands}
              fileStatus={fileStatus}
              onWrite={() => setUrl({ write: 'owners' }, { replace: true })}
              onClose={() => {
                setUrl({ owners: 1, send: '' }, { replace: true });
                closeView();
              }}
            />
          )}
          {openId !== '' && write !== '' && (
            <LazyDialog>
              <MessageOwnersDialog batchId={openId} onClose={() => setUrl({ write: '' }, { replace: true })} />
            </LazyDialog>
          )}
          {batchesToSend && (
            <LazyDialog>
              <BankFileDialog
                batches={batchesToSend}
                onMade={clear}
                returnFocus={() => grid.handle.current?.focusFirstRow(paymentBatchColumns[0]?.key)}
                onClose={() => {
                  setSending(undefined);
                  setUrl({ send: '' }, { replace: true });
                }}
              />
            </LazyDialog>
          )}
          {reversing && <ReverseDialog batch={reversing} onClose={() => setReversing(undefined)} />}
        </>
      ),
    };
  },
});

/** The largest number of payments that one bank file is made of (docs/specification.md §24.4). */
const maxPayments = 50;

const selectionOptions = {
  keyOf: ({ id }: PaymentBatch): string => id,
  labelOf: ({ number }: PaymentBatch): string => `Select ${number}`,
  disabledReason: (row: PaymentBatch): string | undefined => reasonOf(canSendToBank(row)),
};

/** The selection of payments for one bank file. It spans pages and filters of the list. */
function usePaymentSelection(
  rows: readonly PaymentBatch[] | undefined,
  send: (batches: readonly PaymentBatch[]) => void,
) {
  const { ids, selection, clear, selected, offPageCount } = useRowSelection(rows, selectionOptions);
  const sendSelected = useCallback((): void => {
    const batches = selected();
    if (batches.length <= maxPayments) send(batches);
    else notify.warning(`A bank file takes at most ${maxPayments} payments. Deselect some.`);
  }, [send, selected]);
  /** B on a row sends the selection if there is one, or else the row. */
  const sendByKey = useCallback(
    (row: PaymentBatch): void => {
      const reason = selectionOptions.disabledReason(row);
      if (selected().length > 0) sendSelected();
      else if (reason === undefined) send([row]);
      else notify.warning(reason, { kind: reason, many: () => reason });
    },
    [send, selected, sendSelected],
  );
  const { size } = ids;
  const footer: ReactNode = size > 0 && (
    <SelectionFooter count={size} offPageCount={offPageCount} onClear={clear}>
      <Button size="sm" variant="primary" keys="B" icon={<FileDown size={14} aria-hidden />} onClick={sendSelected}>
        Bank File
      </Button>
    </SelectionFooter>
  );
  return { selection, footer, clear, sendByKey };
}

const calls = { csv: paymentBatches.calls.exportCsv, xlsx: paymentBatches.calls.exportXlsx };

type Batch = Pick<PaymentBatch, 'id' | 'number' | 'updatedCount' | 'paidCount'>;

/** Loads how much of the payment is still paid, because the list on the screen may be older than an undo elsewhere. */
async function fetchPaidNow(batch: Batch, { signal }: Pick<CallOptions, 'signal'>): Promise<Batch> {
  try {
    const { data } = await call(
      paymentBatches.calls.get,
      { params: { id: batch.id }, query: { limit: 1 } },
      { signal },
    );
    return data;
  } catch {
    // The file matters most. If this call fails, the figures of the list are used.
    return batch;
  }
}

/** Downloads the file of a payment, which always has the same bytes. A warning tells what was undone since. */
function usePaymentDownload() {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    (batch: Batch, format: FileFormat) => {
      let latest = batch;
      start({
        get: async (options) => {
          const [file, now] = await Promise.all([
            call(calls[format], { params: { id: batch.id } }, options),
            fetchPaidNow(batch, options),
          ]);
          latest = now;
          return file;
        },
        total: batch.updatedCount,
        countsLines: format === 'csv',
        fallbackName: `payment_${batch.number}.${format}`,
        ...fileMessages[format],
        note: () => fileNote(latest),
      });
    },
    [start],
  );
  return { download, progress, cancel };
}
