import { expect } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { AnswerItem, BankLineAtBank, Proposal } from '../../../src/shared/contract/bank-answers.ts';
import { createBankAccount, createOwner } from './builders.ts';
import { idsOf, totalOf, type TestChallan } from './ledger.ts';
import { openPaymentDesk } from './payment-desk.ts';

type NewItem = Partial<AnswerItem> & Pick<AnswerItem, 'fileId' | 'lineNo' | 'outcome'>;

/** A business that pays its owners by bank files, and hears from its bank. */
export async function openBankDesk() {
  const desk = await openPaymentDesk();
  const { api, tenant } = desk;
  const account = await createBankAccount(api, tenant, { name: 'Current account' });
  const as = (key?: string) => ({ token: tenant.token, ...(key ? { key } : {}) });
  const { bankAnswers, bankFiles } = contract;

  async function linesOf(fileId: string): Promise<BankLineAtBank[]> {
    const { body } = await api.call(
      bankAnswers.listLines,
      { query: { state: 'all', limit: 100, sortBy: 'reference' } },
      as(),
    );
    return body.data.filter((line) => line.fileId === fileId).sort((a, b) => a.lineNo - b.lineNo);
  }

  /** Everything that these payments still pay, in one file. */
  async function send(batchIds: string[]): Promise<BankLineAtBank[]> {
    const asked = { batchIds, bankAccountId: account.id };
    const { lines } = (await api.call(bankFiles.check, { body: asked }, as())).body.data;
    const body = {
      ...asked,
      layoutId: 'B',
      valueOn: '2026-04-20',
      lines: lines.map(({ batchId, ownerId, amount }) => ({
        batchId,
        ownerId,
        amount,
        route: 'NEFT' as const,
        isConfirmed: true,
      })),
    };
    const made = await api.call(bankFiles.create, { body }, as());
    expect(made.status, made.text).toBe(201);
    return linesOf(made.body.data.id);
  }

  /** Challans of owners of their own, paid together and sent: one line each, in the order of the owners' names. */
  async function sent(
    owners: number,
    challansEach = 2,
  ): Promise<{ challans: TestChallan[][]; lines: BankLineAtBank[] }> {
    const challans: TestChallan[][] = [];
    for (let at = 0; at < owners; at += 1) {
      const owner = await createOwner(api, tenant, { name: `Payee ${String.fromCharCode(65 + at)}` });
      challans.push(await desk.make(challansEach, { ownerId: owner.id }));
    }
    const paid = await desk.pay(idsOf(challans.flat()));
    const lines = await send([paid.body.data.batchId ?? '']);
    expect(lines.map(({ amount }) => amount)).toEqual(challans.map(totalOf));
    return { challans, lines };
  }

  const itemOf = (item: NewItem): AnswerItem => ({
    utr: item.outcome === 'executed' ? 'N097262000000001' : '',
    day: '2026-04-21',
    reason: item.outcome === 'executed' ? '' : 'ACCOUNT CLOSED',
    statementLineId: null,
    ...item,
  });

  return {
    ...desk,
    account,
    as,
    linesOf,
    send,
    sent,
    accept: (
      items: NewItem[],
      { source = 'reverse file' as AnswerSourceName, key = undefined as string | undefined } = {},
    ) => api.call(bankAnswers.accept, { body: { source, fileName: 'answer.r01', items: items.map(itemOf) } }, as(key)),
    undo: (id: string) => api.call(bankAnswers.undo, { params: { id } }, as()),
    bringIn: (rows: string[][], fileName = 'april.csv') =>
      api.call(bankAnswers.importStatement, { body: { bankAccountId: account.id, fileName, rows } }, as()),
    proposals: async (): Promise<Proposal[]> =>
      (await api.call(bankAnswers.proposals, { query: { bankAccountId: account.id } }, as())).body.data,
  };
}
type AnswerSourceName = 'reverse file' | 'paste' | 'statement';
export type BankDesk = Awaited<ReturnType<typeof openBankDesk>>;

export const statementOf = (lines: { narration: string; out?: string; in?: string; day?: string }[]): string[][] => [
  ['ANY BANK Ltd.'],
  ['Date', 'Narration', 'Chq./Ref.No.', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance'],
  ...lines.map(({ narration, day = '22/11/26', ...amounts }, at) => [
    day,
    narration,
    '',
    amounts.out ?? '',
    amounts.in ?? '',
    `${1_000_000 - at}.00`,
  ]),
  ['*** End of statement ***'],
];
