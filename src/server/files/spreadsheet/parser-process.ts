import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isTableName } from '../../../shared/reading/tables.ts';
import { Refusal } from '../../refusal.ts';
import { Semaphore } from '../../semaphore.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { parserAnswers, type ReadAs, type Reading } from './parser-answer.ts';
import { findSandbox, permissionsOf } from './parser-sandbox.ts';
import type { HsdReading } from './bill-table.ts';

/** The limits for reading one file (docs/security.md §6.1). */
export const parserLimits = {
  /** Wall-clock time in milliseconds. */
  wallMs: 10_000,
  /** Resident memory in bytes. A parser that uses more is killed. V8's own limit does not include buffers. */
  maxMemory: 512 * 1024 * 1024,
  /** V8's heap, in megabytes. */
  maxHeap: 256,
};
/**
 * Enough for 20,000 rows of the longest TP numbers with a sentence about each. Sheets with more text than this must be
 * split.
 */
const maxAnswer = 16 * 1024 * 1024;

/**
 * The program is next to this module: a .ts file under tsx and in the tests, an entry of its own in the build
 * (tasks/build-app.ts).
 */
const ownExtension = extname(fileURLToPath(import.meta.url));
const loader = ownExtension === '.ts' ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [];
/** The program that Node runs. The tests replace it with a built one, which starts in a tenth of the time. */
export const parserProgram = { args: [...loader, join(import.meta.dirname, `spreadsheet-child${ownExtension}`)] };

/** Limits of the kernel, which apply even when this process dies: seconds of processor time, no files, no core dump. */
const kernelLimits = 'ulimit -t 20; ulimit -f 0; ulimit -c 0; exec "$0" "$@"';

/** The sandbox that works on this machine. It is determined once. */
let sandbox: Promise<readonly string[]> | undefined;

type Parser = ChildProcessByStdio<Writable, Readable, null>;

/** The running parser processes, for tests and debugging. */
export const parserPids = new Set<number>();

/**
 * Limits the files that are being parsed or wait for it (docs/security.md §6.1). The files of one account are parsed
 * one after the other, so that other accounts need not wait for all of them. The server answers within 25 s
 * (docs/specification.md §14.1): 8 of these are for waiting, ten for the parser, the rest for the database.
 */
export const readingPlaces = new Semaphore({
  running: { perKey: 1, inAll: 2 },
  waiting: { inAll: 10 },
  waitMs: 8_000,
  refusal: () => new Refusal('TOO_MANY_REQUESTS', fileMessages.busy, { retryAfterSeconds: 5 }),
});

/**
 * Parses an account's file when it is the account's turn. Its name only says that it is meant as a table.
 * @throws UnreadableFile when the file is the cause
 */
export function parseInTurn<R extends Reading>(
  reading: R,
  account: string,
  fileName: string,
  bytes: Buffer,
  signal: AbortSignal,
  options: HsdReading = {},
): Promise<ReadAs<R>> {
  if (!isTableName(fileName)) return Promise.reject(new UnreadableFile(fileMessages.wrongType));
  return readingPlaces.run(account, signal, () => parseInChild(reading, bytes, signal, parserLimits, options));
}

/**
 * Parses a file in a separate process.
 * @throws UnreadableFile when the file is the cause
 */
export async function parseInChild<R extends Reading>(
  reading: R,
  bytes: Buffer,
  signal: AbortSignal,
  limits = parserLimits,
  options: HsdReading = {},
): Promise<ReadAs<R>> {
  if (signal.aborted) throw interrupted();
  const program = parserProgram.args.at(-1) ?? '';
  const permissions = permissionsOf(program);
  sandbox ??= findSandbox(
    [process.execPath, ...permissions, '--no-warnings', ...parserProgram.args],
    permissions.length > 0,
  );
  const parser: Parser = spawn(
    '/bin/sh',
    [
      '-c',
      kernelLimits,
      ...(await sandbox),
      process.execPath,
      ...permissions,
      `--max-old-space-size=${limits.maxHeap}`,
      '--no-warnings',
      ...parserProgram.args,
      reading,
      JSON.stringify(options),
    ],
    // The process gets nothing of our environment: no database address, no password.
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: { TSX_DISABLE_CACHE: '1', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    },
  );
  if (parser.pid !== undefined) parserPids.add(parser.pid);
  let reason: 'limit' | 'left' | null = null;
  const kill = (why: 'limit' | 'left'): void => {
    reason ??= why;
    parser.kill('SIGKILL');
  };
  const leave = (): void => kill('left');
  signal.addEventListener('abort', leave, { once: true });
  const done = new AbortController();
  const clock = setTimeout(() => kill('limit'), limits.wallMs);
  void watchMemory(parser, limits.maxMemory, done.signal, () => kill('limit'));
  try {
    const text = collect(parser, () => kill('limit'));
    // How the process ended is checked first. A broken pipe adds nothing to that.
    text.catch(() => undefined);
    // The parser may exit before it has read everything. Its answer or exit code says why.
    parser.stdin.on('error', () => undefined);
    parser.stdin.end(bytes);
    const end = await waitForEnd(parser);
    if (reason === 'limit' || end === 'out of memory') throw new UnreadableFile(fileMessages.tooHard);
    if (reason === 'left' || end !== 'ok') throw interrupted();
    return readAnswer(reading, await text);
  } finally {
    clearTimeout(clock);
    done.abort();
    signal.removeEventListener('abort', leave);
    if (parser.pid !== undefined) parserPids.delete(parser.pid);
  }
}

const interrupted = (): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', fileMessages.interrupted, { retryAfterSeconds: 2 });

function readAnswer<R extends Reading>(reading: R, text: string): ReadAs<R> {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw interrupted();
  }
  const answer = parserAnswers[reading].safeParse(said);
  if (!answer.success) throw new UnreadableFile(fileMessages.damaged);
  if ('refused' in answer.data) throw new UnreadableFile(answer.data.refused, answer.data.columns);
  // The cast is safe: the schema is the one of this reading.
  return answer.data.read as ReadAs<R>;
}

async function collect(parser: Parser, onTooMuch: () => void): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A pipe without an encoding yields buffers.
  for await (const chunk of parser.stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswer) onTooMuch();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Waits for the end of the parser. Node aborts with SIGABRT or SIGTRAP when its heap is full; SIGXCPU is the kernel's
 * limit of processor time.
 */
function waitForEnd(parser: Parser): Promise<'ok' | 'out of memory' | 'broken'> {
  return new Promise((resolve) => {
    parser.once('error', () => resolve('broken'));
    parser.once('close', (code, signal) => {
      if (code === 0) resolve('ok');
      else if (['SIGABRT', 'SIGTRAP', 'SIGXCPU'].includes(signal ?? '') || code === 134 || code === 133)
        resolve('out of memory');
      else resolve('broken');
    });
  });
}

/**
 * Checks a parser's memory until it has ended. Only on Linux, where this is cheap; elsewhere only V8's limit applies.
 */
async function watchMemory(parser: Parser, maxMemory: number, done: AbortSignal, onTooMuch: () => void): Promise<void> {
  const { pid } = parser;
  if (pid === undefined || process.platform !== 'linux') return;
  while (!done.aborted) {
    await wait(25);
    // The process may have ended between two checks.
    const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => null);
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(status ?? '')?.[1];
    if (resident === undefined) return;
    if (Number(resident) * 1024 > maxMemory) onTooMuch();
  }
}
