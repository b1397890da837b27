import { dayNumber, dayWeights, financialYearOf, instantMs, spread } from './calendar.ts';
import type { PayRun } from './pay-book.ts';
import { Random } from './random.ts';
import {
  batchColumns,
  batchOwnerColumns,
  batchOwnerRow,
  batchRow,
  challanColumns,
  challanRow,
  counterColumns,
  counterRow,
  lineColumns,
  lineRows,
  declarationColumns,
  declarationRow,
  ownerColumns,
  ownerRow,
  pumpColumns,
  pumpRow,
  reversalColumns,
  reversalRow,
  tagColumns,
  tagRow,
  truckColumns,
  truckRow,
} from './rows.ts';
import { sizes, type SizeName } from './sizes.ts';
import { makeTenant, type Period, type Tenant } from './tenants.ts';
import { TripMaker, type Trip } from './trips.ts';

export interface SampleOptions {
  size: SizeName;
  seed: number;
  /** The data end on the day before this one (YYYY-MM-DD, Asia/Kolkata), so that nothing is in the future. */
  asOf: string;
}

export interface SampleTable {
  name: string;
  columns: string;
  /** Lines in the text format of COPY, which are generated while they are read. */
  rows: Iterable<string>;
}

export interface SampleLogin {
  id: string;
  role: 'admin' | 'subadmin';
  email: string;
  password: string;
  bannerName: string;
  gstNo: string;
  contactNumber: string;
  officeAddress: string;
  createdAt: string;
}

/**
 * The sample data of a size, a seed and a day: a year of challans of several businesses, in the order of entry. Neither the
 * clock nor other random numbers are used, so the same three values always give the same bytes.
 */
export class SampleData {
  readonly logins: readonly SampleLogin[];
  readonly tenants: readonly Tenant[];
  readonly period: Period;
  readonly #root: Random;
  readonly #counts: number[][];
  /** The makers of the last complete pass over the challans. The payments are known only after it. */
  #makers: TripMaker[] | null = null;

  constructor({ size, seed, asOf }: SampleOptions) {
    const last = dayNumber(asOf) - 1;
    this.period = { first: last - 364, last };
    this.#root = new Random(`challan-desk ${seed}`);
    const tenants: Tenant[] = [];
    for (const [index, tenantSize] of sizes[size].entries()) {
      tenants.push(makeTenant(this.#root.fork(`tenant ${index}`), index, tenantSize, this.period, tenants[0]));
    }
    this.tenants = tenants;
    this.logins = [adminLogin(this.#root, this.period), ...tenants.map(tenantLogin)];
    this.#counts = tenants.map(({ size }, index) =>
      spread(size.challans, dayWeights(this.period.first, last, this.#root.fork(`days ${index}`))),
    );
  }

  /** Every table except accounts, referenced tables first. */
  tables(): SampleTable[] {
    const { tenants } = this;
    const each = <T>(of: (tenant: Tenant) => readonly T[], row: (tenant: Tenant, item: T) => string) =>
      lazily(function* () {
        for (const tenant of tenants) for (const item of of(tenant)) yield row(tenant, item);
      });
    const hiddenAt = (day: number | null) => (day === null ? null : instantMs(day, 700));
    return [
      { name: 'owners', columns: ownerColumns, rows: each(({ owners }) => owners, ownerRow) },
      {
        name: 'trucks',
        columns: truckColumns,
        rows: each(
          ({ owners }) => owners.flatMap((owner) => owner.trucks.map((truck) => ({ owner, truck }))),
          (tenant, { owner, truck }) => truckRow(tenant, owner, truck),
        ),
      },
      {
        name: 'declarations',
        columns: declarationColumns,
        rows: each(({ owners }) => owners.filter(({ declaration }) => declaration !== null), declarationRow),
      },
      { name: 'tags', columns: tagColumns, rows: each(({ tags }) => tags, tagRow) },
      {
        name: 'petrol_pumps',
        columns: pumpColumns,
        rows: each(
          ({ pumps }) => pumps,
          (tenant, pump) => pumpRow(tenant, pump, hiddenAt(pump.hiddenFrom)),
        ),
      },
      { name: 'challans', columns: challanColumns, rows: lazily(() => mapped(this.trips(), challanRow)) },
      { name: 'payment_batches', columns: batchColumns, rows: lazily(() => this.#batches()) },
      { name: 'payment_batch_owners', columns: batchOwnerColumns, rows: lazily(() => this.#batchOwners()) },
      { name: 'payment_reversals', columns: reversalColumns, rows: lazily(() => this.#reversals()) },
      { name: 'payment_lines', columns: lineColumns, rows: lazily(() => this.#lines()) },
      { name: 'counters', columns: counterColumns, rows: lazily(() => this.#counters()) },
    ];
  }

  /**
   * All challans in the order of entry. So the businesses lie mixed in the table, as when they all use the product: the
   * neighbours of a challan are mostly of others.
   */
  *trips(): Generator<Trip> {
    for (const { trips } of this.#days()) yield* trips;
  }

  *#days(): Generator<{ day: number; trips: Iterable<Trip> }> {
    const makers = this.tenants.map(
      (tenant, index) => new TripMaker(tenant, this.#root.fork(`challans ${index}`), this.period),
    );
    for (let day = this.period.first; day <= this.period.last; day += 1) {
      const counts = this.#counts.map((perDay) => perDay[day - this.period.first] ?? 0);
      yield {
        day,
        trips: lazily(function* () {
          yield* inOrderOfEntry(makers.map((maker, index) => maker.day(day, counts[index] ?? 0)));
        }),
      };
    }
    this.#makers = makers;
  }

  #done(): TripMaker[] {
    if (this.#makers === null) throw new Error('Payments are known once the challans have been read to their end');
    return this.#makers;
  }

  *#runs(): Generator<PayRun> {
    for (const maker of this.#done()) yield* maker.book.runs();
  }

  *#batches(): Generator<string> {
    for (const maker of this.#done()) {
      const numbers = new BatchNumbers();
      for (const run of maker.book.runs()) yield batchRow(run, numbers.next(run));
    }
  }

  *#batchOwners(): Generator<string> {
    for (const run of this.#runs()) for (const owner of run.owners) yield batchOwnerRow(run, owner);
  }

  *#reversals(): Generator<string> {
    for (const run of this.#runs()) if (run.reversal) yield reversalRow(run, run.reversal);
  }

  /**
   * The lines of payments, by a second pass over the challans. The lines of a payment are collected until its day is over,
   * and then sorted by owner (docs/specification.md §13.3).
   */
  *#lines(): Generator<string> {
    const open = new Map<PayRun, { trip: Trip; cycle: number }[]>();
    const close = function* (before: number): Generator<string> {
      for (const [run, lines] of open) {
        if (run.at >= before) continue;
        open.delete(run);
        lines.sort((a, b) => byOwner(a.trip, b.trip));
        for (const [index, { trip, cycle }] of lines.entries()) yield lineRows(trip, cycle, index + 1);
      }
    };
    for (const { day, trips } of this.#days()) {
      for (const trip of trips) {
        for (const [cycle, { run }] of trip.cycles.entries()) {
          const lines = open.get(run);
          if (lines) lines.push({ trip, cycle });
          else open.set(run, [{ trip, cycle }]);
        }
      }
      yield* close(instantMs(day + 1));
    }
    yield* close(Infinity);
  }

  /** The counters that the server will continue. */
  *#counters(): Generator<string> {
    for (const [index, maker] of this.#done().entries()) {
      const tenant = this.tenants[index];
      if (!tenant) continue;
      const numbers = new BatchNumbers();
      for (const run of maker.book.runs()) numbers.next(run);
      for (const [name, value] of [...maker.counters(), ...numbers.last]) yield counterRow(tenant, name, value);
    }
  }
}

/** Merges trips, each part of which is in the order of entry. */
function* inOrderOfEntry(parts: readonly Iterator<Trip, void>[]): Generator<Trip> {
  const next = parts.map((part) => part.next());
  for (;;) {
    let first = -1;
    let earliest = Infinity;
    for (const [index, { value }] of next.entries()) {
      if (value && value.createdAt < earliest) [first, earliest] = [index, value.createdAt];
    }
    const value = next[first]?.value;
    if (!value) return;
    yield value;
    next[first] = parts[first]!.next();
  }
}

/** The numbers of payments: PAY-2627-000012, counted by financial year in the order of payment. */
class BatchNumbers {
  readonly last = new Map<string, number>();

  next(run: PayRun): string {
    const year = financialYearOf(Math.floor((run.at + 330 * 60_000) / 86_400_000));
    const value = (this.last.get(`payment-${year}`) ?? 0) + 1;
    this.last.set(`payment-${year}`, value);
    return `PAY-${year}-${String(value).padStart(6, '0')}`;
  }
}

function byOwner(a: Trip, b: Trip): number {
  const [first, second] = [a.owner.name.toLowerCase(), b.owner.name.toLowerCase()];
  if (first !== second) return first < second ? -1 : 1;
  if (a.owner.id !== b.owner.id) return a.owner.id < b.owner.id ? -1 : 1;
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function adminLogin(root: Random, period: Period): SampleLogin {
  return {
    id: root.fork('admin').uuid(),
    role: 'admin',
    email: 'admin@demo.example',
    password: 'demo-admin-login',
    bannerName: '',
    gstNo: '',
    contactNumber: '',
    officeAddress: '',
    createdAt: new Date(instantMs(period.first - 701, 600)).toISOString(),
  };
}

function tenantLogin(tenant: Tenant): SampleLogin {
  const { id, email, password, bannerName, gstNo, contactNumber, officeAddress } = tenant;
  const createdAt = new Date(tenant.createdAt).toISOString();
  return { id, role: 'subadmin', email, password, bannerName, gstNo, contactNumber, officeAddress, createdAt };
}

/** An iterable that starts from the beginning each time it is read. */
function lazily<T>(make: () => Iterator<T>): Iterable<T> {
  return { [Symbol.iterator]: make };
}

function* mapped<T>(items: Iterable<T>, to: (item: T) => string): Generator<string> {
  for (const item of items) yield to(item);
}
