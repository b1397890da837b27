import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nearness } from '../../../src/shared/calc/keys.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { HsdDetail } from '../../../src/shared/contract/hsd-verification.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { addHsdChallans, csvOf, uploadFile, type UploadAnswer, type UploadQuery } from '../support/hsd-desk.ts';

/** Bills in detail: totals, near matches, tolerance and acceptance (docs/specification.md §11.5). */
const { hsdVerification, challans } = contract;

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const send = (content: string, query: UploadQuery = {}): Promise<UploadAnswer> =>
  uploadFile(api, tenant, 'bill.csv', content, { detail: 'true', ...query });
function detailOf(answer: UploadAnswer): HsdDetail {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  if (!answer.data.detail) throw new Error('A detailed answer has its detail');
  return answer.data.detail;
}
interface Line {
  row: number;
  challanId: string;
  challanAmount: string;
}
const accept = (uploadId: string, rows: Line[], reason?: string, who: Tenant = tenant, key?: string) =>
  api.call(
    hsdVerification.accept,
    { body: { uploadId, rows, ...(reason && { reason }) } },
    { token: who.token, ...(key && { key }) },
  );
const isVerified = async (id: string): Promise<boolean> =>
  (await api.call(challans.get, { params: { id } }, { token: tenant.token })).body.data.hsdVerified;

describe('a detailed answer', () => {
  it('has row, vehicle, date and owner beside each match, and whose bill it is', async () => {
    await addHsdChallans(api, tenant, [{ tpNo: 'A1', amount: '100.00' }]);
    const answer = await send(csvOf([['a1', '100']]));
    const [match] = answer.data.results.validMatches;
    expect(match).toMatchObject({ row: 2, vehicleNo: expect.any(String), ownerName: expect.stringMatching(/./) });
    expect(match?.loadingDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(detailOf(answer).petrolPump).toEqual({ id: expect.any(String), name: expect.any(String) });
  });

  it('shows rows of totals as such: by their words, or by being the sum', async () => {
    const bill = ['Sl,TP No,Amount', '1,A,100', '2,B,50.50', ',,150.50', '3,C,10', 'Grand Total,,160.50', ',कुल योग,1'];
    const answer = await send(bill.join('\n'));
    expect(detailOf(answer).totals).toEqual([
      { row: 4, text: 'Total', amount: '150.50', rowsAmount: '150.50' },
      { row: 6, text: 'Grand Total', amount: '160.50', rowsAmount: '160.50' },
      { row: 7, text: 'कुल योग', amount: '1.00', rowsAmount: '160.50' },
    ]);
    expect(answer.data).toMatchObject({ totalRecords: 3, processingErrors: [] });
    expect(answer.data.results.discrepancies.tpNotFound).toEqual(['A', 'B', 'C']);
    // A grand total without a word stands right below the last subtotal.
    const twice = await send('TP No,Amount\nA,100\nTotal,100\nB,50\nSub Total,50\n,150');
    expect(detailOf(twice).totals.map(({ row, rowsAmount }) => [row, rowsAmount])).toEqual([
      [3, '100.00'],
      [5, '50.00'],
      [6, '150.00'],
    ]);
    expect(twice.data.processingErrors).toEqual([]);
    // A call that does not ask for it is answered as before.
    const plain = await uploadFile(
      api,
      tenant,
      'bill.csv',
      csvOf([
        ['A', '1'],
        ['', '1'],
      ]),
    );
    expect(plain.data.processingErrors).toEqual(['Row 3: TP No is empty']);
    expect(plain.data).not.toHaveProperty('detail');
  });

  it('takes a difference within the tolerance of the pump as a match, and one beyond it as a mismatch', async () => {
    await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '100.00' },
      { tpNo: 'B', amount: '100.00' },
    ]);
    const bill = csvOf([
      ['A', '101'],
      ['B', '98.99'],
    ]);
    const first = await send(bill);
    expect(first.data.results.validMatches.map(({ tpNo, difference }) => [tpNo, difference])).toEqual([['A', '1.00']]);
    const pumpId = detailOf(first).petrolPump?.id ?? '';
    const set = (tolerance: string) =>
      api.call(
        hsdVerification.setPumpSettings,
        { params: { id: pumpId }, body: { tolerance } },
        { token: tenant.token },
      );
    await set('1.01');
    expect((await send(bill)).data.results.validMatches).toHaveLength(2);
    await set('0');
    expect((await send(bill)).data.results.validMatches).toHaveLength(0);
    // What is matched within the tolerance is verified as every match.
    const [id = ''] = first.data.results.validMatches.map(({ challanId }) => challanId);
    const done = await api.call(hsdVerification.verify, { body: { challanIds: [id] } }, { token: tenant.token });
    expect(done.body.data.verifiedCount).toBe(1);
  });

  it("sets a challan of another pump aside when the bill's pump is named", async () => {
    await addHsdChallans(api, tenant, [{ tpNo: 'A', amount: '1.00' }]);
    await addHsdChallans(api, tenant, [{ tpNo: 'B', amount: '1.00' }]);
    const bill = csvOf([
      ['A', '1'],
      ['B', '1'],
    ]);
    const pumpOfA = detailOf(await send(csvOf([['A', '1']]))).petrolPump?.id ?? '';
    const answer = await send(bill, { petrolPumpId: pumpOfA });
    expect(answer.data.results.validMatches.map(({ tpNo }) => tpNo)).toEqual(['A']);
    expect(answer.data.processingErrors).toEqual(['Row 3: TP No B is on challan C-B, which is of another petrol pump']);
    expect(detailOf(await send(bill)).petrolPump).toBeNull();
  });
});

describe('near matches', () => {
  it('are offered for lost zeros and for one other character, and said to be unique only where they are', async () => {
    await addHsdChallans(api, tenant, [
      { tpNo: '000123', amount: '5.00' },
      { tpNo: 'KJR-4567', amount: '7.00' },
      { tpNo: 'XY-100', amount: '50.00' },
      { tpNo: 'XY-101', amount: '2.00' },
      { tpNo: 'TAKEN1', amount: '9.00' },
      { tpNo: 'DONE-1', amount: '9.00', isVerified: true },
      { tpNo: 'MATCH', amount: '3.00' },
      { tpNo: 'AB1', amount: '1.00' },
    ]);
    const answer = await send(
      csvOf([
        ['123', '5'],
        ['KJR-457', '7.50'],
        ['XY-102', '2'],
        ['TAKEN1', '9'],
        ['TAKEN2', '9'],
        ['DONE-2', '9'],
        ['MATCH', '3'],
        ['NOTHING', '1'],
        // Too short: many would differ by one character.
        ['AB2', '1'],
        ['AB11', '1'],
      ]),
    );
    const seen = detailOf(answer).notFound.map(({ tpNo, near, nearCount, isUnique }) => [
      tpNo,
      near.map((one) => [one.tpNo, one.why, one.isWithinTolerance]),
      nearCount,
      isUnique,
    ]);
    expect(seen).toEqual([
      ['123', [['000123', 'zeros', true]], 1, true],
      ['KJR-457', [['KJR-4567', 'character', true]], 1, true],
      // The same amount comes first, but two fit.
      [
        'XY-102',
        [
          ['XY-101', 'character', true],
          ['XY-100', 'character', false],
        ],
        2,
        false,
      ],
      ['TAKEN2', [], 0, false],
      ['DONE-2', [], 0, false],
      ['NOTHING', [], 0, false],
      ['AB2', [], 0, false],
      ['AB11', [], 0, false],
    ]);
  });

  it('are not unique where two rows could be of the same challan', async () => {
    await addHsdChallans(api, tenant, [{ tpNo: 'AB-1234', amount: '5.00' }]);
    const { notFound } = detailOf(
      await send(
        csvOf([
          ['AB-1235', '5'],
          ['AB-1236', '5'],
        ]),
      ),
    );
    expect(notFound.map(({ nearCount, isUnique }) => [nearCount, isUnique])).toEqual([
      [1, false],
      [1, false],
    ]);
  });

  it('are what the pure rule says, for random texts', async () => {
    const letters = '01AB';
    const text = (n: number): string => Array.from({ length: 5 }, (_, at) => letters[(n >> (2 * at)) & 3]).join('');
    const stored = Array.from({ length: 40 }, (_, n) => text((n * 389) % 1024));
    const billed = Array.from({ length: 40 }, (_, n) => text((n * 211 + 7) % 1024)).filter(
      (tp) => !stored.includes(tp),
    );
    await addHsdChallans(
      api,
      tenant,
      stored.map((tpNo) => ({ tpNo, amount: '1.00' })),
    );
    const { notFound } = detailOf(await send(csvOf([...new Set(billed)].map((tp) => [tp, '1'] as const))));
    expect(notFound.length).toBeGreaterThan(20);
    for (const { tpNo, nearCount } of notFound)
      expect([tpNo, nearCount]).toEqual([tpNo, stored.filter((tp) => nearness(tpNo, tp) !== null).length]);
  });
});

describe('accepting', () => {
  async function openBill() {
    const [mismatch = '', near = '', match = ''] = await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '100.00' },
      { tpNo: '000123', amount: '5.00' },
      { tpNo: 'M', amount: '3.00' },
    ]);
    const answer = await send(
      csvOf([
        ['A', '150'],
        ['123', '5'],
        ['M', '3'],
      ]),
    );
    const lines = {
      mismatch: { row: 2, challanId: mismatch, challanAmount: '100.00' },
      near: { row: 3, challanId: near, challanAmount: '5.00' },
      match: { row: 4, challanId: match, challanAmount: '3.00' },
    };
    return { uploadId: detailOf(answer).uploadId, ...lines };
  }

  it('verifies with the reason in the history, and counts with the upload', async () => {
    const { uploadId, mismatch, near } = await openBill();
    const answer = await accept(uploadId, [mismatch, near], 'Rate was raised');
    expect(answer.body.data).toEqual({ verifiedCount: 2, skippedCount: 0 });
    const [line] = await historyOf(api, tenant, mismatch.challanId);
    expect(line?.changes).toEqual({
      hsdVerified: [false, true],
      hsdVerifiedReason: [null, 'Rate was raised (billed ₹150.00)'],
    });
    const { body } = await api.call(hsdVerification.listUploads, {}, { token: tenant.token });
    expect(body.data[0]?.verifiedCount).toBe(2);
    // Changed and changed back since: only then the newest comparison counts.
    const again = await accept(uploadId, [mismatch], 'Twice');
    expect(again.body.data).toEqual({ verifiedCount: 0, skippedCount: 1 });
  });

  it('asks for a reason only beyond the tolerance', async () => {
    const { uploadId, mismatch, near } = await openBill();
    const refused = await accept(uploadId, [near, mismatch]);
    expectRefusal(refused, 400, 'VALIDATION_ERROR', 'Please enter a reason');
    expect(await isVerified(near.challanId)).toBe(false);
    expect((await accept(uploadId, [near])).body.data.verifiedCount).toBe(1);
    const [line] = await historyOf(api, tenant, near.challanId);
    expect(line?.changes.hsdVerifiedReason).toEqual([null, 'billed as TP No 123']);
  });

  it('refuses what the file does not offer, and changes nothing', async () => {
    const { uploadId, mismatch, near, match } = await openBill();
    const wrong: Line[][] = [
      [near, match],
      [near, { ...mismatch, challanId: match.challanId }],
      [near, { ...mismatch, row: 3 }],
      [near, { ...mismatch, row: 99 }],
      [near, { ...match, row: 3 }],
    ];
    for (const rows of wrong) expectRefusal(await accept(uploadId, rows, 'x'), 400, 'INVALID_REFERENCE');
    expectRefusal(await accept(uploadId, [near, { ...mismatch, challanId: unknownId }], 'x'), 404, 'NOT_FOUND');
    expectRefusal(await accept(unknownId, [near], 'x'), 404, 'NOT_FOUND');
    expectRefusal(await accept(uploadId, [near], 'x', await api.addTenant()), 404, 'NOT_FOUND');
    expect(await isVerified(near.challanId)).toBe(false);
  });

  it('refuses a challan that is not as it was shown', async () => {
    const { uploadId, near } = await openBill();
    const refused = await accept(uploadId, [{ ...near, challanAmount: '4.00' }], 'x');
    expectRefusal(refused, 409, 'HSD_CHANGED');
    expect(await isVerified(near.challanId)).toBe(false);
  });

  it('of the same row by two people at once is done once, and a repeated call is the same call', async () => {
    const { uploadId, mismatch } = await openBill();
    const both = await Promise.all([accept(uploadId, [mismatch], 'a'), accept(uploadId, [mismatch], 'b')]);
    expect(both.map(({ body }) => body.data.verifiedCount).toSorted()).toEqual([0, 1]);
    const { uploadId: next, near } = await openBill().catch(() => ({ uploadId, near: mismatch }));
    const first = await accept(next, [near], 'x', tenant, 'the same key');
    const repeated = await accept(next, [near], 'x', tenant, 'the same key');
    expect(repeated.body).toEqual(first.body);
  });
});
