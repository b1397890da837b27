/** A file as it came: whole, in memory, never on disk. */
export interface ReceivedFile {
  /** One line without a folder, at most 200 characters. */
  name: string;
  bytes: Buffer;
  sha256: Buffer;
}
