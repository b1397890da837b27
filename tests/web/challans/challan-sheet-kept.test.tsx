import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accountStorage } from '../../../src/web/kit/api/account-storage.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { create, keys, openSheet, paste, sheetDesk, shows, tableOf, textAt } from '../support/challan-sheet.ts';
import { type Desk } from '../support/records.ts';
import { closeApp, toasts } from '../support/screen.tsx';
import { offline } from '../support/fake-server.ts';

/** What was typed comes back: after a reload, a lost answer, an Undo on another screen, and when there is no room for it. */

let stage: Desk;
beforeEach(() => {
  stage = sheetDesk();
});
afterEach(closeApp);

const draft = () =>
  accountStorage.read('draft:challan.sheet') as { value: { rows: object[] }; savedAt: string } | undefined;
const keptRows = (count: number): Promise<void> =>
  vi.waitFor(() => expect(draft()?.value.rows ?? []).toHaveLength(count));

/** As after a reload of the page: the same storage, the same server. */
async function reload(): Promise<void> {
  const kept = { ...localStorage };
  await closeApp();
  stage = sheetDesk();
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value));
}
const restore = (): Promise<void> => userEvent.click(page.getByRole('button', { name: 'Restore' }));
const undoButton = () => page.getByRole('region', { name: /Notifications/ }).getByRole('button', { name: 'Undo' });

describe('the draft', () => {
  it('keeps the time of the last keystroke while answers come and while it is restored', async () => {
    await openSheet();
    const release = stage.hold(contract.challans.checkSheet);
    paste(tableOf(2));
    await keptRows(2);
    const { savedAt } = draft()!;
    release();
    await shows('2 right');
    const wrote = vi.spyOn(Storage.prototype, 'setItem');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(wrote.mock.calls.filter(([key]) => key.includes('draft:'))).toEqual([]);
    wrote.mockRestore();
    await reload();
    await openSheet();
    await restore();
    await shows('2 right');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(draft()?.savedAt).toBe(savedAt);
  });

  it('of a commit without an answer is sent again as the same request', async () => {
    const sent = () => stage.calls(contract.challans.createMany).map(({ key, body }) => ({ key, body }));
    await openSheet();
    // Rows that came and went before: the keys of the sheet are others after the reload.
    paste(tableOf(1));
    await shows('1 right');
    await keys('{Control>}a{/Control}{Delete}');
    paste(tableOf(3));
    await shows('3 right');
    stage.once(contract.challans.createMany, offline);
    await create();
    await shows('They will not be stored twice');
    await keptRows(3);
    const [first] = sent();
    await reload();
    await openSheet();
    await restore();
    await shows('3 right');
    await create();
    await shows('Sheet 2627-000001');
    expect(first).toBeDefined();
    expect(sent()).toEqual([first]);
    await keptRows(0);
  });

  it('of more rows than a sheet has is restored in parts, and says so', async () => {
    await openSheet();
    paste(tableOf(2));
    await keptRows(2);
    await reload();
    await openSheet();
    paste(tableOf(999, (row) => ({ 'TP No': `NEW-${row}` })));
    await shows('999 rows');
    await restore();
    await vi.waitFor(() => expect(document.querySelector('main')?.textContent).toContain('1,000 rows'));
    await vi.waitFor(() => expect([textAt(1, 'tpNo'), textAt(2, 'tpNo')]).toEqual(['TP-1', 'NEW-1']));
    expect(toasts()).toContain(
      '1 row stays in the draft. A sheet has at most 1,000 rows. Restore it after the others are created.',
    );
    await shows(/A draft from .* was not saved/);
    await keys('{Control>}{Home}{/Control}{Control>}a{/Control}{Delete}');
    await restore();
    await shows('1 right');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe('TP-2'));
  });
});

describe('what Undo takes back', () => {
  it('on another screen is in the draft', async () => {
    await openSheet();
    paste(tableOf(2));
    await shows('2 right');
    await create();
    await shows('Sheet 2627-000001: 2 challans');
    await keptRows(0);
    await keys('{Alt>}6{/Alt}');
    await expect.element(page.getByRole('heading', { name: 'Challans', exact: true })).toBeVisible();
    await undoButton().click();
    await shows('Sheet 2627-000001 was undone. 2 challans are back in the entry sheet.');
    await keptRows(2);
    await userEvent.click(page.getByRole('link', { name: 'Entry Sheet' }));
    await restore();
    await shows('2 right');
  });

  it('after coming back to the screen is in its sheet', async () => {
    await openSheet();
    paste(tableOf(2));
    await shows('2 right');
    await create();
    await shows('Sheet 2627-000001: 2 challans');
    await keys('{Alt>}6{/Alt}');
    await expect.element(page.getByRole('heading', { name: 'Challans', exact: true })).toBeVisible();
    await userEvent.click(page.getByRole('link', { name: 'Entry Sheet' }));
    await shows('Type, paste from a spreadsheet');
    await undoButton().click();
    await shows('2 right');
    await keptRows(2);
  });

  it('goes before what was typed since, and to the draft where there is no room', async () => {
    await openSheet();
    paste(tableOf(3));
    await shows('3 right');
    await create();
    await shows('Sheet 2627-000001: 3 challans');
    paste(tableOf(999, (row) => ({ 'TP No': `NEW-${row}` })));
    await shows('999 rows');
    await undoButton().click();
    await shows('1,000 rows');
    await shows('2 rows stay in the draft. A sheet has at most 1,000 rows. Restore them after the others are created.');
    await vi.waitFor(() => expect([textAt(1, 'tpNo'), textAt(2, 'tpNo')]).toEqual(['TP-1', 'NEW-1']));
    await keptRows(1_002);
  });
});
