import { read, utils } from '@e965/xlsx';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { add, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { addHsdChallans, csvOf, uploadFile } from '../support/hsd-desk.ts';

/** What is kept of bills: the sheet that goes back to the pump, and the ledger (docs/specification.md §11.6 and §11.7). */
const { hsdVerification } = contract;

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const send = async (rows: [string, string][], petrolPumpId?: string) => {
  const { data } = await uploadFile(api, tenant, 'bill.csv', csvOf(rows), {
    detail: 'true',
    ...(petrolPumpId && { petrolPumpId }),
  });
  if (!data.detail) throw new Error('A detailed answer has its detail');
  return { ...data, ...data.detail };
};
const ledger = async (who: Tenant = tenant, search?: string) => {
  const { body } = await api.call(hsdVerification.listLedger, { query: { search } }, { token: who.token });
  return body.data;
};
const figures = async () => {
  const lines = await ledger();
  for (const { billedAmount, verifiedAmount, openAmount, disputedAmount } of lines)
    expect(billedAmount).toBe(sum([verifiedAmount, openAmount, disputedAmount]));
  return lines.map(({ rowCount, billedAmount, verifiedAmount, openAmount, disputedAmount }) => [
    rowCount,
    billedAmount,
    verifiedAmount,
    openAmount,
    disputedAmount,
  ]);
};

describe('the pump ledger', () => {
  it('is billed, verified, open and disputed; what is verified or accepted moves over', async () => {
    const [match = '', mismatch = ''] = await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '100.00' },
      { tpNo: 'B', amount: '50.00' },
    ]);
    const bill: [string, string][] = [
      ['A', '100.50'],
      ['B', '70'],
      ['GONE', '5'],
      ['', '1'],
    ];
    const { uploadId } = await send(bill);
    expect(await figures()).toEqual([[4, '176.50', '0.00', '100.50', '76.00']]);
    await api.call(hsdVerification.verify, { body: { challanIds: [match] } }, { token: tenant.token });
    expect(await figures()).toEqual([[4, '176.50', '100.50', '0.00', '76.00']]);
    const rows = [{ row: 3, challanId: mismatch, challanAmount: '50.00' }];
    await api.call(hsdVerification.accept, { body: { uploadId, rows, reason: 'x' } }, { token: tenant.token });
    expect(await figures()).toEqual([[4, '176.50', '170.50', '0.00', '6.00']]);
  });

  it('counts the same file once, and of a corrected one the newest row of each TP number', async () => {
    await addHsdChallans(api, tenant, [{ tpNo: 'A', amount: '100.00' }]);
    const bill: [string, string][] = [
      ['A', '100'],
      ['GONE', '5'],
      ['', '1'],
    ];
    const { petrolPump } = await send(bill);
    await send(bill);
    expect(await figures()).toEqual([[3, '106.00', '0.00', '100.00', '6.00']]);
    await send([['GONE', '7']], petrolPump?.id);
    // A bill that names none of our challans is of the month of its upload.
    expect(await figures()).toEqual([
      [1, '7.00', '0.00', '0.00', '7.00'],
      [2, '101.00', '0.00', '100.00', '1.00'],
    ]);
  });

  it('agrees with the bills to the paisa, for many of them', async () => {
    const challans = Array.from({ length: 40 }, (_, n) => ({ tpNo: `T-${n}`, amount: `${n * 7 + 1}.${10 + n}` }));
    await addHsdChallans(api, tenant, challans);
    let billed = '0.00';
    for (let file = 0; file < 4; file += 1) {
      const rows = challans.slice(file * 10, file * 10 + 10).map(({ tpNo, amount }, n): [string, string] => {
        return [n === 3 ? `X-${file}-${n}` : tpNo, n % 4 === 1 ? add(amount, '13.37') : amount];
      });
      await send(rows);
      billed = add(billed, sum(rows.map(([, amount]) => amount)));
    }
    expect(sum((await ledger()).map(({ billedAmount }) => billedAmount))).toBe(billed);
    await figures();
  });

  it('is of one business, found by the name of the pump, and does not know bills of no pump', async () => {
    await addHsdChallans(api, tenant, [{ tpNo: 'A', amount: '1.00' }]);
    const { petrolPump } = await send([['A', '1']]);
    await send([['NOBODY', '1']]);
    expect(await ledger()).toHaveLength(1);
    expect(await ledger(tenant, petrolPump?.name.toUpperCase())).toHaveLength(1);
    expect(await ledger(tenant, '%')).toEqual([]);
    expect(await ledger(await api.addTenant())).toEqual([]);
  });
});

describe('the rows of a past verification', () => {
  it('are those of the file as compared then, with what became of them; they add up to its summary', async () => {
    const [match = '', mismatch = ''] = await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '100.00' },
      { tpNo: 'B', amount: '50.00' },
      { tpNo: 'C', amount: '9.00' },
    ]);
    await send([['A', '100.00']]);
    const as = { token: tenant.token };
    await api.call(hsdVerification.verify, { body: { challanIds: [match] } }, as);
    const sent = await send([
      ['A', '100.50'],
      ['B', '70'],
      ['C', '9.5'],
      ['GONE', '5'],
      ['DUP', '1'],
      ['DUP', '1'],
    ]);
    const accepted = [{ row: 3, challanId: mismatch, challanAmount: '50.00' }];
    await api.call(
      hsdVerification.accept,
      { body: { uploadId: sent.uploadId, rows: accepted, reason: 'by phone' } },
      as,
    );
    const ask = (query: object) =>
      api.call(hsdVerification.listUploadRows, { params: { id: sent.uploadId }, query }, as);
    const { data } = (await ask({})).body;
    expect(
      data.map(({ row, found, challanNumber, challanAmount, difference, isVerified, isAccepted, remark }) => [
        row,
        found,
        challanNumber,
        challanAmount,
        difference,
        isVerified,
        isAccepted,
        remark,
      ]),
    ).toEqual([
      [2, 'verified', 'C-A', '100.00', '0.50', true, false, ''],
      [3, 'mismatch', 'C-B', '50.00', '20.00', true, true, 'by phone (billed ₹70.00)'],
      [4, 'match', 'C-C', '9.00', '0.50', false, false, ''],
      [5, 'not-found', null, null, null, false, false, ''],
      [6, 'set-aside', null, null, null, false, false, 'TP No DUP is also in row 7: leave it in the file once'],
      [7, 'set-aside', null, null, null, false, false, 'TP No DUP is also in row 6: leave it in the file once'],
    ]);
    const count = (...kinds: string[]) => data.filter(({ found }) => kinds.includes(found)).length;
    expect([data.length, count('match'), count('mismatch', 'verified', 'not-found')]).toEqual([
      sent.totalRecords,
      sent.summary.validMatches,
      sent.summary.totalDiscrepancies,
    ]);
    const { body } = await ask({ page: 2, limit: 4 });
    expect([body.data, body.pagination.totalCount]).toEqual([data.slice(4), 6]);
  });

  it('have vehicle and date as the bill says, and only a day as a day', async () => {
    const bill = 'TP No,Amount,Vehicle No,Date\nX1,1.00,OD09A1234,03/13/26\nX2,1.00,,2026-11-03\n';
    const { data } = await uploadFile(api, tenant, 'bill.csv', bill, { detail: 'true' });
    const at = { params: { id: data.detail?.uploadId ?? '' } };
    const { body } = await api.call(hsdVerification.listUploadRows, at, { token: tenant.token });
    expect(body.data.map((row) => [row.billVehicle, row.billDate])).toEqual([
      ['OD09A1234', '03/13/26'],
      ['', '2026-11-03'],
    ]);
  });

  it("are not there for another's or an unknown upload", async () => {
    const { uploadId } = await send([['GONE', '5']]);
    const ask = (id: string, who: Tenant) =>
      api.call(hsdVerification.listUploadRows, { params: { id } }, { token: who.token });
    expectRefusal(await ask(uploadId, await api.addTenant()), 404, 'NOT_FOUND');
    expectRefusal(await ask(unknownId, tenant), 404, 'NOT_FOUND');
  });
});

describe('the sheet of discrepancies', () => {
  const sheetOf = (id: string, who: Tenant = tenant) =>
    api.callRaw('GET', `/api${hsdVerification.exportDiscrepancies.path.replace('{id}', id)}`, { token: who.token });
  const readXlsx = ({ bytes }: { bytes: Buffer }): unknown[][] =>
    utils.sheet_to_json(read(bytes).Sheets['Discrepancies']!, { header: 1, raw: true });

  it('has what differs, was not found or was set aside, with sums, and not what was accepted since', async () => {
    const [, mismatch = ''] = await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '100.00' },
      { tpNo: 'B', amount: '50.00' },
      { tpNo: 'C', amount: '10.00' },
    ]);
    const { uploadId } = await send([
      ['A', '100'],
      ['B', '70'],
      ['C', '20'],
      ['=GONE', '5'],
      ['DUP', '1'],
      ['DUP', '1'],
    ]);
    const answer = await sheetOf(uploadId);
    expect(answer.headers['content-disposition']).toMatch(/hsd_discrepancies_.+_\d{4}-\d\d-\d\d\.xlsx/);
    const rows = readXlsx(answer);
    expect(rows.map((row) => [row[0], row[1], row[4], row[5], row[8], row[9], row[10]]).slice(2)).toEqual([
      [3, 'B', 70, 'C-B', 50, 20, 'Amount differs'],
      [4, 'C', 20, 'C-C', 10, 10, 'Amount differs'],
      [5, '=GONE', 5, undefined, undefined, undefined, 'TP No not in our challans'],
      [6, 'DUP', 1, undefined, undefined, undefined, 'TP No DUP is also in row 7: leave it in the file once'],
      [7, 'DUP', 1, undefined, undefined, undefined, 'TP No DUP is also in row 6: leave it in the file once'],
      [undefined, 'Total', 97, undefined, 60, 37, undefined],
    ]);
    const accepted = [{ row: 3, challanId: mismatch, challanAmount: '50.00' }];
    await api.call(
      hsdVerification.accept,
      { body: { uploadId, rows: accepted, reason: 'x' } },
      { token: tenant.token },
    );
    expect(readXlsx(await sheetOf(uploadId)).map((row) => row[1])).not.toContain('B');
  });

  it('is also a PDF', async () => {
    const { uploadId } = await send([['GONE', '5']]);
    const url = `/api${hsdVerification.exportDiscrepanciesPdf.path.replace('{id}', uploadId)}`;
    const { status, headers, bytes } = await api.callRaw('GET', url, { token: tenant.token });
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(headers['content-disposition']).toMatch(/hsd_discrepancies_\d{4}-\d\d-\d\d\.pdf/);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString()).toContain('%%EOF');
  });

  it('of more than 1,000 rows is a sheet alone', async () => {
    const { uploadId } = await send(Array.from({ length: 1_001 }, (_, n): [string, string] => [`NEW-${n}`, '1']));
    const url = `/api${hsdVerification.exportDiscrepanciesPdf.path.replace('{id}', uploadId)}`;
    expectRefusal(await api.callRaw('GET', url, { token: tenant.token }), 400, 'VALIDATION_ERROR');
  });

  it("is not there for another's or an unknown bill", async () => {
    await addHsdChallans(api, tenant, [{ tpNo: 'A', amount: '1.00' }]);
    const { uploadId } = await send([['A', '1']]);
    expectRefusal(await sheetOf(uploadId, await api.addTenant()), 404, 'NOT_FOUND');
    expectRefusal(await sheetOf(unknownId), 404, 'NOT_FOUND');
  });
});
