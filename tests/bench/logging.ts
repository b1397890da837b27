import { once } from 'node:events';
import type { Context } from './context.ts';
import { Caller, startProgram } from './server.ts';
import type { Line } from './table.ts';
import { cpuNs } from './usage.ts';

const list = '/api/challans?limit=50';
/** Only a few, so that other work on the machine slows both kinds of turn alike. */
const callsATurn = 20;

/**
 * What the normal log adds to a list page in processor time of the server. One process writes the log and does not, in turns.
 * Two processes would differ by more than the log costs, because each has other compiled code and another heap.
 */
export async function measureLogging({ databaseUrl, appUrl, large, isQuick }: Context): Promise<Line[]> {
  const script = ['--import', 'tsx', 'tests/bench/logging-server.ts'];
  const environment = { PORT: '0', DATABASE_URL: appUrl, DATABASE_ADMIN_URL: databaseUrl, LOG_LEVEL: 'info' };
  const { child, ...server } = await startProgram(script, environment);
  const caller = new Caller(server.url);
  caller.shareSession(large);
  /** Nanoseconds for a call while the log is at this level. */
  const turn = async (level: 'info' | 'warn'): Promise<number> => {
    child.send(level);
    await once(child, 'message');
    const before = cpuNs(server.pid);
    for (let call = 0; call < callsATurn; call += 1) await caller.ask('GET', list);
    return (cpuNs(server.pid) - before) / callsATurn;
  };
  try {
    for (let round = 0; round < 40; round += 1) await turn(round % 2 === 0 ? 'info' : 'warn');
    const costs: number[] = [];
    for (let round = 0; round < (isQuick ? 60 : 300); round += 1) {
      // With the log, without, without, with: so that warming up and growing memory slow both alike.
      const [first, ...withoutLog] = [await turn('info'), await turn('warn'), await turn('warn')];
      costs.push((first + (await turn('info'))) / (withoutLog[0]! + withoutLog[1]!) - 1);
    }
    const { middle, doubt } = middleHalf(costs);
    return [
      {
        what: 'the usual log, on the processor of the server for a list page of 50',
        measured: `${percent(middle)} ± ${percent(doubt)}`,
        target: '≤ 3 %',
        isMet: middle <= 0.03,
        note: `${costs.length} rounds of four turns of ${callsATurn} pages`,
      },
    ];
  } finally {
    caller.close();
    await server.stop();
  }
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

/**
 * The mean of the middle half of the values, so that a turn with a garbage collection does not change it, and twice its
 * standard error by the usual formula for a trimmed mean.
 */
function middleHalf(values: readonly number[]): { middle: number; doubt: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  const [lowest, highest] = [sorted[cut]!, sorted[sorted.length - 1 - cut]!];
  const winsorized = sorted.map((value) => Math.min(Math.max(value, lowest), highest));
  const around = mean(winsorized);
  const variance = winsorized.reduce((sum, value) => sum + (value - around) ** 2, 0) / (sorted.length - 1);
  return { middle: mean(sorted.slice(cut, sorted.length - cut)), doubt: 4 * Math.sqrt(variance / sorted.length) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
