import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookAtProcess } from './embedded-alive.ts';

/** Why the embedded database cannot be started, in one line for the person who started the program. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/**
 * Takes the data directory for this process, by a file with its pid, and returns what gives it back. A second app on the
 * same directory is refused (database.md, point 6): sharing the first one's server would hide that two are running.
 */
export function ownDirectory(dataDir: string): () => void {
  const file = join(dataDir, 'app.pid');
  const mine = join(dataDir, `app.pid.${randomBytes(6).toString('hex')}`);
  const text = `${process.pid} ${lookAtProcess(process.pid)?.startedAt ?? ''}\n`;
  writeFileSync(mine, text, { mode: 0o644 });
  try {
    // A link appears with its content and never replaces a file: of two starters one gets it.
    while (!linkIfFree(mine, file)) {
      const holder = readIfThere(file);
      if (holder === null) continue;
      if (isAlive(holder)) {
        throw new EmbeddedError(
          `Another Challan Desk (process ${pidOf(holder)}) already uses the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
        );
      }
      putAway(file, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (readIfThere(file) === text) rmSync(file, { force: true });
  };
}

/** Removes the file of a process that is gone, unless another starter has put its own there since it was read. */
function putAway(file: string, holder: string): void {
  const away = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(file, away);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (readIfThere(away) !== holder) linkIfFree(away, file);
  rmSync(away, { force: true });
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

/** A pid alone would take another program, which got the number later, for the owner: its start must agree too. */
function isAlive(holder: string): boolean {
  const look = lookAtProcess(pidOf(holder));
  return look !== null && look.startedAt === holder.slice(holder.indexOf(' ') + 1).trim();
}
