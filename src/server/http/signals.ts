import type { IncomingMessage, ServerResponse } from 'node:http';
import { http2StreamOf } from './tls.ts';

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

/** Created before the first await, so that a client that disconnects during the session check is noticed too. */
export function leftSignal(asked: IncomingMessage, answer: ServerResponse): AbortSignal {
  const left = new AbortController();
  answer.once('close', () => {
    if (!(http2StreamOf(answer) ?? answer).writableFinished) left.abort();
  });
  // With pipelined requests the response gets no close event; a request body that is still arriving does.
  asked.once('close', () => {
    if (!asked.complete) left.abort();
  });
  return left.signal;
}
