import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServer } from '../../src/server/start.ts';

export interface Stand {
  /** Where the built app is served. */
  appUrl: string;
  /** Its database, as the owner of the schema. */
  databaseUrl: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker: what one flow counts, another must not add to meanwhile. */
    stands: Stand[];
  }
}

const webRoot = path.resolve(import.meta.dirname, '../../dist/web');

/** The built web app on the real server and a database of its own, once for each worker, for all whole flows of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(path.join(webRoot, 'index.html'))) {
    throw new Error('The whole flows run on the built web app: run `npm run build` first');
  }
  const opened = await Promise.all(Array.from({ length: project.config.maxWorkers }, openStand));
  project.provide(
    'stands',
    opened.map(({ stand }) => stand),
  );
  return async () => {
    await Promise.all(opened.map(({ close }) => close()));
  };
}

async function openStand(): Promise<{ stand: Stand; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'challan-desk-e2e-'));
  const server = await startServer({
    env: { port: 0, host: '127.0.0.1', dataDir, logLevel: 'warn', nodeEnv: 'test' },
    webRoot,
    // Several of these and their browsers share one machine.
    limits: { lagMs: Infinity },
    say: () => undefined,
  });
  return {
    stand: { appUrl: server.url, databaseUrl: server.databaseUrl },
    close: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
