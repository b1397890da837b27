import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPgBouncer, pgBouncerMissing } from '../../../src/tasks/postgres.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** PgBouncer in transaction mode before a database. `url` is the given one through it. */
export async function startPgBouncer(
  behind: string,
  connections: number,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = findPgBouncer();
  if (program === undefined) throw new Error(pgBouncerMissing);
  const { hostname, port, username, password, pathname } = new URL(behind);
  const directory = await mkdtemp(join(tmpdir(), 'challan-desk-pgbouncer-'));
  const ownPort = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: ownPort,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(directory, 'users.txt'),
    pool_mode: 'transaction',
    server_reset_query_always: 1,
    default_pool_size: connections,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const config = join(directory, 'pgbouncer.ini');
  await writeFile(config, ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'));
  await writeFile(settings.auth_file, `"${username}" "${decodeURIComponent(password)}"\n`);
  await chmod(directory, 0o755);
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  while (!(await answers(ownPort))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await wait(20);
  }
  return { url: `postgres://${username}:${password}@127.0.0.1:${ownPort}${pathname}?pooler=transaction`, stop };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
