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

const widthOfKind = {
  text: 130,
  identifier: 120,
  date: 104,
  money: 106,
  weight: 96,
  liters: 84,
  percent: 74,
  count: 78,
};
const widths: Readonly<Partial<Record<ChallanFieldName | 'materialRate', number>>> = {
  ownerName: 180,
  discounter: 150,
  // Wide enough for 13 digits.
  tpNo: 140,
  vehicleNo: 128,
  remarks: 220,
  officeCharges: 96,
};

function widthOf(name: SheetColumn | FigureColumn): number {
  const kind = isFigureColumn(name) ? 'money' : kindOfColumn(name);
  const inFile = name === 'materialRate' ? null : challanFile[name];
  return widths[name] ?? (kind in widthOfKind ? widthOfKind[kind as keyof typeof widthOfKind] : (inFile?.[1] ?? 130));
}

const isRequired = (name: string): boolean =>
  name in requiredMessages || ['tag', 'vehicleNo', 'ownerName'].includes(name);

/** The typed columns in the order of the paper form, then the computed amounts. */
export const gridColumns: readonly SheetGridColumn[] = [
  ...sheetColumns.map((name): SheetGridColumn => {
    const kind = kindOfColumn(name);
    return {
      key: name,
      // A no-break space keeps the star with the last word.
      label: isRequired(name) ? `${sheetLabels[name]}\u00a0*` : sheetLabels[name],
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

export const shownColumns: ShownColumns = gridColumns.map(
  ({ key }) => sheetColumns.find((name) => name === key) ?? null,
);
