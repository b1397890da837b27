import { fileMessages, UnreadableFile } from './messages.ts';
import { isBareStream, type ReadTables } from './sheets.ts';

/** A received file. It is complete and in memory, and is never written to disk. */
export interface ReceivedFile {
  /** One line without a folder, at most 200 characters. */
  name: string;
  bytes: Buffer;
  sha256: Buffer;
}

const starts =
  (...signs: string[]) =>
  (bytes: Buffer): boolean =>
    signs.some((sign) => bytes.subarray(0, sign.length).equals(Buffer.from(sign, 'latin1')));

/** Formats that are no tables. What they contain would be read as text otherwise. */
const isOther = starts(
  'PK\x05\x06',
  '%PDF',
  '{\\rtf',
  '\x7fELF',
  'MZ',
  'Rar!',
  '7z\xbc\xaf',
  '\x1f\x8b',
  '\x89PNG',
  '\xff\xd8\xff',
  'GIF8',
);
const isCompound = starts('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1');

interface Reader {
  isIt: (bytes: Buffer) => boolean;
  /** `mostRows` is the limit of the rows with a value in a sheet. */
  read: (bytes: Buffer, mostRows: number) => Promise<ReadTables>;
}

/**
 * Every kind of file by its first bytes, with its reader; the first that fits is used, and text is the last. The name of a file
 * says nothing about it: what a bank calls .xls is often a web page, or text with tabs.
 */
const readers: readonly Reader[] = [
  {
    isIt: isOther,
    read: async () => {
      throw new UnreadableFile(fileMessages.notTable);
    },
  },
  {
    isIt: starts('PK\x03\x04'),
    read: async (bytes, most) => (await import('./workbook-table.ts')).readZip(bytes, most),
  },
  {
    isIt: (bytes) => isCompound(bytes) || isBareStream(bytes),
    read: async (bytes, most) => (await import('./workbook-table.ts')).readXls(bytes, most),
  },
  { isIt: () => true, read: async (bytes, most) => (await import('./text-tables.ts')).readTextFile(bytes, most) },
];

/** Reads a file by its content. Nothing is unpacked or parsed before its kind is known. */
export async function readTables(bytes: Buffer, mostRows: number): Promise<ReadTables> {
  if (bytes.length === 0) throw new UnreadableFile(fileMessages.empty);
  const read = await readers.find(({ isIt }) => isIt(bytes))?.read(bytes, mostRows);
  if (!read || read.sheets.length === 0) throw new UnreadableFile(fileMessages.empty);
  return read;
}
