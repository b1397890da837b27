import { writeSync } from 'node:fs';

/** How long a line waits for more lines, so that they are written together. */
const batchMs = 100;
/**
 * How much of the log is buffered while its reader is stalled. The server drops further lines, because a server that
 * waited for the reader would stall too.
 */
const maxBufferedBytes = 16 * 2 ** 20;
/** How long the process waits at its end for a stalled reader, and how often it tries again. */
const exitWaitMs = 2_000;
const exitRetryMs = 1;

/** The facts that a line of the log may have, besides its time, level, message and the id of its request. */
const loggedFacts: ReadonlySet<string> = new Set(
  (
    'actor route method status ms role network result err code reason summary tenant check differences isUsable ' +
    'statement shape before after directive blocked file line'
  ).split(' '),
);

/**
 * Leaves out every other fact. Libraries log too, at the lower levels whole options and requests, with tokens in them
 * (docs/security.md §8).
 */
export const onlyLoggedFacts = (facts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => loggedFacts.has(key)));

/**
 * Writes the log to standard output in batches: one write for the lines of 100 ms, because a write for each line would
 * cost each request a system call. A fatal line and the end of the process flush at once.
 *
 * A pipe takes as much as it has room for, and this class writes the rest later. Leaving the rest to Node would lose
 * it, because Node discards what it still buffers for a pipe when the process ends (docs/decisions.md 103).
 */
export class LogStream {
  #buffered = '';
  /** The bytes that an earlier write began and that the reader has not taken yet. */
  #unwritten = Buffer.alloc(0);
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    // Opens standard output through Node: from then on a full pipe refuses a write (EAGAIN) instead of blocking the
    // process.
    void process.stdout;
    process.once('exit', () => this.#flushAtExit());
  }

  write(line: string): void {
    if (this.#buffered.length + this.#unwritten.length > maxBufferedBytes) this.#dropped += 1;
    else this.#buffered += line;
    this.#scheduleFlush();
  }

  /** Writes the buffered lines at once. The logger calls it for a fatal line too. */
  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#flush()) this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    this.#timer ??= setTimeout(() => this.flushSync(), batchMs).unref();
  }

  /** Writes as much as the reader takes; returns whether nothing is left. */
  #flush(): boolean {
    for (;;) {
      if (this.#unwritten.length === 0) {
        if (this.#dropped > 0) this.#buffered += `${this.#droppedLine()}\n`;
        if (this.#buffered === '') return true;
        this.#unwritten = Buffer.from(this.#buffered);
        this.#buffered = '';
        this.#dropped = 0;
      }
      try {
        this.#unwritten = this.#unwritten.subarray(writeSync(1, this.#unwritten));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The reader is gone or the disk is full: the server goes on without its log.
        this.#unwritten = Buffer.alloc(0);
      }
    }
  }

  #droppedLine(): string {
    return JSON.stringify({
      level: 40,
      time: Date.now(),
      lines: this.#dropped,
      msg: 'log lines were dropped because nobody read them',
    });
  }

  #flushAtExit(): void {
    const nap = new Int32Array(new SharedArrayBuffer(4));
    let [left, since] = [Infinity, performance.now()];
    while (!this.#flush() && performance.now() < since + exitWaitMs) {
      if (this.#unwritten.length !== left) [left, since] = [this.#unwritten.length, performance.now()];
      Atomics.wait(nap, 0, 0, exitRetryMs);
    }
  }
}
