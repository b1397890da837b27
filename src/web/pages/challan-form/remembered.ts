import { accountStorage } from '../../shell/account-storage.ts';
import { formShape, type FieldName, type FormValues } from './form-values.ts';

/** Part 2 §9: kept after a successful create, and what a new challan starts with. */
const rememberedFields = [
  'hsdPricePerLiter',
  'tpNo',
  'loadingDate',
  'material',
  'loadingPlace',
  'unloadingPlace',
  'ratePerMT',
  'advanceMoney',
  'officeCharges',
  'dataEntryBy',
  'depositedAt',
  'discounter',
  'petrolPump',
  'tag',
  'discountWeight',
  'materialRate',
] as const satisfies readonly FieldName[];

const key = 'challan-form.remembered';

export function rememberValues(values: FormValues): void {
  accountStorage.write(key, Object.fromEntries(rememberedFields.map((name) => [name, values[name]])));
}

/** Corrupt remembered values are removed and ignored (part 2 §2.2), each by itself: the sound ones still serve. */
export function readRemembered(): Partial<FormValues> {
  const stored = accountStorage.read(key);
  if (stored === undefined) return {};
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    accountStorage.remove(key);
    return {};
  }
  const entries = Object.entries(stored).filter(([name, value]) => {
    const field = rememberedFields.find((item) => item === name);
    return field !== undefined && formShape.shape[field].safeParse(value).success;
  });
  const sound: Partial<FormValues> = Object.fromEntries(entries);
  if (entries.length < Object.keys(stored).length) accountStorage.write(key, sound);
  return sound;
}

/**
 * Filled from memory and worth passing over on Enter. The TP number is not: it is where each challan begins, its text
 * selected so that typing replaces it (ruling 25).
 */
export function isPassedOver(name: FieldName, remembered: Partial<FormValues>): boolean {
  const value = remembered[name];
  return name !== 'tpNo' && value !== undefined && value !== null && value !== '';
}
