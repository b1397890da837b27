import { read, utils, type CellObject } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, sum } from '../../../src/shared/calc/money.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { columnFields } from '../../../src/shared/contract/challan-fields.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';

/** The files of what a table of challans shows (docs/specification.md §13.2). */
let api: Api;
let tenant: Tenant;
let ownerId: string;
let tagId: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  ownerId = (await createOwner(api, tenant, { name: '=Anil & Sons' })).id;
  tagId = (await createTag(api, tenant, { name: 'MARKET' })).id;
  const pump = await createPump(api, tenant);
  for (let n = 0; n < 7; n += 1) {
    await createChallan(
      api,
      tenant,
      { ownerId, tagId },
      {
        tpNo: `00012345678901${n}`,
        material: n % 2 === 0 ? 'Coal' : 'iron ore',
        advanceMoney: n === 3 ? '99000.55' : `${n}.05`,
        paymentStatus: n === 1,
        ...(n > 3 ? { petrolPumpId: pump.id, hsdPricePerLiter: '92.64', hsdInLiters: '20' } : {}),
      },
    );
  }
});
afterAll(() => api.close());

type Body = BodyInput<typeof contract.challans.exportXlsx>;
const auth = () => ({ token: tenant.token });
const columns = ['netAmountPayable', 'tpNo', 'loadingDate', 'material', 'ratePerMT', 'tag', 'paymentStatus'] as const;
const csvOf = async (body: Body): Promise<string[][]> => {
  const file = await api.call(contract.challans.exportCsv, { body }, auth());
  expect(file.status).toBe(200);
  return parse(file.text, { bom: true, relax_column_count: true });
};
const sheetOf = async (body: Body) => {
  const { method, path } = contract.challans.exportXlsx;
  const file = await api.callRaw(method, `/api${path}`, { ...auth(), body });
  expect(file.status).toBe(200);
  return read(file.bytes, { cellNF: true, cellDates: false }).Sheets['Challans']!;
};

describe('the file of a selection', () => {
  type Asked = BodyInput<typeof contract.challans.exportMany>;
  const textsOf = async (body: Asked, as = auth()): Promise<string[][]> => {
    const file = await api.callRaw('POST', `/api${contract.challans.exportMany.path}`, { ...as, body });
    expect(file.status).toBe(200);
    return utils.sheet_to_json(read(file.bytes).Sheets['Challans']!, { header: 1, raw: true });
  };
  const listed = async () => (await api.call(contract.challans.list, { query: {} }, auth())).body.data;

  it('holds the chosen challans, whatever filter is set, in the order of the table', async () => {
    const [a, b, c] = (await listed()).map(({ id, tpNo }) => ({ id, tpNo }));
    const challanIds = [a!, b!, c!].map(({ id }) => id);
    const [intro, headings, ...lines] = await textsOf({
      selection: { by: 'ids', challanIds },
      columns: ['tpNo', 'netAmountPayable'],
      sortBy: 'tpNo',
      sortOrder: 'asc',
    });
    expect(intro?.[0]).toMatch(/^Challans: selected\. 3 challans, as of /);
    expect(headings).toEqual(['TP No', 'Net Amount']);
    expect(lines.slice(0, -1).map(([tp]) => tp)).toEqual([a!, b!, c!].map(({ tpNo }) => tpNo).toSorted());
    expect(lines.at(-1)?.[0]).toBe('Total of 3 challans');
  });

  it('holds all that match but those that are left out', async () => {
    const [first] = await listed();
    const [intro, , ...lines] = await textsOf({
      selection: { by: 'filter', filters: { tagId, tpNo: '00012345' }, excludeChallanIds: [first!.id] },
      columns: ['tpNo'],
    });
    expect(intro?.[0]).toMatch(/tag MARKET.* · 1 left out\. 6 challans, as of /);
    expect(lines.slice(0, -1)).toHaveLength(6);
    expect(lines.flat()).not.toContain(first!.tpNo);
  });

  it('holds nothing of another business', async () => {
    const other = await api.addTenant();
    const challanIds = (await listed()).map(({ id }) => id);
    const [intro] = await textsOf({ selection: { by: 'ids', challanIds } }, { token: other.token });
    expect(intro?.[0]).toMatch(/ 0 challans, as of /);
  });
});

describe('the file of what the table shows', () => {
  it('has its columns in its order, what it is of before them, and the sums behind', async () => {
    const body: Body = {
      filters: { tagId, paymentStatus: false },
      columns: [...columns],
      sortBy: 'netAmountPayable',
      sortOrder: 'asc',
    };
    const [intro, headings, ...lines] = await csvOf(body);
    expect(intro?.[0]).toMatch(
      /^Challans: unpaid only · tag MARKET\. 6 challans, as of \d\d\/\d\d\/\d{4} \d\d:\d\d\.$/,
    );
    expect(headings).toEqual(['Net Amount', 'TP No', 'Loading Date', 'Material', 'Rate per MT', 'Tag', 'Paid']);
    const rows = lines.slice(0, -1);
    expect(rows).toHaveLength(6);
    const nets = rows.map(([net = '']) => net);
    expect(nets).toEqual(nets.toSorted(compare));
    // Exact: no apostrophe, since the workbook keeps the zeros.
    expect(rows.map(([, tp]) => tp)).toContain('000123456789010');
    expect(lines.at(-1)).toEqual([sum(nets), 'Total of 6 challans', '', '', '', '', '']);
  });

  it('names the sums in the first column that is not of numbers', async () => {
    const body: Body = {
      filters: { tagId },
      columns: ['ratePerMT', 'vehicleWheel', 'netAmountPayable', 'loadingDate'],
    };
    expect((await csvOf(body)).at(-1)?.map((cell, index) => (index === 2 ? '' : cell))).toEqual([
      '',
      '',
      '',
      'Total of 7 challans',
    ]);
    expect((await csvOf({ ...body, columns: ['ratePerMT'] })).at(-1)).toEqual(['']);
    const sheet = await sheetOf(body);
    expect((sheet[utils.encode_cell({ r: 9, c: 3 })] as CellObject | undefined)?.v).toBe('Total of 7 challans');
  });

  it('is in a workbook with numbers as numbers, dates as dates, TP as text, and the heading in sight', async () => {
    const sheet = await sheetOf({ filters: {}, columns: [...columns], sortBy: 'material,tpNo', sortOrder: 'desc' });
    const cell = (row: number, column: number) =>
      sheet[utils.encode_cell({ r: row, c: column })] as CellObject | undefined;
    expect(cell(0, 0)?.v).toMatch(/^Challans: all\. 7 challans, as of /);
    expect(cell(1, 1)?.v).toBe('TP No');
    expect([cell(2, 0)?.t, cell(2, 0)?.z]).toEqual(['n', '#,##0.00']);
    expect([cell(2, 1)?.t, cell(2, 1)?.v]).toEqual(['s', '000123456789015']);
    expect([cell(2, 2)?.t, cell(2, 2)?.z]).toEqual(['n', 'dd/mm/yyyy']);
    const listed = await api.call(contract.challans.list, { query: {} }, auth());
    expect(Number(cell(9, 0)?.v).toFixed(2)).toBe(listed.body.summary.totalAmount);
    const xml = Buffer.from(
      (
        await api.callRaw('POST', `/api${contract.challans.exportXlsx.path}`, {
          ...auth(),
          body: { filters: {}, columns: ['tpNo'] },
        })
      ).bytes,
    );
    expect(xml.length).toBeGreaterThan(1000);
  });

  it('can have every column there is, and without any those of the CSV', async () => {
    const [, headings, first] = await csvOf({ filters: {}, columns: [...columnFields] });
    expect([headings?.length, first?.length]).toEqual([columnFields.length, columnFields.length]);
    expect(utils.decode_range((await sheetOf({ filters: {} }))['!ref'] ?? '').e.c).toBe(34);
    const plain = parse((await api.call(contract.challans.exportCsv, { body: { filters: {} } }, auth())).text, {
      bom: true,
    });
    expect([plain.length, plain[0]?.[0]]).toEqual([8, 'No']);
  });

  it("is of an owner's challans too, and guards a name that looks like a formula", async () => {
    const answer = await api.call(
      contract.accounting.exportCsv,
      { body: { ownerId, filters: { sortBy: 'tpNo', sortOrder: 'asc' }, columns: ['tpNo', 'hsdAmount'] } },
      auth(),
    );
    const [intro, headings, ...lines]: string[][] = parse(answer.text, { bom: true, relax_column_count: true });
    expect(intro?.[0]).toMatch(/^Challans of =Anil & Sons: all\. 7 challans, as of /);
    expect(headings).toEqual(['TP No.', 'HSD Amount']);
    expect(lines.map(([tp]) => tp).slice(0, -1)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `00012345678901${n}`));
    expect(lines.at(-1)).toEqual(['Total of 7 challans', '5558.40']);
  });

  it('refuses columns that there are not, none, and one twice', async () => {
    for (const wrong of [['password'], [], ['tpNo', 'tpNo']]) {
      const answer = await api.callRaw('POST', `/api${contract.challans.exportXlsx.path}`, {
        ...auth(),
        body: { filters: {}, columns: wrong },
      });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
    }
  });

  it("has nothing of another's challans", async () => {
    const stranger = await api.addTenant();
    const answer = await api.call(
      contract.challans.exportCsv,
      { body: { filters: { ownerId, tagId }, columns: ['tpNo'] } },
      { token: stranger.token },
    );
    const lines: string[][] = parse(answer.text, { bom: true, relax_column_count: true });
    expect(lines.slice(1)).toEqual([['TP No'], ['Total of 0 challans']]);
    expect(answer.text).not.toContain('MARKET');
  });
});
