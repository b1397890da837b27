import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseUser, type RunAs } from '../../../src/ops/embedded-user.ts';

/** A cluster as a distribution of an older PostgreSQL would make it: with the C library's collation. */
export async function makeOlderCluster(
  programs: string,
  cluster: string,
  passwordFile: string,
): Promise<{ password: string; user: RunAs | null }> {
  const password = randomBytes(16).toString('hex');
  const user = chooseUser(cluster)?.server ?? null;
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user !== null) for (const path of [cluster, passwordFile]) await chown(path, user.uid, user.gid);
  execFileSync(
    join(programs, 'initdb'),
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
  return { password, user };
}
