import { afterEach, expect, test, vi } from 'vitest';
import type { BankLayout } from '../../../src/shared/contract/bank-layouts.ts';
import type { BankAccount } from '../../../src/shared/contract/bank-accounts.ts';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { account, buildLine, ownLayout, payment, shipped } from '../support/bank.ts';
import { idOf } from '../support/builders.ts';
import { add, change, find, paged, take } from '../support/kept.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, hearing, press, userEvent } from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

/** The layouts of the pretend server; each write is checked against the contract and shown from then on. */
function stageOf(layouts: BankLayout[], accounts: readonly BankAccount[] = [account]): Desk {
  // What is saved changes the records of this test only.
  layouts.splice(0, layouts.length, ...structuredClone(layouts));
  const stage = fakeServer();
  const calls = contract.bankLayouts;
  stage.serve(calls.list, () => ({ data: layouts }));
  stage.serve(calls.create, ({ body }) => add(layouts, { id: idOf(39), isShipped: false, version: 1, ...body }));
  stage.serve(calls.update, ({ params, body }) => change('Layout', find('Layout', layouts, params.id), body));
  stage.serve(calls.remove, ({ params }) => take('Layout', layouts, params.id));
  const summary = { updatedCount: 6, totalAmount: '253500.50', paidCount: 6, paidAmount: '253500.50' };
  stage.serve(contract.paymentBatches.list, ({ query }) => ({ ...paged([payment], query), summary }));
  stage.serve(contract.bankAccounts.list, ({ query }) => paged(accounts, query));
  stage.serve(contract.bankFiles.check, () => ({
    data: { account, lines: [buildLine(1, 'Ravi Kumar')], amount: '1000.00', fileOn: '2026-11-21', serial: 7 },
  }));
  return stage;
}

const open = (waitFor = 'section[aria-label="Each line"]') => openApp('/profile/bank-layouts', waitFor);
const layout = () => page.getByRole('combobox', { name: 'Layout', exact: true });
const name = () => page.getByRole('textbox', { name: 'Name', exact: true });
const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const question = () => page.getByRole('alertdialog');
const contents = () => page.getByLabelText('Contents of the file');
const writes = (stage: Desk) =>
  stage.calls().filter(({ endpoint, method }) => endpoint.resource === 'bank-layouts' && method !== 'GET');
const labelsNow = () =>
  [...document.querySelectorAll<HTMLInputElement>('section[aria-label="Each line"] input[id]')]
    .filter((input) => input.labels?.[0]?.textContent?.startsWith('Label'))
    .map(({ value }) => value);

test('nothing is arranged before the layouts are there', async () => {
  const stage = stageOf([shipped]);
  const late = stage.hold(contract.bankLayouts.list, () => ({ data: [shipped] }));
  await open('h1');
  await expect.element(page.getByRole('heading', { name: 'Bank Layouts' })).toBeVisible();
  expect(document.querySelector('main [role="alert"]')).toBeNull();
  await expect.element(layout()).not.toBeInTheDocument();
  late();
  await expect.element(layout()).toHaveTextContent('Comma text');
});

test('layouts that cannot be fetched say why, and are asked for again', async () => {
  const stage = stageOf([shipped]);
  stage.once(contract.bankLayouts.list, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await open('h1');
  await expect.element(page.getByText('The database is away')).toBeVisible();
  await expect.element(layout()).not.toBeInTheDocument();
  await userEvent.click(button('Retry'));
  await expect.element(layout()).toHaveTextContent('Comma text');
  await expect.element(page.getByText('The database is away')).not.toBeInTheDocument();
});

test('a layout that comes with the product is saved as a new one, and is not deleted', async () => {
  const stage = stageOf([shipped]);
  const heard = hearing();
  await open();
  await expect.element(name()).toHaveValue('Comma text, our own');
  await expect.element(button('Delete')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(button('Delete'));
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Layouts of the product cannot be deleted');
  await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(button('Save'));
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('There are no changes to save');
  await userEvent.fill(page.getByRole('textbox', { name: 'Label 2', exact: true }), 'Payee');
  await userEvent.click(button('Save'));
  await expect.element(layout()).toHaveTextContent('Comma text, our own');
  await vi.waitFor(() => expect(heard).toContain('Layout “Comma text, our own” saved'));
  expect(writes(stage).map(({ method, path: asked }) => [method, asked])).toEqual([['POST', '/bank-layouts']]);
  expect(writes(stage)[0]?.body).toEqual({
    name: 'Comma text, our own',
    definition: {
      ...shipped.definition,
      fields: shipped.definition.fields.map((field, index) => (index === 1 ? { ...field, label: 'Payee' } : field)),
    },
  });
  await choose(layout(), 'Comma text');
  await expect.element(page.getByRole('textbox', { name: 'Label 2', exact: true })).toHaveValue('Name');
});

test('what is wrong with a layout is named, and keeps it from being saved and tried', async () => {
  const stage = stageOf([ownLayout]);
  await open();
  await expect.element(contents()).toBeVisible();
  await userEvent.clear(name());
  await userEvent.click(button('Remove field 4'));
  const alert = page.getByText('This layout cannot be saved yet');
  await expect.element(alert).toBeVisible();
  await expect.element(page.getByText('Please enter a name. A line needs the field "Amount".')).toBeVisible();
  await expect.element(contents()).not.toBeInTheDocument();
  await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(button('Save'));
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Please enter a name');
  await press('{Control>}s{/Control}');
  await userEvent.fill(name(), 'Our bank');
  await expect.element(page.getByText('A line needs the field "Amount".')).toBeVisible();
  await press('{Control>}s{/Control}');
  await userEvent.click(button('Add Field'));
  await choose(page.getByRole('combobox', { name: 'Source 4', exact: true }), 'Amount');
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(contents()).toBeVisible();
  await press('{Control>}s{/Control}');
  // The first that is sent is the one that can be saved.
  await vi.waitFor(() => expect(writes(stage)).toHaveLength(1));
  expect(writes(stage)[0]?.body).toMatchObject({ name: 'Our bank', version: 4 });
  await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true');
});

test('what was saved stays on the screen while the list is late', async () => {
  const stage = stageOf([shipped, ownLayout]);
  await open();
  await choose(layout(), 'Our bank');
  await press('c');
  await expect.element(name()).toHaveValue('Our bank, copy');
  const late = stage.hold(contract.bankLayouts.list, () => ({
    data: [shipped, ownLayout, { ...ownLayout, id: idOf(39), name: 'Our bank, copy' }],
  }));
  await userEvent.click(button('Save'));
  // The list was asked for again, and has not come.
  await vi.waitFor(() => expect(stage.calls(contract.bankLayouts.list)).toHaveLength(2));
  await expect.element(layout()).toHaveTextContent('Our bank, copy');
  await expect.element(name()).toHaveValue('Our bank, copy');
  await expect.element(button('Delete')).not.toHaveAttribute('aria-disabled');
  late();
  await userEvent.click(layout());
  await expect.element(page.getByRole('option', { name: 'Our bank, copy', exact: true })).toBeVisible();
  await press('{Escape}');
  await expect.element(layout()).toHaveTextContent('Our bank, copy');
});

test('two presses save once', async () => {
  const layouts = [shipped];
  const stage = stageOf(layouts);
  const late = stage.hold(contract.bankLayouts.create, () => {
    const made = { ...ownLayout, id: idOf(39), name: 'Twice' };
    layouts.push(made);
    return { data: made };
  });
  await open();
  await userEvent.fill(name(), 'Twice');
  const save = button('Save').element() as HTMLElement;
  save.click();
  save.click();
  await vi.waitFor(() => expect(save.getAttribute('aria-busy')).toBe('true'));
  await press('{Control>}s{/Control}');
  late();
  await expect.element(layout()).toHaveTextContent('Twice');
  expect(writes(stage)).toHaveLength(1);
});

test('a layout that somebody else has changed is not written over, and what was arranged stays', async () => {
  const stage = stageOf([shipped, ownLayout]);
  const heard = hearing();
  const said = 'This layout was changed by someone else meanwhile. Review the current values and save again.';
  stage.once(contract.bankLayouts.update, () => refusal('VERSION_CONFLICT', said));
  await open();
  await choose(layout(), 'Our bank');
  await userEvent.fill(name(), 'Our new bank');
  await userEvent.fill(page.getByRole('textbox', { name: 'Label 2', exact: true }), 'Payee');
  await userEvent.click(button('Save'));
  await vi.waitFor(() => expect(heard).toContain(said));
  // The list has come again after the refusal.
  await vi.waitFor(() => expect(stage.calls(contract.bankLayouts.list)).toHaveLength(2));
  await expect.element(name()).toHaveValue('Our new bank');
  await vi.waitFor(() => expect(labelsNow()).toEqual(['Reference', 'Payee', 'Account', 'Amount']));
  await expect.element(button('Save')).not.toHaveAttribute('aria-disabled');
  expect(writes(stage).map(({ body }) => (body as { version: number }).version)).toEqual([4]);
});

test('of a layout that was saved by two, theirs is taken or mine is kept', async () => {
  const layouts = [shipped, ownLayout];
  const stage = stageOf(layouts);
  const refused = () => {
    layouts.splice(1, 1, { ...ownLayout, name: 'Their bank', version: 5 });
    return refusal('VERSION_CONFLICT', 'This layout was changed by someone else meanwhile.');
  };
  const notice = () => page.getByText('Somebody else has changed this layout');
  await open();
  await choose(layout(), 'Our bank');
  await userEvent.fill(name(), 'My bank');
  stage.once(contract.bankLayouts.update, refused);
  await press('{Control>}s{/Control}');
  await expect.element(notice()).toBeVisible();
  await expect.element(name()).toHaveValue('My bank');
  await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(button('Take Theirs'));
  await expect.element(name()).toHaveValue('Their bank');
  await expect.element(notice()).not.toBeInTheDocument();

  await userEvent.fill(name(), 'My bank');
  stage.once(contract.bankLayouts.update, () => {
    layouts.splice(1, 1, { ...ownLayout, name: 'Their bank again', version: 6 });
    return refusal('VERSION_CONFLICT', 'This layout was changed by someone else meanwhile.');
  });
  await press('{Control>}s{/Control}');
  await expect.element(notice()).toBeVisible();
  await userEvent.click(button('Keep Mine'));
  await expect.element(button('Save')).not.toHaveAttribute('aria-disabled');
  await press('{Control>}s{/Control}');
  await expect.element(layout()).toHaveTextContent('My bank');
  expect(writes(stage).map(({ body }) => (body as { version: number }).version)).toEqual([4, 5, 6]);
});

test('a name in use is said, and another one is saved', async () => {
  const stage = stageOf([shipped, ownLayout]);
  const heard = hearing();
  const said = 'A layout named "Our bank" already exists';
  stage.once(contract.bankLayouts.create, () => refusal('LAYOUT_EXISTS', said));
  await open();
  await userEvent.fill(name(), 'Our bank');
  await userEvent.click(button('Save'));
  await vi.waitFor(() => expect(heard).toContain(said));
  await expect.element(name()).toHaveValue('Our bank');
  await expect.element(button('Save')).not.toHaveAttribute('aria-disabled');
  await userEvent.fill(name(), 'Our second bank');
  await userEvent.click(button('Save'));
  await expect.element(layout()).toHaveTextContent('Our second bank');
});

test('deleting asks; a refusal stays in the question; then the first layout is shown', async () => {
  const stage = stageOf([shipped, ownLayout]);
  await open();
  await choose(layout(), 'Our bank');
  await userEvent.click(button('Delete'));
  await expect.element(question()).toHaveTextContent('Delete layout “Our bank”?');
  await expect.element(question()).toHaveTextContent('Bank files that were made with this layout are kept.');
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(writes(stage)).toEqual([]);
  const said = 'This layout is used by SBI current. Choose another one there first.';
  stage.once(contract.bankLayouts.remove, () => refusal('LAYOUT_IN_USE', said));
  await userEvent.click(button('Delete'));
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question()).toHaveTextContent(said);
  await userEvent.click(question().getByRole('button', { name: 'Retry' }));
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(layout()).toHaveTextContent('Comma text');
  expect(writes(stage).map(({ method, path: asked }) => [method, asked])).toEqual(
    Array.from({ length: 2 }, () => ['DELETE', `/bank-layouts/${ownLayout.id}`]),
  );
});

test('a field is moved by key and added where the focus was; the file of a payment shows it at once', async () => {
  stageOf([ownLayout]);
  await open();
  await expect.element(contents()).toHaveTextContent('PAY2627000002-01,Ravi Kumar,50100000001,1000.00');
  await expect.element(page.getByText('MTRL2111.007')).toBeVisible();
  await userEvent.click(page.getByRole('textbox', { name: 'Label 2', exact: true }));
  await press('{Alt>}{ArrowUp}{/Alt}');
  await expect.element(contents()).toHaveTextContent('Ravi Kumar,PAY2627000002-01,50100000001,1000.00');
  expect(labelsNow()).toEqual(['Name', 'Reference', 'Account', 'Amount']);
  await userEvent.click(button('Add Field'));
  await userEvent.fill(page.getByRole('textbox', { name: 'Text 5', exact: true }), 'INR');
  await expect.element(contents()).toHaveTextContent('Ravi Kumar,PAY2627000002-01,50100000001,1000.00,INR');
});

test('without a paying account the trial says what is needed', async () => {
  stageOf([ownLayout], []);
  await open();
  await expect
    .element(page.getByText('To try the layout, add the account you pay from under Bank Accounts.'))
    .toBeVisible();
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Bank Accounts' }).last())
    .toHaveAttribute('href', '/profile/bank-accounts');
  await expect.element(contents()).not.toBeInTheDocument();
});

test('a file that is no layout says so, and a layout from a file is a new one', async () => {
  const stage = stageOf([ownLayout]);
  const heard = hearing();
  await open();
  const file = page.getByLabelText('File of a layout');
  await userEvent.upload(file, new File(['no json'], 'x.json', { type: 'application/json' }));
  await vi.waitFor(() => expect(heard.join()).toContain('This file is not a layout: '));
  await expect.element(name()).toHaveValue('Our bank');
  const content = JSON.stringify({ name: 'From a file', definition: ownLayout.definition });
  await userEvent.upload(file, new File([content], 'x.json', { type: 'application/json' }));
  await expect.element(name()).toHaveValue('From a file');
  await userEvent.click(button('Save'));
  await expect.element(layout()).toHaveTextContent('From a file');
  expect(writes(stage).map(({ method }) => method)).toEqual(['POST']);
});
