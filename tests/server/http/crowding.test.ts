import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { asSchemaOwner } from '../support/tables.ts';

/**
 * What one account asks at once leaves room for all others, and the app's own screens are never
 * refused.
 */
let api: Api;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  other = await api.addTenant();
});
afterAll(() => api.close());

/** What a call does in the database takes as long as the test wants: the account's own rows of a table are locked. */
async function hold(at: Api, table: string, work: () => Promise<void>): Promise<void> {
  await asSchemaOwner(at, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work().finally(() => client.query('ROLLBACK'));
  });
}

const busy = ({ pools }: Api): number => pools.main.totalCount - pools.main.idleCount;
const waitingInDatabase = (at: Api): Promise<number> =>
  asSchemaOwner(at, async (client) => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  });
const patient = { timeout: 20_000 };

describe('a hundred and fifty calls of one account at once', () => {
  it('take six connections, and another account is served meanwhile', async () => {
    const { token } = tenant;
    let calls: Promise<{ status: number; headers: Record<string, unknown>; text: string }[]> = Promise.resolve([]);
    await hold(api, 'tags', async () => {
      calls = Promise.all(Array.from({ length: 150 }, () => api.call(contract.tags.list, {}, { token })));
      await vi.waitFor(async () => expect(await waitingInDatabase(api)).toBe(6), patient);
      for (let n = 0; n < 20; n += 1) {
        expect((await api.call(contract.owners.list, {}, { token: other.token })).status).toBe(200);
      }
      // The last of them may still be on its way to the gate.
      await vi.waitFor(() => expect(api.app.gates.calls.counts()).toEqual({ running: 6, waiting: 100 }), patient);
      expect(await waitingInDatabase(api)).toBe(6);
      expect(busy(api)).toBe(6);
    });
    const answers = await calls;
    const refused = answers.filter(({ status }) => status === 429);
    // Six at work, a hundred waiting.
    expect(refused).toHaveLength(44);
    for (const { headers, text } of refused) {
      expect(headers['retry-after']).toBe('2');
      expect(JSON.parse(text)).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' });
    }
    expect(new Set(answers.filter((answer) => !refused.includes(answer)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
  });

  it('of which thirty are a screen of the app are all answered', async () => {
    const asked = [contract.tags.list, contract.owners.list, contract.petrolPumps.list, contract.challans.list];
    const answers = await Promise.all(
      // n % 4 is an index of the four.
      Array.from({ length: 30 }, (_, n) => api.call(asked[n % 4]!, {}, { token: tenant.token })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a call that does not come to its end', () => {
  let hurried: Api;
  let token: string;
  beforeAll(async () => {
    // Far above what a call takes, also on a busy machine.
    hurried = await startApi({ limits: { answerMs: 1_500 } });
    ({ token } = await hurried.addTenant());
  });
  afterAll(() => hurried.close());
  const build = (name: string) => ({ body: { name, color: '#3B82F6', description: '' } });
  const namesOfTags = () =>
    asSchemaOwner(hurried, async (client) =>
      (await client.query<{ name: string }>('SELECT name FROM tags')).rows.map(({ name }) => name),
    );

  // Below the statement's own limit, so that it is the call's time that ends it.
  const takeLong = (name: string) => `
    CREATE FUNCTION ${name}() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(6); RETURN true; END $$;`;
  const sleeping = () =>
    asSchemaOwner(hurried, async (client) => {
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
      );
      return rows.length;
    });
  const expectStopped = async (call: Promise<{ status: number; error: { code: string } }>): Promise<void> => {
    const { status, error } = await call;
    expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await vi.waitFor(async () => expect(await sleeping()).toBe(0), patient);
    await vi.waitFor(() => expect(busy(hurried)).toBe(0), patient);
  };

  it('is cancelled in the database and answered within its time', async () => {
    expect((await hurried.call(contract.tags.create, build('One'), { token })).status).toBe(201);
    await asSchemaOwner(hurried, (client) =>
      client.query(
        `${takeLong('look_long')} CREATE POLICY look_long ON tags AS RESTRICTIVE FOR SELECT USING (look_long())`,
      ),
    );
    await expectStopped(hurried.call(contract.tags.list, {}, { token }));
    await asSchemaOwner(hurried, (client) => client.query('DROP POLICY look_long ON tags'));
    expect((await hurried.call(contract.tags.list, {}, { token })).status).toBe(200);
  });

  it('has written nothing when it says so', async () => {
    await asSchemaOwner(hurried, (client) =>
      client.query(
        `${takeLong('write_long')} CREATE POLICY write_long ON tags AS RESTRICTIVE FOR INSERT WITH CHECK (write_long())`,
      ),
    );
    await expectStopped(hurried.call(contract.tags.create, build('Too late'), { token }));
    await asSchemaOwner(hurried, (client) => client.query('DROP POLICY write_long ON tags'));
    expect(await namesOfTags()).toEqual(['One']);
  });

  it('is not called failed when its time ends while it is being saved', async () => {
    // Work that PostgreSQL does as a part of COMMIT itself; longer than what is granted to one, for the second name.
    await asSchemaOwner(hurried, (client) =>
      client.query(`
        CREATE FUNCTION save_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(CASE NEW.name WHEN 'Slow' THEN 2.5 WHEN 'Very slow' THEN 6 ELSE 0 END); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER save_slowly AFTER INSERT ON tags DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION save_slowly();`),
    );
    expect((await hurried.call(contract.tags.create, build('Slow'), { token })).status).toBe(201);

    const unknown = await hurried.call(contract.tags.create, build('Very slow'), { token });
    expect([unknown.status, unknown.error.message]).toEqual([
      503,
      'The connection to the database was lost while saving. Check whether the change is there, then try again.',
    ]);
    await vi.waitFor(async () => expect(await namesOfTags()).toContain('Very slow'), { timeout: 20_000 });
  });
});
