import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { Download, Undo2 } from 'lucide-react';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { bankFiles } from '../../resources/bank-files.ts';
import { countText } from '../../../shared/calc/count-text.ts';
import { bankFileColumns, bankFileLineColumns } from '../../../shared/columns/bank-columns.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { withdrawalInput, type BankFile, type SentLine } from '../../../shared/contract/bank-files.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { downloadBankFile } from './download-bank-file.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import { useReasonField } from '../../kit/forms/use-reason.ts';
import type { RecordViewProps } from '../../kit/records/record-screen.tsx';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { pageOf } from '../../kit/records/record-rows.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextArea } from '../../kit/ui/text-field.tsx';

/**
 * /accounting/bank-files: the bank files that were made. A download always has the same bytes (docs/specification.md
 * §24.4).
 */
export const BankFilesPage = recordScreen<BankFile>({
  screen: 'bankFiles',
  noun: ['bank file', 'bank files'],
  columns: bankFileColumns,
  useRows: ({ page, limit }) => pageOf(bankFiles.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch bank files' },
  empty: {
    text: 'A bank file lists the owners of a payment with their amounts, in the format of your bank. Make one from a payment.',
    actions: <Link to="/accounting/payments">Open Payments</Link>,
  },
  views: { view: BankFileDetails },
  useMore: () => {
    const [withdrawing, setWithdrawing] = useState<BankFile>();
    const download = useCallback((file: BankFile) => void downloadBankFile(file), []);
    const rowCommands = useMemo(
      () => [
        {
          id: 'download',
          title: 'Download the bank file again',
          label: 'Download',
          icon: <Download size={15} aria-hidden />,
          keys: 'Ctrl+E',
          run: download,
        },
        {
          id: 'withdraw',
          label: 'Withdraw',
          icon: <Undo2 size={15} aria-hidden />,
          keys: 'U',
          calls: bankFiles.calls.withdraw,
          run: setWithdrawing,
          disabledReason: ({ inFileCount }: BankFile) =>
            inFileCount === 0 ? 'No line of this file is without an answer.' : undefined,
        },
      ],
      [download],
    );
    return {
      rowCommands,
      dialogs: withdrawing && <WithdrawDialog file={withdrawing} onClose={() => setWithdrawing(undefined)} />,
    };
  },
});

const pageSize = 100;

function BankFileDetails({ id, row, onClose, placeFocus }: RecordViewProps<BankFile>) {
  const [page, setPage] = useState(1);
  const query = bankFiles.useGet({ params: { id }, query: { page, limit: pageSize } });
  const file = query.data?.data ?? row;
  return (
    <Dialog
      size="2xl"
      closeOnOutside
      title={file ? `Bank file ${file.number}` : 'Bank file'}
      description={file && `${file.fileName}, ${countText(file.lineCount, 'line')}, ${formatINR(file.amount)}`}
      onClose={onClose}
      placeFocus={placeFocus}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {file && (
            <Button
              variant="primary"
              icon={<Download size={14} aria-hidden />}
              onClick={() => void downloadBankFile(file)}
            >
              Download
            </Button>
          )}
        </>
      }
    >
      <div className="flex h-[66vh] min-h-80 flex-col gap-3">
        <DataGrid<SentLine>
          label="Lines of this bank file"
          memoryKey="bank-file-lines"
          columns={bankFileLineColumns}
          rows={query.data?.data.lines}
          keyOf={lineKey}
          status={gridStatusOf(query, 'Failed to fetch bank files')}
          empty="No lines"
          loadPage={pagesOf(query, ({ data }) => data.lines)}
          pager={{
            page,
            limit: pageSize,
            totalCount: query.data?.pagination.totalCount ?? 0,
            noun: 'lines',
            onPage: setPage,
            onLimit: () => undefined,
          }}
        />
      </div>
    </Dialog>
  );
}

const lineKey = ({ lineNo }: SentLine): string => String(lineNo);

/** Marks the lines without an answer as not executed, with a reason that they show. */
function WithdrawDialog({ file, onClose }: { file: BankFile; onClose: () => void }) {
  const { reason, field, refuse, fieldProps } = useReasonField();
  const withdraw = bankFiles.useWithdraw({
    onSuccess: ({ data }) => {
      notify.success(`Bank file ${data.number} withdrawn. Its lines can be sent again.`);
      onClose();
    },
    onError: (error) => notify.error(error, 'Failed to withdraw the bank file'),
  });
  const confirm = (): void => {
    if (withdraw.isPending) return;
    const checked = withdrawalInput.safeParse({ reason });
    if (checked.success) withdraw.mutate({ params: { id: file.id }, body: checked.data });
    else refuse(checked.error.issues[0]?.message);
  };
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      title={`Withdraw bank file ${file.number}?`}
      onClose={onClose}
      footer={
        <ConfirmButtons
          onCancel={onClose}
          cancel="No, Keep It"
          label="Withdraw"
          run={confirm}
          variant="danger"
          busy={withdraw.isPending}
        />
      }
    >
      <p className="mb-3">
        Withdraw a file only if the bank will not execute it: it was not uploaded, or the bank refused it as a whole.{' '}
        {countText(file.inFileCount, 'line')} without an answer {file.inFileCount === 1 ? 'counts' : 'count'} as failed
        and can be sent again.
      </p>
      <TextArea {...fieldProps} ref={field} required maxLength={400} />
    </Dialog>
  );
}
