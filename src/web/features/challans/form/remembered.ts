import { useLayoutEffect } from 'react';
import { z } from 'zod';
import { daysBetween } from '../../../../shared/calc/dates.ts';
import { call } from '../../../kit/api/client.ts';
import { preferences } from '../../../kit/api/preferences.ts';
import { getSession } from '../../../kit/api/session-store.ts';
import { accountStorage } from '../../../kit/api/account-storage.ts';
import { fieldNames, formShape, type FieldName, type FormValues } from './form-values.ts';

/**
 * What the next challan takes over from one that was saved. 'kept': the value is remembered as the initial value
 * (docs/specification.md §8.7). 'typed': it is entered for each challan. 'kept-optional' and 'optional': the same two, and Enter
 * skips the field in a challan like the last one, because it is mostly empty (docs/keyboard.md §6).
 */
export const nextChallan = {
  tpNo: 'kept',
  loadingDate: 'kept',
  unloadingDate: 'typed',
  vehicleNo: 'typed',
  material: 'kept',
  ownerName: 'typed',
  ownerContactNumber: 'typed',
  ownerId: 'typed',
  discounter: 'kept-optional',
  tag: 'kept',
  petrolPump: 'kept-optional',
  loadingPlace: 'kept',
  unloadingPlace: 'kept',
  loadingWeight: 'typed',
  unloadingWeight: 'typed',
  ratePerMT: 'kept',
  tdsPercentage: 'typed',
  tdsDeclarationId: 'typed',
  hsdPricePerLiter: 'kept-optional',
  hsdInLiters: 'typed',
  advanceMoney: 'kept',
  officeCharges: 'kept',
  discountWeight: 'kept-optional',
  materialRate: 'kept-optional',
  paymentStatus: 'optional',
  driverName: 'optional',
  drivingLicenseNo: 'optional',
  vehicleType: 'optional',
  vehicleWheel: 'optional',
  remarks: 'optional',
  dataEntryBy: 'kept-optional',
  depositedAt: 'kept',
} as const satisfies Readonly<Record<FieldName, 'kept' | 'kept-optional' | 'typed' | 'optional'>>;
type RememberedField = {
  [N in FieldName]: (typeof nextChallan)[N] extends 'kept' | 'kept-optional' ? N : never;
}[FieldName];
const isKept = (name: FieldName): name is RememberedField => nextChallan[name].startsWith('kept');

export const rememberedFields = fieldNames.filter(isKept);

const rememberedShape = formShape
  // The cast is safe: these are exactly the fields that are kept.
  .pick(Object.fromEntries(rememberedFields.map((name) => [name, true])) as Record<RememberedField, true>)
  // The number of days from loading to unloading.
  .extend({ tripDays: z.number().int().min(0).max(99).optional().catch(undefined) });
export type Remembered = Partial<z.output<typeof rememberedShape>>;

/** Of the copy on this device, and of that on the server. */
const key = 'challan-form.remembered';

export function rememberValues(values: FormValues): void {
  const tripDays = daysBetween(values.loadingDate, values.unloadingDate);
  const remembered = rememberedShape.parse({ ...values, tripDays });
  accountStorage.write(key, remembered);
  keepOnServer(remembered);
}

let lastKept = Promise.resolve();
/** The server's copy outlives Logout (docs/specification.md §8.7). One call after the other, so that the last one stays. */
function keepOnServer(remembered: Remembered): void {
  const account = getSession()?.user.id;
  lastKept = lastKept.then(async () => {
    if (getSession()?.user.id !== account) return;
    // Nobody waits for it. After a failure the next challan is kept.
    await call(preferences.calls.put, { body: { key, value: JSON.stringify(remembered) } }).catch(() => undefined);
  });
}

/**
 * Whether the remembered values are here. On a device that has none, as after Logout, those of the server are taken over first;
 * without an answer it does without. A device that has its own keeps them: two people may enter challans at the same time.
 */
export function useRemembered(isNeeded = true): boolean {
  const isOnDevice = accountStorage.read(key) !== undefined;
  const { data, failureCount } = preferences.useList({}, { enabled: isNeeded && !isOnDevice, staleTime: 60_000 });
  const kept = data?.data.find((item) => item.key === key)?.value;
  useLayoutEffect(() => {
    if (kept === undefined || accountStorage.read(key) !== undefined) return;
    try {
      accountStorage.write(key, JSON.parse(kept));
    } catch {
      // It cannot be read, so there is nothing to remember.
    }
  }, [kept]);
  return isOnDevice || data !== undefined || failureCount > 0;
}

/**
 * Reads the remembered values. Each value that is corrupt, or that only an earlier version knew, is removed by itself; the
 * others are still used (docs/specification.md §8.7). A person with a name is who enters the data.
 */
export function readRemembered(): Remembered {
  const stored = accountStorage.read(key);
  const name = getSession()?.user.name;
  const entry = name ? { dataEntryBy: name } : {};
  if (stored === undefined) return entry;
  const found = z.record(z.string(), z.unknown()).catch({}).parse(stored);
  const valid = Object.fromEntries(
    Object.entries(rememberedShape.shape).flatMap(([name, shape]) => {
      const read = shape.safeParse(found[name]);
      return read.success && read.data !== undefined ? [[name, read.data]] : [];
    }),
  );
  if (JSON.stringify(valid) !== JSON.stringify(stored)) accountStorage.write(key, valid);
  return { ...valid, ...entry };
}
