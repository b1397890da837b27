import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { escapeIdentifier, type Client } from 'pg';
import { OperatorError } from '../server/operator-error.ts';
import { restoreServer, rolesIn, unpackCopy } from './backup-programs.ts';
import { withClient } from '../server/db/client.ts';
import { copyBackup } from './embedded-backup.ts';
import { installCluster } from './embedded-cluster.ts';
import { claimDirectory } from './embedded-owner.ts';
import { replay, type ReplayResult, type ReplayTarget } from './replay.ts';

/**
 * Restores a backup of the embedded database into an empty data directory. An interrupted restore leaves the directory
 * empty. At its next start the database recovers to the moment of the backup. With `until`, the log is replayed further
 * before the cluster is put in place.
 */
export async function restoreEmbedded(
  source: string,
  dataDir: string,
  key: Buffer | null,
  until?: ReplayTarget,
): Promise<ReplayResult | undefined> {
  checkSource(source);
  await mkdir(dataDir, { recursive: true });
  const others = (await readdir(dataDir)).filter((name) => !/^(postgres\.new-|app\.pid)/.test(name));
  if (others.length > 0) {
    throw new OperatorError(`${dataDir} is not empty: a backup is restored into an empty directory only (DATA_DIR).`);
  }
  const release = claimDirectory(dataDir);
  try {
    const isCopy = (await stat(source)).isDirectory();
    let replayed: ReplayResult | undefined;
    await installCluster(dataDir, async (directory) => {
      await (isCopy ? copyBackup(source, directory) : unpackCopy(source, directory, key));
      if (until) replayed = await replay(directory, until, key);
    });
    return replayed;
  } finally {
    release();
  }
}

/**
 * Restores a backup of a server's database into an empty database, all or nothing, with the programs in `folder` or on
 * the PATH.
 */
export async function restoreIntoServer(
  source: string,
  url: string,
  key: Buffer | null,
  folder?: string,
): Promise<void> {
  checkSource(source);
  const roles = await rolesIn(source, key, folder);
  await withClient(url, 'restore', async (client) => {
    const { rows } = await client.query<{ tables: number }>(
      `SELECT count(*)::int AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    if (rows[0]?.tables !== 0) {
      throw new OperatorError('The database is not empty: a backup is restored into an empty one only (DATABASE_URL).');
    }
    for (const role of roles) await ensureRole(client, role);
  });
  await restoreServer(source, url, key, folder);
  await withClient(url, 'restore', async (client) => {
    await client.query('ANALYZE');
    // A backup does not contain the rights on the database itself. A new database lets everybody create temporary
    // tables, so that right is revoked.
    await client.query(`REVOKE TEMPORARY ON DATABASE ${escapeIdentifier(client.database ?? '')} FROM PUBLIC`);
  });
}

function checkSource(source: string): void {
  if (!existsSync(source)) throw new OperatorError(`There is no backup at ${source}.`);
}

/**
 * Creates a role as migration 001 does, without rights of its own. The user who restores must be able to make it the
 * owner of objects.
 */
async function ensureRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean; is_me: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS is_there, current_user = $1 AS is_me`,
    [role],
  );
  if (rows[0]?.is_me) return;
  const name = escapeIdentifier(role);
  if (!rows[0]?.is_there) await client.query(`CREATE ROLE ${name} NOLOGIN NOBYPASSRLS NOINHERIT`);
  const { rows: rights } = await client.query<{ may: boolean }>(
    `SELECT pg_has_role(current_user, $1, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS may`,
    [role],
  );
  if (!rights[0]?.may) await client.query(`GRANT ${name} TO CURRENT_USER`);
}
