import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { lookAtProcess } from './embedded-alive.ts';

/** Why the embedded database cannot start, in one line for the operator. */
export class EmbeddedError extends OperatorError {
  override name = 'EmbeddedError';
}

/**
 * Takes the data directory for this process, by a file with its pid, and returns what gives it back. A second app on the
 * same directory is refused (docs/architecture.md §6.2): sharing the first one's server would hide that two are running.
 */
export function ownDirectory(dataDir: string): () => void {
  const file = join(dataDir, 'app.pid');
  const mine = join(dataDir, `app.pid.${randomBytes(6).toString('hex')}`);
  const text = thisProcess();
  try {
    writeFileSync(mine, text, { mode: 0o644 });
    take(file, mine, (holder) => {
      throw new EmbeddedError(
        `Another Challan Desk (process ${pidOf(holder)}) already uses the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
      );
    });
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (readIfThere(file) === text) rmSync(file, { force: true });
  };
}

/** What a file says that belongs to this process, for hasLivingOwner to read. */
export function thisProcess(): string {
  return `${process.pid} ${lookAtProcess(process.pid)?.startedAt ?? ''}\n`;
}

/** Whether the process that wrote a file is still there; null when there is no such file. */
export function hasLivingOwner(file: string): boolean | null {
  const holder = readIfThere(file);
  return holder === null ? null : isAlive(holder);
}

/**
 * Makes `file` a link to `mine`. A link appears with its content and never replaces a file: of two starts only one gets it.
 * The file of a process that is gone is removed under a second file of the same kind. Without it a slow start could remove
 * what another has just written in its place, and both would have the directory.
 */
function take(file: string, mine: string, refuse: (holder: string) => never): void {
  while (!linkIfFree(mine, file)) {
    const holder = readIfThere(file);
    if (holder === null) continue;
    if (isAlive(holder)) refuse(holder);
    const turn = `${file}.turn`;
    take(turn, mine, refuse);
    try {
      if (readIfThere(file) === holder) rmSync(file);
    } finally {
      rmSync(turn, { force: true });
    }
  }
}

function linkIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function pidOf(holder: string): number {
  return Number(holder.split(' ')[0]);
}

/** A pid may have been reused by another program, so the start time must match too. */
function isAlive(holder: string): boolean {
  const look = lookAtProcess(pidOf(holder));
  return look !== null && look.startedAt === holder.slice(holder.indexOf(' ') + 1).trim();
}
