import { useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import {
  afterReview,
  keptOf,
  selectedAmount,
  selectedCount,
  selectionOf,
  type Selection,
} from '../../../shared/calc/selection.ts';
import type { SelectionReview, StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../api/bank-statement.ts';
import { call } from '../../api/client.ts';
import { useKeeping } from '../../challans/keeping.ts';
import { notify } from '../../feedback/toast.ts';
import { tabDrafts } from '../../session/account-storage.ts';
import { challansText, changeText } from './payment-plan.ts';

/**
 * A selection outlives its screen, a reload and an expired session: it is kept in this tab for its account and filter, as
 * ids and amounts without names (docs/specification.md §10.2). Before it is used again the server says what of it is left.
 */
const place = 'selection:bank-statement';

const amount = z.string().regex(/^-?\d{1,18}\.\d\d$/);
const keptShape = z.object({
  filters: z.record(z.string(), z.string()),
  selection: z.object({
    mode: z.enum(['ids', 'allMatching']),
    challans: z.record(z.string(), z.array(z.tuple([z.string(), amount]))),
    matching: z.object({ count: z.number(), amount }).optional(),
  }),
});
interface Kept {
  filters: StatementFilters;
  selection: Selection<StatementFilters>;
}

function readKept(): Kept | undefined {
  const stored = tabDrafts.read(place, (value) => keptShape.safeParse(value).data)?.value;
  if (!stored) return undefined;
  const { matching, ...named } = stored.selection;
  return {
    filters: stored.filters,
    selection: selectionOf({ ...named, ...(matching && { matching }) }, stored.filters),
  };
}

const keep = ({ filters, selection }: Kept): unknown => {
  const kept = keptOf(selection);
  return kept && { filters, selection: kept };
};

function questionOf({ filters, selection }: Kept) {
  if (selection.mode === 'ids') return { filters, challanIds: [...selection.ids.keys()] };
  const excluded = selection.mode === 'allMatching' ? [...selection.exclusions.keys()] : [];
  return { filters, excludeChallanIds: excluded };
}

/** What is selected again, and what became of the rest: '68 challans are selected again, ₹…. 3 of 71 were paid meanwhile.' */
export function restoredText(
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

export function useKeptSelection({ filters, key, selection, onRestored }: Parts) {
  const [kept, setKept] = useState(readKept);
  const isHere = kept !== undefined && JSON.stringify(kept.filters) === key;
  const [attempt, setAttempt] = useState(0);
  const check = useQuery({
    queryKey: ['kept-selection', key, attempt],
    queryFn: ({ signal }) =>
      call(bankStatement.calls.review, { body: kept ? questionOf(kept) : { filters } }, { signal }),
    enabled: isHere,
    gcTime: 0,
    staleTime: Infinity,
  });

  const review = check.data?.data;
  const latest = useRef({ kept, onRestored });
  useEffect(() => {
    latest.current = { kept, onRestored };
  });
  useEffect(() => {
    const { kept: before, onRestored: restore } = latest.current;
    if (!isHere || !review || !before) return;
    const now = afterReview(before.selection, review);
    setKept(undefined);
    restore(now, !isSameSelection(before.selection, now));
    notify.info(restoredText(before.selection, now, review));
  }, [isHere, review]);

  // Another selection takes the place of the one that waits under another filter.
  if (kept && !isHere && selection.mode !== 'none') setKept(undefined);

  useKeeping({
    place,
    source: useMemo(() => ({ filters, selection }), [filters, selection]),
    keep,
    isWaiting: kept !== undefined && selection.mode === 'none',
  });

  const discard = (): void => {
    tabDrafts.remove(place);
    setKept(undefined);
  };
  return {
    /** A selection that waits: under the filter of the screen while it is checked, or under another one. */
    kept: kept && {
      filters: kept.filters,
      count: selectedCount(kept.selection),
      amount: selectedAmount(kept.selection),
      state: isHere ? (check.isError ? ('failed' as const) : ('checking' as const)) : ('elsewhere' as const),
    },
    retry: () => setAttempt((before) => before + 1),
    discard,
  };
}
export type KeptSelection = ReturnType<typeof useKeptSelection>;
