import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { fileMessages } from '../../../src/server/files/spreadsheet/messages.ts';
import {
  parseInChild,
  parserLimits,
  parserPids,
  readingPlaces,
} from '../../../src/server/files/spreadsheet/parser-process.ts';
import { UploadMemory, uploadsUnderWay } from '../../../src/server/http/upload.ts';
import { multipartBody, multipartType } from './hsd-corpus/multipart.ts';
import { oneSheet } from './hsd-corpus/workbook.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { csvOf, uploadFile } from '../support/hsd-desk.ts';
import { answerOf, listen, openUpload, send, until, type SocketAnswer } from '../support/hsd-socket.ts';
import { ParserMemory } from '../support/parser-memory.ts';

/** Uploads that break off, are killed, never end or come by the dozen (docs/security.md §6.1). */
let api: Api;
let tenant: Tenant;
let port: number;
const sockets = new Set<Socket>();
const ownTmp = mkdtempSync(join(tmpdir(), 'challan-hsd-'));
const realTmp = process.env.TMPDIR;

beforeAll(async () => {
  process.env.TMPDIR = ownTmp;
  api = await startApi();
  tenant = await api.addTenant();
  api.app.server.on('connection', (socket) => sockets.add(socket));
  port = await listen(api);
});
afterAll(async () => {
  await api.close();
  if (realTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = realTmp;
  rmSync(ownTmp, { recursive: true, force: true });
});

const isLinux = process.platform === 'linux';
const bill = csvOf([['000123', '500']]);
const bodyOf = (content: Buffer | string): Buffer => multipartBody([{ fileName: 'bill.csv', content }]);
const takenPlaces = (): number => readingPlaces.counts().running + readingPlaces.counts().waiting;
const isQuiet = (): boolean =>
  uploadsUnderWay.counts().running === 0 && UploadMemory.inUse === 0 && takenPlaces() === 0 && parserPids.size === 0;
const expectNextWorks = async (): Promise<void> => {
  expect((await uploadFile(api, tenant, 'bill.csv', bill)).status).toBe(200);
  expect(isQuiet()).toBe(true);
  expect(readdirSync(ownTmp)).toEqual([]);
};
const messageOf = ({ text }: SocketAnswer): string => (JSON.parse(text) as { message: string }).message;
const firstPid = async (): Promise<number> => {
  await until(() => parserPids.size > 0);
  // There is one: just waited for.
  return [...parserPids][0]!;
};

describe('a body that never ends', () => {
  it('is given up after 10 MB and a little, and the connection with it', async () => {
    sockets.clear();
    const open = openUpload(port, tenant);
    const answer = answerOf(open);
    const chunk = Buffer.alloc(64 * 1024, '1');
    open.write(bodyOf('').subarray(0, 150));
    const over = new AbortController();
    void answer.finally(() => over.abort()).catch(() => undefined);
    open.on('error', () => over.abort());
    while (!over.signal.aborted) {
      if (!open.write(chunk)) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const refused = await answer.catch(() => null);
    open.destroy();
    // A client that goes on sending may meet the closed connection before it has read the answer.
    if (refused) expect([refused.status, messageOf(refused)]).toEqual([413, fileMessages.tooLarge]);
    await until(isQuiet);
    const taken = [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
    console.log(`Taken in of an endless upload: ${(taken / 1024 / 1024).toFixed(1)} MiB`);
    expect(taken).toBeLessThan(13 * 1024 * 1024);
    await expectNextWorks();
  });

  it('is refused by its announced size before a byte of it is kept', async () => {
    const open = openUpload(port, tenant, 50_000_000);
    const answer = answerOf(open);
    open.write(bodyOf('').subarray(0, 150));
    const refused = await answer;
    open.destroy();
    expect([refused.status, messageOf(refused), refused.headers.connection]).toEqual([
      413,
      fileMessages.tooLarge,
      'close',
    ]);
    await expectNextWorks();
  });
});

describe('an upload that breaks off', () => {
  it('forty times half-way leaves nothing behind', async () => {
    const content = bodyOf(Buffer.alloc(1_000_000, '1'));
    for (let round = 0; round < 10; round += 1) {
      const opened = Array.from({ length: 4 }, () => {
        const open = openUpload(port, tenant, content.length);
        open.on('error', () => undefined);
        open.write(content.subarray(0, 400_000));
        return open;
      });
      await until(() => UploadMemory.inUse >= 4 * 400_000);
      expect([uploadsUnderWay.counts().running, takenPlaces()]).toEqual([4, 0]);
      for (const open of opened) open.destroy();
      await until(isQuiet);
    }
    await expectNextWorks();
  });

  it.each([
    ['cut', (socket: Socket) => socket.destroy()],
    ['closed', (socket: Socket) => socket.end()],
  ])('right behind its headers, the connection %s, keeps no place from the next', async (_, leave) => {
    const headers = [
      `POST /api${contract.hsdVerification.upload.path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${tenant.token}`,
      `Content-Type: ${multipartType}`,
      'Content-Length: 1000000',
    ];
    let arrived = 0;
    const count = (): void => void (arrived += 1);
    api.app.server.on('request', count);
    for (let n = 0; n < 40; n += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${headers.join('\r\n')}\r\n\r\n`, () => leave(socket));
    }
    await until(() => arrived === 40);
    api.app.server.off('request', count);
    await until(isQuiet);
    await expectNextWorks();
  });

  it('while its file is being read ends the reading', async () => {
    const body = bodyOf(bill);
    const open = openUpload(port, tenant, body.length);
    open.on('error', () => undefined);
    open.end(body);
    const pid = await firstPid();
    open.destroy();
    await until(isQuiet);
    await until(() => !isAlive(pid));
    await expectNextWorks();
  });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a parser', () => {
  it('that is killed gives one plain answer, and the next upload works', async () => {
    const answer = send(port, tenant, bodyOf(bill));
    process.kill(await firstPid(), 'SIGKILL');
    const { status, headers, text } = await answer;
    expect([status, headers['retry-after'], messageOf({ status, headers, text })]).toEqual([
      503,
      '2',
      fileMessages.interrupted,
    ]);
    await expectNextWorks();
  });

  it('that does not come to an end is ended, and the file is to blame', async () => {
    const answer = send(port, tenant, bodyOf(bill));
    // Stopped: as far as the server can see, it works on its file for ever.
    process.kill(await firstPid(), 'SIGSTOP');
    const refused = await answer;
    expect([refused.status, messageOf(refused)]).toEqual([400, fileMessages.tooHard]);
    await expectNextWorks();
  });

  const tooMuch: [string, Partial<typeof parserLimits>][] = [
    ['a larger heap than it has', { maxHeap: 8 }],
    ['more time than it has', { wallMs: 1 }],
  ];
  // Elsewhere there is no watch: only V8's limit applies.
  if (isLinux) tooMuch.push(['more memory than it may hold', { maxMemory: 20 * 1024 * 1024 }]);

  it.each(tooMuch)('that needs %s is ended, and the file is to blame', async (_, over) => {
    const rows = Array.from({ length: 20_000 }, (_value, n) => [`N${n}`, 1]);
    const book = oneSheet([['TP No', 'Amount'], ...rows]);
    const reading = parseInChild('hsd', book, new AbortController().signal, { ...parserLimits, ...over });
    await expect(reading).rejects.toThrow(fileMessages.tooHard);
    expect(parserPids.size).toBe(0);
  });

  // What a process is and may is read from /proc.
  it.runIf(isLinux)('knows nothing of the server: no environment, no file to write', async () => {
    process.env.CANARY_SECRET = 'the address of the database';
    const answer = send(port, tenant, bodyOf(bill));
    const pid = await firstPid();
    // The shell sets the limits and becomes the parser.
    await until(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(process.execPath));
    process.kill(pid, 'SIGSTOP');
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
    process.kill(pid, 'SIGKILL');
    delete process.env.CANARY_SECRET;
    expect((await answer).status).toBe(503);
    expect(environment).not.toContain('CANARY_SECRET');
    expect(/Max file size\s+(\d+)/.exec(limits)?.[1]).toBe('0');
    expect(Number(/Max cpu time\s+(\d+)/.exec(limits)?.[1])).toBe(20);
  });
});

async function sendFromElsewhere(body: Buffer, count: number): Promise<(SocketAnswer | null)[]> {
  const folder = mkdtempSync(join(realTmp ?? '/tmp', 'challan-sender-'));
  try {
    const file = join(folder, 'body');
    writeFileSync(file, body);
    const program = join(import.meta.dirname, '../support/hsd-sender.ts');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', program, String(port), tenant.token, String(count), file],
      { maxBuffer: 256 * 1024 * 1024, env: { ...process.env, TMPDIR: folder } },
    );
    return JSON.parse(stdout) as (SocketAnswer | null)[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('uploads that send a few bytes and stop', () => {
  it('keep neither the uploads of another account nor a place to be read from anybody', async () => {
    const content = bodyOf(bill);
    const opened = Array.from({ length: 12 }, () => {
      const open = openUpload(port, tenant, content.length);
      const answer = answerOf(open).catch(() => null);
      open.write(content.subarray(0, 100));
      return { open, answer };
    });
    await until(() => uploadsUnderWay.counts().running === 4);
    expect(takenPlaces()).toBe(0);

    const other = await api.addTenant();
    expect((await send(port, other, content)).status).toBe(200);
    // Too many of the account's own, and said so without waiting for the rest of them.
    const refused = opened.map(({ answer }) =>
      answer.then((said) => said && [said.status, said.headers['retry-after']]),
    );
    expect(await Promise.race(refused)).toEqual([429, '5']);

    for (const { open } of opened) open.destroy();
    await until(isQuiet);
    await expectNextWorks();
  });

  it('of one account are read one after another, so that another account has its turn', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n): [string, string] => [`NEW-${n}`, `${n}.50`]);
    const large = bodyOf(csvOf(rows));
    readingPlaces.peak.running = 0;
    const all = [send(port, tenant, large), send(port, tenant, large), send(port, tenant, large)];
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(readingPlaces.peak.running).toBe(1);
    const other = await api.addTenant();
    const both = await Promise.all([send(port, tenant, large), send(port, other, large)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(readingPlaces.peak.running).toBe(2);
  });
});

describe('fifty uploads at once', () => {
  it('some are read, some wait, the others are asked to come again, and everybody else is served', async () => {
    const other = await api.addTenant();
    const rows = Array.from({ length: 20_000 }, (_, n): [string, string] => [`NEW-${n}`, `${n}.50,${'x'.repeat(230)}`]);
    const body = bodyOf(csvOf(rows).replace('Amount', 'Amount,Note'));
    const lag = monitorEventLoopDelay({ resolution: 5 });
    const memory = new ParserMemory();
    const restRss = process.memoryUsage().rss;
    let peakRss = restRss;
    const clock = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage().rss)), 20);
    lag.enable();

    const over = new AbortController();
    const uploads = sendFromElsewhere(body, 50).finally(() => over.abort());
    const others: number[] = [];
    const times: number[] = [];
    while (!over.signal.aborted) {
      const begun = performance.now();
      others.push((await api.call(contract.challans.list, {}, { token: other.token })).status);
      times.push(performance.now() - begun);
    }
    const ends = await uploads;
    const answers = ends.filter((answer) => answer !== null);
    lag.disable();
    clearInterval(clock);
    memory.stop();

    const done = answers.filter(({ status }) => status === 200);
    const busy = answers.filter(({ status }) => status === 429);
    // On a machine that is busy with other things the clock may end a reading; that too is a plain answer.
    const late = answers.filter((answer) => answer.status === 400 && messageOf(answer) === fileMessages.tooHard);
    const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);
    times.sort((a, b) => a - b);
    console.log(
      `50 uploads of ${mb(body.length)} MB: ${done.length} read, ${busy.length} asked to come again, ${late.length} ended by the clock, ` +
        `${ends.length - answers.length} cut off; ` +
        `event loop lag p99 ${(lag.percentile(99) / 1e6).toFixed(0)} ms, most ${(lag.max / 1e6).toFixed(0)} ms; ` +
        `another user's ${times.length} calls p99 ` +
        `${times[Math.floor(times.length * 0.99)]?.toFixed(0)} ms; memory +${mb(peakRss - restRss)} MB, ` +
        `a parser at most ${memory.peakMb.toFixed(0)} MB`,
    );
    expect(ends).toHaveLength(50);
    expect(done.length + busy.length + late.length).toBe(answers.length);
    expect(busy.length).toBeGreaterThan(0);
    expect(readingPlaces.peak.running).toBeLessThanOrEqual(2);
    expect(readingPlaces.peak.taken).toBeLessThanOrEqual(12);
    for (const answer of busy)
      expect([answer.headers['retry-after'], messageOf(answer)]).toEqual(['5', fileMessages.busy]);
    for (const { text } of done)
      expect((JSON.parse(text) as { data: { totalRecords: number } }).data.totalRecords).toBe(20_000);
    expect(new Set(others)).toEqual(new Set([200]));
    // Twelve files of 5 MB and their answers, with what the collector has not taken back yet.
    expect(peakRss - restRss).toBeLessThan(400 * 1024 * 1024);
    expect(memory.peakMb).toBeLessThan(600);
    await until(isQuiet);
    await expectNextWorks();
  }, 120_000);
});
