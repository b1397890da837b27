import { dayOf, formatDate } from '../shared/calc/dates.ts';
import { lineReference } from '../shared/bank/lines.ts';
import { shippedLayouts } from '../shared/bank/shipped-layouts.ts';
import type { AnswerItem } from '../shared/contract/bank-answers.ts';
import {
  importStatement,
  proposeFromStatements,
  setAside,
} from '../server/features/bank/account-statements.service.ts';
import { acceptAnswers } from '../server/features/bank/bank-answers.service.ts';
import { checkBankFile, createBankFile } from '../server/features/bank/bank-files.service.ts';
import { createBankLayout } from '../server/features/bank/bank-layouts.service.ts';
import { bankAccountWrites } from '../server/features/master-data/records.service.ts';
import type { Office, Work } from './office-people.ts';

const limits = { fileLimit: '0.00', rtgsFloor: '200000.00', impsCeiling: '500000.00' };
const accounts = {
  current: {
    name: 'State Bank, Barbil',
    accountNo: '38840012765',
    ifsc: 'SBIN0002014',
    layout: 'B',
    clientCode: 'TARINI',
  },
  second: {
    name: 'HDFC, Keonjhar',
    accountNo: '50200061234577',
    ifsc: 'HDFC0002391',
    layout: 'A',
    clientCode: 'TARINI2',
  },
} as const;

type Answer = Pick<AnswerItem, 'outcome' | 'reason'>;
const executed: Answer = { outcome: 'executed', reason: '' };
/** What the bank answers to the lines of the file, in their order; the lines after these have no answer. */
const answers: readonly (readonly Answer[])[] = [
  [executed],
  [executed],
  [executed],
  [executed],
  [{ outcome: 'failed', reason: 'ACCOUNT CLOSED' }],
  [executed, { outcome: 'returned', reason: 'BENEFICIARY NAME DIFFERS' }],
];

/** Lines of the account's statement that are no payment to an owner. The last one is set aside. */
const others = [
  { narration: 'CHQ DEP TATA STEEL LTD JODA', out: '', in: '485000.00' },
  { narration: 'ATM WDL BARBIL', out: '10000.00', in: '' },
  { narration: 'SMS CHARGES QTR', out: '17.70', in: '' },
];

/** Sends a payment to the bank, records its answers, and brings in a statement of the account with lines that nobody has matched. */
export async function sendToBank(work: Work, office: Office, batchId: string, now: Date): Promise<void> {
  const { owner, accountant } = office;
  const [day, layoutId] = [dayOf(now), accounts.current.layout];
  const { id: bankAccountId } = await work((db) =>
    bankAccountWrites.create(db, owner, { ...accounts.current, ...limits }),
  );
  const second = await work((db) => bankAccountWrites.create(db, owner, { ...accounts.second, ...limits }));
  await work((db) => bankAccountWrites.update(db, accountant, second.id, { ifsc: 'HDFC0002319' }));
  const { definition } = shippedLayouts[layoutId];
  await work((db) => createBankLayout(db, { name: 'As the branch in Barbil wants it', definition }));

  const file = await work(async (db) => {
    const batchIds = [batchId];
    const { lines } = await checkBankFile(db, { batchIds, bankAccountId });
    const asked = lines.map(({ ownerId, amount, route }) => ({ batchId, ownerId, amount, route, isConfirmed: true }));
    const { id } = await createBankFile(db, accountant, {
      batchIds,
      bankAccountId,
      layoutId,
      valueOn: day,
      lines: asked,
    });
    return { id, lines };
  });
  const items = answers.flatMap((given, index) =>
    given.map((answer, nth) => ({
      ...answer,
      fileId: file.id,
      lineNo: index + 1,
      utr: answer.outcome === 'failed' ? '' : `SBIN${day.replaceAll('-', '').slice(2)}${index + 1}${nth}0417`,
      day,
      statementLineId: null,
    })),
  );
  const isReturn = ({ outcome }: Answer): boolean => outcome === 'returned';
  const answered = (fileName: string, its: typeof items) => ({ source: 'reverse file' as const, fileName, items: its });
  const firstFile = answered(
    'TARINI.R01',
    items.filter((item) => !isReturn(item)),
  );
  await work((db) => acceptAnswers(db, accountant, firstFile));
  await work((db) => acceptAnswers(db, accountant, answered('TARINI.R02', items.filter(isReturn))));

  // The next line is in the statement too, so that a match is proposed.
  const next = file.lines[answers.length];
  const reference = next && lineReference(next.paymentNumber, answers.length + 1, definition);
  const booked = next ? [{ narration: `NEFT DR ${reference} ${next.name}`, out: next.amount, in: '' }] : [];
  const rows = [
    ['Date', 'Narration', 'Chq./Ref.No.', 'Withdrawal Amt.', 'Deposit Amt.'],
    ...[...booked, ...others].map(({ narration, out, ...line }) => [formatDate(day), narration, '', out, line.in]),
  ];
  await work((db) => importStatement(db, accountant, { bankAccountId, fileName: 'statement.csv', rows }));
  await work(async (db) => {
    const { data } = await proposeFromStatements(db, bankAccountId);
    const charges = data.flatMap(({ statementLine: line }) =>
      line?.narration === others.at(-1)?.narration ? (line?.id ?? []) : [],
    );
    await setAside(db, accountant, charges, { isAside: true, note: 'Charges of the bank' });
  });
}
