import { challanNumber } from '../shared/calc/challan-number.ts';
import { entryTimes, financialYearOf, instantMs, dayText } from './calendar.ts';
import { drivingLicence, phone } from './identity.ts';
import { PayBook, type PayCycle } from './pay-book.ts';
import { typedPlate } from './plates.ts';
import { Weighted, type Random } from './random.ts';
import {
  dieselPrice,
  isDeclared,
  type Period,
  type SampleOwner,
  type SamplePump,
  type SampleTag,
  type SampleTruck,
  type Tenant,
} from './tenants.ts';
import { materials, placeSpellings, remarks, type Material, type Route } from './trade.ts';
import { tripAmounts, type TripAmounts, type TripInputs } from './trip-amounts.ts';

/** A challan of the sample data. Instants are milliseconds since 1970. */
export interface Trip {
  tenant: Tenant;
  id: string;
  number: string;
  owner: SampleOwner;
  discounter: SampleOwner | null;
  tag: SampleTag | null;
  pump: SamplePump | null;
  tpNo: string;
  vehicleNo: string;
  ownerContactNumber: string;
  material: string;
  loadingAt: number;
  unloadingAt: number;
  loadingPlace: string;
  unloadingPlace: string;
  inputs: TripInputs;
  amounts: TripAmounts;
  vehicleType: string;
  wheels: number;
  driverName: string;
  drivingLicenseNo: string;
  dataEntryBy: string;
  remarks: string;
  depositedAt: number | null;
  cycles: PayCycle[];
  hsdVerifiedAt: number | null;
  deletedAt: number | null;
  createdAt: number;
  editedAt: number | null;
}

const materialChoice = new Weighted(materials, ({ share }) => share);
const rupee = 100;

interface TripDays {
  loading: number;
  unloading: number;
  deposited: number | null;
}
/** A trip is loaded less than so many days before it is entered. */
const mostDays = 12;
const mostTries = 20;

/** The challans of one business, day by day. The same seed gives the same challans. */
export class TripMaker {
  readonly book: PayBook;
  readonly #tenant: Tenant;
  readonly #random: Random;
  readonly #period: Period;
  readonly #tps: TpNumbers;
  readonly #counters = new Map<string, number>();
  readonly #freight = new Map<string, number>();
  readonly #diesel = new Map<string, number>();
  /** The latest trips of each truck. */
  readonly #busy = new Map<SampleTruck, TripDays[]>();

  constructor(tenant: Tenant, random: Random, period: Period) {
    this.#tenant = tenant;
    this.#random = random.fork('trips');
    this.#period = period;
    this.#tps = new TpNumbers(random.fork('transit passes'));
    this.book = new PayBook(tenant, random, period);
  }

  /** The counters by name, as the server will continue them. */
  counters(): Map<string, number> {
    return this.#counters;
  }

  /** The `count` challans that were entered on a day, in order, and now and then a deleted one in addition. */
  *day(day: number, count: number): Generator<Trip> {
    const times = entryTimes(count, this.#random);
    for (const time of times) {
      const createdAt = instantMs(day) + time;
      if (this.#random.chance(0.4)) yield this.#trip(day, createdAt - 1, true);
      yield this.#trip(day, createdAt, false);
    }
  }

  #trip(day: number, createdAt: number, isDeleted: boolean): Trip {
    const random = this.#random;
    const tenant = this.#tenant;
    const owner = tenant.ownerChoice.pick(random);
    const { truck, days } = this.#free(owner, day);
    const { material, route } = this.#cargo(truck.kind.wheels);
    const pump = random.chance(70) ? this.#pump(day) : null;
    const { inputs, amounts, hasPump } = this.#money(material, route, truck.kind.payload, pump, day, {
      isDeclared: isDeclared(owner, days.deposited ?? days.loading),
    });
    const isDeposited = days.deposited !== null;
    const verified = hasPump && !isDeleted ? this.#verifiedAt(day) : null;
    return {
      tenant,
      id: random.uuid(),
      number: this.#number(day),
      owner,
      discounter: random.chance(9) ? random.pick(tenant.discounters) : null,
      tag: this.#tag(route),
      pump: hasPump ? pump : null,
      tpNo: this.#tps.next(route, days.loading),
      vehicleNo: random.chance(6) ? typedPlate(truck.number, random) : truck.number,
      ownerContactNumber: random.chance(1) ? phone(random) : owner.contactNumber,
      material: material.name,
      loadingAt: this.#instant(days.loading, 0),
      unloadingAt: this.#instant(days.unloading, 720),
      loadingPlace: this.#place(route.from),
      unloadingPlace: this.#place(route.to),
      inputs,
      amounts,
      vehicleType: truck.type,
      wheels: truck.kind.wheels,
      driverName: random.chance(80) ? random.pick(tenant.drivers) : '',
      drivingLicenseNo: random.chance(35) ? drivingLicence(random) : '',
      dataEntryBy: random.chance(92) ? random.pick(tenant.clerks) : '',
      remarks: random.chance(11) ? random.pick(remarks) : '',
      depositedAt: isDeposited ? instantMs(days.deposited ?? 0) : null,
      cycles: isDeleted ? [] : this.book.pay(owner, day, days.deposited, amounts.net),
      hsdVerifiedAt: verified,
      deletedAt: isDeleted ? createdAt + random.between(5, 300) * 60_000 : null,
      createdAt,
      editedAt: random.chance(5) ? createdAt + random.between(1, 90) * 60_000 : null,
    };
  }

  /** A truck, and days on which it is on no other trip. Where none is found it is the last one that was tried. */
  #free({ trucks }: SampleOwner, entered: number) {
    for (let tries = 1; ; tries += 1) {
      const truck = this.#random.pick(trucks);
      const days = this.#days(entered);
      const busy = (this.#busy.get(truck) ?? []).filter(({ unloading }) => unloading > entered - mostDays);
      const isFree = !busy.some((trip) => trip.loading < days.unloading && days.loading < trip.unloading);
      if (!isFree && tries < mostTries) continue;
      this.#busy.set(truck, [...busy, days]);
      return { truck, days };
    }
  }

  /** Small trucks do not make the shortest trips, which would not pay their costs. */
  #cargo(wheels: number): { material: Material; route: Route } {
    for (let tries = 0; ; tries += 1) {
      const material = materialChoice.pick(this.#random);
      const route = this.#random.pick(material.routes);
      if (wheels > 10 || route.km > 25 || tries === 20) return { material, route };
    }
  }

  /**
   * The days of a trip. It is unloaded 0 to 2 days after loading. The papers are handed in 1 to 6 days after that, mostly on
   * the day on which they are typed in.
   */
  #days(entered: number): TripDays {
    const random = this.#random;
    const handedIn = random.chance(88) ? entered : entered - random.between(1, 3);
    const unloading = handedIn - random.between(1, 6);
    return {
      loading: unloading - random.between(0, 2),
      unloading,
      deposited: random.chance(2) ? null : handedIn,
    };
  }

  /** Most dates are only a day, which is stored as its beginning in India. Some have the time of the weighbridge. */
  #instant(day: number, fromMinute: number): number {
    return instantMs(day, this.#random.chance(15) ? fromMinute + this.#random.below(719) : 0);
  }

  #number(day: number): string {
    const name = `challan-${financialYearOf(day)}`;
    const value = (this.#counters.get(name) ?? 0) + 1;
    this.#counters.set(name, value);
    return challanNumber(dayText(day), value);
  }

  #tag(route: Route): SampleTag | null {
    const random = this.#random;
    const roll = random.below(1000);
    if (roll < 15) return null;
    const named = this.#tenant.tagOfName.get(route.tag);
    return roll < 900 && named ? named : random.pick(this.#tenant.furtherTags);
  }

  #pump(day: number): SamplePump {
    const pump = this.#random.pick(this.#tenant.pumps);
    const isHidden = pump.hiddenFrom !== null && day >= pump.hiddenFrom;
    return isHidden ? (this.#tenant.pumps[0] ?? pump) : pump;
  }

  #place(name: string): string {
    const spellings = placeSpellings[name];
    return spellings && this.#random.chance(5) ? this.#random.pick(spellings) : name;
  }

  #money(
    material: Material,
    route: Route,
    payload: readonly [number, number],
    pump: SamplePump | null,
    day: number,
    { isDeclared: isNil }: { isDeclared: boolean },
  ) {
    const random = this.#random;
    const loading = random.between(...payload);
    const wanted: TripInputs = {
      loading: BigInt(loading),
      unloading: BigInt(loading - this.#lost()),
      discount: BigInt(material.discount),
      rate: BigInt(this.#rate(route, day)),
      hsdPrice: BigInt(pump ? this.#price(pump, day) : 0),
      litres: BigInt(pump ? this.#litres(route) : 0),
      advance: BigInt(this.#advance(route) * rupee),
      office: BigInt(this.#tenant.officeCharges * rupee),
      materialRate: BigInt(
        random.chance(75) ? random.between(material.rate[0] / 10, material.rate[1] / 10) * 10 * rupee : 0,
      ),
      tdsTenths: (isNil ? 0n : 1n) * BigInt(random.chance(70) ? 10 : random.chance(93.5) ? 20 : random.between(1, 5)),
    };
    const inputs = random.chance(1) ? overdrawn(wanted, BigInt(random.between(1, 9)) * 50_000n) : profitable(wanted);
    return { inputs, amounts: tripAmounts(inputs), hasPump: pump !== null && inputs.litres > 0n };
  }

  /** How many hundredths of a tonne are missing at unloading. 3 % of the trips arrive with more than was loaded. */
  #lost(): number {
    const random = this.#random;
    const roll = random.below(100);
    if (roll < 62) return random.between(1, 10);
    if (roll < 87) return random.between(11, 25);
    if (roll < 96) return random.between(26, 60);
    return roll < 97 ? random.between(80, 200) : -random.between(1, 20);
  }

  /** The freight in paise per tonne. It is agreed for a route and a month, and sometimes for a single trip. */
  #rate(route: Route, day: number): number {
    const [low, high] = route.freight;
    const key = `${route.from} ${route.to} ${Math.floor(day / 30)}`;
    let agreed = this.#freight.get(key);
    if (agreed === undefined) {
      agreed = this.#random.fork(`freight ${key}`).between(low / 5, high / 5) * 5;
      this.#freight.set(key, agreed);
    }
    return (this.#random.chance(85) ? agreed : this.#random.between(low / 5, high / 5) * 5) * rupee;
  }

  #price(pump: SamplePump, day: number): number {
    const key = `${pump.id} ${Math.floor(day / 91)}`;
    let price = this.#diesel.get(key);
    if (price === undefined) {
      price = dieselPrice(this.#random, pump, day);
      this.#diesel.set(key, price);
    }
    return price;
  }

  /** The issued diesel in hundredths of a litre: a part of what the round trip needs at 2.6 to 3.6 km per litre. */
  #litres(route: Route): number {
    const random = this.#random;
    const hundredths = (route.km * 2 * random.between(30, 100) * 10) / random.between(26, 36);
    return random.chance(80) ? Math.max(1, Math.round(hundredths / 100)) * 100 : Math.round(hundredths);
  }

  /** The advance in rupees, in steps of 500. */
  #advance(route: Route): number {
    const [low, high] = route.km > 200 ? [10, 30] : route.km > 100 ? [4, 12] : [0, 6];
    return this.#random.between(low, high) * 500;
  }

  /** When the HSD was verified. Pump bills are checked on the 5th and the 20th, and some challans wait for the next bill. */
  #verifiedAt(createdDay: number): number | null {
    const random = this.#random;
    const isChecked = random.chance(90);
    let day = createdDay + (random.chance(12) ? 18 : 3);
    while (day <= this.#period.last && ![5, 20].includes(new Date(day * 86_400_000).getUTCDate())) day += 1;
    return isChecked && day <= this.#period.last ? instantMs(day, 960) : null;
  }
}

/** The inputs with a positive net: where it would be too small, there is no advance, and then no diesel either. */
function profitable(wanted: TripInputs): TripInputs {
  const least = 150_000n;
  if (tripAmounts(wanted).net >= least) return wanted;
  const withoutAdvance = { ...wanted, advance: 0n };
  if (tripAmounts(withoutAdvance).net >= least) return withoutAdvance;
  return { ...withoutAdvance, litres: 0n, hsdPrice: 0n };
}

/** The inputs with such an advance that the net is below zero (docs/specification.md §8.3.2). */
function overdrawn(wanted: TripInputs, by: bigint): TripInputs {
  const { net } = tripAmounts(wanted);
  const missing = net > 0n ? ((net + by) / 50_000n + 1n) * 50_000n : 0n;
  return { ...wanted, advance: wanted.advance + missing };
}

/** Transit-pass numbers in shapes that are hard to match. One in 400 of them is also on another challan. */
class TpNumbers {
  readonly #random: Random;
  readonly #recent: string[] = [];
  #position = 0;
  #counter: number;

  constructor(random: Random) {
    this.#random = random;
    this.#counter = random.between(100_000, 300_000);
  }

  next(route: Route, day: number): string {
    const random = this.#random;
    if (random.chance(0.25) && this.#recent.length > 0) return random.pick(this.#recent);
    const text = this.#fresh(route, day);
    this.#recent[this.#position] = text;
    this.#position = (this.#position + 1) % 400;
    return text;
  }

  #fresh(route: Route, day: number): string {
    const random = this.#random;
    this.#counter += random.between(1, 3);
    const roll = random.below(100);
    if (roll < 50) {
      const date = dayText(day).replaceAll('-', '').slice(2);
      return date.slice(0, 4) + String(this.#counter).padStart(random.between(7, 9), '0');
    }
    if (roll < 62) return `000${String(this.#counter % 1_000_000).padStart(6, '0')}`;
    if (roll < 84) {
      const year = financialYearOf(day);
      return `${route.district}/${year.slice(0, 2)}-${year.slice(2)}/${String(this.#counter).padStart(7, '0')}`;
    }
    return `Y${String(this.#counter).padStart(7, '0')}`;
  }
}
