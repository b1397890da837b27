/** A received file: complete, in memory, never on disk. */
export interface ReceivedFile {
  /** One line without a folder, at most 200 characters. */
  name: string;
  bytes: Buffer;
  sha256: Buffer;
}
