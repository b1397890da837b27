import { fromBufferPromise } from 'yauzl';
import { HSD_HEADER_ROWS, HSD_MAX_ROWS } from '../../../shared/calc/hsd.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { RowCounter } from './row-counter.ts';

/** Limits of an .xlsx, which is a zip (design/safety.md, rule 25). */
const maxEntries = 200;
const maxInflated = 32 * 1024 * 1024;
const maxRatio = 100;
/** Below this an entry cannot harm, however well it is packed. */
const ratioFrom = 1024 * 1024;

/**
 * Unpacks an .xlsx once, counting and keeping nothing, before anything that builds a workbook sees it. Names and sizes are
 * what the zip says of itself; only the counted bytes are believed. Returns the last row with a value in any sheet.
 */
export async function checkZip(bytes: Buffer): Promise<{ lastRow: number }> {
  let lastRow = 0;
  const names = new Set<string>();
  let inflated = 0;
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
  if (zip.entryCount > maxEntries) throw new UnreadableFile(fileMessages.inflates);
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entry.isEncrypted()) throw new UnreadableFile(fileMessages.password);
    // Two parts of one name are read differently by different programs.
    if (names.has(name)) throw new UnreadableFile(fileMessages.damaged);
    names.add(name);
    if (names.size > maxEntries) throw new UnreadableFile(fileMessages.inflates);
    const counter = /^xl\/worksheets\/[^/]+\.xml$/.test(name) ? new RowCounter() : null;
    let size = 0;
    // A stream of a zip's entry yields buffers.
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      size += chunk.length;
      inflated += chunk.length;
      const isBomb = size > ratioFrom && size > entry.compressedSize * maxRatio;
      if (inflated > maxInflated || isBomb) throw new UnreadableFile(fileMessages.inflates);
      counter?.take(chunk);
    }
    if (counter === null) continue;
    if (counter.rows > HSD_MAX_ROWS + HSD_HEADER_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    lastRow = Math.max(lastRow, counter.lastRow);
  }
  if (names.has('xl/vbaproject.bin')) throw new UnreadableFile(fileMessages.macros);
  if (!names.has('[content_types].xml') || !names.has('xl/workbook.xml'))
    throw new UnreadableFile(fileMessages.notXlsx);
  return { lastRow };
}
