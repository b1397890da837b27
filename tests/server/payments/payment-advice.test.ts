import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amountInWords } from '../../../src/shared/calc/amount-words.ts';
import { formatINR, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import {
  writePaymentAdvice,
  type AdviceOwner,
  type AdviceTrip,
} from '../../../src/server/features/payments/payment-advice.file.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createTag } from '../support/builders.ts';
import { idsOf, insertChallans } from '../support/ledger.ts';
import { pdfText } from '../support/pdf-text.ts';

const trip = (over: Partial<AdviceTrip> = {}): AdviceTrip => ({
  challanNumber: 'CH-2627-000121',
  tpNo: '0024090123456',
  vehicleNo: 'OD09AB1234',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip Port',
  loadedAt: '2026-04-10T00:00:00Z',
  loadingWeight: '25.00',
  unloadingWeight: '24.90',
  rate: '1000.00',
  tds: '249.00',
  hsd: '4632.00',
  advance: '5000.00',
  office: '100.00',
  materialShortage: '0.00',
  net: '14919.00',
  ...over,
});
const owner = (over: Partial<AdviceOwner> = {}): AdviceOwner => ({
  name: 'Bikash Mohanta',
  accountNo: '00123456789',
  ifsc: 'SBIN0001234',
  utr: '',
  executedOn: null,
  carries: [],
  trips: [trip()],
  ...over,
});
const payment = {
  number: 'PAY-2627-000444',
  paidOn: '2026-11-20',
  business: { name: 'Maa Tarini Roadlines', address: 'Station Road', gstNo: '21ABCDE1234F1Z5' },
};

async function advice(owners: readonly AdviceOwner[]): Promise<string[]> {
  const sink = new PassThrough();
  async function* all() {
    yield* owners;
  }
  const [bytes] = await Promise.all([buffer(sink), writePaymentAdvice(sink, payment, all())]);
  return pdfText(bytes);
}

describe('a payment advice', () => {
  it('never breaks a vehicle number over two lines, also a long one with spaces', async () => {
    for (const vehicleNo of ['OD 09 AB 1234', 'OD-09-AB-1234', 'WW 09 WWWW 123456789']) {
      const [page] = await advice([owner({ trips: [trip({ vehicleNo })] })]);
      expect(page?.split('\n')).toContainEqual(expect.stringContaining(vehicleNo));
    }
  });

  it('says who, when, UTR, trips and the sum in figures and words, on a page for each owner', async () => {
    const pages = await advice([
      owner({ utr: 'SBIN426111234567', executedOn: '2026-11-21' }),
      owner({ name: 'Sanjukta Naik', trips: [trip(), trip({ challanNumber: 'CH-2627-000122', net: '0.05' })] }),
    ]);
    expect(pages).toHaveLength(2);
    const [first = '', second = ''] = pages;
    for (const text of [
      'Maa Tarini Roadlines',
      'PAY-2627-000444 · paid on 20/11/2026',
      'Bikash Mohanta',
      'Account ending 6789 · IFSC SBIN0001234',
      'UTR SBIN426111234567, executed on 21/11/2026',
      '0024090123456',
      '24,900.00',
      'Total paid ₹14,919.00',
      'Rupees fourteen thousand nine hundred nineteen only',
    ]) {
      expect(first).toContain(text);
    }
    expect(first).not.toContain('00123456789');
    expect(second).toContain('2 trips');
    expect(second).toContain('Total paid ₹14,919.05');
    expect(second).not.toContain('UTR');
  });

  it('has names in Hindi and Odia that can be copied out', async () => {
    const names = ['रमेश कुमार चौधरी', 'ମୋହନ ଦାସ ପ୍ରଧାନ', 'राम & ରାମ Ltd'];
    const pages = await advice(names.map((name) => owner({ name })));
    expect(pages.map((text, index) => text.includes(names[index] ?? ''))).toEqual([true, true, true]);
  });

  it('goes on over pages, with the headings again and no row lost', async () => {
    const trips = Array.from({ length: 120 }, (_, n) =>
      trip({ challanNumber: `CH-2627-${String(n).padStart(6, '0')}` }),
    );
    const pages = await advice([owner({ trips })]);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.every((text) => text.includes('Freight'))).toBe(true);
    const numbers = pages.join('\n').match(/CH-2627-\d{6}/g);
    expect(numbers).toEqual(trips.map(({ challanNumber }) => challanNumber));
  });
});

describe('of a stored payment', () => {
  let api: Api;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await startApi();
    tenant = await api.addTenant('Maa Tarini Roadlines');
  });
  afterAll(() => api.close());

  it('agrees with the ledger to the paisa, and leaves out what is no longer paid', async () => {
    const tagId = (await createTag(api, tenant)).id;
    const owners = [
      await createOwner(api, tenant, { name: 'First' }),
      await createOwner(api, tenant, { name: 'Second' }),
    ];
    const challans = await api.inTenant(tenant, async (db) => {
      const made = [];
      for (const { id } of owners) made.push(...(await insertChallans(db, { ownerId: id, tagId }, 3)));
      return made;
    });
    const as = { token: tenant.token };
    const paid = await api.call(contract.bankStatement.markPaid, { body: { challanIds: idsOf(challans) } }, as);
    const id = paid.body.data.batchId ?? '';
    await api.call(
      contract.challans.update,
      { params: { id: challans[0]?.id ?? '' }, body: { paymentStatus: false } },
      as,
    );
    const get = async (query = '') => {
      const response = await api.callRaw('GET', `/api/payment-batches/${id}/advice${query}`, as);
      if (response.status >= 500) throw new Error(response.text);
      return { response, pages: response.status === 200 ? pdfText(response.bytes) : [] };
    };
    const { response, pages } = await get();
    expect(response.headers['content-type']).toBe('application/pdf');
    expect(pages).toHaveLength(2);
    const sums = [challans.slice(1, 3), challans.slice(3)].map((some) => sum(some.map(({ net }) => net)));
    pages.forEach((text, index) => {
      expect(text).toContain(`Total paid ${formatINR(sums[index] ?? '')}`);
      expect(text).toContain(amountInWords(sums[index] ?? ''));
    });
    expect(pages[0]).not.toContain(challans[0]?.number);
    expect((await get(`?ownerId=${owners[1]?.id}`)).pages).toHaveLength(1);

    await api.call(contract.paymentBatches.reverse, { params: { id }, body: { reason: 'Wrong' } }, as);
    expect((await get()).response.status).toBe(404);
  });
});
