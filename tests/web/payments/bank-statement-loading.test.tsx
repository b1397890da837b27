import { afterEach, beforeEach, expect, test, vi } from 'vitest';
// Loaded before the tests begin, so that the first test does not wait for the scripts.
import '../../../src/web/kit/grid/ag-table.tsx';
import '../../../src/web/features/payments/bank-statement/bank-statement-page.tsx';
import { refusal, type Handler } from '../support/fake-server.ts';
import { toasts } from '../support/screen.tsx';
import {
  button,
  closeStatement,
  dialog,
  goTo,
  openStatement,
  selectionText,
  shownRows,
  waitSelection,
} from '../support/statement-screen.ts';
import { buildOwner, listOwners, ownerId, statementDesk, statementPage } from '../support/statement.ts';

/** Keys and buttons that need the statement wait while it is being loaded (docs/keyboard.md §1). */
beforeEach(() => {
  // How long keys are held is a test of its own (held-keys.test.tsx): a busy machine may take longer to draw the rows.
  const { setTimeout: start } = window;
  vi.spyOn(window, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
    start(run, ms === 5_000 ? 600_000 : ms)) as typeof setTimeout);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeStatement();
});

/** Presses the keys at once, before anything else can happen. */
function strike(...keys: readonly string[]): void {
  for (const text of keys) {
    const ctrlKey = text.startsWith('Ctrl+');
    const key = ctrlKey ? text.slice('Ctrl+'.length) : text;
    const event = { key, code: `Key${key.toUpperCase()}`, ctrlKey, bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', event));
  }
}
const says = (text: string): Promise<void> => vi.waitFor(() => expect(dialog()?.textContent).toContain(text));
const refused = () => toasts().filter((text) => text.includes('wait a moment') || text.includes('not used'));

/** The statement with its first answer on the way. */
async function openWaiting(answer?: Handler<typeof listOwners>) {
  const stage = statementDesk();
  const late = stage.hold(listOwners, answer);
  const router = await openStatement('', '.cd-grid .ag-header');
  return { stage, late, router };
}

test('Ctrl+A and M wait for the first rows: the page is selected, then its payment is shown', async () => {
  const { late } = await openWaiting();
  strike('Ctrl+a', 'm');
  expect([dialog(), selectionText()]).toEqual([null, '0 selected, ₹0.00']);
  late();
  await waitSelection('10 selected, ₹5,505.00');
  await says('₹5,505.00');
  expect(refused()).toEqual([]);
});

test('the arrow from the heading goes into the table when it has rows, and the next keys are its own', async () => {
  const { late } = await openWaiting();
  strike('ArrowDown', ' ');
  late();
  await waitSelection('7 selected, ₹2,803.50');
  expect(document.activeElement?.closest('.ag-row')?.getAttribute('row-id')).toBe(ownerId(1));
});

test('Expand All and Select Page clicked before the rows are there are done when they come', async () => {
  const { late } = await openWaiting();
  for (const name of ['Expand All', /^Select Page/]) button(name).element().dispatchEvent(click());
  late();
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 2, 3, 4, 5, 6, 7, 902, 8, 9, 903, 10]));
  await waitSelection('10 selected, ₹5,505.00');
});
const click = () => new MouseEvent('click', { bubbles: true, cancelable: true });

test('keys that are pressed while another filter loads are for its rows, in the table too', async () => {
  const stage = statementDesk();
  const router = await openStatement();
  await goTo(ownerId(1));
  const late = stage.hold(listOwners, () => statementPage([buildOwner(2, [8, 9])]));
  await router.navigate(`/accounting/bank-statement?ownerId=${ownerId(2)}`);
  await vi.waitFor(() => expect(stage.lists()).toHaveLength(2));
  strike(' ', 'm');
  expect([dialog(), selectionText()]).toEqual([null, '0 selected, ₹0.00']);
  late();
  await waitSelection('2 selected, ₹1,701.00');
  await says('₹1,701.00');
  expect(refused()).toEqual([]);
});

test('a key of another screen does not wait', async () => {
  const { late, router } = await openWaiting();
  strike('g', 'c');
  await vi.waitFor(() => expect(router.state.location.pathname).not.toBe('/accounting/bank-statement'));
  late();
});

test('when the statement cannot be loaded, or is left, what waited for it is dropped, and that is said', async () => {
  const { late } = await openWaiting(() => refusal('VALIDATION_ERROR', 'Away'));
  strike('Ctrl+a', 'm');
  late();
  await vi.waitFor(() => expect(refused()).toEqual(['2 keys pressed while the screen was loading were not used']));
  expect(dialog()).toBeNull();
  strike('Ctrl+a');
  await vi.waitFor(() => expect(toasts()).toContain('The statement could not be loaded. Please press Retry first.'));
});

test('what waits for a screen that is left does nothing on the next one', async () => {
  const { late, router } = await openWaiting();
  strike('Ctrl+a');
  await router.navigate('/challans');
  await vi.waitFor(() => expect(refused()).toEqual(['A key pressed while the screen was loading was not used']));
  late();
});
