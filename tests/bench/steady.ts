import { randomUUID } from 'node:crypto';
import type { Context } from './context.ts';
import { callAtPace, type PacedCall } from './paced.ts';
import { Caller } from './server.ts';
import { sheetOf } from './sheet.ts';
import { megabytes, ms, type Line } from './table.ts';
import { residentBytes } from './usage.ts';

const callsPerSecond = 200;
const connections = 16;
/** In this time memory still grows for compiled code, plans and caches. */
const settlingMs = 60_000;
const sampleEveryMs = 5_000;
/** On a machine that is too slow, calls queue up. They are waited for this long after the last one has begun. */
const graceMs = 60_000;
/**
 * A user notices a longer wait. The report says in how many seconds there were such calls: they may be spread, or come
 * together.
 */
const slowMs = 250;

/** A kind of call that the accountants of a large business make. `share` is how many of a hundred calls are of this kind. */
interface CallKind {
  what: string;
  share: number;
  call: (caller: Caller) => Promise<unknown>;
}

interface Found {
  took: (PacedCall & { what: string })[];
  memory: { at: number; bytes: number }[];
}

/** Makes the calls of a working day for some minutes: 200 a second, whether earlier ones are answered or not (paced.ts). */
export async function measureSteady(context: Context, minutes: number): Promise<Line[]> {
  const callers = Array.from({ length: connections }, () => new Caller(context.server.url));
  try {
    for (const caller of callers) caller.shareSession(context.large);
    const found = await run(await callKindsOf(context), callers, minutes * 60_000, context);
    return report(found, minutes);
  } finally {
    for (const caller of callers) caller.close();
  }
}

async function callKindsOf(context: Context): Promise<CallKind[]> {
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
  const read = (share: number, what: string, path: () => string): CallKind => ({
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
    read(4, 'the bank statement', () => `/api/challans/bank-report/owners?limit=20&page=${pageNo(10)}`),
    read(2, 'its challans', () => `/api/challans/bank-report?limit=20&page=${pageNo(10)}`),
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
      // Pays the oldest of the created challans, so that a payment does not always change the last page.
      call: async (caller) => {
        const id = made.shift();
        if (id !== undefined) await caller.ask('PUT', `/api/challans/${id}`, { paymentStatus: true });
      },
    },
  ];
}

/** Makes calls of all kinds by their shares in a random order, and reads the server's memory from time to time. */
async function run(
  callKinds: readonly CallKind[],
  callers: readonly Caller[],
  forMs: number,
  { server, say }: Context,
): Promise<Found> {
  const memory: Found['memory'] = [];
  const each = callKinds.flatMap((kind) => Array<CallKind>(kind.share).fill(kind));
  const begun: CallKind[] = [];
  let nextSampleAt = 0;
  const calls = await callAtPace(
    { callsPerSecond, forMs, graceMs },
    callers,
    (caller, n) => begun[n]!.call(caller),
    (at) => {
      begun.push(each[Math.floor(Math.random() * each.length)]!);
      if (at < nextSampleAt) return;
      memory.push({ at, bytes: residentBytes(server.pid) });
      if (nextSampleAt % 60_000 === 0)
        say(`  minute ${nextSampleAt / 60_000}: ${megabytes(residentBytes(server.pid))}`);
      nextSampleAt += sampleEveryMs;
    },
  );
  return { took: calls.map((call, n) => ({ ...call, what: begun[n]!.what })), memory };
}

function report({ took, memory }: Found, minutes: number): Line[] {
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
  const settled = memory.filter((sample) => sample.at >= settlingMs);
  const [first, last] = [settled[0], settled.at(-1)];
  const failures = took.filter((one) => one.failure !== undefined);
  const givenUp = failures.filter((one) => one.isGivenUp);
  const shown = failures.find((one) => !one.isGivenUp) ?? givenUp[0];
  const what = `${callsPerSecond} calls a second for ${minutes} min`;
  return [
    {
      what: `${what}: calls that failed, and calls not answered ${graceMs / 1_000} s after the end`,
      measured: `${failures.length - givenUp.length} and ${givenUp.length} of ${took.length}`,
      target: '0',
      isMet: failures.length === 0,
      ...(shown?.failure !== undefined && { note: shown.failure }),
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
      ...(first && last
        ? {
            measured: `${megabytes(first.bytes)}, ${megabytes(last.bytes)}`,
            note: `${megabytes(slopeOf(settled) * 3_600_000)} an hour, by the line of best fit`,
          }
        : { measured: 'not measured: the run was too short' }),
    },
  ];
}

/** How fast the memory grows, in bytes a millisecond (least squares). */
function slopeOf(samples: Found['memory']): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [time, size] = [mean(samples.map((sample) => sample.at)), mean(samples.map((sample) => sample.bytes))];
  const spread = samples.reduce((sum, sample) => sum + (sample.at - time) ** 2, 0);
  return spread === 0
    ? 0
    : samples.reduce((sum, sample) => sum + (sample.at - time) * (sample.bytes - size), 0) / spread;
}
