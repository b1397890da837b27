import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { PaletteAnswer, PaletteChallans } from '../../../shared/contract/palette.ts';
import type { Action } from '../../kit/actions/registry.ts';
import { addressOf } from '../../kit/filters/url-state.ts';
import { screens, allScreens } from '../../screens.ts';
import { pages } from '../pages.ts';
import type { ScreenId } from '../../../shared/contract/nouns.ts';

/** The kinds of records that are found. */
type Kind = 'challans' | 'payments' | 'trucks' | 'owners' | 'tags' | 'petrolPumps';

const challanPath = (query: Record<string, string>): string => addressOf('/challans', query);
const searchPath = (path: string, search: string, open?: string): string =>
  addressOf(path, { search, ...(open === undefined ? {} : { open }) });

/** The entries of what the server found, by kind. A kind has the name and the icon of its screen. */
export function recordsOf(found: PaletteAnswer, asked: string, go: (path: string) => void): readonly Action[] {
  /** `list` is the path that Shift+Enter opens. */
  const entry = (kind: Kind, id: string, label: string, path: string, note?: string, list?: string): Action => ({
    id: `palette.${id}`,
    label,
    note,
    scope: screens[kind].name,
    icon: pages[kind].icon,
    run: () => go(path),
    ...(list !== undefined && { runBeside: () => go(list) }),
  });
  /** If there are more results than shown, an entry that leads to all of them. */
  const allOf = (
    kind: Kind,
    { data, totalCount, isMore = false }: { data: readonly unknown[]; totalCount: number; isMore?: boolean },
    words: string,
    path: string,
  ): Action[] =>
    totalCount > data.length
      ? [entry(kind, `all.${path}`, `All ${formatCount(totalCount)}${isMore ? '+' : ''} ${words}`, path)]
      : [];

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
    const [label, note] = named(`${challanNumber} (TP ${tpNo})`, ...notes);
    return entry('challans', `challan.${id}`, label, challanPath({ tpNo, open: id }), note, challanPath({ tpNo }));
  };
  /** The challans of one search that no earlier search has found, and an entry that leads to all of them. */
  const challansOf = (some: PaletteChallans | null, words: string, query: Record<string, string>): Action[] => {
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
      ...allOf('challans', some, words, challanPath(query)),
    ];
  };
  const amount = found.byAmount?.amount ?? '0.00';
  const ofTrucks: Action[] = [
    ...found.trucks.data.map(({ id, truckNumber, owner }) =>
      entry(
        'trucks',
        `truck.${id}`,
        truckNumber,
        searchPath('/trucks', truckNumber, id),
        owner.name,
        challanPath({ vehicleNo: truckNumber }),
      ),
    ),
    ...allOf('trucks', found.trucks, `trucks that match “${asked}”`, searchPath('/trucks', asked)),
  ];
  const ofOwners: Action[] = [
    ...found.owners.data.flatMap(({ id, name, contactNumber, address, branchName }) => {
      const [label, note] = named(name, contactNumber, address.trim() || branchName);
      const payments = addressOf('/accounting', { search: name, payments: id });
      const list = `/accounting/payments?ownerId=${id}`;
      return [
        entry('owners', `owner.${id}`, label, searchPath('/owners', name, id), note, challanPath({ ownerId: id })),
        entry('owners', `owner-payments.${id}`, `Payments of ${name}`, payments, contactNumber, list),
      ];
    }),
    ...allOf('owners', found.owners, `owners that match “${asked}”`, searchPath('/owners', asked)),
  ];
  // A function, so that it runs after the searches before it: each challan is listed only once.
  const ofVehicles = (): Action[] =>
    challansOf(found.byVehicle, `challans of vehicles with “${asked}”`, { vehicleNo: asked });
  // Four digits are the end of a plate, as drivers and pumps say it.
  const isEndOfPlate = /^\d{4}$/.test(asked);
  return [
    ...(isEndOfPlate ? [...ofTrucks, ...ofVehicles()] : []),
    ...found.challans.map((row) => challanEntry(row, row.vehicleNo, `loaded ${formatDate(row.loadingDate)}`)),
    ...found.payments.map(({ id, number, createdAt, totalAmount }) =>
      entry(
        'payments',
        `payment.${id}`,
        number,
        `/accounting/payments?open=${id}`,
        `${formatINR(totalAmount)}, ${formatDate(createdAt)}`,
        '/accounting/payments',
      ),
    ),
    ...challansOf(found.byTp, `challans with “${asked}” in their TP No`, { tpNo: asked }),
    ...challansOf(found.byAmount, `challans of ${formatINR(amount)}`, { netFrom: amount, netTo: amount }),
    // Trucks are also found by the owner's name, but a user who types a name looks for the owner.
    ...(!/\d/.test(asked) ? ofOwners : []),
    ...(isEndOfPlate ? [] : [...ofTrucks, ...ofVehicles()]),
    ...(/\d/.test(asked) ? ofOwners : []),
    ...found.tags.data.map(({ id, name, description }) => {
      const [label, note] = named(name, description);
      return entry('tags', `tag.${id}`, label, searchPath('/tags', name, id), note, challanPath({ tagId: id }));
    }),
    ...allOf('tags', found.tags, `tags that match “${asked}”`, searchPath('/tags', asked)),
    ...found.petrolPumps.data.map(({ id, name, contactNumber, address }) => {
      const [label, note] = named(name, contactNumber, address);
      const list = challanPath({ petrolPumpId: id });
      return entry('petrolPumps', `pump.${id}`, label, searchPath('/petrol-pumps', name, id), note, list);
    }),
    ...allOf(
      'petrolPumps',
      found.petrolPumps,
      `petrol pumps that match “${asked}”`,
      searchPath('/petrol-pumps', asked),
    ),
  ];
}

/** Words that lead to a screen in the palette: what is done there, and what other programs call it. */
const words: Readonly<Partial<Record<ScreenId, string>>> = {
  dashboard: 'home overview summary analytics start',
  owners: 'party vendor transporter supplier contacts',
  tags: 'label category',
  copyOwners: 'directory other business share',
  copiedOwners: 'directory from to whom when who',
  trucks: 'vehicles fleet lorry plate',
  challans: 'trips delivery slips export list invoice bills',
  createChallan: 'create challan trip slip entry',
  challanSheet: 'paste excel many challans bulk spreadsheet',
  exceptions: 'unusual shortage overload overlap twice late anomaly fine route plot',
  accounting: 'balance outstanding ledger ageing export unpaid dues',
  openingBalances: 'owner statement old book import paste',
  bankStatement: 'pay payment payout settle dues unpaid neft export',
  payments: 'paid history receipt voucher export batch',
  toRelease: 'prepared second person approve limit sent back withdraw',
  bankFiles: 'neft rtgs imps upload transfer export pay',
  bankLines: 'bank file line utr sent waiting unanswered',
  bankAnswer: 'reverse file statement paste utr executed failed returned match reconcile',
  bankAnswers: 'bank undo failed returned',
  tds: 'tax deducted quarter financial year pan threshold section export',
  tdsDeductions: 'tax deducted challans quarter financial year pan',
  declarations: 'tds nil no deduction owner goods carriages lapse withdraw form',
  tdsDeposits: 'tax bsr due month quarter return',
  closeMonth: 'lock period pack accountant archive zip control totals checklist backup',
  tally: 'export xml ledger journal voucher masters accountant books',
  tallyChanged: 'tally export again deleted reversed difference',
  sharedReports: 'whatsapp link share owner page',
  petrolPumps: 'diesel fuel hsd station',
  hsdVerification: 'diesel fuel pump bill check match reconcile',
  pumpLedger: 'diesel fuel hsd billed verified disputed month petrol pump',
  import: 'excel csv upload paste owners trucks tags petrol pumps',
  pastImports: 'batch undo past history',
  profile: 'password account backup export everything archive take out settings',
  people: 'user clerk accountant auditor seat role invite login staff',
  activity: 'who did what audit log history day person',
  bankAccounts: 'paying account ifsc layout neft',
  bankLayouts: 'bank file format fields columns',
};

const byPath = new Map(Object.entries(words).map(([id, text]) => [screens[id as ScreenId].path, text]));
/** The command that leads to a screen under an id of its own. */
const ownIds = new Map(
  allScreens.flatMap(({ id, path }) => {
    const own = pages[id].goTo?.id;
    return own ? [[own, path]] : [];
  }),
);

/** The further words of the way to a screen; none for other actions. */
export const screenWords = (actionId: string): string =>
  byPath.get(ownIds.get(actionId) ?? actionId.replace(/^go\./, '')) ?? '';
