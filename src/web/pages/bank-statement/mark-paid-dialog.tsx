import { useRef, useState } from 'react';
import { amountInWords } from '../../../shared/calc/amount-words.ts';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import { useMarkPaidActions } from '../../actions/bank-statement.ts';
import { errorText } from '../../api/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { changedTo, type Request } from './use-payment.ts';

/** What the two steps are about, taken when the dialog opens: nothing shown in it changes under the reader's eyes. */
export interface PaymentPlan {
  request: Request;
  count: number;
  amount: string;
  owners: number | null;
  /** Made when the dialog opens, used again on retry (ruling 37). */
  key: string;
}

interface MarkPaidDialogProps {
  plan: PaymentPlan;
  onClose: () => void;
  onPay: (request: Request, key: string) => Promise<unknown>;
  onDownload: () => void;
  isDownloading: boolean;
  /** The selection changed meanwhile: close and show what it is now. */
  onReview: () => void;
}

/** Part 2 §4: step 1 recommends the CSV first, step 2 is the final confirmation. Enter never pays by accident. */
export function MarkPaidDialog({ plan, onClose, onPay, onDownload, isDownloading, onReview }: MarkPaidDialogProps) {
  const [step, setStep] = useState<1 | 2>(1);
  const [isPaying, setPaying] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const changed = changedTo(failure);

  const pay = async (): Promise<void> => {
    if (isPaying) return;
    setPaying(true);
    setFailure(undefined);
    try {
      await onPay(plan.request, plan.key);
      onClose();
    } catch (error) {
      setFailure(error);
      setPaying(false);
    }
  };
  const close = (): void => {
    // While the call runs its outcome is still to come: the dialog stays for it.
    if (!isPaying) onClose();
  };
  const facts = <Facts plan={plan} />;

  if (step === 1) {
    return (
      <StepOne
        onContinue={() => setStep(2)}
        onClose={close}
        onDownload={onDownload}
        isDownloading={isDownloading}
        facts={facts}
      />
    );
  }
  return (
    <StepTwo
      key="two"
      onClose={close}
      onPay={() => void pay()}
      isPaying={isPaying}
      isBlocked={changed !== undefined}
      facts={facts}
    >
      {changed && (
        <Alert
          title="The matching challans have changed meanwhile"
          actions={
            <Button size="sm" onClick={onReview}>
              Review the selection
            </Button>
          }
        >
          You confirmed {plan.count.toLocaleString('en-IN')} challans, {formatINR(plan.amount)}. Now it is{' '}
          {changed.count.toLocaleString('en-IN')} challans, {formatINR(changed.totalAmount)}. Nothing was paid.
        </Alert>
      )}
      {failure !== undefined && !changed && (
        <Alert title={errorText(failure, 'Failed to update payment status')}>
          You can try again: the same payment is never made twice.
        </Alert>
      )}
    </StepTwo>
  );
}

function Facts({ plan: { count, amount, owners } }: { plan: PaymentPlan }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
      <dt className="text-muted">Challans</dt>
      <dd className="nums font-semibold">{count.toLocaleString('en-IN')}</dd>
      {owners !== null && (
        <>
          <dt className="text-muted">Owners</dt>
          <dd className="nums font-semibold">{owners.toLocaleString('en-IN')}</dd>
        </>
      )}
      <dt className="text-muted">Total</dt>
      <dd>
        <span className="nums font-semibold">{formatINR(amount)}</span>
        {compare(amount, '0.00') > 0 && <span className="block text-xs text-muted">{amountInWords(amount)}</span>}
      </dd>
    </dl>
  );
}

interface StepOneProps {
  facts: React.ReactNode;
  onContinue: () => void;
  onClose: () => void;
  onDownload: () => void;
  isDownloading: boolean;
}

function StepOne({ facts, onContinue, onClose, onDownload, isDownloading }: StepOneProps) {
  const first = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      title="Mark challans as paid"
      description="Step 1 of 2"
      onClose={onClose}
      initialFocus={first}
      footer={
        <>
          <DialogKeys label="Continue to Payment" run={onContinue} />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" keys="Ctrl+Enter" onClick={onContinue}>
            Continue to Payment
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Alert
          tone="info"
          title="Download the CSV first"
          actions={
            <Button ref={first} size="sm" busy={isDownloading} onClick={onDownload}>
              Download CSV
            </Button>
          }
        >
          Keep the bank statement as it is now, before the challans leave it.
        </Alert>
        {facts}
      </div>
    </Dialog>
  );
}

interface StepTwoProps {
  facts: React.ReactNode;
  children: React.ReactNode;
  onClose: () => void;
  onPay: () => void;
  isPaying: boolean;
  isBlocked: boolean;
}

function StepTwo({ facts, children, onClose, onPay, isPaying, isBlocked }: StepTwoProps) {
  const safe = useRef<HTMLButtonElement>(null);
  const reason = isBlocked ? 'The selection has changed. Review it first.' : undefined;
  return (
    <Dialog
      open
      role="alertdialog"
      title="Mark these challans as paid?"
      description="Step 2 of 2: final confirmation"
      onClose={onClose}
      initialFocus={safe}
      footer={
        <>
          <DialogKeys label="Yes, Mark Selected as Paid" run={onPay} reason={reason} />
          <Button ref={safe} onClick={onClose}>
            No, Cancel
          </Button>
          <Button variant="primary" keys="Ctrl+Enter" busy={isPaying} disabledReason={reason} onClick={onPay}>
            Yes, Mark Selected as Paid
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {children}
        {facts}
      </div>
    </Dialog>
  );
}

/** Inside the dialog, so that its key belongs to the dialog. */
function DialogKeys({ label, run, reason }: { label: string; run: () => void; reason?: string | undefined }) {
  useMarkPaidActions({ label, run, reason });
  return null;
}
