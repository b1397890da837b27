import { afterEach, expect, test, vi } from 'vitest';
import type { BankAnswer } from '../../../src/shared/contract/bank-answers.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildAnswer } from '../support/bank-answers.ts';
import { idOf } from '../support/builders.ts';
import { find, paged } from '../support/kept.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  cellText,
  closeApp,
  focusPlace,
  openApp,
  page,
  hearing,
  press,
  rowOf,
  shownRows,
  userEvent,
} from '../support/screen.tsx';

/** Accepted answers and their undo (docs/specification.md §25.6). */

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const address = '/accounting/bank/answers';

const { list, undo } = contract.bankAnswers;

/** What an undo answers: all its lines are taken back, unless `left` names some. */
function undone(answer: BankAnswer, left: { reference: string; name: string; reason: string }[] = []) {
  const count = answer.lineCount - left.length;
  answer.undoneCount = count;
  const payment = { id: idOf(700), number: 'PAY-2627-000445', amount: '2500.00' };
  return { data: { ...answer, undone: count, payments: left.length === 0 ? [payment] : [], left } };
}

function stageOf(answers: BankAnswer[]): Desk {
  const stage = fakeServer();
  stage.serve(list, ({ query }) => paged(answers, query));
  stage.serve(undo, ({ params }) => undone(find('Answer', answers, params.id)));
  return stage;
}

const question = () => page.getByRole('alertdialog');
const sent = (stage: Desk) => stage.calls(undo).map(({ path }) => path);
const confirmIt = () => press('{Control>}{Enter}{/Control}');
async function goTo(n: number): Promise<void> {
  const cell = await vi.waitUntil(() => rowOf(n)?.querySelector('[col-id="createdAt"]'), { timeout: 20_000 });
  await userEvent.click(cell);
  await vi.waitFor(() => expect(focusPlace()).toBe(`${n} createdAt`));
}

test('lists what was accepted: of what, how many lines became what, what is unpaid, and whether it was undone', async () => {
  const stage = stageOf([
    buildAnswer(3),
    buildAnswer(2, { source: 'reverse file', fileName: 'reverse.txt', undoneCount: 1 }),
    buildAnswer(1, { undoneCount: 3 }),
  ]);
  await openApp(address);
  expect(stage.asks(list)).toEqual([{ page: '1', limit: '10' }]);
  expect(shownRows()).toEqual(['3', '2', '1']);
  const columns = ['number', 'createdAt', 'source', 'fileName', 'lineCount'];
  expect(columns.map((column) => cellText(2, column))).toEqual([
    'Answer 2627-000002',
    '20/11/2026 15:30',
    'reverse file',
    'reverse.txt',
    '3',
  ]);
});

test('while it is loading it shows no empty words; a failure says why, and Retry loads it', async () => {
  const stage = stageOf([buildAnswer(1)]);
  const answer = stage.hold(list, () => refusal('INTERNAL_ERROR', ''));
  await openApp(address, 'section[aria-label="Accepted Answers"]');
  await vi.waitFor(() => expect(stage.calls(list)).toHaveLength(1));
  const empty = page.getByText('Accepted answers of the bank are listed here and can be undone.');
  await expect.element(empty).not.toBeInTheDocument();
  answer();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch accepted answers');
  await expect.element(empty).not.toBeInTheDocument();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(shownRows).toEqual(['1']);
});

test('with nothing accepted it says what would be here, and where to go', async () => {
  stageOf([]);
  await openApp(address, 'section[aria-label="Accepted Answers"]');
  await expect.element(page.getByText('Accepted answers of the bank are listed here and can be undone.')).toBeVisible();
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Enter the bank’s answer' }))
    .toHaveAttribute('href', '/accounting/bank/answer');
});

test('U asks what will be as before; Escape changes nothing; two presses of the confirming key send once', async () => {
  const answers = [buildAnswer(2), buildAnswer(1)];
  const stage = stageOf(answers);
  await openApp(address);
  await goTo(2);
  await press('u');
  await expect.element(question()).toHaveTextContent('Undo Answer 2627-000002?');
  await expect
    .element(question())
    .toHaveTextContent(/3 lines will be as before. Challans that became unpaid will be paid again/);
  // Enter is on the safe button.
  await expect.element(question().getByRole('button', { name: 'Keep it' })).toHaveFocus();
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(sent(stage)).toEqual([]);
  await expect.poll(focusPlace).toBe('2 createdAt');

  const answer = stage.hold(undo, () => undone(answers[0]!));
  await press('u');
  await expect.element(question()).toBeVisible();
  await confirmIt();
  await vi.waitFor(() => expect(sent(stage)).toHaveLength(1));
  await confirmIt();
  // Nor can it be left while it is under way.
  await press('{Escape}');
  await expect.element(question()).toBeVisible();
  answer();
  await expect.element(question()).not.toBeInTheDocument();
  expect(sent(stage)).toEqual([`/bank-answers/${idOf(2)}/undo`]);
  // The list is asked for again.
  await vi.waitFor(() => expect(stage.calls(list)).toHaveLength(2));
  await goTo(2);
  const said = hearing();
  await press('u');
  await vi.waitFor(() => expect(said).toContain('Answer 2627-000002 was already undone.'));
  await expect.element(question()).not.toBeInTheDocument();
  expect(sent(stage)).toHaveLength(1);
});

test('an undo that fails stays in its question with the reason; Retry sends it with the same key', async () => {
  const stage = stageOf([buildAnswer(1)]);
  const keys: (string | null)[] = [];
  const fetchOfStage = window.fetch;
  vi.stubGlobal('fetch', (target: string, init: RequestInit) => {
    if (target.endsWith('/undo')) keys.push(new Headers(init.headers).get('idempotency-key'));
    return fetchOfStage(target, init);
  });
  stage.once(undo, () => refusal('INTERNAL_ERROR', ''));
  await openApp(address);
  await goTo(1);
  await press('u');
  await expect.element(question()).toBeVisible();
  await confirmIt();
  await expect.element(question().getByRole('alert')).toHaveTextContent('Failed to undo');
  await userEvent.click(question().getByRole('button', { name: 'Retry' }));
  await expect.element(question()).not.toBeInTheDocument();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

test('somebody else has undone it meanwhile: the sentence of the server stays in the question; the list is as it is', async () => {
  const answers = [buildAnswer(1)];
  const stage = stageOf(answers);
  const said = 'Answer 2627-000001 was already undone.';
  stage.once(undo, () => {
    answers[0]!.undoneCount = 3;
    return refusal('ALREADY_UNDONE', said);
  });
  await openApp(address);
  await goTo(1);
  await press('u');
  await expect.element(question()).toBeVisible();
  await confirmIt();
  await expect.element(question().getByRole('alert')).toHaveTextContent(said);
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(stage.calls(list)).toHaveLength(2));
  expect(sent(stage)).toHaveLength(1);
});

test('lines that had to be left are named with their reason; closed, the list has the focus', async () => {
  const answers = [buildAnswer(1)];
  const stage = stageOf(answers);
  const left = [{ reference: 'PAY2627000444-07', name: 'Anil Jena', reason: 'Its challan was paid again.' }];
  stage.once(undo, () => undone(answers[0]!, left));
  await openApp(address);
  await goTo(1);
  await press('u');
  await expect.element(question()).toBeVisible();
  await confirmIt();
  const dialog = page.getByRole('dialog', { name: '2 lines taken back, 1 line left' });
  await expect
    .element(dialog.getByRole('listitem'))
    .toHaveTextContent('PAY2627000444-07, Anil Jena: Its challan was paid again.');
  await press('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await vi.waitFor(() => expect(document.activeElement?.closest('.ag-row')?.getAttribute('row-id')).toBe(idOf(1)));
});
