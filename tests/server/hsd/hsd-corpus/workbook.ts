import { utils, write, type WorkSheet } from '@e965/xlsx';
import { zip, type ZipEntry } from './zip.ts';

/** A cell of a sheet made by hand: text, a number with the format of a style, or XML as it is. */
export type Cell = string | number | { n: number; style: number } | { xml: string } | null;

/** Number formats that `style` picks from; 0 is General. */
const formats = ['General', '000000000000', '#,##0', '0.0', 'dd/mm/yyyy', '0.00E+00', '"TP "0', '0'];

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function cellXml(cell: Cell, reference: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if ('xml' in cell) return cell.xml.replace('REF', reference);
  return `<c r="${reference}" s="${cell.style}"><v>${cell.n}</v></c>`;
}

const rowXml = (cells: readonly Cell[], row: number): string =>
  `<row r="${row}">${cells.map((cell, column) => cellXml(cell, `${columnName(column)}${row}`)).join('')}</row>`;

export interface Sheet {
  name: string;
  /** Row number → cells; an array counts from 1. */
  rows: readonly (readonly Cell[])[] | ReadonlyMap<number, readonly Cell[]>;
  hidden?: boolean;
  /** XML behind the sheet's data. */
  more?: string;
}

export function sheetXml({ rows, more = '' }: Sheet): string {
  const numbered = Array.isArray(rows) ? rows.map((cells, index) => [index + 1, cells] as const) : [...rows.entries()];
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
    numbered.map(([row, cells]) => rowXml(cells as readonly Cell[], row as number)).join('') +
    `</sheetData>${more}</worksheet>`
  );
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const worksheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** The parts of an .xlsx, for a test to change before they are packed. */
export function workbookParts(sheets: readonly Sheet[]): ZipEntry[] {
  const numbers = sheets.map((_, index) => index + 1);
  return [
    {
      name: '[Content_Types].xml',
      content: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${workbookType}"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${numbers.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${worksheetType}"/>`).join('')}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<?xml version="1.0"?><Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.map(({ name, hidden }, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<?xml version="1.0"?><Relationships xmlns="${packageRelations}">${numbers.map((n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join('')}<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      content: `<?xml version="1.0"?><styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.map((format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(format)}"/>`).join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats.map((_, index) => `<xf numFmtId="${index === 0 ? 0 : 164 + index}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    },
    ...sheets.map((sheet, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content: sheetXml(sheet) })),
  ];
}

export const xlsx = (...sheets: Sheet[]): Buffer => zip(workbookParts(sheets));
export const oneSheet = (rows: Sheet['rows'], more?: string): Buffer =>
  xlsx({ name: 'Sheet1', rows, ...(more === undefined ? {} : { more }) });

/** One sheet whose cells name the strings of a table of their own, given as XML. */
export function sharedStringsBook(rows: Sheet['rows'], strings: string): Buffer {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml';
  const ends: Record<string, [string, string]> = {
    'xl/_rels/workbook.xml.rels': [
      '</Relationships>',
      `<Relationship Id="rId9" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>`,
    ],
    '[Content_Types].xml': ['</Types>', `<Override PartName="/xl/sharedStrings.xml" ContentType="${type}"/>`],
  };
  const parts = workbookParts([{ name: 'Sheet1', rows }]).map((part) => {
    const [end, more] = ends[part.name] ?? [];
    return end === undefined ? part : { ...part, content: String(part.content).replace(end, `${more}${end}`) };
  });
  const content = `<?xml version="1.0" encoding="UTF-8"?><sst xmlns="${main}">${strings}</sst>`;
  return zip([...parts, { name: 'xl/sharedStrings.xml', content }]);
}

/** A workbook of plain rows in the old formats, by the library's own writer. */
export function oldWorkbook(
  rows: readonly (readonly (string | number)[])[],
  bookType: 'biff8' | 'biff5' = 'biff8',
): Buffer {
  const sheet: WorkSheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Sheet1');
  // The library returns a buffer for this type.
  return write(book, { type: 'buffer', bookType }) as Buffer;
}
