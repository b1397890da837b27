import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PoolClient } from 'pg';

/**
 * How long to wait for the answer of a cancelled statement or a running COMMIT before the connection is closed by
 * force.
 */
const graceMs = 3_000;

/** A transaction that was stopped from outside and rolled back. It has the error code of a cancelled statement. */
export class TransactionStopped extends Error {
  override name = 'TransactionStopped';
  readonly code = '57014';
  constructor(cause?: unknown) {
    super('The transaction was stopped before it was done', { cause });
  }
}

/**
 * Stops a transaction when a signal fires: cancels the statement in the database, and destroys the connection if the
 * database does not even answer that. A connection that was sent a cancel must not be used again, because the cancel
 * may arrive late.
 */
export class Interrupt {
  readonly #client: PoolClient;
  readonly #signal: AbortSignal;
  readonly #onStop: () => void;
  #isFinishing = false;
  #clock: NodeJS.Timeout | undefined;
  /** Resolves when the cancel has been delivered. Absent when nothing was cancelled. */
  cancelled: Promise<void> | undefined;

  /** `onStop` keeps the handler from sending further statements. */
  constructor(client: PoolClient, signal: AbortSignal, onStop: () => void) {
    this.#client = client;
    this.#signal = signal;
    this.#onStop = onStop;
    if (signal.aborted) this.#stop();
    else signal.addEventListener('abort', this.#stop);
  }

  /**
   * Call this when the handler is done. From here on nothing is cancelled, so that the outcome of the COMMIT is known.
   */
  startCommit(): void {
    this.#isFinishing = true;
  }

  end(): void {
    // Do not clear the timer after a cancel: the cancelled statement has until then to answer.
    if (!this.cancelled) clearTimeout(this.#clock);
    this.#signal.removeEventListener('abort', this.#stop);
  }

  readonly #stop = (): void => {
    this.#clock = setTimeout(() => this.#cut(), graceMs).unref();
    if (this.#isFinishing) return;
    this.#onStop();
    this.cancelled = cancelStatement(this.#client);
  };

  /**
   * Destroys the connection. Unanswered statements fail at once; a COMMIT fails with the error that says its outcome is
   * unknown.
   */
  #cut(): void {
    // pg's types leave the connection out. Its own `end` would wait for the answers of a pipelined connection.
    (this.#client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  }
}

/** Asks the server to cancel the statement of a connection; the protocol needs a second connection for that. */
export function cancelStatement(client: PoolClient): Promise<void> {
  // pg stores both at the start of the session, but its types leave them out.
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = client.host.startsWith('/')
      ? createConnection(`${client.host}/.s.PGSQL.${client.port}`)
      : createConnection(client.port, client.host);
    socket.setTimeout(2_000, () => socket.destroy());
    // When the cancel does not arrive, the statement only runs into its own timeout.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    // The server closes this connection. If we closed it, PgBouncer before 1.20 would end with a fatal error.
    socket.on('connect', () => socket.write(request));
    socket.resume();
  });
}
