import type { Challan } from '../contract/challan.ts';
import {
  challanFields,
  challanFile,
  offeredFields,
  sortKeyOf,
  type ChallanFieldName,
  type FieldIn,
  type NamedField,
} from '../contract/challan-fields.ts';
import { columnKinds } from './challan-export-columns.ts';
import { numericKinds, type Column, type ColumnBase, type ColumnKind } from './define.ts';

/** What a column adds to its field: label and kind where they differ from the field's. */
type Look = Omit<ColumnBase, 'label' | 'sortKey'> & {
  label?: string;
  kind?: ColumnKind;
  value?: (row: Challan) => unknown;
};

function offeredLook(name: FieldIn<'offered'>): [ChallanFieldName, Look] {
  const width = challanFile[name]?.[1] ?? 140;
  return [
    name,
    { width, isOffered: true, ...(challanFields[name].kind === 'record' && { value: nameIn(name as NamedField) }) },
  ];
}

const nameIn =
  (name: NamedField) =>
  (row: Challan): string | null =>
    row[name]?.name ?? null;

/** The columns of fields, in the order given. */
function columnsOf(looks: Readonly<Partial<Record<ChallanFieldName, Look>>>): readonly Column<Challan>[] {
  // The tables' own columns first, then what they offer besides. Object.entries widens to string; the keys are fields.
  const all = { ...looks, ...Object.fromEntries(offeredFields.filter((name) => !(name in looks)).map(offeredLook)) };
  return (Object.entries(all) as [ChallanFieldName, Look][]).map(([name, look]) => {
    const { label, kind } = challanFields[name];
    const sortKey = sortKeyOf(name);
    // A field of the row that holds what its kind needs, or a value that does.
    return { key: name, label, kind: columnKinds[kind], ...(sortKey && { sortKey }), ...look } as Column<Challan>;
  });
}

/** The challan list (docs/specification.md §8.1); view, edit and delete are the page's actions. */
const listLooks: Readonly<Record<FieldIn<'list'>, Look>> = {
  challanNumber: { width: 136, pin: 'left' },
  // Two TP numbers often differ only in their last digits, so they are never cut.
  tpNo: { width: 172, least: 164 },
  vehicleNo: { width: 150, least: 107 },
  ownerName: { label: 'Owner', width: 180, least: 94 },
  tag: { kind: 'tag', width: 140, least: 120 },
  depositedAt: { label: 'Deposited Date', kind: 'shortDate', width: 100, least: 104, empty: 'Pending' },
  netAmountPayable: { label: 'Net Amount', width: 140, total: 'totalAmount' },
  paymentStatus: { label: 'Paid', width: 80, words: ['Paid', 'Unpaid'] },
  hsdVerified: { width: 110, words: ['HSD verified', 'HSD not verified'] },
};
export const challanColumns = columnsOf(listLooks);

/** An owner's challans in accounting (docs/specification.md §9.2). */
const ownerLooks: Readonly<Record<FieldIn<'owner'>, Look>> = {
  challanNumber: { label: 'Challan No.', width: 136, pin: 'left' },
  tpNo: { label: 'TP No.', width: 150 },
  depositedAt: { label: 'Deposited Date', width: 130, empty: 'Not deposited' },
  vehicleNo: { label: 'Vehicle No.', width: 130 },
  netAmountPayable: { label: 'Net Amount', width: 140, total: 'totalPayableAmount' },
  tag: { kind: 'tag', width: 150 },
  paymentStatus: {
    kind: 'status',
    width: 130,
    value: (row) => {
      if (row.paymentStatus) return { label: 'Paid', tone: 'good' };
      const hold = row.holdReason || row.owner.holdReason;
      return hold === '' ? { label: 'Unpaid', tone: 'warn' } : { label: `On hold: ${hold}`, tone: 'bad' };
    },
  },
  paidAt: { width: 110 },
  payment: { width: 150, value: nameIn('payment') },
};
export const ownerChallanColumns = columnsOf(ownerLooks);

/** A challan in a file of what a table shows: flat, what it names by its name; as `challanTableRows` selects it. */
export type ChallanTableRow = Readonly<Record<string, string | number | boolean | null>>;

/** Rates are not added up. */
const rates: readonly ChallanFieldName[] = ['ratePerMT', 'tdsPercentage', 'hsdPricePerLiter', 'vehicleWheel'];

/** The columns of a file, as a table heads them: `total` where the file adds them up. */
export function challanFileColumns(
  table: readonly Column<Challan>[],
  names: readonly ChallanFieldName[],
): readonly Column<ChallanTableRow>[] {
  return names.map((name) => {
    const shown = table.find(({ key }) => key === name);
    const { label, kind } = challanFields[name];
    const isSum = numericKinds.has(columnKinds[kind]) && !rates.includes(name);
    return {
      key: name,
      label: shown?.label ?? label,
      // As the field is, not as a table draws it: a tag by its name, a day with its whole year.
      kind: columnKinds[kind],
      width: shown?.width ?? 140,
      ...(isSum && { total: name }),
      value: (row: ChallanTableRow) => row[name] ?? null,
    } as Column<ChallanTableRow>;
  });
}
