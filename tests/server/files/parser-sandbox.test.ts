import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseInChild, parserProgram } from '../../../src/server/files/spreadsheet/parser-process.ts';
import { projectRoot } from '../../../src/tasks/run.ts';

/** A program in the parser's place that tries everything a hostile file could make the parser do. */
const hostile = `
import childProcess from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';
import { createRequire } from 'node:module';
const [secret, port] = JSON.parse(fs.readFileSync(new URL('./aims.json', import.meta.url), 'utf8'));
const found = {};
const attempt = (name, act) => {
  try { found[name] = 'DONE ' + String(act()).slice(0, 80); } catch (error) { found[name] = error.code ?? 'refused'; }
};
attempt('read a secret', () => fs.readFileSync(secret, 'utf8'));
attempt('read who is here', () => fs.readFileSync('/etc/passwd', 'utf8'));
attempt('list a folder', () => fs.readdirSync('/'));
attempt("read the server's environment", () => fs.readFileSync('/proc/' + process.ppid + '/environ'));
attempt('write', () => fs.writeFileSync(secret + '.new', 'x'));
attempt('empty a file', () => fs.truncateSync(secret));
attempt('remove a file', () => fs.unlinkSync(secret));
attempt('run a program', () => { const { error, stdout } = childProcess.spawnSync('/bin/cat', [secret]); if (error) throw error; return stdout; });
attempt('start a thread', () => new Worker('1', { eval: true }));
attempt('load native code', () => process.dlopen({ exports: {} }, '/tmp/none.node'));
attempt('stop the server', () => process.kill(process.ppid, 0));
found['find the database in the environment'] = /DATABASE|PASSWORD|POSTGRES/i.test(JSON.stringify(process.env)) ? 'DONE' : 'nothing';
found['open a socket'] = await new Promise((resolve) => {
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.once('connect', () => resolve('DONE'));
  socket.once('error', (error) => resolve(error.code));
});
found.user = String(process.getuid?.());
process.stdout.write(JSON.stringify({ read: { kind: 'comma', sheets: [{ name: 'found', rows: Object.entries(found), rowNumbers: [], merges: [], hiddenRows: 0, hiddenColumns: [], openQuotes: [] }] } }));
process.exit(0);
`;

const isRoot = process.getuid?.() === 0;
const succeeds = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

let folder: string;
let server: Server;
let wasCalled = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(projectRoot, '.tmp/hostile-'));
  await chmod(folder, 0o755);
  server = createServer(() => (wasCalled += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

it('a hostile program in the place of the parser reads, writes, runs and reaches nothing', async () => {
  const program = join(folder, 'spreadsheet-child.js');
  // Beside the folder that the program may read.
  const secret = `${folder}.secret`;
  await writeFile(secret, 'the password of the database');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(program, hostile);
  await writeFile(join(folder, 'aims.json'), JSON.stringify([secret, (server.address() as AddressInfo).port]));
  // What a container may refuse, and a folder that only root may enter.
  const hasOwnUser =
    isRoot && succeeds('setpriv', '--reuid', '64217', '--regid', '64217', '--clear-groups', 'cat', program);
  const hasNoNetwork = succeeds('unshare', ...(isRoot ? [] : ['--map-root-user']), '--net', 'true');
  const before = parserProgram.args;
  parserProgram.args = [program];
  process.env.DATABASE_URL = 'postgres://secret@db.example/challan';
  try {
    const { sheets } = await parseInChild('sheets', Buffer.from('A\n1\n'), new AbortController().signal);
    const found = Object.fromEntries((sheets[0]?.rows ?? []) as [string, string][]);
    const { user, ...tried } = found;
    // Of the same user, who may signal its own processes.
    if (!hasOwnUser) delete tried['stop the server'];
    if (!hasNoNetwork) delete tried['open a socket'];
    expect(Object.entries(tried).filter(([, result]) => result.startsWith('DONE'))).toEqual([]);
    expect(Object.keys(tried).length).toBeGreaterThanOrEqual(11);
    if (hasOwnUser) expect(user).toBe('64217');
    expect(wasCalled).toBe(hasNoNetwork ? 0 : 1);
    expect(await readFile(secret, 'utf8')).toBe('the password of the database');
    await expect(stat(`${secret}.new`)).rejects.toThrow('ENOENT');
  } finally {
    parserProgram.args = before;
    delete process.env.DATABASE_URL;
    await rm(secret, { force: true });
  }
});
