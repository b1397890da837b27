import { headingKey, headingKeys, isHeadingKind, type HeadingKind } from '../calc/column-headings.ts';
import { challanFields, challanFile, paperOrder, type PaperField } from '../contract/challan-fields.ts';
import type { FieldKind } from '../contract/fields.ts';
import type { ValueKind } from '../reading/values.ts';
import type { SheetField } from './headings.ts';

/**
 * The columns of the entry sheet in the order of the paper form. A payment cannot be typed here. The material shortage can be
 * typed, because its rate may not be known (the challan file has only the amount); otherwise it is computed.
 */
export type SheetColumn = Exclude<PaperField, 'paymentStatus'> | 'materialRate';

export const sheetColumns: readonly SheetColumn[] = paperOrder.flatMap((name): SheetColumn[] => {
  if (name === 'paymentStatus') return [];
  return name === 'materialShortageAmount' ? ['materialRate', name] : [name];
});

/** The kinds of columns that other people's tables have for a column, where they are not those of its own name. */
const otherKinds: Readonly<Partial<Record<SheetColumn, readonly HeadingKind[]>>> = {
  tpNo: ['tpNo', 'permitNo'],
  loadingDate: ['loadingDate', 'date'],
  ownerContactNumber: ['contactNumber'],
  remarks: ['remarks', 'narration'],
};

/** The headings of a column: first that of our own file, then the form's label, then what other people call it. */
function keysOf(name: SheetColumn): readonly string[] {
  const own = name === 'materialRate' ? [] : [challanFile[name]?.[0] ?? '', challanFields[name].label];
  const kinds = otherKinds[name] ?? (isHeadingKind(name) ? [name] : []);
  return [...own.map(headingKey).filter((key) => key !== ''), ...headingKeys(...kinds)];
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

export const challanSheetFields: readonly SheetField<SheetColumn>[] = sheetColumns.map((name) => ({
  name,
  keys: keysOf(name),
}));
