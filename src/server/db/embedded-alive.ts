import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessLook {
  /** The program's name as the system keeps it. */
  command: string;
  /** When it started; only to be compared with another look at the same machine. */
  startedAt: string;
  /** The same in seconds since 1970, where the system tells. */
  startedSeconds: number | null;
}

/** Looks at a process. Null when there is none, or only a zombie: dead, and not yet collected by its parent. */
export function lookAtProcess(pid: number): ProcessLook | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? lookInProc(pid) : lookWithPs(pid);
}

function lookInProc(pid: number): ProcessLook | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name stands in brackets and may itself hold spaces and brackets: what follows is counted from the last one.
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

/** USER_HZ, what /proc counts in: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

function bootSeconds(): number {
  return Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
}

/** Ticks count from the machine's start, so they say nothing across two of them. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(bootSeconds());
  }
}

function lookWithPs(pid: number): ProcessLook | null {
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
