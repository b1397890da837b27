import { cpuNs, databaseCpuNs } from './usage.ts';

export interface Side {
  /** Median time of one run, ms. */
  p50: number;
  /** Processor time of one run, ms: in the database, and in the Node process that called it. */
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
 * Does the same work through the API and in SQL, in turns, so that other work on the machine slows both alike. A turn lasts
 * about 250 ms, because processor time cannot be measured over a shorter time. The API counts the processor time of the
 * server, and SQL that of its client in Node, because both bring the rows into a Node process. `mostRuns`: each side uses something
 * up, of which there is so much.
 */
export async function compare(
  processes: Processes,
  api: Work,
  sql: Work,
  rounds: number = 8,
  sqlPid: number = process.pid,
  mostRuns: number = Infinity,
): Promise<Comparison> {
  // A third of them warm up.
  const [mostWarm, mostInTurn] = [mostRuns / 3 - 3, Math.floor(mostRuns / 3 / rounds) * 2];
  if (mostInTurn < 2) throw new Error(`There is not enough to measure: ${mostRuns}`);
  const sides = [
    makeSide(api, processes.server, mostWarm, mostInTurn),
    makeSide(sql, sqlPid, mostWarm, mostInTurn),
  ] as const;
  for (const side of sides) await side.warmUp();
  for (let round = 0; round < rounds; round += 1) {
    // The side that begins changes each round.
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) await side.turn(processes.postmaster);
  }
  return { api: sides[0].result(), sql: sides[1].result(), runs: sides[0].runs() };
}

function makeSide(work: Work, nodePid: number, mostWarm: number, mostInTurn: number) {
  const durations: number[] = [];
  let [runsPerTurn, database, node] = [1, 0, 0];
  return {
    async warmUp(): Promise<void> {
      // PostgreSQL chooses the plan of a named statement after five runs, and Node compiles its code after some hundred. The
      // measurement begins after that.
      const started = performance.now();
      for (let run = 0; run < Math.min(mostWarm, 600) && (run < 8 || performance.now() - started < 1_000); run += 1)
        await work();
      const begun = performance.now();
      for (let run = 0; run < 3; run += 1) await work();
      runsPerTurn = Math.max(2, Math.min(400, mostInTurn, Math.round(250 / ((performance.now() - begun) / 3))));
    },
    async turn(postmaster: number): Promise<void> {
      const before = [databaseCpuNs(postmaster), cpuNs(nodePid)] as const;
      for (let run = 0; run < runsPerTurn; run += 1) {
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
