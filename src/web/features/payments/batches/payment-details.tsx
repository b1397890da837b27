import { useRef, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { ChevronDown, ChevronUp, Group } from 'lucide-react';
import { canReverseBatch, canSendToBank, reasonOf } from '../../../../shared/access.ts';
import type { FileFormat } from '../../../../shared/calc/file-names.ts';
import { dayOf, formatDate, formatDateTime } from '../../../../shared/calc/dates.ts';
import { formatINR, subtract } from '../../../../shared/calc/money.ts';
import type { PaymentBatch } from '../../../../shared/contract/payment-batches.ts';
import { groupsAddress } from '../../challans/index.ts';
import { paymentDetailsCommands } from '../payment-batch-actions.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { buttonOf, useCommands } from '../../../kit/actions/registry.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button, IconButton } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { downloadAdvice } from './download-advice.ts';
import { PaymentOwners, usePaymentOwners } from './payment-owners.tsx';
import { challansOfOwnersText, fileNote, undoneText } from './payment-texts.ts';
import { statementFilters } from '../../../../shared/filters/challan-filters.ts';
import { textsOfFilter } from '../../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../../shared/filters/filter-words.ts';
import { QueryFailure } from '../../../kit/feedback/failure-alert.tsx';
import { FilterWords } from '../../filters/index.ts';

interface PaymentDetailsProps {
  id: string;
  ownersPage: number;
  onOwnersPage: (page: number) => void;
  position: string | undefined;
  previousReason: string | undefined;
  nextReason: string | undefined;
  onStep: (by: 1 | -1) => void;
  onDownload: (batch: PaymentBatch, format: FileFormat) => void;
  /** The progress of a download. The dialog covers the place where the page shows it. */
  fileStatus: ReactNode;
  onReverse: (batch: PaymentBatch) => void;
  onBankFile: (batch: PaymentBatch) => void;
  onWrite: (batch: PaymentBatch) => void;
  onClose: () => void;
  placeFocus: () => boolean;
}

/**
 * The details of one payment: how it was made, whether it is still paid, and its owners with their challans as they
 * were then.
 */
export function PaymentDetails(props: PaymentDetailsProps) {
  const { id, ownersPage, onOwnersPage, position, onClose, placeFocus } = props;
  const query = paymentBatches.useGet({ params: { id }, query: { limit: 1 } });
  const owners = usePaymentOwners(id, ownersPage, onOwnersPage);
  const factsRef = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // While the next payment loads, the query still holds the data of the previous one, which must not be shown.
  const batch = query.data?.data.id === id ? query.data.data : undefined;
  const isGone = isApiError(query.error, 'NOT_FOUND');

  return (
    <Dialog
      size="2xl"
      closeOnOutside
      title={batch ? `Payment ${batch.number}` : 'Payment'}
      description={position}
      onClose={onClose}
      initialFocus={factsRef}
      placeFocus={placeFocus}
      footer={
        batch ? (
          <Footer {...props} batch={batch} search={() => field.current?.focus()} />
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
            ref={factsRef}
            role="group"
            aria-label="Payment fields"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where the focus begins; Tab goes on to the table
            tabIndex={0}
            className="min-h-16 outline-none"
          >
            <QueryFailure query={query} fallback="Failed to fetch payments" />
            {batch && <Facts batch={batch} />}
          </div>
          <PaymentOwners batch={batch} list={owners} fieldRef={field} />
        </div>
      )}
    </Dialog>
  );
}

function Footer(props: PaymentDetailsProps & { batch: PaymentBatch; search: () => void }) {
  const {
    batch,
    onClose,
    onStep,
    onDownload,
    onReverse,
    onBankFile,
    onWrite,
    fileStatus,
    previousReason,
    nextReason,
    search,
  } = props;
  const navigate = useNavigate();
  const toBankReason = reasonOf(canSendToBank(batch));
  const actions = useCommands(paymentDetailsCommands, {
    previous: { disabledReason: previousReason, run: () => onStep(-1) },
    next: { disabledReason: nextReason, run: () => onStep(1) },
    excel: () => onDownload(batch, 'xlsx'),
    csv: () => onDownload(batch, 'csv'),
    reverse: { disabledReason: reasonOf(canReverseBatch(batch)), run: () => onReverse(batch) },
    advice: { disabledReason: toBankReason, run: () => void downloadAdvice(batch) },
    bankFile: { disabledReason: toBankReason, run: () => onBankFile(batch) },
    write: { disabledReason: toBankReason, run: () => onWrite(batch) },
    group: {
      disabledReason: batch.paidCount === 0 ? 'No challan is paid by this payment any more' : undefined,
      run: () => void navigate(groupsAddress('owner', { paymentIs: batch.number })),
    },
    search: { disabledReason: batch.ownerCount === 1 ? 'This payment has only one owner' : undefined, run: search },
  });
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <IconButton
        {...buttonOf(actions.previous)}
        label={actions.previous.label}
        icon={<ChevronUp size={16} aria-hidden />}
      />
      <IconButton {...buttonOf(actions.next)} label={actions.next.label} icon={<ChevronDown size={16} aria-hidden />} />
      <IconButton {...buttonOf(actions.group)} label={actions.group.label} icon={<Group size={16} aria-hidden />} />
      {/* Without icons the buttons fit into one line of the dialog. */}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {fileStatus}
        <ActionButton action={actions.reverse} />
        <ActionButton action={actions.advice} />
        <ActionButton action={actions.bankFile} />
        <ActionButton action={actions.write} />
        <Button onClick={onClose}>Close</Button>
        <ActionButton action={actions.csv} />
        <ActionButton action={actions.excel} variant="primary" />
      </span>
    </div>
  );
}

function Facts({ batch }: { batch: PaymentBatch }) {
  const part = undoneText(batch);
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-2 md:grid-cols-4">
        <Fact label="Paid At">{paidAtText(batch)}</Fact>
        <Fact label="Paid By">{batch.createdBy}</Fact>
        <Fact label="Challans">{challansOfOwnersText(batch.updatedCount, batch.ownerCount)}</Fact>
        <Fact label="Total Amount">{formatINR(batch.totalAmount)}</Fact>
        {/* Placed so that the still paid figures are below the original ones. */}
        <Fact label="Chosen By" className={part ? 'md:col-span-2' : 'col-span-full'}>
          <ChosenBy batch={batch} />
        </Fact>
        {part !== undefined && (
          <>
            <Fact label="Still Paid">{challansOfOwnersText(batch.paidCount, batch.paidOwnerCount)}</Fact>
            <Fact label="Amount Still Paid">{formatINR(batch.paidAmount)}</Fact>
          </>
        )}
      </dl>
      {part !== undefined && batch.reversedAt === null && (
        <Alert
          tone="warn"
          className="mt-3"
          title={`Partly undone: ${formatINR(subtract(batch.totalAmount, batch.paidAmount))} is unpaid again`}
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

/** A payment that was recorded later also shows the day of payment. */
const paidAtText = ({ paidOn, createdAt }: PaymentBatch): string =>
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

/** Tells how the challans of a payment were chosen. A filter is shown with the names it had then. */
function ChosenBy({ batch }: { batch: PaymentBatch }) {
  if (batch.kind === 'single') return <>One challan</>;
  if (batch.kind === 'selected') return <>Selected challans</>;
  if (batch.kind === 'import') return <>Past challans imported as paid</>;
  const filters = textsOfFilter(statementFilters, batch.appliedFilters ?? {});
  if (partsOf(statementFilters, filters).length === 0) return <>All unpaid challans, without a filter</>;
  return (
    <>
      All unpaid challans · <FilterWords table={statementFilters} filters={filters} />
    </>
  );
}
