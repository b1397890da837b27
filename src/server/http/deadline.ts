/** A time limit that aborts the transaction of a call. */
export class Deadline {
  readonly #control = new AbortController();
  readonly #clock: NodeJS.Timeout;

  constructor(ms: number) {
    this.#clock = setTimeout(() => this.#control.abort(), Math.max(1, Math.round(ms)));
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  end(): void {
    clearTimeout(this.#clock);
  }
}
