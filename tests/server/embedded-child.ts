import { Client } from 'pg';
import { startEmbedded } from '../../src/ops/embedded.ts';
import type { ArchivePlan } from '../../src/ops/log-archive.ts';

/**
 * A small app for the tests of the launcher to run as another user, to interrupt and to kill. Tells `{ url }` when it
 * has started and `{ acknowledged }` for each row the database confirmed; on SIGINT it finishes as the real one does:
 * what is under way, then the connections, then the database.
 */
export interface ChildMessage {
  url?: string;
  error?: string;
  acknowledged?: number;
  finished?: number;
}

const say = (message: ChildMessage) => process.send?.(message);
const options = JSON.parse(process.argv[2] ?? '{}') as {
  dataDir: string;
  native?: string;
  copyInto?: string[];
  isWriting?: boolean;
  archive?: ArchivePlan;
};
const settings = { shared_buffers: '32MB', io_method: 'sync' };

try {
  const database = await startEmbedded({ ...options, settings });
  say({ url: database.url });
  const stopping = new AbortController();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const writing = options.isWriting ? write() : Promise.resolve(0);

  async function write(): Promise<number> {
    await client.query('CREATE TABLE IF NOT EXISTS row (id serial PRIMARY KEY, text text)');
    let done = 0;
    while (!stopping.signal.aborted) {
      const { rows } = await client.query<{ id: number }>(
        "INSERT INTO row (text) VALUES (repeat('x', 500)) RETURNING id",
      );
      done += 1;
      say({ acknowledged: rows[0]?.id ?? 0 });
    }
    return done;
  }

  process.on('SIGINT', () => {
    stopping.abort();
    void writing.then(async (finished) => {
      await client.end();
      await database.stop();
      say({ finished });
      process.disconnect();
    });
  });
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}
