import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { hsdColumnsToChoose, type HsdColumnsToChoose } from '../../../src/shared/contract/hsd-verification.ts';
import { fileMessages } from '../../../src/server/files/spreadsheet/messages.ts';
import { oneSheet, xlsx } from './hsd-corpus/workbook.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createPump } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { addHsdChallans, uploadFile, type UploadAnswer, type UploadQuery } from '../support/hsd-desk.ts';

/** Columns that are not recognised are chosen, and remembered for the pump (docs/specification.md §11.4). */
const { hsdVerification, petrolPumps } = contract;

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
  await addHsdChallans(api, tenant, [
    { tpNo: '000123', amount: '500.00' },
    { tpNo: 'B1', amount: '7.00' },
  ]);
});
afterAll(() => api.close());

const send = (content: string | Buffer, query: UploadQuery = {}, fileName = 'bill.csv') =>
  uploadFile(api, tenant, fileName, content, query);
const matchesOf = (answer: UploadAnswer): string[] => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.data.results.validMatches.map(({ tpNo }) => tpNo);
};
function choiceIn(answer: UploadAnswer): HsdColumnsToChoose {
  expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_FILE']);
  return hsdColumnsToChoose.parse(answer.body.data);
}
const lines = (...rows: string[]): string => rows.join('\n');

describe('headings that pumps use', () => {
  it.each([
    ['TP No,Amt (Rs.)'],
    ['TP No,Total Amount'],
    ['TP No,Bill Amount'],
    ['TP No,Diesel Amount'],
    ['Permit No,Amount'],
    ['टी.पी. नं.,राशि'],
    ['परमिट नं०,कुल राशि'],
    ['टीपी नंबर,रकम (₹)'],
  ])('%s', async (headings) => {
    expect(matchesOf(await send(lines(headings, '000123,500')))).toEqual(['000123']);
  });

  it('are those of our own challan file', async () => {
    const file = await api.call(contract.challans.exportCsv, { body: { filters: {} } }, { token: tenant.token });
    expect(matchesOf(await send(file.text)).toSorted()).toEqual(['000123', 'B1']);
  });

  it('leave liters under HSD alone where there is an amount', async () => {
    expect(matchesOf(await send(lines('TP No,HSD,Amount', '000123,5,500')))).toEqual(['000123']);
  });
});

describe('columns that are not recognised', () => {
  const bill = lines('Maa Tarini Filling Station', 'Slip,Litres,Value', '000123,5,500.00', 'B1,1,7');

  it('are asked for: the headings that were seen, the names that are accepted, and the first rows', async () => {
    const answer = await send(bill);
    expect(choiceIn(answer)).toEqual({
      sheet: '',
      sheets: [],
      readAs: 'Read as text with commas',
      rows: [['Maa Tarini Filling Station'], ['Slip', 'Litres', 'Value'], ['000123', '5', '500.00'], ['B1', '1', '7']],
      headingRow: 2,
      tpColumns: [],
      amountColumns: [],
    });
    expect(answer.error.message).toContain('Seen: Slip, Litres, Value. Accepted: TP No, ');
  });

  it('are read as chosen, and without a pump only this once', async () => {
    const choice = { headingRow: 2, tpColumn: 1, amountColumn: 3 };
    expect(matchesOf(await send(bill, choice))).toEqual(['000123', 'B1']);
    choiceIn(await send(bill));
  });

  it('are remembered for the pump, wherever they are in its next file', async () => {
    const pump = await createPump(api, tenant);
    const choice = { petrolPumpId: pump.id, headingRow: 2, tpColumn: 1, amountColumn: 3 };
    expect(matchesOf(await send(bill, choice))).toEqual(['000123', 'B1']);
    const next = lines('Value,Slip', '7,B1', '500,000123');
    expect(matchesOf(await send(next, { petrolPumpId: pump.id }))).toEqual(['B1', '000123']);
    const { body } = await api.call(hsdVerification.getPumpSettings, { params: { id: pump.id } }, tenant);
    expect(body.data).toEqual({ tolerance: '1.00', columns: { tpHeading: 'Slip', amountHeading: 'Value' } });
    choiceIn(await send(next, { petrolPumpId: (await createPump(api, tenant)).id }));
  });

  it('of a file without headings are remembered by their place', async () => {
    const pump = await createPump(api, tenant);
    const bare = lines('000123,500', 'B1,7');
    const choice = { petrolPumpId: pump.id, headingRow: 0, tpColumn: 1, amountColumn: 2 };
    expect(matchesOf(await send(bare, choice))).toEqual(['000123', 'B1']);
    expect(matchesOf(await send(bare, { petrolPumpId: pump.id }))).toEqual(['000123', 'B1']);
    // Headings that are recognised come first.
    expect(matchesOf(await send(lines('Amount,TP No', '7,B1'), { petrolPumpId: pump.id }))).toEqual(['B1']);
  });

  it('of a workbook are those of one sheet, and another can be looked at', async () => {
    const book = xlsx(
      { name: 'Cover', rows: [['Pump', 'Month', 'Of', 'What']] },
      {
        name: 'Slips',
        rows: [
          ['Slip', 'Value'],
          ['000123', 500],
        ],
      },
    );
    expect(choiceIn(await send(book, {}, 'bill.xlsx'))).toMatchObject({ sheet: 'Cover', sheets: ['Cover', 'Slips'] });
    const other = choiceIn(await send(book, { sheet: 'Slips' }, 'bill.xlsx'));
    expect(other).toMatchObject({ sheet: 'Slips', sheets: ['Cover', 'Slips'], headingRow: 1 });
    const choice = { sheet: 'Slips', headingRow: 1, tpColumn: 1, amountColumn: 2 };
    expect(matchesOf(await send(book, choice, 'bill.xlsx'))).toEqual(['000123']);
    expectRefusal(await send(book, { sheet: 'Gone' }, 'bill.xlsx'), 400, 'INVALID_FILE', fileMessages.noSheet);
  });
});

describe('two columns that could be the amount', () => {
  const bill = lines('TP No,Amount,Total Amount', '000123,400,500');

  it('are asked for, and never decided', async () => {
    const answer = await send(bill);
    expect(choiceIn(answer)).toMatchObject({ headingRow: 1, tpColumns: [1], amountColumns: [2, 3] });
    expect(answer.error.message).toBe(
      "Row 1 has more than one 'Amount' column. Choose one of them: 'Amount' (column 2), 'Total Amount' (column 3).",
    );
  });

  it('are remembered as chosen', async () => {
    const pump = await createPump(api, tenant);
    const choice = { petrolPumpId: pump.id, headingRow: 1, tpColumn: 1, amountColumn: 3 };
    expect(matchesOf(await send(bill, choice))).toEqual(['000123']);
    expect(matchesOf(await send(bill, { petrolPumpId: pump.id }))).toEqual(['000123']);
  });
});

describe('a choice that cannot be', () => {
  it.each([
    [{ headingRow: 1 }],
    [{ headingRow: 21, tpColumn: 1, amountColumn: 2 }],
    [{ headingRow: 1, tpColumn: 0, amountColumn: 2 }],
    [{ headingRow: 1, tpColumn: 1, amountColumn: 65 }],
    [{ headingRow: 1, tpColumn: 2, amountColumn: 2 }],
    [{ headingRow: 'x', tpColumn: 2, amountColumn: 1 }],
    [{ petrolPumpId: 'x' }],
  ])('%j is refused', async (query) => {
    const { status } = await send('TP No,Amount\n000123,500', query as Record<string, string>);
    expect(status).toBe(400);
  });

  it("of another's or an unknown pump is refused alike, before the file is read", async () => {
    const other = await createPump(api, await api.addTenant());
    for (const petrolPumpId of [other.id, unknownId]) {
      const answer = await send('not a bill', { petrolPumpId });
      expectRefusal(answer, 400, 'INVALID_REFERENCE');
    }
  });

  it('of columns that are not there gives rows that cannot be read, or none', async () => {
    const answer = await send('a,b\n1,2', { headingRow: 1, tpColumn: 40, amountColumn: 50 });
    expectRefusal(answer, 400, 'INVALID_FILE', fileMessages.noRows);
    const book = oneSheet([
      ['TP No', 'Amount'],
      ['000123', 500],
    ]);
    expectRefusal(
      await send(book, { headingRow: 20, tpColumn: 1, amountColumn: 2 }, 'bill.xlsx'),
      400,
      'INVALID_FILE',
      fileMessages.noRows,
    );
  });
});

describe("a pump's tolerance", () => {
  it('is 1 until it is set, and belongs to one business', async () => {
    const pump = await createPump(api, tenant);
    const at = { params: { id: pump.id } };
    const asked = await api.call(hsdVerification.getPumpSettings, at, tenant);
    expect(asked.body.data).toEqual({ tolerance: '1.00', columns: null });
    const set = await api.call(hsdVerification.setPumpSettings, { ...at, body: { tolerance: '12.5' } }, tenant);
    expect(set.body.data.tolerance).toBe('12.50');
    const refused = await api.call(hsdVerification.setPumpSettings, { ...at, body: { tolerance: '-1' } }, tenant);
    expectRefusal(refused, 400, 'VALIDATION_ERROR');
    const foreign = await api.call(hsdVerification.getPumpSettings, at, await api.addTenant());
    expectRefusal(foreign, 404, 'NOT_FOUND');
  });

  it('stays as it is when the pump is deleted, because its challans are still verified with it', async () => {
    const at = { params: { id: (await createPump(api, tenant)).id } };
    const set = (tolerance: string) =>
      api.call(hsdVerification.setPumpSettings, { ...at, body: { tolerance } }, tenant);
    await set('12.5');
    expect((await api.call(petrolPumps.remove, at, tenant)).status).toBe(200);
    expectRefusal(await set('99'), 404, 'NOT_FOUND');
    const kept = await api.call(hsdVerification.getPumpSettings, at, tenant);
    expect(kept.body.data.tolerance).toBe('12.50');
  });
});
