import { to as copyTo } from 'pg-copy-streams';
import { columnFields } from '../../src/shared/contract/challan-fields.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { challanCopy } from './sql.ts';
import { megabytes, ms, type Line } from './table.ts';
import { peakDuring, residentBytes } from './usage.ts';

/**
 * The file of all challans of the large business, compared with COPY of the same columns, and the memory that the server
 * needs.
 */
export async function measureCsv(context: Context): Promise<Line[]> {
  const { data, large, copy, server, isQuick } = context;
  const byApi: number[] = [];
  const bySql: number[] = [];
  const growth: number[] = [];
  const firstBytes: number[] = [];
  let [fileBytes, copyBytes] = [0, 0];
  for (let round = 0; round < (isQuick ? 3 : 5); round += 1) {
    context.say(`  challan file, round ${round + 1}`);
    const atRest = residentBytes(server.pid);
    const begun = performance.now();
    const { result, peak } = await peakDuring(server.pid, async () => {
      const response = await large.open('POST', '/api/challans/export-filtered-csv', { filters: {} });
      if (response.statusCode !== 200) throw new Error(`The file was refused with ${response.statusCode}`);
      firstBytes.push(performance.now() - begun);
      return count(response);
    });
    byApi.push(performance.now() - begun);
    growth.push(peak - atRest);
    fileBytes = result;

    const client = await copy.connect();
    const copyBegun = performance.now();
    try {
      copyBytes = await count(client.query(copyTo(challanCopy(data.large.id))));
    } finally {
      client.release();
    }
    bySql.push(performance.now() - copyBegun);
  }
  const [api, sql] = [median(byApi), median(bySql)];
  const rate = sql / api;
  const most = Math.max(...growth);
  return [
    {
      what: `CSV of ${data.large.size.challans} challans`,
      measured: `${ms(api)}, ${megabytes(fileBytes)}`,
      sql: `${ms(sql)}, ${megabytes(copyBytes)}`,
      ratio: `${Math.round(rate * 100)} % of COPY's rows a second`,
      target: '≥ 60 %',
      isMet: rate >= 0.6,
    },
    {
      what: 'CSV: until its first byte',
      measured: ms(median(firstBytes)),
      target: '≤ 100 ms',
      isMet: median(firstBytes) <= 100,
    },
    {
      what: 'CSV: memory of the server above its memory at rest',
      measured: `+${megabytes(most)}`,
      target: '≤ +60 MB',
      isMet: most <= 60e6,
      note: 'the most of all rounds',
    },
  ];
}

const workbookRows = 50_000;

/**
 * The bank statement and the challan list of the large business as Excel workbooks, and the memory that the server needs.
 */
export async function measureWorkbook(context: Context): Promise<Line[]> {
  const { data, sql, large } = context;
  await sql.query(
    `UPDATE challans SET payment_status = false, paid_at = NULL WHERE id IN (
       SELECT id FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY payment_status, id LIMIT $2)`,
    [data.large.id, workbookRows],
  );
  const everyColumn = { filters: { paymentStatus: false }, columns: columnFields };
  return [
    await measured(context, `Excel workbook of ${workbookRows} unpaid challans`, () =>
      large.open('GET', '/api/challans/bank-report?format=xlsx'),
    ),
    await measured(context, `Excel workbook of the challan list, ${workbookRows} rows, every column`, () =>
      large.open('POST', '/api/challans/export-filtered-xlsx', everyColumn),
    ),
  ];
}

async function measured(
  { server, isQuick, say }: Context,
  what: string,
  open: () => ReturnType<Context['large']['open']>,
): Promise<Line> {
  const times: number[] = [];
  const growth: number[] = [];
  let bytes = 0;
  for (let round = 0; round < (isQuick ? 3 : 5); round += 1) {
    say(`  ${what}, round ${round + 1}`);
    const atRest = residentBytes(server.pid);
    const begun = performance.now();
    const { result, peak } = await peakDuring(server.pid, async () => {
      const response = await open();
      if (response.statusCode !== 200) throw new Error(`The workbook was refused with ${response.statusCode}`);
      return count(response);
    });
    times.push(performance.now() - begun);
    growth.push(peak - atRest);
    bytes = result;
  }
  const most = Math.max(...growth);
  return {
    what,
    measured: `${ms(median(times))}, ${megabytes(bytes)}, server +${megabytes(most)}`,
    target: '≤ +100 MB',
    isMet: most <= 100e6,
    note: 'the most of all rounds',
  };
}

async function count(stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
}
