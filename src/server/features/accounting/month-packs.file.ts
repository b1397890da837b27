import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { formatDate } from '../../../shared/calc/dates.ts';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { add, formatAmount } from '../../../shared/calc/money.ts';
import { cellValue, numericKinds, type Column, type TableLine } from '../../../shared/columns/define.ts';
import { monthText } from '../../../shared/columns/hsd-verification-columns.ts';
import { packTotalColumns, type PackTotal } from '../../../shared/columns/month-pack-columns.ts';
import type { MonthDays } from '../../../shared/filters/close-checks.ts';
import { createPdf, startPage, type PdfBusiness } from '../../files/pdf.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';

/** The archive of a closed month. The same rows always make the same bytes. */

/** A file of the pack, which has it as .csv and as .xlsx. */
export interface PackTable<Row> {
  name: string;
  title: string;
  columns: readonly Column<Row>[];
  rows: () => AsyncIterable<readonly Row[]>;
  /** The columns whose sums are at the end and among the control totals. */
  sums: readonly string[];
  /** What the file says of itself in its last line. */
  mark?: string;
}

type Files = Map<string, Buffer>;

async function bytesOf(write: (sink: Writable) => Promise<void>): Promise<Buffer> {
  const sink = new PassThrough();
  const [bytes] = await Promise.all([buffer(sink), write(sink)]);
  return bytes;
}

/** Writes both files of a table while its rows are read once, so that they have the same rows. */
async function writeBoth<Row>(
  files: Files,
  { name, title, columns }: Pick<PackTable<Row>, 'name' | 'title' | 'columns'>,
  intro: string,
  lines: AsyncIterable<readonly TableLine<Row>[]>,
): Promise<void> {
  const pipes = (['csv', 'xlsx'] as const).map((format) => {
    const pipe = new PassThrough({ objectMode: true, highWaterMark: 1 });
    const file: TableFile = tableFile(format, {
      name: `${name}.${format}`,
      sheet: title,
      columns,
      // A CSV has no intro line, because other programs expect the headings in the first line.
      ...(format === 'xlsx' && { intro }),
      lines: pipe as AsyncIterable<readonly TableLine<Row>[]>,
    });
    return { pipe, file };
  });
  const feed = async (): Promise<void> => {
    for await (const some of lines)
      for (const { pipe } of pipes) if (!pipe.write(some)) await once(pipe, 'drain', { signal: stopped.signal });
    for (const { pipe } of pipes) pipe.end();
  };
  const stopped = new AbortController();
  try {
    await Promise.all([
      feed(),
      ...pipes.map(async ({ file }) => files.set(file.name, await bytesOf((sink) => file.write(sink)))),
    ]);
  } finally {
    // After an error nobody reads or writes the pipes any more.
    stopped.abort();
    for (const { pipe } of pipes) pipe.destroy();
  }
}

/** Yields the rows, then their sums, which are added to the control totals. */
async function* withSums<Row>(
  { title, columns, rows, sums, mark }: PackTable<Row>,
  totals: PackTotal[],
): AsyncGenerator<TableLine<Row>[]> {
  const summed = columns.filter(({ key }) => sums.includes(key));
  const amounts = new Map(summed.map(({ key }) => [key, '0.00']));
  let count = 0;
  for await (const some of rows()) {
    count += some.length;
    for (const row of some)
      for (const column of summed)
        amounts.set(column.key, add(amounts.get(column.key) ?? '0.00', String(cellValue(column, row) ?? '0.00')));
    yield some.map((row) => ({ row }));
  }
  totals.push({ file: title, what: 'Rows', count, amount: null });
  for (const { key, label } of summed)
    totals.push({ file: title, what: label, count: null, amount: amounts.get(key)! });
  const label = columns.find(({ kind }) => !numericKinds.has(kind))!.key;
  yield [
    { sums: { [label]: `Total of ${countText(count, 'row')}`, ...Object.fromEntries(amounts) } },
    ...(mark === undefined ? [] : [{ sums: { [label]: mark } }]),
  ];
}

/** The control totals on A4. */
function totalsPdf(business: PdfBusiness, title: string, totals: readonly PackTotal[], at: Date): Promise<Buffer> {
  const pdf = createPdf({ title: `Control totals, ${title}`, at });
  const [file, what, count, amount] = packTotalColumns;
  const columns = [
    { label: file!.label, width: 170 },
    { label: what!.label, width: 170 },
    { label: count!.label, width: 70, align: 'right' as const },
    { label: amount!.label, width: 110, align: 'right' as const },
  ];
  const cells = totals.map((row) => [
    row.file,
    row.what,
    row.count === null ? '' : formatCount(row.count),
    row.amount === null ? '' : formatAmount(row.amount),
  ]);
  return bytesOf((sink) =>
    pdf.write(sink, async () => {
      startPage(pdf, business, 'Control totals', title);
      pdf.table(columns, cells, { size: 9 });
    }),
  );
}

/** Makes the archive: each table as CSV and .xlsx, the control totals also as PDF, and the checksums. */
export async function makePack(
  business: PdfBusiness,
  { from, to }: MonthDays,
  tables: readonly PackTable<never>[],
): Promise<{ content: Buffer; sha256: string; totals: PackTotal[] }> {
  const title = monthText(from.slice(0, 7));
  const files: Files = new Map();
  const totals: PackTotal[] = [];
  for (const table of tables)
    await writeBoth(files, table, `${table.title}, ${title}, up to ${formatDate(to)}`, withSums(table, totals));
  const page = { name: 'control_totals', title: 'Control totals', columns: packTotalColumns };
  const lines = Readable.from([totals.map((row) => ({ row }))]) as AsyncIterable<TableLine<PackTotal>[]>;
  await writeBoth(files, page, `Control totals, ${title}`, lines);
  // Days and times of the files are those of the month, so that nothing depends on when the pack is made.
  const at = new Date(`${to}T12:00:00Z`);
  files.set('control_totals.pdf', await totalsPdf(business, title, totals, at));
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const sums = sorted.map(([name, bytes]) => `${sha256Of(bytes)}  ${name}\n`).join('');
  const zip = new ZipFile();
  for (const [name, bytes] of [...sorted, ['SHA256SUMS', Buffer.from(sums)] as const])
    zip.addBuffer(bytes, name, { mtime: at, mode: 0o100644 });
  zip.end();
  const content = await buffer(zip.outputStream);
  return { content, sha256: sha256Of(content), totals };
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
