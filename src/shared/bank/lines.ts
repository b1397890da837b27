import { compare, formatINR, isPositive } from '../calc/money.ts';
import type { LayoutDefinition, Route } from './layout.ts';
import { accountPattern, ifscPattern, type LineState } from './line-states.ts';
import { referenceFits } from './reference.ts';

/** Which lines can be sent and how (docs/specification.md §24.2). */

/** May be sent again. */
export const isSettledBack = (state: LineState): boolean => state === 'failed' || state === 'returned';

/** What the owner of one payment is owed, with the account of the payment's frozen copy. */
export interface SendableLine {
  amount: string;
  name: string;
  accountNo: string;
  ifsc: string;
  /** The reason when the owner is on hold. */
  hold: string | null;
  /** Its newest line in a file. */
  sent: { fileNumber: string; state: LineState } | null;
}

const stateWords: Readonly<Record<LineState, string>> = {
  'in-file': 'in',
  executed: 'executed by the bank from',
  failed: 'failed in',
  returned: 'returned from',
};

/** Why a line cannot be sent at all. */
export function lineProblem({ amount, accountNo, ifsc, hold, sent }: SendableLine): string | undefined {
  if (sent && !isSettledBack(sent.state)) return `Already ${stateWords[sent.state]} bank file ${sent.fileNumber}.`;
  if (hold !== null) return `The owner is on hold${hold === '' ? '' : `: ${hold}`}.`;
  if (!isPositive(amount)) return `The amount is ${formatINR(amount)}; only an amount above 0 can be transferred.`;
  if (accountNo === '') return 'The account number is missing.';
  if (!accountPattern.test(accountNo)) return 'The account number must have 9 to 18 digits.';
  if (ifsc === '') return 'The IFSC is missing.';
  return ifscPattern.test(ifsc) ? undefined : 'The IFSC must be 4 letters, a 0, and 6 letters or digits.';
}

/** What the paying account says about routes and sums. */
export interface RouteLimits {
  ifsc: string;
  fileLimit: string;
  rtgsFloor: string;
  impsCeiling: string;
}

const bankOf = (ifsc: string): string => ifsc.slice(0, 4);

export function usualRoute({ amount, ifsc }: Pick<SendableLine, 'amount' | 'ifsc'>, account: RouteLimits): Route {
  if (bankOf(ifsc) === bankOf(account.ifsc)) return 'internal';
  return compare(amount, account.rtgsFloor) >= 0 ? 'RTGS' : 'NEFT';
}

/** Why this route does not fit the line. */
export function routeProblem(
  route: Route,
  { amount, ifsc }: Pick<SendableLine, 'amount' | 'ifsc'>,
  account: RouteLimits,
): string | undefined {
  if (route === 'RTGS' && compare(amount, account.rtgsFloor) < 0)
    return `RTGS starts at ${formatINR(account.rtgsFloor)}.`;
  if (route === 'IMPS' && compare(amount, account.impsCeiling) > 0)
    return `IMPS ends at ${formatINR(account.impsCeiling)}.`;
  if (route === 'internal' && bankOf(ifsc) !== bankOf(account.ifsc))
    return `An internal transfer stays in the bank ${bankOf(account.ifsc)}.`;
  return undefined;
}

/** Why these lines do not go into one file. */
export function fileProblem(
  lines: readonly { reference: string }[],
  amount: string,
  account: RouteLimits,
  layout: LayoutDefinition,
): string | undefined {
  if (lines.length === 0) return 'No line can be sent.';
  if (isPositive(account.fileLimit) && compare(amount, account.fileLimit) > 0) {
    return `The lines come to ${formatINR(amount)}; a file of this account is limited to ${formatINR(account.fileLimit)}. Leave some lines for another file.`;
  }
  return lines.every(({ reference }) => referenceFits(reference, layout))
    ? undefined
    : 'The field of the reference is too short in this layout. Give it at least 15 characters.';
}
