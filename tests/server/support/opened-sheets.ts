import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { read, utils, type WorkSheet } from '@e965/xlsx';
import { requireLibreOffice } from '../../../src/tasks/libreoffice.ts';

/** One cell as LibreOffice understood it. */
export interface OpenedCell {
  kind: 'text' | 'number' | 'formula' | 'empty' | 'other';
  /** Of a number, as many decimals as the file had are the caller's business. */
  value: string | number;
}

/**
 * How a person may have the import dialog set. `plain`: as it comes. `eager`: everything on that turns text into something
 * else (detect special numbers, evaluate formulas), in English (India).
 */
const settings = {
  plain: '44,34,76,1,,1033,false,false,false,false,false,-1,false',
  eager: '44,34,76,1,,16393,false,true,false,false,false,-1,true',
} as const;
export type ImportSettings = keyof typeof settings;

/** Opens CSV files in LibreOffice, all in one start, and returns what is in their cells. */
export async function openInLibreOffice(
  files: Readonly<Record<string, string>>,
  how: ImportSettings,
): Promise<Record<string, OpenedCell[][]>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'challan-desk-sheets-'));
  try {
    const names = Object.keys(files);
    const paths = names.map((_, index) => path.join(folder, `file-${index}.csv`));
    await Promise.all(paths.map((file, index) => writeFile(file, files[names[index] ?? ''] ?? '')));
    await mkdir(path.join(folder, 'out'));
    await promisify(execFile)(requireLibreOffice(), [
      // A profile of its own: two at once would refuse each other.
      `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`,
      '--headless',
      '--norestore',
      `--infilter=Text - txt - csv (StarCalc):${settings[how]}`,
      '--convert-to',
      'xlsx:Calc MS Excel 2007 XML',
      '--outdir',
      path.join(folder, 'out'),
      ...paths,
    ]);
    const opened = await Promise.all(
      names.map(async (name, index) => {
        const book = read(await readFile(path.join(folder, 'out', `file-${index}.xlsx`)), { cellFormula: true });
        const sheet = book.Sheets[book.SheetNames[0] ?? ''];
        if (!sheet) throw new Error(`${name} has no sheet`);
        return [name, cellsOf(sheet)] as const;
      }),
    );
    return Object.fromEntries(opened);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cellsOf(sheet: WorkSheet): OpenedCell[][] {
  const range = utils.decode_range(sheet['!ref'] ?? 'A1');
  const rows: OpenedCell[][] = [];
  for (let row = range.s.r; row <= range.e.r; row += 1) {
    const cells: OpenedCell[] = [];
    for (let column = range.s.c; column <= range.e.c; column += 1) {
      cells.push(cellOf(sheet[utils.encode_cell({ r: row, c: column })]));
    }
    rows.push(cells);
  }
  return rows;
}

function cellOf(cell: { t?: string; v?: unknown; f?: string } | undefined): OpenedCell {
  if (cell === undefined || cell.t === 'z') return { kind: 'empty', value: '' };
  if (cell.f !== undefined) return { kind: 'formula', value: cell.f };
  if (cell.t === 's' && typeof cell.v === 'string') return { kind: 'text', value: cell.v };
  if (cell.t === 'n' && typeof cell.v === 'number') return { kind: 'number', value: cell.v };
  return { kind: 'other', value: String(cell.v) };
}
