import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery } from '@tanstack/react-query';
import { challansText } from '../../../shared/calc/count-text.ts';
import type { PaymentResult, SelectionReview } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../api/bank-statement.ts';
import { call } from '../../api/client.ts';
import { useArmed } from '../../ui/double-press.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import {
  Changed,
  Facts,
  Failure,
  PaidOtherwise,
  Recommendation,
  ReviewFailure,
  StepFooter,
} from './mark-paid-parts.tsx';
import {
  changedTo,
  paidOtherwise,
  planOver,
  questionOf,
  reviewed,
  type PaymentPlan,
  type Request,
} from './payment-plan.ts';

interface MarkPaidDialogProps {
  plan: PaymentPlan;
  onClose: () => void;
  onPay: (request: Request, key: string) => Promise<PaymentResult>;
  onUndo: (batchId: string) => void;
  /** The challans are no longer what was shown: the dialog starts again with what they are now. */
  onChanged: (plan: PaymentPlan, review?: SelectionReview) => void;
  onDownload: () => void;
  isDownloading: boolean;
  /** How many challans the statement's file holds. */
  statementCount: number;
  placeFocus: () => boolean;
  returnFocus: () => void;
}

/** What is shown; an object for each time it is, so that coming back to a step starts its delay again. */
type View = { step: 1 | 2 } | { step: 'paid'; paid: PaymentResult };

/** Said when the selection is empty by now (docs/specification.md §15.5). */
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
 * docs/specification.md §10.3: step 1 recommends the CSV first, step 2 is the final confirmation. Enter never pays by
 * accident, and neither does the key of step 1 pressed twice. Where something else was paid than was confirmed, that
 * stays on the screen.
 */
export function MarkPaidDialog(props: MarkPaidDialogProps) {
  const { plan, onClose, onPay, onUndo, onChanged, onDownload, isDownloading, statementCount } = props;
  const [view, setView] = useState<View>({ step: 1 });
  const { step } = view;
  const isArmed = useArmed(view);
  const [isPaying, setPaying] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { review, error: reviewError, retry } = useReview(plan);
  /** The plan's key where 'Continue' was pressed before the server had answered. */
  const [wanted, setWanted] = useState<string>();
  /** The CSV in step 1, the safe button afterwards (docs/keyboard.md §8). */
  const first = useRef<HTMLButtonElement>(null);
  // State is too slow for two presses within one frame.
  const isSent = useRef(false);
  const go = (to: View): void => {
    // The step's own button must be there before it can take the focus.
    flushSync(() => setView(to));
    first.current?.focus();
  };

  const emptyReason = plan.count === 0 ? nothingLeft : reviewError ? notChecked : undefined;
  const goOn = (): void => {
    if (emptyReason !== undefined) return;
    if (plan.review) go({ step: 2 });
    else setWanted(plan.key);
  };
  // Whoever retries has read that it failed, and what has changed, by its new key, is to be read first.
  if (wanted !== undefined && (reviewError || wanted !== plan.key)) setWanted(undefined);
  const latest = useRef({ onChanged, go });
  useEffect(() => {
    latest.current = { onChanged, go };
  });
  useEffect(() => {
    if (!review || plan.review) return;
    const next = reviewed(plan, review);
    latest.current.onChanged(next, next.key === plan.key ? undefined : review);
  }, [plan, review]);
  useEffect(() => {
    if (wanted !== plan.key || !plan.review) return;
    // After this effect: the step must be drawn before its button can take the focus.
    queueMicrotask(() => {
      setWanted(undefined);
      latest.current.go({ step: 2 });
    });
  }, [plan, wanted]);
  const pay = async (): Promise<void> => {
    if (isSent.current || !isArmed) return;
    isSent.current = true;
    setPaying(true);
    setFailure(undefined);
    try {
      const paid = paidOtherwise(plan, await onPay(plan.request, plan.key));
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
    // The dialog stays open until the call has its outcome, and until figures that have just come could be read.
    if (!isPaying && (step !== 'paid' || isArmed)) onClose();
  };
  const undo = (batchId: string | null): void => {
    if (batchId === null) return;
    onUndo(batchId);
    onClose();
  };

  return (
    <Dialog
      role={step === 1 ? 'dialog' : 'alertdialog'}
      {...headings[step]}
      onClose={close}
      initialFocus={first}
      placeFocus={props.placeFocus}
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
          <StepFooter
            safe={<Button onClick={close}>Cancel</Button>}
            label="Continue to Payment"
            run={goOn}
            reason={emptyReason}
            blocked={wanted === undefined ? undefined : checking}
            isBusy={wanted !== undefined}
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
            // On the button alone: the key is passed over in silence.
            blocked={isArmed ? undefined : toRead}
            isBusy={isPaying}
          />
        )
      }
    >
      {view.step === 'paid' ? (
        <PaidOtherwise plan={plan} paid={view.paid} />
      ) : (
        <div className="grid gap-4">
          {plan.before && step === 1 && <Changed before={plan.before} now={plan} />}
          {reviewError !== null && <ReviewFailure error={reviewError} onRetry={retry} />}
          {step === 1 && (
            <Recommendation
              buttonRef={first}
              isBusy={isDownloading}
              onDownload={onDownload}
              statementCount={statementCount}
            />
          )}
          {failure !== undefined && <Failure error={failure} />}
          <Facts plan={plan} {...(step === 1 && review && { onChange: onChanged })} />
          <p role="status" className="min-h-4 text-xs text-muted">
            {isPaying && `Marking ${challansText(plan.count)} as paid…`}
          </p>
        </div>
      )}
    </Dialog>
  );
}

/** What the server says the plan covers now, asked when the dialog opens. */
function useReview(plan: PaymentPlan): { review: SelectionReview | undefined; error: unknown; retry: () => void } {
  const query = useQuery({
    queryKey: ['payment-review', plan.key],
    queryFn: ({ signal }) => call(bankStatement.calls.review, { body: questionOf(plan) }, { signal }),
    enabled: plan.review === undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  return {
    review: plan.review ?? query.data?.data,
    error: plan.review ? null : query.error,
    retry: () => void query.refetch(),
  };
}
