import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { LayoutDefinition } from '../../../shared/bank/layout.ts';
import type { WrittenFile } from '../../../shared/bank/write-file.ts';
import type { Column } from '../../../shared/columns/define.ts';
import { writeXlsx } from '../../files/xlsx.ts';

/** Returns the bytes of a bank file: its text in ASCII, or a workbook with account numbers and references as text. */
export async function bankFileBytes(layout: LayoutDefinition, { text, records }: WrittenFile): Promise<Buffer> {
  if (layout.kind !== 'spreadsheet') return Buffer.from(text, 'ascii');
  const columns = layout.fields.map(({ label, source }, index): Column<readonly string[]> => ({
    key: String(index),
    label,
    kind: source === 'amount' ? 'money' : 'identifier',
    width: 140,
    value: (record) => record[index] ?? '',
  }));
  const sink = new PassThrough();
  async function* lines() {
    yield records.map((row) => ({ row }));
  }
  const [bytes] = await Promise.all([buffer(sink), writeXlsx(sink, 'Payments', columns, lines())]);
  return bytes;
}
