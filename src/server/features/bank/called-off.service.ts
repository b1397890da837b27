import type { AnsweredLine } from '../../../shared/bank-answers/answers.ts';
import { isPaidAnyway } from '../../../shared/contract/proposal-group.ts';
import { canBeSentAgain, isCalledOff } from '../../../shared/bank/lines.ts';
import { grouped } from '../../../shared/calc/grouped.ts';
import { compare } from '../../../shared/calc/money.ts';
import type { BankLineAtBank, Proposal } from '../../../shared/contract/bank-answers.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { lineKey, selectPaymentsOfLines } from './bank-answers.queries.ts';
import { selectStillPaid, type StillPaid } from './bank-lines.queries.ts';

/**
 * Lines that we called off, but that the bank has executed (docs/specification.md §25.2). It is recorded where a payment still
 * pays the line and no other line was sent for it. Everywhere else a person has to act, and the row says how.
 */

export const matchState = (line: BankLineAtBank): AnsweredLine['state'] =>
  isCalledOff(line) ? 'called-off' : line.state;

/** Why these lines cannot be recorded as executed, and what to do, by their keys. A line that can be is not in it. */
export async function hindrancesOf(db: TenantDb, lines: readonly BankLineAtBank[]): Promise<Map<string, string>> {
  const calledOff = lines.filter(isCalledOff);
  if (calledOff.length === 0) return new Map();
  const payments = await selectPaymentsOfLines(db, calledOff);
  const stillPaid = await selectStillPaid(db, [...new Set(payments.map(({ batchId }) => batchId))]);
  // A withdrawn file has up to thousands of lines, and the bank may have executed all of them.
  const paymentsOf = grouped(payments, (one) => [lineKey(one)]);
  const paidTo = grouped(stillPaid, ({ ownerId }) => [ownerId]);
  return new Map(
    calledOff.flatMap((line): [string, string][] => {
      const its = paymentsOf.get(lineKey(line)) ?? [];
      const ofOwner = paidTo.get(line.ownerId) ?? [];
      const paying = ofOwner.filter((one) => its.some(({ batchId }) => batchId === one.batchId));
      const hindrance = hindranceOf(line, its, paying);
      return hindrance === undefined ? [] : [[lineKey(line), hindrance]];
    }),
  );
}

function hindranceOf(
  line: BankLineAtBank,
  its: readonly { paidAgainBy: string | null }[],
  paying: readonly StillPaid[],
): string | undefined {
  const sentAgain = paying.find(({ sent }) => sent && !canBeSentAgain(sent.state))?.sent;
  if (sentAgain?.state === 'executed')
    return `Bank file ${sentAgain.fileNumber} paid it as well: ask for one of the two back`;
  if (sentAgain) return `It was sent again in bank file ${sentAgain.fileNumber}: ask the bank to stop that transfer`;
  if (paying.some(({ amount }) => compare(amount, line.amount) === 0)) return undefined;
  const paidAgain = its.find(({ paidAgainBy }) => paidAgainBy !== null)?.paidAgainBy;
  if (paidAgain)
    return `${paidAgain} pays its challans too: make no bank file of it, or ask the bank to stop that transfer`;
  return 'Its challans are unpaid: mark them as paid, and make no bank file of that payment';
}

/** The proposals, with what to do in place of the candidates that were called off and cannot be recorded. */
export async function withHindrances(db: TenantDb, proposals: readonly Proposal[]): Promise<Proposal[]> {
  const hindrances = await hindrancesOf(
    db,
    proposals.filter(isPaidAnyway).flatMap(({ candidates }) => candidates.map(({ line }) => line)),
  );
  return proposals.map((one) => {
    const candidates = one.candidates.filter(({ line }) => !hindrances.has(lineKey(line)));
    const [first] = one.candidates;
    if (!first || candidates.length > 0) return { ...one, candidates };
    const note = `The bank has paid it anyway (${first.line.reason}). ${hindrances.get(lineKey(first.line))}`;
    return { ...one, candidates, answered: first.line, isOtherwise: true, note };
  });
}
