import { isCalledOff } from '../bank/lines.ts';
import type { Proposal, ProposalCounts } from './bank-answers.ts';

/** In which group of the list a proposal is and counts. */
export function groupOfProposal(one: Proposal): keyof ProposalCounts {
  if (one.isSure) return 'sure';
  if (one.candidates.length > 0) return 'choices';
  // A statement's line of a payment that failed or was returned still has to be set aside.
  return one.answered && !one.statementLine && !one.isOtherwise ? 'answered' : 'others';
}

/** Whether the bank has paid what we called off: until that is recorded, its challans can be paid a second time. */
export const isPaidAnyway = ({ outcome, answered, candidates }: Proposal): boolean =>
  outcome === 'executed' && [answered, ...candidates.map(({ line }) => line)].some((line) => line && isCalledOff(line));
