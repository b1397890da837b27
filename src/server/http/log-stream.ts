import { writeSync } from 'node:fs';

/** How long a line may wait for others. */
const gatherMs = 100;
/** What is kept for a reader who stands still; a server that waited for him would stand still as well. */
const mostBytes = 16 * 2 ** 20;
/** How long the end of the process waits for a reader who takes nothing, and how often it looks. */
const lastWaitMs = 2_000;
const lookMs = 1;

/**
 * Where the log goes: standard output, the lines of a moment in one write. A write for each line would cost a system call for
 * each request. What is fatal, and the end of the process, wait for nothing but the reader. A pipe takes as much as it has
 * room for and the rest is written later, from here: what Node itself still holds for a pipe is lost when the process ends
 * (docs/decisions.md 103).
 */
export class LogStream {
  #lines = '';
  /** Begun by an earlier write and not yet taken whole. */
  #rest = Buffer.alloc(0);
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    // Once Node has opened it, a pipe that is full refuses a write instead of holding the process up.
    void process.stdout;
    process.once('exit', () => this.#finish());
  }

  write(line: string): void {
    if (this.#lines.length + this.#rest.length > mostBytes) this.#leftOut += 1;
    else this.#lines += line;
    this.#later();
  }

  /** Called by the logger for a fatal line too. */
  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#flush()) this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.flushSync(), gatherMs).unref();
  }

  /** Whether all of it was taken. */
  #flush(): boolean {
    for (;;) {
      if (this.#rest.length === 0) {
        if (this.#leftOut > 0) this.#lines += `${this.#leftOutLine()}\n`;
        if (this.#lines === '') return true;
        this.#rest = Buffer.from(this.#lines);
        this.#lines = '';
        this.#leftOut = 0;
      }
      try {
        this.#rest = this.#rest.subarray(writeSync(1, this.#rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // Nobody can read it any more, or the disk is full: the server goes on without.
        this.#rest = Buffer.alloc(0);
      }
    }
  }

  #leftOutLine(): string {
    return JSON.stringify({
      level: 40,
      time: Date.now(),
      lines: this.#leftOut,
      msg: 'lines of the log were left out, because nobody read them',
    });
  }

  #finish(): void {
    const nap = new Int32Array(new SharedArrayBuffer(4));
    let [left, since] = [Infinity, performance.now()];
    while (!this.#flush() && performance.now() < since + lastWaitMs) {
      if (this.#rest.length !== left) [left, since] = [this.#rest.length, performance.now()];
      Atomics.wait(nap, 0, 0, lookMs);
    }
  }
}
