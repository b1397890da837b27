import { afterEach, expect, test, vi } from 'vitest';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, buildOwner, idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  cellText,
  closeApp,
  focusPlace,
  goTo,
  openApp,
  page,
  press,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';
import { change, find } from '../support/kept.ts';

afterEach(closeApp);

const editor = (label: string) =>
  page.getByRole('group', { name: new RegExp(`^${label} of CH-`) }).getByRole('textbox', { name: label, exact: true });
const puts = (stage: Desk) => stage.calls(contract.challans.update).map(({ path, body }) => [path.slice(-2), body]);

/** Saves as the server does: under the version, with the days as instants. */
function saves(stage: Desk): void {
  stage.serve(contract.challans.update, ({ params, body: { depositedAt, tagId: _tagId, ...fields } }) => {
    const row = find('Challan', stage.books.challans, params.id);
    if (fields.version !== row.version) throw refusal('VERSION_CONFLICT', changedElsewhere, { data: row });
    const { data } = change('Challan', row, fields);
    if (depositedAt) data.depositedAt = `${depositedAt}T00:00:00.000+05:30`;
    return { data, warnings: [] };
  });
}
const changedElsewhere =
  'This challan was changed by someone else meanwhile. Review the current values and save again.';

async function openList(before: (stage: Desk) => void = () => undefined, over: Partial<Challan> = {}): Promise<Desk> {
  return openListOf(() => over, before);
}

async function openListOf(over: (n: number) => Partial<Challan>, before: (stage: Desk) => void): Promise<Desk> {
  const stage = fakeServer({ challans: buildChallans(4, over) });
  before(stage);
  saves(stage);
  await openApp('/challans');
  return stage;
}

test('F2 edits a cell in its place: Enter saves it and edits the one below, Escape leaves that as it was', async () => {
  const stage = await openList();
  await goTo(3, 'tpNo');
  await press('{F2}');
  await expect.element(editor('TP No')).toHaveValue('TP00003');
  await expect.element(editor('TP No')).toHaveFocus();
  await press('NEW3{Enter}');
  await expect.element(editor('TP No')).toHaveValue('TP00002');
  await press('left{Escape}');
  await expect.element(editor('TP No')).not.toBeInTheDocument();
  await expect.poll(focusPlace).toBe('2 tpNo');
  await vi.waitFor(() => expect(cellText(3, 'tpNo')).toBe('NEW3'));
  expect(cellText(2, 'tpNo')).toBe('TP00002');
  expect(puts(stage)).toEqual([['03', { tpNo: 'NEW3', version: 1 }]]);
  await vi.waitFor(() => expect(toasts()).toEqual(['TP No of CH-2627-000003 saved']));
});

test('a value that the form would refuse is refused in its cell, in the same words, and nothing is sent', async () => {
  const stage = await openList();
  await goTo(4, 'tpNo');
  await press('{F2}');
  await press('{Backspace}{Tab}');
  await expect.element(page.getByText('Please enter TP No', { exact: true })).toBeInTheDocument();
  await expect.element(editor('TP No')).toHaveFocus();
  await press('A1{Tab}');
  await expect.element(page.getByRole('group', { name: /^Tag of CH-/ }).getByRole('combobox')).toHaveFocus();
  await press('{Escape}');
  await expect.poll(focusPlace).toBe('4 tag');
  await vi.waitFor(() => expect(puts(stage)).toEqual([['04', { tpNo: 'A1', version: 1 }]]));
});

test('Tab over the cells of a row while no answer has come: each is sent under the version of the one before', async () => {
  const stage = await openList();
  const first = stage.hold(contract.challans.update);
  await goTo(4, 'tpNo');
  await press('{F2}A1{Tab}{Tab}');
  const deposited = editor('Deposited On');
  await expect.element(deposited).toHaveFocus();
  await press('19/11/2026{Tab}');
  // The next cell that can be edited is the TP number of the next challan.
  await expect.element(editor('TP No')).toHaveValue('TP00003');
  await vi.waitFor(() => expect(cellText(4, 'depositedAt')).toBe('19/11/26'));
  expect(puts(stage)).toHaveLength(1);
  first();
  await vi.waitFor(() =>
    expect(puts(stage)).toEqual([
      ['04', { tpNo: 'A1', version: 1 }],
      ['04', { depositedAt: '2026-11-19', version: 2 }],
    ]),
  );
  // The second time for the whole challans, by whose rules cells are checked.
  expect(stage.asks(contract.challans.listRows)).toHaveLength(2);
  await press('{F2}');
  await expect.poll(focusPlace).toBe('3 tpNo');
  await vi.waitFor(() => expect(stage.asks(contract.challans.listRows)).toHaveLength(3));
  expect(cellText(4, 'tpNo')).toBe('A1');
});

test('somebody else was first: what was typed is kept in the editor, with the value of now', async () => {
  const stage = await openList();
  await goTo(4, 'tpNo');
  Object.assign(stage.books.challans[0] ?? {}, { tpNo: 'THEIRS', version: 7 });
  await press('{F2}MINE{F2}');
  await expect.element(editor('TP No')).toHaveValue('MINE');
  await expect.element(page.getByText(`${changedElsewhere} It is now “THEIRS”.`, { exact: true })).toBeInTheDocument();
  await press('{F2}');
  await vi.waitFor(() => expect(cellText(4, 'tpNo')).toBe('MINE'));
  expect(puts(stage)).toEqual([
    ['04', { tpNo: 'MINE', version: 1 }],
    ['04', { tpNo: 'MINE', version: 7 }],
  ]);
});

test('a call that fails takes back its cell alone, and F2 brings back what was typed there', async () => {
  const stage = await openList();
  const answer = stage.hold(contract.challans.update, () => refusal('INTERNAL_ERROR', 'Something went wrong'));
  await goTo(4, 'tpNo');
  await press('{F2}A4{Enter}A3{Enter}');
  await expect.element(editor('TP No')).toHaveValue('TP00002');
  await vi.waitFor(() => expect([cellText(4, 'tpNo'), cellText(3, 'tpNo')]).toEqual(['A4', 'A3']));
  answer();
  await vi.waitFor(() => expect(cellText(4, 'tpNo')).toBe('TP00004'));
  expect(cellText(3, 'tpNo')).toBe('A3');
  await expect.element(editor('TP No')).toHaveFocus();
  await press('{Escape}');
  await goTo(4, 'tpNo');
  await expect.poll(() => document.activeElement?.classList.contains('cd-not-saved')).toBe(true);
  await press('{F2}');
  await expect.element(editor('TP No')).toHaveValue('A4');
  await expect.element(page.getByText('Something went wrong', { exact: true })).toBeInTheDocument();
});

test('TDS 0 is taken in the cell of an owner with a declaration; everybody else gets the rule', async () => {
  const stage = await openListOf(
    (n) => ({ tdsPercentage: '0.1', owner: { ...buildOwner(n), holdReason: '' } }),
    () => undefined,
  );
  const [, declared] = stage.books.challans;
  stage.serve(contract.declarations.ofOwner, ({ params }) => ({
    data:
      params.id === declared?.owner.id
        ? [{ id: idOf(900), receivedOn: '2026-04-04', validFrom: '2026-04-04', validTo: '2027-03-31' }]
        : [],
    noticeDays: 30,
  }));
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'TDS Percentage' }));
  await press('{Escape}');
  const percentage = editor('TDS Percentage');
  await goTo(4, 'tpNo');
  await press('{End}{ArrowLeft}');
  await expect.poll(focusPlace).toBe('4 tdsPercentage');
  await press('{F2}');
  await expect.element(percentage).toHaveFocus();
  await press('0{Enter}');
  await expect.element(page.getByText('TDS percentage must be greater than 0', { exact: true })).toBeInTheDocument();
  await expect.element(percentage).toHaveFocus();
  await press('{Escape}');
  expect(puts(stage)).toEqual([]);
  await press('{ArrowDown}{F2}0{F2}');
  // Also, so that the toast does not come during the next test.
  await vi.waitFor(() => expect(toasts()).toEqual(['TDS Percentage of CH-2627-000003 saved']));
  expect(puts(stage)).toHaveLength(1);
  expect(puts(stage)[0]).toEqual([
    '03',
    expect.objectContaining({ tdsPercentage: '0.0', tdsAmount: '0.00', version: 1 }),
  ]);
});

test('a challan of a locked day has a mark that says why, and F2 says it instead of editing', async () => {
  const stage = await openListOf(
    (n) => (n === 3 ? { depositedAt: '2026-11-16T18:30:00.000Z' } : {}),
    (desk) =>
      desk.serve(contract.periodLock.get, () => ({
        data: {
          upTo: '2026-11-17',
          lockedBy: 'tarini@demo.example',
          lockedAt: '2026-11-18T06:00:00.000Z',
          openUntil: null,
          liftedBy: '',
          reason: '',
          version: 1,
        },
      })),
  );
  const why = 'Books are locked up to 17/11/2026; an owner of the business can lift the lock.';
  await expect.poll(() => page.getByRole('img', { name: why }).elements()).toHaveLength(1);
  await goTo(3, 'depositedAt');
  await press('{F2}');
  await vi.waitFor(() => expect(toasts()).toEqual([why]));
  expect(focusPlace()).toBe('3 depositedAt');
  // What is not locked is edited; Tab shows the sentence at the next cell that is.
  await goTo(3, 'tpNo');
  await press('{F2}A3{Tab}{Tab}');
  await expect.element(editor('Deposited On')).toHaveFocus();
  await expect.element(page.getByText(why, { exact: true }).last()).toBeVisible();
  await press('19/11/2026{Enter}');
  await expect.element(editor('Deposited On')).toHaveFocus();
  await press('{Escape}');
  expect(puts(stage)).toEqual([['03', { tpNo: 'A3', version: 1 }]]);
});

test('Ctrl+Z takes back the last edit, then the one before it', async () => {
  const stage = await openList();
  await goTo(4, 'tpNo');
  await press('{F2}A4{Enter}A3{F2}');
  await vi.waitFor(() => expect(toasts()).toEqual(['TP No of CH-2627-000003 saved']));
  await expect.poll(focusPlace).toBe('3 tpNo');
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['TP No of CH-2627-000003 restored']));
  await vi.waitFor(() => expect(cellText(3, 'tpNo')).toBe('TP00003'));
  expect(cellText(4, 'tpNo')).toBe('A4');
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(cellText(4, 'tpNo')).toBe('TP00004'));
  await vi.waitFor(() => expect(puts(stage).at(-1)).toEqual(['04', { tpNo: 'TP00004', version: 2 }]));
});

test('the money of a paid challan is asked about, as in the form; No goes back to what was typed', async () => {
  const stage = await openList(() => undefined, { paymentStatus: true, paidAt: '2025-10-09T19:00:00.000Z' });
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Office Charges' }));
  await press('{Escape}');
  await goTo(4, 'tpNo');
  await press('{End}{ArrowLeft}');
  await expect.poll(focusPlace).toBe('4 officeCharges');
  await press('{F2}');
  await expect.element(editor('Office Charges')).toHaveFocus();
  await press('10{Enter}');
  const question = page.getByRole('alertdialog', { name: 'Change the amounts of a paid challan?' });
  await expect.element(question).toBeInTheDocument();
  await expect.element(question).toHaveTextContent(/counts as paid today and not on 10\/10\/2025, in a TDS register/);
  await press('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(editor('Office Charges')).toHaveFocus();
  await expect.element(editor('Office Charges')).toHaveValue('10.00');
  expect(puts(stage)).toEqual([]);
  await press('{Enter}');
  await expect.element(question).toBeInTheDocument();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() =>
    expect(puts(stage)).toEqual([['04', { officeCharges: '10.00', netAmountPayable: '790.00', version: 1 }]]),
  );
});

test('F2 on a cell that is not edited in the list opens the form, and no other key changes a cell', async () => {
  await openList();
  await goTo(3, 'tpNo');
  await press('x{Enter}');
  await expect.element(page.getByRole('dialog')).toBeInTheDocument();
  await press('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(shownRows()).toEqual(['4', '3', '2', '1']);
  await press('{ArrowRight}');
  await expect.poll(focusPlace).toBe('3 vehicleNo');
  await press('{F2}');
  await vi.waitFor(() => expect(window.location.pathname).toBe(`/challans/edit/${idOf(3)}`));
});
