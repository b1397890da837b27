import type { Writable } from 'node:stream';
import type { TableFile } from '../files/table-file.ts';

/**
 * A file as an answer. `write` runs inside the request's transaction and resolves when everything is in the sink. An
 * error before the first byte still becomes an ordinary error answer; a later one aborts the download.
 */
export class FileBody {
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (sink: Writable) => Promise<void>;
  constructor(fileName: string, contentType: string, write: (sink: Writable) => Promise<void>) {
    this.fileName = fileName;
    this.contentType = contentType;
    this.write = write;
  }
}

export const fileBody = ({ name, contentType, write }: TableFile): FileBody => new FileBody(name, contentType, write);

/**
 * Builds the header value of RFC 6266: an ASCII name for old clients and the real name in UTF-8. A quote or line break
 * of the name never reaches the header.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w.()-]+/g, '_').replace(/^\.+/, '_') || 'download';
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
