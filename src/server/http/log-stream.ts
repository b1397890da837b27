/** How long a line may wait for others. */
const gatherMs = 100;

/**
 * Where the log goes: standard output, the lines of a moment in one write. A write for each line would cost a system call for
 * each request. What is fatal, and the end of the process, wait for nothing.
 */
export class LogStream {
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.#lines += line;
    this.#timer ??= setTimeout(() => this.flushSync(), gatherMs).unref();
  }

  /** Called by the logger for a fatal line too. */
  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') process.stdout.write(lines);
  }
}
