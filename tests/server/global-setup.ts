import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { prepareAppRole } from '../../src/server/db/app-role.ts';
import { startEmbedded } from '../../src/ops/embedded.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { projectRoot } from '../../src/tasks/run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's own PostgreSQL, as its superuser; empty where there is none. */
    serverUrl: string;
    /**
     * The folder of the programs that tests start, built: from the sources, through tsx, each start takes four times as long.
     * Empty where no test starts one.
     */
    programs: string;
  }
}

/** The migrated database that every test's own one is cloned from; nothing may connect to it. */
export const templateName = 'challan_template';

/** Of the role that requests work as, in the run's own PostgreSQL. */
export const appPassword = 'requests';

/** Careless about power cuts, and small. */
export const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '200',
  autovacuum: 'off',
};

/** One server for the whole run, gone at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'challan-desk-test-'));
  const database = await startEmbedded({
    dataDir,
    log: (message) => process.stderr.write(`${message}\n`),
    isDurable: false,
    settings: { ...testSettings, io_method: 'sync' },
  });
  await makeTemplate(database.url);
  project.provide('serverUrl', database.url);
  const built = await buildPrograms();
  project.provide('programs', built);
  return async () => {
    await database.stop();
    for (const directory of [dataDir, built]) await rm(directory, { recursive: true, force: true });
  };
}

/** As build-app.ts builds it, in the project, where it finds its packages. */
async function buildPrograms(): Promise<string> {
  const workshop = join(projectRoot, '.tmp');
  await mkdir(workshop, { recursive: true });
  const outDir = await mkdtemp(join(workshop, 'programs-'));
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: {
          'spreadsheet-child': join(projectRoot, 'src/server/files/spreadsheet/spreadsheet-child.ts'),
          'server-child': join(import.meta.dirname, 'support/server-child.ts'),
          'embedded-child': join(import.meta.dirname, 'embedded-child.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  // Other users run them too.
  await chmod(outDir, 0o755);
  return outDir;
}

export async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  const template = new URL(serverUrl);
  template.pathname = `/${templateName}`;
  await migrate(template.href);
  const app = new URL(template);
  app.password = appPassword;
  await prepareAppRole(template.href, app.href);
  await client.query(`ALTER ROLE challan_app LOGIN PASSWORD '${appPassword}'`);
  await client.end();
}
