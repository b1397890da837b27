import { z } from 'zod';
import { daysBetween } from '../../shared/calc/dates.ts';
import { accountStorage } from '../session/account-storage.ts';
import { fieldNames, formShape, type FieldName, type FormValues } from './form-values.ts';

/** docs/specification.md §8.7: kept after a successful create, and what a new challan starts with. */
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
  // Exactly the fields that are marked above.
  .pick(
    Object.fromEntries(fieldNames.filter((name) => isRemembered[name]).map((name) => [name, true])) as Record<
      RememberedField,
      true
    >,
  )
  // Days from loading to unloading.
  .extend({ tripDays: z.number().int().min(0).max(99).optional().catch(undefined) });
export type Remembered = Partial<z.output<typeof rememberedShape>>;

const key = 'challan-form.remembered';

export function rememberValues(values: FormValues): void {
  const tripDays = daysBetween(values.loadingDate, values.unloadingDate);
  accountStorage.write(key, rememberedShape.parse({ ...values, tripDays }));
}

/**
 * Corrupt remembered values are removed and ignored (docs/specification.md §8.7), each by itself: the sound ones still
 * serve. So is what an earlier version stored beside them.
 */
export function readRemembered(): Remembered {
  const stored = accountStorage.read(key);
  if (stored === undefined) return {};
  const found = z.record(z.string(), z.unknown()).catch({}).parse(stored);
  const sound = Object.fromEntries(
    Object.entries(rememberedShape.shape).flatMap(([name, shape]) => {
      const read = shape.safeParse(found[name]);
      return read.success && read.data !== undefined ? [[name, read.data]] : [];
    }),
  );
  if (JSON.stringify(sound) !== JSON.stringify(stored)) accountStorage.write(key, sound);
  return sound;
}
