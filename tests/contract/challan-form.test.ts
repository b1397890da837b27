import { describe, expect, it } from 'vitest';
import { requiredMessages } from '../../src/shared/calc/challan-rules.ts';
import { challanCreateForm, challanEditForm } from '../../src/shared/contract/challan-form.ts';
import type { ChallanFormValues } from '../../src/shared/contract/challan-form.ts';
import { messagesOf, otherId, someId } from './issues.ts';

const filled: ChallanFormValues = {
  tpNo: '000123456',
  loadingDate: '2026-04-01',
  unloadingDate: '2026-04-02',
  vehicleNo: 'OD09AB1234',
  material: 'Coal',
  ownerName: 'Bikash Mohanta',
  ownerContactNumber: '9861012345',
  ownerId: someId,
  discounterId: '',
  tagId: otherId,
  petrolPumpId: '',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip',
  loadingWeight: '20.00',
  unloadingWeight: '19.90',
  differenceWeight: '0.10',
  ratePerMT: '1000.00',
  tdsPercentage: '1.0',
  tdsAmount: '199.00',
  tdsDeclarationId: '',
  hsdPricePerLiter: '',
  hsdInLiters: '',
  hsdAmount: '0.00',
  advanceMoney: '0',
  officeCharges: '100',
  discountWeight: '',
  shortageAmount: '100.00',
  materialRate: '5000',
  materialShortageAmount: '500.00',
  netAmountPayable: '19101.00',
  paymentStatus: false,
  driverName: '',
  drivingLicenseNo: '',
  vehicleType: '',
  vehicleWheel: '',
  remarks: '',
  dataEntryBy: '',
  depositedAt: '2026-04-03',
};
// Every text empty, the checkbox as it is.
const blank = Object.fromEntries(
  Object.entries(filled).map(([key, value]) => [key, typeof value === 'string' ? '' : value]),
);

describe('the challan form', () => {
  it('says every required field at once', () => {
    const messages = messagesOf(challanCreateForm, blank);
    for (const [field, message] of Object.entries(requiredMessages)) expect(messages[field], field).toEqual([message]);
    expect(messages.ownerId).toEqual(['Please select an owner before submitting']);
    expect(messages.materialShortageAmount).toEqual(['Material shortage amount is required']);
  });

  it('makes the body of POST /challans', () => {
    const body = challanCreateForm.parse(filled);
    expect(body).not.toHaveProperty('materialRate');
    expect(body).toMatchObject({
      ownerId: someId,
      discounterId: null,
      petrolPumpId: null,
      vehicleWheel: null,
      discountWeight: '0',
      hsdInLiters: '0',
      netAmountPayable: '19101.00',
      remarks: '',
    });
  });

  it('makes the body of PUT /challans/{id} without the owner, which is locked', () => {
    const body = challanEditForm(filled).parse({ ...filled, ownerId: '', vehicleWheel: '12' });
    expect(body).not.toHaveProperty('ownerId');
    expect(body.vehicleWheel).toBe(12);
  });

  it('holds the text to the lengths of the API', () => {
    expect(messagesOf(challanCreateForm, { ...filled, material: 'x'.repeat(101) })).toEqual({
      material: ['must be at most 100 characters'],
    });
  });

  it('refuses wheels between the steps', () => {
    expect(messagesOf(challanCreateForm, { ...filled, vehicleWheel: '7' })).toHaveProperty('vehicleWheel');
  });
});
