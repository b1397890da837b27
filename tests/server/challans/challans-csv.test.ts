import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSV_BOM, csvIdentifier, csvText } from '../../../src/shared/calc/csv-text.ts';
import { dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import { challanExportColumns, type ChallanExportRow } from '../../../src/shared/columns/challan-export-columns.ts';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { CopiedCsv } from '../../../src/server/files/csv-copy.ts';
import { csvHeader, csvRow } from '../../../src/server/files/csv.ts';
import { copiedCell } from '../../../src/server/sql/csv-cells.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag, type ChallanBody } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { challans } = contract;
type Filters = BodyInput<typeof challans.exportCsv>['filters'];

const download = (tenant: Tenant, filters: Filters = {}) =>
  api.call(challans.exportCsv, { body: { filters } }, { token: tenant.token });

/** A challan of the API as a line of the file, for the one writer. */
const lineOf = (challan: Challan): ChallanExportRow => ({
  ...challan,
  discounterName: challan.discounter?.name ?? null,
  tagName: challan.tag?.name ?? null,
  petrolPumpName: challan.petrolPump?.name ?? null,
  paymentName: challan.payment?.name ?? null,
});

/** The whole file by the one writer. */
const fileOf = (rows: readonly Challan[]): string =>
  CSV_BOM + csvHeader(challanExportColumns) + rows.map((row) => csvRow(challanExportColumns, lineOf(row))).join('');

async function everyChallan(tenant: Tenant, query: object = {}): Promise<Challan[]> {
  const answer = await api.call(challans.list, { query: { ...query, limit: 100 } }, { token: tenant.token });
  expect(answer.body.pagination.totalPages).toBeLessThan(2);
  return answer.body.data;
}

interface Desk {
  tenant: Tenant;
  refs: { ownerId: string; tagId: string };
  create: (over?: Partial<ChallanBody>) => ReturnType<typeof createChallan>;
}

async function openDesk(): Promise<Desk> {
  const tenant = await api.addTenant();
  const owner = await createOwner(api, tenant);
  const tag = await createTag(api, tenant, { name: '=HYPERLINK("x")' });
  const refs = { ownerId: owner.id, tagId: tag.id };
  return { tenant, refs, create: (over) => createChallan(api, tenant, refs, over) };
}

const nasty = ['=1+1', '+91', '-5', '@SUM(A1)', 'a "quoted", name', "O'Brien", 'ଓଡ଼ିଆ', '＝1', ' =1', '1/2', '', 'Null'];

describe('the challan file', () => {
  it('has its columns in their order, a byte order mark and CRLF', async () => {
    const desk = await openDesk();
    const answer = await download(desk.tenant);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="challans_\d{4}-\d\d-\d\d\.csv"/);
    expect(answer.text).toBe(
      '\ufeff"No","TP","Vehicle","Owner","Contact","Discounter","Tag","Pump","Material","From","To","Loading date",' +
        '"Unloading date","Loading MT","Unloading MT","Difference","Discount MT","Rate","TDS %","TDS","HSD ₹/L","HSD L",' +
        '"HSD","Advance","Office","Shortage","Material shortage","Net","Paid","Paid on","Payment no","HSD verified","Deposited","Remarks",' +
        '"Created"\r\n',
    );
  });

  it('writes one challan as people read it, zeros and negative numbers kept', async () => {
    const desk = await openDesk();
    const pump = await createPump(api, desk.tenant, { name: 'Maa Tarini Filling Station' });
    const sanju = await createOwner(api, desk.tenant, { name: 'Sanjukta "Sanju" Naik' });
    const made = await desk.create({
      tpNo: '000123456',
      ownerId: sanju.id,
      loadingDate: '2026-04-10T20:00:00Z',
      advanceMoney: '30000',
      petrolPumpId: pump.id,
      hsdPricePerLiter: '92.64',
      hsdInLiters: '10',
      discounterId: desk.refs.ownerId,
      remarks: '=cmd|x\nsecond line',
      paymentStatus: true,
    });
    const [, line] = (await download(desk.tenant)).text.split('\r\n');
    // The remark keeps its line feed inside of its quotes.
    expect(line).toBe(
      `"${made.challanNumber}","'000123456","${made.vehicleNo}","Sanjukta ""Sanju"" Naik","9876543210",` +
        `"${made.discounter?.name}","'=HYPERLINK(""x"")","Maa Tarini Filling Station","Iron ore fines","Joda",` +
        `"Paradip Port","11/04/2026","11/04/2026",25.00,24.90,0.10,0.00,1000.00,1.0,249.00,92.64,10.00,926.40,30000.00,` +
        `100.00,100.00,0.00,-6375.40,"Yes","${formatDate(made.paidAt!)}","${made.payment?.name}","No","12/04/2026","'=cmd|x\nsecond line",` +
        `"${formatted(made.createdAt)}"`,
    );
  });

  it('is byte for byte what the one writer makes of the same challans', async () => {
    const desk = await openDesk();
    const pump = await createPump(api, desk.tenant, { name: '@pump' });
    for (const [index, text] of nasty.entries()) {
      const owner = await createOwner(api, desk.tenant, { name: text || 'x' });
      await desk.create({
        tpNo: text || '12345.0',
        ownerId: owner.id,
        material: text || '12',
        loadingPlace: text || 'y',
        remarks: `${text}\n,\r\n"${text}`.replaceAll('\r', ''),
        paymentStatus: index % 2 === 0,
        ...(index % 3 === 0 ? { petrolPumpId: pump.id, hsdPricePerLiter: '90', hsdInLiters: String(index) } : {}),
      });
    }
    // As imported data may be, which the API would not take.
    await api.inTenant(desk.tenant, (db) =>
      db.query(
        `UPDATE challans SET tag_id = NULL, deposited_at = NULL, tds_percentage = NULL, remarks = E'a\\r\\nb\\tc'
         WHERE subadmin_id = $1 AND challan_number LIKE '%3'`,
        [desk.tenant.id],
      ),
    );
    const rows = await everyChallan(desk.tenant);
    expect(rows).toHaveLength(nasty.length);
    expect((await download(desk.tenant)).text).toBe(fileOf(rows));
  });

  it('holds what the list of the same filter holds, and only that', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    await other.create({ tpNo: '24/OTHER' });
    await desk.create({ tpNo: 'KJR/24-25/01', depositedAt: '2026-04-20', paymentStatus: true });
    await desk.create({ tpNo: 'KJR/24-25/02', depositedAt: '2026-04-21' });
    await desk.create({ tpNo: '100%_', depositedAt: '2026-04-22' });
    const gone = await desk.create({ tpNo: 'KJR/24-25/03' });
    await api.call(challans.remove, { params: { id: gone.id } }, { token: desk.tenant.token });
    const filters: Filters[] = [
      {},
      { paymentStatus: true },
      { paymentStatus: false },
      { tpNo: 'kjr' },
      { tpNo: '0%_' },
      { tpNo: '1' },
      { tpNo: '' },
      { tpNo: "' OR true --" },
      { tpNo: '\\' },
      { ownerId: desk.refs.ownerId },
      { ownerId: other.refs.ownerId },
      { tagId: desk.refs.tagId, depositedStartDate: '2026-04-21' },
      { tagId: 'none' },
      { depositedStartDate: '2026-04-21', depositedEndDate: '2026-04-21', paymentStatus: false },
      { tpNo: 'KJR', depositedEndDate: '2026-04-20' },
    ];
    for (const filter of filters) {
      const rows = await everyChallan(desk.tenant, filter);
      const text = (await download(desk.tenant, filter)).text;
      expect(text, JSON.stringify(filter)).toBe(fileOf(rows));
      expect(text).not.toContain('OTHER');
    }
  });

  it('reads back as it was, thousands of rows, however the stream is cut', async () => {
    const desk = await openDesk();
    const made = await api.inTenant(desk.tenant, (db) => insertChallans(db, desk.refs, 3_000));
    const { text } = await download(desk.tenant);
    const records: string[][] = parse(text, { bom: true, from: 2, record_delimiter: '\r\n' });
    const net = challanExportColumns.findIndex(({ key }) => key === 'netAmountPayable');
    expect(new Map(records.map((cells) => [cells[0], cells[net]]))).toEqual(
      new Map(made.map((challan) => [challan.number, challan.net])),
    );
  });

  it('refuses what is no filter', async () => {
    const desk = await openDesk();
    const refused: [unknown, string][] = [
      [{}, 'VALIDATION_ERROR'],
      [{ filters: null }, 'VALIDATION_ERROR'],
      [{ filters: { paymentStatus: 'true' } }, 'VALIDATION_ERROR'],
      [{ filters: { paymentStatus: null } }, 'VALIDATION_ERROR'],
      [{ filters: { search: 'x' } }, 'UNKNOWN_FIELD'],
      [{ filters: { depositedStartDate: '2026-04-02', depositedEndDate: '2026-04-01' } }, 'VALIDATION_ERROR'],
    ];
    for (const [body, code] of refused) {
      const answer = await api.callRaw('POST', '/api/challans/export-filtered-csv', { token: desk.tenant.token, body });
      expect({ body, status: answer.status, code: answer.error.code }).toEqual({ body, status: 400, code });
    }
    expectRefusal(
      await api.callRaw('POST', '/api/challans/export-filtered-csv', { token: api.adminToken, body: { filters: {} } }),
      403,
      'FORBIDDEN',
    );
  });
});

/** DD/MM/YYYY HH:mm in India. */
function formatted(instant: string): string {
  const [year, month, day] = dayOf(instant).split('-');
  const india = new Date(Date.parse(instant) + 330 * 60_000).toISOString();
  return `${day}/${month}/${year} ${india.slice(11, 16)}`;
}

describe('cells that the database writes', () => {
  it('are those of csv-text.ts for 20,000 random texts', async () => {
    const random = randomOf(testSeed('csv cells'));
    const tenant = await api.addTenant();
    const parts = [
      ..."=+-@＝＋－＠0123456789aZzE.,:/ '",
      ...'"\t\n\r\u00a0\u200b\ufeff\u2028\u3000\u2060\u1680\u0085\u200dଓİſKé👍١',
    ].concat(
      ['Jan', 'FEB', 'mar', 'march', 'MAY', 'dec', 'sept', 'e5', 'E+12'],
      ['OD09', 'KJR/24-25/', '2409012345678', 'SBIN0001234', ''],
    );
    const texts = ['', ...parts, ...nasty];
    while (texts.length < 20_000) {
      texts.push(Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join(''));
    }
    const column = { label: '', width: 0 };
    const { rows } = await api.inTenant(tenant, (db) =>
      db.query<{ x: string; text: string; identifier: string }>(
        `SELECT x, ${copiedCell('text', 'x', column)} AS text, ${copiedCell('identifier', 'x', column)} AS identifier
         FROM unnest($1::text[]) AS t (x)`,
        [texts],
      ),
    );
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    expect(rows).toHaveLength(texts.length);
    for (const { x, text, identifier } of rows) {
      expect(quoted(text), JSON.stringify(x)).toBe(csvText(x));
      expect(quoted(identifier), JSON.stringify(x)).toBe(csvIdentifier(x));
    }
  });
});

describe("COPY's lines made the file's", () => {
  it('ends each line with CRLF and leaves line feeds in texts, wherever a chunk ends', () => {
    const copied = Buffer.from('"a\nb","ଓ,"",",1.00,\x1e\n"c",,2.00,\x1e\n', 'utf8');
    for (let cut = 0; cut <= copied.length; cut += 1) {
      for (const second of [cut, Math.min(cut + 1, copied.length), copied.length]) {
        const csv = new CopiedCsv('head\r\n');
        csv.write(copied.subarray(0, cut));
        csv.write(copied.subarray(cut, second));
        csv.end(copied.subarray(second));
        expect((csv.read() as Buffer).toString()).toBe('head\r\n"a\nb","ଓ,"",",1.00\r\n"c",,2.00\r\n');
      }
    }
  });
});

describe('the writer', () => {
  it('leaves out the columns that are on screen only', () => {
    expect(csvRow([{ key: 'n', label: 'N', kind: 'money', width: 1, export: false }], { n: '1.00' })).toBe('\r\n');
  });
});
