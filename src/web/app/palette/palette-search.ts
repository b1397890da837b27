import { useNavigate } from 'react-router-dom';
import type { Action } from '../../kit/actions/registry.ts';
import { errorText, requestIdOf } from '../../kit/api/api-error.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { PaletteChallans } from '../../../shared/contract/palette.ts';
import { palette } from '../../resources/palette.ts';
import { addressOf } from '../../kit/filters/url-state.ts';
import { useDebounced } from '../../kit/ui/picker-state.ts';

/** Fewer letters than this start no search of records (docs/specification.md §8.1, TP filter). */
const minLength = 3;
const debounceMs = 150;
/** Answers are not refetched while the palette is open, so that the list does not move under the highlight. */
const staleTime = 60_000;

const scope = 'Search';
const challanPath = (query: Record<string, string>): string => addressOf('/challans', query);

interface Found {
  records: readonly Action[];
  isSearching: boolean;
  /** Why the search failed, with a retry. */
  failure: { text: string; requestId: string | undefined; retry: () => void } | undefined;
}

const searchPath = (path: string, search: string, open?: string): string =>
  addressOf(path, { search, ...(open === undefined ? {} : { open }) });

/**
 * Searches records: challans by TP number, challan number, vehicle and amount; payments by number; trucks by plate; owners by
 * name, phone, and the digits of PAN and account; tags and petrol pumps by name. Enter opens the record, Shift+Enter its list.
 */
export function usePaletteSearch(typed: string, isOn: boolean): Found {
  const navigate = useNavigate();
  const term = typed.trim();
  const wanted = isOn && term.length >= minLength ? term : '';
  const [settled] = useDebounced(wanted, debounceMs);
  // While the user is typing this is '', which cancels the running request.
  const asked = settled === wanted ? wanted : '';
  const query = palette.useSearch(
    { query: { search: asked } },
    // `gcTime: 0` searches again when the palette is reopened, because records may have changed meanwhile.
    { enabled: asked !== '', staleTime, gcTime: 0, placeholderData: () => undefined },
  );
  if (wanted === '') return { records: [], isSearching: false, failure: undefined };
  if (asked === '' || query.isPending) return { records: [], isSearching: true, failure: undefined };
  if (!query.data) {
    return {
      records: [],
      isSearching: false,
      failure: {
        text: errorText(query.error, 'Failed to search'),
        requestId: requestIdOf(query.error),
        retry: () => void query.refetch(),
      },
    };
  }
  const found = query.data.data;

  /** `list` is the path that Shift+Enter opens. */
  const entry = (id: string, label: string, path: string, note?: string, list?: string): Action => ({
    id: `palette.${id}`,
    label,
    note,
    scope,
    run: () => void navigate(path),
    ...(list !== undefined && { runBeside: () => void navigate(list) }),
  });
  /** If there are more results than shown, an entry that leads to all of them. */
  const allOf = (
    kind: string,
    { data, totalCount, isMore = false }: { data: readonly unknown[]; totalCount: number; isMore?: boolean },
    words: string,
    path: string,
  ): Action[] =>
    totalCount > data.length ? [entry(kind, `All ${formatCount(totalCount)}${isMore ? '+' : ''} ${words}`, path)] : [];

  const seen = new Set(found.challans.map(({ id }) => id));
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
  /** The challans of one search that no earlier search has found, and an entry that leads to all of them. */
  const challansOf = (
    kind: string,
    some: PaletteChallans | null,
    words: string,
    query: Record<string, string>,
  ): Action[] => {
    if (some === null) return [];
    const fresh = some.data.filter(({ id }) => !seen.has(id));
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
      ...allOf(kind, some, words, challanPath(query)),
    ];
  };
  const amount = found.byAmount?.amount ?? '0.00';
  const ofTrucks: Action[] = [
    ...found.trucks.data.map(({ id, truckNumber, owner }) =>
      entry(
        `truck.${id}`,
        `Truck ${truckNumber}`,
        searchPath('/trucks', truckNumber, id),
        owner.name,
        challanPath({ vehicleNo: truckNumber }),
      ),
    ),
    ...allOf('trucks', found.trucks, `trucks that match “${asked}”`, searchPath('/trucks', asked)),
  ];
  const ofOwners: Action[] = [
    ...found.owners.data.flatMap(({ id, name, contactNumber, address, branchName }) => {
      const [label, note] = named(`Owner ${name}`, contactNumber, address.trim() || branchName);
      const payments = addressOf('/accounting', { search: name, payments: id });
      const list = `/accounting/payments?ownerId=${id}`;
      return [
        entry(`owner.${id}`, label, searchPath('/owners', name, id), note, challanPath({ ownerId: id })),
        entry(`owner-payments.${id}`, `Payments of ${name}`, payments, `${contactNumber} · with their trips`, list),
      ];
    }),
    ...allOf('owners', found.owners, `owners that match “${asked}”`, searchPath('/owners', asked)),
  ];
  // A function, so that it runs after the other searches: each challan is listed only once.
  const ofVehicles = (): Action[] =>
    challansOf('vehicle', found.byVehicle, `challans of vehicles with “${asked}”`, { vehicleNo: asked });
  const records: Action[] = [
    ...found.challans.map((row) => challanEntry(row, row.vehicleNo, `loaded ${formatDate(row.loadingDate)}`)),
    ...found.payments.map(({ id, number, createdAt, totalAmount }) =>
      entry(
        `payment.${id}`,
        `Payment ${number}`,
        `/accounting/payments?open=${id}`,
        `${formatINR(totalAmount)}, ${formatDate(createdAt)}`,
        '/accounting/payments',
      ),
    ),
    ...challansOf('tp', found.byTp, `challans with “${asked}” in their TP No`, { tpNo: asked }),
    ...challansOf('amount', found.byAmount, `challans of ${formatINR(amount)}`, { netFrom: amount, netTo: amount }),
    // Trucks are also found by the owner's name, but a user who types a name looks for the owner.
    ...(/\d/.test(asked) ? [...ofTrucks, ...ofVehicles(), ...ofOwners] : [...ofOwners, ...ofTrucks]),
    ...found.tags.data.map(({ id, name, description }) => {
      const [label, note] = named(`Tag ${name}`, description);
      return entry(`tag.${id}`, label, searchPath('/tags', name, id), note, challanPath({ tagId: id }));
    }),
    ...allOf('tags', found.tags, `tags that match “${asked}”`, searchPath('/tags', asked)),
    ...found.petrolPumps.data.map(({ id, name, contactNumber, address }) => {
      const [label, note] = named(`Petrol pump ${name}`, contactNumber, address);
      return entry(`pump.${id}`, label, searchPath('/petrol-pumps', name, id), note, challanPath({ petrolPumpId: id }));
    }),
    ...allOf('pumps', found.petrolPumps, `petrol pumps that match “${asked}”`, searchPath('/petrol-pumps', asked)),
  ];
  return { records, isSearching: false, failure: undefined };
}
