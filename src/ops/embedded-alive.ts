import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface ProcessState {
  /** The program's name in the process table. */
  command: string;
  /** The start time. It is comparable only on the same machine since its last boot. */
  startedAt: string;
  /** The start time in seconds since 1970; null where the system does not report it. */
  startedSeconds: number | null;
}

/** Reads the state of a process. Null when there is none, or only a zombie (dead, not yet collected by its parent). */
export function readProcess(pid: number): ProcessState | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

function readFromProc(pid: number): ProcessState | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name is in brackets and may itself contain spaces and brackets, so fields are counted from the last bracket.
  const close = stat.lastIndexOf(')');
  const fields = stat.slice(close + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === undefined || ticks === undefined || state === 'Z' || state === 'X') return null;
  return {
    command: stat.slice(stat.indexOf('(') + 1, close),
    startedAt: `${bootId()}.${ticks}`,
    startedSeconds: bootSeconds() + Number(ticks) / ticksPerSecond,
  };
}

/** Returns the parent of a process; undefined when the process is gone or the system has no /proc. */
export function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** USER_HZ, the unit of /proc: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

function bootSeconds(): number {
  return Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
}

/** Returns an id of the current boot. Ticks count from the boot, so they cannot be compared across one. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(bootSeconds());
  }
}

function readFromPs(pid: number): ProcessState | null {
  let line: string;
  try {
    line = execFileSync('ps', ['-o', 'stat=,lstart=,comm=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    });
  } catch {
    return null;
  }
  const match = /^(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.+)$/.exec(line.trim());
  if (!match) return null;
  const [, state = '', startedAt = '', command = ''] = match;
  if (state.startsWith('Z')) return null;
  const seconds = Date.parse(startedAt) / 1000;
  return {
    command: command.slice(command.lastIndexOf('/') + 1),
    startedAt,
    startedSeconds: Number.isNaN(seconds) ? null : seconds,
  };
}
