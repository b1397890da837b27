import type { Writable } from 'node:stream';

/**
 * A file as an answer. `write` runs inside the request's transaction and is done when everything is in the sink; an
 * error before the first byte still becomes an ordinary error answer, a later one breaks the download off.
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

/** RFC 6266: an ASCII name for old clients, the real one in UTF-8; never a quote or line break of somebody's name. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w.()-]+/g, '_').replace(/^\.+/, '_') || 'download';
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
