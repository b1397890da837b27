import { useNavigate } from 'react-router-dom';
import type { Action } from '../actions/registry.ts';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { formatDate } from '../../shared/calc/dates.ts';
import { formatINR } from '../../shared/calc/money.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import type { PaletteChallans } from '../../shared/contract/palette.ts';
import { palette } from '../api/palette.ts';
import { useDebounced } from '../ui/picker-state.ts';

/** Fewer letters than this name no record (docs/specification.md §8.1, TP filter). */
const searchLeast = 3;
const searchMs = 150;
/** While the palette is open an answer stays as it is: the list must not move under the highlighted entry. */
const staleTime = 60_000;

const scope = 'Search';
const challanPath = (query: Record<string, string>): string => `/challans?${new URLSearchParams(query).toString()}`;

interface Found {
  records: readonly Action[];
  isSearching: boolean;
  /** Why it could not be searched, and its retry. */
  failure: { text: string; requestId: string | undefined; retry: () => void } | undefined;
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
  const query = palette.useSearch(
    { query: { search: asked } },
    // Asked anew when the palette opens again: whatever was written meanwhile may have changed it.
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
  const allOf = (
    kind: string,
    { data, totalCount, isMore = false }: { data: readonly unknown[]; totalCount: number; isMore?: boolean },
    words: string,
    path: string,
  ): Action[] =>
    totalCount > data.length ? [entry(kind, `All ${countOf(totalCount)}${isMore ? '+' : ''} ${words}`, path)] : [];

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
  /** The challans of one search that none before it has found, and the way to all of them. */
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
      const payments = `/accounting?${new URLSearchParams({ search: name, payments: id }).toString()}`;
      const list = `/accounting/payments?${new URLSearchParams({ ownerId: id }).toString()}`;
      return [
        entry(`owner.${id}`, label, searchPath('/owners', name, id), note, challanPath({ ownerId: id })),
        entry(`owner-payments.${id}`, `Payments of ${name}`, payments, `${contactNumber} · with their trips`, list),
      ];
    }),
    ...allOf('owners', found.owners, `owners that match “${asked}”`, searchPath('/owners', asked)),
  ];
  // After the others: each challan is listed once.
  const ofVehicles = (): Action[] =>
    challansOf('vehicle', found.byVehicle, `challans of vehicles with “${asked}”`, { vehicleNo: asked });
  const records: Action[] = [
    ...found.challans.map((row) => challanEntry(row, row.vehicleNo, `loaded ${formatDate(row.loadingDate)}`)),
    ...found.payments.map(({ id, number, createdAt, totalAmount }) =>
      entry(
        `payment.${id}`,
        `Payment ${number}`,
        `/accounting/payments?${new URLSearchParams({ open: id }).toString()}`,
        `${formatINR(totalAmount)}, ${formatDate(createdAt)}`,
        '/accounting/payments',
      ),
    ),
    ...challansOf('tp', found.byTp, `challans with “${asked}” in their TP No`, { tpNo: asked }),
    ...challansOf('amount', found.byAmount, `challans of ${formatINR(amount)}`, { netFrom: amount, netTo: amount }),
    // Trucks are found by the owner's name too: whoever types a name means the owner.
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
