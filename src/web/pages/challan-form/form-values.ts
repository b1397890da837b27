import { z } from 'zod';
import { backComputeTdsPercentage } from '../../../shared/calc/challan-amounts.ts';
import { withDefaultDates } from '../../../shared/calc/challan-rules.ts';
import { dayOf, formatDate, isDay } from '../../../shared/calc/dates.ts';
import type { Challan } from '../../../shared/contract/challan.ts';

/**
 * The challan form as it stands in its fields: text everywhere, '' for empty, days as YYYY-MM-DD; what a picker holds with
 * its name, so that a draft can show it again. Derived amounts are not here: they are worked out from these.
 */
const owner = z.object({ id: z.string(), name: z.string(), contactNumber: z.string() });
const tag = z.object({ id: z.string(), name: z.string(), color: z.string() });
const petrolPump = z.object({ id: z.string(), name: z.string() });
const text = z.string();
const day = text.refine((value) => value === '' || isDay(value));

/** Also what is read back from browser storage, which may hold anything. In the order of the paper (part 2 §2.2). */
export const formShape = z.object({
  tpNo: text,
  loadingDate: day,
  unloadingDate: day,
  vehicleNo: text,
  material: text,
  ownerName: text,
  ownerContactNumber: text,
  /** '' while the typed owner is none of the list (ruling 23). */
  ownerId: text,
  discounter: owner.nullable(),
  tag: tag.nullable(),
  petrolPump: petrolPump.nullable(),
  loadingPlace: text,
  unloadingPlace: text,
  loadingWeight: text,
  unloadingWeight: text,
  ratePerMT: text,
  tdsPercentage: text,
  hsdPricePerLiter: text,
  hsdInLiters: text,
  advanceMoney: text,
  officeCharges: text,
  discountWeight: text,
  materialRate: text,
  paymentStatus: z.boolean(),
  driverName: text,
  drivingLicenseNo: text,
  vehicleType: text,
  vehicleWheel: text,
  remarks: text,
  dataEntryBy: text,
  depositedAt: day,
});
export type FormValues = z.output<typeof formShape>;
export type FieldName = keyof FormValues;

// Safe: the keys of the shape are exactly the keys of its output.
export const fieldNames = Object.keys(formShape.shape) as FieldName[];

export const isFieldName = (name: string): name is FieldName => name in formShape.shape;

/** Part 2 §2.2, letter for letter; the read-only ones stand with the section that shows them. */
export const fieldLabels: Readonly<Record<FieldName, string>> = {
  tpNo: 'TP No',
  loadingDate: 'Loading Date',
  unloadingDate: 'Unloading Date',
  vehicleNo: 'Vehicle No',
  material: 'Material',
  ownerName: 'Owner Name',
  ownerContactNumber: 'Owner Contact Number',
  ownerId: 'Owner Name',
  discounter: 'Discounter',
  tag: 'Tag',
  petrolPump: 'Petrol Pump',
  loadingPlace: 'Loading Place',
  unloadingPlace: 'Unloading Place',
  loadingWeight: 'Loading Weight (MT)',
  unloadingWeight: 'Unloading Weight (MT)',
  ratePerMT: 'Rate per MT',
  tdsPercentage: 'TDS Percentage',
  hsdPricePerLiter: 'HSD Price per Liter',
  hsdInLiters: 'HSD in Liters',
  advanceMoney: 'Advance Money',
  officeCharges: 'Office Charges',
  discountWeight: 'Discount Weight (MT)',
  materialRate: 'Material Rate per MT',
  paymentStatus: 'Payment Done',
  driverName: 'Driver Name',
  drivingLicenseNo: 'Driving License No',
  vehicleType: 'Vehicle Type',
  vehicleWheel: 'Vehicle Wheels',
  remarks: 'Remarks',
  dataEntryBy: 'Data Entry By',
  depositedAt: 'Deposited On',
};

const dateFields = ['loadingDate', 'unloadingDate', 'depositedAt'] as const satisfies readonly FieldName[];
export type DateFieldName = (typeof dateFields)[number];
export const isDateField = (name: FieldName): name is DateFieldName => dateFields.some((field) => field === name);

const emptyForm: FormValues = {
  tpNo: '',
  loadingDate: '',
  unloadingDate: '',
  vehicleNo: '',
  material: '',
  ownerName: '',
  ownerContactNumber: '',
  ownerId: '',
  discounter: null,
  tag: null,
  petrolPump: null,
  loadingPlace: '',
  unloadingPlace: '',
  loadingWeight: '',
  unloadingWeight: '',
  ratePerMT: '',
  tdsPercentage: '',
  hsdPricePerLiter: '',
  hsdInLiters: '',
  advanceMoney: '',
  officeCharges: '',
  discountWeight: '',
  materialRate: '',
  paymentStatus: false,
  driverName: '',
  drivingLicenseNo: '',
  vehicleType: '',
  vehicleWheel: '',
  remarks: '',
  dataEntryBy: '',
  depositedAt: '',
};

export const blankForm = (): FormValues => ({ ...emptyForm });

/**
 * What a new challan starts with: remembered values, then defaults (ruling 26). Part 2 §5: the loading date defaults to
 * now, the unloading date to the loading date; §9: the deposited date to today.
 */
export function startValues(remembered: Partial<FormValues>, today: string): FormValues {
  const values = { ...emptyForm, ...remembered };
  return { ...withDefaultDates(values, today), depositedAt: values.depositedAt || today };
}

/** A stored challan as the form shows it. materialRate is not stored and not restored (part 2 §3). */
export function storedValues(challan: Challan): FormValues {
  const dayOrEmpty = (instant: string | null): string => (instant === null ? '' : dayOf(instant));
  return {
    tpNo: challan.tpNo,
    loadingDate: dayOf(challan.loadingDate),
    unloadingDate: dayOf(challan.unloadingDate),
    vehicleNo: challan.vehicleNo,
    material: challan.material,
    ownerName: challan.ownerName,
    ownerContactNumber: challan.ownerContactNumber,
    ownerId: challan.owner.id,
    discounter: challan.discounter,
    tag: challan.tag,
    petrolPump: challan.petrolPump,
    loadingPlace: challan.loadingPlace,
    unloadingPlace: challan.unloadingPlace,
    loadingWeight: challan.loadingWeight,
    unloadingWeight: challan.unloadingWeight,
    ratePerMT: challan.ratePerMT,
    // Ruling 18: the stored percentage; worked back only where none is stored.
    tdsPercentage: challan.tdsPercentage ?? backComputeTdsPercentage(challan) ?? '',
    hsdPricePerLiter: challan.hsdPricePerLiter,
    hsdInLiters: challan.hsdInLiters,
    advanceMoney: challan.advanceMoney,
    officeCharges: challan.officeCharges,
    discountWeight: challan.discountWeight,
    materialRate: '',
    paymentStatus: challan.paymentStatus,
    driverName: challan.driverName,
    drivingLicenseNo: challan.drivingLicenseNo,
    vehicleType: challan.vehicleType,
    vehicleWheel: challan.vehicleWheel === null ? '' : String(challan.vehicleWheel),
    remarks: challan.remarks,
    dataEntryBy: challan.dataEntryBy,
    depositedAt: dayOrEmpty(challan.depositedAt),
  };
}

/** What a copy takes over: everything but the payment and the day of its deposit. */
export function copiedValues(challan: Challan): Partial<FormValues> {
  const { paymentStatus: _payment, depositedAt: _deposited, materialRate: _rate, ...copied } = storedValues(challan);
  return copied;
}

/** A value as a person reads it, for a conflict's list. */
export function shownValue(values: FormValues, name: FieldName): string {
  const value = values[name];
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object') return value.name;
  return isDateField(name) && value !== '' ? formatDate(value) : value;
}
