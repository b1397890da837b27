import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServer } from '../../src/server/db/embedded-process.ts';
import { chooseUser } from '../../src/server/db/embedded-user.ts';
import { findOlderPostgres } from '../../src/tasks/postgres.ts';
import { makeTemplate, testSettings } from './global-setup.ts';

/**
 * The oldest PostgreSQL of this machine instead of the embedded one, for the same tests. It is started as the embedded one
 * is, so that it ends with the run, and made as a distribution would make it: with the C library's collation.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const programs = findOlderPostgres();
  if (programs === undefined) {
    project.provide('serverUrl', '');
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'challan-desk-older-'));
  const [cluster, passwordFile] = [join(directory, 'cluster'), join(directory, 'password')];
  const password = randomBytes(16).toString('hex');
  const user = chooseUser(directory)?.server ?? null;
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user !== null) for (const path of [cluster, passwordFile]) await chown(path, user.uid, user.gid);
  await chmod(directory, 0o755);
  const binaries = { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres'), env: {} };
  execFileSync(
    binaries.initdb,
    [
      `--pgdata=${cluster}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--auth=scram-sha-256',
      '--no-sync',
    ],
    { cwd: cluster, stdio: ['ignore', 'ignore', 'inherit'], ...user },
  );
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
