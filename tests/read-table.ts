import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readTables } from '../src/server/files/spreadsheet/file-kind.ts';
import { TABLE_MAX_ROWS } from '../src/shared/reading/tables.ts';

/** The rows of the first sheet, as an upload of these bytes reads them. */
export const rowsOf = async (text: string | Buffer): Promise<string[][]> =>
  (await readTables(Buffer.from(text), TABLE_MAX_ROWS)).sheets[0]?.rows ?? [];

/** The rows of a file of tests/cases. */
export const rowsOfCase = (name: string): Promise<string[][]> =>
  rowsOf(readFileSync(path.resolve(import.meta.dirname, 'cases', name)));
