import { buffer } from 'node:stream/consumers';
import { fileKinds } from './file-kind.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import type { ParserAnswer } from './parser-answer.ts';
import type { HsdTable } from './table.ts';

/**
 * A separate program that reads one uploaded file and ends: the bytes come on standard input, the answer goes to
 * standard output. Whatever a file does to it, the server only sees that it ended (docs/security.md §6.1).
 */
async function readTable(kind: string | undefined, bytes: Buffer): Promise<HsdTable> {
  // Each reader is loaded only where it is needed.
  if (kind === 'csv') return (await import('./csv-table.ts')).readCsv(bytes);
  const { readXls, readXlsx } = await import('./workbook-table.ts');
  return kind === 'xlsx' ? readXlsx(bytes) : readXls(bytes);
}

async function answer(): Promise<ParserAnswer> {
  const kind = fileKinds.find((candidate) => candidate === process.argv[2]);
  try {
    return { table: await readTable(kind, await buffer(process.stdin)) };
  } catch (error) {
    // Any error of a library means that the file cannot be read; only the message is sent.
    return { refused: error instanceof UnreadableFile ? error.message : fileMessages.damaged };
  }
}

process.stdout.write(JSON.stringify(await answer()));
