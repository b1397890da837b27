import { readdirSync, readFileSync } from 'node:fs';

/** Processor time and memory of other processes, from /proc. */

/** The processor time of a process with all its threads, in nanoseconds; 0 when the process has ended. */
export function cpuNs(pid: number): number {
  let total = 0;
  for (const thread of list(`/proc/${pid}/task`)) {
    total += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0);
  }
  return total;
}

/**
 * The processor time of all processes of the database, in nanoseconds: the postmaster, its children, and children that have
 * ended, such as the workers of a parallel query. Linux adds the time of the last to the postmaster, in hundredths of a
 * second.
 */
export function databaseCpuNs(postmaster: number): number {
  const [user, system] = statOf(postmaster).slice(13, 15).map(Number);
  let total = cpuNs(postmaster) + ((user ?? 0) + (system ?? 0)) * 1e7;
  for (const pid of childrenOf(postmaster)) total += cpuNs(pid);
  return total;
}

function childrenOf(parent: number): number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)[1]) === parent);
}

/** The fields after the name, which is in brackets and may itself contain spaces. */
function statOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Returns the largest resident memory while `work` runs, read every 20 ms. */
export async function peakDuring<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = residentBytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 20);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
