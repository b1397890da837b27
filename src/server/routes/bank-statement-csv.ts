import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvContentType } from '../files/csv.ts';
import { FileBody } from '../http/file-body.ts';

/** A CSV file that is read from the database only as fast as its reader takes it. */
export function csvBody(file: { name: string; text: AsyncGenerator<string> }): FileBody {
  return new FileBody(file.name, csvContentType, (sink) =>
    // One piece waits at a time; each is a thousand lines. A reader who leaves ends the generator, and so the statement.
    pipeline(Readable.from(file.text, { highWaterMark: 1 }), sink),
  );
}
