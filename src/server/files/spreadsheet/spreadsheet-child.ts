import { buffer } from 'node:stream/consumers';
import { fileKinds } from './file-kind.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import type { ParserAnswer, ReadAs, Reading } from './parser-answer.ts';
import type { HsdReading } from './table.ts';

/**
 * A separate program that reads one uploaded file and exits. It gets the bytes on standard input and writes its answer
 * to standard output. Whatever a file does to this process, the server only sees that it ended (docs/security.md §6.1).
 */
async function readFile(
  kind: string | undefined,
  reading: string | undefined,
  options: HsdReading,
  bytes: Buffer,
): Promise<ReadAs<Reading>> {
  // Each reader is loaded only when it is needed.
  if (kind === 'csv') {
    const { readCsv, readCsvSheets } = await import('./csv-table.ts');
    return reading === 'sheets' ? readCsvSheets(bytes) : readCsv(bytes, options);
  }
  const { openXls, openXlsx, readSheets, readTable } = await import('./workbook-table.ts');
  const workbook = kind === 'xlsx' ? await openXlsx(bytes) : openXls(bytes);
  return reading === 'sheets' ? readSheets(workbook) : readTable(workbook, options);
}

async function answer(): Promise<ParserAnswer> {
  const kind = fileKinds.find((candidate) => candidate === process.argv[2]);
  try {
    // The cast is safe: the server itself writes these options, after the schema of the call.
    const options = JSON.parse(process.argv[4] ?? '{}') as HsdReading;
    return { read: await readFile(kind, process.argv[3], options, await buffer(process.stdin)) };
  } catch (error) {
    // Any error of a library means that the file cannot be read. Only the message and the columns that the user may
    // choose are sent.
    if (!(error instanceof UnreadableFile)) return { refused: fileMessages.damaged };
    return { refused: error.message, ...(error.columns && { columns: error.columns }) };
  }
}

process.stdout.write(JSON.stringify(await answer()));
