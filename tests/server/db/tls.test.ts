import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readEnv } from '../../../src/server/env.ts';
import { readTls, reloadTls, type TlsFiles } from '../../../src/server/http/tls.ts';
import { toOperatorError } from '../../../src/server/db/pool.ts';
import { startServer, type RunningServer } from '../../../src/server/start.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { makeCertificate } from '../support/certificate.ts';

/** HTTPS served by the app itself (docs/security.md §9): as HTTP/2, and as HTTP/1 for those who know no other. */
const password = 'correct horse 42';
let database: TestDatabase;
let folder: string;
let server: RunningServer;
let ca = '';
const sessions: ClientHttp2Session[] = [];

async function writeCertificate(): Promise<void> {
  const { cert, key } = makeCertificate();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  ca = cert;
}
const files = () => ({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') });

async function start(): Promise<void> {
  const env = readEnv({
    DATABASE_URL: database.appUrl,
    DATABASE_ADMIN_URL: database.url,
    PORT: '0',
    ADMIN_EMAIL: 'admin@challan.test',
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'silent',
    TLS_CERT: files().cert,
    TLS_KEY: files().key,
  });
  server = await startServer({ env, webRoot: '', say: () => undefined, drainMs: 15_000 });
}

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'challan-desk-tls-'));
  await writeCertificate();
  await start();
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

function open(): ClientHttp2Session {
  // The client's own limit: an upload waits in its memory.
  const session = connect(server.url, { ca, servername: 'localhost', maxSessionMemory: 64 });
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}
async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, payload?: string | Buffer): Promise<Got> {
  const stream = session.request(headers, { endStream: payload === undefined });
  if (payload !== undefined) stream.end(payload);
  const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  return { status: answered[':status'], headers: answered, body: await text(stream) };
}
const post = (session: ClientHttp2Session, path: string, body: unknown, token = '') =>
  ask(
    session,
    {
      ':method': 'POST',
      ':path': `/api${path}`,
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    JSON.stringify(body),
  );

let counter = 0;
async function addBusiness(session: ClientHttp2Session): Promise<string> {
  const admin = await post(session, '/admin/login', { email: 'admin@challan.test', password });
  const { token } = (JSON.parse(admin.body) as { data: { token: string } }).data;
  const email = `tls${(counter += 1)}@challan.test`;
  const account = {
    email,
    password,
    bannerName: 'Over TLS',
    gstNo: '21ABCDE1234F1Z5',
    contactNumber: '9876543210',
    officeAddress: 'Keonjhar',
  };
  await post(session, '/subadmins', account, token);
  const signedIn = await post(session, '/subadmins/login', { email, password });
  return (JSON.parse(signedIn.body) as { token: string }).token;
}

describe('over HTTP/2', () => {
  it('the app answers, with HSTS and the form of every error', async () => {
    expect(server.url).toMatch(/^https:/);
    const session = open();
    const ready = await ask(session, { ':path': '/health/ready' });
    expect(ready.status).toBe(200);
    expect(session.alpnProtocol).toBe('h2');
    expect(ready.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    const refused = await ask(session, { ':path': '/api/challans' });
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
    expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reads, writes, sends a file and takes one, many at once in one connection', async () => {
    const session = open();
    const token = await addBusiness(session);
    const authorization = `Bearer ${token}`;
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post(session, '/tags', { name: `TAG ${n}`, color: '#3B82F6' }, token)),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const list = await ask(session, { ':path': '/api/tags?limit=100', authorization });
    expect((JSON.parse(list.body) as { data: unknown[] }).data).toHaveLength(12);

    const file = await post(session, '/challans/export-filtered-csv', { filters: {} }, token);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.body.length).toBeGreaterThan(100);

    const boundary = 'b'.repeat(20);
    const upload = (content: string) =>
      ask(
        session,
        {
          ':method': 'POST',
          ':path': '/api/tables/read',
          authorization,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="t.csv"\r\ncontent-type: text/csv\r\n\r\n${content}\r\n--${boundary}--\r\n`,
      );
    const taken = await upload('Name\nRavi\n');
    expect([taken.status, taken.body]).toEqual([200, expect.stringContaining('Ravi')]);
    // One that is too large is refused, and the connection's other calls are not.
    const [tooLarge, other] = await Promise.all([
      upload('x'.repeat(11 * 1024 * 1024)),
      ask(session, { ':path': '/api/tags', authorization }),
    ]);
    expect([tooLarge.status, other.status]).toEqual([413, 200]);
  });

  it('a stop finishes what is under way and refuses what is new; the connection ends by itself', async () => {
    const session = open();
    const token = await addBusiness(session);
    const closed = once(session, 'close');
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
    const isWaiting = async () =>
      (await holder.query(`SELECT FROM pg_locks WHERE relation = 'tags'::regclass AND NOT granted`)).rowCount ?? 0;
    try {
      const held = post(session, '/tags', { name: 'IN TIME', color: '#3B82F6' }, token);
      await expect.poll(isWaiting, { timeout: 15_000 }).toBeGreaterThan(0);
      const stopped = server.stop();
      const late = await ask(session, { ':path': '/api/tags', authorization: `Bearer ${token}` });
      expect(late.status).toBe(503);
      expect(JSON.parse(late.body)).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
      await holder.query('COMMIT');
      expect((await held).status).toBe(201);
      await stopped;
      await closed;
    } finally {
      await holder.end();
    }
    await start();
  });
});

describe('over HTTP/1', () => {
  it('the same port answers a client that knows no HTTP/2', async () => {
    const asked = request(`${server.url}/health/ready`, { ca, servername: 'localhost' });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
    expect([answer.statusCode, answer.httpVersion]).toEqual([200, '1.1']);
    expect(answer.headers['strict-transport-security']).toBeDefined();
    answer.resume();
  });

  it('what is no HTTP is refused in the form of every error', async () => {
    const { port } = new URL(server.url);
    const socket = connectTls({ port: Number(port), ca, servername: 'localhost', ALPNProtocols: ['http/1.1'] });
    socket.write('NONSENSE\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"INVALID_REQUEST"');
  });
});

describe('a renewed certificate', () => {
  const fingerprint = async (): Promise<string> => {
    const { port } = new URL(server.url);
    const socket = connectTls({ port: Number(port), rejectUnauthorized: false, servername: 'localhost' });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };

  it('is used for new connections, and open ones go on; one that does not fit its key changes nothing', async () => {
    const session = open();
    expect((await ask(session, { ':path': '/health/ready' })).status).toBe(200);
    const before = await fingerprint();
    await writeCertificate();
    reloadTls(server.app, files());
    const after = await fingerprint();
    expect(after).not.toBe(before);
    expect((await ask(session, { ':path': '/health/ready' })).status).toBe(200);
    await writeFile(files().key, makeCertificate().key);
    expect(() => reloadTls(server.app, files())).toThrow('TLS_CERT and TLS_KEY cannot be used');
    expect(await fingerprint()).toBe(after);
  });
});

describe('a certificate', () => {
  async function written(days: number): Promise<TlsFiles> {
    const { cert, key } = makeCertificate(days);
    const paths = { cert: join(folder, `${days}.pem`), key: join(folder, `${days}-key.pem`) };
    await writeFile(paths.cert, cert);
    await writeFile(paths.key, key);
    return paths;
  }

  it.each([
    ['that is good for long is not spoken of', 90, []],
    [
      'that ends soon is named at the start',
      5,
      [/^The certificate of TLS_CERT ends on .*: renew it, then send SIGHUP\.$/],
    ],
    ['that has ended is named at the start', -1, [/^The certificate of TLS_CERT ended on .*: browsers refuse it/]],
  ])('%s', async (_, days, expected) => {
    const paths = await written(days);
    const said: string[] = [];
    readTls(paths, (line) => void said.push(line));
    expect(said).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(said[index]).toMatch(pattern);
  });

  it('is used with ciphers alone whose old connections a stolen key does not open', async () => {
    const { hostname, port } = new URL(server.url);
    const versionWith = (ciphers: string): Promise<string | null> =>
      new Promise((resolve) => {
        const options = {
          host: hostname,
          port: Number(port),
          ca,
          servername: 'localhost',
          ciphers,
          maxVersion: 'TLSv1.2' as const,
        };
        const socket = connectTls(options, () => {
          resolve(socket.getCipher().name);
          socket.destroy();
        });
        socket.on('error', () => resolve(null));
      });
    expect(await versionWith('ECDHE+AESGCM')).toMatch(/^ECDHE-/);
    // The certificate of the test has an elliptic key, with which no cipher without forward secrecy works. So the settings are read.
    expect(
      readTls(await written(90))
        .ciphers.split(':')
        .filter((name) => !/^(TLS_|ECDHE\+)/.test(name)),
    ).toEqual([]);
  });

  it('of the database that is not trusted is one line', async () => {
    const failed = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const told = toOperatorError('postgres://a:b@db.example/c', failed) as Error;
    expect(told.message).toBe('The database at db.example cannot be used: self-signed certificate');
  });
});
