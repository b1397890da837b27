import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { makeSource, monthFirstDate, rememberColumns, rowsOf } from '../../../src/web/features/import/import-source.ts';
import { openSheet, paste, sheetDesk, shows, tableOf, textAt } from '../support/challan-sheet.ts';
import { closeApp } from '../support/screen.tsx';
import { sheetOf } from '../support/sheets.ts';

/** A table whose dates have the month first is read as a whole one way or the other, and never half and half. */
const days = ['3/5/2026', '3/13/2026'];
const table = tableOf(2, (row) => ({ 'Loading Date': days[row - 1] ?? '' }));

describe('dates with the month first', () => {
  beforeEach(() => {
    sheetDesk();
  });
  afterEach(closeApp);

  it('are asked about before they are pasted into the entry sheet, and are pasted turned', async () => {
    await openSheet();
    paste(table);
    await shows('These dates look like month/day/year: 3/13/2026.');
    expect(textAt(1, 'tpNo')).toBe('');
    await userEvent.click(page.getByRole('button', { name: /^Month First/ }));
    await vi.waitFor(() =>
      expect([textAt(1, 'loadingDate'), textAt(2, 'loadingDate')]).toEqual(['05/03/2026', '13/03/2026']),
    );
  });

  it('are not pasted where the user does not say so', async () => {
    await openSheet();
    paste(table);
    await userEvent.click(page.getByRole('button', { name: 'Do Not Paste' }));
    await shows('Type, paste from a spreadsheet');
    expect(textAt(1, 'tpNo')).toBe('');
  });

  it('of an import are read turned once the user has said it, and from then on for tables of this form', () => {
    const rows = [
      ['Owner Name', 'At the End of', 'Balance'],
      ['Ravi', '3/5/2026', '500'],
      ['Asha', '3/13/2026', '700'],
    ];
    const open = () => {
      const source = makeSource(
        'opening-balances',
        { name: 'balances.csv', sha256: null, kind: 'comma' },
        [sheetOf(rows)],
        0,
      );
      if (!source) throw new Error('The table has rows');
      return source;
    };
    const source = open();
    expect(monthFirstDate('opening-balances', source)).toBe('3/13/2026');
    const turned = { ...source, isMonthFirst: true };
    expect(monthFirstDate('opening-balances', turned)).toBeUndefined();
    expect(rowsOf('opening-balances', turned).rows).toEqual([
      ['Ravi', '5/3/2026', '500'],
      ['Asha', '13/3/2026', '700'],
    ]);
    rememberColumns('opening-balances', turned);
    expect(open().isMonthFirst).toBe(true);
    rememberColumns('opening-balances', source);
    expect(open().isMonthFirst).toBe(false);
  });
});
