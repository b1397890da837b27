import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from './context.ts';
import { Caller } from './server.ts';
import { sheetOf } from './sheet.ts';
import { megabytes, ms, type Line } from './table.ts';
import { residentBytes } from './usage.ts';

const callsPerSecond = 200;
const connections = 16;
/** The compilers, the plans and the caches take what they need at first. */
const settlingMs = 60_000;
const lookEachMs = 5_000;
/** Whoever waits longer notices: are such calls spread, or do all wait at once? */
const slowMs = 250;

/** What the accountants of a large business do all day: each hundred calls have so many of each. */
interface Doing {
  what: string;
  share: number;
  call: (caller: Caller) => Promise<unknown>;
}

interface Found {
  took: { what: string; at: number; ms: number }[];
  failures: string[];
  memory: { at: number; bytes: number }[];
}

/** A day at the office for some minutes: 200 calls a second, whether the ones before are answered or not. */
export async function measureSteady(context: Context, minutes: number): Promise<Line[]> {
  const callers = Array.from({ length: connections }, () => new Caller(context.server.url));
  try {
    for (const caller of callers) caller.shareSession(context.large);
    const found = await run(await doingsOf(context), callers, minutes * 60_000, context);
    return report(found, minutes);
  } finally {
    for (const caller of callers) caller.close();
  }
}

async function doingsOf(context: Context): Promise<Doing[]> {
  const { data, large } = context;
  const bodies = (await sheetOf(context)).map(({ row }) => ({ ...row, key: undefined }));
  const first = await large.ask<{ data: { id: string; tpNo: string }[] }>('GET', '/api/challans?limit=100');
  const tags = [...data.large.tagOfName.values()];
  const made: string[] = [];
  const any = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(Math.random() * list.length)];
    if (one === undefined) throw new Error('There is nothing to choose from');
    return one;
  };
  const read = (share: number, what: string, path: () => string): Doing => ({
    what,
    share,
    call: (caller) => caller.ask('GET', path()),
  });
  const pageNo = (pages: number): number => 1 + Math.floor(Math.random() * pages);
  return [
    read(34, 'a page of the list', () => `/api/challans?limit=20&page=${pageNo(50)}`),
    read(8, 'the unpaid of a tag', () => `/api/challans?limit=20&tagId=${any(tags).id}&paymentStatus=unpaid`),
    read(8, "an owner's challans", () => `/api/challans?limit=20&ownerId=${any(data.large.owners).id}`),
    read(10, 'one challan', () => `/api/challans/${any(first.data).id}`),
    read(8, 'the palette', () => `/api/palette?search=${encodeURIComponent(any(first.data).tpNo)}`),
    read(6, 'the bank statement', () => `/api/challans/bank-report?limit=20&page=${pageNo(10)}`),
    read(4, 'the dashboard', () => '/api/accounting/tag-analytics'),
    read(4, 'owners', () => `/api/owners?limit=20&page=${pageNo(10)}`),
    {
      what: 'a create',
      share: 10,
      call: async (caller) => {
        const answer = await caller.ask<{ data: { id: string } }>('POST', '/api/challans', any(bodies), randomUUID());
        made.push(answer.data.id);
      },
    },
    {
      what: 'a payment',
      share: 8,
      // The oldest that was created: a payment does not always hit the last page.
      call: async (caller) => {
        const id = made.shift();
        if (id !== undefined) await caller.ask('PUT', `/api/challans/${id}`, { paymentStatus: true });
      },
    },
  ];
}

/** Calls begin at their times; how long one took counts from then, also while it waits for a free connection. */
async function run(
  doings: readonly Doing[],
  callers: readonly Caller[],
  forMs: number,
  { server, say }: Context,
): Promise<Found> {
  const found: Found = { took: [], failures: [], memory: [] };
  const each = doings.flatMap((doing) => Array<Doing>(doing.share).fill(doing));
  const free = [...callers];
  const waiting: (() => void)[] = [];
  const begun = performance.now();
  const oneCall = async (doing: Doing, due: number): Promise<void> => {
    let caller = free.pop();
    while (!caller) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      caller = free.pop();
    }
    try {
      await doing.call(caller);
    } catch (error) {
      found.failures.push(error instanceof Error ? error.message : String(error));
    } finally {
      free.push(caller);
      waiting.shift()?.();
    }
    found.took.push({ what: doing.what, at: due - begun, ms: performance.now() - due });
  };
  const calls: Promise<void>[] = [];
  let nextLook = 0;
  for (let n = 0; n < (forMs / 1_000) * callsPerSecond; n += 1) {
    const due = begun + (n / callsPerSecond) * 1_000;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    calls.push(oneCall(each[Math.floor(Math.random() * each.length)]!, due));
    if (due - begun < nextLook) continue;
    found.memory.push({ at: due - begun, bytes: residentBytes(server.pid) });
    if (nextLook % 60_000 === 0) say(`  minute ${nextLook / 60_000}: ${megabytes(residentBytes(server.pid))}`);
    nextLook += lookEachMs;
  }
  await Promise.all(calls);
  return found;
}

function report({ took, failures, memory }: Found, minutes: number): Line[] {
  const percentiles = (of: Found['took']): string => {
    const sorted = of.map((one) => one.ms).toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return [at(0.5), at(0.99), at(1)].map(ms).join(', ');
  };
  const slowSeconds = new Set(
    took
      .filter((one) => one.ms > slowMs)
      .map((one) => Math.floor(one.at / 1_000))
      .toSorted((a, b) => a - b),
  );
  const settled = memory.filter((look) => look.at >= settlingMs);
  const what = `${callsPerSecond} calls a second for ${minutes} min`;
  return [
    {
      what: `${what}: calls that failed`,
      measured: `${failures.length} of ${took.length}`,
      target: '0',
      isMet: failures.length === 0,
      ...(failures[0] !== undefined && { note: failures[0] }),
    },
    {
      what: `${what}: p50, p99, slowest`,
      measured: percentiles(took),
      note: `over ${slowMs} ms: calls of ${slowSeconds.size} of ${minutes * 60} s, first ${[...slowSeconds].slice(0, 8).join(', ')}`,
    },
    ...[...new Set(took.map((one) => one.what))].map((call) => ({
      what: `${what}: ${call}`,
      measured: percentiles(took.filter((one) => one.what === call)),
    })),
    {
      what: `${what}: memory of the server after a minute and at the end`,
      measured: `${megabytes(settled[0]?.bytes ?? 0)}, ${megabytes(settled.at(-1)?.bytes ?? 0)}`,
      note: `${megabytes(slopeOf(settled) * 3_600_000)} an hour, by the line of best fit`,
    },
  ];
}

/** Bytes a millisecond. */
function slopeOf(looks: Found['memory']): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [time, size] = [mean(looks.map((look) => look.at)), mean(looks.map((look) => look.bytes))];
  const spread = looks.reduce((sum, look) => sum + (look.at - time) ** 2, 0);
  return spread === 0 ? 0 : looks.reduce((sum, look) => sum + (look.at - time) * (look.bytes - size), 0) / spread;
}
