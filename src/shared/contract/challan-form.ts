import { z } from 'zod';
import { challanErrors } from '../calc/challan-rules.ts';
import { challanChange, challanInput } from './challan-input.ts';
import type { ChallanChange, ChallanInput } from './challan-input.ts';

const typed = z.string();

/** The form's values as they stand in its fields: text everywhere, '' for empty (part 2 §2.2). */
const values = z.object({
  tpNo: typed,
  loadingDate: typed,
  unloadingDate: typed,
  vehicleNo: typed,
  material: typed,
  ownerName: typed,
  ownerContactNumber: typed,
  ownerId: typed,
  discounterId: typed,
  tagId: typed,
  petrolPumpId: typed,
  loadingPlace: typed,
  unloadingPlace: typed,
  loadingWeight: typed,
  unloadingWeight: typed,
  differenceWeight: typed,
  ratePerMT: typed,
  tdsPercentage: typed,
  tdsAmount: typed,
  hsdPricePerLiter: typed,
  hsdInLiters: typed,
  hsdAmount: typed,
  advanceMoney: typed,
  officeCharges: typed,
  discountWeight: typed,
  shortageAmount: typed,
  materialRate: typed,
  materialShortageAmount: typed,
  netAmountPayable: typed,
  paymentStatus: z.boolean(),
  driverName: typed,
  drivingLicenseNo: typed,
  vehicleType: typed,
  vehicleWheel: typed,
  remarks: typed,
  dataEntryBy: typed,
  depositedAt: typed,
});
export type ChallanFormValues = z.output<typeof values>;

/** materialRate is not stored. An emptied field must reach the server as empty: an absent key would mean "unchanged". */
function bodyOf(form: ChallanFormValues): ChallanInput {
  const { materialRate: _materialRate, ...sent } = form;
  const given = (text: string) => text || undefined;
  return {
    ...sent,
    discounterId: form.discounterId || null,
    petrolPumpId: form.petrolPumpId || null,
    hsdPricePerLiter: form.hsdPricePerLiter || '0',
    hsdInLiters: form.hsdInLiters || '0',
    discountWeight: form.discountWeight || '0',
    vehicleWheel: form.vehicleWheel.trim() ? Number(form.vehicleWheel) : null,
    differenceWeight: given(form.differenceWeight),
    tdsAmount: given(form.tdsAmount),
    hsdAmount: given(form.hsdAmount),
    shortageAmount: given(form.shortageAmount),
    netAmountPayable: given(form.netAmountPayable),
  };
}

/** Which challan is changed stands in the path, and its owner stays (part 2 §5). */
function changeOf(form: ChallanFormValues): ChallanChange {
  const { ownerId: _ownerId, ...change } = bodyOf(form);
  return change;
}

function ruled(mode: 'create' | 'edit') {
  return values.superRefine((form, context) => {
    for (const [field, message] of Object.entries(challanErrors(form, mode))) {
      if (message) context.addIssue({ code: 'custom', path: [field], message });
    }
  });
}

/**
 * The create form for react-hook-form's zod resolver: every rule of part 2 §5 at once, and out comes the body of
 * POST /challans.
 */
export const challanCreateForm = ruled('create').transform(bodyOf).pipe(challanInput);

/** The edit form: out comes the body of PUT /challans/{id}, without a version. */
export const challanEditForm = ruled('edit').transform(changeOf).pipe(challanChange);
