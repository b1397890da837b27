import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';

const roundsUntilOverload = 2;

/**
 * Decides whether the event loop is overloaded: two rounds in a row must be too long, because one long turn, such as a
 * large file, is no overload.
 */
export class OverloadDetector {
  readonly #tooLongMs: number;
  #rounds = 0;

  constructor(tooLongMs: number) {
    this.#tooLongMs = tooLongMs;
  }

  /** Records the average delay of one round, in milliseconds. */
  record(ms: number): void {
    this.#rounds = ms >= this.#tooLongMs ? this.#rounds + 1 : 0;
  }

  get isTooLong(): boolean {
    return this.#rounds >= roundsUntilOverload;
  }
}

/**
 * Watches the event loop of this process in rounds of one second. It is overloaded when the average delay of two rounds
 * in a row is at least `tooLongMs`.
 */
export function watchEventLoop(tooLongMs: number): { isTooLong: () => boolean; stop: () => void } {
  const resolution = 20;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  const lag = new OverloadDetector(tooLongMs);
  const clock = setInterval(() => {
    // The mean is in nanoseconds and counts the time between two of the monitor's own timers; it is NaN when no timer
    // fired.
    const ms = delays.mean / 1e6 - resolution;
    delays.reset();
    lag.record(ms);
  }, 1_000);
  clock.unref();
  return {
    isTooLong: () => lag.isTooLong,
    stop: () => {
      clearInterval(clock);
      delays.disable();
    },
  };
}

/**
 * While the event loop is overloaded, calls are refused before any work is done for them, so that the running calls are
 * answered in time. Signing out, the health addresses and the files of the app are never refused.
 */
export function shedLoad(app: FastifyInstance, isOverloaded: () => boolean): void {
  app.addHook('onRequest', async (request) => {
    if (!isOverloaded() || !/^\/api\/(?!logout$)/.test(request.url)) return;
    throw new Refusal('SERVICE_UNAVAILABLE', 'The server is busy. Please try again in a moment.', {
      retryAfterSeconds: 5,
    });
  });
}
