import { useMemo } from 'react';
import { z } from 'zod';
import { challansText } from '../../../../shared/calc/count-text.ts';
import { compare, formatINR } from '../../../../shared/calc/money.ts';
import {
  afterReview,
  keptOf,
  requestOf,
  selectedAmount,
  selectedCount,
  selectionOf,
  type Selection,
} from '../../../../shared/calc/selection.ts';
import type { SelectionReview, StatementFilters } from '../../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { call } from '../../../kit/api/client.ts';
import { useKeptSelection } from '../../../kit/records/kept-selection.ts';
import { changeText, reviewRequestOf } from './payment-plan.ts';

const amount = z.string().regex(/^-?\d{1,18}\.\d\d$/);
const keptShape = z.object({
  filters: z.record(z.string(), z.string()),
  selection: z.object({
    mode: z.enum(['ids', 'allMatching']),
    challans: z.record(z.string(), z.array(z.tuple([z.string(), amount]))),
    matching: z.object({ count: z.number(), amount }).optional(),
    setAside: z.array(z.string()).optional(),
  }),
});
interface Kept {
  filters: StatementFilters;
  selection: Selection<StatementFilters>;
}

function readKept({ filters, selection }: z.output<typeof keptShape>): Kept {
  const { matching, setAside, ...named } = selection;
  const kept = { ...named, ...(matching && { matching }), ...(setAside && { setAside }) };
  return { filters, selection: selectionOf(kept, filters) };
}

const keep = ({ filters, selection }: Kept): unknown => {
  const kept = keptOf(selection);
  return kept && { filters, selection: kept };
};

/** The message after restoring: '68 challans are selected again, ₹…. 3 of 71 were paid meanwhile.' */
function restoredText(
  before: Selection<StatementFilters>,
  now: Selection<StatementFilters>,
  review: SelectionReview,
): string {
  const count = selectedCount(before);
  const gone = before.mode === 'ids' ? changeText(count, review) : undefined;
  const left = selectedCount(now);
  if (left === 0)
    return `Nothing of your selection of ${challansText(count)} is left to pay${gone ? `: ${gone}` : ''}.`;
  const again = `${challansText(left)} ${left === 1 ? 'is' : 'are'} selected again, ${formatINR(selectedAmount(now))}.`;
  if (gone !== undefined) return `${again} ${gone}.`;
  return isSameSelection(before, now)
    ? again
    : `${again} It was ${challansText(count)}, ${formatINR(selectedAmount(before))}.`;
}

const isSameSelection = (before: Selection<StatementFilters>, now: Selection<StatementFilters>): boolean =>
  selectedCount(now) === selectedCount(before) && compare(selectedAmount(now), selectedAmount(before)) === 0;

interface Parts {
  filters: StatementFilters;
  /** The filter as text. */
  key: string;
  selection: Selection<StatementFilters>;
  onRestored: (selection: Selection<StatementFilters>, hasChanged: boolean) => void;
}

export function useKeptStatementSelection({ filters, key, selection, onRestored }: Parts) {
  const { kept, isHere, hasFailed, retry, discard } = useKeptSelection({
    place: 'selection:bank-statement',
    shape: keptShape,
    read: readKept,
    source: useMemo(() => ({ filters, selection }), [filters, selection]),
    keep,
    isNothing: selection.mode === 'none',
    isHere: (waiting) => JSON.stringify(waiting.filters) === key,
    ask: async ({ selection: waiting, ...under }, signal) => {
      const body = reviewRequestOf({ ...under, request: requestOf(waiting) });
      return (await call(bankStatement.calls.review, { body }, { signal })).data;
    },
    restore: (before, review) => {
      const now = afterReview(before.selection, review);
      onRestored(now, !isSameSelection(before.selection, now));
      return restoredText(before.selection, now, review);
    },
  });
  return {
    /** The stored selection that is not restored yet. 'elsewhere': it was made under another filter than the screen has. */
    kept: kept && {
      filters: kept.filters,
      count: selectedCount(kept.selection),
      amount: selectedAmount(kept.selection),
      state: isHere ? (hasFailed ? ('failed' as const) : ('checking' as const)) : ('elsewhere' as const),
    },
    retry,
    discard,
  };
}

/** A stored selection that is not restored yet. */
export type WaitingSelection = NonNullable<ReturnType<typeof useKeptStatementSelection>['kept']>;
