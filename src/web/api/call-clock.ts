/** The time a call has, which starts again with each sign of progress: a slow line is not a dead server. */
export class CallClock {
  readonly #control = new AbortController();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#begin();
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#begin();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #begin(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#control.abort(), this.#ms);
  }
}
