import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';

const roundsInARow = 2;

/** One long turn alone, such as a large file, is no overload. */
export class Lag {
  readonly #tooLongMs: number;
  #rounds = 0;

  constructor(tooLongMs: number) {
    this.#tooLongMs = tooLongMs;
  }

  /** The average delay of a round. */
  note(ms: number): void {
    this.#rounds = ms >= this.#tooLongMs ? this.#rounds + 1 : 0;
  }

  get isTooLong(): boolean {
    return this.#rounds >= roundsInARow;
  }
}

/** Watches the event loop of this process: whether a turn takes too long, on the average of each of two seconds. */
export function watchLag(tooLongMs: number): { isTooLong: () => boolean; stop: () => void } {
  const resolution = 20;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  const lag = new Lag(tooLongMs);
  const clock = setInterval(() => {
    // In nanoseconds, the time between two of its own timers; NaN while there was none.
    const ms = delays.mean / 1e6 - resolution;
    delays.reset();
    lag.note(ms);
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
 * While the event loop is late, calls are refused before anything is done for them, so that those that had begun are
 * answered in time. Signing out, the health addresses and the files of the app are not refused.
 */
export function shedLoad(app: FastifyInstance, isOverloaded: () => boolean): void {
  app.addHook('onRequest', async (request) => {
    if (!isOverloaded() || !/^\/api\/(?!logout$)/.test(request.url)) return;
    throw new Refusal('SERVICE_UNAVAILABLE', 'The server is busy. Please try again in a moment.', {
      retryAfterSeconds: 5,
    });
  });
}
