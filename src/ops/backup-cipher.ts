import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { Transform, type TransformCallback } from 'node:stream';
import { OperatorError, reasonOf } from '../server/operator-error.ts';

/**
 * The encryption of backups: AES-256-GCM in chunks of 1 MiB, like age and STREAM. Each file has its own key, derived
 * from the key file and a random salt. So the nonce can simply contain the number of the chunk and whether it is the
 * last one. A chunk that was changed, moved, removed or inserted fails to decrypt, and nothing of it is passed on.
 */
const magic = Buffer.from('challan-desk backup, encrypted 1\n');
const saltBytes = 16;
const tagBytes = 16;
const chunkBytes = 1024 * 1024;
const headBytes = magic.length + saltBytes;

const decryptError = 'The backup does not open: it belongs to another key, or it was changed, or its end is missing.';

/** Reads the key file: 32 random bytes as 64 hexadecimal digits. */
export async function readKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new OperatorError(`The key file ${file} cannot be read (BACKUP_KEY_FILE): ${reasonOf(error)}.`, {
      cause: error,
    });
  });
  if (!/^[0-9a-f]{64}$/.test(text.trim()))
    throw new OperatorError(`${file} is no key of backups: npm run backup -- --new-key FILE`);
  return Buffer.from(text.trim(), 'hex');
}

/** Creates a key file. It never overwrites one, because without the old key its backups are lost. */
export async function createKeyFile(file: string): Promise<void> {
  const text = `${randomBytes(32).toString('hex')}\n`;
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? `${file} is there already` : reasonOf(error);
    throw new OperatorError(`No key was made: ${why}.`, { cause: error });
  });
}

export async function isEncrypted(file: string): Promise<boolean> {
  const opened = await open(file, 'r');
  try {
    const { buffer } = await opened.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return buffer.equals(magic);
  } finally {
    await opened.close();
  }
}

const fileKey = (key: Buffer, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, 'challan-desk backup', 32));

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Splits a stream into chunks of one size. Which chunk is the last one is known only at the end. */
abstract class ChunkTransform extends Transform {
  #waiting: Buffer[] = [];
  #size = 0;
  #chunk = 0;
  readonly #chunkBytes: number;

  constructor(bytes: number) {
    super();
    this.#chunkBytes = bytes;
  }

  protected abstract convert(chunk: Buffer, nonce: Buffer): Buffer;

  /** Reads the header before the first chunk and returns the rest; undefined when the header is incomplete or wrong. */
  protected head(all: Buffer): Buffer | undefined {
    return all;
  }

  override _transform(data: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(data);
    this.#size += data.length;
    // One chunk must be left for the end, so never all of the data is passed on here.
    if (this.#size <= this.#chunkBytes + headBytes) return done();
    this.#pass(false, done);
  }

  override _flush(done: TransformCallback): void {
    this.#pass(true, done);
  }

  #pass(isEnd: boolean, done: TransformCallback): void {
    try {
      let all = this.head(Buffer.concat(this.#waiting));
      if (all === undefined) throw new OperatorError(decryptError);
      for (; all.length > this.#chunkBytes; all = all.subarray(this.#chunkBytes)) {
        this.push(this.convert(all.subarray(0, this.#chunkBytes), nonceOf(this.#chunk++, false)));
      }
      if (isEnd) this.push(this.convert(all, nonceOf(this.#chunk, true)));
      this.#waiting = isEnd ? [] : [all];
      this.#size = isEnd ? 0 : all.length;
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

export class Encrypt extends ChunkTransform {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    super(chunkBytes);
    const salt = randomBytes(saltBytes);
    this.#key = fileKey(key, salt);
    this.push(Buffer.concat([magic, salt]));
  }

  protected override convert(chunk: Buffer, nonce: Buffer): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

export class Decrypt extends ChunkTransform {
  readonly #given: Buffer;
  #key: Buffer | undefined;

  constructor(key: Buffer) {
    super(chunkBytes + tagBytes);
    this.#given = key;
  }

  protected override head(all: Buffer): Buffer | undefined {
    if (this.#key !== undefined) return all;
    if (all.length < headBytes || !all.subarray(0, magic.length).equals(magic)) return undefined;
    this.#key = fileKey(this.#given, all.subarray(magic.length, headBytes));
    return all.subarray(headBytes);
  }

  protected override convert(chunk: Buffer, nonce: Buffer): Buffer {
    if (this.#key === undefined || chunk.length < tagBytes) throw new OperatorError(decryptError);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce);
    decipher.setAuthTag(chunk.subarray(chunk.length - tagBytes));
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - tagBytes)), decipher.final()]);
    } catch (error) {
      throw new OperatorError(decryptError, { cause: error });
    }
  }
}
