import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnv } from '../../../src/server/env.ts';
import { startServer, type RunningServer } from '../../../src/server/start.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';

/** Requests are served as a role that can do nothing more than they need (docs/security.md §3.2). */
let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const start = (urls: Record<string, string>): Promise<RunningServer> =>
  startServer({
    env: readEnv({ ...urls, PORT: '0', ADMIN_PASSWORD: 'correct horse 42', LOG_LEVEL: 'silent' }),
    webRoot: '',
    say: () => undefined,
  });

const refusalOf = (urls: Record<string, string>): Promise<string> =>
  start(urls).then(
    async (server) => {
      await server.stop();
      return 'started';
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const signedInAs = (url: string, name: string, password: string): string => {
  const changed = new URL(url);
  [changed.username, changed.password] = [name, password];
  return changed.href;
};

describe('a start with a server of one’s own', () => {
  it('refuses to serve requests as a superuser, in one line that says what to do', async () => {
    const refusal = await refusalOf({ DATABASE_URL: database.url, DATABASE_ADMIN_URL: database.url });
    expect(refusal).toMatch(/^DATABASE_URL signs in as postgres, which is a superuser, /);
    expect(refusal).toMatch(/sign in there as challan_app, and name the owner of the schema in DATABASE_ADMIN_URL/);
    expect(refusal).not.toContain(new URL(database.url).password);
  });

  it.each([
    ['CREATEROLE', 'may create roles'],
    ['CREATEDB', 'may create databases'],
    ['BYPASSRLS', 'bypasses row-level security'],
    ['REPLICATION', 'may replicate'],
    ['IN ROLE challan_app, pg_read_all_data', 'is a member of another role'],
    ['NOINHERIT IN ROLE challan_app', 'is not challan_app'],
  ])('refuses a role with %s', async (attribute, reason) => {
    const name = `${new URL(database.url).pathname.slice(1)}_login`;
    await run(database.url, `CREATE ROLE ${name} LOGIN PASSWORD 'x' ${attribute}`);
    try {
      const refusal = await refusalOf({ DATABASE_URL: signedInAs(database.url, name, 'x') });
      expect(refusal).toMatch(new RegExp(`^DATABASE_URL signs in as ${name}, which .*${reason}`));
    } finally {
      await run(database.url, `DROP ROLE ${name}`);
    }
  });

  it('refuses the app’s role while it may make temporary tables', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await run(database.url, `GRANT TEMPORARY ON DATABASE ${name} TO PUBLIC`);
    expect(await refusalOf({ DATABASE_URL: database.appUrl })).toContain('may make temporary tables');
    // A start with the owner's way in does not take back what was granted after the migrations; the operator does.
    await run(database.url, `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    expect(await refusalOf({ DATABASE_URL: database.appUrl })).toBe('started');
  });

  it('needs the owner’s way in only while migrations are to be applied', async () => {
    const empty = await emptyDatabase();
    try {
      expect(await refusalOf({ DATABASE_URL: empty.appUrl })).toMatch(
        /^The database lacks migration 001-.*: start once with DATABASE_ADMIN_URL, the owner of the schema$/,
      );
      expect(await refusalOf({ DATABASE_URL: empty.appUrl, DATABASE_ADMIN_URL: empty.url })).toBe('started');
      expect(await refusalOf({ DATABASE_URL: empty.appUrl })).toBe('started');
    } finally {
      await empty.drop();
    }
  });

  it('starts with the roles of docs/running.md §3: an owner who is no superuser, and the app', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_own`;
    // The two other roles of docs/running.md §3 are there already: they belong to the whole server.
    await run(
      database.url,
      `CREATE ROLE ${name} LOGIN PASSWORD 'kept'`,
      `GRANT challan_app, challan_definer TO ${name}`,
      `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
    );
    const at = (url: string): string => {
      const changed = new URL(url);
      changed.pathname = `/${name}`;
      return changed.href;
    };
    const urls = {
      DATABASE_URL: at(database.appUrl),
      DATABASE_ADMIN_URL: signedInAs(at(database.url), name, 'kept'),
    };
    try {
      const server = await start(urls);
      const answer = await fetch(`${server.url}/api/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@localhost', password: 'correct horse 42' }),
      });
      await server.stop();
      expect(answer.status).toBe(200);
    } finally {
      await run(database.url, `DROP DATABASE ${name} WITH (FORCE)`, `DROP OWNED BY ${name}`, `DROP ROLE ${name}`);
    }
  });
});
