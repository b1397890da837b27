import type { CallOptions } from '../../support/api.ts';

export interface Part {
  name?: string;
  fileName?: string;
  content: Buffer | string;
  type?: string;
}

const boundary = 'ChallanDeskTestBoundary';

/** A multipart body as a browser writes it. */
export function multipartBody(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name = 'file', fileName, content, type = 'application/octet-stream' }) => {
    const named = fileName === undefined ? '' : `; filename="${fileName.replace(/"/g, '%22')}"`;
    const typed = fileName === undefined ? '' : `Content-Type: ${type}\r\n`;
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n${typed}\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** The options of a raw call that uploads these parts. */
export function uploadOptions(parts: readonly Part[]): CallOptions & { payload: Buffer } {
  return { payload: multipartBody(parts), headers: { 'content-type': multipartType } };
}
