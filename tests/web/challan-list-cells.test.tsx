import { afterEach, expect, test, vi } from 'vitest';
import type { Challan } from '../../src/shared/contract/challan.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { buildChallans, idOf } from './support/builders.ts';
import { refusal } from './support/fake-server.ts';
import { type Desk, fakeServer } from './support/records.ts';
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
} from './support/screen.tsx';
import { change, find } from './support/kept.ts';

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
  const stage = fakeServer({ challans: buildChallans(4, () => over) });
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
  const stage = await openList(() => undefined, { paymentStatus: true });
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
