import type { Duplex } from 'node:stream';
import type { PoolClient } from 'pg';
import { cancelStatement } from './cancel.ts';

/** How long to wait for the answer of a cancelled statement or a running COMMIT before the connection is cut. */
const graceMs = 3_000;

/** A transaction that was stopped from outside and rolled back; with the code of a statement that was cancelled. */
export class TransactionStopped extends Error {
  override name = 'TransactionStopped';
  readonly code = '57014';
  constructor(cause?: unknown) {
    super('The transaction was stopped before it was done', { cause });
  }
}

/**
 * Stops the work of one transaction when a signal fires: cancels the statement in the database, and cuts the connection if
 * even that is not answered. A connection that was sent a cancel must not be used again: the cancel may arrive late.
 */
export class Interrupt {
  readonly #client: PoolClient;
  readonly #signal: AbortSignal;
  readonly #onStop: () => void;
  #isFinishing = false;
  #clock: NodeJS.Timeout | undefined;
  /** Resolves when the cancel has been delivered; absent when nothing was cancelled. */
  cancelled: Promise<void> | undefined;

  /** `onStop` keeps the handler from sending further statements. */
  constructor(client: PoolClient, signal: AbortSignal, onStop: () => void) {
    this.#client = client;
    this.#signal = signal;
    this.#onStop = onStop;
    if (signal.aborted) this.#stop();
    else signal.addEventListener('abort', this.#stop);
  }

  /** The handler is done. Nothing is cancelled from here on, so that the outcome of the COMMIT is known. */
  finishing(): void {
    this.#isFinishing = true;
  }

  end(): void {
    // A cancelled statement has until then to answer.
    if (!this.cancelled) clearTimeout(this.#clock);
    this.#signal.removeEventListener('abort', this.#stop);
  }

  readonly #stop = (): void => {
    this.#clock = setTimeout(() => this.#cut(), graceMs).unref();
    if (this.#isFinishing) return;
    this.#onStop();
    this.cancelled = cancelStatement(this.#client);
  };

  /** Statements without an answer fail at once; a COMMIT with the error that says its outcome is unknown. */
  #cut(): void {
    // pg's types leave its connection out. Its own `end` would wait for the answers of a pipelined connection.
    (this.#client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  }
}
