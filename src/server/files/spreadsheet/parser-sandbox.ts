import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, extname, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';

/**
 * What the parser's process may do (docs/security.md §6.1): read the program and its packages, and nothing else. Node's
 * permission model refuses it every other file, programs, threads and native code; the system gives it no network, no new
 * rights, and a user of its own when we are root.
 */

/** Nobody's: no file belongs to it. */
const ownUser = '64217';
const noRights = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
const asOwnUser = ['setpriv', '--reuid', ownUser, '--regid', ownUser, '--clear-groups', ...noRights];
const withoutRights = ['setpriv', ...noRights];

/** What may stand before the program, the strictest first; a machine or a container may refuse some of it. */
function waysOf(isRoot: boolean): readonly (readonly string[])[] {
  if (process.platform !== 'linux') return [[]];
  return isRoot
    ? [
        ['unshare', '--net', ...asOwnUser],
        asOwnUser,
        // The program lies where only root reads.
        ['unshare', '--net', ...withoutRights],
        withoutRights,
        [],
      ]
    : [['unshare', '--map-root-user', '--net', ...withoutRights], ['setpriv', '--no-new-privs'], []];
}

const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** The packages of the program's readers, wherever they are installed. */
function packagesFolder(): string {
  const file = createRequire(import.meta.url).resolve('@e965/xlsx');
  return file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules${sep}`.length);
}

/** For a built program; TypeScript's loader needs what is refused here, and is for development. */
export function permissionsOf(program: string): readonly string[] {
  if (extname(program) === '.ts') return [];
  const readable = [dirname(program) + sep, packagesFolder()];
  return [permission, ...readable.map((folder) => `--allow-fs-read=${folder}`)];
}

/** With it the parser reads a small table: then it works on this machine. */
async function works(way: readonly string[], command: readonly string[]): Promise<boolean> {
  const [program = '', ...args] = [...way, ...command, 'csv', 'sheets', '{}'];
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

/** The strictest way that works here; `command` starts the program. */
export async function findWay(command: readonly string[], isBuilt: boolean): Promise<readonly string[]> {
  if (!isBuilt) return [];
  for (const way of waysOf(process.getuid?.() === 0)) if (way.length === 0 || (await works(way, command))) return way;
  return [];
}
