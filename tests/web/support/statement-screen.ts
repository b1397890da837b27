import { expect, vi } from 'vitest';
import { closeApp, openApp, page, press, userEvent } from './screen.tsx';
import { ownerId, statementDesk, type StatementDesk } from './statement.ts';

/** What a user sees and does on the bank statement. */

export const openStatement = (search = '', waitFor?: string) => openApp(`/accounting/bank-statement${search}`, waitFor);

/** The statement with the three owners of `threeOwners`. */
export async function openThree(): Promise<StatementDesk> {
  const stage = statementDesk();
  await openStatement();
  return stage;
}

const cell = (id: string, column: string): Element | null =>
  document.querySelector(`.ag-row[row-id="${id}"] [col-id="${column}"]`);
export const cellText = (id: string, column: string): string => cell(id, column)?.textContent?.trim() ?? 'no cell';
export const boxOf = (id: string): string => cell(id, 'grid-select')?.querySelector('.cd-box')?.ariaChecked ?? 'no box';
export const waitBox = (id: string, state: string): Promise<void> => vi.waitFor(() => expect(boxOf(id)).toBe(state));
export const boxLabel = (id: string): string =>
  cell(id, 'grid-select')?.querySelector('.cd-box')?.getAttribute('aria-label') ?? 'no box';
export const headerBox = (): Element => {
  const box = document.querySelector('.ag-header [col-id="grid-select"] .cd-box');
  if (!box) throw new Error('The header has no box');
  return box;
};
/** Owners by their number, challans by theirs. */
export const shownRows = (): number[] =>
  [...document.querySelectorAll('.ag-grid-scrolling-container .ag-row:not(.cd-heading-row)')]
    .toSorted((a, b) => Number(a.getAttribute('row-index')) - Number(b.getAttribute('row-index')))
    .map((row) => Number((row.getAttribute('row-id') ?? '').slice(-6)));
export const isExpanded = (m: number): string | null | undefined =>
  document.querySelector(`.ag-row[row-id="${ownerId(m)}"]`)?.getAttribute('aria-expanded');
export const focusedRow = (): number | string => {
  const row = document.activeElement?.closest('.ag-cell')?.closest('[row-id]')?.getAttribute('row-id');
  return row ? Number(row.slice(-6)) : (document.activeElement?.textContent ?? '');
};
/** What is selected, as the live region says it. */
export const selectionText = (): string =>
  [...document.querySelectorAll('main [role="status"]')]
    .map((item) => item.textContent ?? '')
    .find((text) => / selected/.test(text)) ?? '';
export const waitSelection = (text: string): Promise<void> => vi.waitFor(() => expect(selectionText()).toBe(text));
export const dialog = (): HTMLElement | null => document.querySelector('[role="dialog"], [role="alertdialog"]');
export const focusText = (): string => document.activeElement?.textContent?.trim() ?? '';

/** Step 2 may be confirmed: the moment to read it is over. */
export const armed = (): Promise<void> =>
  vi.waitFor(() => {
    const yes = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Yes, Mark Selected as Paid',
    );
    expect(yes?.getAttribute('aria-disabled')).toBeNull();
  });

export function clickBox(id: string): void {
  const box = cell(id, 'grid-select')?.querySelector<HTMLElement>('.cd-box');
  if (!box) throw new Error(`No box of ${id}`);
  // Not by its label: that says what is selected, and changes with the click.
  box.click();
}

/** Clicks the box of an owner or challan and waits for the selection: the grid tells it in a task of its own. */
export async function tick(id: string): Promise<void> {
  // A row is there before its box is.
  await vi.waitFor(() => expect(boxOf(id)).not.toBe('no box'));
  const before = boxOf(id);
  clickBox(id);
  await vi.waitFor(() => expect(boxOf(id)).not.toBe(before));
}

/** Puts the focus into the grid, on the row of this owner or challan; what the click opens is closed again. */
export async function goTo(id: string): Promise<void> {
  const start = await vi.waitUntil(() => cell(id, 'challanNumber'), { timeout: 20_000 });
  const wasExpanded = start.closest('[row-id]')?.getAttribute('aria-expanded');
  await userEvent.click(start);
  await vi.waitFor(() => expect(focusedRow()).toBe(Number(id.slice(-6))));
  const expanded = (): string | null | undefined =>
    document.querySelector(`.ag-row[row-id="${id}"]`)?.getAttribute('aria-expanded');
  if (wasExpanded !== 'false') return;
  await vi.waitFor(() => expect(expanded()).toBe('true'));
  await press('{ArrowLeft}');
  await vi.waitFor(() => expect(expanded()).toBe('false'));
}

export const button = (name: string | RegExp) => page.getByRole('button', { name });
export const focus = (text: string): Promise<void> => vi.waitFor(() => expect(focusText()).toBe(text));
export const confirm = (): Promise<void> => press('{Control>}{Enter}{/Control}');
export const closed = (): Promise<void> => vi.waitFor(() => expect(dialog()).toBeNull());
/** Closes what is open, a payment's dialog too. */
export async function closeStatement(): Promise<void> {
  for (let presses = 0; presses < 2 && dialog(); presses += 1) await press('{Escape}');
  await closeApp();
}

/** From step 1 to step 2, which may then be confirmed. */
export async function continueToPayment(): Promise<void> {
  await focus('Download CSV');
  await confirm();
  await focus('No, Cancel');
  await armed();
}

/** To step 2 with the challans of owner 2 selected, by the keyboard alone. */
export async function toStepTwo(): Promise<void> {
  await goTo(ownerId(2));
  await press(' ');
  await waitSelection('2 selected, ₹1,701.00');
  await press('m');
  await continueToPayment();
}
