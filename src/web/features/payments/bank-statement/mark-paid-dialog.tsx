import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery } from '@tanstack/react-query';
import { challansText } from '../../../../shared/calc/count-text.ts';
import type { PaymentResult, SelectionReview } from '../../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { call } from '../../../kit/api/client.ts';
import { useArmed } from '../../../kit/ui/double-press.ts';
import { ConfirmButton } from '../../../kit/actions/confirm-button.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import {
  ChangedAlert,
  PlanFacts,
  PaymentFailure,
  PaidDifferently,
  Recommendation,
  ReviewFailure,
} from './mark-paid-parts.tsx';
import { changedTo, differingPayment, planOver, reviewRequestOf, reviewed, type PaymentPlan } from './payment-plan.ts';
import type { useMarkPaid } from './use-mark-paid.ts';

interface MarkPaidDialogProps {
  plan: PaymentPlan;
  marking: ReturnType<typeof useMarkPaid>;
  onDownload: () => void;
  isDownloading: boolean;
  /** The number of challans in the statement's file. */
  statementCount: number;
  returnFocus: () => void;
}

/** The step that is shown. Each visit of a step is a new object, so that its delay (`useArmed`) starts again. */
type View = { step: 1 | 2 } | { step: 'paid'; paid: PaymentResult };

/** Shown when nothing of the selection is left (docs/specification.md §15.5). */
const nothingLeft = 'No challans selected for payment';
const toRead = 'One moment, to read what will be paid';
const checking = 'The challans are being checked';
const notChecked = 'The challans could not be checked. Retry first.';

const headings: Record<View['step'], { title: string; description: string }> = {
  1: { title: 'Mark challans as paid', description: 'Step 1 of 2' },
  2: { title: 'Mark these challans as paid?', description: 'Step 2 of 2: final confirmation' },
  paid: { title: 'Paid, with other figures', description: 'It stays paid unless you undo it' },
};

/**
 * The payment in two steps (docs/specification.md §10.3): step 1 recommends the CSV, step 2 is the final confirmation.
 * Neither Enter nor a double press of step 1's key can pay by accident. If the payment differs from what was confirmed,
 * the dialog stays open and shows both.
 */
export function MarkPaidDialog(props: MarkPaidDialogProps) {
  const { plan, marking, onDownload, isDownloading, statementCount } = props;
  const { change: onChanged, close: onClose } = marking;
  const [view, setView] = useState<View>({ step: 1 });
  const { step } = view;
  const isArmed = useArmed(view);
  const [isPaying, setPaying] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { found, error: reviewError, retry } = useReview(plan);
  /** The key of the plan for which 'Continue' was pressed before the review had arrived. */
  const [awaitedKey, setAwaitedKey] = useState<string>();
  /** The button that gets the focus: the CSV in step 1, then the one that does not pay (docs/keyboard.md §8). */
  const first = useRef<HTMLButtonElement>(null);
  // A ref, because two presses within one frame would both see the old state.
  const isSent = useRef(false);
  const go = (to: View): void => {
    // Rendered at once, because the step's button must exist before it can get the focus.
    flushSync(() => setView(to));
    first.current?.focus();
  };

  const needsRelease = plan.review?.needsRelease ?? null;
  const emptyReason = plan.count === 0 ? nothingLeft : reviewError ? notChecked : undefined;
  const continueToPayment = (): void => {
    if (emptyReason !== undefined) return;
    if (plan.isReviewed) go({ step: 2 });
    else setAwaitedKey(plan.key);
  };
  // After a failure or a change (a new key) the user has to read step 1 and press 'Continue' again.
  if (awaitedKey !== undefined && (reviewError || awaitedKey !== plan.key)) setAwaitedKey(undefined);
  const latest = useRef({ onChanged, go });
  useEffect(() => {
    latest.current = { onChanged, go };
  });
  useEffect(() => {
    if (!found || plan.isReviewed) return;
    const next = reviewed(plan, found);
    latest.current.onChanged(next, next.key === plan.key ? undefined : found);
  }, [plan, found]);
  useEffect(() => {
    if (awaitedKey !== plan.key || !plan.isReviewed) return;
    // Not within the effect, because `go` renders synchronously.
    queueMicrotask(() => {
      setAwaitedKey(undefined);
      latest.current.go({ step: 2 });
    });
  }, [plan, awaitedKey]);
  const pay = async (): Promise<void> => {
    if (isSent.current || !isArmed) return;
    isSent.current = true;
    setPaying(true);
    setFailure(undefined);
    try {
      const made = await marking.pay(plan);
      const paid = made && differingPayment(plan, made);
      if (paid) go({ step: 'paid', paid });
      else onClose();
    } catch (error) {
      const now = changedTo(error);
      if (now) {
        onChanged(planOver(plan, now));
        go({ step: 1 });
      } else setFailure(error);
    } finally {
      isSent.current = false;
      setPaying(false);
    }
  };
  const close = (): void => {
    // The dialog stays open while the call runs, and until the user had time to read the figures of a differing payment.
    if (!isPaying && (step !== 'paid' || isArmed)) onClose();
  };
  const undo = (batchId: string | null): void => {
    if (batchId === null) return;
    marking.undo(batchId);
    onClose();
  };

  return (
    <Dialog
      role={step === 1 ? 'dialog' : 'alertdialog'}
      {...headings[step]}
      onClose={close}
      initialFocus={first}
      placeFocus={marking.placeFocus}
      returnFocus={props.returnFocus}
      footer={
        view.step === 'paid' ? (
          <>
            <Button variant="danger" onClick={() => undo(view.paid.batchId)}>
              Undo Payment
            </Button>
            <Button ref={first} onClick={close}>
              Keep the Payment
            </Button>
          </>
        ) : step === 1 ? (
          <>
            <Button onClick={close}>Cancel</Button>
            <ConfirmButton
              label="Continue to Payment"
              run={continueToPayment}
              disabledReason={emptyReason}
              blocked={awaitedKey === undefined ? undefined : checking}
              busy={awaitedKey !== undefined}
            />
          </>
        ) : (
          <>
            <Button ref={first} onClick={close} disabledReason={isPaying ? 'The payment is under way' : undefined}>
              No, Cancel
            </Button>
            <ConfirmButton
              label={needsRelease === null ? 'Yes, Mark Selected as Paid' : 'Prepare for Release'}
              run={() => void pay()}
              blocked={isArmed ? undefined : toRead}
              busy={isPaying}
            />
          </>
        )
      }
    >
      {view.step === 'paid' ? (
        <PaidDifferently plan={plan} paid={view.paid} />
      ) : (
        <div className="grid gap-4">
          {plan.before && step === 1 && <ChangedAlert before={plan.before} now={plan} />}
          {reviewError !== null && <ReviewFailure error={reviewError} onRetry={retry} />}
          {step === 1 && (
            <Recommendation
              buttonRef={first}
              isBusy={isDownloading}
              onDownload={onDownload}
              statementCount={statementCount}
            />
          )}
          {failure !== undefined && <PaymentFailure error={failure} />}
          <PlanFacts plan={plan} {...(step === 1 && { onChange: onChanged })} />
          <p role="status" className="min-h-4 text-xs text-muted">
            {isPaying &&
              `${needsRelease === null ? 'Marking' : 'Preparing'} ${challansText(plan.count)}${needsRelease === null ? ' as paid' : ''}…`}
          </p>
        </div>
      )}
    </Dialog>
  );
}

/** The server's review of the plan: what it covers and pays now. It is requested when the dialog opens, and after a choice. */
function useReview(plan: PaymentPlan): { found: SelectionReview | undefined; error: unknown; retry: () => void } {
  const query = useQuery({
    queryKey: ['payment-review', plan.key],
    queryFn: ({ signal }) => call(bankStatement.calls.review, { body: reviewRequestOf(plan) }, { signal }),
    enabled: !plan.isReviewed,
    gcTime: 0,
    staleTime: Infinity,
  });
  return { found: query.data?.data, error: plan.isReviewed ? null : query.error, retry: () => void query.refetch() };
}
