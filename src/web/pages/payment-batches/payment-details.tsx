import { useRef, type ReactNode } from 'react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { canReverseBatch, canSendToBank, reasonOf } from '../../../shared/access.ts';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import { dayOf, formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR, subtract } from '../../../shared/calc/money.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { usePaymentDetailsActions } from '../../actions/payment-batches.ts';
import { buttonOf } from '../../actions/registry.ts';
import { isApiError } from '../../api/api-error.ts';
import { paymentBatches } from '../../api/payment-batches.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { downloadAdvice } from './download-advice.ts';
import { PaymentOwners, usePaymentOwners } from './payment-owners.tsx';
import { challansOf, fileNote, undonePart } from './payment-words.ts';
import { statementFilters } from '../../../shared/filters/challan-filters.ts';
import { textsOfFilter } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import { FilterWords } from '../../filters/filter-chips.tsx';

interface PaymentDetailsProps {
  id: string;
  ownersPage: number;
  onOwnersPage: (page: number) => void;
  position: string | undefined;
  atFirst: string | undefined;
  atLast: string | undefined;
  onStep: (by: 1 | -1) => void;
  onDownload: (batch: PaymentBatch, format: FileFormat) => void;
  /** How far the file is, where the dialog covers the page's own place for it. */
  fileStatus: ReactNode;
  onReverse: (batch: PaymentBatch) => void;
  onBankFile: (batch: PaymentBatch) => void;
  onWrite: (batch: PaymentBatch) => void;
  onClose: () => void;
  placeFocus: () => boolean;
}

/** One payment: how it came about, whether it is still paid, and its owners with their challans as they were then. */
export function PaymentDetails(props: PaymentDetailsProps) {
  const { id, ownersPage, onOwnersPage, position, onClose, placeFocus } = props;
  const query = paymentBatches.useGet({ params: { id }, query: { limit: 1 } });
  const owners = usePaymentOwners(id, ownersPage, onOwnersPage);
  const fields = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // While another payment is loading, the answer of the last one is still there: it is not this one's.
  const batch = query.data?.data.id === id ? query.data.data : undefined;
  const isGone = isApiError(query.error, 'NOT_FOUND');

  return (
    <Dialog
      open
      size="xl"
      closeOnOutside
      title={batch ? `Payment ${batch.number}` : 'Payment'}
      description={position}
      onClose={onClose}
      initialFocus={fields}
      placeFocus={placeFocus}
      footer={
        batch ? (
          <Footer {...props} batch={batch} turnPage={owners.turnPage} search={() => field.current?.focus()} />
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      {isGone ? (
        <Alert title="Payment not found">The link may be wrong, or it belongs to another account.</Alert>
      ) : (
        <div className="flex h-[64vh] min-h-80 flex-col gap-3">
          <div
            ref={fields}
            role="group"
            aria-label="Payment fields"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where the focus begins; Tab goes on to the table
            tabIndex={0}
            className="min-h-16 outline-none"
          >
            {batch && <Facts batch={batch} />}
          </div>
          <PaymentOwners batch={batch} list={owners} fieldRef={field} />
        </div>
      )}
    </Dialog>
  );
}

function Footer(
  props: PaymentDetailsProps & { batch: PaymentBatch; turnPage: (by: 1 | -1) => void; search: () => void },
) {
  const {
    batch,
    onClose,
    onStep,
    onDownload,
    onReverse,
    onBankFile,
    onWrite,
    fileStatus,
    atFirst,
    atLast,
    turnPage,
    search,
  } = props;
  const actions = usePaymentDetailsActions({
    previous: () => onStep(-1),
    next: () => onStep(1),
    atFirst,
    atLast,
    excel: () => onDownload(batch, 'xlsx'),
    download: () => onDownload(batch, 'csv'),
    reverse: () => onReverse(batch),
    reverseReason: reasonOf(canReverseBatch(batch)),
    advice: () => void downloadAdvice(batch),
    bankFile: () => onBankFile(batch),
    bankFileReason: reasonOf(canSendToBank(batch)),
    write: () => onWrite(batch),
    turnPage,
    search,
    searchReason: batch.ownerCount === 1 ? 'This payment has one owner' : undefined,
  });
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <IconButton
        {...buttonOf(actions.previous)}
        label={actions.previous.label}
        icon={<ChevronUp size={16} aria-hidden />}
      />
      <IconButton {...buttonOf(actions.next)} label={actions.next.label} icon={<ChevronDown size={16} aria-hidden />} />
      {/* Without signs they are one line, which the dialog has room for. */}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {fileStatus}
        <Button {...buttonOf(actions.reverse)}>{actions.reverse.label}</Button>
        <Button {...buttonOf(actions.advice)}>{actions.advice.label}</Button>
        <Button {...buttonOf(actions.bankFile)}>{actions.bankFile.label}</Button>
        <Button {...buttonOf(actions.write)}>{actions.write.label}</Button>
        <Button onClick={onClose}>Close</Button>
        <Button {...buttonOf(actions.csv)}>{actions.csv.label}</Button>
        <Button variant="primary" {...buttonOf(actions.excel)}>
          {actions.excel.label}
        </Button>
      </span>
    </div>
  );
}

function Facts({ batch }: { batch: PaymentBatch }) {
  const part = undonePart(batch);
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-2 md:grid-cols-4">
        <Fact label="Paid At">{whenPaid(batch)}</Fact>
        <Fact label="Paid By">{batch.createdBy}</Fact>
        <Fact label="Challans">{challansOf(batch.updatedCount, batch.ownerCount)}</Fact>
        <Fact label="Total Amount">{formatINR(batch.totalAmount)}</Fact>
        {/* What is still paid, under what was. */}
        <Fact label="Chosen By" className={part ? 'md:col-span-2' : 'col-span-full'}>
          <ChosenBy batch={batch} />
        </Fact>
        {part !== undefined && (
          <>
            <Fact label="Still Paid">{challansOf(batch.paidCount, batch.paidOwnerCount)}</Fact>
            <Fact label="Amount Still Paid">{formatINR(batch.paidAmount)}</Fact>
          </>
        )}
      </dl>
      {part !== undefined && batch.reversedAt === null && (
        <Alert
          tone="warn"
          className="mt-3"
          title={`Partly undone: ${formatINR(subtract(batch.totalAmount, batch.paidAmount))} of it is unpaid again`}
        >
          {fileNote(batch, 'Its file')}
        </Alert>
      )}
      {batch.reversedAt !== null && (
        <Alert
          tone="warn"
          className="mt-3"
          title={`Undone on ${formatDateTime(batch.reversedAt)}${batch.reversedBy ? ` by ${batch.reversedBy}` : ''}`}
        >
          <span className="block whitespace-pre-wrap">Reason: {batch.reversedReason ?? '—'}</span>
          {fileNote(batch, 'Its file')}
        </Alert>
      )}
    </>
  );
}

/** One that was recorded later has its own day. */
const whenPaid = ({ paidOn, createdAt }: PaymentBatch): string =>
  paidOn === dayOf(createdAt)
    ? formatDateTime(createdAt)
    : `${formatDate(paidOn)}, recorded on ${formatDateTime(createdAt)}`;

function Fact({ label, className = '', children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="nums break-words">{children}</dd>
    </div>
  );
}

/** How the challans of a payment were chosen, in words; a filter with the names it had. */
function ChosenBy({ batch }: { batch: PaymentBatch }) {
  if (batch.kind === 'single') return <>One challan</>;
  if (batch.kind === 'selected') return <>Challans selected one by one or by page</>;
  if (batch.kind === 'import') return <>Past challans that were imported as paid</>;
  const filters = textsOfFilter(statementFilters, batch.appliedFilters ?? {});
  if (partsOf(statementFilters, filters).length === 0) return <>All unpaid challans, without a filter</>;
  return (
    <>
      All unpaid challans · <FilterWords table={statementFilters} filters={filters} />
    </>
  );
}
