import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  callsPerSecond: number;
  /** Calls begin for so long. */
  forMs: number;
  /** What has queued up by then has so long to be answered. */
  graceMs: number;
}

export interface PacedCall {
  /** When it was to begin, from the start of the run. */
  at: number;
  /** From then until its answer, or until it was given up. */
  ms: number;
  failure?: string;
  isGivenUp?: true;
}

/**
 * Calls that begin at their times whether the ones before are answered or not, each over a caller that is free; how long one
 * took includes its wait for such a caller. A run always ends: calls that are not answered `graceMs` after the last one
 * began are given up. One that is under way then goes on until its caller is closed.
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
    const early = dueAt(n) - now();
    if (early > 0) await wait(early);
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
