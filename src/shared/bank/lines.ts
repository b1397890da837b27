import { formatDate } from '../calc/dates.ts';
import { ACCOUNT_PATTERN, IFSC_PATTERN } from '../calc/identity.ts';
import { compare, formatINR, isPositive } from '../calc/money.ts';
import type { LayoutDefinition, Route } from './layout.ts';

/** The lines of bank files: which can be sent, by which route, and under which reference (docs/specification.md §24). */

/** The states of a line at the bank. Its newest event gives it its state. */
export const lineStates = ['in-file', 'executed', 'failed', 'returned'] as const;
export type LineState = (typeof lineStates)[number];

/** Whether a line that is in this state may be sent again. */
export const canBeSentAgain = (state: LineState): boolean => state === 'failed' || state === 'returned';

/**
 * Whether we ourselves said that a line failed, because its file was withdrawn or its payment reversed. The bank has not
 * answered it, and may have executed it all the same.
 */
export const isCalledOff = ({ state, source }: { state: LineState; source: string }): boolean =>
  state === 'failed' && (source === 'withdrawn' || source === 'reversal');

/** The bank's answer that a transfer to an account failed or was returned (docs/specification.md §24.8). */
export interface FailedTransfer {
  state: 'failed' | 'returned';
  /** The day that the bank named, else the day on which the answer was accepted. */
  day: string;
  reason: string;
}

/** 'Failed 27/11: ACCOUNT CLOSED' */
export function failureText({ state, day, reason }: FailedTransfer): string {
  const dayAndMonth = formatDate(day).slice(0, 5);
  return `${state === 'failed' ? 'Failed' : 'Returned'} ${dayAndMonth}${reason === '' ? '' : `: ${reason}`}`;
}

/** What a payment still pays to one owner, with the owner's account as the payment froze it. */
export interface SendableLine {
  amount: string;
  name: string;
  accountNo: string;
  ifsc: string;
  /** The reason, when the owner is on hold; else null. */
  hold: string | null;
  /** Its newest line in a bank file; null: it was not sent. */
  sent: { fileNumber: string; state: LineState } | null;
  /** How the last transfer to this account failed; null: it did not. */
  failedTransfer: FailedTransfer | null;
  /** Whether the payment came with imported challans: it was paid before, so its lines were usually sent before too. */
  isImported: boolean;
}

/**
 * A line as it is sent to the owner's account of today, when the one that the payment froze was wrong. Unchanged where the
 * owner has the same details today.
 */
export const corrected = <L extends { today: Partial<SendableLine> | null }>(line: L): L => ({
  ...line,
  ...line.today,
});

const stateWords: Readonly<Record<LineState, string>> = {
  'in-file': 'in',
  executed: 'executed by the bank from',
  failed: 'failed in',
  returned: 'returned from',
};

/** Why a bank file cannot pay into an account; undefined: it can. The statement calls its owner ready by the same rule. */
export function accountProblem({ accountNo, ifsc }: { accountNo: string; ifsc: string }): string | undefined {
  if (accountNo === '') return 'The account number is missing.';
  if (!ACCOUNT_PATTERN.test(accountNo)) return 'The account number must have 9 to 18 digits.';
  if (ifsc === '') return 'The IFSC is missing.';
  return IFSC_PATTERN.test(ifsc) ? undefined : 'The IFSC must be 4 letters, a 0, and 6 letters or digits.';
}

/** Why a line cannot be sent at all; undefined: it can. */
export function lineProblem({ amount, accountNo, ifsc, hold, sent }: SendableLine): string | undefined {
  if (sent && !canBeSentAgain(sent.state)) return `Already ${stateWords[sent.state]} bank file ${sent.fileNumber}.`;
  if (hold !== null) return `The owner is on hold${hold === '' ? '' : `: ${hold}`}.`;
  if (!isPositive(amount)) return `The amount is ${formatINR(amount)}; only an amount above 0 can be transferred.`;
  return accountProblem({ accountNo, ifsc });
}

/**
 * Why a line is left out unless somebody who has read the reason asks for it; undefined: it is sent without a question.
 */
export function lineDoubt({
  failedTransfer,
  isImported,
}: Pick<SendableLine, 'failedTransfer' | 'isImported'>): string | undefined {
  if (isImported) return 'Imported as paid. It is sent only if you say that it was not sent before.';
  return failedTransfer === null
    ? undefined
    : `${failureText(failedTransfer)}. It is sent again only if you choose it.`;
}

/** The limits of the paying account. */
export interface RouteLimits {
  ifsc: string;
  fileLimit: string;
  rtgsFloor: string;
  impsCeiling: string;
}

const bankOf = (ifsc: string): string => ifsc.slice(0, 4);

/** The route that a line gets unless the user chooses another one. */
export function usualRoute({ amount, ifsc }: Pick<SendableLine, 'amount' | 'ifsc'>, account: RouteLimits): Route {
  if (bankOf(ifsc) === bankOf(account.ifsc)) return 'internal';
  return compare(amount, account.rtgsFloor) >= 0 ? 'RTGS' : 'NEFT';
}

/** Why a line cannot go by this route; undefined: it can. */
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

/** The most characters that the layout has for a reference. */
const roomForReference = ({ fields }: LayoutDefinition): number =>
  Math.min(...fields.filter(({ source }) => source === 'reference').map(({ length }) => length || Infinity), Infinity);

/**
 * The reference of a line, which is unique in the business and comes back in the bank's answer: 'PAY2627000444-07' is the
 * seventh line of PAY-2627-000444. Where the layout has less room, the 'PAY' is left out. The reference stays unique,
 * because only payments have references.
 */
export function lineReference(paymentNumber: string, nthLine: number, layout: LayoutDefinition): string {
  const whole = `${paymentNumber.replaceAll('-', '')}-${String(nthLine).padStart(2, '0')}`;
  return whole.length <= roomForReference(layout) ? whole : whole.replace(/^[A-Z]+/, '');
}

const referenceFits = (reference: string, layout: LayoutDefinition): boolean =>
  reference.length <= roomForReference(layout);

/** Why these lines cannot be in one file; undefined: they can. */
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
