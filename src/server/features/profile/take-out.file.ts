import { createHash } from 'node:crypto';
import { PassThrough, Transform, type Readable, type TransformCallback, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface TakenFile {
  name: string;
  /** Opens the file. It is called when the previous file has been written, because the database sends one at a time. */
  open: () => Readable & { rowCount?: number };
}

export interface Manifest {
  /** The version of the archive's format. */
  format: 1;
  takenAt: string;
  /** The newest migration of the database that the archive comes from. */
  schema: number;
  files: { name: string; rows: number; bytes: number; sha256: string }[];
  notTaken: Readonly<Record<string, string>>;
  note: string;
}

class HashingStream extends Transform {
  readonly hash = createHash('sha256');
  bytes = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }
}

const note =
  'CSV in UTF-8 with a heading. An empty field is absent, "" is empty text. Text that begins with = + - @ or an ' +
  'apostrophe has one apostrophe before it, so that no spreadsheet takes it for a formula. Times are in UTC.';

/** Writes a .zip of these files as their data arrives, with a manifest of their rows and hashes at the end. */
export async function writeTakeOut(
  sink: Writable,
  files: readonly TakenFile[],
  about: Pick<Manifest, 'takenAt' | 'schema' | 'notTaken'>,
): Promise<void> {
  const zip = new ZipFile();
  const sent = pipeline(zip.outputStream, new PassThrough(), sink);
  const manifest: Manifest = { format: 1, ...about, files: [], note };
  const mtime = new Date(about.takenAt);
  try {
    for (const { name, open } of files) {
      const source = open();
      const counted = new HashingStream();
      zip.addReadStream(counted, name, { mtime, compressionLevel: 4 });
      // After the reader has disconnected, nothing takes the data, and the copy would wait for ever.
      await Promise.race([
        pipeline(source, counted),
        sent.catch((error: unknown) => {
          source.destroy();
          throw error;
        }),
      ]);
      manifest.files.push({
        name,
        rows: source.rowCount ?? 0,
        bytes: counted.bytes,
        sha256: counted.hash.digest('hex'),
      });
    }
  } catch (error) {
    (zip.outputStream as Readable).destroy(error instanceof Error ? error : undefined);
    await sent.catch(() => undefined);
    throw error;
  }
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json', { mtime });
  zip.end();
  await sent;
}
