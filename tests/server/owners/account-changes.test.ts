import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatDate } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildImport, buildOwner, createBankAccount, createOwner, createTag } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { idsOf, insertChallans, type TestChallan } from '../support/ledger.ts';
import { addPerson, seatPerson, type TestPerson } from '../support/people.ts';

/** Changed accounts of owners, until somebody else has confirmed them (docs/specification.md §28.7). */
const { preparedPayments, bankStatement, challans, owners } = contract;
let api: Api;
let business: Tenant;
let ravi: TestPerson;
let ownerId: string;
let tagId: string;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  business = await api.addTenant('Confirm banner');
  ({ id: ownerId } = await createOwner(api, business, { name: 'Bijay Mohanta' }));
  tagId = (await createTag(api, business)).id;
  ravi = await seatPerson(api, business, 'accountant');
});

const as = (token: string) => ({ token });
const change = (body: object, token = ravi.token) =>
  api.call(owners.update, { params: { id: ownerId }, body }, as(token));
const make = (count: number, of = ownerId): Promise<TestChallan[]> =>
  api.inTenant(business, (db) => insertChallans(db, { ownerId: of, tagId }, count));
const pay = (made: readonly TestChallan[], token = business.token) =>
  api.call(bankStatement.markPaid, { body: { challanIds: idsOf(made) } }, as(token));
const listed = async (token = business.token) =>
  (await api.call(preparedPayments.listAccounts, {}, as(token))).body.data;
const confirm = (lastFour: string, token = business.token, id = ownerId) =>
  api.call(preparedPayments.confirmAccount, { params: { id }, body: { lastFour, called: '9876543210' } }, as(token));
const newAccount = { accountNo: '999900001111' };
const refusal = (by: string) =>
  `The account of Bijay Mohanta was changed on ${formatDate(new Date())} by ${by} and is not confirmed. Confirm it under Owners first; a payment can be prepared meanwhile.`;

describe('a changed account', () => {
  it('is paid only after another has confirmed it, and a payment can be prepared meanwhile', async () => {
    const made = await make(2);
    expect((await change(newAccount)).body.data.accountNo).toBe(newAccount.accountNo);
    expect(await listed()).toMatchObject([
      { record: 'owner', name: 'Bijay Mohanta', changedBy: ravi.name, isBlocking: true },
    ]);
    const sentence = refusal(ravi.name);
    for (const { token } of [business, ravi]) expectRefusal(await pay(made, token), 403, 'FORBIDDEN', sentence);
    const review = { filters: {}, challanIds: idsOf(made) };
    const { data } = (await api.call(bankStatement.review, { body: review }, as(business.token))).body;
    expect(data.needsRelease).toBe(sentence);
    expect(data.changedAccounts).toMatchObject([{ id: ownerId, isBlocking: true, isOwn: false }]);
    const act = { pay: { challanIds: idsOf(made) } };
    const prepared = (await api.call(preparedPayments.prepare, { body: act }, as(ravi.token))).body.data;
    const release = () => api.call(preparedPayments.release, { params: { id: prepared.id } }, as(business.token));
    expectRefusal(await release(), 403, 'FORBIDDEN', sentence);
    expectRefusal(
      await confirm('1111', ravi.token),
      403,
      'FORBIDDEN',
      'You changed this account yourself. Somebody else confirms it.',
    );
    expectRefusal(await confirm('2222'), 400, 'VALIDATION_ERROR', 'These are not the last four digits of the account.');
    expect((await confirm('1111')).status).toBe(200);
    expectRefusal(await confirm('1111'), 404, 'NOT_FOUND');
    expect(await listed()).toEqual([]);
    expect((await release()).body.data.state).toBe('released');
    const history = (await api.call(contract.history.listOwner, { params: { id: ownerId } }, as(business.token))).body;
    expect(history.data[0]).toMatchObject({
      actor: business.email,
      action: 'Confirmed the account, called 9876543210',
    });
  });

  it.each([
    ['IFSC', { ifsc: 'HDFC0009999' }],
    ['name of the holder', { name: 'Bijay Kumar Mohanta' }],
  ])('is one by its %s too', async (_, body) => {
    await change(body);
    expect(await listed()).toHaveLength(1);
  });

  it('is none by another field, nor where nothing was entered before', async () => {
    await change({ branchName: 'Barbil' });
    expect(await listed()).toEqual([]);
    const { id } = await createOwner(api, business, { ifsc: '' });
    const first = { params: { id }, body: { ifsc: 'HDFC0009999' } };
    expect((await api.call(owners.update, first, as(ravi.token))).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it('stops every way to pay: the checkbox, a filter, a selection of the list', async () => {
    const made = await make(1);
    await change(newAccount);
    const ways = [
      api.call(challans.update, { params: { id: made[0]!.id }, body: { paymentStatus: true } }, as(business.token)),
      api.call(bankStatement.markMatchingPaid, { body: { filters: {}, paymentStatus: true } }, as(business.token)),
      api.call(
        challans.changeMany,
        { body: { selection: { by: 'ids', challanIds: idsOf(made) }, act: { kind: 'paid', value: true } } },
        as(business.token),
      ),
    ];
    for (const way of ways) expectRefusal(await way, 403, 'FORBIDDEN', refusal(ravi.name));
    // Other owners are paid as ever.
    const other = await createOwner(api, business);
    expect((await pay(await make(1, other.id))).status).toBe(200);
  });

  it('is one when an import changes it', async () => {
    const { contactNumber, panNo } = await createOwner(api, business, { name: 'Ram Das' });
    const table = buildImport('owners', [
      { ...buildOwner(), name: 'Ram Das', contactNumber, panNo, accountNo: '999900001111' },
    ]);
    const { fingerprint } = (await api.call(contract.imports.check, { body: table }, as(ravi.token))).body.data;
    const body = { ...table, choices: ['merge' as const], expected: { fingerprint } };
    const applied = await api.call(contract.imports.apply, { body }, as(ravi.token));
    expect(applied.status, applied.text).toBe(201);
    expect((await listed()).map(({ name }) => name)).toEqual(['Ram Das']);
  });

  it('gets nothing by the bank file of an earlier payment either, until it is confirmed', async () => {
    const { batchId } = (await pay(await make(1))).body.data;
    const bankAccountId = (await createBankAccount(api, business)).id;
    const changed = (await change(newAccount)).body.data;
    const asked = { batchIds: [batchId ?? ''], bankAccountId };
    const { lines } = (await api.call(contract.bankFiles.check, { body: asked }, as(business.token))).body.data;
    const { name, accountNo, ifsc } = changed;
    const send = (corrected?: { name: string; accountNo: string; ifsc: string }) => {
      const [{ ownerId: to, amount } = { ownerId: '', amount: '' }] = lines;
      const line = {
        batchId: batchId ?? '',
        ownerId: to,
        amount,
        route: 'NEFT' as const,
        ...(corrected && { corrected }),
      };
      const body = { ...asked, layoutId: 'B', valueOn: '2026-04-20', lines: [line] };
      return api.call(contract.bankFiles.create, { body }, { ...as(business.token), key: randomUUID() });
    };
    expectRefusal(await send({ name, accountNo, ifsc }), 403, 'FORBIDDEN', refusal(ravi.name));
    expect((await confirm('1111')).status).toBe(200);
    expect((await send({ name, accountNo, ifsc })).status).toBe(201);
  });

  it('stops the bank files of a paying account too, and not the payment', async () => {
    const paying = await createBankAccount(api, business);
    const update = (body: object) =>
      api.call(contract.bankAccounts.update, { params: { id: paying.id }, body }, as(ravi.token));
    expect((await update({ name: 'Salary account' })).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await update(newAccount)).body.data.accountNo).toBe(newAccount.accountNo);
    expect(await listed()).toMatchObject([{ record: 'bank-account', id: paying.id, name: 'Salary account' }]);
    const batchId = (await pay(await make(1))).body.data.batchId ?? '';
    const asked = { batchIds: [batchId], bankAccountId: paying.id };
    const { lines } = (await api.call(contract.bankFiles.check, { body: asked }, as(business.token))).body.data;
    const send = () => {
      const sent = lines.map(({ ownerId: to, amount }) => ({ batchId, ownerId: to, amount, route: 'NEFT' as const }));
      const body = { ...asked, layoutId: 'B', valueOn: '2026-04-20', lines: sent };
      return api.call(contract.bankFiles.create, { body }, { ...as(business.token), key: randomUUID() });
    };
    expectRefusal(
      await send(),
      403,
      'FORBIDDEN',
      `The account of Salary account was changed on ${formatDate(new Date())} by ${ravi.name} and is not confirmed. Confirm it under Bank Accounts first.`,
    );
    expectRefusal(await confirm('1111', ravi.token, paying.id), 403, 'FORBIDDEN');
    expect((await confirm('1111', business.token, paying.id)).status).toBe(200);
    expect((await send()).status).toBe(201);
    const found = { params: { id: paying.id } };
    const { data } = (await api.call(contract.history.listBankAccount, found, as(business.token))).body;
    expect(data[0]).toMatchObject({ actor: business.email, action: 'Confirmed the account, called 9876543210' });
  });

  it('is not confirmed by a second account of who changed it', async () => {
    await change(newAccount, business.token);
    const own = await addPerson(api, business, 'owner');
    expectRefusal(
      await confirm('1111', own.token),
      403,
      'FORBIDDEN',
      'One of you gave the other a link within the last 24 hours. Somebody else confirms it, or you do after that.',
    );
    expect((await confirm('1111', ravi.token)).status).toBe(200);
  });
});

describe('in a business of one person', () => {
  it('a changed account is said in the confirmation of a payment, which pays', async () => {
    business = await api.addTenant();
    ({ id: ownerId } = await createOwner(api, business, { name: 'Bijay Mohanta' }));
    tagId = (await createTag(api, business)).id;
    await change(newAccount, business.token);
    const made = await make(1);
    const review = { filters: {}, challanIds: idsOf(made) };
    const { data } = (await api.call(bankStatement.review, { body: review }, as(business.token))).body;
    expect(data).toMatchObject({
      needsRelease: null,
      changedAccounts: [{ id: ownerId, isBlocking: false, isOwn: true }],
    });
    expect((await pay(made)).status).toBe(200);
    // It stays so when somebody joins.
    await seatPerson(api, business, 'owner');
    expect((await pay(await make(1))).status).toBe(200);
  });

  it('an account that a clerk changed waits for the owner', async () => {
    business = await api.addTenant();
    ({ id: ownerId } = await createOwner(api, business, { name: 'Bijay Mohanta' }));
    tagId = (await createTag(api, business)).id;
    const clerk = await addPerson(api, business, 'clerk');
    await change(newAccount, clerk.token);
    expectRefusal(await pay(await make(1)), 403, 'FORBIDDEN', refusal(clerk.name));
  });
});
