import { Writable } from 'node:stream';

/** The bytes that `write` puts into its sink. */
export async function collected(
  write: (sink: Writable) => Promise<void>,
  onBytes: (count: number) => void = () => undefined,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      onBytes(chunk.length);
      done();
    },
  });
  await write(sink);
  return Buffer.concat(chunks);
}
