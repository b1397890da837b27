import { describe, expect, it } from 'vitest';
import { challanInput } from '../../src/shared/contract/challan-input.ts';
import { nameKey } from '../../src/shared/calc/keys.ts';
import {
  checkRow,
  type FoundOwner,
  type Lookups,
  type RowContext,
  type Starts,
} from '../../src/shared/sheet/check-row.ts';
import { needsNoTyping } from '../../src/shared/sheet/typing-order.ts';
import { sheetColumns } from '../../src/shared/sheet/challan-sheet-fields.ts';
import { SheetCheck } from '../../src/shared/sheet/sheet-check.ts';
import {
  clearArea,
  deleteRows,
  fillArea,
  isBlank,
  sheetOf,
  typedText,
  type Cells,
} from '../../src/shared/sheet/sheet.ts';
import { otherId, someId } from './issues.ts';

const bikash: FoundOwner = { id: someId, name: 'Bikash Mohanta', contactNumber: '9861012345' };
const namesakes = [bikash, { ...bikash, id: otherId, contactNumber: '9437000000' }];

const lookups = (over: Partial<Lookups> = {}): Lookups => ({
  vehicle: (no) => (no === 'OD09AB1234' ? { vehicleType: 'Hywa', wheels: 12, owner: bikash } : null),
  owners: (name) => (nameKey(name) === 'bikash mohanta' ? [bikash] : []),
  tags: (name) => (name === 'Joda run' ? [{ id: otherId }] : []),
  petrolPumps: (name) => (name === 'HP Joda' ? [{ id: otherId }] : []),
  lastTds: (id) => (id === someId ? '1.00' : undefined),
  declarations: () => [],
  lastRate: () => null,
  ...over,
});
const context = (over: Partial<RowContext> = {}): RowContext => ({
  today: '2026-11-22',
  starts: { texts: {}, tripDays: 1 },
  lookups: lookups(),
  ...over,
});

const whole: Cells = {
  tpNo: 'TP-1',
  vehicleNo: 'OD09AB1234',
  material: 'Coal',
  tag: 'Joda run',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip',
  loadingWeight: '20',
  unloadingWeight: '19.9',
  ratePerMT: '1,000',
  advanceMoney: '0',
  officeCharges: '100',
};

describe('a row of the entry sheet', () => {
  it('says where its TDS percentage is another than that of the owner’s last challan, and may be created', () => {
    const row = checkRow({ ...whole, tdsPercentage: '2' }, context());
    expect(row.warnings).toEqual({ tdsPercentage: 'The owner’s last challan has 1.0 %' });
    expect(row.body?.tdsPercentage).toBe('2.0');
    expect(checkRow({ ...whole, tdsPercentage: '1' }, context()).warnings).toEqual({});
  });

  it('makes the challan that the form would make of it', () => {
    const row = checkRow(whole, context());
    expect(row.errors).toEqual({});
    expect(challanInput.parse(row.body)).toMatchObject({
      ownerId: someId,
      ownerName: 'Bikash Mohanta',
      ownerContactNumber: '9861012345',
      tagId: otherId,
      petrolPumpId: null,
      discounterId: null,
      vehicleType: 'Hywa',
      vehicleWheel: 12,
      ratePerMT: '1000.00',
      tdsPercentage: '1.0',
      tdsAmount: '199.00',
      materialShortageAmount: '0.00',
      netAmountPayable: '19601.00',
    });
    expect(row.figures).toMatchObject({ differenceWeight: '0.10', netAmountPayable: '19601.00' });
    expect(row.shown).toMatchObject({ loadingDate: '22/11/2026', unloadingDate: '23/11/2026', ratePerMT: '1,000.00' });
    expect([...row.filled].sort()).toEqual(
      [
        'depositedAt',
        'loadingDate',
        'ownerContactNumber',
        'ownerName',
        'tdsPercentage',
        'unloadingDate',
        'vehicleType',
        'vehicleWheel',
      ].sort(),
    );
  });

  it('fills empty cells with remembered values, never one that was typed or emptied by hand', () => {
    const starts = {
      texts: { material: 'Iron', loadingPlace: 'Barbil', dataEntryBy: 'Asha', officeCharges: '50' },
      tripDays: 0,
    };
    const row = checkRow(
      { ...whole, material: '', dataEntryBy: 'Ravi', officeCharges: undefined } as Cells,
      context({ starts }),
    );
    expect(row.texts).toMatchObject({ material: '', loadingPlace: 'Joda', dataEntryBy: 'Ravi', officeCharges: '50' });
    expect(row.errors).toEqual({ material: 'Please enter material' });
    const dated = { texts: { loadingDate: '20/11/2026' }, tripDays: 1 };
    expect(checkRow(whole, context({ starts: dated })).texts).toMatchObject({
      loadingDate: '20/11/2026',
      unloadingDate: '21/11/2026',
    });
  });

  it('fills the pump and its price only where there are liters', () => {
    const starts = { texts: { petrolPump: 'HP Joda', hsdPricePerLiter: '90' }, tripDays: 0 };
    expect(checkRow(whole, context({ starts })).texts.petrolPump).toBe('');
    const filled = checkRow({ ...whole, hsdInLiters: '10' }, context({ starts }));
    expect([filled.texts.petrolPump, filled.figures.hsdAmount, filled.errors]).toEqual(['HP Joda', '900.00', {}]);
    expect(checkRow({ ...whole, hsdInLiters: '10' }, context()).errors.hsdInLiters).toBe(
      'Petrol pump selection is required to enter HSD in liters',
    );
  });

  it('does not fill a deposited day that no challan may have', () => {
    const starts = { texts: { depositedAt: '01/11/2026' }, tripDays: 0 };
    const deposited = (loadingDate: string) =>
      checkRow({ ...whole, loadingDate }, context({ starts })).texts.depositedAt;
    expect([deposited('30/10/2026'), deposited('05/11/2026'), deposited('25/11/2026')]).toEqual([
      '01/11/2026',
      '22/11/2026',
      '25/11/2026',
    ]);
  });

  it('says what is wrong in the words of the form, each at the cell that mends it', () => {
    const { errors } = checkRow(
      {
        ...whole,
        loadingDate: '31/02/2026',
        ratePerMT: '12,50',
        tdsPercentage: '0',
        loadingWeight: '',
        tag: 'None',
        vehicleWheel: '5',
      },
      context(),
    );
    expect(errors).toEqual({
      loadingDate: 'This date does not exist.',
      unloadingDate: 'Please select unloading date',
      ratePerMT: 'Write decimals after a point: 12.50, not 12,50.',
      tdsPercentage: 'TDS percentage must be greater than 0',
      loadingWeight: 'Please enter loading weight',
      tag: 'No tag matches "None"',
      vehicleWheel: 'Vehicle wheels must be an even number from 4 to 32',
    });
    expect(checkRow({ ...whole, driverName: 'x'.repeat(101) }, context()).errors).toEqual({
      driverName: expect.any(String),
    });
    expect(checkRow({ ...whole, tpNo: '2.40901E+12' }, context()).errors.tpNo).toBe(
      'TP No 2.40901E+12 has lost digits: format the column as text',
    );
  });

  it('takes a typed material shortage, and says at its cell when it cannot be', () => {
    const row = checkRow({ ...whole, materialShortageAmount: '250' }, context());
    expect([row.body?.materialShortageAmount, row.figures.netAmountPayable]).toEqual(['250.00', '19351.00']);
    const none = checkRow({ ...whole, unloadingWeight: '20', materialShortageAmount: '250' }, context());
    expect(Object.keys(none.errors)).toEqual(['materialShortageAmount']);
  });

  it('names what is not among the master data; a truck alone is no mistake', () => {
    const row = checkRow(
      { ...whole, vehicleNo: 'OD01', ownerName: 'Nobody', discounter: 'Some', petrolPump: 'X' },
      context(),
    );
    expect(row.unknown.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'vehicle OD01',
      'owner Nobody',
      'owner Some',
      'petrolPump X',
    ]);
    expect(row.errors.ownerName).toBe('Please select an owner before submitting');
    const known = checkRow({ ...whole, vehicleNo: 'OD01', ownerName: 'bikash  mohanta' }, context());
    expect([known.errors, known.warnings]).toEqual([{}, { vehicleNo: 'No truck has this number' }]);
  });

  it('tells namesakes apart by the contact number', () => {
    const several = context({ lookups: lookups({ vehicle: () => null, owners: () => namesakes }) });
    expect(checkRow({ ...whole, ownerName: 'Bikash Mohanta' }, several).errors.ownerName).toMatch(/^Several owners/);
    const meant = checkRow(
      { ...whole, ownerName: 'Bikash Mohanta', ownerContactNumber: '94370 00000', tdsPercentage: '1' },
      several,
    );
    expect([meant.errors, meant.body?.ownerId]).toEqual([{}, otherId]);
  });

  it('waits for what is asked for, and calls nothing of it wrong', () => {
    const asking = context({
      lookups: {
        vehicle: () => undefined,
        owners: () => undefined,
        tags: () => undefined,
        petrolPumps: () => undefined,
        lastTds: () => undefined,
        declarations: () => [],
        lastRate: () => undefined,
      },
    });
    const row = checkRow({ ...whole, tdsPercentage: '1' }, asking);
    expect([row.isWaiting, row.errors, row.body]).toEqual([true, {}, undefined]);
    const named = checkRow({ ...whole, tdsPercentage: '1', ownerName: 'Who' }, asking);
    expect([named.isWaiting, named.errors]).toEqual([true, {}]);
  });

  it('warns of a day far away and of an amount that is rounded', () => {
    const { warnings } = checkRow({ ...whole, loadingDate: '22/11/2024', ratePerMT: '10.555' }, context());
    expect(warnings).toEqual({
      loadingDate: 'Loading Date 22/11/2024 is 730 days ago: check it.',
      unloadingDate: 'Unloading Date 23/11/2024 is 729 days ago: check it.',
      ratePerMT: '10.555 is rounded to 10.56',
    });
  });
});

describe('values that are hardly ever meant', () => {
  it('are warnings of their cells, several of one cell after each other, and the row is right all the same', () => {
    const { warnings, errors, body } = checkRow(
      { ...whole, loadingWeight: '25.21', unloadingWeight: '259.001', ratePerMT: '4500', advanceMoney: '120000' },
      context({ lookups: lookups({ lastRate: () => '450.00' }) }),
    );
    expect(errors).toEqual({});
    expect(body?.unloadingWeight).toBe('259.00');
    expect(warnings).toEqual({
      unloadingWeight:
        '259.001 is rounded to 259.00. Unloading Weight 259.00 MT is above 60 MT: check it. ' +
        '259.00 MT unloaded is more than the 25.21 MT loaded: check both.',
      ratePerMT: `The last challan from ${whole.loadingPlace} to ${whole.unloadingPlace} has ₹450.00 per MT: check the rate.`,
      advanceMoney: 'The advance of ₹1,20,000.00 is more than the freight of ₹1,13,445.00: check both.',
    });
  });

  it('a rate is compared once the last one of its route is known', () => {
    const row = { ...whole, ratePerMT: '99999' };
    expect(checkRow(row, context({ lookups: lookups({ lastRate: () => undefined }) })).warnings).toEqual({});
    expect(Object.keys(checkRow(row, context({ lookups: lookups({ lastRate: () => '450.00' }) })).warnings)).toEqual([
      'ratePerMT',
    ]);
  });
});

describe('the checks of a sheet', () => {
  const columns = ['tpNo', 'vehicleNo'] as const;
  const at = (row: number, column: number) => ({ top: row, bottom: row, left: column, right: column });

  it('follow an edit in its row and its twins alone', () => {
    let asked = 0;
    const counting = context({ lookups: lookups({ tags: (name) => ((asked += 1), lookups().tags(name)) }) });
    const check = new SheetCheck(counting);
    const sheet = sheetOf(
      Array.from({ length: 1_000 }, (_, index) => ({ ...whole, tpNo: `TP-${index}`, vehicleNo: `V${index}` })),
    );
    const keys = sheet.rows.map(({ key }) => key);
    expect(check.update(sheet).size).toBe(1_000);
    expect(asked).toBe(1_000);
    const twin = fillArea(sheet, at(7, 0), columns, 'tp-3', typedText, '2026-11-22');
    expect([...check.update(twin)].sort()).toEqual([keys[3], keys[7]].sort());
    expect(asked).toBe(1_001);
    expect(check.twins(keys[3] ?? '')).toEqual({ sameTp: [keys[7]], sameTrip: [] });
    const trip = fillArea(twin, at(8, 1), columns, 'v 9', typedText, '2026-11-22');
    check.update(trip);
    expect(check.twins(keys[9] ?? '').sameTrip).toEqual([keys[8]]);
    expect([...check.update(clearArea(trip, at(7, 0), columns, typedText))].sort()).toEqual([keys[3], keys[7]].sort());
    expect(check.twins(keys[3] ?? '').sameTp).toEqual([]);
    expect([...check.update(deleteRows(trip, 8, 8))]).toContain(keys[9]);
    expect([check.of(keys[8] ?? ''), check.twins(keys[9] ?? '').sameTrip]).toEqual([undefined, []]);
  });

  it('come again for the rows whose answers have come', () => {
    let isKnown = false;
    const check = new SheetCheck(
      context({ lookups: lookups({ tags: () => (isKnown ? [{ id: otherId }] : undefined) }) }),
    );
    const sheet = sheetOf([whole, { tpNo: '2' }]);
    check.update(sheet);
    isKnown = true;
    expect([...check.update(sheet, ({ texts }) => texts.tag === 'Joda run')]).toEqual([sheet.rows[0]?.key]);
    expect(check.of(sheet.rows[0]?.key ?? '')?.body).toBeDefined();
  });
});

describe('a cell needs no typing', () => {
  const starts: Starts = { texts: { material: 'Coal', petrolPump: 'HP Joda' }, tripDays: 1 };
  const lastRow = (rows: readonly Cells[], over: Partial<RowContext> = {}, isKnown = starts) => {
    const { rows: all } = sheetOf(rows);
    const [above, row] = [all[rows.length - 2], all[rows.length - 1]];
    const check = row && !isBlank(row) ? checkRow(row.cells, context({ starts: isKnown, ...over })) : undefined;
    return sheetColumns.filter(
      (column) => !needsNoTyping(column, row, check, { above, error: check?.errors[column], starts: isKnown }),
    );
  };
  const { material: _material, ...unfilled } = whole;
  const known: Cells = { ...unfilled, tpNo: '2' };

  it('that is filled in or optional; what is missing, typed or wrong is gone to', () => {
    const { tag: _tag, loadingWeight: _weight, ...rest } = whole;
    expect(lastRow([rest])).toEqual([...Object.keys(rest), 'tag', 'loadingWeight', 'hsdInLiters'].sort(byColumn));
    expect(lastRow([{ tpNo: '1', driverName: '' }], {}, { texts: {}, tripDays: 1 })).toEqual(
      expect.arrayContaining(['driverName', 'loadingDate', 'unloadingDate']),
    );
    expect(lastRow([{}])).toEqual([...sheetColumns]);
  });

  it('unless another value was typed in the row above', () => {
    const above: Cells = { ...whole, loadingDate: '01/11/2026', remarks: 'wet', ownerName: 'X', material: 'Coal' };
    const asked = lastRow([above, known]);
    expect(asked).toContain('loadingDate');
    expect(asked).toContain('remarks');
    expect(asked).not.toContain('ownerName');
    expect(asked).not.toContain('material');
    expect(asked).not.toContain('unloadingDate');
  });

  it('while its vehicle is looked for', () => {
    const waiting = { lookups: lookups({ vehicle: () => undefined, lastTds: () => undefined }) };
    expect(lastRow([{ tpNo: '1', vehicleNo: 'OD1' }], waiting)).not.toContain('tdsPercentage');
  });
});

const byColumn = (one: string, other: string): number =>
  sheetColumns.findIndex((name) => name === one) - sheetColumns.findIndex((name) => name === other);
