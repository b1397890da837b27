import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from './operator-error.ts';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what the database keeps and must not tell: AES-256-GCM under a key in a file outside the database (docs/running.md
 * §4). Each secret belongs to an account: moved to another one it does not open.
 */
export class SecretBox {
  readonly #file: string | undefined;
  #key: Buffer | undefined;

  /** `file` is made with a new key when it is first needed. Absent: a key that ends with the process, for tests. */
  constructor(file?: string) {
    this.#file = file;
  }

  /** Encrypts a secret of this account. */
  async seal(secret: Buffer, accountId: string): Promise<Buffer> {
    this.#key ??= await this.#makeKey();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(accountId));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts it. Null: it was encrypted with another key, or the key is lost. */
  async open(sealed: Buffer, accountId: string): Promise<Buffer | null> {
    this.#key ??= await this.#readKey();
    if (this.#key === undefined) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(accountId))
      .setAuthTag(sealed.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    } catch {
      return null;
    }
  }

  async #makeKey(): Promise<Buffer> {
    const key = randomBytes(32);
    if (this.#file === undefined) return key;
    const there = await this.#readKey();
    if (there) return there;
    await mkdir(path.dirname(this.#file), { recursive: true });
    try {
      await writeFile(this.#file, `${key.toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
      return key;
    } catch (error) {
      // Another process of this server was first.
      const made = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await this.#readKey() : undefined;
      if (made) return made;
      throw error;
    }
  }

  async #readKey(): Promise<Buffer | undefined> {
    if (this.#file === undefined) return undefined;
    try {
      const text = (await readFile(this.#file, 'utf8')).trim();
      if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    throw new OperatorError(`${this.#file} is no key of second steps: 64 hexadecimal digits (SECOND_STEP_KEY_FILE).`);
  }
}
