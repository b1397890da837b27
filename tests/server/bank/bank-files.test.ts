import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../src/shared/bank/layout.ts';
import { add, subtract, sum } from '../../../src/shared/calc/money.ts';
import type { CheckedLine } from '../../../src/shared/contract/bank-files.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildBankLayout, buildOwner, createBankAccount, createOwner, createTag } from '../support/builders.ts';
import { assertLedger, idsOf, insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

let api: Api;
let tenant: Tenant;
let tagId: string;
let accountId: string;

const as = () => ({ token: tenant.token });
const { bankFiles, bankLayouts, bankAccounts } = contract;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  tagId = (await createTag(api, tenant)).id;
  accountId = (await createBankAccount(api, tenant)).id;
});
afterAll(() => api.close());

/** One payment of a few challans of each of these owners. */
async function pay(ownerIds: readonly string[], perOwner = 2, over: { advance?: string } = {}) {
  const challans = await api.inTenant(tenant, async (db) => {
    const made = [];
    for (const ownerId of ownerIds) made.push(...(await insertChallans(db, { ownerId, tagId }, perOwner, over)));
    return made;
  });
  const answer = await api.call(
    contract.bankStatement.markPaid,
    { body: { challanIds: idsOf(challans), paysNegative: true } },
    as(),
  );
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  const batchId = answer.body.data.batchId;
  if (batchId === null) throw new Error('Something was paid');
  return { batchId, number: answer.body.data.number ?? '', challans };
}
const owner = async (over: Parameters<typeof buildOwner>[0] = {}) => (await createOwner(api, tenant, over)).id;

async function check(batchIds: string[], bankAccountId = accountId) {
  const answer = await api.call(bankFiles.check, { body: { batchIds, bankAccountId } }, as());
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer.body.data;
}
const chosen = (lines: readonly CheckedLine[], route: Route = 'NEFT') =>
  lines.map(({ batchId, ownerId, amount }) => ({ batchId, ownerId, amount, route }));
const make = (
  batchIds: string[],
  lines: ReturnType<typeof chosen>,
  { key = randomUUID(), layoutId = 'B', bankAccountId = accountId } = {},
) =>
  api.call(
    bankFiles.create,
    { body: { batchIds, bankAccountId, layoutId, valueOn: '2026-04-20', lines } },
    { ...as(), key },
  );
async function makeAll(batchIds: string[]) {
  const answer = await make(batchIds, chosen((await check(batchIds)).lines));
  expect(answer.status, answer.text.slice(0, 300)).toBe(201);
  return answer.body.data;
}
const content = (id: string, token = tenant.token) => api.callRaw('GET', `/api/bank-files/${id}/content`, { token });
const reverse = (id: string, bankLines?: 'failed') =>
  api.call(
    contract.paymentBatches.reverse,
    { params: { id }, body: { reason: 'Wrong account', ...(bankLines && { bankLines }) } },
    as(),
  );
const linesOf = async (id: string) =>
  (await api.call(bankFiles.get, { params: { id }, query: { limit: 100 } }, as())).body.data.lines;
const withdraw = (id: string) =>
  api.call(bankFiles.withdraw, { params: { id }, body: { reason: 'Not uploaded' } }, as());

/** What the bank answers is written by another call; here straight into its table. */
const answerLine = (fileId: string, lineNo: number, event: 'executed' | 'returned' | 'failed') =>
  api.inTenant(tenant, (db) =>
    db.query(
      `INSERT INTO bank_line_events (subadmin_id, file_id, line_no, event_no, event, utr, event_on, source, created_by)
       SELECT $1, $2, $3, coalesce(max(event_no), 0) + 1, $4, 'UTR1', '2026-04-21', 'paste', $1 FROM bank_line_events
       WHERE subadmin_id = $1 AND file_id = $2 AND line_no = $3`,
      [db.tenantId, fileId, lineNo, event],
    ),
  );

describe('a bank file', () => {
  it('has one line per owner, of the frozen account, and adds up to what is still paid', async () => {
    const first = await owner({ name: 'Rao & Sons', accountNo: '00123456789', ifsc: 'SBIN0001234' });
    const second = await owner({ name: 'रमेश कुमार', accountNo: '50100012345678', ifsc: 'HDFC0000999' });
    const { batchId, number, challans } = await pay([first, second]);
    const { lines, amount, serial } = await check([batchId]);
    expect(lines.map(({ name, challanCount }) => [name, challanCount])).toEqual([
      ['Rao & Sons', 2],
      ['रमेश कुमार', 2],
    ]);
    expect(amount).toBe(sum(challans.map(({ net }) => net)));

    const routes: Route[] = ['NEFT', 'internal'];
    const answer = await make(
      [batchId],
      chosen(lines).map((line, index) => ({ ...line, route: routes[index] ?? 'NEFT' })),
      { layoutId: 'A-short' },
    );
    expect(answer.status, answer.text).toBe(201);
    const file = answer.body.data;
    expect(file).toMatchObject({
      lineCount: 2,
      amount,
      leftOutCount: 0,
      leftOutAmount: '0.00',
      serial,
      inFileCount: 2,
    });
    const short = number.replaceAll('-', '');
    const [one = '', two = ''] = lines.map((line) => line.amount);
    const text = [
      `N,,00123456789,${one},Rao and Sons,${short}-01,${short}-01,20/04/2026,SBIN0001234,SBIN,`,
      `I,,50100012345678,${two},Ramesh Kumar,${short}-02,${short}-02,20/04/2026,HDFC0000999,HDFC,`,
      '',
    ].join('\r\n');
    const downloaded = await content(file.id);
    expect(downloaded.text).toBe(text);
    expect(downloaded.headers['content-disposition']).toContain(file.fileName);
    expect(file.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect((await linesOf(file.id)).map((line) => [line.lineNo, line.reference, line.state, line.accountNo])).toEqual([
      [1, `${short}-01`, 'in-file', '00123456789'],
      [2, `${short}-02`, 'in-file', '50100012345678'],
    ]);
  });

  it('is the same bytes for ever, whatever is changed behind it', async () => {
    const ownerId = await owner();
    const layout = await api.call(bankLayouts.create, { body: buildBankLayout() }, as());
    const layoutId = layout.body.data.id;
    const { batchId } = await pay([ownerId]);
    const made = await make([batchId], chosen((await check([batchId])).lines), { layoutId });
    const file = made.body.data;
    const before = (await content(file.id)).text;

    await api.call(
      contract.owners.update,
      { params: { id: ownerId }, body: { name: 'Changed', accountNo: '999999999' } },
      as(),
    );
    await api.call(bankLayouts.update, { params: { id: layoutId }, body: { ...buildBankLayout(), version: 1 } }, as());
    await api.call(bankAccounts.update, { params: { id: accountId }, body: { clientCode: 'LATER' } }, as());
    await reverse(batchId, 'failed');
    expect((await content(file.id)).text).toBe(before);
    await api.call(bankAccounts.update, { params: { id: accountId }, body: { clientCode: 'KOEL' } }, as());
  });

  it('keeps accounts and references as text in a workbook', async () => {
    const { batchId } = await pay([await owner()]);
    const made = await make([batchId], chosen((await check([batchId])).lines), { layoutId: 'D' });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.fileName).toMatch(/^KOEL\d{8}-\d{3}\.xlsx$/);
    const downloaded = await content(made.body.data.id);
    expect(downloaded.text.slice(0, 2)).toBe('PK');
  });

  it('counts its serials per account and day', async () => {
    const account = (await createBankAccount(api, tenant)).id;
    for (const serial of [1, 2]) {
      const { batchId } = await pay([await owner()]);
      const made = await make([batchId], chosen((await check([batchId], account)).lines), { bankAccountId: account });
      expect(made.body.data.serial).toBe(serial);
      expect(made.body.data.fileName).toMatch(new RegExp(`^KOEL\\d{4}\\.00${serial}$`));
    }
  });

  it('says what its payment froze and the owner has today', async () => {
    const ownerId = await owner({ name: 'Before' });
    const { batchId } = await pay([ownerId]);
    expect((await check([batchId])).lines[0]?.today).toBeNull();
    await api.call(contract.owners.update, { params: { id: ownerId }, body: { name: 'After' } }, as());
    const [line] = (await check([batchId])).lines;
    expect([line?.name, line?.today?.name]).toEqual(['Before', 'After']);
  });

  it('pays into the corrected account of the owner when its maker confirms it, and keeps both accounts', async () => {
    const ownerId = await owner({ name: 'Mina Das', accountNo: '123', ifsc: 'SBIN0001234' });
    const { batchId } = await pay([ownerId]);
    const update = (accountNo: string) =>
      api.call(contract.owners.update, { params: { id: ownerId }, body: { accountNo } }, as());
    await update('30303030303');
    const [line] = (await check([batchId])).lines;
    expect(line?.today).toMatchObject({ accountNo: '30303030303', ifsc: 'SBIN0001234', failedTransfer: null });
    const corrected = { name: 'Mina Das', accountNo: '30303030303', ifsc: 'SBIN0001234' };
    const lines = chosen([line!]).map((one) => ({ ...one, corrected }));

    await update('40404040404');
    const late = await make([batchId], lines);
    expect([late.status, late.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    await update('30303030303');
    const made = await make([batchId], lines);
    expect(made.status, made.text).toBe(201);
    expect((await content(made.body.data.id)).text).toContain('30303030303');
    expect(await linesOf(made.body.data.id)).toMatchObject([
      { accountNo: '30303030303', insteadOf: { accountNo: '123', ifsc: 'SBIN0001234' } },
    ]);
    await answerLine(made.body.data.id, 1, 'returned');
    const [again] = (await check([batchId])).lines;
    expect([again?.failedTransfer, again?.today?.failedTransfer?.state]).toEqual([null, 'returned']);
    const unconfirmed = await make([batchId], lines);
    expect([unconfirmed.status, unconfirmed.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    expect(
      (
        await make(
          [batchId],
          lines.map((one) => ({ ...one, isConfirmed: true })),
        )
      ).status,
    ).toBe(201);
  });

  it('leaves out what cannot be sent, and says how much', async () => {
    const good = await owner();
    const bad = await owner({ accountNo: '123' });
    const { batchId } = await pay([good, bad]);
    const { lines, amount } = await check([batchId]);
    const refused = await make([batchId], chosen(lines));
    expect([refused.status, refused.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.error.message).toContain('The account number must have 9 to 18 digits.');
    const sent = lines.filter(({ ownerId }) => ownerId === good);
    const file = (await make([batchId], chosen(sent))).body.data;
    expect(add(file.amount, file.leftOutAmount)).toBe(amount);
    expect([file.lineCount, file.leftOutCount]).toEqual([1, 1]);
  });

  it.each<[string, Partial<ReturnType<typeof chosen>[number]>, number, string]>([
    ['another amount', { amount: '1.00' }, 409, 'SELECTION_CHANGED'],
    ['a route below its floor', { route: 'RTGS' }, 400, 'INVALID_REQUEST'],
    ['an internal transfer to another bank', { route: 'internal' }, 400, 'INVALID_REQUEST'],
    ['an owner who is not in the payment', { ownerId: randomUUID() }, 409, 'SELECTION_CHANGED'],
  ])('with %s changes nothing', async (_, over, status, code) => {
    const { batchId } = await pay([await owner()]);
    const [line] = chosen((await check([batchId])).lines);
    if (!line) throw new Error('The payment has a line');
    const before = (await api.call(bankFiles.list, {}, as())).body.pagination.totalCount;
    const answer = await make([batchId], [{ ...line, ...over }]);
    expect([answer.status, answer.error.code]).toEqual([status, code]);
    expect((await api.call(bankFiles.list, {}, as())).body.pagination.totalCount).toBe(before);
    expect((await check([batchId])).lines[0]?.sent).toBeNull();
  });

  it('is refused above the limit of its account', async () => {
    const account = (await createBankAccount(api, tenant, { fileLimit: '10' })).id;
    const { batchId } = await pay([await owner()]);
    const answer = await make([batchId], chosen((await check([batchId], account)).lines), { bankAccountId: account });
    expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.error.message).toContain('limited to ₹10.00');
  });

  it('made again with its key is the same file', async () => {
    const { batchId } = await pay([await owner()]);
    const lines = chosen((await check([batchId])).lines);
    const key = randomUUID();
    const first = await make([batchId], lines, { key });
    const again = await make([batchId], lines, { key });
    expect(again.body.data).toEqual(first.body.data);
  });

  it('is nobody else’s', async () => {
    const { batchId } = await pay([await owner()]);
    const file = await makeAll([batchId]);
    const other = await api.addTenant();
    expect((await content(file.id, other.token)).status).toBe(404);
    const foreign = await createBankAccount(api, other);
    const answer = await make([batchId], chosen((await check([batchId])).lines), { bankAccountId: foreign.id });
    expect(answer.error.code).toBe('INVALID_REFERENCE');
  });
});

describe('a line', () => {
  it('goes to the bank once: of two files at once one is made', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { batchId } = await pay([await owner(), await owner()]);
      const lines = chosen((await check([batchId])).lines);
      const answers = await Promise.all([make([batchId], lines), make([batchId], lines.slice(0, 1))]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const lost = answers.find(({ status }) => status === 409);
      expect(lost?.error.code).toBe('LINE_AT_BANK');
      expect(lost?.error.message).toMatch(/(1 line is|2 lines are) in bank file BF-\d{4}-\d{6} already\./);
    }
  });

  it('may go again after the file was withdrawn, under another reference', async () => {
    const { batchId, number } = await pay([await owner()]);
    const file = await makeAll([batchId]);
    expect((await withdraw(file.id)).body.data).toMatchObject({ inFileCount: 0, failedCount: 1 });
    expect((await withdraw(file.id)).error.code).toBe('SELECTION_CHANGED');
    const again = await makeAll([batchId]);
    expect((await linesOf(again.id))[0]?.reference).toBe(`${number.replaceAll('-', '').slice(3)}-02`);
    expect((await linesOf(file.id))[0]).toMatchObject({ state: 'failed', reason: 'File withdrawn: Not uploaded' });
  });

  it('that the bank executed is not withdrawn', async () => {
    const { batchId } = await pay([await owner(), await owner()]);
    const file = await makeAll([batchId]);
    await answerLine(file.id, 1, 'executed');
    expect((await withdraw(file.id)).body.data).toMatchObject({ executedCount: 1, failedCount: 1, inFileCount: 0 });
  });
});

describe('a payment with a line at the bank', () => {
  const unmark = (id: string) =>
    api.call(contract.challans.update, { params: { id }, body: { paymentStatus: false } }, as());

  it('is not reversed, nor one challan of it unmarked, without a word about the line', async () => {
    const { batchId, challans } = await pay([await owner()]);
    const file = await makeAll([batchId]);
    const answers = [await reverse(batchId), await unmark(challans[0]?.id ?? '')];
    for (const { status, error } of answers) {
      expect([status, error.code]).toEqual([409, 'LINE_AT_BANK']);
      expect(error.message).toContain(`is in bank file ${file.number}`);
    }
    await api.inTenant(tenant, assertLedger);
    expect((await linesOf(file.id))[0]?.state).toBe('in-file');

    expect((await reverse(batchId, 'failed')).status).toBe(200);
    expect((await linesOf(file.id))[0]).toMatchObject({ state: 'failed', reason: 'Payment reversed: Wrong account' });
  });

  it('says how many lines are in the file, and names one of them', async () => {
    for (const count of [1, 3]) {
      const owners = [];
      for (let made = 0; made < count; made += 1) owners.push(await owner());
      const { batchId } = await pay(owners);
      const file = await makeAll([batchId]);
      const { error } = await reverse(batchId);
      expect(error.message).toMatch(
        new RegExp(
          `^The line of .+${count === 1 ? '(?<!more\\))' : ` \\(and ${count - 1} more\\)`} is in bank file ${file.number}\\.`,
        ),
      );
      expect(error.data).toEqual({ fileNumber: file.number, lineCount: count, state: 'in-file' });
    }
  });

  it('that was executed is not reversed until its return is recorded', async () => {
    const { batchId } = await pay([await owner()]);
    const file = await makeAll([batchId]);
    await answerLine(file.id, 1, 'executed');
    const refused = await reverse(batchId, 'failed');
    expect([refused.status, refused.error.code]).toEqual([409, 'LINE_AT_BANK']);
    expect(refused.error.message).toContain('The bank has executed');
    await answerLine(file.id, 1, 'returned');
    expect((await reverse(batchId)).status).toBe(200);
  });

  it('is reversed or sent, never both, when the two are asked for at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { batchId } = await pay([await owner()]);
      const lines = chosen((await check([batchId])).lines);
      const [made, reversed] = await Promise.all([make([batchId], lines), reverse(batchId)]);
      expect([made.status === 201, reversed.status === 200]).toContain(true);
      expect(made.status === 201 && reversed.status === 200).toBe(false);
      const left = (await check([batchId])).lines;
      expect(left.length).toBe(made.status === 201 ? 1 : 0);
    }
    await api.inTenant(tenant, assertLedger);
  });

  it('still lets challans of owners without a line be unmarked', async () => {
    const sent = await owner();
    const { batchId, challans } = await pay([sent, await owner()], 1);
    const lines = (await check([batchId])).lines.filter(({ ownerId }) => ownerId === sent);
    await make([batchId], chosen(lines));
    const statuses = [];
    for (const { id } of challans) statuses.push((await unmark(id)).status);
    expect(statuses.toSorted()).toEqual([200, 409]);
  });
});

describe('a layout of the business', () => {
  it('is kept, changed, refused twice by name and while an account uses it', async () => {
    const made = await api.call(bankLayouts.create, { body: buildBankLayout('Our layout') }, as());
    const { id, version } = made.body.data;
    const twin = await api.call(bankLayouts.create, { body: buildBankLayout('our LAYOUT') }, as());
    expect([twin.status, twin.error.code]).toEqual([409, 'LAYOUT_EXISTS']);
    const changed = { ...buildBankLayout('Our layout 2'), version };
    expect((await api.call(bankLayouts.update, { params: { id }, body: changed }, as())).body.data.version).toBe(2);
    const stale = await api.call(bankLayouts.update, { params: { id }, body: changed }, as());
    expect(stale.error.code).toBe('VERSION_CONFLICT');
    const account = await createBankAccount(api, tenant, { layout: id });
    expect((await api.call(bankLayouts.remove, { params: { id } }, as())).error.code).toBe('LAYOUT_IN_USE');
    await api.call(bankAccounts.update, { params: { id: account.id }, body: { layout: 'A' } }, as());
    expect((await api.call(bankLayouts.remove, { params: { id } }, as())).status).toBe(200);
    expect(
      (await api.call(bankAccounts.update, { params: { id: account.id }, body: { layout: id } }, as())).error.code,
    ).toBe('INVALID_REFERENCE');
  });
});

describe('random histories', () => {
  it('never lose a rupee between files, what is left out, and what is still paid', { timeout: 120_000 }, async () => {
    const random = randomOf(testSeed('bank files'));
    const owners = [await owner(), await owner(), await owner({ accountNo: '12' })];
    const batches: string[] = [];
    const files: { id: string; lines: number }[] = [];
    for (let step = 0; step < 40; step += 1) {
      const what = random.below(100) / 100;
      if (what < 0.35 || batches.length === 0) {
        const few = owners.filter(() => random.chance(0.7));
        const isNegative = random.chance(0.2);
        batches.push((await pay(few.length > 0 ? few : owners, 1, isNegative ? { advance: '99999' } : {})).batchId);
      } else if (what < 0.65) {
        const batchId = random.pick(batches);
        const { lines } = await check([batchId]);
        const some = chosen(lines).filter(() => random.chance(0.7));
        if (some.length > 0) {
          const made = await make([batchId], some);
          if (made.status === 201) files.push({ id: made.body.data.id, lines: made.body.data.lineCount });
        }
      } else if (what < 0.8 && files.length > 0) {
        const file = random.pick(files);
        const lineNo = 1 + random.below(file.lines);
        const event = random.pick(['executed', 'failed', 'returned'] as const);
        const state = (await linesOf(file.id)).find((line) => line.lineNo === lineNo)?.state;
        // What the bank has sent back it does not execute afterwards: its payment may be reversed by then.
        const isBack = state === 'failed' || state === 'returned';
        if (event !== 'executed' || !isBack) await answerLine(file.id, lineNo, event);
      } else if (what < 0.9 && files.length > 0) {
        await withdraw(random.pick(files).id);
      } else {
        await reverse(random.pick(batches), random.chance(0.5) ? 'failed' : undefined);
      }
    }
    for (const { id } of files) {
      const { data } = (await api.call(bankFiles.get, { params: { id }, query: { limit: 100 } }, as())).body;
      expect(sum(data.lines.map(({ amount }) => amount))).toBe(data.amount);
    }
    // At most one line of an owner and payment is with the bank or executed; such a line's amount is still paid.
    for (const batchId of batches) {
      const { lines, amount } = await check([batchId]);
      const batch = await api.call(contract.paymentBatches.get, { params: { id: batchId } }, as());
      expect(subtract(batch.body.data.paidAmount, amount)).toBe('0.00');
      const live = await api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ owner_id: string; amount: string }>(
          `SELECT l.owner_id, l.amount FROM bank_file_lines l LEFT JOIN LATERAL (
             SELECT event FROM bank_line_events e WHERE e.subadmin_id = $1 AND e.file_id = l.file_id
               AND e.line_no = l.line_no ORDER BY event_no DESC LIMIT 1) AS e ON true
           WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND coalesce(e.event, 'in-file') IN ('in-file', 'executed')`,
          [db.tenantId, batchId],
        );
        return rows;
      });
      for (const { owner_id, amount: sent } of live) {
        expect(lines.find(({ ownerId }) => ownerId === owner_id)?.amount).toBe(sent);
      }
    }
    await api.inTenant(tenant, assertLedger);
  });
});
