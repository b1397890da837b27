import { afterEach, describe, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Endpoint } from '../../../src/shared/contract/define.ts';
import type { ScreenId } from '../../../src/shared/contract/nouns.ts';
import { screens } from '../../../src/web/screens.ts';
import { buildChallan, buildOwner } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import {
  boxOf,
  button,
  cellText,
  closeApp,
  dialog,
  field,
  focusPlace,
  goTo,
  goToCell,
  openAs,
  page,
  press,
  saveKeys,
  toasts,
} from '../support/screen.tsx';

afterEach(closeApp);

const onlyMoneySeats = 'Only an owner or an accountant may do this. Ask one of them.';
const noBankDetails = 'A clerk does not see bank details and PANs in full. Ask an owner or an accountant.';
const auditorReads = 'An auditor reads and does not change anything. Ask somebody of the business.';

const main = (screen: ScreenId): Endpoint => {
  const calls: Partial<Record<ScreenId, Endpoint>> = {
    createChallan: contract.challans.create,
    editChallan: contract.challans.update,
    challanSheet: contract.challans.createMany,
    import: contract.imports.apply,
    openingBalances: contract.ownerStatements.setOpenings,
    bankFiles: contract.bankFiles.list,
    bankLines: contract.bankAnswers.listLines,
    bankAnswer: contract.bankAnswers.proposals,
    bankAnswers: contract.bankAnswers.list,
    bankAccounts: contract.bankAccounts.list,
    bankLayouts: contract.bankLayouts.list,
    tds: contract.tds.list,
    tdsDeductions: contract.tds.listDeductions,
    tdsDeposits: contract.tdsDeposits.list,
    closeMonth: contract.monthPacks.list,
    tally: contract.tally.list,
    tallyChanged: contract.tally.listChanged,
    people: contract.people.list,
    activity: contract.activity.list,
  };
  return calls[screen] ?? contract.challans.listRows;
};

test('a screen asks for the right of its main call', () => {
  const ofScreens = Object.entries(screens)
    .filter(([, { role }]) => role === 'subadmin')
    .map(([id, { right = 'read' }]) => [id, right]);
  // Safe: these are the keys of the table.
  expect(ofScreens).toEqual(ofScreens.map(([id]) => [id, main(id as ScreenId).right]));
});

describe('a clerk', () => {
  const unpaid = buildChallan(1, { tpNo: 'TP-1' });
  const paid = buildChallan(2, { tpNo: 'TP-2', paymentStatus: true });

  test('does not mark a challan paid, nor change one that is paid: box, key and button say why', async () => {
    const stage = fakeServer({ challans: [unpaid, paid] });
    await openAs('clerk', '/challans');
    await goTo(1, 'paymentStatus');
    const box = document.activeElement?.querySelector('.cd-box');
    expect([box?.getAttribute('aria-disabled'), box?.getAttribute('title')]).toEqual(['true', onlyMoneySeats]);
    await press(' ');
    await press('p');
    await vi.waitFor(() => expect(toasts()).toContain(onlyMoneySeats));
    expect(boxOf(1, 'paymentStatus')).toBe('false');
    await goTo(2);
    await press('e');
    await vi.waitFor(() =>
      expect(toasts()).toContain('This challan is marked as paid. Only an owner or an accountant may change it.'),
    );
    expect(window.location.pathname).toBe('/challans');
    expect(stage.writes()).toEqual([]);
  });

  test('finds no bank and no tax in menu and palette, and the address says why', async () => {
    fakeServer({ challans: [unpaid] }).serveRest();
    await openAs('clerk', '/accounting/tds', 'main h1');
    await expect.element(page.getByRole('heading', { level: 1, name: 'TDS Register' })).toBeVisible();
    await expect.element(page.getByText(noBankDetails)).toBeVisible();
    expect(page.getByRole('link', { name: /TDS Register|At the Bank/ }).elements()).toEqual([]);
    await press('{Control>}k{/Control}');
    await press('tds register');
    await expect.element(page.getByText('No results.')).toBeVisible();
    await press('{Escape}');
    await press('gx');
    expect(window.location.pathname).toBe('/accounting/tds');
  });

  test('enters data by the own name, and not that a payment is done', async () => {
    fakeServer().serveRest();
    await openAs('clerk', '/challans/create', 'main form');
    await expect.element(field('Data Entry By')).toHaveValue('Ravi Kumar');
    const done = page.getByRole('checkbox', { name: 'Payment Done' });
    await expect.element(done).toHaveAttribute('aria-disabled', 'true');
  });

  test('keeps account and PAN of an owner, of which the end is shown, by leaving them empty', async () => {
    const owner = buildOwner(1, { accountNo: '••••7801', ifsc: '••••1234', panNo: '••••201F' });
    const stage = fakeServer({ owners: [owner] });
    stage.mayBeUnfit(contract.owners.update);
    await openAs('clerk', '/owners');
    expect(cellText(1, 'accountNo')).toBe('••••7801');
    await goToCell(1, 'contactNumber');
    await press('e');
    await expect.element(dialog('Edit Owner')).toBeVisible();
    await expect.element(field('Account Number')).toHaveValue('');
    await expect.element(field('Account Number')).toHaveAccessibleDescription('••••7801: leave it empty to keep it');
    await page.getByRole('textbox', { name: 'Branch Name' }).fill('Barbil');
    await saveKeys();
    await vi.waitFor(() => expect(stage.writes(contract.owners.update)).toHaveLength(1));
    expect(stage.writes(contract.owners.update)).toEqual([{ branchName: 'Barbil', version: 1 }]);
    await goToCell(1, 'contactNumber');
    await press('e');
    await field('PAN Number').fill('ABCD');
    await press('{Tab}');
    await expect.element(field('PAN Number')).toHaveAttribute('aria-invalid', 'true');
    await field('PAN Number').fill('ABCDE1234F');
    await saveKeys();
    await vi.waitFor(() => expect(stage.writes(contract.owners.update)).toHaveLength(2));
    expect(stage.writes(contract.owners.update)[1]).toMatchObject({ panNo: 'ABCDE1234F' });
  });
});

describe('an auditor', () => {
  test('edits no cell, adds nothing, and is told why', async () => {
    const stage = fakeServer({ owners: [buildOwner(1)] });
    await openAs('auditor', '/owners');
    await expect.element(button('Add New Owner')).toHaveAttribute('aria-disabled', 'true');
    await goToCell(1, 'contactNumber');
    await press('{F2}');
    await vi.waitFor(() => expect(toasts()).toContain(auditorReads));
    expect(focusPlace()).toBe('1 contactNumber');
    await press('{Delete}');
    await press('{Alt>}n{/Alt}');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(window.location.pathname).toBe('/owners');
    expect(stage.writes()).toEqual([]);
  });

  test.each(['/challans/create', '/challans/sheet', '/import'])('does not open %s', async (path) => {
    fakeServer().serveRest();
    await openAs('auditor', path, 'main h1');
    await expect.element(page.getByText(auditorReads)).toBeVisible();
    expect(document.querySelector('main form, main .cd-grid')).toBeNull();
  });
});
