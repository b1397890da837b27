import { z } from 'zod';
import { withDefaultDates } from '../../../shared/calc/challan-rules.ts';
import { addDays, daysBetween } from '../../../shared/calc/dates.ts';
import { getLastEnd, getSession } from '../../api/session-store.ts';
import { accountStorage, drafts, type Draft } from '../../session/account-storage.ts';
import {
  blankForm,
  fieldNames,
  formShape,
  lookupFields,
  type FieldName,
  type FormValues,
  type LookupField,
} from './form-values.ts';

/** What was typed and not saved: only the fields that differ from what the form began with. */
const draftShape = z.object({
  values: formShape.partial(),
  /** Of the challan the changes were made to. */
  version: z.number().optional(),
  /** Came with the vehicle number; absent in drafts of earlier versions. */
  filledIn: z.array(z.enum(lookupFields)).default([]),
});
export interface FormDraft {
  values: Partial<FormValues>;
  version: number | undefined;
  filledIn: readonly LookupField[];
}

/** Key: user (part of the storage), mode and id (docs/specification.md §8.2.4). */
export const draftKey = (id: string | undefined): string => (id ? `challan.edit.${id}` : 'challan.create');

function check(value: unknown): FormDraft | undefined {
  const read = draftShape.safeParse(value);
  if (!read.success) return undefined;
  // An absent field is absent in the result too; the type of `partial` alone says it might be there as undefined.
  const values = Object.fromEntries(
    Object.entries(read.data.values).filter(([, item]) => item !== undefined),
  ) as Partial<FormValues>;
  return Object.keys(values).length === 0 ? undefined : { ...read.data, values, version: read.data.version };
}

export const readDraft = (key: string): Draft<FormDraft> | undefined => drafts.read(key, check);

/** `account`: the one the form was opened with; its session may just have ended. */
export function writeDraft(key: string, draft: FormDraft, account: string | undefined): void {
  const session = getSession();
  if (session !== null && Object.keys(draft.values).length === 0) drafts.remove(key);
  // After a Logout nothing is kept (docs/specification.md §2.5), after an expired session everything is (§2.4); a draft
  // without values is none when it is read.
  else if (session !== null || getLastEnd() === 'expired') drafts.write(key, draft, account);
}

export const removeDraft = (key: string): void => drafts.remove(key);

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

/**
 * What a new challan starts with: remembered values, then defaults (docs/specification.md §8.2.4). The loading date
 * defaults to today, the unloading date follows at the distance of the challan before, the deposited date is today (§8.7).
 */
export function startValues({ tripDays = 0, ...remembered }: Remembered, today: string): FormValues {
  const values = withDefaultDates({ ...blankForm(), ...remembered }, today);
  return {
    ...values,
    unloadingDate: addDays(values.loadingDate, tripDays),
    depositedAt: values.depositedAt || today,
  };
}
