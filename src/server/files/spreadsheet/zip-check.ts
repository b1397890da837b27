import { fromBufferPromise } from 'yauzl';
import { fileMessages, UnreadableFile } from './messages.ts';
import { SheetScan } from './sheet-scan.ts';

/** Limits of an .xlsx or .ods, which is a zip (docs/security.md §6.1). */
const maxEntries = 200;
const maxInflated = 32 * 1024 * 1024;
const maxRatio = 100;
/** With one of these entries, the workbook reader treats a zip as another kind of file, whatever else it contains. */
const otherFormats =
  /^(meta-inf\/manifest\.xml|objectdata\.xml|index\/document\.iwa|xl\/(workbook|worksheets\/[^/]+)\.bin)$/;
/** Smaller entries are harmless, whatever their compression ratio. */
const ratioFrom = 1024 * 1024;

/** What says that a zip is an OpenDocument spreadsheet, and what has its sheets. */
const openDocument = 'application/vnd.oasis.opendocument.spreadsheet';
const keptParts = new Set(['mimetype', 'content.xml', 'meta-inf/manifest.xml']);

interface CheckedZip {
  /** The last row with a value in any sheet of an .xlsx. */
  lastRow: number;
  /** The content of an OpenDocument spreadsheet; undefined for an .xlsx. */
  content: string | undefined;
}

/**
 * Unpacks a zip once to measure it, before any code builds a workbook from it. The sizes in the zip's headers are not trusted;
 * only counted bytes are. Nothing is kept but the content of an OpenDocument spreadsheet.
 */
export async function checkZip(bytes: Buffer): Promise<CheckedZip> {
  let lastRow = 0;
  const kept = new Map<string, Buffer[]>();
  const names = new Set<string>();
  let inflated = 0;
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
  if (zip.entryCount > maxEntries) throw new UnreadableFile(fileMessages.inflates);
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entry.isEncrypted()) throw new UnreadableFile(fileMessages.password);
    // Different programs read duplicate names differently.
    if (names.has(name)) throw new UnreadableFile(fileMessages.damaged);
    names.add(name);
    if (names.size > maxEntries) throw new UnreadableFile(fileMessages.inflates);
    const scan = new SheetScan();
    let size = 0;
    const chunks: Buffer[] = [];
    if (keptParts.has(name)) kept.set(name, chunks);
    // A stream of a zip's entry yields buffers.
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      size += chunk.length;
      inflated += chunk.length;
      const isBomb = size > ratioFrom && size > entry.compressedSize * maxRatio;
      if (inflated > maxInflated || isBomb) throw new UnreadableFile(fileMessages.inflates);
      scan.take(chunk);
      if (keptParts.has(name)) chunks.push(chunk);
    }
    lastRow = Math.max(lastRow, scan.lastRow);
  }
  const textOf = (name: string): string => Buffer.concat(kept.get(name) ?? []).toString('utf8');
  if (textOf('mimetype').trim() === openDocument) {
    if (textOf('meta-inf/manifest.xml').includes('encryption-data')) throw new UnreadableFile(fileMessages.password);
    if ([...names].some((name) => /^(basic|scripts)\/.+/.test(name))) throw new UnreadableFile(fileMessages.macros);
    return { lastRow, content: textOf('content.xml') };
  }
  if (names.has('xl/vbaproject.bin')) throw new UnreadableFile(fileMessages.macros);
  const isWorkbook = names.has('[content_types].xml') && names.has('xl/workbook.xml');
  if (!isWorkbook || [...names].some((name) => otherFormats.test(name)))
    throw new UnreadableFile(fileMessages.notTable);
  return { lastRow, content: undefined };
}
