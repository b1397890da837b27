import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type Api } from '../support/api.ts';

/** What is left of PostgreSQL's functions with effects outside a query to the role of requests (docs/security.md §3.2). */
let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** None reaches another transaction or connection. */
const left = [
  'clock_timestamp',
  'gen_random_uuid',
  // Unlocks only what this connection has locked.
  'pg_advisory_unlock_all',
  'pg_advisory_xact_lock',
  'pg_advisory_xact_lock_shared',
  // How far a replica is behind.
  'pg_current_wal_lsn',
  'pg_is_in_recovery',
  'pg_last_wal_replay_lsn',
  // A statement can wait in many other ways, for at most 20 s.
  'pg_sleep',
  'pg_try_advisory_xact_lock',
  'pg_try_advisory_xact_lock_shared',
  // What it sets for the session is undone after the transaction.
  'set_config',
];

it('requests may execute no other function with an effect outside its query', async () => {
  const tenant = await api.addTenant();
  const rows = await api.inTenant(tenant, (db) =>
    db.texts(
      `SELECT DISTINCT proname::text FROM pg_proc WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace
         AND proname NOT LIKE 'pg_stat_get_xact_%'
         AND has_function_privilege(oid, 'EXECUTE') ORDER BY 1`,
      [],
    ),
  );
  expect(rows.map(([name]) => name)).toEqual(left);
});
