import { describe, expect, it } from 'vitest';
import { answerMapping } from '../../src/shared/bank-answers/read-answers.ts';
import { findHeader, otherColumns } from '../../src/shared/reading/pump-bill.ts';
import { importKinds } from '../../src/shared/contract/imports.ts';
import { challanSheetFields } from '../../src/shared/sheet/challan-sheet-fields.ts';
import { recognise, type SheetField } from '../../src/shared/sheet/headings.ts';
import { importFields } from '../../src/shared/sheet/import-fields.ts';

/** The one list of headings, and the tables that read it. */

/** The field of each heading; null: it is not recognised. */
const named = <Name extends string>(fields: readonly SheetField<Name>[], ...headings: string[]) => {
  const { columns } = recognise([headings, headings.map(() => '1')], fields);
  return Object.fromEntries(headings.map((heading, at) => [heading, columns[at]]));
};

describe('a heading that one table knows', () => {
  it('is known to the entry sheet', () => {
    const headings = ['Permit No', 'Loading Dt', 'Unloading Dt.', 'Gross Wt', 'Net Wt', 'Party Tag'];
    expect(named(challanSheetFields, ...headings)).toEqual({
      'Permit No': 'tpNo',
      'Loading Dt': 'loadingDate',
      'Unloading Dt.': 'unloadingDate',
      // Its weight has the truck in it: it is never taken for the load.
      'Gross Wt': null,
      'Net Wt': 'loadingWeight',
      'Party Tag': 'tag',
    });
    expect(named(challanSheetFields, 'टी०पी० संख्या', 'वाहन नं', 'दिनांक')).toEqual({
      'टी०पी० संख्या': 'tpNo',
      'वाहन नं': 'vehicleNo',
      दिनांक: 'loadingDate',
    });
  });

  it('is known to the imports', () => {
    expect(named(importFields.owners, 'Transporter', 'Bank A/c No', 'Mob. No', 'Gadi No')).toEqual({
      Transporter: 'name',
      'Bank A/c No': 'accountNo',
      'Mob. No': 'contactNumber',
      'Gadi No': 'trucks',
    });
    expect(named(importFields.tags, 'Party Tag', 'Remark')).toEqual({ 'Party Tag': 'name', Remark: 'description' });
    expect(named(importFields.challans, 'Permit No', 'Net Wt', 'UTR/RRN')).toEqual({
      'Permit No': 'tpNo',
      'Net Wt': 'loadingWeight',
      'UTR/RRN': 'paymentReference',
    });
    expect(named(importFields['opening-balances'], 'Transporter', 'Closing Bal.')).toEqual({
      Transporter: 'ownerName',
      'Closing Bal.': 'amount',
    });
  });

  it('is known to the bills of pumps', () => {
    expect(findHeader([['Slip Date', 'Pass No', 'Transaction Amt']])).toEqual({ row: 0, tpColumn: 1, amountColumn: 2 });
    expect(otherColumns(['Trip Date', 'Gadi No'])).toEqual({ vehicle: 1, date: 0 });
  });

  it('is known to the answers of banks', () => {
    const { columns } = answerMapping([['Payee Name', 'Bank A/c No', 'Bill Amt', 'Trans Date', 'RRN', 'State']]);
    expect(columns).toEqual(['name', 'accountNo', 'amount', 'day', 'utr', 'status']);
  });
});

describe('a heading whose meaning depends on the table', () => {
  it('is taken for the field that the table names, and only where no better heading is there', () => {
    expect(named(challanSheetFields, 'Date', 'Vehicle')).toEqual({ Date: 'loadingDate', Vehicle: 'vehicleNo' });
    expect(named(challanSheetFields, 'Date', 'Loading Dt', 'Truck')).toMatchObject({
      Date: null,
      'Loading Dt': 'loadingDate',
    });
    expect(named(importFields['opening-balances'], 'Date', 'Amount')).toEqual({ Date: 'asOf', Amount: 'amount' });
    expect(named(importFields['opening-balances'], 'Name', 'Note')).toEqual({ Name: 'ownerName', Note: 'note' });
  });

  it('never means two fields of one table', () => {
    const tables = [challanSheetFields, ...importKinds.map((kind) => importFields[kind])];
    for (const fields of tables) {
      const names = new Map<string, Set<string>>();
      for (const { name, keys } of fields) {
        for (const key of keys) names.set(key, (names.get(key) ?? new Set()).add(name));
      }
      expect([...names].filter(([, own]) => own.size > 1).map(([key, own]) => [key, ...own])).toEqual([]);
    }
  });

  it('is not a unit: liters are no amount, kilograms are no tonnes, a net weight is no net amount', () => {
    expect(findHeader([['TP No', 'HSD (Ltr)']])).toHaveProperty('error');
    expect(named(challanSheetFields, 'TP', 'Loading Wt (Kg)', 'Unloading Wt (in MT)')).toEqual({
      TP: 'tpNo',
      'Loading Wt (Kg)': null,
      'Unloading Wt (in MT)': 'unloadingWeight',
    });
    expect(named(importFields.challans, 'Net (MT)', 'Net Rs', 'TP')).toMatchObject({
      'Net (MT)': null,
      'Net Rs': 'netAmountPayable',
    });
  });
});

describe('the imports', () => {
  it.each(importKinds)('recognise every heading of the template of %s', (kind) => {
    const labels = importFields[kind].map(({ label }) => label);
    expect(recognise([labels], importFields[kind]).columns).toEqual(importFields[kind].map(({ name }) => name));
  });
});
