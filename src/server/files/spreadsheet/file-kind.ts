import { fileMessages, UnreadableFile } from './messages.ts';

/** A received file. It is complete and in memory, and is never written to disk. */
export interface ReceivedFile {
  /** One line without a folder, at most 200 characters. */
  name: string;
  bytes: Buffer;
  sha256: Buffer;
}

export const fileKinds = ['csv', 'xlsx', 'xls'] as const;
export type FileKind = (typeof fileKinds)[number];

const zip = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
/** The first bytes of a compound file: an .xls, or the wrapper of an encrypted .xlsx. */
const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const otherFormats = [
  zip,
  compound,
  ...['PK\x05\x06', '%PDF', '{\\rtf', '\x7fELF', 'MZ', 'Rar!'].map((text) => Buffer.from(text, 'latin1')),
];

/**
 * Returns the kind of a file by its name. Throws when its first bytes contradict the name. Nothing is unpacked for
 * this.
 */
export function kindOf(fileName: string, bytes: Buffer): FileKind {
  const extension = /\.([a-z]{3,4})$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  const kind = fileKinds.find((candidate) => candidate === extension);
  if (kind === undefined) throw new UnreadableFile(fileMessages.wrongType);
  if (bytes.length === 0) throw new UnreadableFile(fileMessages.empty);
  const starts = (magic: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic);
  if (kind === 'csv' && otherFormats.some(starts)) throw new UnreadableFile(fileMessages.notCsv);
  if (kind === 'xlsx' && !starts(zip) && !starts(compound)) throw new UnreadableFile(fileMessages.notXlsx);
  if (kind === 'xls' && !starts(compound)) throw new UnreadableFile(fileMessages.notXls);
  return kind;
}

/** Whether the bytes are a compound file. An .xlsx is one only when it has a password. */
export const isCompound = (bytes: Buffer): boolean => bytes.subarray(0, compound.length).equals(compound);
