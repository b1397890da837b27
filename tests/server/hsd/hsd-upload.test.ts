import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HSD_MAX_BYTES } from '../../../src/shared/reading/pump-bill.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { fileMessages } from '../../../src/server/files/spreadsheet/messages.ts';
import { parserLimits, readingPlaces } from '../../../src/server/files/spreadsheet/parser-process.ts';
import { multipartBody, multipartType, uploadOptions, type Part } from './hsd-corpus/multipart.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal, withoutRequestId } from '../support/expect.ts';
import { addHsdChallans, csvOf, upload, uploadFile, uploadUrl } from '../support/hsd-desk.ts';

const { hsdVerification } = contract;
const bill = csvOf([['000123', '500']]);
const file = (over: Partial<Part> = {}): Part => ({ fileName: 'bill.csv', content: bill, ...over });

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const list = async (who: Tenant) => (await api.call(hsdVerification.listUploads, {}, { token: who.token })).body;
const challansOf = (who: Tenant) =>
  api.inTenant(who, async (db) => {
    const { rows } = await db.query('SELECT t::text FROM challans t WHERE subadmin_id = $1 ORDER BY id', [who.id]);
    return rows;
  });

describe('who may upload', () => {
  it('is decided before the body is looked at', async () => {
    const { payload, headers } = uploadOptions([file({ content: Buffer.alloc(11_000_000) })]);
    const send = (token?: string) => api.callRaw('POST', uploadUrl, { payload, headers, ...(token ? { token } : {}) });
    expectRefusal(await send(), 401, 'UNAUTHORIZED');
    expectRefusal(await send(api.adminToken), 403, 'FORBIDDEN');
    expect(readingPlaces.counts()).toEqual({ running: 0, waiting: 0 });
  });
});

describe('a body that is not one file', () => {
  const cases: [string, Part[], string][] = [
    ['no part at all', [], fileMessages.noFile],
    ['another field', [file({ name: 'upload' })], fileMessages.wrongField],
    ['a field that objects have', [file({ name: '__proto__' })], fileMessages.brokenUpload],
    ['two files', [file(), file()], fileMessages.twoFiles],
    ['three files', [file(), file(), file()], fileMessages.twoFiles],
    ['text in the field', [{ name: 'file', content: bill }], fileMessages.noFile],
    ['a field without a choice', [file({ fileName: '', content: '' })], fileMessages.noFile],
    ['a file and a field', [file(), { name: 'note', content: 'x' }], fileMessages.wrongField],
    [
      'a thousand fields',
      Array.from({ length: 1_000 }, (_, n) => ({ name: `f${n}`, content: 'x' })),
      fileMessages.wrongField,
    ],
  ];
  it.each(cases)('%s', async (_, parts, message) => {
    expectRefusal(await upload(api, tenant, parts), 400, 'INVALID_FILE', message);
    expect(readingPlaces.counts()).toEqual({ running: 0, waiting: 0 });
    expect((await list(tenant)).data).toEqual([]);
  });

  it.each([
    ['JSON', '{"file":"x"}', { 'content-type': 'application/json' }],
    ['plain text', bill, { 'content-type': 'text/csv' }],
    ['no type', Buffer.from(bill), { 'content-type': '' }],
  ])('%s', async (_, payload, headers) => {
    const answer = await api.callRaw('POST', uploadUrl, { token: tenant.token, payload, headers });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', fileMessages.notMultipart);
  });

  it.each([
    ['no boundary', multipartBody([file()]), 'multipart/form-data'],
    ['another boundary', multipartBody([file()]), 'multipart/form-data; boundary=other'],
    ['cut off in the middle', multipartBody([file()]).subarray(0, -60), multipartType],
  ])('%s', async (_, payload, type) => {
    const answer = await api.callRaw('POST', uploadUrl, {
      token: tenant.token,
      payload,
      headers: { 'content-type': type },
    });
    expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_FILE']);
    expect([fileMessages.brokenUpload, fileMessages.noFile]).toContain(answer.error.message);
  });

  it('does not open other calls to multipart bodies', async () => {
    const { payload, headers } = uploadOptions([{ name: 'name', content: 'Tag' }]);
    const answer = await api.callRaw('POST', '/api/tags', { token: tenant.token, payload, headers });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('the size', () => {
  const filled = (size: number): Buffer => {
    const bytes = Buffer.alloc(size, '\n');
    bytes.write(`${bill}\n`);
    return bytes;
  };

  it('10 MB are read', async () => {
    // On a busy machine the usual 10 s may not be enough.
    const { wallMs } = parserLimits;
    parserLimits.wallMs = 60_000;
    onTestFinished(() => void (parserLimits.wallMs = wallMs));
    const answer = await uploadFile(api, tenant, 'bill.csv', filled(HSD_MAX_BYTES));
    expect(answer.data.results.discrepancies.tpNotFound).toEqual(['000123']);
  });

  it.each([
    ['one byte more', filled(HSD_MAX_BYTES + 1)],
    ['twice as much', filled(HSD_MAX_BYTES * 2)],
  ])('%s is refused', async (_, content) => {
    const answer = await uploadFile(api, tenant, 'bill.csv', content);
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE', fileMessages.tooLarge);
    expect((await list(tenant)).data).toEqual([]);
    expect(readingPlaces.counts()).toEqual({ running: 0, waiting: 0 });
  });
});

describe('an upload', () => {
  it('compares by TP and to the paisa, and changes no challan', async () => {
    const [match, , verified] = await addHsdChallans(api, tenant, [
      { tpNo: 'A 1', amount: '9264.00' },
      { tpNo: 'B1', amount: '100.00' },
      { tpNo: 'C1', amount: '5.00', isVerified: true },
    ]);
    const before = await challansOf(tenant);
    const answer = await uploadFile(
      api,
      tenant,
      'bill.csv',
      csvOf([
        ['a1', '9264'],
        ['B1', '99.99'],
        ['C1', '6'],
        ['D1', '1'],
        ['', '2'],
      ]),
    );
    expect(answer.data).toEqual({
      totalRecords: 5,
      validRecords: 4,
      summary: { validMatches: 1, totalDiscrepancies: 3 },
      results: {
        validMatches: [
          { challanId: match, tpNo: 'a1', challanNumber: 'C-A 1', uploadedAmount: '9264.00', challanAmount: '9264.00' },
        ],
        discrepancies: {
          amountMismatch: [
            expect.objectContaining({
              tpNo: 'B1',
              uploadedAmount: '99.99',
              challanAmount: '100.00',
              difference: '-0.01',
            }),
          ],
          alreadyVerified: [
            { challanId: verified, tpNo: 'C1', challanNumber: 'C-C1', verifiedAt: '2026-05-01T10:00:00.000Z' },
          ],
          tpNotFound: ['D1'],
        },
      },
      processingErrors: ['Row 6: TP No is empty'],
    });
    expect(await challansOf(tenant)).toEqual(before);
  });

  it("finds another account's TP numbers as little as unknown and deleted ones", async () => {
    const other = await api.addTenant();
    await addHsdChallans(api, other, [{ tpNo: 'THEIRS', amount: '5.00' }]);
    const [deleted] = await addHsdChallans(api, tenant, [{ tpNo: 'GONE', amount: '5.00' }]);
    await api.call(contract.challans.remove, { params: { id: deleted ?? '' } }, { token: tenant.token });
    const tps = async (tpNo: string) => {
      const { data, text } = await uploadFile(api, tenant, 'bill.csv', csvOf([[tpNo, '5']]));
      expect(data.results.discrepancies.tpNotFound).toEqual([tpNo]);
      return text.replace(tpNo, 'TP');
    };
    const [foreign, unknown, gone] = [await tps('THEIRS'), await tps('NOBODY'), await tps('GONE')];
    expect([foreign, gone]).toEqual([unknown, unknown]);
  });

  it('leaves its evidence, newest first, to its own account alone', async () => {
    await addHsdChallans(api, tenant, [{ tpNo: '000123', amount: '500.00' }]);
    await uploadFile(api, tenant, 'first.csv', bill);
    const second = csvOf([
      ['000123', '1'],
      ['', '1'],
    ]);
    await uploadFile(api, tenant, 'second.csv', second);
    const refused = await uploadFile(api, tenant, 'third.csv', 'no header');
    expectRefusal(refused, 400, 'INVALID_FILE');
    const { data, pagination } = await list(tenant);
    const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
    const common = {
      id: expect.any(String),
      createdAt: expect.any(String),
      createdBy: tenant.email,
      verifiedCount: null,
    };
    expect(data).toEqual([
      {
        ...common,
        fileName: 'second.csv',
        sha256: sha256(second),
        totalRecords: 2,
        validRecords: 1,
        validMatches: 0,
        totalDiscrepancies: 1,
      },
      {
        ...common,
        fileName: 'first.csv',
        sha256: sha256(bill),
        totalRecords: 1,
        validRecords: 1,
        validMatches: 1,
        totalDiscrepancies: 0,
      },
    ]);
    expect(pagination.totalCount).toBe(2);
    expect((await list(await api.addTenant())).data).toEqual([]);
    const page = await api.call(hsdVerification.listUploads, { query: { page: 2, limit: 1 } }, { token: tenant.token });
    expect(page.body.data.map(({ fileName }) => fileName)).toEqual(['first.csv']);
  });

  it('is written once and for all', async () => {
    await uploadFile(api, tenant, 'bill.csv', bill);
    for (const change of ['UPDATE hsd_uploads SET file_name = $1', 'DELETE FROM hsd_uploads WHERE file_name <> $1']) {
      await expect(api.inTenant(tenant, (db) => db.query(change, ['x']))).rejects.toThrow();
    }
  });

  it.each([
    ['बिल अप्रैल.csv', 'बिल अप्रैल.csv'],
    ['C:\\Bills\\april.csv', 'april.csv'],
    ['../../etc/april.csv', 'april.csv'],
    ['a\u202egpj.\tb.csv', 'agpj.b.csv'],
    [`${'n'.repeat(300)}.csv`, `${'n'.repeat(195)}….csv`],
  ])('of %j is listed as %j', async (given, kept) => {
    expect((await uploadFile(api, tenant, given, bill)).status).toBe(200);
    expect((await list(tenant)).data[0]?.fileName).toBe(kept);
  });

  it('says the same for a file of each account that cannot be read', async () => {
    const answers = await Promise.all(
      [tenant, await api.addTenant()].map((who) => uploadFile(api, who, 'bill.xlsx', 'TP No,Amount')),
    );
    expect(answers.map(withoutRequestId)).toEqual([withoutRequestId(answers[0]!), withoutRequestId(answers[0]!)]);
  });
});
