import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServer } from '../../src/ops/embedded-process.ts';
import { findOlderPostgres } from '../../src/tasks/postgres.ts';
import { makeTemplate, testSettings } from './global-setup.ts';
import { makeOlderCluster } from './support/older-cluster.ts';

/**
 * The oldest PostgreSQL of this machine instead of the embedded one, for the same tests. It is started as the embedded one
 * is, so that it ends with the run, and made as a distribution would make it: with the C library's collation.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('programs', '');
  const programs = findOlderPostgres();
  if (programs === undefined) {
    project.provide('serverUrl', '');
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'challan-desk-older-'));
  const [cluster, passwordFile] = [join(directory, 'cluster'), join(directory, 'password')];
  await chmod(directory, 0o755);
  const { password, user } = await makeOlderCluster(programs, cluster, passwordFile);
  const binaries = { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres'), env: {} };
  const server = await startServer({
    cluster,
    logFile: join(directory, 'log'),
    binaries,
    user,
    settings: testSettings,
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`;
  await makeTemplate(url);
  project.provide('serverUrl', url);
  return async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
