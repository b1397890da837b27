import { useSettledText as useSettled } from '../../filters/use-settled-text.ts';
import { tpFilterLeast } from './list-state.ts';

/** Part 2 §9: the bank statement's filters wait as long. */
const settleMs = 300;

/** The text of the TP filter: nothing below three characters (part 2 §2.1), applied after a pause. */
export const useSettledText = (applied: string, apply: (term: string) => void) =>
  useSettled({ applied, apply, least: tpFilterLeast, settleMs });
