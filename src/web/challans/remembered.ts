import { z } from 'zod';
import { daysBetween } from '../../shared/calc/dates.ts';
import { accountStorage } from '../session/account-storage.ts';
import { fieldNames, formShape, type FieldName, type FormValues } from './form-values.ts';

/** Which fields of a new challan are remembered as initial values for the next one (docs/specification.md §8.7). */
const isRemembered = {
  tpNo: true,
  loadingDate: true,
  unloadingDate: false,
  vehicleNo: false,
  material: true,
  ownerName: false,
  ownerContactNumber: false,
  ownerId: false,
  discounter: true,
  tag: true,
  petrolPump: true,
  loadingPlace: true,
  unloadingPlace: true,
  loadingWeight: false,
  unloadingWeight: false,
  ratePerMT: true,
  tdsPercentage: false,
  hsdPricePerLiter: true,
  hsdInLiters: false,
  advanceMoney: true,
  officeCharges: true,
  discountWeight: true,
  materialRate: true,
  paymentStatus: false,
  driverName: false,
  drivingLicenseNo: false,
  vehicleType: false,
  vehicleWheel: false,
  remarks: false,
  dataEntryBy: true,
  depositedAt: true,
} as const satisfies Readonly<Record<FieldName, boolean>>;
type RememberedField = { [N in FieldName]: (typeof isRemembered)[N] extends true ? N : never }[FieldName];

const rememberedShape = formShape
  // The cast is safe: these are exactly the fields marked with true above.
  .pick(
    Object.fromEntries(fieldNames.filter((name) => isRemembered[name]).map((name) => [name, true])) as Record<
      RememberedField,
      true
    >,
  )
  // The number of days from loading to unloading.
  .extend({ tripDays: z.number().int().min(0).max(99).optional().catch(undefined) });
export type Remembered = Partial<z.output<typeof rememberedShape>>;

const key = 'challan-form.remembered';

export function rememberValues(values: FormValues): void {
  const tripDays = daysBetween(values.loadingDate, values.unloadingDate);
  accountStorage.write(key, rememberedShape.parse({ ...values, tripDays }));
}

/**
 * Reads the remembered values. Each value that is corrupt, or that only an earlier version knew, is removed by itself; the
 * others are still used (docs/specification.md §8.7).
 */
export function readRemembered(): Remembered {
  const stored = accountStorage.read(key);
  if (stored === undefined) return {};
  const found = z.record(z.string(), z.unknown()).catch({}).parse(stored);
  const valid = Object.fromEntries(
    Object.entries(rememberedShape.shape).flatMap(([name, shape]) => {
      const read = shape.safeParse(found[name]);
      return read.success && read.data !== undefined ? [[name, read.data]] : [];
    }),
  );
  if (JSON.stringify(valid) !== JSON.stringify(stored)) accountStorage.write(key, valid);
  return valid;
}
