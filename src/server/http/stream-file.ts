import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { http2StreamOf } from './tls.ts';
import { contentDisposition, FileBody } from './file-body.ts';

/** How often a reader is checked within the time it may pause. */
const looks = 6;

/**
 * Watches the reader of a file. Its signal fires when the reader has disconnected, has taken nothing for a while, or
 * the time limit is over: a reader holds a database connection, and the statement timeout does not count while it waits
 * to send.
 */
export class ReaderWatch {
  readonly #control = new AbortController();
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  readonly #look: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout;
  #taken = 0;
  #patienceEnds: number;

  constructor(response: ServerResponse, left: AbortSignal, { stallMs, fileMs }: { stallMs: number; fileMs: number }) {
    this.#response = response;
    this.#stallMs = stallMs;
    this.#patienceEnds = performance.now() + stallMs;
    this.#look = setInterval(() => this.#check(), stallMs / looks).unref();
    this.#whole = setTimeout(() => this.#giveUp(), fileMs).unref();
    response.once('finish', () => this.end());
    const leave = (): void => {
      this.end();
      this.#control.abort();
    };
    if (left.aborted) leave();
    else left.addEventListener('abort', leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  end(): void {
    clearInterval(this.#look);
    clearTimeout(this.#whole);
  }

  /** With nothing to send, the delay is the database's and not the reader's. */
  #check(): void {
    const { socket, writableLength } = this.#response;
    const ofSocket = socket ? socket.bytesWritten - socket.writableLength : 0;
    // An HTTP/2 connection has other calls in it: there the answer's own buffer, which a stalled reader leaves as it is.
    const taken = http2StreamOf(this.#response) ? -writableLength : ofSocket;
    const now = performance.now();
    if (taken !== this.#taken || writableLength === 0) this.#patienceEnds = now + this.#stallMs;
    else if (now >= this.#patienceEnds) this.#giveUp();
    this.#taken = taken;
  }

  #giveUp(): void {
    this.end();
    this.#control.abort();
    // Nothing sent yet: the call can still be answered with an error.
    if (this.#response.headersSent) this.#response.destroy();
  }
}

/** Sends a file while it is being written; the caller's transaction stays open until the last byte was written. */
export async function streamFile(reply: FastifyReply, body: unknown, { signal }: ReaderWatch): Promise<void> {
  if (!(body instanceof FileBody)) throw new Error('A streaming route answers with a file');
  const sink = new PassThrough();
  // Without a listener an error would end the process; it reaches us through `written` as well.
  sink.on('error', () => undefined);
  // The writer's next write fails, and with it the statement in the database.
  const stop = (): void => void sink.destroy();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const written = body.write(sink);
  await Promise.race([new Promise((resolve) => sink.once('readable', resolve)), written]);
  void reply
    .header('content-type', body.contentType)
    .header('content-disposition', contentDisposition(body.fileName))
    .send(sink);
  try {
    await written;
  } catch (error) {
    sink.destroy(error instanceof Error ? error : new Error('The file could not be written'));
    throw error;
  }
}
