import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileFormat } from '../../shared/calc/file-names.ts';
import type { Column, TableLine } from '../../shared/columns/define.ts';
import { csvContentType, csvPieces } from './csv.ts';
import { writeXlsx, xlsxContentType } from './xlsx.ts';

interface Table<Row> {
  /** The file name with its extension. */
  name: string;
  /** The name of the sheet in a workbook. */
  sheet: string;
  columns: readonly Column<Row>[];
  /** A line before the headings that says what the file contains. */
  intro?: string;
  lines: AsyncIterable<readonly TableLine<Row>[]>;
}

/**
 * A file that is generated only as fast as its reader takes it. As an answer, `write` runs inside the request's transaction and
 * resolves when everything is in the sink. An error before the first byte still becomes an ordinary error answer; a later one
 * aborts the download.
 */
export interface TableFile {
  name: string;
  contentType: string;
  write: (sink: Writable) => Promise<void>;
}

export function tableFile<Row>(format: FileFormat, { name, sheet, columns, intro, lines }: Table<Row>): TableFile {
  if (format === 'xlsx') {
    return {
      name,
      contentType: xlsxContentType,
      write: (sink) => writeXlsx(sink, sheet, columns, lines, intro),
    };
  }
  return {
    name,
    contentType: csvContentType,
    // One piece is buffered at a time. When the reader disconnects, the generator ends, and with it the database
    // statement.
    write: (sink) => pipeline(Readable.from(csvPieces(columns, lines, intro), { highWaterMark: 1 }), sink),
  };
}
