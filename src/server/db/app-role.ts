import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { OperatorError } from '../operator-error.ts';
import { withClient } from './client.ts';
import { serverKey } from './proof.ts';

/**
 * The database role that requests use (docs/security.md §3.2). The migrations grant rights to this role and to no
 * other.
 */
const appRole = 'challan_app';

/**
 * Gives the app's role of the embedded cluster a new password and returns the URL with which the app connects. The
 * password is not stored: only one program at a time uses the cluster, and each start sets another one.
 */
export async function setAppPassword(admin: Client, url: string): Promise<string> {
  const password = randomBytes(32).toString('base64url');
  const { rows } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [appRole]);
  const change = rows.length === 0 ? 'CREATE' : 'ALTER';
  // A statement about roles takes no parameters. The password is safe to insert, because base64url has no quote.
  await admin.query(`${change} ROLE ${appRole} LOGIN NOINHERIT PASSWORD '${password}'`);
  const opened = new URL(url);
  opened.username = appRole;
  opened.password = password;
  return opened.href;
}

/**
 * Makes the database accept the proofs of processes that connect with `url`. `adminUrl` connects as the owner of the
 * schema.
 */
export async function acceptProofs(adminUrl: string, url: string): Promise<void> {
  await withClient(adminUrl, 'start', (client) =>
    client.query(
      `INSERT INTO server_key (key) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET key = excluded.key
       WHERE server_key.key <> excluded.key`,
      [serverKey(url)],
    ),
  );
}

/** Selects the rights of the signed-in role that would let a statement bypass the policies, in words. */
const excessRights = `
  SELECT session_user AS name, array_remove(ARRAY[
    CASE WHEN r.rolsuper THEN 'is a superuser' END,
    CASE WHEN r.rolbypassrls THEN 'bypasses row-level security' END,
    CASE WHEN r.rolcreaterole THEN 'may create roles' END,
    CASE WHEN r.rolcreatedb THEN 'may create databases' END,
    CASE WHEN r.rolreplication THEN 'may replicate' END,
    CASE WHEN EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid
      AND m.roleid IS DISTINCT FROM to_regrole('${appRole}')) THEN 'is a member of another role' END,
    CASE WHEN EXISTS (SELECT FROM pg_class WHERE relowner = r.oid) OR EXISTS (SELECT FROM pg_proc WHERE proowner = r.oid)
      OR EXISTS (SELECT FROM pg_namespace WHERE nspowner = r.oid)
      OR EXISTS (SELECT FROM pg_database WHERE datdba = r.oid) THEN 'owns objects' END,
    CASE WHEN has_schema_privilege(r.oid, 'public', 'CREATE') THEN 'may create objects' END,
    CASE WHEN has_database_privilege(r.oid, current_database(), 'TEMPORARY') THEN 'may make temporary tables' END,
    CASE WHEN to_regrole('${appRole}') IS NULL OR NOT pg_has_role(r.oid, '${appRole}', 'USAGE')
      THEN 'is not ${appRole}' END
  ], NULL) AS powers
  FROM pg_roles r WHERE r.rolname = session_user`;

/** Refuses to start when the role of requests has more rights than requests need. */
export async function checkAppRole(url: string): Promise<void> {
  await withClient(url, 'start', async (client) => {
    const { rows } = await client.query<{ name: string; powers: string[] }>(excessRights);
    const { name, powers: found } = rows[0] ?? { name: '', powers: ['is unknown'] };
    if (found.length === 0) return;
    throw new OperatorError(
      `DATABASE_URL signs in as ${name}, which ${found.join(', ')}. Requests must work as a role that can do nothing more ` +
        `than they need: sign in there as ${appRole}, and name the owner of the schema in DATABASE_ADMIN_URL ` +
        '(README, "A PostgreSQL server of your own").',
    );
  });
}
