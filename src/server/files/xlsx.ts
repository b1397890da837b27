import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { plainNumber } from '../../shared/calc/csv-text.ts';
import { dayOf, daysBetween, formatTime } from '../../shared/calc/dates.ts';
import { workbook } from '../../shared/contract/define.ts';
import { mapCell, numericKinds, type CellMap, type Column, type TableLine } from '../../shared/columns/define.ts';
import { exportedColumns } from './csv.ts';

/**
 * The only .xlsx writer. It writes a workbook with one sheet while its lines arrive, so that a long file needs no more
 * memory than a short one. Text is always a text cell, whatever it looks like: account numbers keep their zeros, and
 * nothing is a formula. Amounts are written digit for digit from their decimal strings.
 */

export const xlsxContentType = workbook.type;

/** The maximum number of rows in a sheet, including the heading. */
export const maxSheetRows = 1_048_576;

/** Number formats by name. `builtIn` lists those that Excel has itself; the others are defined in the workbook. */
const formats = {
  general: 'General',
  text: '@',
  whole: '0',
  amount: '#,##0.00',
  percent: '0.0',
  day: 'dd/mm/yyyy',
  minute: 'dd/mm/yyyy hh:mm',
} as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];
const builtIn: Partial<Record<Format, number>> = { general: 0, text: 49, whole: 1, amount: 4 };

/** Returns the index of a style: each format exists twice, plain and bold. */
const styleOf = (format: Format, isBold: boolean): number => formatNames.indexOf(format) * 2 + (isBold ? 1 : 0);

interface Cell {
  format: Format;
  /** A cell has either the digits of a number or text. */
  number?: string;
  text?: string;
}

const text = (value: string | null | undefined): Cell => ({ format: 'text', text: value ?? '' });
const number =
  (format: Format) =>
  (value: string | number | null): Cell =>
    value === null || value === '' ? text(null) : { format, number: plainNumber(value) };
const day = (value: string | null): Cell =>
  value === null ? text(null) : { format: 'day', number: String(serialDay(value)) };

const cells: CellMap<Cell> = {
  text,
  identifier: text,
  reference: text,
  money: number('amount'),
  weight: number('amount'),
  liters: number('amount'),
  percent: number('percent'),
  count: number('whole'),
  date: day,
  shortDate: day,
  datetime: (value) =>
    value === null ? text(null) : { format: 'minute', number: String(serialDay(value) + dayPart(value)) },
  flag: (value, { words = ['Yes', 'No'] }) => text(words[value ? 0 : 1]),
  status: (value) => text(value.label),
  tag: (value) => text(value?.name),
};

/**
 * Returns the number that a sheet stores for a day: 1 is 1 January 1900, and 1900 counts as a leap year although it was
 * not.
 */
const serialDay = (value: string): number => daysBetween('1900-01-01', dayOf(value)) + 2;

function dayPart(value: string): number {
  const [hours = 0, minutes = 0] = formatTime(value).split(':').map(Number);
  return (hours * 60 + minutes) / 1440;
}

/** Matches characters that XML cannot contain, and text that would be read back as their escape. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for here
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escapeXml(value: string): string {
  return value
    .toWellFormed()
    .replace(unwritable, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"\r]/g, (sign) => escapes[sign] ?? sign);
}

/** Returns the name of a column by its index: 0 → 'A', 27 → 'AB'. */
function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

function rowXml(line: readonly Cell[], names: readonly string[], rowNumber: number, isBold: boolean): string {
  const written = line.map((cell, index) => {
    const start = `<c r="${names[index]}${rowNumber}" s="${styleOf(cell.format, isBold)}"`;
    if (cell.number !== undefined) return `${start}><v>${cell.number}</v></c>`;
    if (cell.text === undefined || cell.text === '') return '';
    return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.text)}</t></is></c>`;
  });
  return `<row r="${rowNumber}">${written.join('')}</row>`;
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Returns a valid name of a sheet: at most 31 characters, without those that Excel refuses. */
const sheetNameOf = (name: string): string => [...name.replace(/[\\/?*[\]:']/g, ' ')].slice(0, 31).join('');

function stylesXml(): string {
  const own = formatNames.filter((name) => builtIn[name] === undefined);
  const idOf = (name: Format): number => builtIn[name] ?? 164 + own.indexOf(name);
  const styles = formatNames.flatMap((name) =>
    [0, 1].map(
      (font) =>
        `<xf numFmtId="${idOf(name)}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
    ),
  );
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  return `${xml}<styleSheet xmlns="${main}"><numFmts count="${own.length}">${own
    .map((name) => `<numFmt numFmtId="${idOf(name)}" formatCode="${escapeXml(formats[name])}"/>`)
    .join('')}</numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** Returns all parts of the workbook except the sheet. */
function partsOf(name: string, headingRow: number): Record<string, string> {
  const sheet = escapeXml(name);
  return {
    '[Content_Types].xml': `${xml}<Types xmlns="${packages}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/>\
<Override PartName="/xl/styles.xml" ContentType="${contentTypes}.styles+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentTypes}.worksheet+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${packages}/relationships">\
<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    // The heading is repeated on each printed page.
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>\
<sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets><definedNames>\
<definedName name="_xlnm.Print_Titles" localSheetId="0">'${sheet}'!$${headingRow}:$${headingRow}</definedName></definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packages}/relationships">\
<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>\
<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesXml(),
  };
}

/**
 * Returns the XML before the rows. The heading stays visible while scrolling, and a printed page is as wide as the
 * columns.
 */
function sheetStart<Row>(columns: readonly Column<Row>[], headingRow: number): string {
  const widths = columns.map(
    ({ width }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${Math.round(width / 7)}" customWidth="1"/>`,
  );
  return `${xml}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>\
<sheetView workbookViewId="0"><pane ySplit="${headingRow}" topLeftCell="A${headingRow + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols>${widths.join('')}</cols><sheetData>`;
}

/**
 * Returns the XML after the rows. Account numbers are text on purpose, so Excel's warning about them is switched off.
 */
const sheetEnd = (lastCell: string): string => `</sheetData><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" \
header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>\
<ignoredErrors><ignoredError sqref="A1:${lastCell}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;

const headingRowOf = (intro: string | undefined): number => (intro === undefined ? 1 : 2);

/** Small pieces keep memory use flat. */
const pieceLength = 32_768;

async function* sheetXml<Row>(
  columns: readonly Column<Row>[],
  lines: AsyncIterable<readonly TableLine<Row>[]>,
  intro: string | undefined,
): AsyncGenerator<string> {
  const names = columns.map((_, index) => columnName(index));
  let rowNumber = 0;
  const rowOf = (line: readonly Cell[], isBold: boolean): string => {
    rowNumber += 1;
    if (rowNumber > maxSheetRows) throw new Error('The sheet has more rows than a workbook can hold');
    return rowXml(line, names, rowNumber, isBold);
  };
  const heading = columns.map(({ label }) => text(label));
  let pending = sheetStart(columns, headingRowOf(intro));
  if (intro !== undefined) pending += rowOf([text(intro)], false);
  pending += rowOf(heading, true);
  for await (const some of lines) {
    for (const line of some) {
      if ('row' in line) {
        const { row } = line;
        pending += rowOf(
          columns.map((column) => mapCell(cells, column, row)),
          false,
        );
      } else {
        const { sums } = line;
        pending += rowOf(
          columns.map((column) => sumCell(column, sums[column.key])),
          true,
        );
      }
      if (pending.length < pieceLength) continue;
      yield pending;
      pending = '';
    }
    // The first rows are read before the heading is sent, so that a failing statement can still be answered with an
    // error.
    if (pending !== '') yield pending;
    pending = '';
  }
  yield pending + sheetEnd(`${names.at(-1)}${rowNumber}`);
}

const sumCell = <Row>({ kind }: Column<Row>, value = ''): Cell =>
  numericKinds.has(kind) ? number(kind === 'count' ? 'whole' : 'amount')(value) : text(value);

/** The time is fixed, so that the same lines always give the same bytes. */
const mtime = new Date('2000-01-01T00:00:00Z');

/**
 * Writes the workbook. Resolves when everything is in the sink. Nothing is written before the first lines are
 * available.
 */
export async function writeXlsx<Row>(
  sink: Writable,
  name: string,
  columns: readonly Column<Row>[],
  lines: AsyncIterable<readonly TableLine<Row>[]>,
  intro?: string,
): Promise<void> {
  // One piece is buffered at a time. When the reader disconnects, the generator ends, and with it the database
  // statement.
  const sheet = Readable.from(sheetXml(exportedColumns(columns), lines, intro), { highWaterMark: 1, encoding: 'utf8' });
  const zip = new ZipFile();
  try {
    await once(sheet, 'readable');
    for (const [part, content] of Object.entries(partsOf(sheetNameOf(name), headingRowOf(intro))))
      zip.addBuffer(Buffer.from(content), part, { mtime });
    zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime, compressionLevel: 4 });
    zip.end();
    // The library does not report a failing source, so the output must be ended here.
    sheet.once('error', (error) => (zip.outputStream as Readable).destroy(error));
    await pipeline(zip.outputStream, sink);
  } finally {
    sheet.destroy();
  }
}
