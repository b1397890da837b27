import { headingKey, headingKeys, type HeadingKind } from '../calc/column-headings.ts';
import { challanFields, challanFile, type PaperField } from '../contract/challan-fields.ts';
import type { FieldKind } from '../contract/fields.ts';
import type { ValueKind } from '../reading/values.ts';
import type { SheetField } from './headings.ts';

/**
 * The columns of the entry sheet in the order of the paper form, with the kinds of columns that other people's tables have for
 * them.
 * A payment cannot be typed here. The material shortage can be typed, because its rate may not be known (the challan file
 * has only the amount); otherwise it is computed.
 */
export type SheetColumn = Exclude<PaperField, 'paymentStatus'> | 'materialRate';

const kinds = {
  tpNo: ['tpNo', 'permitNo'],
  loadingDate: ['loadingDate', 'date'],
  unloadingDate: ['unloadingDate'],
  vehicleNo: ['vehicleNo'],
  material: ['material'],
  ownerName: ['ownerName'],
  ownerContactNumber: ['contactNumber'],
  discounter: ['discounter'],
  tag: ['tag'],
  petrolPump: ['petrolPump'],
  loadingPlace: ['loadingPlace'],
  unloadingPlace: ['unloadingPlace'],
  loadingWeight: ['loadingWeight'],
  unloadingWeight: ['unloadingWeight'],
  ratePerMT: ['ratePerMT'],
  tdsPercentage: ['tdsPercentage'],
  hsdPricePerLiter: ['hsdPricePerLiter'],
  hsdInLiters: ['hsdInLiters'],
  advanceMoney: ['advanceMoney'],
  officeCharges: ['officeCharges'],
  discountWeight: ['discountWeight'],
  materialRate: ['materialRate'],
  materialShortageAmount: ['materialShortageAmount'],
  driverName: ['driverName'],
  drivingLicenseNo: ['drivingLicenseNo'],
  vehicleType: ['vehicleType'],
  vehicleWheel: ['vehicleWheel'],
  remarks: ['remarks', 'narration'],
  dataEntryBy: ['dataEntryBy'],
  depositedAt: ['depositedAt'],
} as const satisfies Readonly<Record<SheetColumn, readonly HeadingKind[]>>;

/** The headings of a column: first that of our own file, then the form's label, then what other people call it. */
function keysOf(name: SheetColumn): readonly string[] {
  const own = name === 'materialRate' ? [] : [challanFile[name]?.[0] ?? '', challanFields[name].label];
  return [...own.map(headingKey).filter((key) => key !== ''), ...headingKeys(...kinds[name])];
}

/** How the text of a column is read, where its kind of field does not say it. */
const ownKinds: Readonly<Partial<Record<SheetColumn, ValueKind>>> = {
  tpNo: 'tp',
  vehicleNo: 'vehicle',
  ownerContactNumber: 'phone',
  drivingLicenseNo: 'reference',
};
const kindOfField = { money: 'money', weight: 'weight', liters: 'liters', percent: 'percent', date: 'day' } as const;
const isFigureKind = (kind: FieldKind): kind is keyof typeof kindOfField => kind in kindOfField;

export const kindOfColumn = (column: SheetColumn): FieldKind =>
  column === 'materialRate' ? 'money' : challanFields[column].kind;

export function valueKindOf(column: SheetColumn): ValueKind {
  const kind = kindOfColumn(column);
  return ownKinds[column] ?? (isFigureKind(kind) ? kindOfField[kind] : 'text');
}

export const labelOf = (column: SheetColumn): string =>
  column === 'materialRate' ? 'Material Rate per MT' : challanFields[column].label;

// Safe: Object.keys widens to string, but these are the table's keys.
export const sheetColumns = Object.keys(kinds) as SheetColumn[];

export const challanSheetFields: readonly SheetField<SheetColumn>[] = sheetColumns.map((name) => ({
  name,
  keys: keysOf(name),
}));
