import { CFB } from '@e965/xlsx';
import { fileMessages } from '../../../../src/server/files/spreadsheet/messages.ts';
import type { CorpusFile } from './case.ts';
import { oldWorkbook, oneSheet, workbookParts, xlsx, type Cell } from './workbook.ts';
import { zip, type ZipEntry } from './zip.ts';

const bad = (name: string, fileName: string, bytes: () => Buffer, refused: string): CorpusFile => ({
  name: `bad: ${name}`,
  fileName,
  bytes,
  expected: { refused },
});
const text =
  (...lines: string[]): (() => Buffer) =>
  () =>
    Buffer.from(lines.join('\n'));
const bill: Cell[][] = [
  ['TP No', 'Amount'],
  ['000123', 500],
];
const goodBook = (): Buffer => oneSheet(bill);
const oldBook = (): Buffer =>
  oldWorkbook([
    ['TP No', 'Amount'],
    ['000123', 500],
  ]);
const noHeader = "The file needs a 'TP No' and an 'Amount' column within its first 20 rows.";
const accepted =
  'Accepted: TP No, TP Number, Transit Pass No, Permit No, टीपी नं; Amount, Amt (Rs.), Total Amount, Bill Amount, HSD Amount, Diesel Amount, राशि.';

function compoundFile(streams: Record<string, Buffer>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(file, name, content);
  // The library returns a buffer for this type.
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}
const encrypted = (): Buffer =>
  compoundFile({ EncryptionInfo: Buffer.alloc(248, 4), EncryptedPackage: Buffer.alloc(8_192, 7) });

/** An .xls whose stream says, right behind its start, that the rest is encrypted (record FILEPASS). */
function lockedOldBook(): Buffer {
  const file = CFB.read(oldBook(), { type: 'buffer' });
  const stream = CFB.find(file, 'Workbook');
  const content = Buffer.from(stream?.content as Uint8Array);
  const start = 4 + content.readUInt16LE(2);
  const locked = Buffer.from([0x2f, 0, 6, 0, 0, 0, 0x12, 0x34, 0x56, 0x78]);
  return compoundFile({ Workbook: Buffer.concat([content.subarray(0, start), locked, content.subarray(start)]) });
}

const changed =
  (change: (parts: ZipEntry[]) => ZipEntry[]): (() => Buffer) =>
  () =>
    zip(change(workbookParts([{ name: 'Sheet1', rows: bill }])));
const added = (...more: ZipEntry[]): (() => Buffer) => changed((parts) => [...parts, ...more]);
const sheetOf = (content: Buffer | string): (() => Buffer) =>
  changed((parts) => parts.map((part) => (part.name === 'xl/worksheets/sheet1.xml' ? { ...part, content } : part)));

/** Bytes that pack no better than one to ten. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size, 'a');
  let state = 42;
  for (let at = 0; at < size; at += 24) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes.writeUInt32LE(state, Math.min(at, size - 4));
  }
  return bytes;
}
const manyRows = (count: number): string[] => Array.from({ length: count }, (_, n) => `N${n},1`);

export const badFiles: readonly CorpusFile[] = [
  bad('empty csv', 'a.csv', () => Buffer.alloc(0), fileMessages.empty),
  bad('empty xlsx', 'a.xlsx', () => Buffer.alloc(0), fileMessages.empty),
  bad('empty xls', 'a.xls', () => Buffer.alloc(0), fileMessages.empty),
  bad('only blank lines', 'a.csv', text('', ' ', '\t'), fileMessages.empty),
  bad('only a byte order mark', 'a.csv', () => Buffer.from('\ufeff'), fileMessages.empty),
  bad('a header without rows', 'a.csv', text('TP No,Amount', ',,'), fileMessages.noRows),
  bad('a workbook header without rows', 'a.xlsx', () => oneSheet([['TP No', 'Amount']]), fileMessages.noRows),
  bad('a workbook without a cell', 'a.xlsx', () => oneSheet([]), fileMessages.empty),
  bad('no header', 'a.csv', text('000123,500'), `${noHeader} No headings were seen. ${accepted}`),
  bad('no amount column', 'a.csv', text('TP No,Litres', '000123,500'), `${noHeader} Seen: TP No, Litres. ${accepted}`),
  bad(
    'header in row 21',
    'a.csv',
    text(...Array<string>(20).fill('x'), 'TP No,Amount', '1,1'),
    `${noHeader} No headings were seen. ${accepted}`,
  ),
  bad('no header in a workbook', 'a.xlsx', () => oneSheet([['a', 'b']]), `${noHeader} Seen: a, b. ${accepted}`),
  bad(
    'two TP columns',
    'a.csv',
    text('TP No,TP No,Amount', '1,2,3'),
    "Row 1 has more than one 'TP No' column. Choose one of them: 'TP No' (column 1), 'TP No' (column 2).",
  ),
  bad(
    'two amount columns',
    'a.xlsx',
    () => oneSheet([['x'], ['TP No', 'Amount', 'AMOUNT']]),
    "Row 2 has more than one 'Amount' column. Choose one of them: 'Amount' (column 2), 'AMOUNT' (column 3).",
  ),
  bad(
    'two sheets with a bill',
    'a.xlsx',
    () => xlsx({ name: 'April', rows: bill }, { name: 'May', rows: bill }),
    fileMessages.whichSheet,
  ),
  bad('20,001 rows', 'a.csv', text('TP No,Amount', ...manyRows(20_001)), fileMessages.tooManyRows),
  bad(
    '20,001 rows in a workbook',
    'a.xlsx',
    () => oneSheet([['TP No', 'Amount'], ...Array.from({ length: 20_001 }, (_, n): Cell[] => [`N${n}`, 1])]),
    fileMessages.tooManyRows,
  ),
  bad(
    '20,001 rows in an old workbook',
    'a.xls',
    () => oldWorkbook([['TP No', 'Amount'], ...Array.from({ length: 20_001 }, (_, n) => [`N${n}`, 1])]),
    fileMessages.tooManyRows,
  ),
  bad('65 columns', 'a.csv', text(`TP No,Amount${',x'.repeat(63)}`, '1,1'), fileMessages.tooManyColumns),
  bad(
    '65 columns in a workbook',
    'a.xlsx',
    () => oneSheet([...bill, Array.from({ length: 65 }, () => 'x')]),
    fileMessages.tooManyColumns,
  ),
  bad(
    'ten million commas',
    'a.csv',
    () => Buffer.concat([Buffer.from('TP No,Amount\n'), Buffer.alloc(10_000_000, ',')]),
    fileMessages.noRows,
  ),
  bad('a cell of 1,001 characters', 'a.csv', text('TP No,Amount', `${'9'.repeat(1001)},1`), fileMessages.longCell),
  bad(
    'a cell of 1,001 characters in a workbook',
    'a.xlsx',
    () => oneSheet([...bill, ['9'.repeat(1001), 1]]),
    fileMessages.longCell,
  ),
  bad(
    'one line of ten million characters',
    'a.csv',
    () => Buffer.concat([Buffer.from('TP No,Amount\n'), Buffer.alloc(10_000_000, 'x')]),
    fileMessages.longCell,
  ),
  bad(
    'ten million quotation marks',
    'a.csv',
    () => Buffer.concat([Buffer.from('TP No,Amount\n'), Buffer.alloc(10_000_001, '"')]),
    fileMessages.longCell,
  ),
  bad(
    'UTF-16 cut in the middle of a sign',
    'a.csv',
    () => Buffer.from('\ufeffTP No\tAmount\n1\t1', 'utf16le').subarray(0, -1),
    fileMessages.damaged,
  ),
  bad('zeros under the name of csv', 'a.csv', () => Buffer.from('TP No,Amount\n1,\0\0\0'), fileMessages.notTable),
  bad('a PDF under the name of csv', 'a.csv', text('%PDF-1.7', 'TP No,Amount'), fileMessages.notTable),
  bad(
    'a letter under the name of xls',
    'a.xls',
    () => compoundFile({ WordDocument: Buffer.alloc(6_000, 1) }),
    fileMessages.notTable,
  ),
  bad('an image', 'a.png', text('\x89PNG'), fileMessages.wrongType),
  bad('a workbook with macros by its name', 'a.xlsm', goodBook, fileMessages.wrongType),
  bad('a name with a second extension', 'a.csv.exe', text('TP No,Amount', '1,1'), fileMessages.wrongType),
  bad('a name without an extension', 'csv', text('TP No,Amount', '1,1'), fileMessages.wrongType),
  bad('under a password', 'a.xlsx', encrypted, fileMessages.password),
  bad('under a password, named xls', 'a.xls', encrypted, fileMessages.password),
  bad('an old workbook under a password', 'a.xls', lockedOldBook, fileMessages.password),
  bad(
    'a zip under a password',
    'a.xlsx',
    changed((parts) => parts.map((part) => ({ ...part, flags: 1 }))),
    fileMessages.password,
  ),
  bad('macros', 'a.xlsx', added({ name: 'xl/vbaProject.bin', content: Buffer.alloc(5_000, 3) }), fileMessages.macros),
  bad(
    'macros in an old workbook',
    'a.xls',
    () =>
      compoundFile({
        Workbook: Buffer.from(CFB.find(CFB.read(oldBook(), { type: 'buffer' }), 'Workbook')?.content as Uint8Array),
        '_VBA_PROJECT_CUR/VBA/dir': Buffer.alloc(5_000, 1),
      }),
    fileMessages.macros,
  ),
  bad(
    'a letter in a zip',
    'a.xlsx',
    () =>
      zip([
        { name: '[Content_Types].xml', content: '<Types/>' },
        { name: 'word/document.xml', content: '<w/>' },
      ]),
    fileMessages.notTable,
  ),
  bad(
    'a binary workbook',
    'a.xlsx',
    changed((parts) =>
      parts.map((part) => (part.name === 'xl/workbook.xml' ? { ...part, name: 'xl/workbook.bin' } : part)),
    ),
    fileMessages.notTable,
  ),
  bad('any zip', 'a.xlsx', () => zip([{ name: 'readme.txt', content: 'TP No,Amount' }]), fileMessages.notTable),
  bad('half a workbook', 'a.xlsx', () => goodBook().subarray(0, 900), fileMessages.damaged),
  bad('a workbook with its end cut off', 'a.xlsx', () => goodBook().subarray(0, -10), fileMessages.damaged),
  bad('half an old workbook', 'a.xls', () => oldBook().subarray(0, 700), fileMessages.damaged),
  bad(
    'noise behind the first bytes of a zip',
    'a.xlsx',
    () => Buffer.concat([Buffer.from('PK\x03\x04'), noise(50_000)]),
    fileMessages.damaged,
  ),
  bad(
    'noise behind the first bytes of an old workbook',
    'a.xls',
    () => Buffer.concat([oldBook().subarray(0, 8), noise(50_000)]),
    fileMessages.damaged,
  ),
  bad(
    'a flipped byte in the packed data',
    'a.xlsx',
    () => {
      const bytes = goodBook();
      bytes.fill(0xff, 120, 140);
      return bytes;
    },
    fileMessages.damaged,
  ),
  bad(
    'a bomb: 200 MB of one letter',
    'a.xlsx',
    added({ name: 'xl/media/x.bin', content: Buffer.alloc(200 * 1024 * 1024, 'a') }),
    fileMessages.inflates,
  ),
  bad(
    'a bomb: a sheet of 100 MB of blanks',
    'a.xlsx',
    sheetOf(Buffer.alloc(100 * 1024 * 1024, ' ')),
    fileMessages.inflates,
  ),
  bad(
    'a bomb: 34 MB, packed no better than a real sheet',
    'a.xlsx',
    added(
      { name: 'xl/media/a.bin', content: noise(17_000_000) },
      { name: 'xl/media/b.bin', content: noise(17_000_000) },
    ),
    fileMessages.inflates,
  ),
  bad(
    'a bomb that lies about its size',
    'a.xlsx',
    added({ name: 'xl/media/x.bin', content: Buffer.alloc(40 * 1024 * 1024, 'a'), claimedSize: 10 }),
    fileMessages.damaged,
  ),
  bad(
    '201 entries',
    'a.xlsx',
    added(...Array.from({ length: 201 }, (_, n) => ({ name: `xl/media/${n}.bin`, content: 'x' }))),
    fileMessages.inflates,
  ),
  bad(
    '10,000 entries',
    'a.xlsx',
    added(...Array.from({ length: 10_000 }, (_, n) => ({ name: `m/${n}`, content: 'x', stored: true }))),
    fileMessages.inflates,
  ),
  bad(
    'entries over one another',
    'a.xlsx',
    () => {
      const content = noise(9_000_000);
      const over = Array.from({ length: 60 }, (_, n) => ({ name: `xl/media/a${n}.bin`, content, sameAs: 6 }));
      return added({ name: 'xl/media/a.bin', content }, ...over)();
    },
    fileMessages.inflates,
  ),
  bad('a name that climbs out', 'a.xlsx', added({ name: '../../etc/cron.d/x', content: 'x' }), fileMessages.damaged),
  bad('a name from the root', 'a.xlsx', added({ name: '/etc/passwd', content: 'x' }), fileMessages.damaged),
  bad(
    'two parts of one name',
    'a.xlsx',
    changed((parts) => [...parts, ...parts.slice(-1)]),
    fileMessages.damaged,
  ),
  bad(
    'a sheet that is not there',
    'a.xlsx',
    changed((parts) => parts.filter(({ name }) => !name.includes('sheet1'))),
    fileMessages.empty,
  ),
  bad(
    'a row number beyond every sheet',
    'a.xlsx',
    () =>
      oneSheet(
        new Map<number, Cell[]>([
          [1, ['TP No', 'Amount']],
          [99_999_999, ['1', 1]],
        ]),
      ),
    fileMessages.damaged,
  ),
  ...['ZZZZZ99999999', 'XFE2', 'A1048577', 'A99999999'].map((reference) =>
    bad(
      `a cell ${reference}, beyond every sheet`,
      'a.xlsx',
      () => oneSheet([...bill, [{ xml: `<c r="${reference}"><v>1</v></c>` }]]),
      fileMessages.damaged,
    ),
  ),
  bad(
    'a value in column 65 alone',
    'a.xlsx',
    () => oneSheet([...bill, [{ xml: '<c r="BM3"><v>1</v></c>' }]]),
    fileMessages.tooManyColumns,
  ),
  bad(
    '20,021 rows in one',
    'a.xlsx',
    () => oneSheet([...bill, Array.from({ length: 20_021 }, (_, n) => ({ xml: `<c r="A${n + 3}"><v>1</v></c>` }))]),
    fileMessages.tooManyRows,
  ),
  bad(
    'a comment beyond every sheet',
    'a.xlsx',
    added({ name: 'xl/comments1.xml', content: '<comments><comment ref="A99999999"/></comments>' }),
    fileMessages.damaged,
  ),
  bad(
    'a link over a whole sheet',
    'a.xlsx',
    () => oneSheet(bill, '<hyperlinks><hyperlink ref="A1:XFD1048576" location="A1"/></hyperlinks>'),
    fileMessages.tooHard,
  ),
  bad(
    'a link over a whole sheet of an old workbook',
    'a.xls',
    () => {
      const content = CFB.find(CFB.read(oldBook(), { type: 'buffer' }), 'Workbook')?.content as Uint8Array;
      // HLINK: from row 0 to 65,535, from column 0 to 255.
      const link = Buffer.from([0xb8, 0x01, 8, 0, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0]);
      return compoundFile({ Workbook: Buffer.concat([Buffer.from(content), link]) });
    },
    fileMessages.tooHard,
  ),
  ...['META-INF/manifest.xml', 'xl/worksheets/sheet1.bin', 'Index/Document.iwa'].map((name) =>
    bad(
      `a workbook that is another kind by its ${name}`,
      'a.xlsx',
      added({ name, content: '<x/>' }),
      fileMessages.notTable,
    ),
  ),
];
