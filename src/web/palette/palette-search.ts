import { useNavigate } from 'react-router-dom';
import type { Action } from '../actions/registry.ts';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { isNumberOf } from '../../shared/calc/challan-number.ts';
import { formatDate } from '../../shared/calc/dates.ts';
import { formatINR, normalizeSigned } from '../../shared/calc/money.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import { challans } from '../api/challans.ts';
import { owners } from '../api/owners.ts';
import { paymentBatches } from '../api/payment-batches.ts';
import { petrolPumps } from '../api/petrol-pumps.ts';
import { tags } from '../api/tags.ts';
import { trucks } from '../api/trucks.ts';
import { useDebounced } from '../ui/picker-state.ts';

/** Fewer letters than this name no record (docs/specification.md §8.1, TP filter). */
const searchLeast = 3;
const searchMs = 150;
/** Of each kind; typing more narrows it. */
const mostOfAKind = 5;
/** While the palette is open an answer stays as it is: the list must not move under the highlighted entry. */
const staleTime = 60_000;
const noEarlier = { placeholderData: () => undefined };

/** What is typed as an amount, if it is one. A short number is rather the end of another. */
function amountOf(text: string): string | undefined {
  const read = normalizeSigned(text);
  return 'error' in read || read.value === '' ? undefined : read.value;
}
/** Letters and digits, as every plate has. */
const isPlate = (text: string): boolean => /[a-z]/i.test(text) && /\d/.test(text) && /^[a-z\d\s-]+$/i.test(text);

const scope = 'Search';
const challanPath = (query: Record<string, string>): string => `/challans?${new URLSearchParams(query).toString()}`;

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

/**
 * Challans by TP number, by their own, by vehicle and by amount, payments by number, trucks by plate, owners by name, phone,
 * and the digits of PAN and account, tags and petrol pumps by name. Enter opens the record, Shift+Enter its list.
 */
export function usePaletteSearch(typed: string, isOn: boolean): Found {
  const navigate = useNavigate();
  const term = typed.trim();
  const wanted = isOn && term.length >= searchLeast ? term : '';
  const [settled] = useDebounced(wanted, searchMs);
  // '' as soon as typing goes on, which cancels the running call.
  const asked = settled === wanted ? wanted : '';
  const optionsWhen = (isWanted: boolean) => ({ enabled: asked !== '' && isWanted, staleTime, ...noEarlier });
  const options = optionsWhen(true);
  const whenChallan = optionsWhen(isNumberOf('CH', asked));
  const whenPayment = optionsWhen(isNumberOf('PAY', asked));
  const first = { page: 1, limit: mostOfAKind };
  const amount = amountOf(asked);
  const whenAmount = optionsWhen(amount !== undefined);
  const whenPlate = optionsWhen(isPlate(asked));
  const byTp = challans.useList({ query: { ...first, tpNo: asked } }, options);
  const byVehicle = challans.useList({ query: { ...first, vehicleNo: asked } }, whenPlate);
  const byAmount = challans.useList({ query: { ...first, netFrom: amount, netTo: amount } }, whenAmount);
  const byNumber = challans.useFindByNumber({ query: { q: asked } }, whenChallan);
  const byPayment = paymentBatches.useFindByNumber({ query: { q: asked } }, whenPayment);
  const byPlate = trucks.useSearch({ query: { q: asked } }, options);
  const byName = owners.useSearch({ query: { q: asked } }, options);
  const byTag = tags.useList({ query: { ...first, search: asked } }, options);
  const byPump = petrolPumps.useList({ query: { ...first, search: asked } }, options);

  if (wanted === '') return { records: [], isSearching: false, failure: undefined };
  const all: readonly [Search, string, boolean][] = [
    [byTp, 'Failed to fetch challans', true],
    [byNumber, 'Failed to fetch challans', whenChallan.enabled],
    [byPayment, 'Failed to fetch payments', whenPayment.enabled],
    [byPlate, 'Failed to search trucks', true],
    [byName, 'Failed to search owners', true],
    [byVehicle, 'Failed to fetch challans', whenPlate.enabled],
    [byAmount, 'Failed to fetch challans', whenAmount.enabled],
    [byTag, 'Failed to search tags', true],
    [byPump, 'Failed to search petrol pumps', true],
  ];
  const searches = all.filter(([, , isWanted]) => isWanted);
  const isAnswered = asked !== '' && searches.every(([{ data, isError }]) => data !== undefined || isError);
  if (!isAnswered) return { records: [], isSearching: true, failure: undefined };

  /** `list`: where Shift+Enter leads. */
  const entry = (id: string, label: string, path: string, note?: string, list?: string): Action => ({
    id: `palette.${id}`,
    label,
    note,
    scope,
    run: () => void navigate(path),
    ...(list !== undefined && { runBeside: () => void navigate(list) }),
  });
  /** Of many only the first, and a link to all of them. */
  const allOf = (kind: string, shown: number, total: number, words: string, path: string): Action[] =>
    total > shown ? [entry(kind, `All ${countOf(total)} ${words}`, path)] : [];

  const ofNumber = byNumber.data?.data ?? [];
  const seen = new Set(ofNumber.map(({ id }) => id));
  const plates = byPlate.data?.results.slice(0, mostOfAKind) ?? [];
  const names = byName.data?.results.slice(0, mostOfAKind) ?? [];
  const named = (name: string, ...notes: string[]): [string, string | undefined] => [
    name,
    notes
      .map((note) => note.trim())
      .filter(Boolean)
      .join(' · ') || undefined,
  ];
  type Reference = Pick<Challan, 'id' | 'challanNumber' | 'tpNo'>;
  const challanEntry = ({ id, challanNumber, tpNo }: Reference, ...notes: string[]): Action => {
    const [label, note] = named(`Challan ${challanNumber} (TP ${tpNo})`, ...notes);
    return entry(`challan.${id}`, label, challanPath({ tpNo, open: id }), note, challanPath({ tpNo }));
  };
  /** The challans of one search that none before it has found, and the way to all of them. */
  const challansOf = (kind: string, found: typeof byTp, words: string, query: Record<string, string>): Action[] => {
    const rows = found.data?.data ?? [];
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return [
      ...fresh.map((row) =>
        challanEntry(
          row,
          row.vehicleNo,
          formatINR(row.netAmountPayable),
          row.ownerName,
          `loaded ${formatDate(row.loadingDate)}`,
        ),
      ),
      ...allOf(kind, rows.length, found.data?.pagination.totalCount ?? 0, words, challanPath(query)),
    ];
  };
  const records: Action[] = [
    ...ofNumber.map((row) => challanEntry(row, row.vehicleNo, `loaded ${formatDate(row.loadingDate)}`)),
    ...(byPayment.data?.data ?? []).map(({ id, number, createdAt, totalAmount }) =>
      entry(
        `payment.${id}`,
        `Payment ${number}`,
        `/accounting/payments?${new URLSearchParams({ open: id }).toString()}`,
        `${formatINR(totalAmount)}, ${formatDate(createdAt)}`,
        '/accounting/payments',
      ),
    ),
    ...challansOf('tp', byTp, `challans with “${asked}” in their TP No`, { tpNo: asked }),
    ...(whenAmount.enabled && amount !== undefined
      ? challansOf('amount', byAmount, `challans of ${formatINR(amount)}`, { netFrom: amount, netTo: amount })
      : []),
    ...plates.map(({ id, truckNumber, owner }) =>
      entry(
        `truck.${id}`,
        `Truck ${truckNumber}`,
        searchPath('/trucks', truckNumber, id),
        owner.name,
        challanPath({ vehicleNo: truckNumber }),
      ),
    ),
    ...allOf(
      'trucks',
      plates.length,
      byPlate.data?.count ?? 0,
      `trucks that match “${asked}”`,
      searchPath('/trucks', asked),
    ),
    ...(whenPlate.enabled
      ? challansOf('vehicle', byVehicle, `challans of vehicles with “${asked}”`, { vehicleNo: asked })
      : []),
    ...names.map(({ id, name, contactNumber, address, branchName }) => {
      const [label, note] = named(`Owner ${name}`, contactNumber, address.trim() || branchName);
      return entry(`owner.${id}`, label, searchPath('/owners', name, id), note, challanPath({ ownerId: id }));
    }),
    ...allOf(
      'owners',
      names.length,
      byName.data?.count ?? 0,
      `owners that match “${asked}”`,
      searchPath('/owners', asked),
    ),
    ...(byTag.data?.data ?? []).map(({ id, name, description }) => {
      const [label, note] = named(`Tag ${name}`, description);
      return entry(`tag.${id}`, label, searchPath('/tags', name, id), note, challanPath({ tagId: id }));
    }),
    ...allOf(
      'tags',
      byTag.data?.data.length ?? 0,
      byTag.data?.pagination.totalCount ?? 0,
      `tags that match “${asked}”`,
      searchPath('/tags', asked),
    ),
    ...(byPump.data?.data ?? []).map(({ id, name, contactNumber, address }) => {
      const [label, note] = named(`Petrol pump ${name}`, contactNumber, address);
      return entry(`pump.${id}`, label, searchPath('/petrol-pumps', name, id), note, challanPath({ petrolPumpId: id }));
    }),
    ...allOf(
      'pumps',
      byPump.data?.data.length ?? 0,
      byPump.data?.pagination.totalCount ?? 0,
      `petrol pumps that match “${asked}”`,
      searchPath('/petrol-pumps', asked),
    ),
  ];
  const failed = searches.filter(([{ isError }]) => isError);
  const [worst] = failed;
  return {
    records,
    isSearching: false,
    failure: worst && {
      text: errorText(worst[0].error, worst[1]),
      requestId: requestIdOf(worst[0].error),
      retry: () => failed.forEach(([{ refetch }]) => void refetch()),
    },
  };
}
