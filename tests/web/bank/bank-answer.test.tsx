import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AnswerItem, AnswerSource, Proposal } from '../../../src/shared/contract/bank-answers.ts';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import {
  type AnswerDesk,
  answerDesk,
  buildAnswer,
  buildBankAccount,
  buildBankLine,
  buildChoice,
  buildOther,
  buildProposal,
} from '../support/bank-answers.ts';
import { idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { drop, fileOf } from '../support/hsd.ts';
import {
  cellText,
  closeApp,
  openApp,
  openAs,
  page,
  hearing,
  press,
  rowOf,
  searchNow,
  shownRows,
  userEvent,
} from '../support/screen.tsx';
import { give, readAnswer, saveAgain, sheetOf } from '../support/sheets.ts';

/** Bank Answer (docs/specification.md §25.2 to §25.5). */

let heard: readonly string[];
const said = () => heard;
beforeEach(() => {
  heard = hearing();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const address = '/accounting/bank/answer';
const gridThere = 'section[aria-label="The bank’s answer"]';
const answeredElsewhere =
  'PAY2627000444-01 was answered meanwhile: executed on 19/11/2026. Nothing was accepted. Look at the list again.';
const refuse = () => refusal('LINE_ANSWERED', answeredElsewhere);

const made = (lineCount: number, source: AnswerSource = 'statement') => ({
  data: buildAnswer(1, { source, lineCount, unpaidCount: 0, unpaidAmount: '0.00' }),
});

const question = () => page.getByRole('alertdialog');
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const counted = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible();
const confirmIt = () => press('{Control>}{Enter}{/Control}');
interface Sent {
  source: string;
  fileName: string;
  items: AnswerItem[];
}
const accepted = (stage: AnswerDesk): Sent[] =>
  stage.calls(contract.bankAnswers.accept).map(({ body }) => body as Sent);
/** The lines of the bank file that each act accepted. */
const acceptedLines = (stage: AnswerDesk): number[][] =>
  accepted(stage).map(({ items }) => items.map(({ lineNo }) => lineNo));
const noteBodies = (stage: AnswerDesk) => stage.writes(contract.bankAnswers.setAside);

/** Both before anything that the first has begun is drawn. */
function pressTwice(): void {
  for (let times = 0; times < 2; times += 1) {
    const shape = { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', shape));
  }
}

const sayAll = (name: string) => userEvent.click(page.getByRole('button', { name }));

async function goTo(n: number): Promise<void> {
  const cell = await vi.waitUntil(() => rowOf(n)?.querySelector('[col-id="text"]'), { timeout: 20_000 });
  await userEvent.click(cell);
  await vi.waitFor(() => expect(document.activeElement?.closest('.ag-row')?.getAttribute('row-id')).toBe(idOf(n)));
}
async function select(n: number): Promise<void> {
  await goTo(n);
  await press(' ');
  await vi.waitFor(() => expect(rowOf(n)?.getAttribute('aria-selected')).toBe('true'));
}
function pasteText(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}
const mixed = (): Proposal[] => [buildProposal(1), buildProposal(2), buildChoice(3), buildOther(5)];

test('the statement of the only account: how sure each line is, what it may be, and how many of each', async () => {
  const stage = answerDesk(mixed());
  await openApp(address);
  expect(stage.asks(contract.bankAnswers.proposals)).toEqual([{ bankAccountId: idOf(401) }]);
  expect(shownRows()).toEqual(['1', '2', '3', '5']);
  expect([1, 3, 5].map((n) => cellText(n, 'sure'))).toEqual(['Sure', 'Choose of 2', 'Unmatched']);
  expect(cellText(1, 'outcome')).toBe('Executed');
  expect(cellText(1, 'amount')).toBe('₹1,001.00');
  await counted('2 sure · 1 to choose · 1 unmatched');
  await choose(page.getByRole('combobox', { name: 'Show' }), 'To choose: 1');
  await expect.poll(shownRows).toEqual(['3']);
  await choose(page.getByRole('combobox', { name: 'Show' }), 'Sure: 2');
  await expect.poll(shownRows).toEqual(['1', '2']);
});

test('of several accounts one is chosen, and is in the address', async () => {
  const stage = answerDesk(mixed(), [buildBankAccount(1), buildBankAccount(2)]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Choose an account, or bring in the bank’s answer.')).toBeVisible();
  expect(stage.calls(contract.bankAnswers.proposals)).toEqual([]);
  await choose(page.getByRole('combobox', { name: 'Account' }), 'Account 2 …1232');
  await expect.poll(searchNow).toEqual({ account: idOf(402) });
  await expect.poll(shownRows).toEqual(['1', '2', '3', '5']);
  expect(stage.asks(contract.bankAnswers.proposals)).toEqual([{ bankAccountId: idOf(402) }]);
});

test('without an account it says where one is added; with nothing open, that everything is done', async () => {
  answerDesk([], []);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Add the account you pay from first: Bank Accounts.')).toBeVisible();
  await userEvent.click(page.getByRole('main').getByRole('link', { name: 'Bank Accounts' }));
  await expect.element(page.getByRole('heading', { name: 'Bank Accounts', exact: true })).toBeVisible();
  await userEvent.click(page.getByRole('main').getByRole('link', { name: 'Bank Answer' }));
  await expect.element(page.getByText('Add the account you pay from first: Bank Accounts.')).toBeVisible();
  await closeApp();
  answerDesk([]);
  await openApp(address, gridThere);
  await expect
    .element(page.getByText('Every line of the statements is accepted or set aside. Bring in the next statement.'))
    .toBeVisible();
  await confirmIt();
  await expect.poll(said).toContain('No row is sure. Press Enter on a row to choose its payment.');
  await expect.element(question()).not.toBeInTheDocument();
});

test('while it is loading it shows no empty words; a failure says why, and Retry loads it', async () => {
  const stage = answerDesk([buildProposal(1)]);
  const answer = stage.hold(contract.bankAnswers.proposals, () => refusal('INTERNAL_ERROR', ''));
  await openApp(address, gridThere);
  await vi.waitFor(() => expect(stage.calls(contract.bankAnswers.proposals)).toHaveLength(1));
  await expect.element(page.getByText('Nothing to accept')).not.toBeInTheDocument();
  answer();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch the statement’s lines');
  await expect.element(page.getByText('Nothing to accept')).not.toBeInTheDocument();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(shownRows).toEqual(['1']);
});

test('accounts that cannot be loaded say so, and Retry loads them and their lines', async () => {
  const stage = answerDesk([buildProposal(1)]);
  stage.once(contract.bankAccounts.list, () => refusal('INTERNAL_ERROR', ''));
  await openApp(address, '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch the bank accounts');
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(shownRows).toEqual(['1']);
});

test('Ctrl+Enter accepts all that are sure after a question; pressed twice it sends once', async () => {
  const stage = answerDesk(mixed());
  await openApp(address);
  await counted('2 sure · 1 to choose · 1 unmatched');
  const rest = stage.proposals.slice(2);
  const answer = stage.hold(contract.bankAnswers.accept, () => {
    stage.proposals = rest;
    return made(2);
  });
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 2 answers?');
  await expect.element(question()).toHaveTextContent('2 executed (₹2,003.00).');
  expect(accepted(stage)).toEqual([]);
  await confirmIt();
  await vi.waitFor(() => expect(accepted(stage)).toHaveLength(1));
  await confirmIt();
  answer();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.poll(shownRows).toEqual(['3', '5']);
  await counted('0 sure · 1 to choose · 1 unmatched · 2 answered');
  await choose(page.getByRole('combobox', { name: 'Show' }), 'Answered: 2');
  await expect.poll(shownRows).toEqual(['1', '2']);
  expect([1, 2].map((n) => cellText(n, 'sure'))).toEqual(['Accepted: executed', 'Accepted: executed']);
  expect([cellText(1, 'why'), cellText(1, 'name')]).toEqual(['Accepted in Answer 2627-000001', 'Owner 1']);
  expect(accepted(stage)).toEqual([
    {
      source: 'statement',
      fileName: '',
      items: [1, 2].map((n) => ({
        fileId: idOf(300),
        lineNo: n,
        outcome: 'executed',
        utr: `N0972620${n}`,
        day: '2026-11-19',
        reason: '',
        statementLineId: idOf(n),
      })),
    },
  ]);
});

test('of selected rows only the sure ones are accepted; where none is sure it says how to go on', async () => {
  const stage = answerDesk(mixed());
  await openApp(address);
  await select(3);
  await confirmIt();
  await expect.poll(said).toContain('None of the selected rows is sure. Press Enter on a row to choose its payment.');
  await select(2);
  await expect.element(page.getByRole('button', { name: /^Accept 1 sure/ })).toBeVisible();
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 1 answer?');
  await confirmIt();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.poll(shownRows).toEqual(['1', '3', '5']);
  expect(acceptedLines(stage)).toEqual([[2]]);
});

test('what somebody else has answered is refused in the question; the other choices are kept and accepted', async () => {
  const stage = answerDesk([1, 2, 3, 4].map((n) => buildProposal(n)));
  await openApp(address);
  for (const n of [1, 2, 3]) await select(n);
  stage.once(contract.bankAnswers.accept, () => {
    stage.proposals = stage.proposals.slice(1);
    return refuse();
  });
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 3 answers?');
  await confirmIt();
  await expect.element(question().getByRole('alert')).toHaveTextContent(answeredElsewhere);
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  // The list as it is now, and of the three chosen the two that are still open.
  await expect.poll(shownRows).toEqual(['2', '3', '4']);
  for (const n of [2, 3]) expect(rowOf(n)?.getAttribute('aria-selected')).toBe('true');
  await expect.element(page.getByRole('button', { name: /^Accept 2 sure/ })).toBeVisible();
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 2 answers?');
  await confirmIt();
  await expect.poll(shownRows).toEqual(['4']);
  expect(acceptedLines(stage)).toEqual([
    [1, 2, 3],
    [2, 3],
  ]);
});

test('Enter on an unsure line: the payment is chosen by the person, and its key sends once', async () => {
  const stage = answerDesk([buildProposal(1), buildChoice(3)]);
  await openApp(address);
  await goTo(3);
  await press('{Enter}');
  const which = dialog('Which payment is it?');
  await expect.element(which.getByRole('radio', { name: 'Owner 3, ₹1,003.00' })).not.toBeChecked();
  // Nothing is chosen yet: the key does nothing.
  await confirmIt();
  await expect
    .element(which.getByRole('button', { name: /^Accept as executed/ }))
    .toHaveAttribute('aria-disabled', 'true');
  expect(accepted(stage)).toEqual([]);
  await userEvent.click(which.getByRole('radio', { name: 'Owner 4, ₹1,003.00' }));
  await expect.element(which.getByRole('radio', { name: 'Owner 4, ₹1,003.00' })).toBeChecked();
  const answer = stage.hold(contract.bankAnswers.accept, () => {
    stage.proposals = stage.proposals.slice(0, 1);
    return made(1);
  });
  pressTwice();
  await vi.waitFor(() => expect(accepted(stage)).not.toHaveLength(0));
  answer();
  await expect.element(which).not.toBeInTheDocument();
  await expect.poll(shownRows).toEqual(['1']);
  expect(acceptedLines(stage)).toEqual([[4]]);
  expect(accepted(stage)[0]?.items[0]?.statementLineId).toBe(idOf(3));
});

test('a payment of another amount than the statement’s line is not accepted for it, and the button says why', async () => {
  const stage = answerDesk([
    buildProposal(1, {
      isSure: false,
      candidates: [{ line: buildBankLine(1, { amount: '1001.01' }), why: 'Our reference, but another amount' }],
    }),
  ]);
  await openApp(address);
  await goTo(1);
  await press('{Enter}');
  await expect.element(dialog('Which payment is it?')).toBeVisible();
  await confirmIt();
  await expect.poll(said).toContain('The statement’s line is over ₹1,001.00, the payment over ₹1,001.01');
  expect(accepted(stage)).toEqual([]);
});

test('an auditor chooses no payment and opens no line again: the buttons say why', async () => {
  const stage = answerDesk([buildChoice(3)]);
  stage.aside.push({ id: idOf(5), note: 'Rent' });
  await openAs('auditor', address);
  await goTo(3);
  await press('{Enter}');
  const which = dialog('Which payment is it?');
  await userEvent.click(which.getByRole('radio', { name: 'Owner 3, ₹1,003.00' }));
  await confirmIt();
  await expect.poll(said).toContain('Only an owner or an accountant may do this. Ask one of them.');
  await press('{Escape}');
  await press('l');
  await expect
    .element(dialog('Lines set aside').getByRole('button', { name: 'Open again' }))
    .toHaveAttribute('aria-disabled', 'true');
  expect(stage.writes()).toEqual([]);
});

test('an unsure line that is refused keeps its dialog and what was chosen in it', async () => {
  const stage = answerDesk([buildChoice(3)]);
  await openApp(address);
  await goTo(3);
  await press('{Enter}');
  const which = dialog('Which payment is it?');
  const other = which.getByRole('radio', { name: 'Owner 4, ₹1,003.00' });
  await userEvent.click(which.getByRole('radio', { name: 'Owner 3, ₹1,003.00' }));
  await expect.element(which.getByRole('radio', { name: 'Owner 3, ₹1,003.00' })).toBeChecked();
  stage.once(contract.bankAnswers.accept, refuse);
  await confirmIt();
  await expect.poll(said).toContain(answeredElsewhere);
  await expect.element(which.getByRole('radio', { name: 'Owner 3, ₹1,003.00' })).toBeChecked();
  await userEvent.click(other);
  await expect.element(other).toBeChecked();
  await expect.element(which.getByRole('button', { name: /^Accept as executed/ })).not.toHaveAttribute('aria-busy');
  await confirmIt();
  await expect.element(which).not.toBeInTheDocument();
  expect(acceptedLines(stage)).toEqual([[3], [4]]);
});

test('Enter on a line that is none of ours says what can be done with it', async () => {
  answerDesk([buildOther(5)]);
  await openApp(address);
  await goTo(5);
  await press('{Enter}');
  await expect.poll(said).toContain('No sent payment fits this line. Press S to set it aside.');
});

test('S sets a line aside with a note, which it asks for; two presses send once; a refusal keeps the note', async () => {
  const stage = answerDesk([buildProposal(1), buildOther(5)]);
  await openApp(address);
  await goTo(5);
  await press('s');
  const aside = dialog('Set 1 line aside?');
  const note = aside.getByRole('textbox', { name: 'Note' });
  await expect.element(note).toHaveFocus();
  await confirmIt();
  await expect.element(aside.getByText('Please enter a note')).toBeVisible();
  expect(noteBodies(stage)).toEqual([]);
  await userEvent.fill(note, 'Bank charges');
  stage.once(contract.bankAnswers.setAside, refuse);
  await confirmIt();
  await expect.poll(said).toContain(answeredElsewhere);
  await expect.element(note).toHaveValue('Bank charges');
  expect(noteBodies(stage)).toHaveLength(1);
  const answer = stage.hold(contract.bankAnswers.setAside, () => {
    stage.proposals = stage.proposals.slice(0, 1);
    return { data: { count: 1 } };
  });
  pressTwice();
  await vi.waitFor(() => expect(noteBodies(stage).length).toBeGreaterThan(1));
  answer();
  await expect.element(aside).not.toBeInTheDocument();
  await expect.poll(shownRows).toEqual(['1']);
  const body = { ids: [idOf(5)], note: 'Bank charges' };
  expect(noteBodies(stage)).toEqual([body, body]);
});

test('S sets all selected lines aside; L shows what is set aside, and opens it again', async () => {
  const stage = answerDesk([buildProposal(1), buildOther(5), buildOther(6)]);
  await openApp(address);
  await select(5);
  await select(6);
  await press('s');
  const aside = dialog('Set 2 lines aside?');
  await userEvent.fill(aside.getByRole('textbox', { name: 'Note' }), 'Rent');
  await confirmIt();
  await expect.element(aside).not.toBeInTheDocument();
  await expect.poll(shownRows).toEqual(['1']);
  expect(noteBodies(stage)).toEqual([{ ids: [idOf(5), idOf(6)], note: 'Rent' }]);
  await press('l');
  const list = dialog('Lines set aside');
  await expect.element(list.getByRole('listitem').first()).toHaveTextContent('19/11/2026 · −₹1,005.00 · Rent');
  stage.once(contract.bankAnswers.takeBack, refuse);
  await userEvent.click(list.getByRole('button', { name: 'Open again' }).first());
  await expect.poll(said).toContain(answeredElsewhere);
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(2);
  for (const left of [1, 0]) {
    await userEvent.click(list.getByRole('button', { name: 'Open again' }).first());
    await expect.poll(() => list.getByRole('listitem').elements().length).toBe(left);
  }
  await expect.element(list.getByText('No lines of this account are set aside.')).toBeVisible();
  expect(stage.writes(contract.bankAnswers.takeBack)).toEqual([5, 5, 6].map((n) => ({ ids: [idOf(n)] })));
});

const statement = [
  ['ANY BANK Ltd.', '', '', '', ''],
  ['Date', 'Narration', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance'],
  ['19/11/2026', 'NEFT DR-PAY2627000444-01', '1,001.00', '', '9,00,000.00'],
  ['20/11/2026', 'NEFT DR-PAY2627000444-02', '1,002.00', '', '8,98,998.00'],
];
function serveFile(stage: AnswerDesk, rows: string[][]): void {
  stage.serve(contract.tables.read, () => readAnswer(sheetOf(rows)));
}

test('the sheets of two months are brought in one after the other, and other sheets are asked about', async () => {
  const stage = answerDesk([]);
  const rows = (day: string) => [statement[1]!, [day, ...statement[2]!.slice(1)]];
  const sheets = [sheetOf(rows('19/10/2026'), { name: 'October' }), sheetOf(rows('19/11/2026'), { name: 'November' })];
  stage.once(contract.tables.read, () => readAnswer(...sheets));
  stage.serve(contract.bankAnswers.importStatement, () => ({ data: { lineCount: 1, newCount: 1, badCount: 0 } }));
  await openApp(address, gridThere);
  drop(fileOf('both.xlsx'));
  await expect.element(question()).toHaveTextContent('both.xlsx (October): 19/10/2026 to 19/10/2026.');
  await expect.element(page.getByText('both.xlsx (October) · 2 sheets, each a statement')).toBeInTheDocument();
  await confirmIt();
  await expect.element(question()).toHaveTextContent('both.xlsx (November): 19/11/2026 to 19/11/2026.');
  await confirmIt();
  await vi.waitFor(() =>
    expect(stage.writes(contract.bankAnswers.importStatement).map(({ fileName }) => fileName)).toEqual([
      'both.xlsx (October)',
      'both.xlsx (November)',
    ]),
  );
  stage.once(contract.tables.read, () =>
    readAnswer(sheetOf([['Notes'], ['x']], { name: 'Notes' }), ...sheets.slice(1)),
  );
  drop(fileOf('both.xlsx'));
  await userEvent.click(page.getByRole('button', { name: 'November 2 rows' }));
  await expect.element(question()).toHaveTextContent('Bring in 1 line of the statement?');
  await expect.element(page.getByText('both.xlsx · Read as an Excel workbook, sheet 2 of 2')).toBeInTheDocument();
});

test('a statement that is dropped is brought in after a question; a failure stays in it, and Retry brings it in', async () => {
  const stage = answerDesk([]);
  serveFile(stage, statement);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  drop(fileOf('november.csv'));
  await expect.element(question()).toHaveTextContent('Bring in 2 lines of the statement?');
  await expect.element(question()).toHaveTextContent('november.csv: 19/11/2026 to 20/11/2026.');
  expect(stage.calls(contract.bankAnswers.importStatement)).toEqual([]);
  stage.once(contract.bankAnswers.importStatement, () => refusal('INTERNAL_ERROR', ''));
  await confirmIt();
  await expect.element(question().getByRole('alert')).toHaveTextContent('Failed to bring in the statement');
  const answer = stage.hold(contract.bankAnswers.importStatement, () => {
    stage.proposals = [buildProposal(1), buildProposal(2)];
    return { data: { lineCount: 2, newCount: 2, badCount: 0 } };
  });
  await confirmIt();
  await vi.waitFor(() => expect(stage.calls(contract.bankAnswers.importStatement)).toHaveLength(2));
  await confirmIt();
  answer();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.poll(shownRows).toEqual(['1', '2']);
  expect(searchNow()).toEqual({ account: idOf(401) });
  const body = { bankAccountId: idOf(401), fileName: 'november.csv', rows: statement };
  expect(stage.calls(contract.bankAnswers.importStatement).map((asked) => asked.body)).toEqual([body, body]);
});

test('a statement waits for its account where there are several', async () => {
  const stage = answerDesk([], [buildBankAccount(1), buildBankAccount(2)]);
  serveFile(stage, statement);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Choose an account, or bring in the bank’s answer.')).toBeVisible();
  drop(fileOf('november.csv'));
  await expect.poll(said).toContain('Choose the account of this statement');
  await expect.element(question()).not.toBeInTheDocument();
  await choose(page.getByRole('combobox', { name: 'Account' }), 'Account 2 …1232');
  await expect.element(question()).toHaveTextContent('Bring in 2 lines of the statement?');
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.calls(contract.bankAnswers.importStatement)).toEqual([]);
});

test('a statement with strange headings shows why, and is read by the columns that are chosen, now and the next time', async () => {
  const stage = answerDesk([]);
  const strange = [['ANY BANK'], ['When', 'What', 'Gone', 'Come', 'Balance'], ...statement.slice(2)];
  serveFile(stage, strange);
  await openApp(address, gridThere);
  drop(fileOf('strange.csv'));
  const columns = page.getByRole('region', { name: 'Statement' });
  await expect.element(columns).toBeVisible();
  const why = 'No column was found for a date, a narration, the amounts (Withdrawal and Deposit, or Amount).';
  await expect.element(columns.getByText(why)).toBeVisible();
  await confirmIt();
  await expect.poll(said).toContain(why);
  await choose(columns.getByRole('combobox', { name: 'Headings' }), 'Row 2: When, What, Gone');
  for (const [heading, field] of [
    ['When', 'Date'],
    ['What', 'Narration'],
    ['Gone', 'Withdrawal'],
    ['Come', 'Deposit'],
  ] as const) {
    await choose(columns.getByRole('combobox', { name: heading }), field);
  }
  await expect.element(columns.getByText('2 lines read')).toBeVisible();
  const first = page.getByRole('region', { name: 'First lines as they are read' }).getByRole('row').nth(1);
  await expect.element(first).toHaveTextContent('319/11/2026NEFT DR-PAY2627000444-01₹1,001.00');
  await expect.element(question()).not.toBeInTheDocument();
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Bring in 2 lines of the statement?');
  await confirmIt();
  await expect.element(columns).not.toBeInTheDocument();
  const mapping = { columns: ['day', 'narration', 'withdrawal', 'deposit', null], firstRow: 2 };
  expect(stage.calls(contract.bankAnswers.importStatement).map(({ body }) => body)).toMatchObject([{ mapping }]);
  drop(fileOf('strange.csv'));
  await expect.element(question()).toHaveTextContent('Bring in 2 lines of the statement?');
});

test('a statement whose title names another account is refused for this one, with the last digits of both', async () => {
  const stage = answerDesk([], [buildBankAccount(1), buildBankAccount(2)]);
  serveFile(stage, [['Account No : 000000001232'], ...statement]);
  await openApp(`${address}?account=${idOf(401)}`, gridThere);
  drop(fileOf('other.csv'));
  const why = 'The statement is of account …1232, not of …1231. Choose its account.';
  await expect.element(page.getByText(why)).toBeVisible();
  await confirmIt();
  await expect.poll(said).toContain(why);
  await expect.element(question()).not.toBeInTheDocument();
  await choose(page.getByRole('combobox', { name: 'Account' }), 'Account 2 …1232');
  await expect.element(question()).toHaveTextContent('Bring in 2 lines of the statement?');
});

test('a statement that is saved again while its columns are chosen keeps the choice, and is read with its new rows', async () => {
  const stage = answerDesk([]);
  const strange = [['When', 'What', 'Gone', 'Come', 'Balance'], ...statement.slice(2)];
  serveFile(stage, strange.slice(0, -1));
  await openApp(address, gridThere);
  const file = fileOf('strange.csv');
  drop(file);
  const columns = page.getByRole('region', { name: 'Statement' });
  await choose(columns.getByRole('combobox', { name: 'Headings' }), 'Row 1: When, What, Gone');
  await choose(columns.getByRole('combobox', { name: 'When' }), 'Date');
  await choose(columns.getByRole('combobox', { name: 'What' }), 'Narration');
  saveAgain(file);
  await expect.element(page.getByText('The file was saved again since it was read.')).toBeVisible();
  serveFile(stage, strange);
  give('File of the bank', fileOf('strange.csv'));
  await expect.element(page.getByText('The file was saved again since it was read.')).not.toBeInTheDocument();
  await expect.element(columns.getByRole('combobox', { name: 'When' })).toHaveTextContent('Date');
  await choose(columns.getByRole('combobox', { name: 'Gone' }), 'Withdrawal');
  await choose(columns.getByRole('combobox', { name: 'Come' }), 'Deposit');
  await expect.element(columns.getByText('2 lines read')).toBeVisible();

  // Another file is read anew.
  serveFile(stage, strange);
  give('File of the bank', fileOf('other.csv'));
  await expect.element(columns.getByText('2 lines read')).not.toBeInTheDocument();
});

test('a file without statuses may be something else: its columns are chosen as those of a statement', async () => {
  answerDesk([]);
  await openApp(address, gridThere);
  pasteText('PAY2627000444-01\tN09726201\n');
  await sayAll('All Returned');
  await expect.element(page.getByText('All rows are taken as returned')).toBeVisible();
  await sayAll('Change');
  await sayAll('Something Else');
  await expect.element(page.getByRole('region', { name: 'Statement' })).toBeVisible();
  await sayAll('Read as Answers');
  await expect.element(page.getByText('The file has no column of statuses. What are its rows?')).toBeVisible();
});

/** Row n of a file, as the server compares it. */
const ofFile = (n: number, over: Partial<Proposal> = {}): Proposal =>
  buildProposal(n, { statementLine: null, row: n, ...over });

/** The same row, when its line has the answer already. */
const answeredRow = (n: number): Proposal =>
  ofFile(n, {
    isSure: false,
    candidates: [],
    answered: buildBankLine(n, { state: 'executed' }),
    note: 'Answered already: executed on 19/11/2026 (Answer 2627-000001)',
  });
const fileRow = (n: number): Element | null => document.querySelector(`.ag-row[row-id="row ${n}"]`);
const fileCell = (n: number, column: string): string =>
  fileRow(n)?.querySelector(`[col-id="${column}"]`)?.textContent.trim() ?? '';

test('two pasted columns are reference and UTR; what cannot be read is named, the rest is compared and accepted', async () => {
  const stage = answerDesk([]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = [ofFile(1), ofFile(2)];
  pasteText('PAY2627000444-01\tN09726201\nPAY2627000444-02\tN09726202\nPAY2627000444-03\t\n');
  await expect.element(page.getByText('The file has no column of statuses. What are its rows?')).toBeVisible();
  expect(stage.calls(contract.bankAnswers.preview)).toEqual([]);
  await sayAll('All Executed');
  await counted('2 sure · 0 to choose · 0 unmatched');
  await expect.element(page.getByText('Pasted rows')).toBeVisible();
  await expect.element(page.getByText('1 row cannot be read')).toBeVisible();
  await expect.element(page.getByText('Row 3: It has no UTR.')).toBeVisible();
  const row = { accountNo: '', amount: '', day: '', state: 'executed', reason: '' };
  expect(stage.writes(contract.bankAnswers.preview)).toEqual([
    { rows: [1, 2].map((n) => ({ ...row, row: n, reference: `PAY2627000444-0${n}`, utr: `N0972620${n}` })) },
  ]);
  // Rows that are not kept cannot be set aside.
  await press('s');
  await expect.poll(said).toContain('Only lines of a statement can be set aside');
  stage.once(contract.bankAnswers.accept, () => {
    stage.proposals = [1, 2].map(answeredRow);
    return made(2, 'paste');
  });
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 2 answers?');
  await confirmIt();
  await expect.element(question()).not.toBeInTheDocument();
  await counted('0 sure · 0 to choose · 0 unmatched · 2 answered');
  await expect.element(page.getByText('Every row of the file was answered.', { exact: false })).toBeVisible();
  await choose(page.getByRole('combobox', { name: 'Show' }), 'All');
  const executed = 'Accepted: executed';
  await expect.poll(() => [1, 2].map((n) => fileCell(n, 'sure'))).toEqual([executed, executed]);
  expect(accepted(stage).map(({ source, fileName, items }) => [source, fileName, items.length])).toEqual([
    ['paste', 'Pasted rows', 2],
  ]);
  expect(accepted(stage)[0]?.items.map(({ statementLineId }) => statementLineId)).toEqual([null, null]);
  await userEvent.click(page.getByRole('button', { name: 'Show the statement’s lines' }));
  await expect.element(page.getByText('Pasted rows')).not.toBeInTheDocument();
});

test('a row that says otherwise than the answer of its line is still to decide', async () => {
  const stage = answerDesk([]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = [answeredRow(1), { ...answeredRow(2), isOtherwise: true }];
  pasteText('PAY2627000444-01\tN09726201\nPAY2627000444-02\tN09726202\n');
  await sayAll('All Executed');
  await expect.poll(() => [1, 2].map((n) => fileCell(n, 'sure'))).toEqual(['', 'Answered otherwise']);
});

const calledOff = (n: number) =>
  buildBankLine(n, { state: 'failed', source: 'withdrawn', reason: 'File withdrawn: Not uploaded' });
const paidAnyway = () => page.getByRole('alert').filter({ hasText: 'was called off' });

test('what the bank paid although its file was withdrawn cannot be missed, and is recorded from its row', async () => {
  const stage = answerDesk([]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = [
    ofFile(1),
    ofFile(2, {
      isSure: false,
      candidates: [{ line: calledOff(2), why: 'Our reference, but its file was withdrawn' }],
    }),
  ];
  pasteText('PAY2627000444-01\tN09726201\nPAY2627000444-02\tN09726202\n');
  await sayAll('All Executed');
  await expect
    .element(paidAnyway())
    .toHaveTextContent('The bank has paid 1 line whose file or payment was called off: ₹1,002.00');
  await expect.poll(() => [1, 2].map((n) => fileCell(n, 'sure'))).toEqual(['Sure', 'Paid anyway']);
  await userEvent.click(page.getByText('₹1,002.00').last());
  await press('{Enter}');
  const asked = dialog('Which payment is it?');
  await expect.element(asked).toHaveTextContent('File withdrawn: Not uploaded. The bank has paid it anyway');
  stage.once(contract.bankAnswers.accept, () => {
    stage.proposals = [ofFile(1), answeredRow(2)];
    return made(1, 'paste');
  });
  await confirmIt();
  await expect.element(asked).not.toBeInTheDocument();
  expect(acceptedLines(stage)).toEqual([[2]]);
  await expect.element(paidAnyway()).not.toBeInTheDocument();
});

test('where it cannot be recorded the row says what to do, also that of a statement, and not to set it aside', async () => {
  const note =
    'The bank has paid it anyway (File withdrawn: Not uploaded). It was sent again in bank file BF-2627-000002';
  const stage = answerDesk([
    buildProposal(1, { isSure: false, candidates: [], answered: calledOff(1), isOtherwise: true, note }),
    buildProposal(2, {
      isSure: false,
      candidates: [],
      answered: buildBankLine(2, { state: 'failed' }),
      note: 'Answered already',
    }),
  ]);
  await openApp(address);
  await expect.element(paidAnyway()).toBeVisible();
  expect([1, 2].map((n) => cellText(n, 'sure'))).toEqual(['Paid anyway', 'Answered already']);
  await counted('0 sure · 0 to choose · 2 unmatched');
  await goTo(1);
  await press('{Enter}');
  await expect.poll(said).toContain(`${note}.`);
  expect(stage.calls(contract.bankAnswers.accept)).toEqual([]);
});

test('a row with another amount than was sent shows both, in the list and where its payment is chosen', async () => {
  const stage = answerDesk([]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = [
    { ...ofFile(1), isSure: false, amount: '1001.01' },
    { ...ofFile(2), isSure: false, amount: null },
  ];
  pasteText('PAY2627000444-01\tN09726201\nPAY2627000444-02\tN09726202\n');
  await sayAll('All Executed');
  await counted('0 sure · 2 to choose · 0 unmatched');
  const amounts = () => [1, 2].map((n) => [fileCell(n, 'amount'), fileCell(n, 'sent')]);
  await expect.poll(amounts).toEqual([
    ['₹1,001.01', '₹1,001.00'],
    ['', '₹1,002.00'],
  ]);
  await userEvent.click(page.getByText('₹1,001.01'));
  await press('{Enter}');
  await expect.element(dialog('Which payment is it?').getByText('₹1,001.01', { exact: false })).toBeVisible();
});

test('a file whose line was answered meanwhile is compared again', async () => {
  const stage = answerDesk([]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = [ofFile(1), ofFile(2)];
  pasteText('PAY2627000444-01\tN09726201\nPAY2627000444-02\tN09726202\n');
  await sayAll('All Executed');
  await counted('2 sure · 0 to choose · 0 unmatched');
  stage.once(contract.bankAnswers.accept, () => {
    stage.proposals = [ofFile(2)];
    return refuse();
  });
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 2 answers?');
  await confirmIt();
  await expect.element(question().getByRole('alert')).toHaveTextContent(answeredElsewhere);
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  await counted('1 sure · 0 to choose · 0 unmatched');
  expect(stage.calls(contract.bankAnswers.preview)).toHaveLength(2);
});

test('a reverse file whose words are not known is asked about once; a failed comparison is tried again', async () => {
  const stage = answerDesk([]);
  serveFile(stage, [
    ['Customer Reference', 'UTR', 'Status', 'Reason'],
    ['PAY2627000444-01', 'N09726201', 'Executed', ''],
    ['PAY2627000444-02', '', 'Bounced', 'ACCOUNT CLOSED'],
  ]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = [ofFile(1)];
  stage.once(contract.bankAnswers.preview, () => refusal('INTERNAL_ERROR', 'The comparison failed'));
  drop(fileOf('reverse.csv'));
  await expect.element(page.getByText('The comparison failed')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await counted('1 sure · 0 to choose · 0 unmatched');
  await expect.element(page.getByText('Row 3: Status “Bounced” is not known.')).toBeVisible();
  stage.proposals = [ofFile(1), ofFile(2, { outcome: 'failed', utr: '', reason: 'ACCOUNT CLOSED' })];
  await choose(page.getByRole('combobox', { name: '“bounced” means' }), 'Failed');
  await counted('2 sure · 0 to choose · 0 unmatched');
  const states = stage
    .calls(contract.bankAnswers.preview)
    .map(({ body }) => (body as { rows: { state: string }[] }).rows.map(({ state }) => state));
  expect(states).toEqual([['executed'], ['executed'], ['executed', 'failed']]);
  await confirmIt();
  await expect
    .element(question())
    .toHaveTextContent('1 executed (₹1,001.00), 1 failed (₹1,002.00). The challans of failed and returned lines');
  await confirmIt();
  await expect.element(question()).not.toBeInTheDocument();
  expect(accepted(stage).map(({ source, fileName, items }) => [source, fileName, items.at(1)?.reason])).toEqual([
    ['reverse file', 'reverse.csv', 'ACCOUNT CLOSED'],
  ]);
});

test('what failed leads to its owner in the bank statement, by a link and by Enter on its row', async () => {
  const stage = answerDesk([]);
  const open = [
    ofFile(1),
    ofFile(2, { outcome: 'failed', utr: '', reason: 'ACCOUNT CLOSED' }),
    ofFile(3, { outcome: 'returned', utr: '' }),
  ];
  serveFile(stage, [
    ['Customer Reference', 'UTR', 'Status', 'Reason'],
    ['PAY2627000444-01', 'N09726201', 'Executed', ''],
    ['PAY2627000444-02', '', 'Failed', 'ACCOUNT CLOSED'],
    ['PAY2627000444-03', '', 'Returned', ''],
  ]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('Nothing to accept')).toBeVisible();
  stage.proposals = open;
  drop(fileOf('reverse.csv'));
  await counted('3 sure · 0 to choose · 0 unmatched');
  await expect.element(page.getByRole('list', { name: 'Unpaid again' })).not.toBeInTheDocument();
  stage.once(contract.bankAnswers.accept, () => {
    stage.proposals = open.map(({ row, outcome }) => ({ ...answeredRow(row ?? 0), outcome }));
    return made(3, 'reverse file');
  });
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 3 answers?');
  await confirmIt();
  await counted('0 sure · 0 to choose · 0 unmatched · 3 answered');
  await choose(page.getByRole('combobox', { name: 'Show' }), 'Answered: 3');
  await expect
    .poll(() => [1, 2, 3].map((n) => fileCell(n, 'sure')))
    .toEqual(['Accepted: executed', 'Accepted: failed', 'Accepted: returned']);
  const again = page.getByRole('list', { name: 'Unpaid again' });
  expect(again.element().textContent).toBe('Owner 2 · 1 failed: pay againOwner 3 · 1 returned: pay again');
  const links = [...again.element().querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  const statements = [902, 903].map((owner) => `/accounting/bank-statement?ownerId=${idOf(owner)}`);
  expect(links).toEqual(statements);
  // The same file again: nothing was accepted of it, and it says which answer each row has.
  drop(fileOf('reverse.csv'));
  await expect.element(again).not.toBeInTheDocument();
  await choose(page.getByRole('combobox', { name: 'Show' }), 'Answered: 3');
  await expect.poll(() => fileCell(2, 'sure')).toBe('Answered already');
  expect(fileCell(2, 'why')).toBe('Answered already: executed on 19/11/2026 (Answer 2627-000001)');
});

test('a row whose answer was undone meanwhile is to be decided again', async () => {
  const stage = answerDesk([buildProposal(1), buildProposal(2)]);
  await openApp(address);
  await select(1);
  await confirmIt();
  await expect.element(question()).toHaveTextContent('Accept 1 answer?');
  await confirmIt();
  await expect.poll(shownRows).toEqual(['2']);
  stage.proposals = [buildProposal(1), buildProposal(2)];
  await goTo(2);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question()).toHaveTextContent('Accept 1 answer?');
  stage.once(contract.bankAnswers.accept, refuse);
  await confirmIt();
  await expect.element(question().getByRole('alert')).toHaveTextContent(answeredElsewhere);
  await press('{Escape}');
  await expect.poll(shownRows).toEqual(['1', '2']);
  await counted('2 sure · 0 to choose · 0 unmatched');
});
