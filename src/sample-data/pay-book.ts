import { dayText, instantMs } from './calendar.ts';
import { Random } from './random.ts';
import type { Period, SampleOwner, Tenant } from './tenants.ts';

/** A payment: the challans that were marked paid together. Its counts are complete after the last challan of the year. */
export interface PayRun {
  id: string;
  tenant: Tenant;
  kind: 'selected' | 'filter' | 'single';
  at: number;
  appliedFilters: string;
  /** The reversal of the whole payment; null: it was not reversed. */
  reversal: { at: number; reason: string } | null;
  count: number;
  /** The sum in paise. */
  total: bigint;
  owners: Set<SampleOwner>;
}

/** A cycle of a challan: it was paid in `run`, and became unpaid again at `reversedAt` if that is not null. */
export interface PayCycle {
  run: PayRun;
  reversedAt: number | null;
  reason: string;
}

const runReasons = ['Paid to the wrong account', 'Bank returned the file', 'Paid twice by mistake'];
const challanReasons = ['Marked by mistake', 'Payment returned by the bank', 'Owner disputes the weight'];

/**
 * The payments of one business, which pays each group of owners every 7 to 15 days. The payment of a challan is chosen when
 * the challan is made, so that challans can be written in the order of entry.
 */
export class PayBook {
  readonly #tenant: Tenant;
  readonly #random: Random;
  readonly #groups: PayRun[][];
  readonly #singles: PayRun[] = [];
  readonly #period: Period;
  readonly #open = new Map<SampleOwner, number>();

  constructor(tenant: Tenant, random: Random, period: Period) {
    this.#tenant = tenant;
    this.#random = random.fork('challans to pay');
    this.#period = period;
    this.#groups = Array.from({ length: tenant.payGroups }, (_, group) =>
      makeRuns(tenant, random.fork(`pay group ${group}`), period, group === 0),
    );
  }

  /** All payments so far that have challans, in order. */
  runs(): PayRun[] {
    return [...this.#groups.flat(), ...this.#singles]
      .filter(({ count }) => count > 0)
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  /** The pay cycles of a challan. It is paid if the last one was not reversed. `net` is in paise. */
  pay(owner: SampleOwner, createdDay: number, deposited: number | null, net: bigint): PayCycle[] {
    const random = this.#random;
    const roll = random.below(1000);
    const isLate = random.chance(8);
    const wait = isLate ? random.between(46, 150) : 1;
    const day = Math.max(createdDay, deposited ?? createdDay) + wait;
    const open = this.#open.get(owner) ?? 0;
    if (open < owner.disputed) {
      this.#open.set(owner, open + 1);
      return [];
    }
    const isBacklog = createdDay > this.#period.last - (this.#tenant.size.unpaidDays ?? 0);
    if (isBacklog && owner.disputed === 0) return [];
    if (roll < 8 && day + 3 <= this.#period.last) return [this.#single(owner, day + random.below(4), net)];

    const cycles: PayCycle[] = [];
    const run = this.#add(owner, day, net, cycles);
    if (run === undefined) return cycles;
    if (run.reversal === null && roll >= 996) {
      const reversedDay = Math.floor(run.at / 86_400_000) + random.between(1, 6);
      if (reversedDay > this.#period.last) return cycles;
      const at = instantMs(reversedDay, random.between(600, 1150));
      cycles[0] = { run, reversedAt: at, reason: random.pick(challanReasons) };
      if (random.chance(70)) this.#add(owner, reversedDay + 1, net, cycles);
    } else if (run.reversal !== null) {
      this.#add(owner, Math.floor(run.reversal.at / 86_400_000) + 1, net, cycles);
    }
    return cycles;
  }

  /** Adds a challan to the first payment of the owner's group from `day` on; undefined: that is still in the future. */
  #add(owner: SampleOwner, day: number, net: bigint, cycles: PayCycle[]): PayRun | undefined {
    const from = instantMs(day);
    // A challan is reversed at most once, so its second payment is never one that was reversed.
    const run = this.#groups[owner.payGroup]?.find(
      ({ at, reversal }) => at >= from && (cycles.length === 0 || !reversal),
    );
    if (run === undefined) return undefined;
    record(run, owner, net);
    cycles.push({ run, reversedAt: run.reversal?.at ?? null, reason: run.reversal?.reason ?? '' });
    return run;
  }

  #single(owner: SampleOwner, day: number, net: bigint): PayCycle {
    const run: PayRun = {
      id: this.#random.uuid(),
      tenant: this.#tenant,
      kind: 'single',
      at: instantMs(day, this.#random.between(600, 1200)) + this.#random.below(60_000),
      appliedFilters: '{}',
      reversal: null,
      count: 0,
      total: 0n,
      owners: new Set(),
    };
    this.#singles.push(run);
    record(run, owner, net);
    return { run, reversedAt: null, reason: '' };
  }
}

function record(run: PayRun, owner: SampleOwner, net: bigint): void {
  run.count += 1;
  run.total += net;
  run.owners.add(owner);
}

/** One payment in fifty is reversed as a whole. The sixth of the first group always is, so that every size has one. */
function makeRuns(tenant: Tenant, random: Random, { first, last }: Period, isFirst: boolean): PayRun[] {
  const runs: PayRun[] = [];
  for (let day = first + random.between(3, 12); day <= last; day += random.between(7, 15)) {
    const isFilter = random.chance(40);
    const at = instantMs(day, random.between(660, 1140)) + random.below(60_000);
    const reversedDay = day + random.between(0, 3);
    const isReversed = (random.chance(2) || (isFirst && runs.length === 5)) && reversedDay < last;
    runs.push({
      id: random.uuid(),
      tenant,
      kind: isFilter ? 'filter' : 'selected',
      at,
      appliedFilters: isFilter ? JSON.stringify({ depositedEndDate: dayText(day - 1) }) : '{}',
      reversal: isReversed
        ? {
            at: Math.max(at + 3_600_000, instantMs(reversedDay, random.between(700, 1200))),
            reason: random.pick(runReasons),
          }
        : null,
      count: 0,
      total: 0n,
      owners: new Set(),
    });
  }
  return runs;
}
