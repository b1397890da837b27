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

/**
 * Returns a signal that fires when the client disconnects before it has its whole answer. Create it before the first
 * await, so that a client that disconnects during the session check is noticed too.
 */
export function disconnectSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!(http2StreamOf(response) ?? response).writableFinished) disconnected.abort();
  });
  // With pipelined requests the response gets no close event, but a request body that is still arriving does.
  request.once('close', () => {
    if (!request.complete) disconnected.abort();
  });
  return disconnected.signal;
}
