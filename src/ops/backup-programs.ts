import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '../server/operator-error.ts';
import { Decrypt, Encrypt, isEncrypted } from './backup-cipher.ts';

/** Packs a copy of the embedded database into one file: tar, gzip, and encryption when there is a key. */
export async function packCopy(directory: string, file: string, key: Buffer | null): Promise<void> {
  await runProgram('tar', ['-cf', '-', '-C', directory, '.'], {
    output: (from) => pipeline([from, createGzip({ level: 1 }), ...(key ? [new Encrypt(key)] : []), fileSink(file)]),
  });
}

export async function unpackCopy(file: string, directory: string, key: Buffer | null): Promise<void> {
  await runProgram('tar', ['-xf', '-', '-C', directory], {
    input: async (to) => pipeline([...(await openFile(file, key)), createGunzip(), to]),
  });
}

/**
 * Dumps a server's database with pg_dump, without the rights on PostgreSQL's own functions, which another version may not have:
 * each start takes them from the role of requests again (server/db/app-role.ts). Row-level security applies to the owner of the tables too, who has a policy
 * that shows every row. The password is passed in the environment, where `ps` does not show it.
 */
export async function dumpServer(url: string, file: string, key: Buffer | null, folder?: string): Promise<void> {
  const { without, env } = splitPassword(url);
  await runProgram(
    'pg_dump',
    ['-Fc', '--exclude-schema=pg_catalog', '--enable-row-security', '--no-password', '-d', without],
    {
      env,
      folder,
      output: (from) => pipeline([from, ...(key ? [new Encrypt(key)] : []), fileSink(file)]),
    },
  );
}

/** Restores a dump in one transaction. Connect as the owner of the schema, which must be empty. */
export async function restoreServer(file: string, url: string, key: Buffer | null, folder?: string): Promise<void> {
  const { without, env } = splitPassword(url);
  const args = ['--exit-on-error', '--single-transaction', '--no-password', '-d', without];
  const input = async (to: Writable) => pipeline([...(await openFile(file, key)), to]);
  await runProgram('pg_restore', args, { env, folder, input });
}

/**
 * Returns the roles that a backup refers to, as owners or in grants. Roles belong to the cluster and are not part of
 * the backup.
 */
export async function rolesIn(file: string, key: Buffer | null, folder?: string): Promise<string[]> {
  let text = '';
  await runProgram('pg_restore', ['--schema-only', '-f', '-'], {
    folder,
    input: async (to) => pipeline([...(await openFile(file, key)), to]),
    output: async (from) => {
      for await (const chunk of from) text += String(chunk);
    },
  });
  const named = text.matchAll(/^(?:ALTER .* OWNER TO|GRANT .* TO|CREATE POLICY .*? TO) "?([a-z_][\w-]*)"?[ ;]/gm);
  return [...new Set([...named].map(([, name = '']) => name))].filter((name) => !/^(public|pg_.*)$/i.test(name)).sort();
}

function splitPassword(url: string): { without: string; env: NodeJS.ProcessEnv } {
  const parsed = new URL(url);
  const { password } = parsed;
  parsed.password = '';
  return { without: parsed.href, env: password === '' ? {} : { PGPASSWORD: decodeURIComponent(password) } };
}

const fileSink = (file: string): Writable => createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });

/** Opens one of our files as a stream, and decrypts it when it is encrypted. */
export async function openFile(file: string, key: Buffer | null): Promise<[Readable, ...Decrypt[]]> {
  if (!(await isEncrypted(file))) return [createReadStream(file)];
  if (key === null) throw new OperatorError(`${file} is encrypted: name its key file in BACKUP_KEY_FILE.`);
  return [createReadStream(file, { highWaterMark: 1024 * 1024 }), new Decrypt(key)];
}

interface ProgramOptions {
  env?: NodeJS.ProcessEnv;
  /** The folder of the program. Absent: it is on the PATH. */
  folder?: string | undefined;
  /** Writes the whole input to the program, or throws. */
  input?: (to: Writable) => Promise<void>;
  output?: (from: Readable) => Promise<void>;
}

const packages: Readonly<Record<string, string>> = {
  pg_dump: ", of PostgreSQL's client programs (Debian: postgresql-client), at least as new as the server,",
  pg_restore: ", of PostgreSQL's client programs (Debian: postgresql-client), at least as new as the backup's,",
};

/**
 * Wraps the standard input of a program. The program may stop reading before the end: tar does so after its last file.
 * The rest of the input is still read, because damage of a backup may appear only there. Whether the program succeeded
 * is decided by its exit code.
 */
function toProgram(stdin: Writable): Writable {
  stdin.on('error', () => undefined);
  return new Writable({
    write: (chunk, _, done) => void (stdin.writable ? stdin.write(chunk, () => done()) : done()),
    final: (done) => {
      stdin.end();
      done();
    },
  });
}

/** Runs a program with these streams. When it fails, its error output becomes the message. */
async function runProgram(
  program: string,
  args: readonly string[],
  { env, folder, input, output }: ProgramOptions,
): Promise<void> {
  const child = spawn(folder === undefined ? program : join(folder, program), args, {
    stdio: [input ? 'pipe' : 'ignore', output ? 'pipe' : 'ignore', 'pipe'],
    env: { ...process.env, ...env, LC_ALL: 'C' },
  });
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-4_000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const flow = Promise.all([
    input && child.stdin ? input(toProgram(child.stdin)) : undefined,
    output && child.stdout ? output(child.stdout) : undefined,
  ]);
  // The flow is awaited below, after the program has ended.
  flow.catch(() => child.kill());
  let code: number | null;
  try {
    code = await ended;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new OperatorError(`The program ${program}${packages[program] ?? ''} was not found.`, { cause: error });
  }
  const failure = await flow.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof OperatorError) throw failure;
  if (code !== 0 || failure !== undefined) {
    const line = errorOutput.split('\n').find((text) => /error|fatal|:/i.test(text)) ?? '';
    const why = line.trim() || (failure instanceof Error ? failure.message : `it ended with ${code}`);
    throw new OperatorError(`The program ${program} failed: ${why}`, { cause: failure });
  }
}
