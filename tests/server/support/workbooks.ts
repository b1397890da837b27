import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { read, type WorkSheet } from '@e965/xlsx';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { convertWithLibreOffice } from './libreoffice.ts';

/** The parts of a workbook as text, by their names in the archive. */
export async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const open = promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer);
  const zip = await open(bytes, { lazyEntries: true });
  const parts = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(parts));
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        buffer(stream).then((content) => {
          parts.set(entry.fileName, content.toString());
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
}

export async function sheetXml(bytes: Buffer): Promise<string> {
  return (await partsOf(bytes)).get('xl/worksheets/sheet1.xml') ?? '';
}

/** Opens workbooks in LibreOffice, saves them again, and gives the one sheet of each. */
export async function openWorkbooks(files: Readonly<Record<string, Buffer>>): Promise<Record<string, WorkSheet>> {
  const names = Object.keys(files);
  const saved = await convertWithLibreOffice(
    names.map((name, index) => ({ name: `book-${index}.xlsx`, content: files[name] ?? '' })),
    'xlsx:Calc MS Excel 2007 XML',
  );
  return Object.fromEntries(
    names.map((name, index) => {
      const book = read(saved[index], { cellFormula: true, cellNF: true });
      const sheet = book.Sheets[book.SheetNames[0] ?? ''];
      if (!sheet) throw new Error(`${name} has no sheet`);
      return [name, sheet];
    }),
  );
}
