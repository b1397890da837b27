import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDate, formatDateTime } from '../../../src/shared/calc/dates.ts';
import { formatINR, subtract } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { ownerTexts } from '../../../src/server/features/shared-reports/owner-page-texts.file.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { createOwner } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { idsOf, totalOf } from '../support/ledger.ts';
import { reportsOf } from '../support/shared-link.ts';

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
});
afterAll(() => desk.api.close());

const { paymentBatches, sharedReports } = contract;
const listOf = async (batchId: string) =>
  (await desk.api.call(paymentBatches.listMessages, { params: { id: batchId } }, desk.as())).body.data;
const writeTo = (batchId: string, ownerId: string) =>
  desk.api.callRaw('POST', `/api/payment-batches/${batchId}/messages`, { token: desk.tenant.token, body: { ownerId } });
async function written(batchId: string, ownerId: string) {
  const answer = await desk.api.call(paymentBatches.writeTo, { params: { id: batchId }, body: { ownerId } }, desk.as());
  expect(answer.status, answer.text).toBe(200);
  const url = new URL(answer.body.data.whatsappUrl);
  const text = url.searchParams.get('text') ?? '';
  return { url, text, path: /\/share\/[\w-]{43}\/page/.exec(text)?.[0] ?? '' };
}
const open = async (url: string) => (await desk.api.app.inject({ method: 'GET', url })).payload;
const owner = (over: Partial<Parameters<typeof createOwner>[2]> = {}) => createOwner(desk.api, desk.tenant, over);
async function paidTo(ownerId: string, count = 2) {
  const challans = await desk.make(count, { ownerId });
  const { batchId, number } = (await desk.pay(idsOf(challans))).body.data;
  return { challans, batchId: batchId ?? '', number: number ?? '' };
}

describe('the owners of a payment', () => {
  it('are listed by name with what is still paid, phone and language of today, and nobody was written to', async () => {
    const [hema, asha] = [await owner({ name: 'Hema' }), await owner({ name: 'asha', language: 'Odia' })];
    const own = { hema: await desk.make(2, { ownerId: hema.id }), asha: await desk.make(1, { ownerId: asha.id }) };
    const paid = await desk.pay(idsOf([...own.hema, ...own.asha]));
    const batchId = paid.body.data.batchId ?? '';
    await desk.api.call(
      contract.owners.update,
      { params: { id: hema.id }, body: { contactNumber: '9437000777' } },
      desk.as(),
    );
    expect(await listOf(batchId)).toEqual([
      {
        ownerId: asha.id,
        name: 'asha',
        contactNumber: asha.contactNumber,
        language: 'Odia',
        challanCount: 1,
        amount: totalOf(own.asha),
        utr: '',
        sentAt: null,
        sentBy: null,
        sentCount: 0,
      },
      expect.objectContaining({ name: 'Hema', contactNumber: '9437000777', challanCount: 2 }),
    ]);

    // One of Hema's is unmarked, Asha's too: only what is still paid is said.
    const { id } = own.hema[0]!;
    const unpaid = { body: { paymentStatus: false } };
    await desk.api.call(contract.challans.update, { params: { id }, ...unpaid }, desk.as());
    await desk.api.call(contract.challans.update, { params: { id: own.asha[0]!.id }, ...unpaid }, desk.as());
    expect(await listOf(batchId)).toEqual([
      expect.objectContaining({ name: 'Hema', challanCount: 1, amount: totalOf(own.hema.slice(1)) }),
    ]);
    expectRefusal(await writeTo(batchId, asha.id), 404, 'NO_DATA_FOUND');
    const { text } = await written(batchId, hema.id);
    expect(text).toContain(`Trips: 1\nPaid: ${formatINR(totalOf(own.hema.slice(1)))}\n`);
  });
});

describe('writing to an owner', () => {
  it('opens WhatsApp with count, sum, number, UTR and the link, and is remembered', async () => {
    const { id, contactNumber } = await owner({ name: 'Bikash & Sons' });
    const { challans, batchId, number } = await paidTo(id);
    const [line] = await desk.send([batchId]);
    await desk.accept([
      { fileId: line?.fileId ?? '', lineNo: line?.lineNo ?? 0, outcome: 'executed', utr: 'N097262000000999' },
    ]);
    const [unpaid] = await desk.make(1, { ownerId: id });
    const { url, text, path } = await written(batchId, id);
    expect(`${url.origin}${url.pathname}`).toBe(`https://wa.me/91${contactNumber}`);
    const [report] = (await reportsOf(desk.api, desk.tenant)).data;
    const [today] = await listOf(batchId);
    expect(text.split('\n').slice(1)).toEqual([
      'Payment made: Bikash & Sons',
      '',
      'Trips: 2',
      `Paid: ${formatINR(totalOf(challans))}`,
      `Paid on: ${formatDate(report?.createdAt ?? '')}`,
      `Payment No: ${number}`,
      'UTR: N097262000000999',
      '',
      'Your trips and payments:',
      `http://localhost:80${path}`,
      `This page can be opened until ${formatDateTime(report?.expiresAt ?? '')}`,
    ]);
    expect(today).toMatchObject({ utr: 'N097262000000999', sentBy: desk.tenant.email, sentCount: 1 });
    // The palette finds the payment by its UTR, or by the end of it (docs/specification.md §14.14).
    for (const search of ['N097262000000999', '62000000999']) {
      const found = await desk.api.call(contract.palette.search, { query: { search } }, { token: desk.tenant.token });
      expect(found.body.data.payments.map((one) => one.number)).toEqual([number]);
    }
    expect(today?.sentAt).toBe(report?.createdAt);
    expect(report).toMatchObject({ paymentNumber: number, recordCount: 3, status: 'active' });
    expect((await historyOf(desk.api, desk.tenant, id)).at(-1)).toMatchObject({ action: 'report shared' });

    // The page has what was paid and what is owed, and its raw file nothing internal.
    const page = await open(path);
    expect(page).toContain(`<p class="big due">${formatINR(totalOf([unpaid!]))}`);
    expect(page).toContain('N097262000000999');
    const csv = await open(path.replace(/\/page$/, ''));
    expect(csv.trimEnd().split('\r\n')).toHaveLength(4);
    expect(csv).not.toMatch(/remark/i);

    await written(batchId, id);
    expect((await listOf(batchId))[0]).toMatchObject({ sentCount: 2 });
    await desk.api.call(sharedReports.revoke, { params: { id: report?.id ?? '' } }, desk.as());
    expect(await open(path)).toContain(ownerTexts.English.gone);
  });

  it('says in the message and on the page nothing of older payments', async () => {
    const { id } = await owner();
    const first = await paidTo(id);
    const second = await paidTo(id);
    const { text, path } = await written(second.batchId, id);
    const page = await open(path);
    for (const shown of [text, page]) {
      expect(shown).toContain(second.number);
      expect(shown).not.toContain(first.number);
    }
  });

  it('says what was paid with what was carried and deducted, and takes the open carry off what is owed', async () => {
    const { id } = await owner();
    const minus = await desk.make(1, { ownerId: id, advance: '5000' });
    const owed = subtract('0', totalOf(minus));
    const carrying = await desk.api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: idsOf(minus), carries: [{ ownerId: id, amount: owed }] } },
      desk.as(),
    );
    const plus = await desk.make(12, { ownerId: id });
    const carriedOver = `<dt class="">${ownerTexts.English.carried}</dt>`;
    const before = await written(carrying.body.data.batchId ?? '', id);
    expect(before.text).toContain(`Paid: ${formatINR('0.00')}\n`);
    const first = await open(before.path);
    expect(first).toContain(`<p class="big due">${formatINR(subtract(totalOf(plus), owed))}`);
    expect(first).toContain(`${carriedOver}<dd class="">− ${formatINR(owed)}</dd>`);
    expect(first).toContain(`${carriedOver}<dd class="">${formatINR(owed)}</dd>`);

    const batchId = (await desk.pay(idsOf(plus))).body.data.batchId ?? '';
    const amount = subtract(totalOf(plus), owed);
    expect((await listOf(batchId))[0]).toMatchObject({ amount });
    const { text, path } = await written(batchId, id);
    expect(text).toContain(`Trips: 12\nPaid: ${formatINR(amount)}\n`);
    const page = await open(path);
    expect(page).toContain(`<b class="good">${formatINR(amount)}</b>`);
    expect(page).toContain(`${carriedOver}<dd class="">${formatINR(subtract('0', owed))}</dd>`);
    expect(page).toContain(`<p class="big ">${formatINR('0.00')}`);
    expect(await open(path.replace(/page$/, 'pdf'))).toContain('%PDF');
  });

  it.each(['Hindi', 'Odia'] as const)('is in the language of the owner: %s', async (language) => {
    const { id } = await owner({ language });
    const { batchId } = await paidTo(id);
    const { text, path } = await written(batchId, id);
    const texts = ownerTexts[language];
    expect(text).toContain(`${texts.messageTitle}: `);
    expect(text).toContain(`${texts.trips}: 2\n${texts.paid}: ₹`);
    expect(text).not.toContain(texts.utr);
    expect(await open(path)).toContain(texts.owed);
  });

  it('is refused where nobody can be written to, and leaves nothing', async () => {
    const { id, name } = await owner({ contactNumber: '0671234567' });
    const { batchId } = await paidTo(id);
    const before = (await reportsOf(desk.api, desk.tenant)).pagination.totalCount;
    expectRefusal(await writeTo(batchId, id), 400, 'VALIDATION_ERROR', `0671234567 of ${name} is no mobile number.`);
    // The number is looked at before the trips are: who has none of either is told of the number.
    const { id: idle, name: idleName } = await owner({ contactNumber: '0671234568' });
    expectRefusal(
      await writeTo(batchId, idle),
      400,
      'VALIDATION_ERROR',
      `0671234568 of ${idleName} is no mobile number.`,
    );
    const stranger = await desk.api.addTenant();
    const foreign = await createOwner(desk.api, stranger);
    expectRefusal(await writeTo(batchId, unknownId), 404, 'NO_DATA_FOUND');
    expectRefusal(await writeTo(batchId, foreign.id), 404, 'NO_DATA_FOUND');
    expectRefusal(await writeTo(unknownId, id), 404, 'NOT_FOUND');
    expectRefusal(
      await desk.api.callRaw('POST', `/api/payment-batches/${batchId}/messages`, {
        token: stranger.token,
        body: { ownerId: id },
      }),
      404,
      'NOT_FOUND',
    );
    expect((await reportsOf(desk.api, desk.tenant)).pagination.totalCount).toBe(before);
    expect((await listOf(batchId))[0]).toMatchObject({ sentCount: 0, sentAt: null });
  });

  it('does not take the room of the reports that are sent by hand', async () => {
    const { id } = await owner();
    const { batchId } = await paidTo(id, 1);
    await written(batchId, id);
    await desk.api.inTenant(desk.tenant, (db) =>
      db.query(
        `INSERT INTO shared_reports (subadmin_id, token_hash, owner_id, file_name, content, record_count, created_by, expires_at,
           batch_id)
         SELECT $1, sha256(n::text::bytea), $2, 'x.csv', 'x', 1, $1, now() + interval '1 day', $3
         FROM generate_series(1, 200) n`,
        [desk.tenant.id, id, batchId],
      ),
    );
    const shared = await desk.api.call(
      contract.accounting.shareOnWhatsapp,
      { body: { ownerId: id, filters: {} } },
      desk.as(),
    );
    expect(shared.status).toBe(200);
  });
});
