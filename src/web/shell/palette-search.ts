import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Action } from '../actions/registry.ts';
import { errorText } from '../api/api-error.ts';
import { challans, owners, trucks } from '../api/resources.ts';

/** Fewer letters than this name no record (part 2 §2.1, TP filter). */
const searchLeast = 3;
const searchMs = 150;
/** Of each kind; typing more narrows it. */
const mostOfAKind = 5;
/** While the palette is open an answer stays as it is: the list must not move under the highlighted entry. */
const staleTime = 60_000;
const noEarlier = { placeholderData: () => undefined };

const scope = 'Search';
const challanPath = (query: Record<string, string>): string => `/challans?${new URLSearchParams(query).toString()}`;

/** The typed text once typing has paused; '' as soon as it goes on, which takes the call that is under way back. */
function useSettled(term: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(term), searchMs);
    return () => clearTimeout(timer);
  }, [term]);
  return settled === term && term.length >= searchLeast ? term : '';
}

interface Found {
  /** All kinds at once, so that a slower one does not push the others down. */
  records: readonly Action[];
  isSearching: boolean;
  /** What could not be searched, and the way to ask for that once more. */
  failure: { text: string; retry: () => void } | undefined;
}

interface Search {
  data: unknown;
  error: unknown;
  isError: boolean;
  refetch: () => unknown;
}

/** Challans by TP number, trucks by plate and owners by name (expectation 40). */
export function usePaletteSearch(typed: string, isOn: boolean): Found {
  const navigate = useNavigate();
  const term = typed.trim();
  const asked = useSettled(isOn ? term : '');
  const options = { enabled: asked !== '', staleTime, ...noEarlier };
  const byTp = challans.useList({ query: { page: 1, limit: mostOfAKind, tpNo: asked } }, options);
  const byPlate = trucks.useSearch({ query: { q: asked } }, options);
  const byName = owners.useSearch({ query: { q: asked } }, options);

  const isWaiting = isOn && term.length >= searchLeast;
  if (!isWaiting) return { records: [], isSearching: false, failure: undefined };
  const searches: readonly [Search, string][] = [
    [byTp, 'Failed to fetch challans'],
    [byPlate, 'Failed to search trucks'],
    [byName, 'Failed to search owners'],
  ];
  const isAnswered = asked !== '' && searches.every(([{ data, isError }]) => data !== undefined || isError);
  if (!isAnswered) return { records: [], isSearching: true, failure: undefined };

  const go = (path: string) => () => void navigate(path);
  const foundChallans = byTp.data?.data ?? [];
  const total = byTp.data?.pagination.totalCount ?? 0;
  const records: Action[] = [
    ...foundChallans.map(({ id, challanNumber, tpNo }) => ({
      id: `palette.challan.${id}`,
      label: `Challan ${challanNumber} (TP ${tpNo})`,
      scope,
      run: go(challanPath({ tpNo, open: id })),
    })),
    ...(total > foundChallans.length
      ? [
          {
            id: 'palette.tp',
            label: `All ${total.toLocaleString('en-IN')} challans with “${asked}” in their TP No`,
            scope,
            run: go(challanPath({ tpNo: asked })),
          },
        ]
      : []),
    ...(byPlate.data?.results ?? []).slice(0, mostOfAKind).map(({ id, truckNumber }) => ({
      id: `palette.truck.${id}`,
      label: `Truck ${truckNumber}`,
      scope,
      run: go(`/trucks?${new URLSearchParams({ search: truckNumber, open: id }).toString()}`),
    })),
    ...(byName.data?.results ?? []).slice(0, mostOfAKind).map(({ id, name }) => ({
      id: `palette.owner.${id}`,
      label: `Challans of ${name}`,
      scope,
      run: go(challanPath({ ownerId: id })),
    })),
  ];
  const failed = searches.filter(([{ isError }]) => isError);
  const [first] = failed;
  return {
    records,
    isSearching: false,
    failure: first && {
      text: errorText(first[0].error, first[1]),
      retry: () => failed.forEach(([{ refetch }]) => void refetch()),
    },
  };
}
