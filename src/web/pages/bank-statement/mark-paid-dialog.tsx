import { useRef, useState, type ReactNode, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { amountInWords } from '../../../shared/calc/amount-words.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { useMarkPaidActions } from '../../actions/bank-statement.ts';
import { errorText, isApiError } from '../../api/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { planOver, type PaymentPlan, type Request } from './payment-plan.ts';
import { challansText, changedTo } from './use-payment.ts';

interface MarkPaidDialogProps {
  plan: PaymentPlan;
  onClose: () => void;
  onPay: (request: Request, key: string) => Promise<unknown>;
  /** What matches has changed: the dialog begins anew with what it is now. */
  onChanged: (plan: PaymentPlan) => void;
  onDownload: () => void;
  isDownloading: boolean;
  /** How many challans the statement's file holds. */
  statementCount: number;
  placeFocus: () => boolean;
  returnFocus: () => void;
}

/** Part 2 §8, client guards. */
const nothingLeft = 'No challans selected for payment';

/** Part 2 §4: step 1 recommends the CSV first, step 2 is the final confirmation. Enter never pays by accident. */
export function MarkPaidDialog(props: MarkPaidDialogProps) {
  const { plan, onClose, onPay, onChanged, onDownload, isDownloading, statementCount, placeFocus, returnFocus } = props;
  const [step, setStep] = useState<1 | 2>(1);
  const [isPaying, setPaying] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  /** The CSV in step 1, the safe button in step 2 (design, keyboard.md). */
  const first = useRef<HTMLButtonElement>(null);
  // State is too slow for two presses within one frame.
  const isSent = useRef(false);
  const go = (to: 1 | 2): void => {
    // The step's own button must be there before it can take the focus.
    flushSync(() => setStep(to));
    first.current?.focus();
  };

  const emptyReason = plan.count === 0 ? nothingLeft : undefined;
  const goOn = (): void => {
    if (emptyReason === undefined) go(2);
  };
  const pay = async (): Promise<void> => {
    if (isSent.current) return;
    isSent.current = true;
    setPaying(true);
    setFailure(undefined);
    try {
      await onPay(plan.request, plan.key);
      onClose();
    } catch (error) {
      const now = changedTo(error);
      if (now) {
        onChanged(planOver(plan, now));
        go(1);
      } else setFailure(error);
    } finally {
      isSent.current = false;
      setPaying(false);
    }
  };
  const close = (): void => {
    // While the call runs its outcome is still to come: the dialog stays for it.
    if (!isPaying) onClose();
  };

  return (
    <Dialog
      open
      role={step === 1 ? 'dialog' : 'alertdialog'}
      title={step === 1 ? 'Mark challans as paid' : 'Mark these challans as paid?'}
      description={step === 1 ? 'Step 1 of 2' : 'Step 2 of 2: final confirmation'}
      onClose={close}
      initialFocus={first}
      placeFocus={placeFocus}
      returnFocus={returnFocus}
      footer={
        step === 1 ? (
          <StepFooter
            safe={<Button onClick={close}>Cancel</Button>}
            label="Continue to Payment"
            run={goOn}
            reason={emptyReason}
          />
        ) : (
          <StepFooter
            safe={
              <Button ref={first} onClick={close} disabledReason={isPaying ? 'The payment is under way' : undefined}>
                No, Cancel
              </Button>
            }
            label="Yes, Mark Selected as Paid"
            run={() => void pay()}
            isBusy={isPaying}
          />
        )
      }
    >
      <div className="grid gap-4">
        {plan.before && step === 1 && <Changed before={plan.before} now={plan} />}
        {step === 1 && (
          <Recommendation
            buttonRef={first}
            isBusy={isDownloading}
            onDownload={onDownload}
            statementCount={statementCount}
          />
        )}
        {failure !== undefined && <Failure error={failure} />}
        <Facts plan={plan} />
        <p role="status" className="min-h-4 text-xs text-muted">
          {isPaying && `Marking ${challansText(plan.count)} as paid…`}
        </p>
      </div>
    </Dialog>
  );
}

function Changed({ before, now }: { before: { count: number; amount: string }; now: PaymentPlan }) {
  return (
    <Alert title="The matching challans have changed meanwhile">
      <p>Nothing was paid. Review what would be paid now, then continue; your selection is kept.</p>
      <dl className="mt-2 grid grid-cols-[auto_auto_1fr] gap-x-4 gap-y-0.5">
        <dt>You saw</dt>
        <dd className="nums">{challansText(before.count)}</dd>
        <dd className="nums">{formatINR(before.amount)}</dd>
        <dt className="font-semibold">Now</dt>
        <dd className="nums font-semibold">{challansText(now.count)}</dd>
        <dd className="nums font-semibold">{formatINR(now.amount)}</dd>
      </dl>
    </Alert>
  );
}

interface RecommendationProps {
  buttonRef: Ref<HTMLButtonElement>;
  isBusy: boolean;
  onDownload: () => void;
  statementCount: number;
}

function Recommendation({ buttonRef, isBusy, onDownload, statementCount }: RecommendationProps) {
  return (
    <Alert
      tone="info"
      title="We recommend downloading the CSV first"
      actions={
        <Button ref={buttonRef} size="sm" busy={isBusy} onClick={onDownload}>
          Download CSV
        </Button>
      }
    >
      It keeps the bank statement as it is now ({challansText(statementCount)} under the current filters), before the
      paid ones leave it.
    </Alert>
  );
}

function Failure({ error }: { error: unknown }) {
  const isRefused = isApiError(error) && error.status >= 400 && error.status < 500;
  return (
    <Alert title={errorText(error, 'Failed to update payment status')}>
      {isRefused
        ? 'Nothing was paid. Cancel and review the selection.'
        : 'You can try again: the same payment is never made twice.'}
    </Alert>
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
        <span className="nums text-base font-semibold">{formatINR(amount)}</span>
        <span className="block text-xs text-muted">{amountInWords(amount)}</span>
      </dd>
    </dl>
  );
}

interface StepFooterProps {
  safe: ReactNode;
  label: string;
  run: () => void;
  reason?: string | undefined;
  isBusy?: boolean;
}

/** Inside the dialog, so that its key belongs to the dialog. */
function StepFooter({ safe, label, run, reason, isBusy = false }: StepFooterProps) {
  useMarkPaidActions({ label, run, reason });
  return (
    <>
      {safe}
      <Button variant="primary" keys="Ctrl+Enter" busy={isBusy} disabledReason={reason} onClick={run}>
        {label}
      </Button>
    </>
  );
}
