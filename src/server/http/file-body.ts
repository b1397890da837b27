import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { TableFile } from '../files/table-file.ts';
import { http2StreamOf } from './tls.ts';

/**
 * Builds the header value of RFC 6266: an ASCII name for old clients and the real name in UTF-8. A quote or line break
 * of the name never reaches the header.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w.()-]+/g, '_').replace(/^\.+/, '_') || 'download';
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** How many checks are made within the time that a reader may pause. */
const checksPerStall = 6;

/**
 * Watches the reader of a file. Its signal fires when the reader has disconnected, has taken nothing for `stallMs`, or
 * has used up `fileMs`. The limit is needed because a reader holds a database connection, and the statement timeout
 * does not count while the database waits to send.
 */
export class ReaderWatch {
  readonly #control = new AbortController();
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  readonly #checkTimer: NodeJS.Timeout;
  readonly #limitTimer: NodeJS.Timeout;
  #lastTaken = 0;
  #stallDeadline: number;

  constructor(response: ServerResponse, left: AbortSignal, { stallMs, fileMs }: { stallMs: number; fileMs: number }) {
    this.#response = response;
    this.#stallMs = stallMs;
    this.#stallDeadline = performance.now() + stallMs;
    this.#checkTimer = setInterval(() => this.#check(), stallMs / checksPerStall).unref();
    this.#limitTimer = setTimeout(() => this.#abort(), fileMs).unref();
    response.once('finish', () => this.end());
    const abort = (): void => {
      this.end();
      this.#control.abort();
    };
    if (left.aborted) abort();
    else left.addEventListener('abort', abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  end(): void {
    clearInterval(this.#checkTimer);
    clearTimeout(this.#limitTimer);
  }

  /**
   * Resets the stall time when the reader took something, or when there is nothing to send: then the delay is the
   * database's and not the reader's.
   */
  #check(): void {
    const { socket, writableLength } = this.#response;
    const ofSocket = socket ? socket.bytesWritten - socket.writableLength : 0;
    // An HTTP/2 connection carries other calls too, so its socket says nothing about this one. There the answer's own
    // buffer is compared, which does not change while the reader is stalled.
    const taken = http2StreamOf(this.#response) ? -writableLength : ofSocket;
    const now = performance.now();
    if (taken !== this.#lastTaken || writableLength === 0) this.#stallDeadline = now + this.#stallMs;
    else if (now >= this.#stallDeadline) this.#abort();
    this.#lastTaken = taken;
  }

  #abort(): void {
    this.end();
    this.#control.abort();
    // Before the first byte was sent, the call can still be answered with an error.
    if (this.#response.headersSent) this.#response.destroy();
  }
}

/** Sends a file while it is being written. The caller's transaction stays open until the last byte was written. */
export async function streamFile(reply: FastifyReply, file: TableFile, { signal }: ReaderWatch): Promise<void> {
  const sink = new PassThrough();
  // Without a listener an error would end the process. The same error reaches us through `written`.
  sink.on('error', () => undefined);
  // Destroying the sink makes the writer's next write fail, and with it the statement in the database.
  const stop = (): void => void sink.destroy();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const written = file.write(sink);
  await Promise.race([new Promise((resolve) => sink.once('readable', resolve)), written]);
  void reply
    .header('content-type', file.contentType)
    .header('content-disposition', contentDisposition(file.name))
    .send(sink);
  try {
    await written;
  } catch (error) {
    sink.destroy(error instanceof Error ? error : new Error('The file could not be written'));
    throw error;
  }
}
