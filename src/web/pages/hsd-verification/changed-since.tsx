import { formatINR } from '../../../shared/calc/money.ts';
import type { HsdChanged } from '../../../shared/contract/hsd-verification.ts';
import { Alert } from '../../ui/alert.tsx';

/** More lines than anybody reads would only slow the screen down; the table's Status marks each of them. */
const most = 100;

const count = (n: number): string => n.toLocaleString('en-IN');

function whatChanged({ matchedAmount, challanAmount, tpNo, hasOtherTp, hasOtherPump }: HsdChanged): string {
  const parts = [
    ...(matchedAmount === challanAmount
      ? []
      : [`HSD amount ${formatINR(matchedAmount)} → ${formatINR(challanAmount)}`]),
    ...(hasOtherTp ? [`TP No is ${tpNo} now`] : []),
    ...(hasOtherPump ? ['another petrol pump, or none'] : []),
  ];
  return parts.join('; ');
}

/**
 * Challans that were changed after the file was compared with them: a press of Verify found them and verified nothing. The
 * rest is one more press away.
 */
export function ChangedSince({ changed, pending }: { changed: readonly HsdChanged[]; pending: number }) {
  if (changed.length === 0) return null;
  const isOne = changed.length === 1;
  const rest =
    pending === 0
      ? ''
      : pending === 1
        ? 'The one other match is as it was and can be verified now. '
        : `The ${count(pending)} other matches are as they were and can be verified now. `;
  return (
    <Alert
      className="shrink-0"
      title={`${count(changed.length)} ${isOne ? 'challan has' : 'challans have'} changed since the file was compared and ${isOne ? 'is' : 'are'} not verified`}
    >
      <p>
        {rest}Upload the file again to compare {isOne ? 'it' : 'them'} anew.
      </p>
      <ul
        aria-label="Changed since the file was compared"
        // Reached by Tab, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls needs the focus for it
        tabIndex={0}
        className="mt-1 max-h-17 list-none overflow-y-auto rounded pr-2"
      >
        {changed.slice(0, most).map((one) => (
          <li key={one.challanId}>
            {one.challanNumber}: {whatChanged(one)}
          </li>
        ))}
        {changed.length > most && <li>and {count(changed.length - most)} more, marked in the table</li>}
      </ul>
    </Alert>
  );
}
