import { describe, expect, it } from 'vitest';
import { bankAccountColumns } from '../../src/shared/columns/bank-columns.ts';
import { bankFileColumns, datesOf, statementChallanColumns } from '../../src/shared/columns/bank-statement-columns.ts';
import type { BankFileRow } from '../../src/shared/columns/bank-statement-columns.ts';
import { challanColumns, ownerChallanColumns } from '../../src/shared/columns/challan-columns.ts';
import { challanExportColumns } from '../../src/shared/columns/challan-export-columns.ts';
import { ownerAgeingColumns, tagFiguresColumns } from '../../src/shared/columns/dashboard-columns.ts';
import { cellValue, mapCell } from '../../src/shared/columns/define.ts';
import type { CellMap } from '../../src/shared/columns/define.ts';
import { paymentBatchColumns, paymentOwnerColumns } from '../../src/shared/columns/payment-batch-columns.ts';
import {
  ownerCardColumns,
  ownerColumns,
  petrolPumpColumns,
  subadminColumns,
  tagColumns,
  truckColumns,
} from '../../src/shared/columns/record-columns.ts';
import type { BankAccount } from '../../src/shared/contract/bank-accounts.ts';
import { challanFields, challanSortKeys } from '../../src/shared/contract/challan-fields.ts';
import { ownerSortKeys } from '../../src/shared/contract/owners.ts';
import { tagSortKeys } from '../../src/shared/contract/tags.ts';
import { truckSortKeys } from '../../src/shared/contract/trucks.ts';

const labels = (columns: readonly { label: string }[]) => columns.map(({ label }) => label);

describe('the files', () => {
  it('has the challan columns in their order', () => {
    expect(labels(challanExportColumns).join(', ')).toBe(
      'No, TP, Vehicle, Owner, Contact, Discounter, Tag, Pump, Material, From, To, Loading date, Unloading date, ' +
        'Loading MT, Unloading MT, Difference, Discount MT, Rate, TDS %, TDS, HSD ₹/L, HSD L, HSD, Advance, Office, ' +
        'Shortage, Material shortage, Net, Paid, Paid on, Payment no, HSD verified, Deposited, Remarks, Created',
    );
  });

  it('has the bank columns in their order', () => {
    expect(labels(bankFileColumns).join(', ')).toBe(
      'Owner, Contact, Account, IFSC, Branch, PAN, Challan, TP, Vehicle, Route, Dates, Net, Tag, Status',
    );
  });

  it('writes accounts and TP numbers as identifiers, so that they keep their zeros', () => {
    const kindOf = (columns: readonly { label: string; kind: string }[], label: string) =>
      columns.find((column) => column.label === label)?.kind;
    expect(kindOf(bankFileColumns, 'Account')).toBe('identifier');
    expect(kindOf(bankFileColumns, 'TP')).toBe('identifier');
    expect(kindOf(challanExportColumns, 'TP')).toBe('identifier');
    expect(kindOf(challanExportColumns, 'Net')).toBe('money');
  });

  it('names in the export every key a field of its row, so that a query may select by key', () => {
    expect(challanExportColumns.filter((column) => column.value)).toEqual([]);
  });
});

describe('the grids', () => {
  it('shows a bank account without a limit as such, not as a limit of ₹0.00', () => {
    const limit = bankAccountColumns.find(({ key }) => key === 'fileLimit')!;
    const account = (fileLimit: string) => ({ fileLimit }) as BankAccount;
    expect(cellValue(limit, account('0.00'))).toBeNull();
    expect(limit.empty).toBe('No limit');
    expect(cellValue(limit, account('500000.00'))).toBe('500000.00');
  });

  it('has the columns of the specification', () => {
    const own = <C extends { isOffered?: true }>(columns: readonly C[]) =>
      columns.filter(({ isOffered }) => !isOffered);
    expect(labels(own(challanColumns))).toEqual([
      'Challan No',
      'TP No',
      'Vehicle No',
      'Owner',
      'Tag',
      'Deposited Date',
      'Net Amount',
      'Paid',
      'HSD Verified',
    ]);
    expect(labels(own(ownerChallanColumns))).toEqual([
      'Challan No.',
      'TP No.',
      'Deposited Date',
      'Vehicle No.',
      'Net Amount',
      'Tag',
      'Payment Status',
      'Paid On',
      'Payment No',
    ]);
    expect(labels(petrolPumpColumns)).toEqual(['Name', 'Contact Number', 'Address', 'Created At']);
    expect(labels(subadminColumns)).toEqual([
      'Email',
      'Banner Name',
      'GST No',
      'Contact Number',
      'Office Address',
      'Status',
      // Hidden at first.
      'People',
      'Last Seen',
    ]);
  });

  it('offers every field of a challan besides, hidden at first', () => {
    // The declaration stands in the cell of the TDS percentage.
    for (const columns of [challanColumns, ownerChallanColumns]) {
      const missing = Object.keys(challanFields).filter((name) => !columns.some(({ key }) => key === name));
      expect(
        missing.filter((name) => !['id', 'owner', 'version', 'ownerName', 'tdsDeclaration'].includes(name)),
      ).toEqual([]);
    }
  });

  it.each([
    ['challans', challanColumns, challanSortKeys],
    ['owner challans', ownerChallanColumns, challanSortKeys],
    ['owners', ownerColumns, ownerSortKeys],
    ['trucks', truckColumns, truckSortKeys],
    ['tags', tagColumns, tagSortKeys],
  ] as const)('%s: every sort key is one the server allows', (_name, columns, allowed) => {
    const keys = columns.flatMap((column) => (column.sortKey ? [column.sortKey] : []));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !(allowed as readonly string[]).includes(key))).toEqual([]);
  });

  const all = {
    bankFileColumns,
    challanColumns,
    challanExportColumns,
    ownerCardColumns,
    ownerChallanColumns,
    ownerColumns,
    paymentBatchColumns,
    paymentOwnerColumns,
    petrolPumpColumns,
    statementChallanColumns,
    subadminColumns,
    tagColumns,
    tagFiguresColumns,
    ownerAgeingColumns: ownerAgeingColumns.all,
    truckColumns,
  };
  it.each(Object.entries(all))('%s: keys and labels are there once', (_name, columns) => {
    const keys = columns.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(labels(columns)).size).toBe(keys.length);
    expect(labels(columns).filter((label) => label.trim() === '')).toEqual([]);
  });
});

describe('a cell', () => {
  const row: BankFileRow = {
    ownerName: 'Bikash Mohanta',
    contactNumber: '9861012345',
    accountNo: '00012345678',
    ifsc: 'SBIN0001234',
    branchName: 'Joda',
    panNo: 'ABCPM1234F',
    challanNumber: 'CH-2627-000001',
    tpNo: '000123456',
    vehicleNo: 'OD09AB1234',
    loadingPlace: 'Joda',
    unloadingPlace: 'Paradip Port',
    loadingDate: '2026-03-31T18:30:00.000Z',
    unloadingDate: '2026-04-02T04:00:00.000Z',
    depositedAt: null,
    netAmountPayable: '-1234.50',
    tagName: null,
    paymentStatus: false,
  };

  /** Names the kind beside what it got, so that a value that went to another kind's function is seen. */
  const naming: CellMap<string> = {
    text: (value) => `text ${value}`,
    identifier: (value) => `identifier ${value}`,
    reference: (value) => `reference ${value}`,
    money: (value) => `money ${value}`,
    weight: (value) => `weight ${value}`,
    liters: (value) => `liters ${value}`,
    percent: (value) => `percent ${value}`,
    count: (value) => `count ${value}`,
    date: (value) => `date ${value}`,
    shortDate: (value) => `shortDate ${value}`,
    datetime: (value) => `datetime ${value}`,
    flag: (value) => `flag ${value}`,
    status: (value) => `status ${value.label}`,
    tag: (value) => `tag ${value?.name}`,
  };

  it('comes from the field of its key, or from value()', () => {
    const values = Object.fromEntries(bankFileColumns.map((column) => [column.label, cellValue(column, row)]));
    expect(values).toMatchObject({
      Account: '00012345678',
      Net: '-1234.50',
      Tag: null,
      Route: 'Joda → Paradip Port',
      Dates: 'Loading 01/04/2026, unloading 02/04/2026, deposited –',
      Status: { label: 'Pending', tone: 'warn' },
    });
  });

  it('goes to the function of its kind', () => {
    expect(bankFileColumns.map((column) => mapCell(naming, column, row).split(' ')[0])).toEqual(
      bankFileColumns.map(({ kind }) => kind),
    );
  });

  it('shows days as days in India', () => {
    expect(datesOf({ ...row, depositedAt: '2026-04-04T18:29:59.000Z' })).toContain('deposited 04/04/2026');
    expect(datesOf({ ...row, depositedAt: '2026-04-04T18:30:00.000Z' })).toContain('deposited 05/04/2026');
  });
});
