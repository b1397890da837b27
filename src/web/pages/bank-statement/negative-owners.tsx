import { formatINR } from '../../../shared/calc/money.ts';
import type { StatementSummary } from '../../../shared/contract/bank-statement.ts';
import { Alert } from '../../ui/alert.tsx';

type Negative = Pick<StatementSummary, 'negativeOwnerCount' | 'negativeOwners'>;

const shownNames = 5;

/** 'Owners with a negative balance: Bijay Mohanta (-₹500.00), and 3 more' */
export function negativeText({ negativeOwnerCount, negativeOwners }: Negative): string {
  const names = negativeOwners.slice(0, shownNames).map(({ name, amount }) => `${name} (${formatINR(amount)})`);
  const more = negativeOwnerCount - names.length;
  const rest = more > 0 ? `, and ${more.toLocaleString('en-IN')} more` : '';
  return `${negativeOwnerCount === 1 ? 'Owner' : 'Owners'} with a negative balance: ${names.join(', ')}${rest}`;
}

/** Nothing can be transferred to them: their challans would be marked as paid, and take off the total. */
export function NegativeOwners({ negative }: { negative: Negative }) {
  const { negativeOwnerCount: count } = negative;
  if (count === 0) return null;
  return (
    <Alert
      tone="warn"
      title={
        count === 1
          ? '1 owner has a negative balance'
          : `${count.toLocaleString('en-IN')} owners have a negative balance`
      }
    >
      <p>
        {negativeText(negative)}. Their challans would be marked as paid too, and their sums reduce the total. Untick
        them to leave them out.
      </p>
    </Alert>
  );
}
