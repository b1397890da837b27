import { describe, expect, it } from 'vitest';
import { challanChange, challanInput } from '../../src/shared/contract/challan-input.ts';
import { messagesOf, otherId, someId, unknownKeys } from './issues.ts';

/** A whole, valid body of POST /challans. */
const valid = {
  ownerId: someId,
  discounterId: null,
  tagId: otherId,
  petrolPumpId: otherId,
  tpNo: '000123456',
  loadingDate: '2026-04-01',
  unloadingDate: '2026-04-02',
  depositedAt: '2026-04-02T10:15:00Z',
  vehicleNo: 'od 09 ab 1234',
  material: 'Iron ore fines',
  ownerName: 'Bikash Mohanta',
  ownerContactNumber: '98610 12345',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip Port',
  loadingWeight: '28.50',
  unloadingWeight: '28.35',
  ratePerMT: '1650.00',
  tdsPercentage: '1.0',
  hsdPricePerLiter: '92.64',
  hsdInLiters: '120',
  advanceMoney: '0',
  officeCharges: '0',
  discountWeight: '0.05',
  materialShortageAmount: '450.00',
  paymentStatus: false,
  vehicleWheel: 12,
  remarks: 'two lines\nof text',
};

const without = (...keys: string[]) => Object.fromEntries(Object.entries(valid).filter(([key]) => !keys.includes(key)));

describe('POST /challans', () => {
  it('accepts a whole challan, and stores texts as the specification says', () => {
    expect(messagesOf(challanInput, valid)).toEqual({});
    expect(challanInput.parse(valid)).toMatchObject({
      vehicleNo: 'OD 09 AB 1234',
      ownerContactNumber: '9861012345',
      tpNo: '000123456',
      remarks: 'two lines\nof text',
    });
  });

  // docs/specification.md §8.3.1, letter for letter. TDS Amount is computed, so only the form can miss it
  // (challan-form.test.ts).
  const required: readonly [string, string][] = [
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
    ['advanceMoney', 'Please enter advance money'],
    ['officeCharges', 'Please enter office charges'],
    ['depositedAt', 'Please select the deposited date!'],
    ['ownerId', 'Please select an owner before submitting'],
    ['materialShortageAmount', 'Material shortage amount is required'],
  ];

  it.each(required)('%s: absent and empty say "%s", once', (field, message) => {
    expect(messagesOf(challanInput, without(field))).toEqual({ [field]: [message] });
    expect(messagesOf(challanInput, { ...valid, [field]: '' })).toEqual({ [field]: [message] });
  });

  it('takes spaces alone for empty', () => {
    expect(messagesOf(challanInput, { ...valid, material: '   ' })).toEqual({ material: ['Please enter material'] });
  });

  it('says everything that is missing at once', () => {
    const messages = messagesOf(challanInput, {});
    expect(Object.keys(messages).sort()).toEqual(required.map(([field]) => field).sort());
  });

  it('lets 0 pass as present', () => {
    expect(messagesOf(challanInput, { ...valid, advanceMoney: '0', officeCharges: '0.00', ratePerMT: '0' })).toEqual(
      {},
    );
  });

  it.each([
    ['0.05', 'TDS percentage must be greater than 0'],
    ['100.1', 'TDS percentage cannot exceed 100%'],
    ['1000', 'TDS percentage cannot exceed 100%'],
  ])('TDS percentage %s: %s', (tdsPercentage, message) => {
    expect(messagesOf(challanInput, { ...valid, tdsPercentage })).toEqual({ tdsPercentage: [message] });
  });

  // Whether 0 stays is known only with the declarations of the owner (tests/server/tds/declarations.test.ts).
  it.each(['0', '0.1', '100', '100.00', '1.50', '2'])('TDS percentage %s is accepted', (tdsPercentage) => {
    expect(messagesOf(challanInput, { ...valid, tdsPercentage })).toEqual({});
  });

  it('has one decimal in the TDS percentage', () => {
    expect(messagesOf(challanInput, { ...valid, tdsPercentage: '1.55' })).toHaveProperty('tdsPercentage');
  });

  it('asks for HSD liters with a pump, and refuses them without one', () => {
    expect(messagesOf(challanInput, without('hsdInLiters'))).toEqual({ hsdInLiters: ['Please enter HSD in liters'] });
    expect(messagesOf(challanInput, without('petrolPumpId', 'hsdInLiters'))).toEqual({});
    expect(messagesOf(challanInput, { ...valid, petrolPumpId: null, hsdInLiters: '0.00' })).toEqual({});
    expect(messagesOf(challanInput, { ...valid, petrolPumpId: null })).toHaveProperty('hsdInLiters');
    expect(messagesOf(challanInput, without('petrolPumpId'))).toHaveProperty('hsdInLiters');
  });

  it('keeps the dates in order, by day in Asia/Kolkata', () => {
    expect(messagesOf(challanInput, { ...valid, loadingDate: '2026-04-03', depositedAt: '2026-04-03' })).toEqual({
      loadingDate: ['Loading date cannot be after unloading date'],
      unloadingDate: ['Unloading date cannot be before loading date'],
    });
    expect(messagesOf(challanInput, { ...valid, depositedAt: '2026-04-01' })).toEqual({
      depositedAt: ['Deposited date cannot be before unloading date'],
    });
    // 18:30 UTC is the next day in India: the same instant is a day later than its UTC date says.
    const lateEvening = { loadingDate: '2026-04-02T18:30:00Z', unloadingDate: '2026-04-02' };
    expect(messagesOf(challanInput, { ...valid, ...lateEvening, depositedAt: '2026-04-05' })).toHaveProperty(
      'loadingDate',
    );
    expect(
      messagesOf(challanInput, {
        ...valid,
        ...lateEvening,
        loadingDate: '2026-04-02T18:29:59Z',
        depositedAt: '2026-04-05',
      }),
    ).toEqual({});
  });

  it('says the date rules beside the missing fields', () => {
    const messages = messagesOf(challanInput, { loadingDate: '2026-04-03', unloadingDate: '2026-04-02' });
    expect(messages.loadingDate).toEqual(['Loading date cannot be after unloading date']);
    expect(messages.tpNo).toEqual(['Please enter TP No']);
  });

  it.each([
    ['-1', 'Material shortage amount must be a positive number or zero'],
    ['abc', 'Material shortage amount must be a positive number or zero'],
    [null, 'Material shortage amount must be a positive number or zero'],
    [450, 'Material shortage amount must be a positive number or zero'],
  ])('material shortage %s: %s', (materialShortageAmount, message) => {
    expect(messagesOf(challanInput, { ...valid, materialShortageAmount })).toEqual({
      materialShortageAmount: [message],
    });
  });

  it('refuses a material shortage where difference minus discount is not above 0', () => {
    const noExcess = { ...valid, discountWeight: '0.15' };
    expect(messagesOf(challanInput, noExcess)).toHaveProperty('materialShortageAmount');
    expect(messagesOf(challanInput, { ...noExcess, materialShortageAmount: '0' })).toEqual({});
  });

  it.each([2, 34, 5, 4.5, '12', Number.NaN, true])('wheels %s are refused', (vehicleWheel) => {
    expect(Object.keys(messagesOf(challanInput, { ...valid, vehicleWheel }))).toEqual(['vehicleWheel']);
  });

  it.each([4, 32, 22, null])('wheels %s are accepted', (vehicleWheel) => {
    expect(messagesOf(challanInput, { ...valid, vehicleWheel })).toEqual({});
  });

  const decimals = [
    'loadingWeight',
    'ratePerMT',
    'tdsPercentage',
    'hsdInLiters',
    'advanceMoney',
    'hsdAmount',
    'shortageAmount',
  ];
  const notDecimals = [
    '1e5',
    '0x10',
    'NaN',
    'Infinity',
    '-0',
    '+1',
    '1,23,456',
    '12.345',
    '١٢',
    '.5',
    '5.',
    ' 1 ',
    '-1',
  ];
  it.each(decimals)('%s takes a plain decimal string and nothing else', (field) => {
    for (const value of [...notDecimals, '9'.repeat(40), '1234567890123', 5, 0, null, true, ['1'], {}]) {
      expect(Object.keys(messagesOf(challanInput, { ...valid, [field]: value })), String(value)).toContain(field);
    }
  });

  it('takes 12 digits for money and 10 for a weight', () => {
    expect(messagesOf(challanInput, { ...valid, advanceMoney: '999999999999.99' })).toEqual({});
    expect(
      messagesOf(challanInput, { ...valid, discountWeight: '9999999999.99', materialShortageAmount: '0' }),
    ).toEqual({});
    expect(messagesOf(challanInput, { ...valid, discountWeight: '10000000000' })).toHaveProperty('discountWeight');
  });

  it('takes a minus sign in the two derived figures that can be negative, and in no other', () => {
    expect(messagesOf(challanInput, { ...valid, netAmountPayable: '-12.50', differenceWeight: '-0.20' })).toEqual({});
    expect(messagesOf(challanInput, { ...valid, tdsAmount: '-1.00' })).toHaveProperty('tdsAmount');
  });

  it.each([null, 0, 1, 'false', 'true', ''])(
    'paymentStatus %j is refused, never read as a boolean',
    (paymentStatus) => {
      expect(messagesOf(challanInput, { ...valid, paymentStatus })).toEqual({
        paymentStatus: ['must be true or false'],
      });
    },
  );

  it('refuses unknown fields, also those that would reach past the form', () => {
    const smuggled = {
      id: someId,
      subadminId: someId,
      createdAt: '2026-04-01',
      challanNumber: 'CH-2627-000001',
      hsdVerified: true,
      deletedAt: null,
      materialRate: '5',
      constructor: 'x',
    };
    expect(unknownKeys(challanInput, { ...valid, ...smuggled }).sort()).toEqual(Object.keys(smuggled).sort());
    expect(unknownKeys(challanInput, JSON.parse('{"__proto__": {"hsdVerified": true}}'))).toEqual(['__proto__']);
  });

  it('refuses control characters and direction overrides in names', () => {
    for (const ownerName of ['a\u0000b', 'a\u202eb', 'a\nb', 'a\ud800']) {
      expect(messagesOf(challanInput, { ...valid, ownerName }), JSON.stringify(ownerName)).toEqual({
        ownerName: ['must not contain control characters'],
      });
    }
    expect(messagesOf(challanInput, { ...valid, ownerName: 'ଓଡ଼ିଶା "O\'Neil", =1+1' })).toEqual({});
  });

  it.each([null, [], 'x', 5])('the body %j is refused', (body) => {
    expect(challanInput.safeParse(body).success).toBe(false);
  });
});

describe('PUT /challans/{id}', () => {
  it('takes any subset, the toggle alone included', () => {
    expect(challanChange.parse({ paymentStatus: true })).toEqual({ paymentStatus: true });
    expect(challanChange.parse({ remarks: ' x ', version: 3 })).toEqual({ remarks: 'x', version: 3 });
    expect(challanChange.parse({})).toEqual({});
  });

  it('refuses ownerId as an unknown field', () => {
    expect(unknownKeys(challanChange, { ownerId: someId })).toEqual(['ownerId']);
  });

  it('holds a field that is sent to the same rules', () => {
    expect(messagesOf(challanChange, { tpNo: '', tagId: null, loadingWeight: '' })).toEqual({
      tpNo: ['Please enter TP No'],
      tagId: ['Please select a tag'],
      loadingWeight: ['Please enter loading weight'],
    });
  });

  it('compares the dates it is given and leaves the rest to the stored challan', () => {
    expect(messagesOf(challanChange, { loadingDate: '2026-04-03' })).toEqual({});
    expect(messagesOf(challanChange, { unloadingDate: '2026-04-03', depositedAt: '2026-04-02' })).toEqual({
      depositedAt: ['Deposited date cannot be before unloading date'],
    });
  });

  it('asks for liters only where it can know that they are missing', () => {
    expect(messagesOf(challanChange, { petrolPumpId: someId })).toEqual({});
    expect(messagesOf(challanChange, { hsdInLiters: '5' })).toEqual({});
    expect(messagesOf(challanChange, { petrolPumpId: null, hsdInLiters: '5' })).toHaveProperty('hsdInLiters');
    expect(messagesOf(challanChange, { petrolPumpId: null })).toEqual({});
  });

  it.each([null, '1', 0, 1.5])('version %j is refused', (version) => {
    expect(messagesOf(challanChange, { version })).toHaveProperty('version');
  });
});
