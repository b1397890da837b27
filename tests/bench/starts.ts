import { setTimeout as wait } from 'node:timers/promises';
import { median } from './compare.ts';
import type { BenchData } from './data.ts';
import { Caller, startServer } from './server.ts';
import { megabytes, ms, type Line } from './table.ts';
import { residentBytes } from './usage.ts';

/**
 * The time from the start of the program, with its own database and existing data, to its first answer; and its memory at
 * rest.
 */
export async function measureStarts({ dataDir, large }: BenchData): Promise<Line[]> {
  const durations: number[] = [];
  let atRest = 0;
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    const server = await startServer({ DATA_DIR: dataDir });
    const caller = new Caller(server.url);
    try {
      const { status } = await caller.send('GET', '/health/ready');
      durations.push(performance.now() - begun);
      if (status !== 200) throw new Error(`The first answer was ${status}`);
      if (round === 4) {
        await caller.signIn(large.email, large.password);
        for (let call = 0; call < 20; call += 1) await caller.ask('GET', '/api/challans?limit=50');
        await wait(10_000);
        atRest = residentBytes(server.pid);
      }
    } finally {
      caller.close();
      await server.stop();
    }
  }
  const duration = median(durations);
  return [
    {
      what: 'start on existing data to the first answer',
      measured: ms(duration),
      target: '≤ 2 s',
      isMet: duration <= 2_000,
      note: `first ${ms(durations[0] ?? 0)}; median of ${durations.length}`,
    },
    {
      what: 'memory of the server at rest, without the database',
      measured: megabytes(atRest),
      target: '≤ 110 MB',
      isMet: atRest <= 110e6,
      note: 'signed in, 20 list pages, 10 s of rest',
    },
  ];
}
