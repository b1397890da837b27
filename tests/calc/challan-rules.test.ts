import { describe, expect, it } from 'vitest';
import {
  amountErrors,
  challanErrors,
  dateErrors,
  formOrder,
  hsdErrors,
  isWheelCount,
  correctedBy,
  relatedDates,
  requiredErrors,
  requiredMessages,
  tdsPercentageError,
  wheelsError,
  withDefaultDates,
} from '../../src/shared/calc/challan-rules.ts';
import type { ChallanField, ChallanValues } from '../../src/shared/calc/challan-rules.ts';

const complete: ChallanValues = {
  tpNo: '2409012345678',
  loadingDate: '2026-04-01',
  unloadingDate: '2026-04-02',
  vehicleNo: 'OD09AB1234',
  material: 'Iron ore fines',
  ownerName: 'Bikash Mohanta',
  ownerContactNumber: '9876543210',
  ownerId: 'x',
  tagId: 'y',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip Port',
  loadingWeight: '30',
  unloadingWeight: '29.90',
  ratePerMT: '1000',
  tdsPercentage: '1',
  tdsAmount: '299.00',
  advanceMoney: '0',
  officeCharges: '0.00',
  materialShortageAmount: '0.00',
  depositedAt: '2026-04-03',
};

/** The specification's list, copied from docs/specification.md §8.3.1. */
const specification: [ChallanField, string][] = [
  ['tpNo', 'Please enter TP No'],
  ['loadingDate', 'Please select loading date'],
  ['unloadingDate', 'Please select unloading date'],
  ['vehicleNo', 'Please enter vehicle no'],
  ['material', 'Please enter material'],
  ['ownerName', 'Please enter owner name'],
  ['ownerContactNumber', 'Please enter owner contact number'],
  ['tagId', 'Please select a tag'],
  ['loadingPlace', 'Please enter loading place'],
  ['unloadingPlace', 'Please enter unloading place'],
  ['loadingWeight', 'Please enter loading weight'],
  ['unloadingWeight', 'Please enter unloading weight'],
  ['ratePerMT', 'Please enter rate per MT'],
  ['tdsPercentage', 'Please enter TDS percentage'],
  ['tdsAmount', 'Please enter TDS amount'],
  ['advanceMoney', 'Please enter advance money'],
  ['officeCharges', 'Please enter office charges'],
  ['depositedAt', 'Please select the deposited date!'],
];

describe('required fields', () => {
  it('are those of the specification, word for word', () => {
    expect(Object.entries(requiredMessages)).toEqual(specification);
  });

  it.each(specification)('%s: %s', (field, message) => {
    expect(requiredErrors({ ...complete, [field]: '' })).toEqual({ [field]: message });
    expect(requiredErrors({ ...complete, [field]: '  ' })).toEqual({ [field]: message });
    expect(requiredErrors({ ...complete, [field]: undefined })).toEqual({ [field]: message });
    expect(challanErrors({ ...complete, [field]: null }, 'edit')).toMatchObject({ [field]: message });
  });

  it('are present when they are 0', () => {
    expect(requiredErrors({ ...complete, advanceMoney: '0', officeCharges: '0.00', tdsAmount: '0' })).toEqual({});
  });

  it('ask for an owner on create only', () => {
    const orphan = { ...complete, ownerId: '' };
    expect(challanErrors(orphan, 'create')).toEqual({ ownerId: 'Please select an owner before submitting' });
    expect(challanErrors(orphan, 'edit')).toEqual({});
  });
});

describe('a complete challan', () => {
  it('has no errors', () => {
    expect(challanErrors(complete, 'create')).toEqual({});
  });

  it('lists errors in the order of the form', () => {
    const fields = Object.keys(challanErrors({ vehicleWheel: 3 }, 'create'));
    expect(fields[0]).toBe('tpNo');
    expect(fields).toEqual(formOrder.filter((field) => fields.includes(field)));
    // 18 required ones, the owner, the wheels and the material shortage
    expect(fields).toHaveLength(specification.length + 3);
  });

  it('knows a place in the order for every field that can be wrong', () => {
    const fields = [
      ...specification.map(([field]) => field),
      ...Object.keys(correctedBy),
      ...Object.values(correctedBy),
    ];
    for (const field of fields) expect(formOrder).toContain(field);
  });

  it('refuses figures that grew past what can be stored, at the field', () => {
    const huge = {
      ...complete,
      loadingWeight: '99999999.99',
      unloadingWeight: '99999999.99',
      ratePerMT: '99999999.99',
    };
    // 99999999.99² is about 10^16: the TDS of 1 % has 15 digits before the point, the net 16
    expect(Object.keys(challanErrors(huge, 'create'))).toEqual(['tdsAmount', 'netAmountPayable']);
  });
});

describe('dates, by day in Asia/Kolkata', () => {
  it.each([
    [{ loadingDate: '2026-04-02', unloadingDate: '2026-04-02', depositedAt: '2026-04-02' }, {}],
    [
      { loadingDate: '2026-04-03', unloadingDate: '2026-04-02' },
      {
        loadingDate: 'Loading date cannot be after unloading date',
        unloadingDate: 'Unloading date cannot be before loading date',
      },
    ],
    [
      { unloadingDate: '2026-04-02', depositedAt: '2026-04-01' },
      { depositedAt: 'Deposited date cannot be before unloading date' },
    ],
    [{ loadingDate: '2026-04-02', depositedAt: '2026-04-01' }, {}],
    // 20:00 UTC is the next day in India: loaded late on the 3rd, unloaded on the 2nd
    [
      { loadingDate: '2026-04-02T20:00:00Z', unloadingDate: '2026-04-02' },
      {
        loadingDate: 'Loading date cannot be after unloading date',
        unloadingDate: 'Unloading date cannot be before loading date',
      },
    ],
    // the same day in India, though the loading instant is later
    [{ loadingDate: '2026-04-02T12:00:00Z', unloadingDate: '2026-04-01T18:30:00Z' }, {}],
    [{ loadingDate: '2026-02-30' }, { loadingDate: 'Please enter a valid date' }],
    [{}, {}],
  ])('%j', (dates, errors) => {
    expect(dateErrors(dates)).toEqual(errors);
  });

  it('names what a change must check again', () => {
    expect(relatedDates).toEqual({
      loadingDate: ['unloadingDate'],
      unloadingDate: ['loadingDate', 'depositedAt'],
      depositedAt: [],
    });
  });

  it('defaults to now, and unloading to loading', () => {
    const now = '2026-04-05T06:00:00.000Z';
    expect(withDefaultDates({}, now)).toEqual({ loadingDate: now, unloadingDate: now });
    expect(withDefaultDates({ loadingDate: '2026-04-01' }, now)).toEqual({
      loadingDate: '2026-04-01',
      unloadingDate: '2026-04-01',
    });
    const both = { loadingDate: '2026-04-01', unloadingDate: '2026-04-02' };
    expect(withDefaultDates(both, now)).toEqual(both);
  });
});

describe('ranges', () => {
  it.each([
    ['0.1', null],
    ['1', null],
    ['1.0', null],
    ['1.50', null],
    ['100', null],
    ['0', 'TDS percentage must be greater than 0'],
    ['0.05', 'TDS percentage must be greater than 0'],
    ['0.09', 'TDS percentage must be greater than 0'],
    ['100.1', 'TDS percentage cannot exceed 100%'],
    ['1.25', 'TDS percentage can have one decimal only'],
    ['-1', 'Enter 0 or more, with at most two decimals'],
    ['abc', 'Enter 0 or more, with at most two decimals'],
  ])('TDS %s: %s', (value, message) => {
    expect(tdsPercentageError(value)).toBe(message);
  });

  it('has wheels from 4 to 32 in steps of 2', () => {
    const valid = Array.from({ length: 40 }, (_, n) => n).filter(isWheelCount);
    expect(valid).toEqual([4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32]);
    expect(isWheelCount(4.5)).toBe(false);
    for (const fine of ['', null, undefined, '10', 10, ' 12 ']) expect(wheelsError(fine)).toBeNull();
    for (const wrong of ['3', '2', '34', 5, '1e1', '10.0', 'ten', '-4', '0x10', 4.2]) {
      expect(wheelsError(wrong), String(wrong)).toBe('Vehicle wheels must be an even number from 4 to 32');
    }
  });

  it('has amounts of 0 or more with two decimals', () => {
    expect(
      amountErrors({ loadingWeight: '-1', ratePerMT: '1.005', advanceMoney: '1,000', discountWeight: '' }),
    ).toEqual({
      loadingWeight: 'Enter 0 or more, with at most two decimals',
      ratePerMT: 'Enter 0 or more, with at most two decimals',
      advanceMoney: 'Enter 0 or more, with at most two decimals',
    });
    expect(amountErrors({ loadingWeight: '9999999999.99', ratePerMT: '999999999999.99' })).toEqual({});
    expect(amountErrors({ loadingWeight: '10000000000' })).toEqual({
      loadingWeight: 'A weight can have at most 10 digits before the decimal point',
    });
  });
});

describe('HSD and the petrol pump', () => {
  it('asks for liters only with a pump', () => {
    expect(hsdErrors({ petrolPumpId: 'p', hsdInLiters: '' })).toEqual({ hsdInLiters: 'Please enter HSD in liters' });
    expect(hsdErrors({ petrolPumpId: 'p', hsdInLiters: '0' })).toEqual({});
    expect(hsdErrors({ petrolPumpId: '', hsdInLiters: '' })).toEqual({});
  });

  it('has no liters without one', () => {
    expect(hsdErrors({ hsdInLiters: '0.00' })).toEqual({});
    expect(hsdErrors({ hsdInLiters: '5' })).toEqual({
      hsdInLiters: 'Petrol pump selection is required to enter HSD in liters',
    });
  });
});

describe('material shortage', () => {
  it('is checked with the weights', () => {
    expect(challanErrors({ ...complete, materialShortageAmount: '' }, 'edit')).toEqual({
      materialShortageAmount: 'Material shortage amount is required',
    });
    expect(challanErrors({ ...complete, materialShortageAmount: '-5' }, 'edit')).toEqual({
      materialShortageAmount: 'Material shortage amount must be a positive number or zero',
    });
    expect(challanErrors({ ...complete, discountWeight: '0.10', materialShortageAmount: '5' }, 'edit')).toEqual({
      materialShortageAmount:
        'Material shortage amount must be 0 when the difference weight is not above the discount weight',
    });
    expect(challanErrors({ ...complete, materialShortageAmount: '5' }, 'edit')).toEqual({});
  });
});
