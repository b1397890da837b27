import { afterEach, expect, test, vi } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import type { BulkResult, BulkPreview } from '../../../src/shared/contract/challans-bulk.ts';
import type { BodyOf } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { halfUndone } from '../support/builders.ts';
import { choose } from '../choose.ts';
import { buildChallans, coal, idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, goTo, openApp, page, press, toastDetails, toasts } from '../support/screen.tsx';

/** One act on the selected challans (docs/specification.md §8.8). */
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

type Body = BodyOf<typeof contract.challans.changeMany>;

/** Answers as the server does, of the challans of the stage; a rate of `r` makes each net 10 × (r − 100) higher. */
function figuresOf(stage: Desk, { selection, act }: Body): BulkPreview {
  const found = stage.books.challans.filter(({ id }) =>
    selection.by === 'ids' ? selection.challanIds.includes(id) : !selection.excludeChallanIds.includes(id),
  );
  const isPay = act.kind === 'paid';
  const changed = found.filter(({ paymentStatus }) => paymentStatus === (isPay ? !act.value : false));
  const paid = isPay && !act.value ? [] : found.filter(({ paymentStatus }) => paymentStatus);
  const amountOf = (rows: typeof found): string => sum(rows.map(({ netAmountPayable }) => netAmountPayable));
  return {
    count: found.length,
    totalAmount: amountOf(found),
    changedCount: changed.length,
    changedAmount: amountOf(changed),
    netChange: act.kind === 'set' && act.values.ratePerMT ? `${changed.length * 1000}.00` : '0.00',
    paidCount: paid.length,
    sameCount: found.length - changed.length - paid.length,
    refused: [],
    goneCount: 0,
    negativeOwnerCount: 0,
    negativeOwners: [],
    deductedAmount: '0.00',
    needsRelease: null,
    fingerprint: `of ${found.length}`,
  };
}

function stageOf(count: number, over?: Parameters<typeof buildChallans>[1]): Desk {
  const stage = fakeServer({ challans: buildChallans(count, over) });
  stage.serve(contract.challans.previewMany, ({ body }) => ({ data: figuresOf(stage, body) }));
  stage.serve(contract.challans.changeMany, ({ body }) => {
    const { count: _count, totalAmount: _total, fingerprint: _print, ...figures } = figuresOf(stage, body);
    const { act } = body;
    const isPay = act.kind === 'paid' && act.value;
    const payment = { batchId: idOf(601), number: 'PAY-2627-000007', totalAmount: figures.changedAmount };
    if (act.kind === 'delete') stage.books.challans = stage.books.challans.filter(({ paymentStatus }) => paymentStatus);
    const data: BulkResult = {
      ...figures,
      payment: isPay ? payment : null,
      batch: isPay ? null : { id: idOf(501), number: 'Change 2627-000003' },
    };
    return { data };
  });
  return stage;
}

const dialog = () => page.getByRole('alertdialog');
const bodies = (stage: Desk): Body[] => stage.calls(contract.challans.changeMany).map(({ body }) => body as Body);
const says = (text: string) => expect.element(dialog().getByText(text, { exact: true })).toBeVisible();

async function selectPage(first: number): Promise<void> {
  await goTo(first);
  await press('{Control>}a{/Control}');
}

test('P on a selection asks once, with count and amount and what stays as it is, and pays what the preview said', async () => {
  const stage = stageOf(4, (n) => ({ paymentStatus: n === 2 }));
  await openApp('/challans');
  await selectPage(4);
  await press('p');
  // 796 + 797 + 798 + 799.
  await expect.element(dialog().getByRole('heading', { name: 'Change 4 challans, ₹3,190.00' })).toBeVisible();
  await says('3 challans, ₹2,392.00, are marked paid in one payment; 1 is paid and stays as it is.');
  await expect.element(dialog().getByRole('button', { name: 'Cancel' })).toHaveFocus();
  expect(stage.calls(contract.challans.changeMany)).toEqual([]);
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(bodies(stage)).toHaveLength(1);
  });
  expect(bodies(stage)[0]).toEqual({
    selection: { by: 'ids', challanIds: expect.arrayContaining([idOf(1), idOf(2), idOf(3), idOf(4)]) as string[] },
    act: { kind: 'paid', value: true },
    expected: { count: 4, totalAmount: '3190.00', fingerprint: 'of 4' },
  });
  await vi.waitFor(() => expect(toasts()).toEqual(['3 challans marked paid']));
  expect(toastDetails()).toEqual(['₹2,392.00 · Payment PAY-2627-000007']);
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText('4 selected')).not.toBeInTheDocument();
  stage.serve(contract.paymentBatches.reverse, () => refusal('ALREADY_REVERSED', 'Reversed already'));
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(stage.calls(contract.paymentBatches.reverse)).toHaveLength(1));
});

test('where all of them are paid, P offers the other way round', async () => {
  const stage = stageOf(3, () => ({ paymentStatus: true }));
  await openApp('/challans');
  await selectPage(3);
  await press('p');
  await says('3 challans, ₹2,394.00, are marked unpaid.');
  await expect.element(dialog().getByRole('button', { name: 'Mark 3 challans as unpaid' })).toBeVisible();
  await press('{Escape}');
  expect(bodies(stage)).toEqual([]);
  await expect.element(page.getByText('3 selected')).toBeVisible();
});

test('Delete on a selection deletes what is not paid; the message takes it back', async () => {
  const stage = stageOf(3, (n) => ({ paymentStatus: n === 1 }));
  const left = { record: 'challan' as const, id: idOf(2), name: 'CH-2', reason: 'It was changed since.' };
  stage.serve(contract.batches.undo, () => halfUndone('Change 2627-000003', left));
  await openApp('/challans');
  await selectPage(3);
  await press('{Delete}');
  await says('2 challans, ₹1,595.00, are deleted; 1 is paid and stays as it is.');
  const sure = dialog().getByRole('button', { name: 'Delete 2 challans' });
  await vi.waitFor(async () => {
    if (bodies(stage).length === 0) await sure.click();
    expect(bodies(stage)).toHaveLength(1);
  });
  await vi.waitFor(() => expect(toasts()).toEqual(['2 challans deleted']));
  await vi.waitFor(() => expect(document.activeElement?.closest('[row-id]')?.getAttribute('row-id')).toBe(idOf(1)));
  await press('{Control>}z{/Control}');
  await vi.waitFor(() =>
    expect(toasts()).toEqual(
      expect.arrayContaining([
        'Change 2627-000003 undone: 1 challan as before',
        '1 challan left as it is: It was changed since.',
      ]),
    ),
  );
});

test('a second Ctrl+A selects all that match, less those that are unticked; M sets a tag on them', async () => {
  const stage = stageOf(14);
  await openApp('/challans?tagId=' + coal.id);
  await selectPage(14);
  await expect.element(page.getByText('10 selected')).toBeVisible();
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('14 selected')).toBeVisible();
  await vi.waitFor(() => expect(toasts()).toEqual(['All 14 matching challans are selected.']));
  await press(' ');
  await expect.element(page.getByText('13 selected')).toBeVisible();
  await expect.element(page.getByText('(all 14 matching, 1 excluded)')).toBeVisible();
  await press('m');
  const combo = dialog().getByRole('combobox', { name: 'Tag' });
  await combo.click();
  await page.getByRole('option', { name: 'COAL' }).click();
  await says('Net changes by ₹0.00 on 13 challans.');
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(bodies(stage)).toHaveLength(1);
  });
  expect(bodies(stage)[0]).toMatchObject({
    selection: { by: 'filter', filters: { tagId: coal.id }, excludeChallanIds: [idOf(14)] },
    act: { kind: 'set', values: { tagId: coal.id } },
  });
  await vi.waitFor(() => expect(toasts().join()).toContain('13 challans changed'));
});

test('the net change is said before it is done; without a value, and with nothing to change, the button says why', async () => {
  const stage = stageOf(3, (n) => ({ paymentStatus: n > 1 }));
  await openApp('/challans');
  await selectPage(3);
  await page.getByRole('button', { name: 'Change…' }).click();
  const chooser = dialog().getByRole('combobox', { name: 'What to do' });
  await expect.element(chooser).toHaveFocus();
  // Without a tag nothing is asked of the server.
  await expect.element(dialog().getByRole('button', { name: 'Change', exact: true })).toBeVisible();
  await chooser.click();
  await page.getByRole('option', { name: 'Set Rate per MT' }).click();
  expect(stage.calls(contract.challans.previewMany)).toEqual([]);
  const button = dialog().getByRole('button', { name: 'Change', exact: true });
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await dialog().getByRole('textbox', { name: 'Rate per MT' }).fill('200');
  await says('Net changes by ₹1,000.00 on 1 challan; 2 are paid and stay as they are.');
  await press('{Escape}');
  await vi.waitFor(() => expect(dialog().elements()).toEqual([]));
  stage.books.challans = stage.books.challans.map((row) => ({ ...row, paymentStatus: true }));
  await press('{Delete}');
  await says('0 challans, ₹0.00, are deleted; 3 are paid and stay as they are.');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['A paid challan stays as it is, and no other one would change']));
  expect(bodies(stage)).toEqual([]);
});

test('a selection that changed meanwhile is shown again before anything is done', async () => {
  const stage = stageOf(3);
  await openApp('/challans');
  await selectPage(3);
  await press('p');
  await says('3 challans, ₹2,394.00, are marked paid in one payment.');
  stage.once(contract.challans.changeMany, ({ body }) => {
    stage.books.challans = stage.books.challans.slice(1);
    const data = figuresOf(stage, body);
    const message = 'The selected challans have changed meanwhile. Review the new figures, then confirm again.';
    return refusal('SELECTION_CHANGED', message, { data });
  });
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(bodies(stage)).toHaveLength(1);
  });
  await expect.element(dialog().getByText(/There are 2 challans now instead of 3 challans\./)).toBeVisible();
  await says('2 challans, ₹1,597.00, are marked paid in one payment.');
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(bodies(stage)).toHaveLength(2);
  });
  expect(bodies(stage)[1]?.expected).toEqual({ count: 2, totalAmount: '1597.00', fingerprint: 'of 2' });
});

test('another filter keeps challans that were chosen one by one, and ends a selection of all that match', async () => {
  stageOf(14);
  const router = await openApp('/challans');
  await goTo(14);
  await press(' ');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  await router.navigate('/challans?paymentStatus=paid');
  await expect.element(page.getByText('(1 not on this page)')).toBeVisible();
  await router.navigate('/challans');
  await vi.waitFor(() => expect(document.querySelector(`[row-id="${idOf(14)}"]`)).not.toBeNull());
  await goTo(14);
  await press('{Escape}');
  await press('{Control>}a{/Control}{Control>}a{/Control}');
  await expect.element(page.getByText('14 selected')).toBeVisible();
  await router.navigate('/challans?paymentStatus=unpaid');
  await vi.waitFor(() =>
    expect(toasts()).toContain('Selection cleared because the filter changed (14 challans were selected).'),
  );
  await expect.element(page.getByText('14 selected')).not.toBeInTheDocument();
});

test('P on the one selected row that has the focus acts at once, as without a selection', async () => {
  const stage = stageOf(3);
  await openApp('/challans');
  await goTo(3);
  await press(' ');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  await press('p');
  await vi.waitFor(() =>
    expect(stage.calls(contract.challans.update).map(({ path }) => path)).toEqual([`/challans/${idOf(3)}`]),
  );
  // One that is not the row in hand.
  await press('{ArrowDown}p');
  await expect.element(dialog().getByRole('heading', { name: /^Change 1 challan,/ })).toBeVisible();
});

test('without a value yet nothing is asked and nothing can be confirmed', async () => {
  const stage = stageOf(2);
  await openApp('/challans');
  await selectPage(2);
  await page.getByRole('button', { name: 'Change…' }).click();
  const yes = dialog().getByRole('button', { name: 'Change', exact: true });
  await expect.element(yes).toHaveAttribute('aria-disabled', 'true');
  // Longer than the debounce of a value that is typed.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(stage.calls(contract.challans.previewMany)).toEqual([]);
  await expect.element(dialog().getByRole('alert')).not.toBeInTheDocument();
});

test('a date that cannot be read is forgotten with its field', async () => {
  stageOf(2);
  await openApp('/challans');
  await selectPage(2);
  await page.getByRole('button', { name: 'Change…' }).click();
  const chooser = dialog().getByRole('combobox', { name: 'What to do' });
  await choose(chooser, 'Set Deposited On');
  await dialog().getByRole('textbox', { name: 'Deposited On' }).fill('77/88');
  await press('{Tab}');
  await expect.element(dialog().getByRole('textbox', { name: 'Deposited On' })).toBeInvalid();
  await choose(chooser, 'Set Rate per MT');
  await dialog().getByRole('textbox', { name: 'Rate per MT' }).fill('200');
  await says('Net changes by ₹2,000.00 on 2 challans.');
});

test('while an act is being done no other one can be chosen, and the message names the one that was sent', async () => {
  const stage = stageOf(3);
  await openApp('/challans');
  await selectPage(3);
  await press('p');
  await says('3 challans, ₹2,394.00, are marked paid in one payment.');
  let answer = (): void => undefined;
  stage.once(contract.challans.changeMany, async ({ body }) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { act } = body as Body;
    const figures = figuresOf(stage, body as Body);
    const payment = { batchId: idOf(601), number: 'PAY-2627-000007', totalAmount: figures.changedAmount };
    expect(act).toEqual({ kind: 'paid', value: true });
    return { data: { ...figures, payment, batch: null } };
  });
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(bodies(stage)).toHaveLength(1);
  });
  const chooser = dialog().getByRole('combobox', { name: 'What to do' });
  await expect.element(chooser).toHaveAttribute('aria-disabled', 'true');
  await chooser.click({ force: true });
  await expect.element(page.getByRole('option')).not.toBeInTheDocument();
  answer();
  await vi.waitFor(() => expect(toasts()).toEqual(['3 challans marked paid']));
  expect(bodies(stage)).toHaveLength(1);
});

test('the selection goes into a workbook, with the columns and in the order of the table', async () => {
  const stage = stageOf(4);
  stage.serve(contract.challans.exportMany, () => ({ name: 'challans.xlsx', text: 'workbook' }));
  await openApp('/challans?sortBy=netAmountPayable&sortOrder=asc');
  await selectPage(4);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await vi.waitFor(() => expect(toasts()).toEqual(['Excel export completed successfully!']));
  expect(stage.writes(contract.challans.exportMany)).toEqual([
    {
      selection: { by: 'ids', challanIds: expect.arrayContaining([1, 2, 3, 4].map(idOf)) as string[] },
      columns: expect.arrayContaining(['challanNumber', 'netAmountPayable']) as string[],
      sortBy: 'netAmountPayable',
      sortOrder: 'asc',
    },
  ]);
  // It is still selected.
  await expect.element(page.getByText('4 selected')).toBeVisible();
});
