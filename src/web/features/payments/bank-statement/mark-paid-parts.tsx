import type { ReactNode, Ref } from 'react';
import { clsx } from 'clsx';
import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { amountInWords } from '../../../../shared/calc/amount-words.ts';
import { failureText } from '../../../../shared/bank/lines.ts';
import { compare, formatINR, isZero } from '../../../../shared/calc/money.ts';
import type { PaymentResult, SelectionReview, StatementSummary } from '../../../../shared/contract/bank-statement.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { statementFilters } from '../../../../shared/filters/challan-filters.ts';
import { textsOfFilter } from '../../../../shared/filters/filter-texts.ts';
import { FilterWords } from '../../filters/index.ts';
import { changedAccountText } from '../../bank/index.ts';
import { carrying, changeText, isCarried, payingNegative, type PaymentPlan } from './payment-plan.ts';
import { FailureAlert } from '../../../kit/feedback/failure-alert.tsx';

/** Compares the figures that were shown with the present ones. Nothing is paid until the user has seen the new ones. */
export function ChangedAlert({ before, now }: { before: { count: number; amount: string }; now: PaymentPlan }) {
  const what = now.request.by === 'ids' && now.review ? changeText(before.count, now.review) : undefined;
  return (
    <Alert title={`The ${now.request.by === 'ids' ? 'selected' : 'matching'} challans have changed meanwhile`}>
      <p>
        {what !== undefined && `${what}. `}Nothing was paid. Review what would be paid now, then continue; your
        selection is kept.
      </p>
      <TwoFigures first={['You saw', before.count, before.amount]} second={['Now', now.count, now.amount]} />
    </Alert>
  );
}

interface TwoFiguresProps {
  first: [label: string, count: number, amount: string];
  second: [label: string, count: number, amount: string];
}

function TwoFigures({ first, second }: TwoFiguresProps) {
  return (
    <dl className="mt-2 grid grid-cols-[auto_auto_1fr] gap-x-4 gap-y-0.5">
      {[first, second].map(([label, count, amount], index) => (
        <div key={label} className={clsx('contents', index === 1 && 'font-semibold')}>
          <dt>{label}</dt>
          <dd className="nums">{challansText(count)}</dd>
          <dd className="nums">{formatINR(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shown when the payment differs from what was confirmed, because challans were changed between review and payment. */
export function PaidDifferently({ plan, paid }: { plan: PaymentPlan; paid: PaymentResult }) {
  const { updatedCount, totalAmount, skippedCount } = paid;
  return (
    <Alert tone="warn" title="What was paid is not what you confirmed">
      <p>
        Challans were changed elsewhere after this was opened
        {skippedCount > 0 && `; ${challansText(skippedCount)} had been paid before`}. Each was paid with the amount it
        has now.
      </p>
      <TwoFigures first={['You confirmed', plan.count, plan.amount]} second={['Paid', updatedCount, totalAmount]} />
    </Alert>
  );
}

interface RecommendationProps {
  buttonRef: Ref<HTMLButtonElement>;
  isBusy: boolean;
  onDownload: () => void;
  statementCount: number;
}

export function Recommendation({ buttonRef, isBusy, onDownload, statementCount }: RecommendationProps) {
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

export function PaymentFailure({ error }: { error: unknown }) {
  const isRefused = isApiError(error) && error.status >= 400 && error.status < 500;
  return (
    <FailureAlert error={error} fallback="Failed to update payment status">
      {isRefused
        ? 'Nothing was paid. Cancel and review the selection.'
        : 'You can try again: the same payment is never made twice.'}
    </FailureAlert>
  );
}

/** Shown when the review of the plan failed. */
export function ReviewFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <FailureAlert error={error} fallback="Failed to fetch bank statement" onRetry={onRetry}>
      The challans could not be checked before the payment. Nothing was paid.
    </FailureAlert>
  );
}

/** What is being paid, in both steps: the filter in words, the count, the amount, and what is left out. */
export function PlanFacts({ plan, onChange }: { plan: PaymentPlan; onChange?: (plan: PaymentPlan) => void }) {
  const { count, amount, review, request, filters } = plan;
  const hasFilter = Object.keys(filters).length > 0;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6">
        <Fact label="Total">
          <span className="text-lg">{formatINR(amount)}</span>
          <span className="block text-xs font-normal text-muted">{amountInWords(amount)}</span>
          {review && <WayToTotal review={review} />}
        </Fact>
      </dl>
      {!hasFilter && (
        <Alert tone="warn" title="No filter is set">
          {request.by === 'filter' && (review?.notPaid.count ?? request.excludeChallanIds.length) === 0
            ? 'This pays every unpaid challan of your business, of all periods, tags and owners.'
            : 'The challans were selected among all unpaid ones, of all periods, tags and owners.'}
        </Alert>
      )}
      {review && review.needsRelease !== null && <Alert tone="warn" title={review.needsRelease} />}
      {review && <ChangedAccounts review={review} />}
      {review && <Unusual amount={amount} largest={review.largestPayment} />}
      {review && <NegativeOwners plan={plan} review={review} onChange={onChange} />}
      {review && <IncompleteOwners review={review} />}
      {review && <FailedOwners review={review} />}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <Fact label="Filter">
          {hasFilter ? (
            <FilterWords table={statementFilters} filters={textsOfFilter(statementFilters, filters)} />
          ) : (
            'None'
          )}
        </Fact>
        <Fact label="Challans">{formatCount(count)}</Fact>
        <Fact label="Owners">{review ? formatCount(review.payment.ownerCount) : '…'}</Fact>
        {review && !isZero(review.payment.deductedAmount) && (
          <Fact label="Deducted">{formatINR(review.payment.deductedAmount)} carried from earlier payments</Fact>
        )}
        {review && request.carries && (
          <Fact label="Carried">
            {formatINR(review.payment.carriedAmount)} into the next payment of{' '}
            {countText(request.carries.length, 'owner')}
          </Fact>
        )}
        <Fact label="Left out">{review ? leftOutText(review.notPaid) : '…'}</Fact>
        {review && review.heldMatchingCount > 0 && (
          <Fact label="On hold">{challansText(review.heldMatchingCount)}</Fact>
        )}
      </dl>
    </>
  );
}

function leftOutText({ count, amount }: SelectionReview['notPaid']): string {
  if (count === 0 && isZero(amount)) return 'Nothing that matches the filter';
  return `${challansText(count)} that ${count === 1 ? 'matches' : 'match'} the filter, ${formatINR(amount)}`;
}

/** '95 selected − 26 of 2 owners below zero = 69 · ₹1,23,456.00': how the selection becomes what is paid. */
function WayToTotal({ review: { count, payment } }: { review: SelectionReview }) {
  if (payment.leftOutCount === 0) return null;
  return (
    <span className="mt-1 block font-normal">
      {formatCount(count)} selected − {formatCount(payment.leftOutCount)} of{' '}
      {countText(payment.leftOutOwnerCount, 'owner')} below zero = {formatCount(payment.count)} ·{' '}
      {formatINR(payment.amount)}
    </span>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="nums font-semibold">{children}</dd>
    </>
  );
}

type Negative = Pick<StatementSummary, 'negativeOwnerCount' | 'negativeOwners'>;

const shownNames = 5;

/** 'Owners with a negative balance: Bijay Mohanta (-₹500.00), and 3 more' */
export function negativeText({ negativeOwnerCount, negativeOwners }: Negative): string {
  const names = negativeOwners.slice(0, shownNames).map(({ name, amount }) => `${name} (${formatINR(amount)})`);
  const more = negativeOwnerCount - names.length;
  const rest = more > 0 ? `, and ${formatCount(more)} more` : '';
  return `${negativeOwnerCount === 1 ? 'Owner' : 'Owners'} with a negative balance: ${names.join(', ')}${rest}`;
}

interface NegativeOwnersProps {
  plan: PaymentPlan;
  review: SelectionReview;
  /** Absent in step 2, where nothing can be changed. */
  onChange: ((plan: PaymentPlan) => void) | undefined;
}

/**
 * Owners with a negative sum get no transfer. They are left out, unless the user carries what an owner owes into its next
 * payment, or marks the challans as paid anyway.
 */
function NegativeOwners({ plan, review, onChange }: NegativeOwnersProps) {
  const { negativeOwnerCount: count, negativeOwners } = review;
  const isPaid = plan.request.paysNegative ?? false;
  const carriedCount = plan.request.carries?.length ?? 0;
  if (count === 0) return null;
  return (
    <Alert
      tone="warn"
      title={count === 1 ? '1 owner has a negative balance' : `${formatCount(count)} owners have a negative balance`}
    >
      <p>
        {negativeText(review)}.{' '}
        {isPaid
          ? 'Their challans are marked as paid too, and their sums reduce the total.'
          : carriedCount === count
            ? 'What they owe is carried into their next payments.'
            : `${carriedCount === 0 ? 'They' : 'The others'} are left out: nothing can be transferred to them.`}
      </p>
      {onChange && (
        <div className="mt-2 grid justify-items-start gap-1">
          {!isPaid &&
            negativeOwners.map((owner) => (
              <Checkbox
                key={owner.id}
                label={`${owner.name}: Carry ${formatINR(owner.owes)} into the next payment`}
                checked={isCarried(plan, owner)}
                onCheckedChange={(on) => onChange(carrying(plan, owner, on))}
              />
            ))}
          <Checkbox
            label="Mark their challans as paid too"
            checked={isPaid}
            onCheckedChange={(on) => onChange(payingNegative(plan, on))}
          />
        </div>
      )}
    </Alert>
  );
}

/** Warns about a payment larger than all recent ones: a filter may be missing. */
function Unusual({ amount, largest }: { amount: string; largest: string | null }) {
  if (largest === null || compare(amount, largest) <= 0) return null;
  return (
    <Alert tone="warn" title="An unusual sum">
      {formatINR(amount)} is more than your largest payment of the last twelve weeks, {formatINR(largest)}.
    </Alert>
  );
}

/** Warns about owners without bank details. Their challans can be marked as paid, but the bank transfer needs the details. */
function IncompleteOwners({ review }: { review: SelectionReview }) {
  const { incompleteOwnerCount: count, incompleteOwners } = review;
  if (count === 0) return null;
  const names = incompleteOwners.map(({ name, missing }) => `${name} (${missing})`).join(', ');
  const more = count - incompleteOwners.length;
  return (
    <Alert
      tone="warn"
      title={count === 1 ? '1 owner has no bank details' : `${formatCount(count)} owners have no bank details`}
    >
      {names}
      {more > 0 && `, and ${formatCount(more)} more`}. Nothing can be transferred to {count === 1 ? 'it' : 'them'} until
      they are entered.
    </Alert>
  );
}

/** Warns about owners to whose account the last transfer failed, because the next one fails for the same reason. */
function FailedOwners({ review: { failedOwnerCount: count, failedOwners } }: { review: SelectionReview }) {
  if (count === 0) return null;
  const names = failedOwners.map(({ name, failedTransfer }) => `${name} (${failureText(failedTransfer)})`).join(', ');
  const more = count - failedOwners.length;
  return (
    <Alert
      tone="warn"
      title={
        count === 1
          ? 'The last transfer to 1 owner failed'
          : `The last transfers to ${formatCount(count)} owners failed`
      }
    >
      {names}
      {more > 0 && `, and ${formatCount(more)} more`}. The bank file leaves {count === 1 ? 'it' : 'them'} out, unless
      the account or the IFSC is corrected before the payment, or {count === 1 ? 'it is' : 'they are'} ticked there to
      be sent again.
    </Alert>
  );
}

/** Accounts that were changed and that nobody has confirmed (docs/specification.md §28.7). */
function ChangedAccounts({ review: { changedAccounts } }: { review: SelectionReview }) {
  if (changedAccounts.length === 0) return null;
  return (
    <Alert tone="warn" title={`${countText(changedAccounts.length, 'changed account')} not confirmed`}>
      <ul>
        {changedAccounts.map((account) => (
          <li key={account.id}>
            {account.name}: {changedAccountText(account)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
