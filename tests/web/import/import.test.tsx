import { afterEach, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { choose as chooseIn } from '../choose.ts';
import { refusal } from '../support/fake-server.ts';
import { idOf } from '../support/builders.ts';
import { drop } from '../support/hsd.ts';
import { button, cellText, checked, checkOf, openImport, pasted, pasteText, shows, takes } from '../support/imports.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, page, press, toasts, userEvent } from '../support/screen.tsx';
import { give, readAnswer, saveAgain, sheetOf } from '../support/sheets.ts';

/** The wizard of the import (docs/specification.md §22.4). */
afterEach(closeApp);

const dialog = () => page.getByRole('dialog');
const sent = (stage: Desk) => stage.writes(contract.imports.check).map(({ rows }) => rows);
const applied = (stage: Desk) => stage.writes(contract.imports.apply);
/** Clicks the first cell of a row, once the grid has drawn it. */
async function goToRow(index: number): Promise<void> {
  const cell = await vi.waitFor(() => {
    const found = document.querySelector(`.ag-row[row-id="${index}"] [col-id="state"]`);
    if (!found) throw new Error('The grid has not drawn its rows yet');
    return found;
  });
  await userEvent.click(cell);
}
/** Enter on the row opens its dialog, in which its first wrong field has the focus. */
async function editName(index: number, text: string): Promise<void> {
  await goToRow(index);
  await press('{Enter}');
  const field = dialog().getByLabelText('Name');
  await userEvent.fill(field, text);
  await userEvent.click(dialog().getByRole('button', { name: /^Save and Check/ }));
  await expect.element(dialog()).not.toBeInTheDocument();
}
const choose = async (label: string, option: string): Promise<void> => {
  await userEvent.click(page.getByRole('combobox', { name: label }));
  await userEvent.click(page.getByRole('option', { name: option }));
};

describe('where the rows come from', () => {
  it('a file: it is being read, then its columns; a failure says why, and the next file is read', async () => {
    const stage = fakeServer();
    const file = new File(['Name'], 'tags.csv');
    await openImport();
    await vi.waitFor(() => {
      drop(file, file);
      expect(toasts()).toContain('2 files were given. Choose one file at a time.');
    });

    stage.once(contract.tables.read, () => refusal('INVALID_FILE', 'The file is not a table'));
    drop(file);
    await vi.waitFor(() => expect(toasts()).toContain('The file is not a table'));

    const reading = stage.hold(contract.tables.read, () => readAnswer(sheetOf([['Name'], ['Koira']])));
    drop(file);
    await vi.waitFor(() => expect(document.querySelector('section button[aria-busy="true"]')).not.toBeNull());
    // While one is read, no second one is taken.
    drop(file);
    reading();
    await expect.element(shows('1 of 1 columns used · 1 tag')).toBeVisible();
    expect(stage.calls(contract.tables.read)).toHaveLength(2);
  });

  it('a file that is saved again while its columns are chosen: the choice stays, and the new rows are checked', async () => {
    const stage = fakeServer();
    const rows = [
      ['Name', 'Description'],
      ['Koira', 'Mines'],
    ];
    const file = new File(['1'], 'tags.csv');
    stage.serve(contract.tables.read, () => readAnswer(sheetOf(rows)));
    await openImport();
    drop(file);
    await choose('Description', 'Not used');
    const saved = page.getByText('The file was saved again since it was read.');
    expect(saved.elements()).toEqual([]);

    saveAgain(file);
    await expect.element(saved).toBeVisible();
    await expect.element(page.getByRole('combobox', { name: 'Description' })).toHaveTextContent('Not used');
    const asked = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
    await userEvent.click(button('Read it again'));
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
    stage.serve(contract.tables.read, () => readAnswer(sheetOf([...rows, ['Joda', 'Town']])));
    give('The file again', new File(['2'], 'tags.csv'));
    await expect.element(shows('1 of 2 columns used · 2 rows')).toBeVisible();
    expect(saved.elements()).toEqual([]);
    await userEvent.click(button(/^Check/));
    await expect.poll(() => sent(stage)).toEqual([[['Koira'], ['Joda']]]);
  });

  it('a file of two sheets: the user says which one is meant, and what was read is said', async () => {
    const stage = fakeServer();
    await openImport();
    const sheets = [
      sheetOf([['Name'], ['Koira']], { name: 'April' }),
      sheetOf([['Name'], ['Joda'], ['Barbil']], { name: 'May', hiddenRows: 3, hiddenColumns: [0] }),
    ];
    stage.serve(contract.tables.read, () => readAnswer(...sheets));
    drop(new File(['x'], 'tags.xls'));
    await expect.element(page.getByRole('dialog')).toHaveTextContent('tags.xls has 2 sheets with rows.');
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('button', { name: /^Choose / })).toBeVisible();
    drop(new File(['x'], 'tags.xls'));
    await userEvent.click(page.getByRole('button', { name: 'May 3 rows' }));
    await expect.element(shows('1 of 1 columns used · 2 rows')).toBeVisible();
    await expect
      .element(
        shows(
          'from tags.xls · Read as an Excel workbook, sheet 2 of 2. 3 hidden rows were left out. Column A is hidden',
        ),
      )
      .toBeVisible();
  });

  it('a row with more cells than headings: nothing is checked before the user says what becomes of it', async () => {
    const stage = fakeServer();
    await openImport();
    const rows = [
      ['Name', 'Color'],
      ['Koira', '#ff0000'],
      ['Joda', 'Keonjhar', '#00ff00'],
    ];
    stage.serve(contract.tables.read, () => readAnswer(sheetOf(rows, { rowNumbers: [1, 2, 9] })));
    drop(new File(['x'], 'tags.csv'));
    await expect.element(shows('Row 9 has more cells than there are headings')).toBeVisible();
    await expect.element(shows('2 of 3 columns used · 2 rows')).toBeVisible();
    await userEvent.click(page.getByRole('button', { name: 'Leave Out' }));
    await expect.element(shows('2 of 3 columns used · 1 tag')).toBeVisible();
    await userEvent.click(page.getByRole('button', { name: 'Do Not Leave Out' }));
    await userEvent.click(page.getByRole('button', { name: 'Take Anyway' }));
    await expect.element(shows('2 of 3 columns used · 2 rows')).toBeVisible();
  });

  it('cells, with a picture of themselves beside them', async () => {
    fakeServer();
    await openImport();
    await pasted([['Koira', '']], new File(['x'], 'image.png', { type: 'image/png' }));
    await expect.element(shows('2 of 2 columns used · 1 tag')).toBeVisible();
  });

  it('a field without a column, or with empty cells, is filled with a text or with another column', async () => {
    const stage = fakeServer();
    await openImport('challans');
    pasteText('TP No\tUnloading Date\tDeposited On\n2601\t02/05/2026\t\n2602\t03/05/2026\t04/05/2026');
    await expect.element(shows('3 of 3 columns used · 2 rows')).toBeVisible();
    // The first field that has no column, until another one is chosen.
    await userEvent.click(page.getByRole('button', { name: 'Fill Empty Cells' }));
    const of = (index: number, label: string) => page.getByRole('combobox', { name: label, exact: true }).nth(index);
    await expect.element(of(0, 'Field with empty cells')).toHaveFocus();
    await chooseIn(of(0, 'Field with empty cells'), 'Deposited On');
    await chooseIn(of(0, 'Take'), 'As in Unloading Date');
    await userEvent.click(page.getByRole('button', { name: 'Fill Empty Cells' }));
    await chooseIn(of(1, 'Field with empty cells'), 'Material');
    await userEvent.fill(page.getByLabelText('Text for every row'), 'Iron Ore');
    await userEvent.click(page.getByRole('button', { name: 'Fill Empty Cells' }));
    await userEvent.click(page.getByRole('button', { name: /^Do not fill/ }).nth(2));
    stage.once(contract.imports.check, () => refusal('INTERNAL_ERROR', 'no'));
    await press('{Control>}{Enter}{/Control}');
    await expect.poll(() => stage.calls(contract.imports.check)).toHaveLength(1);
    const { fields, rows } = contract.imports.check.body.parse(stage.writes(contract.imports.check)[0]);
    expect(rows.map((row) => Object.fromEntries(row.map((text, index) => [fields[index], text])))).toEqual([
      { tpNo: '2601', unloadingDate: '02/05/2026', depositedAt: '02/05/2026', material: 'Iron Ore' },
      { tpNo: '2602', unloadingDate: '03/05/2026', depositedAt: '04/05/2026', material: 'Iron Ore' },
    ]);
  });

  it('without a row there is nothing to check', async () => {
    fakeServer();
    await openImport();
    await pasted([]);
    await expect.element(shows('2 of 2 columns used · 0 rows')).toBeVisible();
    await vi.waitFor(async () => {
      await press('{Control>}{Enter}{/Control}');
      expect(toasts()).toContain('There are no rows below the headings');
    });
  });
});

describe('the check', () => {
  it('says what it does and can be cancelled; a failure says why, and it is done again', async () => {
    const stage = fakeServer();
    await openImport();
    await pasted([['Koira', '']]);
    const checking = stage.hold(contract.imports.check);
    await userEvent.click(button('Check the rows'));
    await expect.element(shows('Checking 1 row …')).toBeVisible();
    await userEvent.click(button('Cancel'));
    await vi.waitFor(() => expect(toasts()).toEqual(['The check was cancelled']));
    await expect.element(shows('Checking 1 row …')).not.toBeInTheDocument();
    checking();

    stage.once(contract.imports.check, () => refusal('INTERNAL_ERROR', 'Something went wrong'));
    await userEvent.click(button('Check the rows'));
    await vi.waitFor(() => expect(toasts()).toContain('Something went wrong'));
    expect(document.querySelector('.cd-grid')).toBeNull();

    await userEvent.click(button('Check the rows'));
    await expect.element(shows('1 to import')).toBeVisible();
    await choose('Show', 'Wrong 0');
    await expect.element(shows('No rows are in this state')).toBeVisible();
  });

  it('"Another file" ends a check that is under way', async () => {
    const stage = fakeServer();
    await openImport();
    await pasted([['Koira', '']]);
    const checking = stage.hold(contract.imports.check);
    await userEvent.click(button('Check the rows'));
    await expect.element(shows('Checking 1 row …')).toBeVisible();
    await userEvent.click(button('Another file'));
    await expect.element(shows('Checking 1 row …')).not.toBeInTheDocument();
    checking();
    await pasted([['Other', '']]);
    await expect.element(shows('2 of 2 columns used · 1 tag')).toBeVisible();
    expect(document.querySelector('.cd-grid')).toBeNull();
  });

  it('a text that its cell has no room for ends in an ellipsis', async () => {
    fakeServer();
    await openImport();
    await checked([
      ['Joda', 'Mines '.repeat(60)],
      ['Long '.repeat(60), ''],
    ]);
    for (const [index, column] of [
      [0, 'field-description'],
      [1, 'field-name'],
    ] as const) {
      const text = await vi.waitFor(() => {
        const found = document.querySelector(`.ag-row[row-id="${index}"] [col-id="${column}"] span.truncate`);
        if (!found) throw new Error('The grid has not drawn its rows yet');
        return found;
      });
      expect(text.scrollWidth).toBeGreaterThan(text.clientWidth);
      expect(text.clientWidth).toBeGreaterThan(0);
    }
  });

  it('names the import that had the same file', async () => {
    const stage = fakeServer();
    stage.books.imported = { id: 'x', number: 'Import 2627-000007', createdAt: '2026-11-20T10:00:00.000Z' };
    await openImport();
    await checked([['Joda', '']]);
    await expect.element(shows(/^This file was imported on .* as Import 2627-000007$/)).toBeVisible();
    await expect.element(shows('0 to import · 1 unchanged')).toBeVisible();
  });

  it('a new row in doubt waits until it is taken', async () => {
    const stage = fakeServer();
    await openImport();
    await checked([
      ['Odd', ''],
      ['Koira', ''],
    ]);
    await expect.element(shows('1 to import · 1 left out · ⚠ 1 to check')).toBeVisible();
    await vi.waitFor(() => expect(cellText(0, 'outcome')).toBe('Waits: is it right?'));
    await choose('All 1 that wait', 'Take it');
    await expect.element(shows('2 to import · ⚠ 1 to check')).toBeVisible();
    expect(cellText(0, 'outcome')).toBe('Will be added');
    await userEvent.click(button('Import 2 rows'));
    await vi.waitFor(() => expect(stage.writes(contract.imports.apply)).toMatchObject([{ choices: ['new', 'skip'] }]));
  });

  it('a row that was taken and then differs, because its record was just created elsewhere, is not added as a second one', async () => {
    const stage = fakeServer();
    await openImport();
    await checked([['Odd', '']]);
    await choose('All 1 that wait', 'Take it');
    stage.once(contract.imports.apply, () => refusal('IMPORT_CHANGED', 'The records have changed'));
    stage.once(contract.imports.check, () => {
      const twin = { id: idOf(1), row: null, name: 'Odd', by: 'name' };
      const differences = [{ field: 'description', stored: 'Mines', given: '' }];
      const row = {
        state: 'differs' as const,
        differences,
        twin,
        choices: ['merge' as const, 'skip' as const, 'new' as const],
      };
      return {
        data: {
          rows: [row],
          counts: { new: 0, same: 0, differs: 1, wrong: 0 },
          fingerprint: 'second',
          unknown: [],
          imported: null,
        },
      };
    });
    await userEvent.click(button('Import 1 row'));
    await expect.element(shows('0 to import · 1 left out')).toBeVisible();
    await expect.poll(() => cellText(0, 'outcome')).toBe('Skip');
  });

  it('the dialog of a row that waits begins at the value in doubt', async () => {
    const stage = fakeServer();
    await openImport();
    stage.once(contract.imports.check, () => {
      const row = {
        state: 'new' as const,
        warnings: [{ field: 'description', message: 'Description: look it up' }],
        choices: ['skip' as const, 'new' as const],
      };
      return {
        data: {
          rows: [row],
          counts: { new: 1, same: 0, differs: 0, wrong: 0 },
          fingerprint: 'first',
          unknown: [],
          imported: null,
        },
      };
    });
    await checked([['Koira', 'x']]);
    await goToRow(0);
    await press('{Enter}');
    await expect.element(dialog().getByLabelText('Description')).toHaveFocus();
  });

  it('a row is edited and another chosen while a check runs: nothing of it is lost', async () => {
    const stage = fakeServer();
    await openImport();
    await checked([
      ['X', ''],
      ['Y', ''],
      ['Joda', 'Iron ore'],
    ]);
    const slow = stage.hold(contract.imports.check);
    await editName(0, 'First');
    await expect.element(shows('Checking 3 rows …')).toBeVisible();
    expect([cellText(0, 'field-name'), cellText(0, 'state')]).toEqual(['First', 'Edited']);
    await choose('All 1 that differ', 'Change the record');
    const second = stage.hold(contract.imports.check);
    await editName(1, 'Second');
    slow();
    second();
    await expect.element(shows(/^3 to import$/)).toBeVisible();
    expect(sent(stage).at(-1)).toEqual([
      ['First', ''],
      ['Second', ''],
      ['Joda', 'Iron ore'],
    ]);
    expect(toasts()).toEqual([]);
    await userEvent.click(button(/^Import 3 rows/));
    await expect.element(shows(/^Import 2627-000001: /)).toBeVisible();
    expect(applied(stage)[0]?.choices).toEqual(['skip', 'skip', 'merge']);
  });

  it('of an edited row that failed or was cancelled keeps the row, and is asked for before the import', async () => {
    const stage = fakeServer();
    await openImport();
    await checked([
      ['X', ''],
      ['Koira', ''],
    ]);
    stage.once(contract.imports.check, () => refusal('INTERNAL_ERROR', 'Something went wrong'));
    await editName(0, 'First');
    await vi.waitFor(() => expect(toasts()).toEqual(['Something went wrong']));
    expect(cellText(0, 'field-name')).toBe('First');
    await userEvent.click(button('Check the rows'));
    await expect.element(button(/^Import 2 rows/)).toBeVisible();
    expect(applied(stage)).toEqual([]);
  });
});

describe('after the check', () => {
  it('the first row has the focus', async () => {
    fakeServer();
    await openImport();
    await checked([
      ['Koira', ''],
      ['X', ''],
    ]);
    await vi.waitFor(() => expect(document.activeElement?.closest('.ag-row')?.getAttribute('row-id')).toBe('1'));
  });

  it('F8 opens the wrong rows one after the other, in their order also after a correction', async () => {
    const stage = fakeServer();
    await openImport();
    await checked([
      ['A', ''],
      ['Koira', ''],
      ['B', ''],
      ['C', ''],
      ['D', ''],
    ]);
    await vi.waitFor(() => expect(document.activeElement?.closest('.ag-row')?.getAttribute('row-id')).toBe('0'));
    const opens = async (row: number): Promise<void> => {
      await press('{F8}');
      await expect.element(page.getByRole('dialog', { name: `Row ${row}` })).toBeVisible();
    };
    const closes = async (keys: string): Promise<void> => {
      await press(keys);
      await expect.element(dialog()).not.toBeInTheDocument();
    };
    await opens(1);
    await closes('{Escape}');
    await opens(3);
    await userEvent.fill(dialog().getByLabelText('Name'), 'Second');
    await closes('{Enter}');
    await expect.element(shows('2 to import · 3 left out')).toBeVisible();
    await opens(4);
    await closes('{Escape}');
    await opens(5);
    await userEvent.fill(dialog().getByLabelText('Name'), 'Fourth');
    await closes('{Enter}');
    await expect.element(shows('3 to import · 2 left out')).toBeVisible();
    await opens(1);
    await closes('{Escape}');
    await opens(4);
    expect(
      sent(stage)
        .at(-1)
        ?.map(([name]) => name),
    ).toEqual(['A', 'Koira', 'Second', 'C', 'Fourth']);
  });
});

describe('a field that every row needs', () => {
  it('and that has no column is named before the check, until it has one or is filled', async () => {
    fakeServer();
    await openImport('owners');
    await takes(() => pasteText('Party\tMobile\tA/C No\tPAN\tSite\nRam\t9876543210\t1\tABCDE1234F\tJoda'));
    await expect.element(shows('No column for Branch Name')).toBeVisible();
    await choose('Site', 'Branch Name');
    await expect.element(shows('5 of 5 columns used · 1 owner')).toBeVisible();
    expect(document.body.textContent).not.toContain('No column for');
    await choose('Site', 'Not used');
    await userEvent.click(page.getByRole('button', { name: 'Fill Empty Cells' }));
    await chooseIn(page.getByRole('combobox', { name: 'Field with empty cells' }), 'Branch Name');
    await expect.element(shows('No column for Branch Name')).toBeVisible();
    await userEvent.fill(page.getByLabelText('Text for every row'), 'Joda');
    await expect.element(shows('No column for Branch Name')).not.toBeInTheDocument();
  });
});

describe('rows that are left out', () => {
  const rows = [
    ['X', 'wrong', 'first'],
    ['Koira', '', 'second'],
    ['Joda', 'Iron ore', '=1'],
  ];
  const checkedWithSite = async (): Promise<void> => {
    await takes(() => pasteText(['Name\tDescription\tSite', ...rows.map((row) => row.join('\t'))].join('\n')));
    await userEvent.click(button('Check the rows'));
    await expect.element(shows('1 to import · 2 left out')).toBeVisible();
  };

  it('stay after the import, are checked again, and can be corrected and imported', async () => {
    const stage = fakeServer();
    await openImport();
    await checkedWithSite();
    await userEvent.click(button(/^Import 1 row/));
    await expect.element(shows(/^Import 2627-000001: /)).toBeVisible();
    await expect.element(shows(/^2 rows were left out\. They stay below/)).toBeVisible();
    await expect
      .poll(() => sent(stage).at(-1))
      .toEqual([
        ['X', 'wrong'],
        ['Joda', 'Iron ore'],
      ]);
    await expect.element(shows('0 to import · 2 left out')).toBeVisible();
    await editName(0, 'Barbil');
    await expect.element(shows('1 to import · 1 left out')).toBeVisible();
    await choose('All 1 that differ', 'Change the record');
    await userEvent.click(button(/^Import 2 rows/));
    await expect.element(shows(/^Import 2627-000002: /)).toBeVisible();
    await expect.element(page.getByRole('region', { name: 'What to import' })).toBeVisible();
    expect(applied(stage).map((body) => body.rows.length)).toEqual([3, 2]);
  });

  it('are saved as a file with every column of the table and the reason', async () => {
    fakeServer();
    const files: Blob[] = [];
    const create = URL.createObjectURL.bind(URL);
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) files.push(blob);
      return create(blob);
    });
    await openImport();
    await checkedWithSite();
    await userEvent.click(button('Save rows left out'));
    await vi.waitFor(() => expect(files).toHaveLength(1));
    // As text without its byte order mark.
    expect((await files[0]?.text())?.split('\r\n')).toEqual([
      '"Name","Description","Site","Why Left Out"',
      '"X","wrong","first","Name: Please enter a longer name"',
      `"Joda","Iron ore","'=1","Same name as Joda; Description: Mines → Iron ore"`,
      '',
    ]);
  });
});

it('a value that is hardly ever meant is marked, named and found, and the row is imported', async () => {
  const stage = fakeServer();
  const warning = { field: 'description', message: '259.00 MT unloaded is more than the 25.21 MT loaded: check both.' };
  stage.once(contract.imports.check, ({ body }) => {
    const { data } = checkOf(stage, body.rows);
    return { data: { ...data, rows: data.rows.map((row, at) => (at === 1 ? { ...row, warnings: [warning] } : row)) } };
  });
  await openImport();
  await checked([
    ['Barbil', 'fine'],
    ['Koira', '259'],
  ]);
  await expect.element(shows(/⚠ 1 to check/)).toBeVisible();
  await vi.waitFor(() => expect(cellText(1, 'state')).toBe('New'));
  expect(cellText(1, 'why')).toContain(warning.message);
  expect(cellText(1, 'field-description')).toBe('⚠ 259');
  await choose('Show', 'To check 1');
  await vi.waitFor(() => expect(document.querySelector('.ag-row[row-id="0"]')).toBeNull());
  await goToRow(1);
  await press('{Enter}');
  await expect.element(dialog().getByLabelText('Description')).toHaveAccessibleDescription(`⚠ ${warning.message}`);
  await press('{Escape}');
  await userEvent.click(button('Import 2 rows'));
  await vi.waitFor(() => expect(applied(stage)).toHaveLength(1));
});

describe('a cell that is edited in its place', () => {
  const field = () => page.getByRole('textbox', { name: 'Name of row 1' });
  const begin = async (stage: Desk): Promise<void> => {
    await openImport();
    await checked([
      ['X', ''],
      ['Koira', ''],
    ]);
    expect(sent(stage)).toHaveLength(1);
    await goToRow(0);
    await vi.waitFor(() => expect(document.activeElement?.getAttribute('col-id')).toBe('state'));
    await press('{F2}');
    await expect.element(field()).toHaveFocus();
  };

  it('F2 goes to the first wrong field with its sentence; Enter saves and checks; the cell has the focus again', async () => {
    const stage = fakeServer();
    await begin(stage);
    await expect.element(field()).toHaveAccessibleDescription('Please enter a longer name');
    await userEvent.fill(field(), 'First');
    await press('{Enter}');
    await expect.element(shows(/^2 to import$/)).toBeVisible();
    expect(sent(stage).at(-1)).toEqual([
      ['First', ''],
      ['Koira', ''],
    ]);
    await expect.element(field()).not.toBeInTheDocument();
  });

  it('Esc leaves it as it was, and Ctrl+Enter in it saves instead of importing', async () => {
    const stage = fakeServer();
    await begin(stage);
    await userEvent.fill(field(), 'Other');
    await press('{Escape}');
    await expect.element(field()).not.toBeInTheDocument();
    await vi.waitFor(() => expect(document.activeElement?.getAttribute('col-id')).toBe('field-name'));
    expect(sent(stage)).toHaveLength(1);
    await press('{F2}');
    await userEvent.fill(field(), 'Second');
    await press('{Control>}{Enter}{/Control}');
    await expect.element(shows(/^2 to import$/)).toBeVisible();
    expect(sent(stage).at(-1)?.[0]).toEqual(['Second', '']);
    expect(applied(stage)).toEqual([]);
  });
});

describe('names that are not found', () => {
  it('are listed once each; one is mapped to another in all its rows, and the rows are checked again', async () => {
    const stage = fakeServer();
    stage.books.unknown = [
      { kind: 'vehicle', name: 'OD09A1', rows: 2 },
      { kind: 'tag', name: 'Koira', rows: 1 },
    ];
    await openImport('challans');
    await takes(() => pasteText('TP No\tVehicle\tTag\nTP-1\tOD 09 A 1\tKoira\nTP-2\tod09a1\tJoda\nTP-3\tOD09A3\tJoda'));
    await userEvent.click(button('Check the rows'));
    await expect.element(page.getByRole('complementary', { name: 'Not found' })).toHaveTextContent('Not found (2)');
    await userEvent.click(button('Map truck OD09A1 to another'));
    await userEvent.fill(dialog().getByLabelText('Vehicle No'), 'OD09B7');
    stage.books.unknown = [];
    await userEvent.click(dialog().getByRole('button', { name: /^Map/ }));
    await expect.element(page.getByRole('complementary', { name: 'Not found' })).not.toBeInTheDocument();
    // Its button is gone with the focus, which goes on to what comes next.
    await expect.element(page.getByRole('button', { name: /^Import \d+ rows?$/ })).toHaveFocus();
    expect(sent(stage).at(-1)).toEqual([
      ['TP-1', 'OD09B7', 'Koira'],
      ['TP-2', 'OD09B7', 'Joda'],
      ['TP-3', 'OD09A3', 'Joda'],
    ]);
  });
});

describe('the import', () => {
  const start = async (stage: Desk) => {
    await openImport();
    await checked([
      ['Koira', ''],
      ['Joda', 'Iron ore'],
    ]);
    const importing = stage.hold(contract.imports.apply);
    await userEvent.click(button(/^Import 1 row/));
    await expect.element(shows('Importing 2 rows …')).toBeVisible();
    return importing;
  };

  it('says what it does; nothing is changed meanwhile; cancelled, nothing was imported', async () => {
    const stage = fakeServer();
    await start(stage);
    await choose('All 1 that differ', 'Change the record');
    await vi.waitFor(() => expect(toasts()).toContain('Wait until the import is done, or cancel it'));
    await userEvent.click(button('Cancel'));
    await vi.waitFor(() => expect(toasts()).toContain('The import was cancelled. Nothing was imported.'));
    await expect.element(button(/^Import 1 row/)).toBeVisible();
    expect(cellText(1, 'outcome')).toBe('Skip');
  });

  it('"Back to the columns" ends it', async () => {
    const stage = fakeServer();
    await start(stage);
    await userEvent.click(button('Back to the columns'));
    await vi.waitFor(() => expect(toasts()).toContain('The import was cancelled. Nothing was imported.'));
    await expect.element(shows('Importing 2 rows …')).not.toBeInTheDocument();
  });

  it('of records that changed meanwhile checks again, which can be cancelled', async () => {
    const stage = fakeServer();
    await openImport();
    await checked([['Koira', '']]);
    stage.once(contract.imports.apply, () => refusal('IMPORT_CHANGED', 'The records have changed.'));
    stage.hold(contract.imports.check);
    await userEvent.click(button(/^Import 1 row/));
    await expect.element(shows('Checking 1 row …')).toBeVisible();
    await userEvent.click(button('Cancel'));
    await vi.waitFor(() => expect(toasts()).toContain('The check was cancelled'));
    await expect.element(shows('Checking 1 row …')).not.toBeInTheDocument();

    stage.books.fingerprint = 'second';
    stage.once(contract.imports.apply, () => refusal('IMPORT_CHANGED', 'The records have changed.'));
    await userEvent.click(button(/^Import 1 row/));
    await vi.waitFor(() => expect(sent(stage)).toHaveLength(3));
    await userEvent.click(button(/^Import 1 row/));
    await expect.element(shows(/^Import 2627-000001: /)).toBeVisible();
    expect(applied(stage).map(({ expected }) => expected)).toEqual([
      { fingerprint: 'first' },
      { fingerprint: 'first' },
      { fingerprint: 'second' },
    ]);
  });
});

it('opening balances: the columns are known by their headings; afterwards Accounting and the Undo are offered', async () => {
  const stage = fakeServer();
  await openImport('opening-balances');
  await expect
    .element(shows(/^Recognised columns: /))
    .toHaveTextContent('Recognised columns: Owner Name, Owner PAN, At the End of, Balance, Debit, Credit, Note.');
  await takes(() => pasteText('Party\tPAN No\tAs On\tOpening Balance\tRemarks\nKoira Das\t\t31/03/2026\t500 Dr\tBook'));
  await userEvent.click(button('Check the rows'));
  await userEvent.click(button(/^Import 1 row/));
  await expect.element(page.getByRole('link', { name: 'Show accounting' })).toHaveAttribute('href', '/accounting');
  await expect.element(button('Undo')).toBeVisible();
  expect(stage.writes(contract.imports.apply)).toMatchObject([
    {
      kind: 'opening-balances',
      fields: ['ownerName', 'ownerPan', 'asOf', 'amount', 'note'],
      rows: [['Koira Das', '', '31/03/2026', '500 Dr', 'Book']],
    },
  ]);
});
