import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDate, formatDateTime } from '../../../src/shared/calc/dates.ts';
import { formatINR } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { languages, type Language } from '../../../src/shared/contract/languages.ts';
import type { OwnerPage, OwnerTrip } from '../../../src/shared/contract/shared-reports.ts';
import {
  ownerPageCsv,
  ownerPageHtml,
  emptyPage,
  tripsPerPage,
} from '../../../src/server/features/shared-reports/owner-page.file.ts';
import { writeOwnerPage } from '../../../src/server/features/shared-reports/owner-page-pdf.file.ts';
import { ownerTexts, type OwnerTexts } from '../../../src/server/features/shared-reports/owner-page-texts.file.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { forgetEndedSharedReports } from '../../../src/server/features/shared-reports/shared-reports.queries.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { createChallan, createOwner } from '../support/builders.ts';
import { idsOf, insertChallans } from '../support/ledger.ts';
import { pdfText } from '../support/pdf-text.ts';
import { reportsOf, sendReport } from '../support/shared-link.ts';

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
});
afterAll(() => desk.api.close());

let asked = 0;
/** Each time from another network, unless a test is about that. */
async function open(path: string, from = `10.${(asked >> 8) & 255}.${asked & 255}.7`) {
  asked += 1;
  const { statusCode, headers, rawPayload } = await desk.api.app.inject({
    method: 'GET',
    url: `/share/${path}`,
    remoteAddress: from,
  });
  return { status: statusCode, headers, bytes: rawPayload, text: rawPayload.toString('utf8') };
}
const addresses = ['page', 'csv', 'pdf'] as const;
const readPdf = async (token: string): Promise<string> =>
  (await pdfText((await open(`${token}/pdf`)).bytes)).join('\n');

const secrets = {
  accountNo: '98765432104321',
  panNo: 'QWERT9876Z',
  ifsc: 'HDFC0007777',
  branchName: 'Secretbranch',
  address: 'Secretaddress',
};
async function ownerWithTrips(over: { name?: string; language?: Language } = {}) {
  const { api, tenant, tagId } = desk;
  const owner = await createOwner(api, tenant, { name: 'Bikash Mohanta', ...secrets, ...over });
  const create = (challan: Parameters<typeof createChallan>[3] = {}) =>
    createChallan(api, tenant, { ownerId: owner.id, tagId }, { remarks: 'INTERNAL remark', ...challan });
  return { owner, create };
}

describe('the page of a shared report', () => {
  it('shows what is owed, each payment with its UTR, and each trip with its deductions', async () => {
    const { owner, create } = await ownerWithTrips();
    const paid = await create({ tpNo: 'TP-PAID-1', advanceMoney: '1500' });
    const open1 = await create({ tpNo: 'TP-OPEN-1', vehicleNo: 'OD09ZZ9999' });
    const payment = await desk.pay([paid.id]);
    const [line] = await desk.send([payment.body.data.batchId ?? '']);
    if (!line) throw new Error('The payment has a line');
    await desk.accept([{ fileId: line.fileId, lineNo: line.lineNo, outcome: 'executed', utr: 'N097262000000777' }]);

    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    const { status, text, headers } = await open(`${token}/page`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; font-src 'self'; base-uri 'none'/);
    expect(policy).not.toMatch(/script|unsafe/);
    expect(headers['set-cookie']).toBeUndefined();
    const number = payment.body.data.number ?? '';
    const files = [text, (await open(`${token}/csv`)).text, await readPdf(token)];
    for (const shown of files)
      for (const one of ['TP-PAID-1', 'TP-OPEN-1', number, 'N097262000000777']) expect(shown).toContain(one);
    for (const one of [
      'Bikash Mohanta',
      `To be paid to you</p><p class="big due">${formatINR(open1.netAmountPayable)}`,
      `${formatINR(paid.netAmountPayable)}</b>`,
      'Account ending 4321',
      'OD09ZZ9999',
      '− ₹1,500.00',
      formatDate(paid.loadingDate),
    ]) {
      expect(text).toContain(one);
    }
    expect(text).toContain(formatDateTime((await reportsOf(desk.api, desk.tenant)).data[0]?.expiresAt ?? ''));
  });

  it('has nothing internal, in the page, its CSV and its PDF', async () => {
    const { owner, create } = await ownerWithTrips();
    const challan = await create();
    const body = { reason: 'INTERNAL hold' };
    await desk.api.call(contract.challans.setHold, { params: { id: challan.id }, body }, desk.as());
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    for (const shown of [(await open(`${token}/page`)).text, (await open(`${token}/csv`)).text, await readPdf(token)]) {
      expect(shown).toContain(challan.tpNo);
      for (const secret of [...Object.values(secrets), 'INTERNAL', owner.contactNumber]) {
        expect(shown).not.toContain(secret);
      }
      expect(shown).not.toMatch(/[Rr]emark|PAN\b|GST|IFSC/);
    }
  });

  it('stays as it was sent, whatever is changed afterwards', async () => {
    const { owner, create } = await ownerWithTrips();
    const challan = await create();
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    const before = (await open(`${token}/page`)).text;
    await desk.pay([challan.id]);
    await create();
    await desk.api.call(contract.owners.update, { params: { id: owner.id }, body: { name: 'Renamed' } }, desk.as());
    expect((await open(`${token}/page`)).text).toBe(before);
  });

  it('shows of another business nothing', async () => {
    const { owner, create } = await ownerWithTrips();
    await create();
    const other = await desk.api.addTenant('Foreign Roadlines');
    const foreign = await createOwner(desk.api, other, { name: 'Foreign Owner' });
    await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId: foreign.id }, 2));
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    const { text } = await open(`${token}/page`);
    expect(text).not.toContain('Foreign');
    expect(text.match(/<details/g)).toHaveLength(1);
  });

  it('writes what people typed as text, never as markup', async () => {
    const { owner, create } = await ownerWithTrips({ name: `<script>alert("1")</script> & 'Sons'` });
    await create({ loadingPlace: '<img src=x onerror=alert(1)>', unloadingPlace: '"><b>' });
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    const { text } = await open(`${token}/page`);
    expect(text).not.toMatch(/<script|<img|<b>[^0-9₹]/);
    expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Sons&#39;');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('has many trips in pages, and all of them in its files', async () => {
    const { owner } = await ownerWithTrips();
    await desk.make(tripsPerPage + 3, { ownerId: owner.id });
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    const first = (await open(`${token}/page`)).text;
    const second = (await open(`${token}/page?n=2`)).text;
    const numbersOf = (text: string) => text.match(/CH-?\d[\w-]+/g) ?? [];
    expect([first.match(/<details/g)?.length, second.match(/<details/g)?.length]).toEqual([tripsPerPage, 3]);
    expect(first).toContain('href="page?n=2"');
    expect(second).toContain('href="page?n=1"');
    expect(new Set([...numbersOf(first), ...numbersOf(second)]).size).toBe(
      new Set(numbersOf((await open(`${token}/csv`)).text)).size,
    );
    expect((await open(`${token}/page?n=3`)).status).toBe(404);
    // What is no number is the first page.
    expect((await open(`${token}/page?n=x`)).text).toBe(first);
    expect((await open(`${token}/csv`)).text.trimEnd().split('\r\n')).toHaveLength(1 + tripsPerPage + 3);
  });

  it.each(languages)('is in the language of its owner: %s', async (language) => {
    const { owner, create } = await ownerWithTrips({ language });
    await desk.pay([(await create()).id]);
    await create();
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    const texts = ownerTexts[language];
    const { text } = await open(`${token}/page`);
    expect(text).toContain(`<html lang="${texts.code}">`);
    for (const one of [texts.owed, texts.payments, texts.freight, texts.net, texts.paidOn]) expect(text).toContain(one);
    expect((await open(`${token}/csv`)).text.split('\r\n')[0]).toContain(texts.unloadingWeight);
    const pdf = await readPdf(token);
    for (const one of [texts.owed, texts.payments, texts.title]) expect(pdf).toContain(one);
  });

  it('sends its fonts and nothing else from their folder', async () => {
    for (const name of ['devanagari.woff2', 'odia.woff2']) {
      const font = await open(`fonts/${name}`);
      expect([font.status, font.headers['content-type'], font.headers['cache-control']]).toEqual([
        200,
        'font/woff2',
        'public, max-age=2592000',
      ]);
      expect(font.bytes.subarray(0, 4).toString()).toBe('wOF2');
    }
    for (const name of ['other.woff2', '..%2f..%2fpackage.json', 'constructor', '__proto__']) {
      expect((await open(`fonts/${name}`)).status).toBe(404);
    }
  });
});

describe('a link that is not good', () => {
  const statuses = async (token: string) => {
    const found = [];
    for (const address of addresses) found.push((await open(`${token}/${address}`)).status);
    return found;
  };
  const storedOf = (ownerId: string) =>
    desk.api.inTenant(desk.tenant, async (db) => {
      const { rows } = await db.query<{ page: unknown; trips: number }>(
        'SELECT page, cardinality(trips) AS trips FROM shared_reports WHERE subadmin_id = $1 AND owner_id = $2',
        [db.tenantId, ownerId],
      );
      return rows;
    });

  it('wrong, revoked and of a closed account: one answer in each language, without a word of data', async () => {
    const { owner, create } = await ownerWithTrips();
    await create();
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    expect(await statuses(token)).toEqual([200, 200, 200]);
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    expect(await statuses(wrong)).toEqual([404, 404, 404]);
    expect(await statuses('short')).toEqual([404, 404, 404]);
    const { text } = await open(`${wrong}/page`);
    expect(text).toBe(emptyPage('gone'));
    for (const language of languages) expect(text).toContain(ownerTexts[language].gone);

    const [report] = (await reportsOf(desk.api, desk.tenant)).data;
    await desk.api.call(contract.sharedReports.revoke, { params: { id: report?.id ?? '' } }, desk.as());
    expect(await statuses(token)).toEqual([404, 404, 404]);
    expect((await open(`${token}/page`)).text).toBe(text);
    expect(await storedOf(owner.id)).toEqual([{ page: null, trips: 0 }]);
  });

  it('expired: the same, and the page is forgotten with the file', async () => {
    const { owner, create } = await ownerWithTrips();
    await create();
    const { token } = await sendReport(desk.api, desk.tenant, owner.id);
    await desk.api.inTenant(desk.tenant, (db) =>
      db.query(`UPDATE shared_reports SET expires_at = now() - interval '1 second' WHERE subadmin_id = $1`, [
        db.tenantId,
      ]),
    );
    expect(await statuses(token)).toEqual([404, 404, 404]);
    await withGlobal(desk.api.pools.main, 'write', forgetEndedSharedReports);
    expect(await storedOf(owner.id)).toEqual([{ page: null, trips: 0 }]);
  });

  it('is asked for at most thirty times at once from one network, whatever the address', async () => {
    const looks = [];
    for (let at = 0; at < 31; at += 1) looks.push(await open(`none/${addresses[at % 3] ?? ''}`, '203.0.113.77'));
    expect(looks.slice(0, 30).every(({ status }) => status === 404)).toBe(true);
    expect(looks[30]?.status).toBe(429);
    expect(Number(looks[30]?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('the table of texts', () => {
  const scripts: Readonly<Record<Language, RegExp | null>> = {
    English: null,
    Hindi: /[\u0900-\u097f]/,
    Odia: /[\u0b00-\u0b7f]/,
  };
  it('has each text in each language, in its script', () => {
    const names = Object.keys(ownerTexts.English) as (keyof OwnerTexts)[];
    for (const language of languages) {
      expect(Object.keys(ownerTexts[language])).toEqual(names);
      for (const name of names) {
        const text = ownerTexts[language][name];
        expect([language, name, text.trim()]).not.toEqual([language, name, '']);
        const script = scripts[language];
        if (script && name !== 'code') expect([name, script.test(text)]).toEqual([name, true]);
      }
    }
  });
});

describe('a page of many', () => {
  const trip: OwnerTrip = {
    challanNumber: 'CH-1',
    tpNo: '0024090123456',
    vehicleNo: 'OD09AB1234',
    material: 'Iron ore',
    from: 'ଯୋଡ଼ା',
    to: 'Paradip Port',
    loadedOn: '2026-04-10',
    unloadedOn: '2026-04-11',
    loadingWeight: '25.00',
    unloadingWeight: '24.90',
    rate: '1000.00',
    freight: '24900.00',
    tds: '249.00',
    hsd: '4632.00',
    advance: '5000.00',
    office: '100.00',
    shortage: '0.00',
    net: '14919.00',
    paidOn: '2026-04-20',
    paymentNumber: 'PAY-1',
  };
  const page: OwnerPage = {
    language: 'Odia',
    business: 'Maa Tarini',
    owner: 'Bikash',
    account: '4321',
    asOf: '2026-04-21T00:00:00Z',
    validUntil: '2026-04-24T00:00:00Z',
    chosen: '',
    count: 400,
    total: '0.00',
    paid: '0.00',
    unpaid: '-5.00',
    tds: '0.00',
    payments: Array.from({ length: 60 }, (_, at) => ({
      number: `PAY-${at}`,
      paidOn: '2026-04-20',
      count: 1,
      amount: '14919.00',
      utr: '',
      bankOn: null,
    })),
  };

  it('is some 40 kB before it is packed, with the newest payments alone', () => {
    const text = ownerPageHtml(
      page,
      Array.from({ length: tripsPerPage }, () => trip),
      1,
    );
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    expect(text).toContain(ownerTexts.Odia.olderPayments);
    expect(text).toContain('PAY-23');
    expect(text).not.toContain('PAY-24');
    expect(text).toContain('-₹5.00');
  });

  it('has all of them in its PDF, each once, with the headings on every sheet, and the sum at the end', async () => {
    const trips = Array.from({ length: 400 }, (_, at) => ({ ...trip, challanNumber: `CH-${1000 + at}` }));
    const sink = new PassThrough();
    const [bytes] = await Promise.all([buffer(sink), writeOwnerPage(sink, { ...page, language: 'English' }, trips)]);
    const sheets = await pdfText(bytes);
    const found = sheets.flatMap((sheet) => sheet.match(/CH-1\d{3}/g) ?? []);
    expect(found).toEqual(trips.map(({ challanNumber }) => challanNumber));
    expect(sheets.length).toBeGreaterThan(5);
    expect(sheets.slice(1).every((sheet) => sheet.includes('Challan No') || sheet.includes('Payment No'))).toBe(true);
    expect(sheets.at(-1)).toContain('59,67,600.00');
    expect(ownerPageCsv(page, trips).split('\r\n')).toHaveLength(402);
  });
});

it('trips of a challan that was unpaid again are unpaid on the page', async () => {
  const { owner, create } = await ownerWithTrips();
  const challans = [await create(), await create()];
  const payment = await desk.pay(idsOf(challans));
  await desk.api.call(
    contract.paymentBatches.reverse,
    { params: { id: payment.body.data.batchId ?? '' }, body: { reason: 'wrong' } },
    desk.as(),
  );
  const { token } = await sendReport(desk.api, desk.tenant, owner.id);
  const { text } = await open(`${token}/page`);
  expect(text).toContain(ownerTexts.English.noPayments);
  expect(text).not.toContain(payment.body.data.number ?? '?');
});
