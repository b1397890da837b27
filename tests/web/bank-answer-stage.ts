import type { BankAccount } from '../../src/shared/contract/bank-accounts.ts';
import type { BankAnswer, BankLineAtBank, Proposal } from '../../src/shared/contract/bank-answers.ts';
import type { AnswerOf } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { idOf, json, makeStage, onePage, toasts, type Stage } from './challan-list-stage.tsx';

/** What was sent to the bank, what it answered, and a pretend server for both (docs/specification.md §25). */

let watcher: MutationObserver | undefined;
/** What toasts have said from now on: kept here when they have gone. */
export function keepToasts(): () => string[] {
  const said = new Set<string>();
  watcher?.disconnect();
  watcher = new MutationObserver(() => {
    for (const text of toasts()) said.add(text);
  });
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
  return () => [...said];
}

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

export const buildAccount = (n = 1): BankAccount => ({
  id: idOf(400 + n),
  name: `Account ${n}`,
  accountNo: `00000000123${n}`,
  ifsc: 'SBIN0001234',
  layout: 'B',
  clientCode: '',
  fileLimit: '0.00',
  rtgsFloor: '200000.00',
  impsCeiling: '500000.00',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  version: 1,
});

const narration = (n: number): string => `NEFT DR-${n}`;

/** Line n of a statement; sure to be line n of the file unless `over` says otherwise. */
export const buildProposal = (n: number, over: Partial<Proposal> = {}): Proposal => ({
  statementLine: {
    id: idOf(n),
    day: '2026-11-19',
    narration: narration(n),
    reference: '',
    side: 'out',
    amount: `${1000 + n}.00`,
    balance: null,
  },
  row: null,
  outcome: 'executed',
  isSure: true,
  utr: `N0972620${n}`,
  day: '2026-11-19',
  reason: '',
  candidates: [{ line: buildBankLine(n), why: 'Our reference and amount' }],
  answered: null,
  note: '',
  ...over,
});
/** Two payments that it may be. */
export const buildChoice = (n: number): Proposal =>
  buildProposal(n, {
    isSure: false,
    candidates: [n, n + 1].map((line) => ({ line: buildBankLine(line), why: 'Same amount' })),
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

export const paths = {
  accounts: /^\/bank-accounts$/,
  proposals: /^\/bank-answers\/proposals$/,
  preview: /^\/bank-answers\/preview$/,
  statements: /^\/bank-answers\/statements$/,
  aside: /^\/bank-answers\/statement-lines$/,
  setAside: /^\/bank-answers\/statement-lines\/set-aside$/,
  takeBack: /^\/bank-answers\/statement-lines\/take-back$/,
  answers: /^\/bank-answers$/,
  undo: /^\/bank-answers\/[^/]+\/undo$/,
};

const countsOf = (proposals: readonly Proposal[]) => ({
  sure: proposals.filter(({ isSure }) => isSure).length,
  choices: proposals.filter(({ isSure, candidates }) => !isSure && candidates.length > 0).length,
  others: proposals.filter(({ candidates, row, answered }) => candidates.length === 0 && !(row && answered)).length,
  answered: proposals.filter(({ row, answered }) => row && answered).length,
});

export interface AnswerStage extends Stage {
  accounts: BankAccount[];
  /** Open lines of the statement, or what a preview answers. */
  proposals: Proposal[];
  aside: { id: string; note: string }[];
}

/** What is accepted or set aside is no longer open; every body is checked against the contract. */
export function answerStage(proposals: Proposal[], accounts: BankAccount[] = [buildAccount()]): AnswerStage {
  const stage: AnswerStage = Object.assign(makeStage([]), { accounts, proposals, aside: [] });
  const calls = contract.bankAnswers;
  const close = (ids: readonly (string | null)[]): void => {
    stage.proposals = stage.proposals.filter(({ statementLine }) => !ids.includes(statementLine?.id ?? ''));
  };
  const list = (): Response => {
    const answer: AnswerOf<typeof calls.proposals> = { data: stage.proposals, counts: countsOf(stage.proposals) };
    return json({ success: true, ...answer });
  };
  stage.serve(paths.accounts, () =>
    json({ success: true, data: stage.accounts, pagination: onePage(stage.accounts.length) }),
  );
  stage.serve(paths.proposals, ({ query }) => {
    calls.proposals.query.parse(query);
    return list();
  });
  stage.serve(paths.preview, ({ body }) => {
    calls.preview.body.parse(body);
    return list();
  });
  stage.serve(paths.statements, ({ body }) => {
    calls.importStatement.body.parse(body);
    return json({ success: true, data: { lineCount: 2, newCount: 2, badCount: 0 } });
  });
  stage.serve(paths.setAside, ({ body }) => {
    const { ids, note } = calls.setAside.body.parse(body);
    close(ids);
    stage.aside.push(...ids.map((id) => ({ id, note })));
    return json({ success: true, data: { count: ids.length } });
  });
  stage.serve(paths.takeBack, ({ body }) => {
    const { ids } = calls.takeBack.body.parse(body);
    stage.aside = stage.aside.filter(({ id }) => !ids.includes(id));
    return json({ success: true, data: { count: ids.length } });
  });
  stage.serve(paths.aside, () => {
    const data = stage.aside.map(({ id, note }) => ({
      ...buildProposal(Number(id.slice(-6))).statementLine,
      id,
      note,
      setAsideAt: '2026-11-20T10:00:00.000Z',
      setAsideBy: 'a@b.in',
    }));
    return json({ success: true, data, pagination: onePage(data.length) });
  });
  stage.serve(paths.answers, ({ body }) => {
    const { items } = calls.accept.body.parse(body);
    close(items.map(({ statementLineId }) => statementLineId));
    const lineCount = items.length;
    return json({ success: true, data: buildAnswer(1, { lineCount, unpaidCount: 0, unpaidAmount: '0.00' }) }, 201);
  });
  return stage;
}
