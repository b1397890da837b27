import type { BankAccount } from '../../../src/shared/contract/bank-accounts.ts';
import { groupOfProposal } from '../../../src/shared/contract/proposal-group.ts';
import type {
  BankAnswer,
  BankLineAtBank,
  Proposal,
  ProposalCounts,
} from '../../../src/shared/contract/bank-answers.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { account } from './bank.ts';
import { idOf } from './builders.ts';
import { paged } from './kept.ts';
import { fakeServer, type Desk } from './records.ts';

/** What was sent to the bank and what it answered (docs/specification.md §25). */

export const buildBankLine = (n: number, over: Partial<BankLineAtBank> = {}): BankLineAtBank => ({
  id: idOf(n),
  fileId: idOf(300),
  fileNumber: 'BF-2627-000001',
  lineNo: n,
  batchId: idOf(200),
  paymentNumber: 'PAY-2627-000444',
  ownerId: idOf(900 + n),
  name: `Owner ${n}`,
  accountNo: `00001234500${n}`,
  accountName: 'Main account',
  amount: `${1000 + n}.00`,
  route: 'NEFT',
  reference: `PAY2627000444-0${n}`,
  state: 'in-file',
  utr: '',
  eventOn: null,
  reason: '',
  sentOn: '2026-11-18',
  days: 2,
  source: '',
  ...over,
});

export const buildBankAccount = (n = 1): BankAccount => ({
  ...account,
  id: idOf(400 + n),
  name: `Account ${n}`,
  accountNo: `00000000123${n}`,
  ifsc: 'SBIN0001234',
  layout: 'B',
  clientCode: '',
});

const narration = (n: number): string => `NEFT DR-${n}`;

const lineOf = (n: number) => ({
  id: idOf(n),
  day: '2026-11-19',
  narration: narration(n),
  reference: '',
  side: 'out' as const,
  amount: `${1000 + n}.00`,
  balance: null,
});

/** Line n of a statement; sure to be line n of the file unless `over` says otherwise. */
export const buildProposal = (n: number, over: Partial<Proposal> = {}): Proposal => ({
  statementLine: lineOf(n),
  row: null,
  outcome: 'executed',
  isSure: true,
  utr: `N0972620${n}`,
  day: '2026-11-19',
  amount: `${1000 + n}.00`,
  reason: '',
  candidates: [{ line: buildBankLine(n), why: 'Our reference and amount' }],
  answered: null,
  isOtherwise: false,
  note: '',
  ...over,
});
/** Two payments that it may be. */
export const buildChoice = (n: number): Proposal =>
  buildProposal(n, {
    isSure: false,
    candidates: [n, n + 1].map((line) => ({
      line: buildBankLine(line, { amount: `${1000 + n}.00` }),
      why: 'Same amount',
    })),
  });
export const buildOther = (n: number): Proposal => buildProposal(n, { isSure: false, candidates: [] });

export const buildAnswer = (n: number, over: Partial<BankAnswer> = {}): BankAnswer => ({
  id: idOf(n),
  number: `Answer 2627-00000${n}`,
  source: 'statement',
  fileName: '',
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'a@b.in',
  lineCount: 3,
  executedCount: 2,
  failedCount: 0,
  returnedCount: 1,
  knownCount: 0,
  undoneCount: 0,
  unpaidCount: 2,
  unpaidAmount: '2500.00',
  ...over,
});

function countsOf(proposals: readonly Proposal[]): ProposalCounts {
  const counts = { sure: 0, choices: 0, others: 0, answered: 0 };
  for (const one of proposals) counts[groupOfProposal(one)] += 1;
  return counts;
}

export type AnswerDesk = Desk & {
  bankAccounts: BankAccount[];
  /** Open lines of the statement, or what a preview answers. */
  proposals: Proposal[];
  aside: { id: string; note: string }[];
};

/** The server with these lines. What is accepted or set aside is no longer open. */
export function answerDesk(proposals: Proposal[], bankAccounts: BankAccount[] = [buildBankAccount()]): AnswerDesk {
  const aside: AnswerDesk['aside'] = [];
  const desk: AnswerDesk = Object.assign(fakeServer(), { bankAccounts, proposals, aside });
  const { serve } = desk;
  const calls = contract.bankAnswers;
  const close = (ids: readonly (string | null)[]): void => {
    desk.proposals = desk.proposals.filter(({ statementLine }) => !ids.includes(statementLine?.id ?? ''));
  };
  const list = () => ({ data: desk.proposals, counts: countsOf(desk.proposals) });
  serve(contract.bankAccounts.list, ({ query }) => paged(desk.bankAccounts, query));
  serve(calls.proposals, list);
  serve(calls.preview, list);
  serve(calls.importStatement, () => ({ data: { lineCount: 2, newCount: 2, badCount: 0 } }));
  serve(calls.setAside, ({ body: { ids, note } }) => {
    close(ids);
    desk.aside.push(...ids.map((id) => ({ id, note })));
    return { data: { count: ids.length } };
  });
  serve(calls.takeBack, ({ body: { ids } }) => {
    desk.aside = desk.aside.filter(({ id }) => !ids.includes(id));
    return { data: { count: ids.length } };
  });
  serve(calls.listStatementLines, ({ query }) =>
    paged(
      desk.aside.map(({ id, note }) => ({
        ...lineOf(Number(id.slice(-6))),
        id,
        note,
        setAsideAt: '2026-11-20T10:00:00.000Z',
        setAsideBy: 'a@b.in',
      })),
      query,
    ),
  );
  serve(calls.accept, ({ body: { items } }) => {
    close(items.map(({ statementLineId }) => statementLineId));
    return { data: buildAnswer(1, { lineCount: items.length, unpaidCount: 0, unpaidAmount: '0.00' }) };
  });
  return desk;
}
