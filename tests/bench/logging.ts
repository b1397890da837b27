import { compare, cpuOf } from './compare.ts';
import type { Context } from './context.ts';
import { Caller, startServer } from './server.ts';
import { ms, type Line } from './table.ts';

/** What the log of every day costs a list page: a server that writes it beside one that does not, in turns. */
export async function measureLogging({ server, processes, databaseUrl, appUrl, large }: Context): Promise<Line[]> {
  const logging = await startServer({ DATABASE_URL: appUrl, DATABASE_ADMIN_URL: databaseUrl, LOG_LEVEL: 'info' });
  const caller = new Caller(logging.url);
  try {
    caller.shareSession(large);
    const list = '/api/challans?limit=50';
    const { api, sql } = await compare(
      { ...processes, server: logging.pid },
      () => caller.ask('GET', list),
      () => large.ask('GET', list),
      16,
      server.pid,
    );
    const [loud, quiet] = [cpuOf(api), cpuOf(sql)];
    const cost = loud / quiet - 1;
    return [
      {
        what: 'a list page of 50 with the usual log, processor',
        measured: `${ms(loud)}, without ${ms(quiet)}: ${(100 * cost).toFixed(1)} %`,
        target: '≤ 3 %',
        isMet: cost <= 0.03,
      },
    ];
  } finally {
    caller.close();
    await logging.stop();
  }
}
