import { afterEach, describe, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { OwnersPage } from '../../../src/web/features/owners/owners-page.tsx';
import { choose } from '../choose.ts';
import { buildOwner, buildTruck, idOf, many } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  expectMessage,
  field,
  fill,
  focusPlace,
  goToCell,
  heads,
  hearing,
  openApp,
  page,
  press,
  question,
  search,
  searchNow,
  shownRows,
  toasts,
  userEvent,
  whyNotDone,
  openRoutes,
} from '../support/screen.tsx';

afterEach(closeApp);

const ownersOf = (count: number) => many(count, (n) => buildOwner(n));
const last = <T,>(list: readonly T[]): T | undefined => list.at(-1);

describe('the list', () => {
  test('shows name, contact, address or "Not provided", trucks and their total', async () => {
    const owner = buildOwner(1);
    fakeServer({
      owners: [owner, buildOwner(2, { address: '' })],
      trucks: [buildTruck(1, owner), buildTruck(2, owner)],
    });
    await openApp('/owners');
    expect(heads()).toEqual([
      'Name',
      'Contact',
      'Address',
      'Account Number',
      'IFSC',
      'PAN',
      'Branch',
      'Trucks',
      'Declaration',
      'Actions',
    ]);
    expect(['accountNo', 'ifsc', 'panNo', 'branchName'].map((column) => cellText(1, column))).toEqual([
      '001234567801',
      'SBIN0001234',
      'ABCDE1201F',
      'Joda',
    ]);
    expect([
      cellText(1, 'name'),
      cellText(1, 'contactNumber'),
      cellText(1, 'address'),
      cellText(1, 'trucksCount'),
    ]).toEqual(['Owner 01', '9876543201', 'Plot 1, Joda', '2']);
    expect(cellText(2, 'address')).toBe('Not provided');
    expect(document.querySelector('.ag-row-pinned [col-id="trucksCount"]')?.textContent).toBe('2');
  });

  test('page, size and order stand in the address and are asked of the server', async () => {
    const desk = fakeServer({ owners: ownersOf(25) });
    await openApp('/owners?page=2');
    expect(shownRows()).toHaveLength(10);
    expect(last(desk.calls(contract.owners.list))?.query).toEqual({
      page: '2',
      limit: '10',
      sortBy: 'name',
      sortOrder: 'asc',
    });
    await userEvent.click(page.getByText('Name', { exact: true }));
    await expect.poll(searchNow).toEqual({ sortOrder: 'desc' });
    await expect.poll(() => shownRows()[0]).toBe('25');
    await choose(page.getByRole('combobox', { name: 'Rows per page' }), '20');
    await expect.poll(() => shownRows()).toHaveLength(20);
    expect(searchNow()).toEqual({ sortOrder: 'desc', limit: '20' });
    const pages = desk.calls(contract.owners.list).map(({ query }) => `${query['page']} of ${query['limit']}`);
    expect(pages).toEqual(['2 of 10', '1 of 10', '1 of 20']);
  });

  test('without owners it says so and offers the next act', async () => {
    fakeServer({ owners: [] });
    await openApp('/owners', '.cd-grid .ag-root');
    await expect.element(page.getByText('No owners yet')).toBeInTheDocument();
    await userEvent.click(button('Add New Owner').last());
    await expect.element(dialog('Add New Owner')).toBeInTheDocument();
  });

  test('a failure is told, with Retry in its place', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    desk.once(contract.owners.list, speechless);
    await openApp('/owners', '[role="alert"]');
    await expect.poll(toasts).toEqual(['Failed to fetch owners']);
    await userEvent.click(button('Retry'));
    await expect.poll(shownRows).toEqual(['1', '2']);
  });

  test('a page that is no longer there gives way to the last one', async () => {
    fakeServer({ owners: ownersOf(11) });
    await openApp('/owners?page=5');
    await expect.poll(shownRows).toEqual(['11']);
    expect(searchNow()).toEqual({ page: '2', limit: '10' });
  });
});

describe('the search', () => {
  test('asks from two characters on, and clearing it comes back to the page that was left', async () => {
    const desk = fakeServer({ owners: [...ownersOf(15), buildOwner(16, { name: 'Ravi Kumar' })] });
    await openApp('/owners?page=2');
    await search(' r');
    await expect.element(page.getByText('Type at least 2 characters')).toBeInTheDocument();
    await press('a');
    await expect.poll(shownRows).toEqual(['16']);
    expect(desk.asks(contract.owners.search)).toEqual([{ q: 'ra', page: '1', limit: '10' }]);
    expect(searchNow()).toEqual({ page: '2', search: 'ra' });
    await expect.element(page.getByText('1 of the owners matches')).toBeInTheDocument();

    await press('{Escape}');
    await expect.poll(() => shownRows()).toHaveLength(6);
    expect(searchNow()).toEqual({ page: '2' });
  });

  test('an older search that answers late changes nothing', async () => {
    const desk = fakeServer({ owners: [buildOwner(1, { name: 'Ravi' }), buildOwner(2, { name: 'Rama' })] });
    const late = desk.hold(contract.owners.search, () => speechless());
    const heard = hearing();
    await openApp('/owners');
    await search('ra');
    await expect.poll(() => desk.calls(contract.owners.search)).toHaveLength(1);
    await press('v');
    await expect.poll(shownRows).toEqual(['1']);
    late();
    // Long enough after it that it would have been told.
    await press('{Escape}');
    await expect.poll(shownRows).toEqual(['2', '1']);
    expect(heard).toEqual([]);
  });

  test('with no match it says what was searched, and failing it says its own message', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    await openApp('/owners');
    await search('zz');
    await expect.element(page.getByText('No owners match “zz”')).toBeInTheDocument();
    desk.once(contract.owners.search, speechless);
    await press('z');
    await expect.poll(toasts).toEqual(['Failed to search owners']);
  });

  test('Down goes from the field into the table', async () => {
    fakeServer({ owners: ownersOf(2) });
    await openApp('/owners');
    await press('/');
    await press('{ArrowDown}');
    await expect.poll(focusPlace).toBe('1 name');
  });
});

describe('view and trucks', () => {
  test('Enter shows everything, with its times; closing comes back to the row', async () => {
    fakeServer({ owners: ownersOf(3) });
    await openApp('/owners');
    await goToCell(2, 'contactNumber');
    await press('{Enter}');
    const shown = dialog('Owner 02');
    for (const text of [
      'Plot 2, Joda',
      '001234567802',
      'SBIN0001234',
      'ABCDE1202F',
      '14/11/2026 10:30',
      '20/11/2026 11:00',
    ]) {
      await expect.element(shown.getByText(text)).toBeInTheDocument();
    }
    expect(searchNow()).toEqual({ open: idOf(2) });
    await press('{Escape}');
    await expect.poll(focusPlace).toBe('2 contactNumber');
    expect(searchNow()).toEqual({});
  });

  test('a link opens it, also of an owner on another page; one that is gone says so', async () => {
    fakeServer({ owners: ownersOf(12) });
    await openApp(`/owners?open=${idOf(12)}`);
    await expect.element(dialog('Owner 12')).toBeInTheDocument();
    await press('{Escape}');
    await expect.poll(searchNow).toEqual({});
    await closeApp();
    fakeServer({ owners: ownersOf(2) });
    await openApp(`/owners?open=${idOf(55)}`);
    await expect.element(page.getByText('Owner not found')).toBeInTheDocument();
  });

  test('the trucks of an owner; without any the action is disabled and says why', async () => {
    const owner = buildOwner(1);
    fakeServer({ owners: [owner, buildOwner(2)], trucks: [buildTruck(1, owner, { noOfWheels: 14 })] });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('t');
    const shown = dialog('Trucks of Owner 01');
    await expect.element(shown.getByRole('row').nth(1)).toHaveTextContent('OD09AB1001Hyva1414/11/2026');
    await press('{Escape}');
    await goToCell(2, 'address');
    const blocked = page.getByRole('button', { name: 'View trucks' }).nth(1);
    await expect.element(blocked).toHaveAttribute('aria-disabled', 'true');
    await userEvent.hover(blocked);
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('This owner has no trucks');
    await press('t');
    await expect.poll(toasts).toEqual(['This owner has no trucks']);
  });
});

describe('create and edit', () => {
  const valid = {
    'Owner Name': 'Sunita Jindal',
    'Contact Number': '98765 43210',
    'Account Number': '00123',
    'PAN Number': 'abcde1234f',
    'Branch Name': 'Joda',
  };

  test('each rule is said when its field is left', async () => {
    fakeServer({ owners: ownersOf(1) });
    await openApp('/owners');
    await press('n');
    await expect.element(dialog('Add New Owner')).toBeInTheDocument();
    await expectMessage('Owner Name', '', 'Please enter owner name');
    await expectMessage('Contact Number', '', 'Please enter contact number');
    await expectMessage('Contact Number', '12345', 'Please enter a valid 10-digit contact number');
    await expectMessage('Address', 'x'.repeat(501), 'Address cannot exceed 500 characters');
    await expectMessage('Account Number', '', 'Please enter account number');
    await expectMessage('Account Number', '1'.repeat(21), 'Account number cannot exceed 20 characters');
    await expectMessage('IFSC Code', 'SBIN', 'IFSC code should be 11 characters');
    await expectMessage('PAN Number', '', 'Please enter PAN number');
    await expectMessage('PAN Number', 'ABCD', 'Please enter valid PAN number (e.g., ABCDE1234F)');
    await expectMessage('Branch Name', '', 'Please enter branch name');
    await expectMessage('Branch Name', 'x'.repeat(101), 'Branch name cannot exceed 100 characters');
  });

  test('what is typed right after a refused save goes on in its field', async () => {
    fakeServer({ owners: ownersOf(1) });
    await openApp('/owners');
    await press('n');
    await expect.element(field('Owner Name')).toHaveFocus();
    // As soon as the first wrong field is named and focused, its error is put right.
    const typed = new Promise<void>((resolve) => {
      document.addEventListener('focusin', function first({ target }) {
        if (target !== field('Owner Name').element()) return;
        document.removeEventListener('focusin', first);
        queueMicrotask(() => {
          document.execCommand('insertText', false, 'Ravi');
          resolve();
        });
      });
    });
    await userEvent.click(button('Create Owner'));
    await typed;
    await press(' Roadlines');
    await expect.element(field('Owner Name')).toHaveValue('Ravi Roadlines');
    await expect.element(field('Contact Number')).toHaveAccessibleDescription(/Please enter contact number/);
  });

  test('a refusal that comes while somebody types on leaves the focus where it is', async () => {
    const desk = fakeServer({ owners: ownersOf(1) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('e');
    await userEvent.fill(field('Owner Name'), 'Ravi');
    const refused = { success: false, message: 'No', code: 'VALIDATION_ERROR', requestId: 'r', fields: { name: 'No' } };
    const answer = desk.hold(contract.owners.update, () => new Response(JSON.stringify(refused), { status: 400 }));
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(() => desk.calls(contract.owners.update).length).toBe(1);
    await userEvent.click(field('Address'));
    await press('{End}X');
    answer();
    await expect.element(field('Owner Name')).toHaveAccessibleDescription(/No/);
    await press('Y');
    await expect.element(field('Address')).toHaveValue('Plot 1, JodaXY');
    await expect.element(field('Owner Name')).toHaveValue('Ravi');
  });

  test('another owner with the PAN, or with account and IFSC, is named, and may be saved all the same', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    const [first, second] = desk.books.owners;
    await openApp('/owners');
    await press('n');
    await fill({ ...valid, 'PAN Number': first!.panNo.toLowerCase() });
    await expect.element(page.getByText(`${first!.name} has the same PAN`)).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: `Open ${first!.name}` }))
      .toHaveAttribute('href', `/owners?open=${first!.id}`);
    await fill({ 'PAN Number': valid['PAN Number'], 'Account Number': second!.accountNo, 'IFSC Code': second!.ifsc });
    await expect.element(page.getByText(`${second!.name} has the same account number and IFSC`)).toBeVisible();
    await userEvent.click(button('Save anyway'));
    await expect.poll(toasts).toEqual(['Owner created successfully']);
    expect(desk.books.owners).toHaveLength(3);
  });

  test('N, Ctrl+Enter: IFSC and PAN go in capitals, and the focus is on the new row', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    await openApp('/owners');
    await press('n');
    await fill({ ...valid, 'IFSC Code': 'sbin0001234' });
    await expect.element(field('IFSC Code')).toHaveValue('SBIN0001234');
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toEqual(['Owner created successfully']);
    expect(desk.books.owners[2]).toMatchObject({
      name: 'Sunita Jindal',
      contactNumber: '9876543210',
      accountNo: '00123',
      ifsc: 'SBIN0001234',
      panNo: 'ABCDE1234F',
    });
    await expect.poll(focusPlace).toMatch(/^92 /);
  });

  test('a failure keeps the dialog and what was typed', async () => {
    const desk = fakeServer({ owners: ownersOf(1) });
    desk.once(contract.owners.create, speechless);
    await openApp('/owners');
    await press('n');
    await fill(valid);
    await userEvent.click(button('Create Owner'));
    await expect.poll(toasts).toEqual(['Failed to create owner']);
    await expect.element(field('Owner Name')).toHaveValue('Sunita Jindal');
  });

  test('E sends only what was changed, with the version, and comes back to the row', async () => {
    const desk = fakeServer({ owners: ownersOf(3) });
    await openApp('/owners');
    await goToCell(2, 'address');
    await press('e');
    await fill({ Address: 'Barbil' });
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toEqual(['Owner updated successfully']);
    expect(desk.calls(contract.owners.update)[0]).toMatchObject({
      path: `/owners/${idOf(2)}`,
      body: { address: 'Barbil', version: 1 },
    });
    await expect.poll(() => cellText(2, 'address')).toBe('Barbil');
    await expect.poll(focusPlace).toBe('2 address');
  });

  test('the language of messages is chosen from a list', async () => {
    const desk = fakeServer({ owners: ownersOf(1) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('e');
    await userEvent.click(page.getByRole('combobox', { name: 'Language of Messages' }));
    await userEvent.click(page.getByRole('option', { name: 'Odia' }));
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toEqual(['Owner updated successfully']);
    expect(desk.writes(contract.owners.update)[0]).toEqual({ language: 'Odia', version: 1 });
  });

  test('rows that come late after a save leave the focus where somebody has walked to', async () => {
    const desk = fakeServer({ owners: ownersOf(3) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('e');
    await fill({ Address: 'Barbil' });
    const rows = desk.hold(contract.owners.list);
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toEqual(['Owner updated successfully']);
    await expect.poll(focusPlace).toBe('1 address');
    await press('{ArrowDown}');
    await expect.poll(focusPlace).toBe('2 address');
    rows();
    await expect.poll(() => cellText(1, 'address')).toBe('Barbil');
    await press('{ArrowDown}');
    await expect.poll(focusPlace).toBe('3 address');
  });

  test('edited elsewhere meanwhile: mine and theirs, then saved over the newer version', async () => {
    const desk = fakeServer({ owners: ownersOf(1) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('e');
    await fill({ Address: 'Mine' });
    Object.assign(desk.books.owners[0] ?? {}, { address: 'Theirs', version: 4 });
    await userEvent.click(button('Update Owner'));
    await expect
      .element(page.getByText('This owner was changed by someone else while you were editing'))
      .toBeInTheDocument();
    await expect.element(field('Address')).toHaveValue('Mine');
    await userEvent.click(button('Update Owner'));
    await expect.poll(toasts).toEqual(['Owner updated successfully']);
    expect(desk.books.owners[0]).toMatchObject({ address: 'Mine', version: 5 });
  });

  test('from the details: E edits over them, and they show what was saved', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('{Enter}');
    await expect.element(dialog('Owner 01')).toBeInTheDocument();
    await press('e');
    await fill({ Address: 'Barbil' });
    desk.once(contract.owners.update, speechless);
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toEqual(['Failed to update owner']);
    await press('{Control>}{Enter}{/Control}');
    await expect.element(dialog('Owner 01').getByText('Barbil')).toBeInTheDocument();
    await press('{Escape}');
    await expect.poll(focusPlace).toBe('1 address');
  });
});

describe('hold', () => {
  test('H asks for the reason; an owner that could not be loaded is asked for again', async () => {
    const owner = buildOwner(1);
    const desk = fakeServer({ owners: [owner] });
    desk.once(contract.owners.get, speechless);
    await openApp('/owners');
    await goToCell(1, 'contactNumber');
    await press('h');
    const hold = dialog('Put Owner 01 on hold?');
    await expect.element(hold.getByText('Failed to load the record')).toBeVisible();
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toContain('It could not be loaded');
    await userEvent.click(hold.getByRole('button', { name: 'Retry' }));
    await expect.element(hold.getByRole('alert')).not.toBeInTheDocument();
    await press('{Control>}{Enter}{/Control}');
    await expect.element(hold.getByText('Please enter a reason')).toBeVisible();
  });
});

describe('delete', () => {
  test('asks first and says how many trucks go with it; the focus goes to the neighbour', async () => {
    const owner = buildOwner(2);
    const desk = fakeServer({
      owners: [buildOwner(1), owner, buildOwner(3)],
      trucks: many(3, (n) => buildTruck(n, owner)),
    });
    await openApp('/owners');
    await goToCell(2, 'address');
    await press('{Delete}');
    await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
    expect(question()).toBe(
      'Delete owner "Owner 02"? Are you sure you want to delete this owner? Its 3 trucks are deleted with it. This action cannot be undone.',
    );
    await expect.element(button('Cancel')).toHaveFocus();
    await press('{Escape}');
    expect(desk.writes()).toEqual([]);
    await expect.poll(focusPlace).toBe('2 address');
    await press('{Delete}');
    await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(toasts).toEqual(['Owner deleted successfully']);
    await expect.poll(shownRows).toEqual(['1', '3']);
    await expect.poll(focusPlace).toBe('3 address');
  });

  test('an owner that challans name is refused with the reason before anybody is asked', async () => {
    const desk = fakeServer({ owners: ownersOf(1), uses: new Map([[idOf(1), 7]]) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('{Delete}');
    await expect.poll(toasts).toEqual(['Cannot delete owner "Owner 01". It has 7 challan(s).']);
    expect(page.getByRole('alertdialog').elements()).toHaveLength(0);
    expect(desk.writes()).toEqual([]);
    expect(shownRows()).toEqual(['1']);
  });

  test('what only the server knows is shown in the question, which stays until the delete works or is given up', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    await openApp('/owners');
    await goToCell(1, 'address');
    const refused = 'Cannot delete owner "Owner 01". It has 1 challan(s).';
    desk.once(contract.owners.remove, () => refusal('OWNER_IN_USE', refused));
    await press('{Delete}');
    await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
    await press('{Control>}{Enter}{/Control}');
    await expect.element(whyNotDone()).toHaveTextContent(refused);
    await expect.element(whyNotDone()).toHaveTextContent('Request');
    expect(toasts()).toEqual([]);
    await press('{Escape}');
    await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
    await expect.poll(focusPlace).toBe('1 address');
    expect(shownRows()).toEqual(['1', '2']);
  });

  test('the last row of the last page: a page back', async () => {
    const desk = fakeServer({ owners: ownersOf(11) });
    await openApp('/owners?page=2');
    await goToCell(11, 'address');
    desk.once(contract.owners.remove, speechless);
    await press('{Delete}');
    await userEvent.click(button('Delete').last());
    await expect.element(whyNotDone()).toHaveTextContent('Failed to delete owner');
    expect(toasts()).toEqual([]);
    await userEvent.click(button('Retry'));
    await expect.poll(() => shownRows()).toHaveLength(10);
    expect(searchNow()).toEqual({ limit: '10' });
  });

  test('from the details, which close with it', async () => {
    fakeServer({ owners: ownersOf(2) });
    await openApp('/owners');
    await goToCell(1, 'address');
    await press('{Enter}');
    await expect.element(dialog('Owner 01')).toBeInTheDocument();
    await press('{Delete}');
    await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(shownRows).toEqual(['2']);
    await expect.element(dialog('Owner 01')).not.toBeInTheDocument();
    await expect.poll(focusPlace).toBe('2 address');
  });

  test('a key pressed outside the table changes no row', async () => {
    const desk = fakeServer({ owners: ownersOf(1) });
    await openApp('/owners');
    await press('{Delete}');
    await expect.poll(toasts).toEqual(['Choose an owner in the table first']);
    expect(desk.writes()).toEqual([]);
  });
});

test('without a session it asks to log in and loads nothing', async () => {
  const desk = fakeServer({ owners: ownersOf(1) });
  openRoutes([{ path: '*', element: <OwnersPage /> }]);
  await expect.element(page.getByText('Authentication Required')).toBeInTheDocument();
  await expect.element(page.getByText('Please log in to access owner management.')).toBeInTheDocument();
  expect(desk.calls()).toEqual([]);
});
