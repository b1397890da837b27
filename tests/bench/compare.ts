import { cpuNs, databaseCpuNs } from './usage.ts';

export interface Side {
  /** Median time of one run, ms. */
  p50: number;
  /** Milliseconds on a processor a run: in the database, and in the Node process that asked it. */
  databaseCpu: number;
  nodeCpu: number;
}

export interface Comparison {
  api: Side;
  sql: Side;
  runs: number;
}

export interface Processes {
  server: number;
  postmaster: number;
}

type Work = () => Promise<unknown>;

/**
 * The same work through the API and in SQL, in turns, so that what else the machine does meets both. A turn lasts some
 * 250 ms, so that times on the processor can be told. The SQL side is charged with its own client, as the API's with the
 * server: both bring the rows into a Node process.
 */
export async function compare(
  processes: Processes,
  api: Work,
  sql: Work,
  rounds: number = 8,
  sqlPid: number = process.pid,
): Promise<Comparison> {
  const sides = [makeSide(api, processes.server), makeSide(sql, sqlPid)] as const;
  for (const side of sides) await side.warmUp();
  for (let round = 0; round < rounds; round += 1) {
    // Who begins changes as well.
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) await side.turn(processes.postmaster);
  }
  return { api: sides[0].result(), sql: sides[1].result(), runs: sides[0].runs() };
}

function makeSide(work: Work, nodePid: number) {
  const durations: number[] = [];
  let [inTurn, database, node] = [1, 0, 0];
  return {
    async warmUp(): Promise<void> {
      // A named statement settles for its plan after five runs, and the compiler of either process for its code after some
      // hundred: whichever side is measured first must not pay for that alone.
      const started = performance.now();
      for (let run = 0; run < 8 || (run < 600 && performance.now() - started < 1_000); run += 1) await work();
      const begun = performance.now();
      for (let run = 0; run < 3; run += 1) await work();
      inTurn = Math.max(2, Math.min(400, Math.round(250 / ((performance.now() - begun) / 3))));
    },
    async turn(postmaster: number): Promise<void> {
      const before = [databaseCpuNs(postmaster), cpuNs(nodePid)] as const;
      for (let run = 0; run < inTurn; run += 1) {
        const begun = performance.now();
        await work();
        durations.push(performance.now() - begun);
      }
      database += databaseCpuNs(postmaster) - before[0];
      node += cpuNs(nodePid) - before[1];
    },
    runs: () => durations.length,
    result: (): Side => ({
      p50: median(durations),
      databaseCpu: database / durations.length / 1e6,
      nodeCpu: node / durations.length / 1e6,
    }),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const cpuOf = (side: Side): number => side.databaseCpu + side.nodeCpu;
