import { createHash } from 'node:crypto';
import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReceivedFile } from '../files/spreadsheet/file-kind.ts';
import { fileMessages } from '../files/spreadsheet/messages.ts';
import { Refusal } from '../refusal.ts';
import { closeConnectionAfter } from './tls.ts';
import { Semaphore } from '../semaphore.ts';

/**
 * The whole body must arrive within this many milliseconds, so that a very slow sender does not block the account's
 * other uploads.
 */
const maxTransferMs = 60_000;
/** How many bytes of a refused body are still read, so that a client that is still sending gets the answer. */
const maxDrainedBytes = 1024 * 1024;

const busy = (): Refusal => new Refusal('TOO_MANY_REQUESTS', fileMessages.busy, { retryAfterSeconds: 5 });

/**
 * Counts uploads per account from their first byte to their answer, so that a slow sender does not block other
 * accounts.
 */
export const uploadsUnderWay = new Semaphore({ running: { perKey: 4 }, waiting: { inAll: 0 }, refusal: busy });

/** Counts the memory of one upload. Only bytes that have arrived count; announced ones do not. */
export class UploadMemory {
  static readonly #maxBytes = 128 * 1024 * 1024;
  /** The bytes of all uploads together. */
  static inUse = 0;
  #bytes = 0;

  /**
   * Reserves memory for bytes that arrived.
   * @throws Refusal TOO_MANY_REQUESTS when all uploads together would exceed the limit
   */
  take(bytes: number): void {
    if (UploadMemory.inUse + bytes > UploadMemory.#maxBytes) throw busy();
    this.#bytes += bytes;
    UploadMemory.inUse += bytes;
  }

  release(): void {
    UploadMemory.inUse -= this.#bytes;
    this.#bytes = 0;
  }
}

/**
 * Prepares a scope of routes that take a file. multipart/form-data is the only body there, and it is not read until the
 * route asks for it.
 */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart);
  // For any other content type, or none, the framework's message would ask for JSON.
  scope.setErrorHandler<Error & { code?: string }>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? notMultipart() : error;
  });
}

/**
 * Reads the one file of a request into memory.
 * @throws Refusal for a body that is too large (while it still arrives), and for anything but exactly one file in the
 *   field `file`
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
    if (request.left.aborted) throw interrupted();
    return await readWithin(request, maxBytes, maxBody, memory);
  } catch (error) {
    await drainAndClose(request, reply);
    throw error instanceof Refusal ? error : interrupted();
  }
}

const notMultipart = (): Refusal => new Refusal('UNSUPPORTED_MEDIA_TYPE', fileMessages.notMultipart);
const interrupted = (): Refusal => new Refusal('INVALID_FILE', fileMessages.brokenUpload);
const tooLarge = (): Refusal => new Refusal('PAYLOAD_TOO_LARGE', fileMessages.tooLarge);

/** Resolves with the file. Rejects when the body is too large, the time limit is over, or the sender disconnects. */
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
    const clock = setTimeout(() => reject(new Refusal('INVALID_FILE', fileMessages.tooSlow)), maxTransferMs);
    const leave = (): void => reject(interrupted());
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
  // The limits allow one more of each than the rules do, so that too many are noticed and reported, and no more are
  // kept.
  const limits = { files: 2, fields: 1, parts: 3, fileSize: maxBytes, fieldSize: 1024, headerPairs: 20 };
  for await (const part of request.parts({ limits })) {
    if (part.type !== 'file' || part.fieldname !== 'file') throw new Refusal('INVALID_FILE', messageFor(part));
    if (received) throw new Refusal('INVALID_FILE', fileMessages.twoFiles);
    // At its limit the stream is only truncated. Without this listener a part of a file would be read as the whole.
    part.file.once('limit', onTooLarge);
    received = await readPart(part);
  }
  if (!received) throw new Refusal('INVALID_FILE', fileMessages.noFile);
  return received;
}

/** The refusal of a part that is not the file. Text in the field `file` is no file either. */
function messageFor(part: Multipart): string {
  return part.fieldname === 'file' ? fileMessages.noFile : fileMessages.wrongField;
}

async function readPart(part: Multipart & { type: 'file' }): Promise<ReceivedFile> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  // A part's stream yields buffers.
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    hash.update(chunk);
    chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge();
  // An empty file field of a browser arrives as a part without a name and without content.
  if (!part.filename && chunks.length === 0) throw new Refusal('INVALID_FILE', fileMessages.noFile);
  return { name: plainName(part.filename ?? ''), bytes: Buffer.concat(chunks), sha256: hash.digest() };
}

/** Makes a file name safe to show: no folder, no control characters, no direction overrides. */
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

/**
 * Reads a little of the remaining body, and closes the connection after the answer. Otherwise a client that is still
 * sending might not see the answer.
 */
async function drainAndClose(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed) return;
  closeConnectionAfter(request, reply);
  raw.unpipe();
  await new Promise<void>((resolve) => {
    let left = maxDrainedBytes;
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
