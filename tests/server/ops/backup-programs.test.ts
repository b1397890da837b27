import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Encrypt } from '../../../src/ops/backup-cipher.ts';
import { packCopy, unpackCopy } from '../../../src/ops/backup-programs.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'challan-desk-programs-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const target = async (): Promise<string> => mkdtemp(join(directory, 'to-'));

/** A packed file with one text in it; what comes after the last file is more than tar reads. */
function packed(): Buffer {
  const { stdout } = spawnSync('tar', ['-cf', '-', '-C', directory, 'text']);
  return gzipSync(Buffer.concat([stdout, Buffer.alloc(16 * 1024 * 1024)]), { level: 0 });
}

async function encrypted(data: Buffer, key: Buffer): Promise<Buffer> {
  const cipher = new Encrypt(key);
  const chunks: Buffer[] = [];
  cipher.on('data', (chunk: Buffer) => chunks.push(chunk));
  cipher.end(data);
  await once(cipher, 'end');
  return Buffer.concat(chunks);
}

describe('a copy that is unpacked', () => {
  const file = (): string => join(directory, 'copy');

  beforeEach(() => writeFile(join(directory, 'text'), 'It is here.'));

  it('is what was packed', async () => {
    const from = await target();
    await writeFile(join(from, 'text'), 'It is here.');
    await packCopy(from, file(), null);
    const to = await target();
    await unpackCopy(file(), to, null);
    expect(await readFile(join(to, 'text'), 'utf8')).toBe('It is here.');
  });

  it('may have more at its end than tar reads', async () => {
    await writeFile(file(), packed());
    const to = await target();
    await unpackCopy(file(), to, null);
    expect(await readFile(join(to, 'text'), 'utf8')).toBe('It is here.');
  });

  it('is refused where it is damaged after what tar reads', async () => {
    const bytes = packed();
    bytes.writeUInt32LE((bytes.readUInt32LE(bytes.length - 8) ^ 1) >>> 0, bytes.length - 8);
    await writeFile(file(), bytes);
    await expect(unpackCopy(file(), await target(), null)).rejects.toThrow('incorrect data check');
  });

  it('is refused where the end of the encrypted file is missing, though tar has read enough', async () => {
    const key = randomBytes(32);
    const bytes = await encrypted(packed(), key);
    await writeFile(file(), bytes);
    await unpackCopy(file(), await target(), key);
    await truncate(file(), bytes.length - 1024 * 1024);
    await expect(unpackCopy(file(), await target(), key)).rejects.toThrow('its end is missing');
  });
});
