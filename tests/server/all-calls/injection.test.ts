import { createHash } from 'node:crypto';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAppRole } from '../../../src/server/db/app-role.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { withTenant, type TenantDb } from '../../../src/server/db/tenant.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api } from '../support/api.ts';
import { insertChallans } from '../support/ledger.ts';
import { buildScene, type Scene } from '../support/scene.ts';
import { asSchemaOwner } from '../support/tables.ts';

/**
 * What somebody could reach who had smuggled statements of any kind into a tenant's transaction: nothing but this tenant's
 * rows and what every business may see of the others (docs/security.md §3.2).
 */
let api: Api;
let own: Scene;
let other: Scene;
let hashOfOther: string;

beforeAll(async () => {
  api = await startApi();
  [own, other] = [await buildScene(api, 'KOEL'), await buildScene(api, 'MAYUR')];
  hashOfOther = createHash('sha256').update(other.tenant.token).digest('hex');
  for (const { tenant, refs } of [own, other]) {
    await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: refs.ownerId }, 1));
  }
});
afterAll(() => api.close());

const injected = <T extends object>(...statements: string[]): Promise<T[]> =>
  api.inTenant(own.tenant, async (db) => {
    let rows: T[] = [];
    for (const statement of statements) rows = (await db.query<T>(statement)).rows;
    return rows;
  });

/** The SQLSTATE of the refusal, or what was done. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof DatabaseError ? error.code : String(error)));

const denied = '42501';

describe('a statement smuggled into a tenant’s transaction', () => {
  it('finds the rows of its own tenant, so that the tests below can fail', async () => {
    expect(await injected('SELECT DISTINCT subadmin_id AS id FROM challans')).toEqual([{ id: own.tenant.id }]);
  });

  it.each([
    ['the superuser, by a setting', "SELECT set_config('role', 'postgres', true)"],
    ['the superuser, by SET ROLE', 'SET ROLE postgres'],
    ['the superuser, by SET SESSION AUTHORIZATION', 'SET SESSION AUTHORIZATION postgres'],
    ['the owner of the functions', 'SET ROLE challan_definer'],
    ['a role of PostgreSQL', 'SET ROLE pg_read_all_data'],
    ['a file', "SELECT pg_read_file('PG_VERSION')"],
    ['a directory', "SELECT pg_ls_dir('.')"],
    ['a file, by COPY', "COPY tags FROM '/etc/passwd'"],
    ['a program', "COPY tags FROM PROGRAM 'id'"],
    ['a program, written to', "COPY (SELECT 1) TO PROGRAM 'cat'"],
    ['a file as a large object', "SELECT lo_import('/etc/passwd')"],
    ['a file to be written', "SELECT lo_export(1, '/tmp/x')"],
    ['another server', 'CREATE EXTENSION dblink'],
    ['files as tables', 'CREATE EXTENSION file_fdw'],
    ['a library', "LOAD '/tmp/x.so'"],
    ['a function of its own', "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    ['a temporary function', "CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE sql AS 'SELECT 1'"],
    ['a temporary table before the real one', 'CREATE TEMP TABLE owners (id uuid)'],
    ['a table', 'CREATE TABLE mine (id int)'],
    ['a schema', 'CREATE SCHEMA mine'],
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON tags EXECUTE FUNCTION refuse_change()'],
    ['the policies', 'ALTER TABLE challans DISABLE ROW LEVEL SECURITY'],
    ['the policies, by a setting', 'SET LOCAL row_security = off; SELECT FROM challans'],
    ['the triggers', "SET session_replication_role = 'replica'"],
    [
      'another current_tenant',
      "CREATE OR REPLACE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'",
    ],
    ['passwords of roles', 'SELECT rolpassword FROM pg_authid'],
    ['its own role', 'ALTER ROLE challan_app SUPERUSER'],
    ['what statistics show of the data', 'SELECT * FROM pg_statistic'],
    ['a DO block that changes the role', "DO $$ BEGIN EXECUTE 'SET ROLE postgres'; END $$"],
    ['what others ask', 'SELECT query FROM pg_stat_activity'],
    ['what others ask, by the function behind it', 'SELECT query FROM pg_stat_get_activity(NULL)'],
    ['the names of the statements of the server', 'SELECT name FROM pg_prepared_statements'],
    ['the end of another connection', 'SELECT pg_terminate_backend(pg_backend_pid())'],
    ['the statement of another connection', 'SELECT pg_cancel_backend(pg_backend_pid())'],
    ['a lock beyond its transaction', 'SELECT pg_advisory_lock(1)'],
    ['a large object', 'SELECT lo_create(0)'],
    ['a message', "SELECT pg_notify('a', 'b')"],
    ['a text in the log of the database', "SELECT pg_logical_emit_message(false, 'a', 'b')"],
    ['the key of the proofs', 'SELECT key FROM server_key'],
    ['a proof for no tenant', "SELECT is_proven('')"],
    ['the hashes of passwords', 'SELECT password_hash FROM accounts'],
    ['the hashes of tokens', 'SELECT token_hash FROM sessions'],
    ['the role of an account', "UPDATE accounts SET role = 'admin'"],
    ['an account of its own', "INSERT INTO accounts (email, password_hash) VALUES ('x@y.z', 'x')"],
    ['an admin', "SELECT make_first_admin('x@y.z', 'x')", [{ make_first_admin: false }]],
  ])('does not reach %s', async (_, statement, done: unknown = denied) => {
    expect(await outcomeOf(injected(statement))).toEqual(done);
    // Nor after a statement that failed, or a role that was given back.
    expect(await injected('RESET ROLE', 'SELECT DISTINCT subadmin_id AS id FROM challans')).toEqual([
      { id: own.tenant.id },
    ]);
  });

  it.each([
    ['SET LOCAL', (id: string) => [`SET LOCAL app.tenant = '${id}'`]],
    ['set_config', (id: string) => [`SELECT set_config('app.tenant', '${id}', true)`]],
    ['a session’s setting', (id: string) => [`SET app.tenant = '${id}'`]],
    ['its own proof', (id: string) => [`SET LOCAL app.tenant = '${id}'`, `SET LOCAL app.proof = 'x'`]],
    ['no tenant', () => [`SET LOCAL app.tenant = ''`]],
    ['nothing', () => ['RESET app.tenant', 'RESET app.proof']],
  ])('is nobody after naming another tenant by %s', async (_, statements) => {
    const first = statements(other.tenant.id);
    expect(await injected(...first, 'SELECT current_tenant() AS tenant, is_global()')).toEqual([
      { tenant: null, is_global: false },
    ]);
    for (const table of ['challans', 'owners', 'payment_lines', 'history', 'sessions']) {
      expect(await injected(...first, `SELECT FROM ${table}`)).toEqual([]);
    }
    const written = injected(
      ...first,
      `INSERT INTO tags (subadmin_id, name) VALUES ('${other.tenant.id}', 'Injected')`,
    );
    expect(await outcomeOf(written)).toBe(denied);
  });

  it('leaves no tenant behind on the connection, also by a setting of the session', async () => {
    await injected(`SET SESSION app.tenant = '${other.tenant.id}'`);
    for (let n = 0; n < 12; n += 1) {
      expect(await injected('SELECT DISTINCT subadmin_id AS id FROM challans')).toEqual([{ id: own.tenant.id }]);
    }
  });

  it('sees no session, count of sign-ins, network or check of others, and changes no account or setting', async () => {
    await asSchemaOwner(api, (client) => client.query("INSERT INTO upkeep (kind) VALUES ('check')"));
    const ofSecondSteps = ['second_steps', 'recovery_codes', 'code_waits', 'account_devices'];
    await asSchemaOwner(api, (client) =>
      client.query(
        `WITH step AS (INSERT INTO second_steps (account_id, sealed_secret) VALUES ($1, '\\x00') RETURNING account_id),
           waits AS (INSERT INTO code_waits (token_hash, account_id, session_epoch) VALUES ('\\x00', $1, 1))
         INSERT INTO account_devices (account_id, device, name, network) VALUES ($1, 'd', 'n', '::1')`,
        [other.tenant.id],
      ),
    );
    for (const table of ['sessions', 'login_failures', 'account_networks', 'sign_ins', 'upkeep', ...ofSecondSteps]) {
      expect([table, await injected(`SELECT FROM ${table}`)]).toEqual([table, []]);
    }
    const changes = [
      `UPDATE accounts SET password_hash = 'x', session_epoch = 0 RETURNING id`,
      'UPDATE settings SET copies_per_day = 10000 RETURNING version',
      'DELETE FROM sessions RETURNING id',
      'UPDATE sessions SET session_epoch = 1 RETURNING id',
      'UPDATE sessions SET confirmed_at = now(), must_set_up = false RETURNING id',
      'DELETE FROM second_steps RETURNING account_id',
      'UPDATE accounts SET demands_second_step = false RETURNING id',
    ];
    for (const text of changes) expect([text, await injected(text)]).toEqual([text, []]);
    const opened = `INSERT INTO sessions (token_hash, account_id, session_epoch, expires_at)
      VALUES ('\\x00', '${other.tenant.id}', 1, now() + interval '1 hour')`;
    expect(await outcomeOf(injected(opened))).toBe(denied);
  });

  it('gets nothing from the functions that look past the policies with the id of another', async () => {
    const id = other.tenant.id;
    const asks = [
      `SELECT * FROM account_history('${id}', 100, 0)`,
      `SELECT * FROM live_session('\\x00')`,
      `SELECT * FROM shared_report_by_token('\\x00')`,
      `SELECT * FROM owner_page_by_token('\\x00', 1, 9)`,
      `SELECT id FROM search_challans_by_tp('') s WHERE id NOT IN (SELECT id FROM challans)`,
      `SELECT id FROM owners_with('') s WHERE id NOT IN (SELECT id FROM owners)`,
      `SELECT id FROM owners_with('', true) s WHERE id NOT IN (SELECT id FROM owners)`,
      `SELECT id FROM trucks_with('0') s WHERE id NOT IN (SELECT id FROM trucks)`,
      `SELECT * FROM owner_to_copy('${own.refs.ownerId}')`,
    ];
    for (const text of asks) expect([text, await injected(text)]).toEqual([text, []]);
    expect(await injected(`SELECT password_hash_of('${id}') AS hash, count_account_history('${id}')`)).toEqual([
      { hash: null, count_account_history: 0 },
    ]);
    const lines = () =>
      asSchemaOwner(api, async (client) =>
        Number((await client.query<{ n: string }>('SELECT count(*) AS n FROM history')).rows[0]?.n),
      );
    const before = await lines();
    await injected(`SELECT record_account_change('${id}', '${id}', 'forged', '', '{}')`);
    await injected(`SELECT record_copied_from('${id}', '${other.refs.ownerId}')`);
    expect(await lines()).toBe(before);
  });

  it('gets the account number of another’s owner by copying alone, within the day’s allowance', async () => {
    const columns = await injected<object>(`SELECT * FROM owner_to_copy('${other.refs.ownerId}')`);
    expect(columns.map(Object.keys)).toEqual([['id', 'subadmin_id', 'name', 'in_your_list']]);
    await asSchemaOwner(api, (client) => client.query('UPDATE settings SET copies_per_day = 1'));
    await injected(`SELECT copy_owner('${other.refs.ownerId}')`, `SELECT copy_owner('${other.refs.ownerId}')`);
    const copied = 'SELECT copied_from_id AS id FROM owners WHERE copied_from_id IS NOT NULL';
    expect(await injected(copied)).toEqual([{ id: other.refs.ownerId }]);
    // Nor is the day begun again by a changed copy.
    for (const change of ['copied_from_id = NULL', "created_at = now() - interval '2 days'"]) {
      expect(await outcomeOf(injected(`UPDATE owners SET ${change} WHERE copied_from_id IS NOT NULL`))).toBe(denied);
    }
  });

  it('finds no proof, tenant or value in the texts of others, even where it could read these', async () => {
    const seen = new Set<string>();
    const done = new AbortController();
    const working = (async () => {
      while (!done.signal.aborted) {
        await api.call(contract.challans.list, { query: { tpNo: 'PLANTED' } }, { token: other.tenant.token });
        await api.call(contract.owners.list, {}, { token: other.tenant.token });
      }
    })();
    // A superuser sees what every connection of the role would see where the function cannot be withheld.
    await asSchemaOwner(api, async (client) => {
      for (const until = Date.now() + 3_000; Date.now() < until;) {
        const { rows } = await client.query<{ query: string }>(
          "SELECT query FROM pg_stat_activity WHERE usename = 'challan_app' AND datname = current_database()",
        );
        for (const { query } of rows) seen.add(query);
      }
    });
    done.abort();
    await working;
    expect(seen.size).toBeGreaterThan(3);
    const secrets = [/[0-9a-f]{40}/, new RegExp(other.tenant.id), /PLANTED/];
    expect([...seen].filter((text) => secrets.some((secret) => secret.test(text)))).toEqual([]);
  });

  it('leaves nothing on its connection for the next transaction', async () => {
    const name = 'रमेश कुमार';
    await api.call(contract.tags.create, { body: { name, color: '#112233' } }, { token: other.tenant.token });
    const { max } = api.pools.main.options;
    const statements = [
      "SELECT set_config('client_encoding', 'LATIN1', false)",
      "SELECT set_config('DateStyle', 'German', false)",
      "SELECT set_config('default_transaction_read_only', 'on', false)",
      "SELECT set_config('statement_timeout', '1', false)",
      'LISTEN something',
    ];
    for (const statement of statements) {
      await Promise.all(Array.from({ length: max }, () => injected(statement)));
      const lists = await Promise.all(
        Array.from({ length: max }, () => api.call(contract.tags.list, {}, { token: other.tenant.token })),
      );
      for (const list of lists) expect(list.body.data.map((tag) => tag.name)).toContain(name);
    }
    expect(await injected('SELECT pg_listening_channels() AS channel')).toEqual([]);
    const made = await api.call(
      contract.tags.create,
      { body: { name: 'After', color: '#112233' } },
      { token: other.tenant.token },
    );
    expect(made.status).toBe(201);
  });

  it('changes the settings of its role for no later connection of the server', async () => {
    const database = new URL(api.appUrl).pathname.slice(1);
    const hostile = {
      default_transaction_read_only: 'on',
      DateStyle: 'German',
      synchronous_commit: 'off',
      row_security: 'off',
    };
    for (const [setting, value] of Object.entries(hostile))
      await injected(`ALTER ROLE challan_app IN DATABASE "${database}" SET ${setting} = '${value}'`);
    const later = createPool(api.appUrl, { max: 1 });
    try {
      const shown = await withTenant(later, own.tenant.id, 'write', async (db) => {
        const settings = Object.keys(hostile).map((setting) => `current_setting('${setting}') AS "${setting}"`);
        return (await db.query(`SELECT ${settings.join(', ')}`)).rows;
      });
      expect(shown).toEqual([
        { default_transaction_read_only: 'off', DateStyle: 'ISO, MDY', synchronous_commit: 'on', row_security: 'on' },
      ]);
      await expect(checkAppRole(api.appUrl)).rejects.toThrow('has settings of its own');
    } finally {
      await later.end();
      await injected(`ALTER ROLE challan_app IN DATABASE "${database}" RESET ALL`);
    }
    await checkAppRole(api.appUrl);
  });

  it('folds the totals of another at most, which changes none of them', async () => {
    const totals = (db: TenantDb) =>
      db.query('SELECT sum(challans)::int AS challans, sum(net_amount) AS net FROM challan_totals_by_owner');
    const sum = async () => {
      await api.inTenant(other.tenant, (db) => db.query('SELECT fold_totals_of($1)', [db.tenantId]));
      return (await api.inTenant(other.tenant, totals)).rows;
    };
    const before = await sum();
    await api.inTenant(other.tenant, (db) => insertChallans(db, { ownerId: other.refs.ownerId }, 1));
    const seen = await injected(
      `SELECT fold_totals_of('${other.tenant.id}')`,
      'SELECT DISTINCT subadmin_id AS id FROM challans',
    );
    expect(seen).toEqual([{ id: own.tenant.id }]);
    expect(await sum()).not.toEqual(before);
  });

  it('needs the hash of a token for a session, and that of one it knows shows no more than who it is', async () => {
    const rows = await injected<object>(`SELECT * FROM live_session('\\x${hashOfOther}')`);
    expect(rows.map(Object.keys)).toEqual([
      [
        'session_id',
        'account_id',
        'business_id',
        'role',
        'seat',
        'is_viewing',
        'email',
        'banner_name',
        'person_name',
        'is_touch_due',
        'must_set_up',
      ],
    ]);
  });

  it('sees the people of its own business alone, and no link of theirs', async () => {
    const rows = await injected<{ id: string }>('SELECT id FROM accounts WHERE business_id IS NOT NULL');
    const { data } = (await api.call(contract.people.list, {}, { token: own.tenant.token })).body;
    const people = data.filter(({ isBusiness }) => !isBusiness).map(({ id }) => id);
    expect(people).toContain(own.refs.personId);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(people.toSorted());
    await expect(injected('SELECT link_hash FROM accounts')).rejects.toThrow('permission denied');
    expect(await injected<object>(`SELECT * FROM person_of_link('\\x00')`)).toEqual([]);
  });
});
