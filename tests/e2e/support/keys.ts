import type { Locator, Page } from 'playwright';

/** The keyboard as a person uses it: nothing here moves the focus or a value by itself. */

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement));

/** Keys that are counted: a key with Ctrl or Alt is one. */
export function countKeys(page: Page) {
  let count = 0;
  return {
    press: async (...keys: string[]): Promise<void> => {
      for (const key of keys) {
        count += 1;
        await page.keyboard.press(key);
      }
    },
    type: async (text: string): Promise<void> => {
      count += text.length;
      await page.keyboard.type(text);
    },
    /** How many since the last time. */
    counted: (): number => {
      const now = count;
      count = 0;
      return now;
    },
  };
}

/** Tab (or Shift+Tab) from where the focus is, until it is on the target. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let n = 0; n < 80; n += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${target.toString()}`);
}

/** A text field or picker by its label, of a dialog or of the page. */
export function fieldIn(place: Page | Locator, label: string): Locator {
  const named = { name: label, exact: true };
  return place
    .getByRole('textbox', named)
    .or(place.getByRole('combobox', named))
    .or(place.getByLabel(label, { exact: true }));
}

/** Replaces the value of a field; the focus stays in it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+A');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.type(text);
}

/** Types into the fields of a dialog, by label, and leaves the last. */
export async function typeAll(page: Page, dialog: Locator, values: Record<string, string>): Promise<void> {
  await dialog.waitFor();
  for (const [label, text] of Object.entries(values)) await typeInto(page, fieldIn(dialog, label), text);
  await page.keyboard.press('Tab');
}

/** Whether the focus is in the table, in the row that says this; pinned columns are in a separate row beside it. */
const isOnRow = (wanted: string): boolean => {
  const id = document.activeElement?.closest('[role="row"]')?.getAttribute('row-id');
  return [...document.querySelectorAll('[role="row"]')].some(
    (row) => id && row.getAttribute('row-id') === id && row.textContent?.includes(wanted),
  );
};

export async function untilOnRow(page: Page, text: string): Promise<void> {
  await page.waitForFunction(isOnRow, text);
}

/** Into the table with Tab, to its first row. */
export async function intoTable(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await page.getByRole('gridcell').first().waitFor();
  const isInTable = () => page.evaluate(() => document.activeElement?.closest('[role="gridcell"]') !== null);
  for (let n = 0; n < 60 && !(await isInTable()); n += 1) await page.keyboard.press(key);
  await page.keyboard.press('Control+Home');
}

/** Into the table, and down through it until the row that says this has the focus. */
export async function walkTo(page: Page, text: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await page.getByRole('gridcell').filter({ hasText: text }).first().waitFor();
  await intoTable(page, key);
  for (let n = 0; n < 30; n += 1) {
    if (await page.evaluate(isOnRow, text)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The arrow keys do not reach the row of ${text}`);
}

/**
 * In the open list of a select, down to this option, which is taken. Not by its letters: between two of them a busy machine
 * pauses longer than they belong together.
 */
export async function takeOption(page: Page, name: string | RegExp): Promise<void> {
  const option = page.getByRole('option', { name }).first();
  await option.waitFor();
  const isMarked = (): Promise<boolean> =>
    option.evaluate(({ id }) => document.activeElement?.getAttribute('aria-activedescendant') === id);
  await page.keyboard.press('Home');
  for (let n = 0; n < 60 && !(await isMarked()); n += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** In the open menu, down to this item, which is done. */
export async function takeItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  await item.waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]') !== null);
  for (let n = 0; n < 12 && !(await hasFocus(item)); n += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/**
 * A toast or a message of the page, by its very words. A toast counts also when it has gone: it stays for seconds, and a busy
 * machine may look for it later. What was said before the one that is found counts no more.
 */
export async function said(page: Page, text: string): Promise<void> {
  const shown = page.getByText(text, { exact: true }).first();
  for (let n = 0; n < 600; n += 1) {
    // On the way to another page there is nothing to ask.
    const wasSaid = await page.evaluate(takeToast, text).catch(() => false);
    if (wasSaid || (await shown.isVisible())) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`Nobody said: ${text}`);
}

interface WithToasts {
  toastTexts?: string[];
}

/** Runs in the page before its scripts: notes the texts of the toasts as they appear. */
export function noteToasts(): void {
  const texts: string[] = [];
  (window as WithToasts).toastTexts = texts;
  const last = new WeakMap<Element, string>();
  new MutationObserver(() => {
    for (const part of document.querySelectorAll('[data-sonner-toast] :is([data-title], [data-description])')) {
      const text = part.textContent ?? '';
      if (last.get(part) !== text) texts.push(text);
      last.set(part, text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

function takeToast(text: string): boolean {
  const texts = (window as WithToasts).toastTexts ?? [];
  const at = texts.indexOf(text);
  texts.splice(0, at + 1);
  return at >= 0;
}

export const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
export const question = (page: Page): Locator => page.getByRole('alertdialog');
/** Until it is no more, and the focus has found a place: a dialog gives it back a moment after it has gone. */
export async function gone(target: Locator): Promise<void> {
  await target.waitFor({ state: 'detached' });
  await target.page().waitForFunction(() => document.activeElement !== document.body);
}
