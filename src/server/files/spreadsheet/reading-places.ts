import { Refusal } from '../../refusal.ts';
import type { FileKind } from './file-kind.ts';
import { fileMessages } from './messages.ts';
import { parseInChild } from './parser-process.ts';
import type { HsdTable } from './table.ts';

/** Files read at once, and how many more may wait for that (docs/security.md §6.1). */
const atOnce = 2;
const waitingAtMost = 10;
/**
 * The server answers within 25 s (docs/specification.md §14.1): ten of these are for the parser, some for the database.
 */
const longestWait = 8_000;

const busy = (): Refusal => new Refusal('TOO_MANY_REQUESTS', fileMessages.busy, { retryAfterSeconds: 5 });

interface Waiting {
  readonly account: string;
  readonly go: () => void;
}

/**
 * A queue for files that have arrived. One account's files are read one after another, so that other accounts need not
 * wait for all of them.
 */
export class ReadingPlaces {
  readonly #reading = new Set<string>();
  readonly #queue: Waiting[] = [];
  /** The highest numbers so far. */
  readonly peak = { taken: 0, reading: 0 };

  /** Files being read and files that wait for it. */
  get taken(): number {
    return this.#reading.size + this.#queue.length;
  }

  async read(account: string, kind: FileKind, bytes: Buffer, signal: AbortSignal): Promise<HsdTable> {
    await this.#turn(account, signal);
    try {
      return await parseInChild(kind, bytes, signal);
    } finally {
      this.#reading.delete(account);
      this.#callNext();
    }
  }

  async #turn(account: string, signal: AbortSignal): Promise<void> {
    if (this.#queue.length >= waitingAtMost) throw busy();
    const turn = new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(clock);
        signal.removeEventListener('abort', giveUp);
      };
      const waiting: Waiting = {
        account,
        go: () => {
          settle();
          resolve();
        },
      };
      const giveUp = (): void => {
        settle();
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(busy());
      };
      const clock = setTimeout(giveUp, longestWait);
      signal.addEventListener('abort', giveUp);
      this.#queue.push(waiting);
    });
    this.#callNext();
    this.peak.taken = Math.max(this.peak.taken, this.taken);
    await turn;
  }

  /** The first in the queue whose account has no file being read. */
  #callNext(): void {
    if (this.#reading.size >= atOnce) return;
    const next = this.#queue.findIndex(({ account }) => !this.#reading.has(account));
    const [waiting] = next < 0 ? [] : this.#queue.splice(next, 1);
    if (!waiting) return;
    this.#reading.add(waiting.account);
    this.peak.reading = Math.max(this.peak.reading, this.#reading.size);
    waiting.go();
  }
}

/** One for the process, whatever number of apps it holds. */
export const readingPlaces = new ReadingPlaces();
