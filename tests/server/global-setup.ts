import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/server/db/embedded.ts';
import { migrate } from '../../src/server/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's own PostgreSQL, as its superuser. */
    serverUrl: string;
  }
}

/** The migrated database that every test's own one is cloned from; nothing may connect to it. */
export const templateName = 'challan_template';

/** One server for the whole run: careless about power cuts, small, gone at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'challan-desk-test-'));
  const database = await startEmbedded({
    dataDir,
    log: (message) => process.stderr.write(`${message}\n`),
    isDurable: false,
    settings: { shared_buffers: '64MB', io_method: 'sync', max_connections: '200', autovacuum: 'off' },
  });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  const template = new URL(database.url);
  template.pathname = `/${templateName}`;
  await migrate(template.href);
  project.provide('serverUrl', database.url);
  return async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
