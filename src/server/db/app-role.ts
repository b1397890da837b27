import { randomBytes } from 'node:crypto';
import { escapeIdentifier, type Client } from 'pg';
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
  // A role may change its own settings for all later connections, and so may a statement that was smuggled in.
  await admin.query(`ALTER ROLE ${appRole} RESET ALL`);
  await admin.query(`ALTER ROLE ${appRole} IN DATABASE ${escapeIdentifier(admin.database ?? '')} RESET ALL`);
  const opened = new URL(url);
  opened.username = appRole;
  opened.password = password;
  return opened.href;
}

/**
 * Makes the database accept the proofs of processes that connect with `url`, and takes from the role what requests do not need.
 * `adminUrl` connects as the owner of the schema.
 */
export async function prepareAppRole(adminUrl: string, url: string): Promise<void> {
  await withClient(adminUrl, 'start', async (client) => {
    await client.query(
      `INSERT INTO server_key (key) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET key = excluded.key
       WHERE server_key.key <> excluded.key`,
      [serverKey(url)],
    );
    await client.query(withholdFunctions);
  });
}

/**
 * The functions of PostgreSQL with effects outside a query that requests use. The role may execute no other one
 * (tests/server/db/withheld-functions.test.ts lists what is left), but for the counts of its own transaction, which touch nothing.
 */
const neededFunctions = [
  'clock_timestamp',
  'gen_random_uuid',
  'pg_advisory_unlock_all',
  'pg_advisory_xact_lock',
  'pg_advisory_xact_lock_shared',
  'pg_try_advisory_xact_lock',
  'pg_try_advisory_xact_lock_shared',
  'pg_current_wal_lsn',
  'pg_is_in_recovery',
  'pg_last_wal_replay_lsn',
  'pg_sleep',
  'set_config',
];

/** Functions without such effects that show what other connections do, or the statements that are prepared on this one. */
const tellingFunctions = ['pg_stat_get_activity', 'pg_stat_get_backend_activity', 'pg_prepared_statement', 'pg_cursor'];

/**
 * Takes from everybody but superusers the functions that requests do not need: those that end other connections, lock across
 * transactions, write large objects, send messages, or show the statements of others. So no statement of the app can call them.
 * Only a superuser may take them; elsewhere docs/security.md §3.2 says what is left. After the first start nothing is to be done.
 */
const withholdFunctions = `
  DO $$
  DECLARE
    f record;
  BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN RETURN; END IF;
    -- Two servers that start at once would change the same rows.
    PERFORM pg_advisory_xact_lock(hashtextextended('withhold functions', 0));
    FOR f IN
      SELECT p.oid::regprocedure AS signature, p.proname = ANY ('{${tellingFunctions.join(',')}}') AS tells FROM pg_proc p
      WHERE p.pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege('${appRole}', p.oid, 'EXECUTE')
        AND (p.proname = ANY ('{${tellingFunctions.join(',')}}')
          OR p.provolatile = 'v' AND p.proname NOT LIKE 'pg_stat_get_xact_%' AND p.proname <> ALL ('{${neededFunctions.join(',')}}'))
    LOOP
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f.signature);
      -- What watches the database by this role still sees what runs.
      IF f.tells THEN EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', f.signature); END IF;
    END LOOP;
  END
  $$`;

/**
 * Settings that an operator may give the role: where it logs, how much memory a statement may take, and those that a pooler in
 * session mode needs (docs/running.md §3).
 */
const allowedSettings =
  '^(log_|auto_explain\\.|pg_stat_statements\\.|track_|(work_mem|temp_file_limit|idle_session_timeout|jit|timezone' +
  '|statement_timeout|lock_timeout|idle_in_transaction_session_timeout)=)';

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
    CASE WHEN EXISTS (SELECT FROM pg_db_role_setting s, unnest(s.setconfig) AS one
      WHERE s.setrole = r.oid AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
        AND one !~* '${allowedSettings}') THEN 'has settings of its own (ALTER ROLE … RESET ALL removes them)' END,
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
        '(docs/running.md §3).',
    );
  });
}
