import { requiredMessages } from '../../../../shared/calc/challan-rules.ts';
import { derivedFields, type DerivedField } from '../../../../shared/calc/challan-figures.ts';
import { challanFile, type ChallanFieldName } from '../../../../shared/contract/challan-fields.ts';
import { kindOfColumn, sheetColumns, type SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import type { ShownColumns } from '../../../../shared/sheet/sheet.ts';
import { labelOf } from '../form/form-values.ts';
import type { SheetGridColumn } from '../../../kit/grid/sheet-grid-types.ts';

/** The columns of computed amounts. The material shortage has a column of its own that is typed or computed. */
export type FigureColumn = Exclude<DerivedField, 'materialShortageAmount'>;
const figureColumns = derivedFields.filter((name): name is FigureColumn => name !== 'materialShortageAmount');
/** Pinned to the right, so that it is always visible. */
const lastFigure: FigureColumn = 'netAmountPayable';

export const sheetLabels = Object.fromEntries(
  sheetColumns.map((name) => [name, name === 'materialRate' ? 'Material Rate per MT' : labelOf(name)]),
  // Safe: the object has a label for each column.
) as Readonly<Record<SheetColumn, string>>;

export const isFigureColumn = (key: string): key is FigureColumn => figureColumns.some((name) => name === key);

/** So narrow that what each challan needs is in sight in a window of 1366 pixels, where the sidebar starts collapsed. */
const widthOfKind = {
  text: 110,
  identifier: 112,
  date: 86,
  money: 82,
  weight: 78,
  liters: 66,
  percent: 50,
  count: 66,
};
const widths: Readonly<Partial<Record<ChallanFieldName | 'materialRate', number>>> = {
  ownerName: 150,
  ownerContactNumber: 100,
  vehicleNo: 96,
  material: 80,
  tag: 72,
  loadingPlace: 80,
  unloadingPlace: 80,
  ratePerMT: 64,
  advanceMoney: 72,
  officeCharges: 68,
  remarks: 200,
};

/**
 * The columns that at first follow the column named, and do not stand where the challan form has them: the weights and what each
 * challan needs first, as the paper of a trip has it; then what the vehicle or the day before fills in; then what may stay empty.
 */
const columnsAfter: Readonly<Partial<Record<SheetColumn, readonly SheetColumn[]>>> = {
  vehicleNo: ['loadingWeight', 'unloadingWeight'],
  material: ['tag'],
  ratePerMT: ['advanceMoney', 'officeCharges'],
  tdsPercentage: ['ownerName', 'ownerContactNumber', 'depositedAt', 'hsdInLiters'],
  hsdPricePerLiter: ['petrolPump', 'discounter'],
};
const moved = new Set(Object.values(columnsAfter).flat());
const orderedColumns = sheetColumns
  .filter((name) => !moved.has(name))
  .flatMap((name) => [name, ...(columnsAfter[name] ?? [])]);

function widthOf(name: SheetColumn | FigureColumn): number {
  const kind = isFigureColumn(name) ? 'money' : kindOfColumn(name);
  const inFile = name === 'materialRate' ? null : challanFile[name];
  return widths[name] ?? (kind in widthOfKind ? widthOfKind[kind as keyof typeof widthOfKind] : (inFile?.[1] ?? 130));
}

/** Headings with words that are too long for a narrow column. */
const headings: Readonly<Partial<Record<SheetColumn, string>>> = { tdsPercentage: 'TDS %' };

const isRequired = (name: string): boolean =>
  name in requiredMessages || ['tag', 'vehicleNo', 'ownerName'].includes(name);

/** All columns in the order in which they are at first; the computed amounts come last. */
export const gridColumns: readonly SheetGridColumn[] = [
  ...orderedColumns.map((name): SheetGridColumn => {
    const kind = kindOfColumn(name);
    return {
      key: name,
      label: sheetLabels[name],
      // A no-break space keeps the star with the last word.
      heading: `${headings[name] ?? sheetLabels[name]}${isRequired(name) ? '\u00a0*' : ''}`,
      width: widthOf(name),
      isFigure: ['money', 'weight', 'liters', 'percent', 'count'].includes(kind),
      isFixed: false,
      ...(name === 'tpNo' && { pin: 'left' as const }),
    };
  }),
  ...figureColumns.map((name): SheetGridColumn => ({
    key: name,
    label: labelOf(name),
    width: widthOf(name),
    isFigure: true,
    isFixed: true,
    ...(name === lastFigure && { pin: 'right' as const }),
  })),
];

/** The field of a column; null for a computed amount. Looked up, because each cell that is drawn asks for it. */
const fields = new Map<string, SheetColumn>(sheetColumns.map((name) => [name, name]));
export const fieldOf = (key: string): SheetColumn | null => fields.get(key) ?? null;
export const fieldsOf = (keys: readonly string[]): ShownColumns => keys.map(fieldOf);
