import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../server/operator-error.ts';
import { readProcess } from './embedded-alive.ts';

/** The embedded database cannot start. The message is one line for the operator. */
export class EmbeddedError extends OperatorError {
  override name = 'EmbeddedError';
}

/**
 * Claims the data directory for this process with a pid file, and returns a function that releases it. A second app on
 * the same directory is refused (docs/architecture.md §6.2), because sharing the first one's server would hide that two
 * are running.
 */
export function claimDirectory(dataDir: string): () => void {
  const file = join(dataDir, 'app.pid');
  const ownFile = join(dataDir, `app.pid.${randomBytes(6).toString('hex')}`);
  const text = thisProcess();
  try {
    writeFileSync(ownFile, text, { mode: 0o644 });
    claimFile(file, ownFile, (holder) => {
      throw new EmbeddedError(
        `Another Challan Desk (process ${pidOf(holder)}) already uses the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
      );
    });
  } finally {
    rmSync(ownFile, { force: true });
  }
  return () => {
    if (readIfThere(file) === text) rmSync(file, { force: true });
  };
}

/** Returns the content of a pid file of this process, which hasLivingOwner reads. */
export function thisProcess(): string {
  return `${process.pid} ${readProcess(process.pid)?.startedAt ?? ''}\n`;
}

/** Whether the process that wrote a pid file still runs; null when there is no such file. */
export function hasLivingOwner(file: string): boolean | null {
  const holder = readIfThere(file);
  return holder === null ? null : isAlive(holder);
}

/**
 * Makes `file` a link to `mine`. A link appears together with its content and never replaces a file, so of two starts
 * only one gets it.
 *
 * The file of a dead process is removed while a second file of the same kind is held as a lock. Without that lock, a
 * slow start could remove the file that another start has just created, and both would use the directory.
 */
function claimFile(file: string, mine: string, refuse: (holder: string) => never): void {
  while (!linkIfFree(mine, file)) {
    const holder = readIfThere(file);
    if (holder === null) continue;
    if (isAlive(holder)) refuse(holder);
    const lock = `${file}.turn`;
    claimFile(lock, mine, refuse);
    try {
      if (readIfThere(file) === holder) rmSync(file);
    } finally {
      rmSync(lock, { force: true });
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

/**
 * Whether the process of a pid file still runs. Another program may have the same pid by now, so the start time must
 * match too.
 */
function isAlive(holder: string): boolean {
  const look = readProcess(pidOf(holder));
  return look !== null && look.startedAt === holder.slice(holder.indexOf(' ') + 1).trim();
}
