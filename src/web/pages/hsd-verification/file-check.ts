import { HSD_MAX_BYTES } from '../../../shared/calc/hsd.ts';

export const acceptedTypes = '.csv,.xlsx,.xls';
const accepted = /\.(csv|xlsx|xls)$/i;
const bytesPerMB = 1024 * 1024;

/** '12.4 MB', '38 kB' */
export function sizeText(bytes: number): string {
  if (bytes >= bytesPerMB) return `${(bytes / bytesPerMB).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} kB`;
}

/**
 * Why these files cannot be sent, in one plain sentence (docs/specification.md §11.2). What is in the file is the
 * server's to judge.
 */
export function problemOf(files: readonly File[]): string | undefined {
  const [file] = files;
  if (!file) return 'There is no file in what was dropped or pasted.';
  if (files.length > 1) return `${files.length} files were given. Choose one file at a time.`;
  if (!accepted.test(file.name)) return `"${file.name}" is not a .csv, .xlsx or .xls file.`;
  if (file.size > HSD_MAX_BYTES) {
    // Rounded, 10.01 MB would read as the 10 MB that are allowed.
    const isClose = file.size < HSD_MAX_BYTES + bytesPerMB / 10;
    return `"${file.name}" is ${isClose ? 'a little over 10 MB' : sizeText(file.size)}. A file may have at most 10MB.`;
  }
  if (file.size === 0) return `"${file.name}" is empty.`;
  return undefined;
}

/**
 * false: moved, deleted or locked since it was chosen. Asked before sending, since the browser then only says that the
 * network failed.
 */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
