import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDateTime } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildApp } from '../../../src/server/app.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { ownerTexts } from '../../../src/server/features/shared-reports/owner-page-texts.file.ts';
import { forgetEndedSharedReports } from '../../../src/server/features/shared-reports/shared-reports.queries.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag, type ChallanBody } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { insertChallans } from '../support/ledger.ts';
import { openLink, reportsOf, sendReport, type ReportFilters } from '../support/shared-link.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { accounting, sharedReports, challans, owners, subadmins } = contract;
const noData = 'No challans found for the specified criteria';

async function openDesk(banner?: string) {
  const tenant = await api.addTenant(banner);
  const owner = await createOwner(api, tenant, { name: 'Bikash & Sons “Mohanta”', contactNumber: '9437012345' });
  const tag = await createTag(api, tenant, { name: 'TATA/Joda 100%' });
  const create = (over: Partial<ChallanBody> = {}) =>
    createChallan(api, tenant, { ownerId: owner.id, tagId: tag.id }, over);
  return { tenant, owner, tag, create };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

const share = (tenant: Tenant, body: object) =>
  api.callRaw('POST', '/api/accounting/generate-whatsapp-csv', { token: tenant.token, body });
const exported = async ({ tenant, owner }: Desk, filters: ReportFilters = {}): Promise<string> =>
  (await api.call(accounting.exportCsv, { body: { ownerId: owner.id, filters } }, { token: tenant.token })).text;
const storedOf = (tenant: Tenant) =>
  api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ content: string; token_hash: Buffer; hours: string; everything: string }>(
      `SELECT content, token_hash, extract(epoch FROM expires_at - created_at) / 3600 AS hours, r::text AS everything
       FROM shared_reports r WHERE subadmin_id = $1 ORDER BY created_at DESC`,
      [db.tenantId],
    );
    return rows;
  });
const age = (tenant: Tenant) =>
  api.inTenant(tenant, (db) =>
    db.query(`UPDATE shared_reports SET expires_at = now() - interval '1 second' WHERE subadmin_id = $1`, [tenant.id]),
  );
const onlyReport = async (tenant: Tenant) => {
  const [report] = (await reportsOf(api, tenant)).data;
  if (!report) throw new Error('There is one report');
  return report;
};
const revoke = (tenant: Tenant, id: string) =>
  api.call(sharedReports.revoke, { params: { id } }, { token: tenant.token });

describe('the WhatsApp message', () => {
  it('goes to the owner, with the sums of the file, its link and the end of that', async () => {
    const desk = await openDesk('Maa Tarini Transport & Co.');
    // Net 19,551.00 each; the third is paid and its rate a hundredfold.
    await desk.create();
    await desk.create();
    await desk.create({ ratePerMT: '100000', paymentStatus: true });
    const sent = await sendReport(api, desk.tenant, desk.owner.id);
    expect(sent).toMatchObject({ recordCount: 3, ownerName: desk.owner.name });
    expect(sent.whatsappUrl.startsWith('https://wa.me/919437012345?text=Maa%20Tarini%20Transport%20%26%20Co.')).toBe(
      true,
    );
    expect(new URL(sent.whatsappUrl).origin).toBe('https://wa.me');
    expect([...new URL(sent.whatsappUrl).searchParams.keys()]).toEqual(['text']);
    const { expiresAt } = await onlyReport(desk.tenant);
    expect(sent.text).toBe(
      [
        'Maa Tarini Transport & Co.',
        'Challan report for Bikash & Sons “Mohanta”',
        '',
        'Challans: 3',
        'Total: ₹24,99,102.00',
        'Paid: ₹24,60,000.00',
        'Unpaid: ₹39,102.00',
        'TDS: ₹25,398.00',
        '',
        `See the trips and payments until ${formatDateTime(expiresAt)}:`,
        `http://localhost:80/share/${sent.token}/page`,
        '',
        `Download the list (CSV) until ${formatDateTime(expiresAt)}:`,
        `http://localhost:80/share/${sent.token}`,
      ].join('\n'),
    );
  });

  it.each<[ReportFilters, string | undefined, number]>([
    [{}, undefined, 3],
    [{ paymentStatus: null, startDate: null, endDate: null, tagId: null }, undefined, 3],
    [{ paymentStatus: true }, 'Paid only', 1],
    [{ paymentStatus: false }, 'Unpaid only', 2],
    [{ tagId: 'none', paymentStatus: false }, 'Unpaid only, Without a tag', 1],
    [{ startDate: '2026-04-12', endDate: '2026-04-30' }, 'Deposited 12/04/2026 to 30/04/2026', 2],
    [{ startDate: '2026-05-01', endDate: '2026-05-01' }, 'Deposited on 01/05/2026', 1],
    [{ startDate: '2026-04-12' }, 'Deposited from 12/04/2026', 3],
    [{ paidStartDate: '2020-01-01' }, 'Paid from 01/01/2020', 1],
    [{ endDate: '2026-04-30', sortBy: 'netAmountPayable', sortOrder: 'asc' }, 'Deposited to 30/04/2026', 2],
  ])('says which challans %j chose', async (filters, words, count) => {
    const desk = await openDesk();
    await desk.create({ paymentStatus: true });
    await desk.create({ depositedAt: '2026-05-01' });
    const untagged = await desk.create();
    await api.inTenant(desk.tenant, (db) =>
      db.query('UPDATE challans SET tag_id = NULL WHERE subadmin_id = $1 AND id = $2', [db.tenantId, untagged.id]),
    );
    const sent = await sendReport(api, desk.tenant, desk.owner.id, filters);
    const [, , third] = sent.text.split('\n');
    expect([third || undefined, sent.recordCount]).toEqual([words, count]);
  });

  it.each(['Hindi', 'Odia'] as const)('is in the language of the owner: %s', async (language) => {
    const desk = await openDesk();
    const { id, name, contactNumber, accountNo, panNo, branchName } = desk.owner;
    const body = { name, contactNumber, accountNo, panNo, branchName, language };
    await api.call(contract.owners.update, { params: { id }, body }, { token: desk.tenant.token });
    await desk.create();
    const days = { startDate: '2026-04-01', endDate: '2026-04-30' };
    const { text } = await sendReport(api, desk.tenant, id, { paymentStatus: false, tagId: desk.tag.id, ...days });
    const texts = ownerTexts[language];
    // The names are the owner's and the business's own; everything else is of the language.
    const own = [desk.owner.name, desk.tag.name, desk.tenant.bannerName, 'TDS', 'CSV', 'http'];
    const words = text
      .replaceAll(/https?:\S+/g, '')
      .split(/\s+/)
      .filter((word) => /[a-z]{3}/i.test(word) && !own.some((name) => name.includes(word.replaceAll(/[():,]/g, ''))));
    expect(words).toEqual([]);
    expect(text.split('\n').slice(1, 9)).toEqual([
      texts.messageReport.replace('{owner}', desk.owner.name),
      `${texts.onlyUnpaid}, ${texts.tagged.replace('{tag}', desk.tag.name)}, ${texts.days
        .replace('{what}', texts.deposited)
        .replace('{from}', '01/04/2026')
        .replace('{to}', '30/04/2026')}`,
      '',
      `${texts.challans}: 1`,
      `${texts.total}: ₹19,551.00`,
      `${texts.paid}: ₹0.00`,
      `${texts.unpaid}: ₹19,551.00`,
      `${texts.tds}: ₹249.00`,
    ]);
  });

  it('names a tag as it was called then, also in the list', async () => {
    const desk = await openDesk();
    await desk.create();
    const sent = await sendReport(api, desk.tenant, desk.owner.id, { tagId: desk.tag.id });
    expect(sent.text).toContain('\nTag TATA/Joda 100%\n');
    const body = { name: 'Renamed' };
    await api.call(contract.tags.update, { params: { id: desk.tag.id }, body }, { token: desk.tenant.token });
    expect((await onlyReport(desk.tenant)).filters).toEqual({
      paymentStatus: null,
      tagId: desk.tag.id,
      tagName: 'TATA/Joda 100%',
      startDate: null,
      endDate: null,
      paidStartDate: null,
      paidEndDate: null,
    });
  });

  it('has the address that the installation calls its own', async () => {
    const desk = await openDesk();
    await desk.create();
    const app = await buildApp({ pools: api.pools, logLevel: 'silent', publicUrl: 'https://desk.example/challans' });
    const { payload } = await app.inject({
      method: 'POST',
      url: '/api/accounting/generate-whatsapp-csv',
      headers: { authorization: `Bearer ${desk.tenant.token}`, host: 'evil.example' },
      payload: { ownerId: desk.owner.id, filters: {} },
    });
    const { data } = JSON.parse(payload) as { data: { whatsappUrl: string } };
    const text = new URL(data.whatsappUrl).searchParams.get('text');
    expect(text).toMatch(/\nhttps:\/\/desk\.example\/challans\/share\/[\w-]{43}$/);
    await app.close();
  });
});

describe('what cannot be sent', () => {
  it('has no link to a name that only the request gives', async () => {
    const desk = await openDesk();
    await desk.create();
    const app = await buildApp({ pools: api.pools, logLevel: 'silent' });
    const ask = (host: string) =>
      app.inject({
        method: 'POST',
        url: '/api/accounting/generate-whatsapp-csv',
        headers: { authorization: `Bearer ${desk.tenant.token}`, host },
        payload: { ownerId: desk.owner.id, filters: {} },
      });
    for (const host of ['evil.example', 'localhost.evil.example:80', '10.9.8.7', 'evil.example@localhost']) {
      const { statusCode, payload } = await ask(host);
      expect([statusCode, (JSON.parse(payload) as { code: string }).code], host).toEqual([400, 'INVALID_REQUEST']);
    }
    expect((await api.call(sharedReports.list, {}, { token: desk.tenant.token })).body.data).toEqual([]);
    const tail = /\nhttp:\/\/(.*)\/share\/[\w-]{43}$/;
    const baseOf = async (host: string) => {
      const { data } = JSON.parse((await ask(host)).payload) as { data: { whatsappUrl: string } };
      return tail.exec(new URL(data.whatsappUrl).searchParams.get('text') ?? '')?.[1];
    };
    expect(await baseOf('127.0.0.1:3000')).toBe('127.0.0.1:3000');
    expect(await baseOf('localhost:80@evil.example:90')).toBe('localhost:90');
    await app.close();
  });

  it('nothing matches, or the owner is unknown, deleted or of another business: one answer', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    await other.create();
    await desk.create();
    const empty = await createOwner(api, desk.tenant);
    const deleted = await createOwner(api, desk.tenant);
    await api.call(owners.remove, { params: { id: deleted.id } }, { token: desk.tenant.token });
    const bodies = [
      { ownerId: empty.id, filters: {} },
      { ownerId: deleted.id, filters: {} },
      { ownerId: unknownId, filters: {} },
      { ownerId: other.owner.id, filters: {} },
      { ownerId: desk.owner.id, filters: { tagId: other.tag.id } },
      { ownerId: desk.owner.id, filters: { paymentStatus: true } },
      { ownerId: desk.owner.id, filters: { startDate: '2031-01-01' } },
    ];
    for (const body of bodies) expectRefusal(await share(desk.tenant, body), 404, 'NO_DATA_FOUND', noData);
    expect(await storedOf(desk.tenant)).toEqual([]);
    expect(await historyOf(api, desk.tenant, desk.owner.id)).toHaveLength(1);
  });

  it('a request that is wrong in itself is INVALID_REQUEST, an unknown field UNKNOWN_FIELD', async () => {
    const desk = await openDesk();
    await desk.create();
    const ownerId = desk.owner.id;
    const wrong: [object, string, string][] = [
      [{ filters: {} }, 'INVALID_REQUEST', 'Owner ID is required'],
      [{ ownerId: 'x', filters: {} }, 'INVALID_REQUEST', 'Invalid owner ID format'],
      [{ ownerId }, 'INVALID_REQUEST', ''],
      [{ ownerId, filters: { paymentStatus: 'true' } }, 'INVALID_REQUEST', 'filters.paymentStatus'],
      [{ ownerId, filters: { startDate: '2026-02-30' } }, 'INVALID_REQUEST', 'filters.startDate'],
      [{ ownerId, filters: { startDate: '2026-05-02', endDate: '2026-05-01' } }, 'INVALID_REQUEST', ''],
      [{ ownerId, filters: { sortBy: 'password' } }, 'INVALID_REQUEST', ''],
      [{ ownerId, filters: { search: 'x' } }, 'UNKNOWN_FIELD', 'filters.search'],
    ];
    for (const [body, code, word] of wrong) {
      const answer = await share(desk.tenant, body);
      expect([body, answer.status, answer.error.code]).toEqual([body, 400, code]);
      expect(answer.error.message).toContain(word);
    }
    expect(await storedOf(desk.tenant)).toEqual([]);
  });

  it('20,000 challans are sent, one more is refused in a plain sentence', { timeout: 60_000 }, async () => {
    const desk = await openDesk();
    await api.inTenant(desk.tenant, (db) => insertChallans(db, { ownerId: desk.owner.id }, 20_000));
    const sent = await sendReport(api, desk.tenant, desk.owner.id);
    expect(sent.recordCount).toBe(20_000);
    expect((await openLink(api, sent.token)).text).toBe(await exported(desk));
    await desk.create();
    expectRefusal(
      await share(desk.tenant, { ownerId: desk.owner.id, filters: {} }),
      400,
      'INVALID_REQUEST',
      'This report is too large to share: at most 20,000 challans, or 8 MB, fit into one. Choose fewer with the filters, for example by the deposited date.',
    );
    expect(await storedOf(desk.tenant)).toHaveLength(1);
  });

  it('rows that are too long in sum are refused as well', async () => {
    const desk = await openDesk();
    await api.inTenant(desk.tenant, async (db) => {
      await insertChallans(db, { ownerId: desk.owner.id }, 3_000);
      // Three bytes a letter.
      await db.query(`UPDATE challans SET remarks = repeat('ଓ', 1000) WHERE subadmin_id = $1`, [db.tenantId]);
    });
    const answer = await share(desk.tenant, { ownerId: desk.owner.id, filters: {} });
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    expect(answer.error.message).toMatch(/^This report is too large to share/);
  });
});

describe('the file behind the link', () => {
  it('is the owner file of that moment, whatever happens afterwards', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    await other.create({ remarks: 'FOREIGN' });
    const first = await desk.create({ remarks: '=cmd|x\nଓଡ଼ିଆ हिन्दी ₹', tpNo: '000123456', advanceMoney: '30000' });
    const second = await desk.create({ paymentStatus: true });
    const filters = { sortBy: 'netAmountPayable', sortOrder: 'asc' } as const;
    const before = await exported(desk, filters);
    const sent = await sendReport(api, desk.tenant, desk.owner.id, filters);
    const auth = { token: desk.tenant.token };
    await api.call(challans.update, { params: { id: first.id }, body: { remarks: 'later' } }, auth);
    await api.call(challans.update, { params: { id: second.id }, body: { paymentStatus: false } }, auth);
    await api.call(challans.remove, { params: { id: second.id } }, auth);
    await desk.create();

    const opened = await openLink(api, sent.token);
    expect(opened.text).toBe(before);
    expect(opened.text).toContain('ଓଡ଼ିଆ हिन्दी ₹');
    expect(opened.text).not.toContain('FOREIGN');
    expect(opened.text.split('\r\n')).toHaveLength(4);
  });

  it('holds neither account number nor PAN, nor a column for them', async () => {
    const desk = await openDesk();
    await desk.create();
    const { text } = await openLink(api, (await sendReport(api, desk.tenant, desk.owner.id)).token);
    const { accountNo, panNo, ifsc, address } = desk.owner;
    for (const secret of [accountNo, panNo, ifsc, address]) expect(text).not.toContain(secret);
    expect(text.split('\r\n')[0]).not.toMatch(/account|pan\b|ifsc|branch/i);
  });

  it('comes as a download that nobody keeps, indexes or frames', async () => {
    const desk = await openDesk();
    await desk.create();
    const { status, headers } = await openLink(api, (await sendReport(api, desk.tenant, desk.owner.id)).token);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="owner_challans_report_Bikash_/);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is not used up by a preview, nor by HEAD, which sends no body', async () => {
    const desk = await openDesk();
    await desk.create();
    const { token } = await sendReport(api, desk.tenant, desk.owner.id);
    const looks = [];
    for (let look = 0; look < 5; look += 1) looks.push(await openLink(api, token));
    expect(new Set(looks.map(({ text }) => text)).size).toBe(1);
    expect(looks[0]?.text).toBe(await exported(desk));

    const app = await buildApp({ pools: api.pools, logLevel: 'silent' });
    await app.listen({ port: 0, host: '127.0.0.1' });
    // Listening on a port, the address is an object.
    const { port } = app.server.address() as AddressInfo;
    const head = await new Promise<{ status: number | undefined; headers: object; bytes: number }>(
      (resolve, reject) => {
        const request = httpRequest({ port, method: 'HEAD', path: `/share/${token}`, agent: false }, (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => (bytes += chunk.length));
          response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, bytes }));
        });
        request.on('error', reject).end();
      },
    );
    await app.close();
    expect(head).toMatchObject({
      status: 200,
      bytes: 0,
      headers: { 'content-length': String(Buffer.byteLength(looks[0]?.text ?? '')), 'cache-control': 'no-store' },
    });
  });

  it('is reached by 32 random bytes, of which only the SHA-256 is kept, for 72 hours', async () => {
    const desk = await openDesk();
    await desk.create();
    const sent = await sendReport(api, desk.tenant, desk.owner.id);
    expect(Buffer.from(sent.token, 'base64url')).toHaveLength(32);
    const [row] = await storedOf(desk.tenant);
    expect(row?.token_hash).toEqual(createHash('sha256').update(sent.token).digest());
    expect(Number(row?.hours)).toBe(72);
    expect(row?.everything).not.toContain(sent.token);
    expect(row?.everything).not.toContain(Buffer.from(sent.token, 'base64url').toString('hex'));
    const tokens = new Set([sent.token]);
    for (let one = 0; one < 19; one += 1) tokens.add((await sendReport(api, desk.tenant, desk.owner.id)).token);
    expect(tokens.size).toBe(20);
  });
});

/** Headers but the two that no two answers share. */
const withoutOwn = (headers: object) =>
  Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));

describe('a link that does not work', () => {
  it('answers the same whether it never was, has ended, was revoked, or its account is closed', async () => {
    const sendOne = async () => {
      const desk = await openDesk();
      await desk.create();
      return { ...desk, ...(await sendReport(api, desk.tenant, desk.owner.id)) };
    };
    const [expired, revoked, closed, deleted] = [await sendOne(), await sendOne(), await sendOne(), await sendOne()];
    await age(expired.tenant);
    await revoke(revoked.tenant, (await onlyReport(revoked.tenant)).id);
    const admin = { token: api.adminToken };
    await api.call(subadmins.setActive, { params: { id: closed.tenant.id }, body: { isActive: false } }, admin);
    await api.call(subadmins.remove, { params: { id: deleted.tenant.id } }, admin);

    const tokens = {
      unknown: randomBytes(32).toString('base64url'),
      short: 'abc',
      longer: 'A'.repeat(150),
      'no token at all': '%00',
      expired: expired.token,
      revoked: revoked.token,
      'closed account': closed.token,
      'deleted account': deleted.token,
    };
    for (const [name, token] of Object.entries(tokens)) {
      const { status, headers, text } = await openLink(api, token);
      expect([name, status, text]).toEqual([
        name,
        404,
        'This link is not valid, or is not valid any more. Please ask the sender for a new one.\n',
      ]);
      expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
      expect(withoutOwn(headers)).toEqual(withoutOwn((await openLink(api, 'x')).headers));
    }
  });

  it('is not guessed: 2,000 tries of the right shape find nothing', async () => {
    const desk = await openDesk();
    await desk.create();
    await sendReport(api, desk.tenant, desk.owner.id);
    let found = 0;
    for (let round = 0; round < 20; round += 1) {
      const tries = Array.from({ length: 100 }, () => openLink(api, randomBytes(32).toString('base64url')));
      for (const { status } of await Promise.all(tries)) {
        expect(status).toBe(404);
        if (status === 200) found += 1;
      }
    }
    expect(found).toBe(0);
  });

  it('is asked for thirty times at once from one address, and from there no more', async () => {
    const statuses = [];
    for (let one = 0; one < 40; one += 1) statuses.push(await openLink(api, 'abc', { from: '203.0.113.7' }));
    expect(statuses.slice(0, 30).every(({ status }) => status === 404)).toBe(true);
    const last = statuses.at(-1);
    expect(last).toMatchObject({ status: 429, text: 'Too many requests. Please try again in a moment.\n' });
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await openLink(api, 'abc', { from: '203.0.113.8' })).status).toBe(404);
  });

  it('takes no other method, and is at no other address', async () => {
    const desk = await openDesk();
    await desk.create();
    const { token } = await sendReport(api, desk.tenant, desk.owner.id);
    for (const [method, url] of [
      ['POST', `/share/${token}`],
      ['DELETE', `/share/${token}`],
      ['GET', `/share/${token}/`],
      ['GET', `/share//${token}`],
      ['GET', `/api/share/${token}`],
      ['GET', `/share?token=${token}`],
      ['GET', '/share/'],
    ] as const) {
      const answer = await api.callRaw(method, url);
      expect([method, url, answer.status]).toEqual([method, url, 404]);
      expect(answer.text).not.toContain('Challan');
    }
  });
});

describe('the list of shared reports', () => {
  it('shows what was sent, newest first, by pages, and neither token nor link', async () => {
    const desk = await openDesk();
    await desk.create();
    const sent = [];
    for (let one = 0; one < 3; one += 1) sent.push(await sendReport(api, desk.tenant, desk.owner.id));
    const answer = await api.callRaw('GET', '/api/accounting/shared-reports?page=1&limit=2', {
      token: desk.tenant.token,
    });
    expect(answer.body.pagination).toMatchObject({ totalCount: 3, totalPages: 2, hasNext: true });
    for (const { token } of sent) expect(answer.text).not.toContain(token);
    expect(answer.text).not.toMatch(/share\/|token|hash|content/);
    const { data } = await reportsOf(api, desk.tenant);
    expect(data.map(({ createdAt }) => createdAt)).toEqual(
      data
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    const [report] = data;
    expect(report).toEqual({
      id: report?.id,
      ownerId: desk.owner.id,
      ownerName: desk.owner.name,
      fileName: expect.stringMatching(/^owner_challans_report_Bikash_Sons_Mohanta_\d{4}-\d\d-\d\d\.csv$/),
      recordCount: 1,
      paymentNumber: null,
      filters: {
        paymentStatus: null,
        tagId: null,
        tagName: null,
        startDate: null,
        endDate: null,
        paidStartDate: null,
        paidEndDate: null,
      },
      createdAt: report?.createdAt,
      createdBy: desk.tenant.email,
      expiresAt: new Date(Date.parse(report?.createdAt ?? '') + 72 * 3_600_000).toISOString(),
      revokedAt: null,
      status: 'active',
    });
    const [last] = (await reportsOf(api, desk.tenant, { page: 2, limit: 2 })).data;
    expect(last).toEqual(data[2]);
  });

  it('keeps to its own business', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    await desk.create();
    await sendReport(api, desk.tenant, desk.owner.id);
    const { id } = await onlyReport(desk.tenant);
    expect((await reportsOf(api, other.tenant)).data).toEqual([]);
    expectRefusal(await revoke(other.tenant, id), 404, 'NOT_FOUND', 'Shared report not found');
    expect((await onlyReport(desk.tenant)).status).toBe('active');
  });
});

describe('revoking', () => {
  it('ends the link at once, says so in the list, and is in the history of the owner', async () => {
    const desk = await openDesk();
    await desk.create();
    const sent = await sendReport(api, desk.tenant, desk.owner.id);
    const kept = await sendReport(api, desk.tenant, desk.owner.id);
    const [, first] = (await reportsOf(api, desk.tenant)).data;
    const revoked = (await revoke(desk.tenant, first?.id ?? '')).body.data;
    expect(revoked).toMatchObject({ id: first?.id, status: 'revoked', revokedAt: expect.any(String) });
    expect((await openLink(api, sent.token)).status).toBe(404);
    expect((await openLink(api, kept.token)).status).toBe(200);
    expect((await reportsOf(api, desk.tenant)).data.map(({ status }) => status)).toEqual(['active', 'revoked']);
    const [, gone] = await storedOf(desk.tenant);
    expect(gone?.content).toBe('');
    const lines = (await historyOf(api, desk.tenant, desk.owner.id)).slice(1);
    expect(lines.map(({ entity, action, actor_id }) => [entity, action, actor_id])).toEqual([
      ['owner', 'report shared', desk.tenant.id],
      ['owner', 'report shared', desk.tenant.id],
      ['owner', 'report link revoked', desk.tenant.id],
    ]);
    expect(lines[0]?.changes).toEqual({ fileName: [null, first?.fileName], recordCount: [null, 1] });
    expect(lines[2]?.changes).toEqual({ fileName: [first?.fileName, null] });
  });

  it('twice, or at once by many, is revoking once', async () => {
    const desk = await openDesk();
    await desk.create();
    await sendReport(api, desk.tenant, desk.owner.id);
    const { id } = await onlyReport(desk.tenant);
    const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(desk.tenant, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await revoke(desk.tenant, id)).text).toBe(answers[0]?.text);
    expect(await historyOf(api, desk.tenant, desk.owner.id)).toHaveLength(3);
  });

  it('a link that has expired leaves it expired', async () => {
    const desk = await openDesk();
    await desk.create();
    await sendReport(api, desk.tenant, desk.owner.id);
    await age(desk.tenant);
    const { id } = await onlyReport(desk.tenant);
    expect((await revoke(desk.tenant, id)).body.data).toMatchObject({ status: 'expired', revokedAt: null });
    expect(await historyOf(api, desk.tenant, desk.owner.id)).toHaveLength(2);
  });

  it('of a malformed id is refused', async () => {
    const { tenant } = await openDesk();
    const answer = await api.callRaw('POST', '/api/accounting/shared-reports/x/revoke', { token: tenant.token });
    expectRefusal(answer, 400, 'INVALID_ID');
  });
});

it('the file of an ended link is forgotten, its line in the list stays', async () => {
  const [expired, revoked, active] = [await openDesk(), await openDesk(), await openDesk()];
  for (const desk of [expired, revoked, active]) {
    await desk.create();
    await sendReport(api, desk.tenant, desk.owner.id);
  }
  await age(expired.tenant);
  await api.inTenant(revoked.tenant, (db) =>
    db.query('UPDATE shared_reports SET revoked_at = now() WHERE subadmin_id = $1', [db.tenantId]),
  );
  await withGlobal(api.pools.main, 'write', forgetEndedSharedReports);
  const contents = await Promise.all([expired, revoked, active].map(({ tenant }) => storedOf(tenant)));
  expect(contents.map(([row]) => row?.content === '')).toEqual([true, true, false]);
  expect((await onlyReport(expired.tenant)).recordCount).toBe(1);
});
