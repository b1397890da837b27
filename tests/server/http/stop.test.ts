import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readEnv } from '../../../src/server/env.ts';
import { startServer, type RunningServer } from '../../../src/server/start.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

/** A stop ends whatever clients do, and the last error of a process contains no values (docs/security.md §8). */
const password = 'correct horse 42';
const environment = ({ url, appUrl }: TestDatabase): Record<string, string> => ({
  DATABASE_URL: appUrl,
  DATABASE_ADMIN_URL: url,
  PORT: '0',
  ADMIN_EMAIL: 'admin@challan.test',
  ADMIN_PASSWORD: password,
  LOG_LEVEL: 'silent',
});
const patient = { timeout: 20_000 };

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const start = (drainMs: number): Promise<RunningServer> =>
  startServer({ env: readEnv(environment(database)), webRoot: '', say: () => undefined, drainMs });

async function post<T>(url: string, path: string, body: unknown, token = ''): Promise<T> {
  const response = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  // The answers of the contract; a failure has none of the fields that are read.
  return (await response.json()) as T;
}

/** A transport business that is signed in; `rows` challans make its file larger than what sockets hold. */
async function addTenant(url: string, rows: number): Promise<string> {
  const admin = await post<{ data: { token: string } }>(url, '/admin/login', {
    email: 'admin@challan.test',
    password,
  });
  const email = `${rows}@challan.test`;
  const account = {
    email,
    password,
    bannerName: 'Stop',
    gstNo: '21ABCDE1234F1Z5',
    contactNumber: '9876543210',
    officeAddress: 'Keonjhar',
  };
  const { data } = await post<{ data: { id: string } }>(url, '/subadmins', account, admin.data.token);
  const { token } = await post<{ token: string }>(url, '/subadmins/login', { email, password });
  const owner = await post<{ data: { id: string } }>(
    url,
    '/owners',
    {
      name: 'Ravi',
      contactNumber: '9876543210',
      address: 'Barbil',
      accountNo: '000123',
      ifsc: 'SBIN0001234',
      panNo: 'ABCPK1234F',
      branchName: 'Barbil',
    },
    token,
  );
  await asOwner((client) =>
    client.query(
      `INSERT INTO challans (subadmin_id, id, challan_number, owner_id, tp_no, vehicle_no, owner_name,
         owner_contact_number, material, loading_at, unloading_at, loading_place, unloading_place, loading_weight,
         unloading_weight, difference_weight, rate_per_mt, tds_amount, advance_money, net_amount_payable)
       SELECT $1, gen_random_uuid(), 'T-' || n, $2, 'TP' || n, 'OD09AB1234', 'Ravi', '9876543210', 'Iron ore fines',
         now(), now(), 'Joda', 'Paradip Port', 1, 1, 0, 1000, 0, 0, 1000 FROM generate_series(1, $3::int) AS n`,
      [data.id, owner.data.id, rows],
    ),
  );
  return token;
}

async function asOwner<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
const countActivity = (what: string): Promise<number> =>
  asOwner(async (client) => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${what}`,
    );
    return rows.length;
  });
const connectionsOfTheApp = () => countActivity('true');
const waitingForALock = () => countActivity(`wait_event_type = 'Lock'`);

describe('a stop', () => {
  it('ends readers who do not read and lines that say nothing, and leaves no connection behind', async () => {
    const server = await start(300);
    const { port } = new URL(server.url);
    const token = await addTenant(server.url, 60_000);
    const agent = new Agent();
    const asked = httpRequest(`${server.url}/api/challans/export-filtered-csv`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    asked.on('error', () => undefined);
    asked.end('{"filters":{}}');
    const [reader] = (await once(asked, 'response')) as [IncomingMessage];
    reader.on('error', () => undefined);
    expect(reader.statusCode).toBe(200);
    const silent = (await line(Number(port))).resume();
    const halfSaid = (await line(Number(port), 'GET /api/challans HTTP/1.1\r\nHost: x\r\nX-Slow: ')).resume();

    await server.stop();
    await vi.waitFor(async () => expect(await connectionsOfTheApp()).toBe(0), patient);
    reader.resume();
    await Promise.all([silent, halfSaid].map((socket) => socket.closed || once(socket, 'close')));
    await vi.waitFor(() => expect(reader.closed).toBe(true), patient);
    expect(reader.complete).toBe(false);
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow();
  }, 60_000);

  it('waits for a call under way, and meanwhile says that it is not ready', async () => {
    const server = await start(20_000);
    const token = await addTenant(server.url, 1);
    const { port } = new URL(server.url);
    const silent = (await line(Number(port))).resume();
    let answer: Promise<Response> | undefined;
    let stopped: Promise<void> | undefined;
    await asOwner(async (client) => {
      await client.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      answer = fetch(`${server.url}/api/tags`, { headers: { authorization: `Bearer ${token}` } });
      await vi.waitFor(async () => expect(await waitingForALock()).toBe(1), patient);
      stopped = server.stop();
      expect((await server.app.inject('/health/ready')).statusCode).toBe(503);
      await client.query('ROLLBACK');
    });
    expect((await answer)?.status).toBe(200);
    await stopped;
    await vi.waitFor(async () => expect(await connectionsOfTheApp()).toBe(0), patient);
    silent.destroy();
  }, 60_000);
});

describe('a call that comes while the server is stopping', () => {
  it('is answered with 503 until those that had begun are done, and its connection is closed', async () => {
    const server = await start(20_000);
    const token = await addTenant(server.url, 2);
    const tags = (): Promise<Response> =>
      fetch(`${server.url}/api/tags`, { headers: { authorization: `Bearer ${token}` } });
    let underWay: Promise<Response> | undefined;
    let stopped: Promise<void> | undefined;
    await asOwner(async (client) => {
      await client.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      underWay = tags();
      await vi.waitFor(async () => expect(await waitingForALock()).toBe(1), patient);
      stopped = server.stop();
      for (let n = 0; n < 20; n += 1) {
        const answer = await tags();
        expect([answer.status, answer.headers.get('connection'), answer.headers.get('retry-after')]).toEqual([
          503,
          'close',
          '2',
        ]);
        expect(await answer.json()).toEqual({
          success: false,
          code: 'SERVICE_UNAVAILABLE',
          message: 'The server is restarting. Please try again in a moment.',
          requestId: answer.headers.get('x-request-id'),
        });
      }
      expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
      await client.query('ROLLBACK');
    });
    const answer = await underWay;
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(tags()).rejects.toThrow();
  }, 60_000);

  it('is answered also on a connection that was made before, and asks only when the last call is done', async () => {
    const server = await start(20_000);
    const { port } = new URL(server.url);
    const sockets = await Promise.all(Array.from({ length: 30 }, () => line(Number(port))));
    const countLines = promisify(server.app.server.getConnections.bind(server.app.server));
    await vi.waitFor(async () => expect(await countLines()).toBe(30), patient);
    const stopped = server.stop();
    await vi.waitFor(() => expect(server.app.server.listening).toBe(false), { timeout: 20_000, interval: 5 });
    const answers = sockets.map(async (socket) => {
      const answer = text(socket);
      socket.write('GET /api/tags HTTP/1.1\r\nHost: challan.test\r\n\r\n');
      return (await answer).split('\r\n')[0];
    });
    expect(await Promise.all(answers)).toEqual(sockets.map(() => 'HTTP/1.1 503 Service Unavailable'));
    await stopped;
  }, 60_000);
});

async function line(port: number, said = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (said !== '') socket.write(said);
  return socket;
}

/** The process itself, which a signal gives an error that nobody catches, as a fault of ours would. */
async function startProcess(logLevel: string) {
  // What PostgreSQL adds repeats the row.
  const fault = `process.once('SIGWINCH', () => {
    const error = new Error('no room for account 004512345678 of ABCPK1234F');
    void Promise.reject(Object.assign(error, { code: '23505', table: 'owners', detail: 'Key (name)=(Ravi) exists' }));
  })`;
  const preloaded = `data:text/javascript;base64,${Buffer.from(fault).toString('base64')}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', preloaded, 'src/server/main.ts'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, ...environment(database), LOG_LEVEL: logLevel },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const errors = text(child.stderr);
  const ended = Promise.all([once(child, 'exit'), once(child.stdout, 'end')]);
  await vi.waitFor(() => expect(said).toContain('is running at'), patient);
  const url = /is running at (\S+)/.exec(said)![1]!;
  return {
    url,
    /** Ends it by a signal: its exit code and what it has written. */
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      const [[code]] = (await ended) as [[number | null], unknown];
      return { code, said, errors: await errors };
    },
  };
}

describe('the process', () => {
  it('logs its last error as the app logs errors, without values, and ends as failed', async () => {
    const started = await startProcess('fatal');
    const { code, said, errors } = await started.end('SIGWINCH');
    expect(code).toBe(1);

    const logged = said.split('\n').find((one) => one.includes('unexpected error')) ?? '';
    expect((JSON.parse(logged) as { err: object }).err).toMatchObject({
      name: 'Error',
      code: '23505',
      table: 'owners',
      message: 'no room for account [digits] of [pan]',
      stack: expect.stringContaining('at ') as string,
    });
    for (const value of ['004512345678', 'ABCPK1234F', 'Ravi']) expect(said + errors).not.toContain(value);
  }, 60_000);

  it.each(['SIGTERM', 'SIGWINCH'] as const)(
    'has logged every call that it answered when %s ends it',
    async (signal) => {
      const { url, end } = await startProcess('info');
      const calls = 40;
      await Promise.all(Array.from({ length: calls }, async () => (await fetch(`${url}/health/live`)).text()));
      const { said } = await end(signal);
      expect(said.split('\n').filter((line) => line.includes('"route":"/health/live"'))).toHaveLength(calls);
    },
    60_000,
  );
});

describe('a connection that is slow to ask', () => {
  it('is closed within thirty seconds, while an upload has its minute', async () => {
    const server = await start(300);
    const { headersTimeout, requestTimeout } = server.app.server;
    // Looked at every so often: a connection may live for one look more than its time.
    expect(headersTimeout + 5_000).toBeLessThan(30_000);
    expect(requestTimeout).toBeGreaterThan(60_000);
    await server.stop();
  });
});
