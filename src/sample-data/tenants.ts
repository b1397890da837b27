import { financialYearStart } from '../shared/calc/dates.ts';
import { dayNumber, dayText, instantMs } from './calendar.ts';
import { bankAccount, gstin, pan, phone } from './identity.ts';
import { address, branch, businesses, holder, person } from './people.ts';
import { plate } from './plates.ts';
import { Weighted, type Random } from './random.ts';
import type { TenantSize } from './sizes.ts';
import { furtherTags, pumps, routes, tagColours, truckKinds, type TruckKind } from './trade.ts';

export interface SampleTruck {
  id: string;
  number: string;
  type: string;
  kind: TruckKind;
  createdAt: number;
}

export interface SampleOwner {
  id: string;
  name: string;
  contactNumber: string;
  address: string;
  accountNo: string;
  ifsc: string;
  panNo: string;
  branchName: string;
  createdAt: number;
  trucks: SampleTruck[];
  /** Its declaration of no deduction. One is withdrawn before its last day. */
  declaration: { id: string; receivedOn: number; until: number; withdrawnOn: number | null } | null;
  /** The group that the owner is paid with. Each group is paid on days of its own. */
  payGroup: number;
  /** The number of challans that stay unpaid because of a dispute: the owner's first ones. */
  disputed: number;
}

export interface SampleTag {
  id: string;
  name: string;
  color: string;
  description: string;
}

export interface SamplePump {
  id: string;
  name: string;
  contactNumber: string;
  address: string;
  /** The day from which the pump is hidden (docs/specification.md §7.3). Old challans keep its name. */
  hiddenFrom: number | null;
}

/** A business with the master data that it has before the first challan of the year. */
export interface Tenant {
  id: string;
  index: number;
  size: TenantSize;
  email: string;
  password: string;
  bannerName: string;
  gstNo: string;
  contactNumber: string;
  officeAddress: string;
  createdAt: number;
  owners: SampleOwner[];
  ownerChoice: Weighted<SampleOwner>;
  payGroups: number;
  discounters: SampleOwner[];
  tags: SampleTag[];
  tagOfName: Map<string, SampleTag>;
  furtherTags: SampleTag[];
  pumps: SamplePump[];
  clerks: string[];
  drivers: string[];
  /** In rupees, the same on every challan of the business. */
  officeCharges: number;
}

export interface Period {
  first: number;
  last: number;
}

/** Makes a business. Some of its owners work for the first business as well. */
export function makeTenant(
  random: Random,
  index: number,
  size: TenantSize,
  period: Period,
  first: Tenant | undefined,
): Tenant {
  const business = businesses[index];
  if (!business) throw new Error('There are no more businesses than names for them');
  const start = instantMs(period.first - 700, 660);
  const owners = makeOwners(random.fork('owners'), size, period, first);
  const tags = makeTags(random.fork('tags'), size.tags);
  const names = new Set<string>(furtherTags);
  const people = random.fork('people');
  return {
    id: random.uuid(),
    index,
    size,
    email: `${business.login}@demo.example`,
    password: `demo-${business.login}-login`,
    bannerName: business.banner,
    gstNo: gstin(random, pan(random, index % 2 === 0 ? 'F' : 'C', business.banner.charAt(0))),
    contactNumber: phone(random),
    officeAddress: business.office,
    createdAt: start,
    owners,
    ownerChoice: choiceOf(owners, size),
    payGroups: groupOwners(owners, size),
    discounters: owners.slice(0, Math.min(6, owners.length)),
    tags,
    tagOfName: new Map(tags.map((tag) => [tag.name, tag])),
    furtherTags: tags.filter(({ name }) => names.has(name)),
    pumps: makePumps(random.fork('pumps'), size.pumps, period),
    clerks: Array.from({ length: size.clerks }, () => person(people)),
    drivers: Array.from({ length: 40 + size.owners }, () => person(people)),
    officeCharges: people.pick([50, 100, 200]),
  };
}

/** How many trucks the n-th of `count` owners has. 55 % have one, 2 % more than 25; the first owners have the most. */
function trucksOf(random: Random, rank: number, count: number): number {
  const share = (rank * 100) / count;
  const lower = (low: number, high: number) => Math.min(random.between(low, high), random.between(low, high));
  if (share < 2) return lower(26, 40);
  if (share < 8) return lower(10, 25);
  if (share < 20) return lower(4, 9);
  return share < 45 ? random.between(2, 3) : 1;
}

function makeOwners(random: Random, size: TenantSize, period: Period, first: Tenant | undefined): SampleOwner[] {
  const kinds = new Weighted(truckKinds, ({ share }) => share);
  const taken = new Set<string>();
  return Array.from({ length: size.owners }, (_, rank) => {
    const known = first && rank % 16 === 7 ? first.owners[rank] : undefined;
    const { name, kind, initial } = holder(random, rank);
    const account = bankAccount(random);
    const createdAt = instantMs(period.first - random.between(20, 690), random.between(600, 1200));
    const trucks = Array.from({ length: trucksOf(random, rank, size.owners) }, (_, position): SampleTruck => {
      const truckKind = kinds.pick(random);
      const shared = known?.trucks[position];
      const number = shared && !taken.has(shared.number) ? shared.number : plate(random, taken);
      taken.add(number);
      return {
        id: random.uuid(),
        number,
        type: shared?.type ?? random.pick(truckKind.types),
        kind: shared?.kind ?? truckKind,
        createdAt: createdAt + position * 61_000,
      };
    });
    return {
      id: random.uuid(),
      name: known?.name ?? name,
      contactNumber: known?.contactNumber ?? phone(random),
      address: known?.address ?? (random.chance(4) ? '' : address(random)),
      accountNo: known?.accountNo ?? account.accountNo,
      ifsc: known?.ifsc ?? (random.chance(2) ? '' : account.ifsc),
      panNo: known?.panNo ?? pan(random, kind, initial),
      branchName: known?.branchName ?? branch(random),
      createdAt,
      trucks,
      declaration: rank % 9 === 4 ? declarationOf(random.fork(`declaration ${rank}`), rank, period) : null,
      payGroup: 0,
      disputed: rank === 0 ? (size.disputed ?? 0) : 0,
    };
  });
}

/** Given in the days around the first of April; until the end of its financial year, or for less, or withdrawn in the middle of it. */
function declarationOf(random: Random, rank: number, { last }: Period): NonNullable<SampleOwner['declaration']> {
  const start = financialYearStart(dayText(last));
  return {
    id: random.uuid(),
    receivedOn: dayNumber(`${start}-04-0${1 + (rank % 5)}`),
    // One owner’s lapses some days after the data end, so that notice of it is given.
    until: Math.min(dayNumber(`${start + 1}-03-31`), rank === 22 ? last + 20 : Infinity),
    withdrawnOn: rank % 27 === 13 ? dayNumber(`${start}-06-15`) : null,
  };
}

/** Whether an owner has a valid declaration on a day. */
export const isDeclared = ({ declaration }: SampleOwner, day: number): boolean =>
  declaration !== null &&
  declaration.receivedOn <= day &&
  day <= declaration.until &&
  (declaration.withdrawnOn === null || day < declaration.withdrawnOn);

/**
 * Chooses the owner of a trip by Zipf's law, flattened at the top so that the first tenth of the owners makes about half of
 * the trips. The disputed owner makes one and a half times as many trips as stay unpaid.
 */
function choiceOf(owners: SampleOwner[], size: TenantSize): Weighted<SampleOwner> {
  const usual = (rank: number) => 1 / (rank + 1 + owners.length / 80);
  let all = 0;
  for (let rank = 1; rank < owners.length; rank += 1) all += usual(rank);
  const share = ((size.disputed ?? 0) * 1.5) / size.challans;
  return new Weighted(owners, (owner, rank) => (owner.disputed > 0 ? (share * all) / (1 - share) : usual(rank)));
}

/**
 * Spreads the owners over groups, so that a payment for 7 to 15 days has about 150 challans. Returns the number of groups.
 */
function groupOwners(owners: SampleOwner[], size: TenantSize): number {
  const groups = Math.max(1, Math.round((size.challans * 11) / 365 / 150));
  // Groups are assigned back and forth over the ranks, so that each group gets some busy owners.
  for (const [rank, owner] of owners.entries()) {
    const position = rank % (2 * groups);
    owner.payGroup = position < groups ? position : 2 * groups - 1 - position;
  }
  return groups;
}

function makeTags(random: Random, count: number): SampleTag[] {
  const routeTags = Object.values(routes);
  const described = [
    ...routeTags.map(({ tag, from, to }) => ({ name: tag, description: `${from} – ${to}` })),
    ...furtherTags.map((name) => ({ name, description: '' })),
  ].slice(0, count);
  return random.shuffle(described).map(({ name, description }) => ({
    id: random.uuid(),
    name,
    description,
    color: random.pick(tagColours),
  }));
}

function makePumps(random: Random, count: number, period: Period): SamplePump[] {
  return pumps.slice(0, count).map(([name, place], index) => ({
    id: random.uuid(),
    name,
    contactNumber: phone(random),
    address: place,
    hiddenFrom: index === 2 ? period.first + 150 : null,
  }));
}

/** The price of diesel in paise per litre. It differs by pump and changes about four times a year. */
export function dieselPrice(random: Random, pump: SamplePump, day: number): number {
  const step = Math.floor(day / 91);
  const draw = random.fork(`diesel ${pump.id} ${step}`);
  return draw.between(9050, 9650);
}
