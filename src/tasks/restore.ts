import { dirname, join, resolve } from 'node:path';
import { inIndia, momentOf } from '../shared/calc/dates.ts';
import { checkDatabase, secondsSince } from '../ops/check-database.ts';
import { readKey } from '../ops/backup-cipher.ts';
import { startEmbedded } from '../ops/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { restoreEmbedded, restoreIntoServer } from '../ops/restore.ts';
import { readEnv, type Env } from '../server/env.ts';
import { OperatorError } from '../server/operator-error.ts';
import { runCommand, say } from './run.ts';

/**
 * npm run restore -- <backup>: restores a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL, and
 * checks it there. With --until it also replays the archived log of the embedded database, to a moment or to its end. After
 * an interruption just run it again.
 */
await runCommand(async () => restore(readArguments(), readEnv()));

interface Wanted {
  source: string;
  moment: Date | 'latest' | undefined;
}

function readArguments(): Wanted {
  const usage = 'Usage: npm run restore -- <backup> [--until <moment> | --until latest], with an empty DATA_DIR.';
  const [source, ...rest] = process.argv.slice(2);
  if (source === undefined || source.startsWith('-')) throw new OperatorError(usage);
  if (rest.length === 0) return { source: resolve(source), moment: undefined };
  const [name, until, ...more] = rest;
  if (name !== '--until' || until === undefined || more.length > 0) throw new OperatorError(usage);
  const moment = until === 'latest' ? until : momentOf(until);
  if (moment === null) {
    throw new OperatorError(
      `--until is no moment: write it as '2026-11-23 09:14:00+05:30' (without an offset it is a time in India), or latest.`,
    );
  }
  return { source: resolve(source), moment };
}

async function restore({ source, moment }: Wanted, { dataDir, backups, ...env }: Env): Promise<boolean> {
  const begun = performance.now();
  const key = backups?.keyFile === undefined ? null : await readKey(backups.keyFile);
  const own = resolve(dataDir);
  const databaseUrl = env.databaseAdminUrl ?? env.databaseUrl;
  if (databaseUrl !== undefined && moment !== undefined) {
    throw new OperatorError('--until is for the embedded database: a server replays its own log (docs/running.md).');
  }
  const directory = resolve(backups?.walDirectory ?? join(dirname(source), 'wal'));
  const replayed =
    databaseUrl === undefined
      ? await restoreEmbedded(source, own, key, moment && { moment, directory })
      : await restoreIntoServer(source, databaseUrl, key);
  // No archive yet: the next start of the app begins to archive the log, as a new series.
  const started = databaseUrl === undefined ? await startEmbedded({ dataDir: own, log: say }) : undefined;
  try {
    const url = databaseUrl ?? started?.url ?? '';
    await migrate(url);
    say(`Restored ${source} to ${databaseUrl === undefined ? own : 'the database'} in ${secondsSince(begun)}.`);
    if (moment !== undefined) say(replayedLine(moment, replayed?.lastChange ?? null));
    const { isGood, summary } = await checkDatabase(url, say);
    say(`${summary}.`);
    return isGood;
  } finally {
    await started?.stop();
  }
}

function replayedLine(moment: Date | 'latest', lastChange: Date | null): string {
  const to = moment === 'latest' ? 'to the end of the log' : `to ${inIndia(moment)}`;
  const last = lastChange === null ? 'no change is in the log' : `the last change is of ${inIndia(lastChange, 'ms')}`;
  return `Replayed ${to}: ${last}.`;
}
