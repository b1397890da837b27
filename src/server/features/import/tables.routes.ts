import { HSD_MAX_BYTES } from '../../../shared/reading/pump-bill.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { ReadTables } from '../../files/spreadsheet/sheets.ts';
import { tableMessage, UnreadableFile } from '../../files/spreadsheet/messages.ts';
import { parseInTurn } from '../../files/spreadsheet/parser-process.ts';
import type { Implementer, Upload } from '../../http/implement.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { Refusal } from '../../refusal.ts';
import { countText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDateTime } from '../../../shared/calc/dates.ts';
import { listFileName } from '../../../shared/calc/file-names.ts';
import type { Column, TableLine } from '../../../shared/columns/define.ts';
import type { TableToWrite } from '../../../shared/contract/tables.ts';

export function tablesRoutes(implement: Implementer): void {
  implement.file(contract.tables.write, ({ body }) => writtenTable(body, new Date()));

  implement.upload(contract.tables.read, readTableFile, async ({ file }) => ({ data: file }));
}

/** Receives a file and returns its sheets as text. The file is not stored. */
async function readTableFile(upload: Upload): Promise<ReadTables & { sha256: string }> {
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const tables = await parseInTurn('sheets', upload.business, name, bytes, upload.signal);
    return { ...tables, sha256: sha256.toString('hex') };
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal('INVALID_FILE', tableMessage(error.message)) : error;
  }
}

type WrittenRow = TableToWrite['rows'][number];

/** The table of a list as a workbook, after a line that says what it is. The rows were checked against their columns. */
function writtenTable({ label, columns, rows, sums = [] }: TableToWrite, now: Date): TableFile {
  const count = countText(rows.length, 'row');
  return tableFile<WrittenRow>('xlsx', {
    name: listFileName(label, dayOf(now)),
    sheet: label,
    intro: `${label}, ${count}, ${formatDateTime(now.toISOString())}`,
    // Safe: the contract has checked each cell by the kind of its column.
    columns: columns.map((column, at) => ({
      ...column,
      key: String(at),
      value: (row: WrittenRow) => row[at] ?? null,
    })) as Column<WrittenRow>[],
    lines: linesOf(rows, sums),
  });
}

/** So many lines are written at once, so that others are served between them. */
const linesAtOnce = 500;

async function* linesOf(rows: readonly WrittenRow[], sums: WrittenRow): AsyncGenerator<TableLine<WrittenRow>[]> {
  for (let at = 0; at < rows.length; at += linesAtOnce) yield rows.slice(at, at + linesAtOnce).map((row) => ({ row }));
  if (sums.length > 0) yield [{ sums: Object.fromEntries(sums.map((sum, at) => [at, sum ?? ''])) }];
}
