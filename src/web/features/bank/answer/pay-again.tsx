import { Link } from 'react-router-dom';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { grouped } from '../../../../shared/calc/grouped.ts';
import { outcomeWords, type ProposalRow } from '../../../../shared/columns/bank-answer-columns.ts';
import { screens } from '../../../screens.ts';

const unpaying = ['failed', 'returned'] as const;

/** Whether the challans of a row became unpaid when it was accepted. */
export const isUnpaidAgain = ({ isAccepted, outcome }: ProposalRow): boolean =>
  isAccepted && unpaying.some((one) => one === outcome);

/** The owner in the bank statement. */
export const payAgainPath = (ownerId: string): string => `${screens.bankStatement.path}?ownerId=${ownerId}`;

/** More owners are reached from their rows. */
const maxOwners = 5;

/** Links to the owners whose challans became unpaid, to pay them again in the bank statement. */
export function PayAgain({ rows }: { rows: readonly ProposalRow[] }) {
  const owners = [...grouped(rows.filter(isUnpaidAgain), ({ answered }) => (answered ? [answered.ownerId] : []))];
  if (owners.length === 0) return null;
  return (
    <ul aria-label="Unpaid again" className="nums flex flex-wrap gap-x-5 gap-y-1">
      {owners.slice(0, maxOwners).map(([ownerId, its]) => {
        const counts = unpaying.flatMap((outcome) => {
          const count = its.filter((row) => row.outcome === outcome).length;
          return count === 0 ? [] : `${formatCount(count)} ${outcomeWords[outcome].toLowerCase()}`;
        });
        return (
          <li key={ownerId}>
            {its[0]?.answered?.name} · <Link to={payAgainPath(ownerId)}>{counts.join(', ')}: pay again</Link>
          </li>
        );
      })}
      {owners.length > maxOwners && (
        <li className="text-muted">
          and {formatCount(owners.length - maxOwners)} more: press Enter on their rows under “Answered”
        </li>
      )}
    </ul>
  );
}
