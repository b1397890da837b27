import { buffer } from 'node:stream/consumers';
import { HSD_MAX_ROWS } from '../../../shared/reading/pump-bill.ts';
import { TABLE_HEADING_ROWS, TABLE_MAX_ROWS } from '../../../shared/reading/tables.ts';
import { readBill, type HsdReading } from './bill-table.ts';
import { readTables } from './file-kind.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import type { ParserAnswer, ReadAs, Reading } from './parser-answer.ts';

/** A bill has rows of totals and titles besides those that are counted. */
const mostBillRows = 2 * HSD_MAX_ROWS;

/**
 * A separate program that reads one uploaded file and exits. It gets the bytes on standard input and writes its answer
 * to standard output. Whatever a file does to this process, the server only sees that it ended (docs/security.md §6.1).
 */
async function readFile(reading: string | undefined, options: HsdReading, bytes: Buffer): Promise<ReadAs<Reading>> {
  return reading === 'sheets'
    ? await readTables(bytes, TABLE_MAX_ROWS + TABLE_HEADING_ROWS)
    : readBill(await readTables(bytes, mostBillRows), options);
}

async function answer(): Promise<ParserAnswer> {
  try {
    // The cast is safe: the server itself writes these options, after the schema of the call.
    const options = JSON.parse(process.argv[3] ?? '{}') as HsdReading;
    return { read: await readFile(process.argv[2], options, await buffer(process.stdin)) };
  } catch (error) {
    // Any error of a library means that the file cannot be read. Only the message and the columns that the user may
    // choose are sent.
    if (!(error instanceof UnreadableFile)) return { refused: fileMessages.damaged };
    return { refused: error.message, ...(error.columns && { columns: error.columns }) };
  }
}

process.stdout.write(JSON.stringify(await answer()));
