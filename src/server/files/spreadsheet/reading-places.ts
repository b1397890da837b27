import { Refusal } from '../../refusal.ts';
import type { FileKind } from './file-kind.ts';
import { fileMessages } from './messages.ts';
import { parseInChild } from './parser-process.ts';
import type { HsdTable } from './table.ts';

/** Files read at once, and how many more may wait for that (design/safety.md, rule 25). */
const atOnce = 2;
const waitingAtMost = 10;
/** The server answers within 25 s (wire.md): ten of these are the parser's own. */
const longestWait = 12_000;

const busy = (): Refusal => new Refusal('TOO_MANY_REQUESTS', fileMessages.busy, { retryAfterSeconds: 5 });

/**
 * The places of one process. A place is taken before the first byte of a body is read, so that no more files are in memory
 * than may be read, and kept until the file's answer.
 */
export class ReadingPlaces {
  #taken = 0;
  #reading = 0;
  readonly #queue: (() => void)[] = [];
  /** The most that were ever taken, and read at once. */
  readonly peak = { taken: 0, reading: 0 };

  get taken(): number {
    return this.#taken;
  }

  take(): ReadingPlace {
    if (this.#taken >= atOnce + waitingAtMost) throw busy();
    this.#taken += 1;
    this.peak.taken = Math.max(this.peak.taken, this.#taken);
    let isFree = false;
    return {
      read: async (kind, bytes, signal) => {
        await this.#turn();
        try {
          this.peak.reading = Math.max(this.peak.reading, this.#reading);
          return await parseInChild(kind, bytes, signal);
        } finally {
          this.#reading -= 1;
          this.#queue.shift()?.();
        }
      },
      free: () => {
        if (!isFree) this.#taken -= 1;
        isFree = true;
      },
    };
  }

  async #turn(): Promise<void> {
    if (this.#reading < atOnce) {
      this.#reading += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onTurn = (): void => {
        clearTimeout(clock);
        this.#reading += 1;
        resolve();
      };
      const clock = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(onTurn), 1);
        reject(busy());
      }, longestWait);
      this.#queue.push(onTurn);
    });
  }
}

export interface ReadingPlace {
  read(kind: FileKind, bytes: Buffer, signal: AbortSignal): Promise<HsdTable>;
  free(): void;
}

/** One for the process, whatever number of apps it holds. */
export const readingPlaces = new ReadingPlaces();
