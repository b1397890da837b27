import { createHash } from 'node:crypto';
import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReceivedFile } from '../files/spreadsheet/file-kind.ts';
import { fileMessages } from '../files/spreadsheet/messages.ts';
import { Refusal } from '../refusal.ts';
import { closeConnectionAfter } from './tls.ts';
import { Semaphore } from '../semaphore.ts';

/** The whole body must arrive within this time, so that a very slow sender does not block the account's other uploads. */
const longestTransfer = 60_000;
/** How much of a refused body is still read, so that a client that is still sending gets the answer. */
const drained = 1024 * 1024;

const busy = (): Refusal => new Refusal('TOO_MANY_REQUESTS', fileMessages.busy, { retryAfterSeconds: 5 });

/** Uploads from their first byte to their answer, per account, so that a slow sender does not block other accounts. */
export const uploadsUnderWay = new Semaphore({ running: { perKey: 4 }, waiting: { inAll: 0 }, refusal: busy });

/** Memory of an upload. Only bytes that have arrived count; announced ones do not. */
export class UploadMemory {
  static readonly #most = 128 * 1024 * 1024;
  /** Of all uploads together. */
  static inUse = 0;
  #own = 0;

  /** Refuses when there is no room. */
  take(bytes: number): void {
    if (UploadMemory.inUse + bytes > UploadMemory.#most) throw busy();
    this.#own += bytes;
    UploadMemory.inUse += bytes;
  }

  release(): void {
    UploadMemory.inUse -= this.#own;
    this.#own = 0;
  }
}

/**
 * Prepares a scope of routes that take a file: multipart/form-data is the only body there, and is left unread until the
 * route asks for it.
 */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart);
  // Any other type, or none: the framework's refusal would ask for JSON.
  scope.setErrorHandler<Error & { code?: string }>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? notMultipart() : error;
  });
}

/**
 * The one file of a request, in memory. Refuses a body that is too large while it arrives, and anything but exactly one
 * file in the field `file`.
 */
export async function receiveFile(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
  maxBody: number,
  memory: UploadMemory,
): Promise<ReceivedFile> {
  try {
    if (!request.isMultipart()) throw notMultipart();
    if (Number(request.headers['content-length'] ?? 0) > maxBody) throw tooLarge();
    if (request.left.aborted) throw brokenOff();
    return await readWithin(request, maxBytes, maxBody, memory);
  } catch (error) {
    await turnAway(request, reply);
    throw error instanceof Refusal ? error : brokenOff();
  }
}

const notMultipart = (): Refusal => new Refusal('UNSUPPORTED_MEDIA_TYPE', fileMessages.notMultipart);
const brokenOff = (): Refusal => new Refusal('INVALID_FILE', fileMessages.brokenUpload);
const tooLarge = (): Refusal => new Refusal('PAYLOAD_TOO_LARGE', fileMessages.tooLarge);

/** Ends with the file, a body that is too large, the time limit, or the sender's disconnecting, whichever comes first. */
function readWithin(
  request: FastifyRequest,
  maxBytes: number,
  maxBody: number,
  memory: UploadMemory,
): Promise<ReceivedFile> {
  return new Promise((resolve, reject) => {
    const { raw, left } = request;
    let bodySize = 0;
    const count = (chunk: Buffer): void => {
      bodySize += chunk.length;
      if (bodySize > maxBody) return reject(tooLarge());
      try {
        memory.take(chunk.length);
      } catch (error) {
        reject(error);
      }
    };
    const clock = setTimeout(() => reject(new Refusal('INVALID_FILE', fileMessages.tooSlow)), longestTransfer);
    const leave = (): void => reject(brokenOff());
    left.addEventListener('abort', leave);
    raw.on('data', count);
    readOneFile(request, maxBytes, () => reject(tooLarge()))
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(clock);
        left.removeEventListener('abort', leave);
        raw.off('data', count);
      });
  });
}

async function readOneFile(request: FastifyRequest, maxBytes: number, onTooLarge: () => void): Promise<ReceivedFile> {
  let received: ReceivedFile | undefined;
  // One more of each than is allowed, so that too many are noticed and reported, and no more are kept.
  const limits = { files: 2, fields: 1, parts: 3, fileSize: maxBytes, fieldSize: 1024, headerPairs: 20 };
  for await (const part of request.parts({ limits })) {
    if (part.type !== 'file' || part.fieldname !== 'file') throw new Refusal('INVALID_FILE', problemOf(part));
    if (received) throw new Refusal('INVALID_FILE', fileMessages.twoFiles);
    // At its limit the stream is only truncated: without this a part of a file would be read as the whole.
    part.file.once('limit', onTooLarge);
    received = await keep(part);
  }
  if (!received) throw new Refusal('INVALID_FILE', fileMessages.noFile);
  return received;
}

/** Text in the field of that name is not a file either. */
function problemOf(part: Multipart): string {
  return part.fieldname === 'file' ? fileMessages.noFile : fileMessages.wrongField;
}

async function keep(part: Multipart & { type: 'file' }): Promise<ReceivedFile> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  // A part's stream yields buffers.
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    hash.update(chunk);
    chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge();
  // An empty file field of a browser: a part without a name and without content.
  if (!part.filename && chunks.length === 0) throw new Refusal('INVALID_FILE', fileMessages.noFile);
  return { name: plainName(part.filename ?? ''), bytes: Buffer.concat(chunks), sha256: hash.digest() };
}

/** A name that is safe to show: no folder, no control characters, no direction overrides. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/^.*[\\/]/, '')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();
  if (plain.length <= 200) return plain;
  const extension = /\.\w{1,5}$/.exec(plain)?.[0] ?? '';
  return `${plain.slice(0, 199 - extension.length)}…${extension}`;
}

/** Reads a little of the remaining body, then closes the connection with the answer. */
async function turnAway(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed) return;
  closeConnectionAfter(request, reply);
  raw.unpipe();
  await new Promise<void>((resolve) => {
    let left = drained;
    const clock = setTimeout(resolve, 1_000);
    const settle = (): void => {
      clearTimeout(clock);
      resolve();
    };
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0) return;
      raw.pause();
      settle();
    });
    raw.once('end', settle).once('close', settle).once('error', settle);
    raw.resume();
  });
}
