import { describe, expect, it } from 'vitest';
import { challanExportColumns } from '../../src/shared/columns/challan-export-columns.ts';
import { challanSheetFields, type SheetColumn } from '../../src/shared/sheet/challan-sheet-fields.ts';
import { recognise } from '../../src/shared/sheet/headings.ts';
import { fieldsInDoubt } from '../../src/shared/sheet/unused-columns.ts';

const today = '2026-11-27';
const filledIn: readonly SheetColumn[] = ['loadingDate', 'depositedAt', 'material', 'ratePerMT'];
const doubts = (headings: string[], ...rows: string[][]) =>
  fieldsInDoubt(recognise([headings, ...rows], challanSheetFields), rows, filledIn, today);

/** A value must not be filled in where a column of the table may have another one. */
describe('a field that would be filled in is in doubt', () => {
  it('where a column with an unknown heading has texts of its kind', () => {
    expect(doubts(['TP', 'Truck', 'Tarikh'], ['1', 'OD1', '-'], ['2', 'OD2', '05/03/2026'])).toEqual([
      'loadingDate',
      'depositedAt',
    ]);
    expect(doubts(['TP', 'Truck', 'Bhada'], ['1', 'OD1', '1,250'])).toEqual(['ratePerMT']);
    expect(doubts(['TP', 'Truck', 'Maal'], ['1', 'OD1', 'Coal'])).toEqual(['material']);
    expect(doubts(['TP', 'Truck', ''], ['1', 'OD1', 'Coal'])).toEqual(['material']);
  });

  it('not where the field has a column of its own, or the other column is empty', () => {
    expect(doubts(['TP', 'Truck', 'Maal', 'Material'], ['1', 'OD1', 'Coal', 'Ore'])).toEqual([]);
    expect(doubts(['TP', 'Truck', 'Maal'], ['1', 'OD1', ''])).toEqual([]);
  });

  it('not where the heading says that the column is something else', () => {
    expect(doubts(['Sl No', 'TP', 'Truck', 'IFSC', 'Paid On'], ['1', '1', 'OD1', 'SBIN0001234', '05/03/2026'])).toEqual(
      [],
    );
    const labels = challanExportColumns.map(({ label }) => label);
    const row = labels.map((label) => (label === 'Created' ? '05/03/2026' : label === 'Net' ? '5.00' : 'text'));
    const { columns, headings } = recognise([labels, row], challanSheetFields);
    expect(fieldsInDoubt({ columns, headings }, [row], ['dataEntryBy', 'materialRate'], today)).toEqual([]);
  });

  it('where its meaning depends on the table, and another column was better', () => {
    const row = ['1', 'OD1', '01/03/2026', '05/03/2026'];
    expect(doubts(['TP', 'Truck', 'Loading Dt', 'Date'], row)).toEqual(['depositedAt']);
  });
});
