import { challanColumns } from '../../src/shared/columns/challan-columns.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { Caller, startProgram } from './server.ts';
import { rate } from './singles.ts';
import { times, type Line } from './table.ts';

/** The fields of the columns that the challan list has where nobody has chosen others. */
export const usualFields = challanColumns
  .filter(({ isOffered }) => !isOffered)
  .map(({ key }) => key)
  .join();

const connections = 16;
const rounds = 3;
/** 1,500 pages a second on the machine on which the bare handler sent 3,454. */
const wantedShare = 1_500 / 3_454;

/**
 * How many pages of the list a second over 16 connections, beside a bare handler that sends eight columns. The handlers take
 * turns, so that what else the machine does meets all of them.
 */
export async function measureRates({ data, server, large, databaseUrl, isQuick }: Context): Promise<Line[]> {
  const bare = await startProgram(['--import', 'tsx', 'tests/bench/bare-server.ts', data.large.id, databaseUrl]);
  const sides = [
    { what: 'a bare handler of eight columns', url: bare.url, path: '/short' },
    { what: 'a bare handler of all columns', url: bare.url, path: '/' },
    { what: 'the list page', url: server.url, path: '/api/challans?limit=50' },
    {
      what: 'the list page, fields of the usual columns',
      url: server.url,
      path: `/api/challans?limit=50&fields=${usualFields}`,
    },
  ].map((side) => ({ ...side, rates: [] as number[], bytes: 0 }));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const side of sides) {
        const callers = Array.from({ length: connections }, () => new Caller(side.url));
        for (const caller of callers) caller.shareSession(large);
        const calls = callers.map((caller) => async () => {
          side.bytes = (await caller.send('GET', side.path)).text.length;
        });
        await rate(calls, 400);
        side.rates.push(await rate(calls, isQuick ? 800 : 3_000));
        for (const caller of callers) caller.close();
      }
    }
  } finally {
    await bare.stop();
  }
  const [short] = sides;
  return sides.map(({ what, rates, bytes, url }) => {
    const share = median(rates) / median(short?.rates ?? []);
    const isOurs = url === server.url;
    return {
      what: `${what}, ${connections} connections, ${Math.round(bytes / 1_000)} kB`,
      measured: `${Math.round(median(rates))} a second`,
      ratio: times(share),
      note: 'beside the bare handler of eight columns',
      ...(isOurs && { target: `≥ ${times(wantedShare)}`, isMet: share >= wantedShare }),
    };
  });
}
