import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../../src/tasks/built.ts';
import { findNode, nodeLines, nodeMissing } from '../../../src/tasks/node-versions.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { kill, processTree, removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { buildChallan, buildOwner, buildPump, buildTag } from '../support/builders.ts';

/** The built server on each line of Node that the README promises: the day's work once, from the first start to the stop. */
const password = 'correct horse 42';

const leftovers: number[] = [];
afterEach(() => {
  for (const pid of leftovers.splice(0)) kill(processTree(pid));
});
beforeAll(async () => expect(await ensureBuilt()).toBe(true), 90_000);
afterAll(removeDirectories);

async function start(node: string, dataDir: string) {
  const child = spawn(node, [join(projectRoot, 'dist/server/main.js')], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', PORT: '0', DATA_DIR: dataDir, ADMIN_PASSWORD: password },
  });
  leftovers.push(child.pid ?? 0);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const addressIn = () => /running at (http:\S+)/.exec(output)?.[1];
  await expect.poll(() => addressIn() ?? child.exitCode, { timeout: 60_000 }).not.toBeNull();
  expect(addressIn(), output).toBeDefined();
  return { child, ended, url: `${addressIn()}/api`, output: () => output };
}

interface Json {
  id: string;
  token: string;
  data: Json;
  [field: string]: unknown;
}

/** POST, unless another method is said; a failure shows what was answered. */
async function call(url: string, path: string, token: string, body: unknown): Promise<Response> {
  const isFile = body instanceof FormData;
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(isFile ? {} : { 'content-type': 'application/json' }) },
    body: isFile ? body : JSON.stringify(body),
  });
  expect(response.ok, `${path}: ${response.status} ${response.ok ? '' : await response.text()}`).toBe(true);
  return response;
}

describe.skipIf(process.platform === 'win32').each(nodeLines)('the built server on Node %i', (line) => {
  it('signs in, saves a challan, reads a pump file, pays, exports and stops', { timeout: 120_000 }, async () => {
    const node = findNode(line);
    if (node === undefined) throw new Error(nodeMissing(line));
    const dataDir = await temporaryDirectory();
    const server = await start(node, dataDir);
    // The answers of the contract, checked by what is read of them.
    const ask = async (path: string, token: string, body: unknown): Promise<Json> =>
      (await (await call(server.url, path, token, body)).json()) as Json;

    const admin = await ask('/admin/login', '', { email: 'admin@localhost', password });
    const account = { email: 'desk@challan.test', password };
    await ask('/subadmins', admin.data.token, {
      ...account,
      bannerName: 'Maa Tarini Transport',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'Keonjhar',
    });
    const { token } = await ask('/subadmins/login', '', account);
    const ownerBody = buildOwner();
    const owner = await ask('/owners', token, ownerBody);
    const tag = await ask('/tags', token, buildTag());
    const pump = await ask('/petrol-pumps', token, buildPump());
    const body = buildChallan({ ownerId: owner.data.id, tagId: tag.data.id }, { ownerName: ownerBody.name });
    const challan = await ask('/challans', token, {
      ...body,
      petrolPumpId: pump.data.id,
      hsdInLiters: '10.00',
      hsdPricePerLiter: '90.00',
    });

    // Read in a child process, which is started with options of Node's own.
    const file = new FormData();
    file.set('file', new Blob([`TP No,Amount\r\n${body.tpNo},900.00\r\n`]), 'pump.csv');
    const upload = await ask('/challans/hsd-verification/upload', token, file);
    expect(JSON.stringify(upload.data)).toContain(challan.data.id);

    const paid = await ask('/challans/bank-report/bulk-payment', token, { challanIds: [challan.data.id] });
    expect(paid.data).toMatchObject({ updatedCount: 1 });
    const csv = await call(server.url, '/challans/export-filtered-csv', token, { filters: {} });
    expect(await csv.text()).toContain(body.tpNo);

    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
    // Warnings of a newer Node (something deprecated) would stand here too.
    // What is said of the version depends on the day (postgres-release.ts).
    const [version, ...lines] = server
      .output()
      .replaceAll(/ at http:\S+/g, '')
      .split(/(?<=\n)/);
    expect(version).toMatch(/^The database is PostgreSQL 18\.\d+\.[ \n]/);
    expect(lines.join('')).toBe(
      'First start: admin admin@localhost with the password of ADMIN_PASSWORD (sign in at /adminlogin)\n' +
        'Challan Desk is running\nStopping (SIGTERM)\n',
    );
  });
});
