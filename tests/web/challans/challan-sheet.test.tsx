import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { contract } from '../../../src/shared/contract/index.ts';
import {
  cell,
  copied,
  create,
  focusedAt,
  keys,
  openSheet,
  paste,
  sheetDesk,
  shows,
  tableOf,
  textAt,
} from '../support/challan-sheet.ts';
import { remember } from '../support/challan-form.ts';
import { refusal, offline } from '../support/fake-server.ts';
import { type Desk } from '../support/records.ts';
import { closeApp } from '../support/screen.tsx';
import { checkSheet } from '../support/challan-sheet.ts';
import { readAnswer, sheetOf } from '../support/sheets.ts';

let stage: Desk;
beforeEach(() => {
  stage = sheetDesk();
});
afterEach(closeApp);

const wrong: Readonly<Record<number, Record<string, string>>> = {
  3: { Tag: 'Steel', Rate: '12,50' },
  5: { 'TP No': 'TP-STORED' },
  9: { 'TP No': 'TP-8', 'Vehicle No': 'XX1' },
};
const commitBody = (index = 0) =>
  stage.calls(contract.challans.createMany)[index]?.body as { mode: string; rows: Record<string, unknown>[] };

describe('a table that is pasted', () => {
  it('is checked with one question, and says what is wrong by cell and by kind', async () => {
    await openSheet();
    expect(focusedAt()).toBe('1 tpNo');
    paste(tableOf(30, (row) => wrong[row]));
    await shows('30 rows');
    await shows('28 right');
    await shows('2 wrong');
    await shows('This TP No is also in challan CH-2627-000007');
    await shows('Row 8: This TP No is also in row 9');
    expect(stage.calls(contract.challans.checkSheet)).toHaveLength(1);
    await vi.waitFor(() =>
      expect([textAt(1, 'ownerName'), textAt(1, 'netAmountPayable')]).toEqual(['Ravi Kumar', '19,700.00']),
    );
    expect(cell(9, 'ownerName')?.className).toContain('cd-error');
    expect(cell(1, 'ownerName')?.className).toContain('cd-filled');
    const link = page.getByRole('link', { name: 'CH-2627-000007' });
    await expect.element(link).toHaveAttribute('href', expect.stringContaining('/challans/edit/'));
  });

  it('has warnings about values that are hardly ever meant, and is created all the same', async () => {
    stage.serve(contract.challans.checkSheet, ({ body }) => ({
      data: {
        ...checkSheet(stage, body),
        lastRates: [{ loadingPlace: 'Joda', unloadingPlace: 'Paradip', ratePerMT: '100.00' }],
      },
    }));
    await openSheet();
    paste(tableOf(2, (row) => ({ Rate: '299', ...(row === 2 && { 'Unloading MT': '200', Rate: '1,000' }) })));
    await shows('2 right');
    await shows('200.00 MT unloaded is more than the 20.00 MT loaded: check both.');
    await shows('The last challan from Joda to Paradip has ₹100.00 per MT: check the rate.');
    await keys('{Control>}s{/Control}');
    await shows('1 row has warnings in the list below the sheet.');
    await keys('{Control>}{Enter}{/Control}');
    await shows('2 challans');
    expect(commitBody().rows).toHaveLength(2);
  });

  it('does not take the advance of the challan before where its own is empty', async () => {
    remember({ advanceMoney: '5000.00' });
    await openSheet();
    paste(tableOf(2, (row) => ({ Advance: row === 1 ? '' : '700' })));
    await shows('1 right');
    await shows('Please enter advance money');
    expect([textAt(1, 'advanceMoney'), textAt(2, 'advanceMoney')]).toEqual(['', '700.00']);
  });

  it('of one cell is a value, also where it reads as a heading; columns without room are counted', async () => {
    await openSheet();
    paste('Advance\r\n');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe('Advance'));
    paste(`${Array.from({ length: 60 }, (_, at) => `x${at}`).join('\t')}\r\n`);
    await shows(/columns did not fit\. Show more columns, or copy the headings too\./);
  });

  it('is taken back by one Ctrl+Z and comes again by Ctrl+Y', async () => {
    await openSheet();
    paste(tableOf(3));
    await shows('3 right');
    await keys('{Control>}z{/Control}');
    await shows('Type, paste from a spreadsheet');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe(''));
    await keys('{Control>}y{/Control}');
    await shows('3 right');
  });

  it('is selected whole, also where it made the sheet longer', async () => {
    await openSheet();
    paste(tableOf(70));
    expect(copied().split('\r\n')).toHaveLength(70);
    await shows('70 right');
    await keys('{Delete}');
    await shows('Type, paste from a spreadsheet');
  });

  it('may have its columns changed, which is remembered for the same headings', async () => {
    await openSheet();
    paste('TP No\tVehicle\tKiln\r\nTP-1\tOD1\tCoal\r\n');
    await shows('2 of 3 columns recognised');
    await page.getByRole('button', { name: 'Change columns' }).click();
    await page.getByRole('combobox', { name: 'Kiln' }).click();
    await page.getByRole('option', { name: 'Material', exact: true }).click();
    await vi.waitFor(() => expect(textAt(1, 'material')).toBe('Coal'));
    cell(1, 'tpNo')?.focus();
    paste('TP no.\tvehicle\tKILN\r\nTP-2\tOD2\tOre\r\n');
    await vi.waitFor(() => expect(textAt(2, 'material')).toBe('Ore'));
  });
});

describe('a column that is not recognised', () => {
  const unknownHeading = () => tableOf(60).replace('Loading Date', 'Tarikh');
  beforeEach(() => {
    remember({ loadingDate: '2026-11-01', tripDays: 1 });
  });

  it('is asked for before another value is filled in', async () => {
    await openSheet();
    paste(unknownHeading());
    await shows('12 of 13 columns recognised');
    await shows('60 wrong');
    await shows(/Until then nothing is filled in for Loading Date, Unloading Date, Deposited On\./);
    expect([textAt(1, 'loadingDate'), textAt(1, 'unloadingDate')]).toEqual(['', '']);
    await page.getByRole('button', { name: 'Change columns' }).click();
    await page.getByRole('combobox', { name: 'Tarikh' }).click();
    await page.getByRole('option', { name: 'Loading Date', exact: true }).click();
    await shows('60 right');
    expect([textAt(1, 'loadingDate'), textAt(1, 'unloadingDate')]).toEqual(['20/11/2026', '21/11/2026']);
    expect(document.body.textContent).not.toContain('Until then');
  });

  it('may be left out: the values are filled in, and the same headings are not asked for again', async () => {
    await openSheet();
    paste(unknownHeading());
    await shows('60 wrong');
    await page.getByRole('button', { name: 'Leave them out' }).click();
    await shows('60 right');
    expect([textAt(1, 'loadingDate'), textAt(1, 'unloadingDate')]).toEqual(['01/11/2026', '02/11/2026']);
    await expect.poll(() => focusedAt()).toBe('1 tpNo');
    await keys('{Control>}z{/Control}');
    await shows('60 wrong');
    await keys('{Control>}z{/Control}');
    await shows('Type, paste from a spreadsheet');
    paste(unknownHeading());
    await shows('60 right');
    expect(document.body.textContent).not.toContain('Until then');
  });
});

describe('a file that is opened', () => {
  it('goes the way of a pasted table: rows of different length, headings above, empty rows between', async () => {
    stage.serve(contract.tables.read, () => {
      const rows = [
        ['Maa Tarini'],
        ['TP No', 'Vehicle', 'Material'],
        ["'0012", 'od09ab1001'],
        [],
        ['TP-2', '', 'wet', '  '],
      ];
      return readAnswer(sheetOf(rows));
    });
    await openSheet();
    await userEvent.upload(page.getByLabelText('File of challans'), new File(['x'], 'november.xlsx'));
    await shows('2 rows');
    expect([textAt(1, 'tpNo'), textAt(1, 'vehicleNo'), textAt(1, 'material')]).toEqual(['0012', 'OD09AB1001', '']);
    expect([textAt(2, 'tpNo'), textAt(2, 'material')]).toEqual(['TP-2', 'wet']);
  });

  it('of two sheets is asked about, and merged cells are in each of their rows', async () => {
    const rows = [['TP No', 'Vehicle'], ['W2', 'od09ab1001'], ['W3']];
    const merges = [{ column: 1, first: 1, last: 2 }];
    stage.serve(contract.tables.read, () =>
      readAnswer(
        sheetOf(
          [
            ['TP No', 'Vehicle'],
            ['W1', 'x'],
          ],
          { name: 'Week 1' },
        ),
        sheetOf(rows, { name: 'Week 2', merges }),
      ),
    );
    await openSheet();
    await userEvent.upload(page.getByLabelText('File of challans'), new File(['x'], 'november.xlsx'));
    await userEvent.click(page.getByRole('button', { name: 'Week 2 3 rows' }));
    await shows('2 rows');
    expect([textAt(1, 'vehicleNo'), textAt(2, 'vehicleNo')]).toEqual(['OD09AB1001', 'OD09AB1001']);
    await shows('november.xlsx: Read as an Excel workbook, sheet 2 of 2');
  });

  it('with a row of more cells than headings names it, and leaves it out when the user says so', async () => {
    const rows = [
      ['TP No', 'Vehicle'],
      ['W1', 'od09ab1001'],
      ['W2', 'od09ab1001', '50'],
    ];
    stage.serve(contract.tables.read, () => readAnswer(sheetOf(rows, { rowNumbers: [1, 2, 7] })));
    await openSheet();
    await userEvent.upload(page.getByLabelText('File of challans'), new File(['x'], 'november.csv'));
    await expect
      .element(page.getByRole('alertdialog'))
      .toHaveTextContent('Row 7 has more cells than there are headings');
    await userEvent.click(page.getByRole('button', { name: 'Leave Out' }));
    await shows('1 row');
    expect(textAt(1, 'tpNo')).toBe('W1');
  });

  it('may be dropped onto the sheet, or copied and pasted', async () => {
    let row = 0;
    stage.serve(contract.tables.read, () => {
      const rows = [
        ['TP No', 'Material'],
        [`TP-${(row += 1)}`, 'Coal'],
      ];
      return readAnswer(sheetOf(rows));
    });
    await openSheet();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'november.xlsx'));
    const give = (event: Event) => document.activeElement?.dispatchEvent(event);
    give(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
    await shows('Drop the file to add its rows to the sheet');
    give(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    await shows('1 row');
    expect(document.body.textContent).not.toContain('Drop the file');
    give(new ClipboardEvent('paste', { clipboardData: dataTransfer, bubbles: true, cancelable: true }));
    await shows('2 rows');
    await vi.waitFor(() => expect([textAt(1, 'tpNo'), textAt(2, 'tpNo')]).toEqual(['TP-1', 'TP-2']));
    // Text that is copied in a spreadsheet brings a picture of itself.
    await keys('x');
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Coal');
    clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    give(pasted);
    expect([pasted.defaultPrevented, row]).toEqual([false, 2]);
  });
});

describe('the keys of the sheet', () => {
  it('type, move and edit as in a spreadsheet', async () => {
    await openSheet();
    await keys('TP-1{Tab}5/11{Tab}{Tab}od09ab1001{Enter}');
    await expect.poll(() => focusedAt()).toBe('2 tpNo');
    await vi.waitFor(() => expect(textAt(1, 'ownerName')).toBe('Ravi Kumar'));
    expect([textAt(1, 'tpNo'), textAt(1, 'loadingDate'), textAt(1, 'vehicleNo')]).toEqual([
      'TP-1',
      expect.stringMatching(/^05\/11\/\d{4}$/),
      'OD09AB1001',
    ]);
    await keys('{ArrowUp}{F2}9{Enter}');
    await vi.waitFor(() => expect([textAt(1, 'tpNo'), focusedAt()]).toEqual(['TP-19', '2 tpNo']));
    await keys('{Shift>}{Enter}{/Shift}x{Escape}');
    await vi.waitFor(() => expect([textAt(1, 'tpNo'), focusedAt()]).toEqual(['TP-19', '1 tpNo']));
    await keys('{Delete}');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe(''));
    await keys('{Control>}z{/Control}');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe('TP-19'));
    await keys('{Tab}{Shift>}{Tab}{/Shift}{End}');
    await expect.poll(() => focusedAt()).toBe('1 netAmountPayable');
    await keys('{Control>}{End}{/Control}{Home}');
    await expect.poll(() => focusedAt()).toBe('1 tpNo');
  });

  it('take the arrows to other cells after typing, and into the text after F2', async () => {
    await openSheet();
    await keys('TP-1{ArrowRight}5/11{ArrowDown}');
    await expect.poll(() => [focusedAt(), textAt(1, 'tpNo')]).toEqual(['2 loadingDate', 'TP-1']);
    await keys('{ArrowUp}{ArrowLeft}{F2}{ArrowLeft}9{ArrowDown}8{Enter}');
    await vi.waitFor(() => expect([focusedAt(), textAt(1, 'tpNo')]).toEqual(['2 tpNo', 'TP-918']));
    await keys('ab{F2}{ArrowLeft}c{F2}{ArrowDown}');
    await vi.waitFor(() => expect([focusedAt(), textAt(2, 'tpNo')]).toEqual(['3 tpNo', 'acb']));
    await keys('{ArrowUp}{Tab}6/11{ArrowDown}{Enter}');
    await expect.poll(() => focusedAt()).toBe('4 loadingDate');
  });

  it('fill, clear and delete what is selected', async () => {
    await openSheet();
    await keys('a{Enter}b{Enter}c{Enter}');
    await keys('{Control>}{Home}{/Control}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await expect.poll(() => document.querySelectorAll('.cd-range')).toHaveLength(3);
    await keys('{Control>}d{/Control}');
    await vi.waitFor(() => expect([1, 2, 3, 4].map((row) => textAt(row, 'tpNo'))).toEqual(['a', 'a', 'a', '']));
    await keys('z{Control>}{Enter}{/Control}');
    await vi.waitFor(() => expect([1, 2, 3, 4].map((row) => textAt(row, 'tpNo'))).toEqual(['z', 'z', 'z', '']));
    await keys(
      '{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}',
    );
    await keys('Coal{Enter}{ArrowUp}{Control>} {/Control}');
    await expect.poll(() => document.querySelectorAll('.cd-range').length).toBeGreaterThan(3);
    await keys('{Control>}{Enter}{/Control}');
    await vi.waitFor(() => expect([1, 20].map((row) => textAt(row, 'material'))).toEqual(['Coal', 'Coal']));
    await keys('{Control>}z{/Control}{Home}{Shift>} {/Shift}{Control>}-{/Control}');
    await vi.waitFor(() => expect([1, 2, 3].map((row) => textAt(row, 'tpNo'))).toEqual(['z', 'z', '']));
    await keys('{Control>}a{/Control}{Delete}');
    await shows('Type, paste from a spreadsheet');
  });

  it('copy, cut and paste ranges, to and from other programs', async () => {
    await openSheet();
    paste('TP-1\t05/11/2026\r\n"x\ty"\t6/11\r\n');
    await shows('2 rows');
    expect([textAt(1, 'tpNo'), textAt(2, 'tpNo'), textAt(2, 'loadingDate').slice(0, 6)]).toEqual([
      'TP-1',
      'x y',
      '06/11/',
    ]);
    expect(copied()).toMatch(/^TP-1\t05\/11\/2026\r\nx y\t06\/11\/\d{4}$/);
    const text = copied('cut');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe(''));
    await keys('{ArrowDown}{ArrowDown}{ArrowDown}');
    paste(text);
    await vi.waitFor(() => expect([textAt(4, 'tpNo'), textAt(5, 'tpNo')]).toEqual(['TP-1', 'x y']));
    await keys('{Control>}r{/Control}');
    await vi.waitFor(() => expect(textAt(4, 'loadingDate')).toBe('TP-1'));
  });

  it('walk the mistakes with F8, each with its sentence', async () => {
    await openSheet();
    paste(tableOf(12, (row) => wrong[row]));
    await shows('2 wrong');
    await keys('{F8}');
    await expect.poll(() => focusedAt()).toBe('3 tag');
    await vi.waitFor(() =>
      expect(document.querySelector('.cd-sheet [role="status"]')?.textContent).toBe('No tag matches "Steel"'),
    );
    await keys('{F8}{F8}{F8}{F8}');
    await expect.poll(() => focusedAt()).toBe('3 tag');
    await keys('{Shift>}{F8}{/Shift}');
    await expect.poll(() => focusedAt()).toBe('9 ownerContactNumber');
  });

  it('leave the table by Esc and Tab', async () => {
    await openSheet();
    await keys('{Escape}{Tab}');
    expect(document.activeElement?.closest('.cd-sheet .ag-row')).toBeNull();
    await keys('{Shift>}{Tab}{/Shift}');
    await expect.poll(() => focusedAt()).toBe('1 tpNo');
  });
});

describe('names that nobody knows', () => {
  it('are none of those that came with a vehicle', async () => {
    await openSheet();
    await keys('TP-1{ArrowRight}{ArrowRight}{ArrowRight}OD1{Enter}');
    await vi.waitFor(() => expect(textAt(1, 'ownerName')).toBe('Ravi Kumar'));
    await userEvent.click(cell(2, 'ownerName')!);
    paste('Ravi Kumar');
    await shows('2 rows');
    await vi.waitFor(() => expect(textAt(2, 'ownerContactNumber')).toBe('9876543210'));
    expect(document.body.textContent).not.toContain('Not found');
  });

  it('are mapped to another one in every row', async () => {
    await openSheet();
    paste(tableOf(4, () => ({ Tag: 'Steel', 'TDS %': '2' })));
    await shows('4 wrong');
    await page.getByRole('button', { name: 'Map tag Steel to another' }).click();
    await page.getByRole('combobox', { name: 'Tag' }).fill('CO');
    await page.getByRole('option', { name: 'COAL' }).click();
    await keys('{Control>}{Enter}{/Control}');
    await shows('4 right');
    await vi.waitFor(() => expect(textAt(4, 'tag')).toBe('COAL'));
  });

  it('are found once they are made', async () => {
    await openSheet();
    paste(tableOf(2, () => ({ Tag: 'Steel' })));
    await shows('2 wrong');
    await page.getByRole('button', { name: 'Create tag Steel' }).click();
    await expect.element(page.getByRole('textbox', { name: 'Tag Name' })).toHaveValue('Steel');
    await keys('{Control>}{Enter}{/Control}');
    await shows('2 right');
    // The list is gone with the button that had the focus, which goes back to the sheet.
    await vi.waitFor(() => expect(focusedAt()).toBe('1 tpNo'));
  });
});

it('a cell takes ? as any character; the help is in the palette', async () => {
  await openSheet();
  await keys('?1{Enter}');
  await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe('?1'));
  await vi.waitFor(() => expect(focusedAt()).toBe('2 tpNo'));
  await keys('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: 'Find a screen or an action' })).toHaveFocus();
  await keys('shortcuts');
  await expect.element(page.getByRole('option', { name: /^Help/ })).toBeInTheDocument();
  await keys('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'Help' })).toBeInTheDocument();
});

describe('a commit', () => {
  it('creates all rows under one key, and is taken back', async () => {
    await openSheet();
    paste(tableOf(3));
    await shows('3 right');
    await keys('{Control>}s{/Control}');
    await shows('Create 3 challans?');
    await shows('The net amount is ₹59,100.00.');
    await keys('{Control>}{Enter}{/Control}');
    await shows('Sheet 2627-000001: 3 challans, ₹59,100.00');
    expect(commitBody()).toMatchObject({ mode: 'all', rows: [{ tpNo: 'TP-1', netAmountPayable: '19700.00' }, {}, {}] });
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe(''));
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).first().click();
    await shows('3 challans were deleted and are back in the sheet.');
    await vi.waitFor(() => expect([textAt(1, 'tpNo'), textAt(3, 'tpNo')]).toEqual(['TP-1', 'TP-3']));
  });

  it('that is taken back forgets its TDS percentage: the warnings are there again, and what was left empty', async () => {
    await openSheet();
    paste(tableOf(3, (row) => ({ 'TDS %': row === 1 ? '' : '5' })));
    await shows('3 right');
    // One percentage that the owner's last challan brings, and two that are not the usual one.
    const seen = () => [
      page.getByRole('complementary', { name: 'Problems' }).query()?.textContent,
      ...[1, 2, 3].map((row) => textAt(row, 'netAmountPayable')),
    ];
    await shows('The owner’s last challan has 2.0 %');
    const before = seen();
    await create();
    await shows('Sheet 2627-000001: 3 challans');
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe(''));
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).first().click();
    await shows('3 challans were deleted and are back in the sheet.');
    await vi.waitFor(() => expect(seen()).toEqual(before));
  });

  it('of the right rows leaves the wrong ones', async () => {
    await openSheet();
    paste(tableOf(4, (row) => (row === 2 ? { Rate: 'x' } : undefined)));
    await shows('1 wrong');
    await keys('{Control>}s{/Control}');
    await shows('1 of 4 rows is wrong and stay');
    await keys('{Control>}{Enter}{/Control}');
    await shows('1 row stays in the sheet.');
    expect([commitBody().mode, commitBody().rows.length]).toEqual(['valid', 3]);
    await vi.waitFor(() => expect(textAt(1, 'tpNo')).toBe('TP-2'));
  });

  it('that is refused marks the rows that the server refuses', async () => {
    await openSheet();
    paste(tableOf(2));
    await shows('2 right');
    stage.once(contract.challans.createMany, ({ body }) => {
      const refused = [
        {
          key: body.rows[1]?.key ?? '',
          code: 'INVALID_REFERENCE',
          message: 'Tag not found',
          fields: { tagId: 'Tag not found' },
        },
      ];
      return refusal('ROWS_REFUSED', 'One row is refused.', { data: { refused } });
    });
    await create();
    await shows('Nothing was created');
    await vi.waitFor(() => expect(focusedAt()).toBe('2 tag'));
    expect(cell(2, 'tag')?.className).toContain('cd-error');
    await keys('COAL{Enter}');
    await shows('2 right');
  });

  it('that is not answered is sent again under the same key', async () => {
    await openSheet();
    paste(tableOf(2));
    await shows('2 right');
    stage.once(contract.challans.createMany, offline);
    await create();
    await shows('They will not be stored twice');
    await create();
    await shows('Sheet 2627-000001');
    const sent = stage.calls(contract.challans.createMany).map(({ key }) => key);
    expect(sent[0]).toBe(sent[1]);
    expect(sent).toHaveLength(2);
  });
});

describe('the draft', () => {
  it('is offered with its time after a reload, and gone after a commit', async () => {
    await openSheet();
    paste(tableOf(2));
    await shows('2 right');
    await vi.waitFor(() =>
      expect(Object.keys(localStorage).some((key) => key.endsWith('draft:challan.sheet'))).toBe(true),
    );
    const kept = { ...localStorage };
    await closeApp();
    stage = sheetDesk();
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value));
    await openSheet();
    await shows(/A draft from .* was not saved/);
    await userEvent.click(page.getByRole('button', { name: 'Restore' }));
    await shows('2 right');
    await keys('{Control>}s{/Control}');
    await shows('Create 2 challans?');
    await keys('{Control>}{Enter}{/Control}');
    await shows('Sheet 2627-000001');
    expect(Object.keys(localStorage).some((key) => key.endsWith('draft:challan.sheet'))).toBe(false);
  });
});

describe('names that cannot be asked for', () => {
  it('are asked for again by Retry', async () => {
    stage.once(contract.challans.checkSheet, () => refusal('SERVICE_UNAVAILABLE', 'Busy'));
    await openSheet();
    paste(tableOf(2));
    await shows('Names and duplicates could not be checked');
    await page.getByRole('button', { name: 'Retry' }).click();
    await shows('2 right');
  });
});
