import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, extname, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';

/**
 * The sandbox of the parser process (docs/security.md §6.1). The process may only read the program and its packages.
 * Node's permission model refuses every other file, programs, threads and native code. The operating system gives it no
 * network, no new rights, and its own user when we are root.
 */

/** A user id that owns no file. */
const sandboxUser = '64217';
const dropRights = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
const asOwnUser = ['setpriv', '--reuid', sandboxUser, '--regid', sandboxUser, '--clear-groups', ...dropRights];
const withoutRights = ['setpriv', ...dropRights];

/**
 * Returns the commands that may be put before the program, the strictest first. A machine or a container may refuse
 * some of them.
 */
function sandboxCommands(isRoot: boolean): readonly (readonly string[])[] {
  if (process.platform !== 'linux') return [[]];
  return isRoot
    ? [
        ['unshare', '--net', ...asOwnUser],
        asOwnUser,
        // For a program in a directory that only root can read.
        ['unshare', '--net', ...withoutRights],
        withoutRights,
        [],
      ]
    : [['unshare', '--map-root-user', '--net', ...withoutRights], ['setpriv', '--no-new-privs'], []];
}

const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** Returns the folder of the packages that the parser uses, wherever they are installed. */
function packagesFolder(): string {
  const file = createRequire(import.meta.url).resolve('@e965/xlsx');
  return file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules${sep}`.length);
}

/**
 * Returns the Node options of the sandbox for a built program. TypeScript's loader needs what they refuse, so they are
 * not used in development.
 */
export function permissionsOf(program: string): readonly string[] {
  if (extname(program) === '.ts') return [];
  const readable = [dirname(program) + sep, packagesFolder()];
  return [permission, ...readable.map((folder) => `--allow-fs-read=${folder}`)];
}

/** Whether the parser can read a small table with these commands, that is, whether they work on this machine. */
async function canRun(way: readonly string[], command: readonly string[]): Promise<boolean> {
  const [program = '', ...args] = [...way, ...command, 'sheets', '{}'];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {}, timeout: 10_000 });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end('A\n1\n');
  const [code, answer] = await Promise.all([ended, buffer(child.stdout).catch(() => Buffer.alloc(0))]);
  return code === 0 && answer.toString('latin1').startsWith('{"read"');
}

/** Returns the strictest sandbox that works here. `command` starts the program. */
export async function findSandbox(command: readonly string[], isBuilt: boolean): Promise<readonly string[]> {
  if (!isBuilt) return [];
  for (const way of sandboxCommands(process.getuid?.() === 0))
    if (way.length === 0 || (await canRun(way, command))) return way;
  return [];
}
