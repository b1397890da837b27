import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  callsPerSecond: number;
  /** New calls begin during this time. */
  forMs: number;
  /** After the last call has begun, calls are waited for this long. */
  graceMs: number;
}

export interface PacedCall {
  /** When the call was due, in milliseconds from the start of the run. */
  at: number;
  /** The time from when it was due until its answer, or until it was given up. */
  ms: number;
  failure?: string;
  isGivenUp?: true;
}

/**
 * Begins calls at a fixed rate, whether earlier ones are answered or not. Each call takes a free caller, and its time
 * includes the wait for one. A run always ends: calls that are not answered `graceMs` after the last one began are given up.
 * A call that is running then goes on until its caller is closed.
 */
export async function callAtPace<Caller>(
  { callsPerSecond, forMs, graceMs }: Pace,
  callers: readonly Caller[],
  call: (caller: Caller, n: number) => Promise<unknown>,
  onBegin: (at: number) => void = () => undefined,
): Promise<PacedCall[]> {
  const count = Math.ceil((forMs / 1_000) * callsPerSecond);
  const dueAt = (n: number): number => (n / callsPerSecond) * 1_000;
  const done = new Map<number, PacedCall>();
  const free = [...callers];
  const waiting: ((caller: Caller) => void)[] = [];
  let isOver = false;
  const begun = performance.now();
  const now = (): number => performance.now() - begun;

  const callOnce = async (n: number): Promise<void> => {
    const caller = free.pop() ?? (await new Promise<Caller>((resolve) => waiting.push(resolve)));
    let failure: string | undefined;
    try {
      await call(caller, n);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    if (isOver) return;
    done.set(n, { at: dueAt(n), ms: now() - dueAt(n), ...(failure !== undefined && { failure }) });
    const next = waiting.shift();
    if (next) next(caller);
    else free.push(caller);
  };

  const calls: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    const untilDue = dueAt(n) - now();
    if (untilDue > 0) await wait(untilDue);
    onBegin(dueAt(n));
    calls.push(callOnce(n));
  }
  const answered = new AbortController();
  await Promise.race([
    Promise.all(calls).then(() => answered.abort()),
    wait(graceMs, undefined, { signal: answered.signal }).catch(() => undefined),
  ]);
  isOver = true;
  const ended = now();
  return Array.from({ length: count }, (_, n) => {
    const failure = `Not answered ${graceMs / 1_000} s after the last call began`;
    return done.get(n) ?? { at: dueAt(n), ms: ended - dueAt(n), failure, isGivenUp: true };
  });
}
