import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Action } from '../actions/registry.ts';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { isNumberOf } from '../../shared/calc/challan-number.ts';
import { formatDate } from '../../shared/calc/dates.ts';
import { formatINR } from '../../shared/calc/money.ts';
import { challans, owners, paymentBatches, trucks } from '../api/resources.ts';

/** Fewer letters than this name no record (docs/specification.md §8.1, TP filter). */
const searchLeast = 3;
const searchMs = 150;
/** Of each kind; typing more narrows it. */
const mostOfAKind = 5;
/** While the palette is open an answer stays as it is: the list must not move under the highlighted entry. */
const staleTime = 60_000;
const noEarlier = { placeholderData: () => undefined };

const scope = 'Search';
const challanPath = (query: Record<string, string>): string => `/challans?${new URLSearchParams(query).toString()}`;

/** The typed text once typing has paused; '' as soon as it goes on, which cancels the running call. */
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
  /** What could not be searched, and its retry. */
  failure: { text: string; requestId: string | undefined; retry: () => void } | undefined;
}

interface Search {
  data: unknown;
  error: unknown;
  isError: boolean;
  refetch: () => unknown;
}

const searchPath = (path: string, search: string, open?: string): string =>
  `${path}?${new URLSearchParams({ search, ...(open === undefined ? {} : { open }) }).toString()}`;
const countOf = (count: number): string => count.toLocaleString('en-IN');

/** Challans by TP number and by their own, payments by number, trucks by plate and owners by name or phone. */
export function usePaletteSearch(typed: string, isOn: boolean): Found {
  const navigate = useNavigate();
  const term = typed.trim();
  const asked = useSettled(isOn ? term : '');
  const optionsWhen = (isWanted: boolean) => ({ enabled: asked !== '' && isWanted, staleTime, ...noEarlier });
  const options = optionsWhen(true);
  const whenChallan = optionsWhen(isNumberOf('CH', asked));
  const whenPayment = optionsWhen(isNumberOf('PAY', asked));
  const byTp = challans.useList({ query: { page: 1, limit: mostOfAKind, tpNo: asked } }, options);
  const byNumber = challans.useFindByNumber({ query: { q: asked } }, whenChallan);
  const byPayment = paymentBatches.useFindByNumber({ query: { q: asked } }, whenPayment);
  const byPlate = trucks.useSearch({ query: { q: asked } }, options);
  const byName = owners.useSearch({ query: { q: asked } }, options);

  const isWaiting = isOn && term.length >= searchLeast;
  if (!isWaiting) return { records: [], isSearching: false, failure: undefined };
  const all: readonly [Search, string, boolean][] = [
    [byTp, 'Failed to fetch challans', true],
    [byNumber, 'Failed to fetch challans', whenChallan.enabled],
    [byPayment, 'Failed to fetch payments', whenPayment.enabled],
    [byPlate, 'Failed to search trucks', true],
    [byName, 'Failed to search owners', true],
  ];
  const searches = all.filter(([, , isWanted]) => isWanted);
  const isAnswered = asked !== '' && searches.every(([{ data, isError }]) => data !== undefined || isError);
  if (!isAnswered) return { records: [], isSearching: true, failure: undefined };

  const entry = (id: string, label: string, path: string, note?: string): Action => ({
    id: `palette.${id}`,
    label,
    note,
    scope,
    run: () => void navigate(path),
  });
  /** Of many only the first, and a link to all of them. */
  const allOf = (kind: string, shown: number, total: number, words: string, path: string): Action[] =>
    total > shown ? [entry(kind, `All ${countOf(total)} ${words}`, path)] : [];

  const ofNumber = byNumber.data?.data ?? [];
  const numbered = new Set(ofNumber.map(({ id }) => id));
  const ofTp = byTp.data?.data ?? [];
  const plates = byPlate.data?.results.slice(0, mostOfAKind) ?? [];
  const names = byName.data?.results.slice(0, mostOfAKind) ?? [];
  const challanEntry = ({ id, challanNumber, tpNo }: { id: string; challanNumber: string; tpNo: string }): Action =>
    entry(`challan.${id}`, `Challan ${challanNumber} (TP ${tpNo})`, challanPath({ tpNo, open: id }));
  const records: Action[] = [
    ...ofNumber.map(challanEntry),
    ...(byPayment.data?.data ?? []).map(({ id, number, createdAt, totalAmount }) =>
      entry(
        `payment.${id}`,
        `Payment ${number}`,
        `/accounting/payments?${new URLSearchParams({ open: id }).toString()}`,
        `${formatINR(totalAmount)}, ${formatDate(createdAt)}`,
      ),
    ),
    ...ofTp.filter(({ id }) => !numbered.has(id)).map(challanEntry),
    ...allOf(
      'tp',
      ofTp.length,
      byTp.data?.pagination.totalCount ?? 0,
      `challans with “${asked}” in their TP No`,
      challanPath({ tpNo: asked }),
    ),
    ...plates.map(({ id, truckNumber, owner }) =>
      entry(`truck.${id}`, `Truck ${truckNumber}`, searchPath('/trucks', truckNumber, id), owner.name),
    ),
    ...allOf(
      'trucks',
      plates.length,
      byPlate.data?.count ?? 0,
      `trucks that match “${asked}”`,
      searchPath('/trucks', asked),
    ),
    ...names.map(({ id, name, contactNumber, address, branchName }) =>
      entry(
        `owner.${id}`,
        `Challans of ${name}`,
        challanPath({ ownerId: id }),
        [contactNumber, address.trim() || branchName].filter(Boolean).join(' · '),
      ),
    ),
    ...allOf(
      'owners',
      names.length,
      byName.data?.count ?? 0,
      `owners that match “${asked}”`,
      searchPath('/owners', asked),
    ),
  ];
  const failed = searches.filter(([{ isError }]) => isError);
  const [first] = failed;
  return {
    records,
    isSearching: false,
    failure: first && {
      text: errorText(first[0].error, first[1]),
      requestId: requestIdOf(first[0].error),
      retry: () => failed.forEach(([{ refetch }]) => void refetch()),
    },
  };
}
