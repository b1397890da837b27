import type { ListedChallan } from '../contract/challan.ts';
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

/** What a column adds to its field. Label and kind are given where they differ from the field's. */
type Look = Omit<ColumnBase, 'label' | 'sortKey'> & {
  label?: string;
  kind?: ColumnKind;
  value?: (row: ListedChallan) => unknown;
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
  (row: ListedChallan): string | null =>
    row[name]?.name ?? null;

/** The columns of a table: those in `looks` in their order, then the fields that the table only offers. */
function columnsOf(looks: Readonly<Partial<Record<ChallanFieldName, Look>>>): readonly Column<ListedChallan>[] {
  const all = { ...looks, ...Object.fromEntries(offeredFields.filter((name) => !(name in looks)).map(offeredLook)) };
  // Safe: Object.entries widens the keys to string, but all of them are fields.
  return (Object.entries(all) as [ChallanFieldName, Look][]).map(([name, look]) => {
    const { label, kind } = challanFields[name];
    const sortKey = sortKeyOf(name);
    // Safe: the field of the row, or `value`, has the type that the kind of the column needs.
    return { key: name, label, kind: columnKinds[kind], ...(sortKey && { sortKey }), ...look } as Column<ListedChallan>;
  });
}

/** The challan list (docs/specification.md §8.1). The page adds the actions view, edit and delete. */
const listLooks: Readonly<Record<FieldIn<'list'>, Look>> = {
  challanNumber: { width: 134, pin: 'left' },
  // Two TP numbers often differ only in their last digits, so they are never cut.
  tpNo: { width: 172, least: 158 },
  vehicleNo: { width: 150, least: 102 },
  ownerName: { label: 'Owner', width: 180, least: 80 },
  tag: { kind: 'tag', width: 140 },
  depositedAt: { label: 'Deposited Date', kind: 'shortDate', width: 100, least: 94, empty: 'Pending' },
  netAmountPayable: { label: 'Net Amount', width: 140, total: 'totalAmount' },
  paymentStatus: { label: 'Paid', width: 80, words: ['Paid', 'Unpaid'] },
  hsdVerified: { width: 110, words: ['HSD verified', 'HSD not verified'] },
};
export const challanColumns = columnsOf(listLooks);

/** An owner's challans in accounting (docs/specification.md §9.2). */
const ownerLooks: Readonly<Record<FieldIn<'owner'>, Look>> = {
  challanNumber: { label: 'Challan No.', width: 134, pin: 'left' },
  tpNo: { label: 'TP No.', width: 172, least: 158 },
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
  payment: { width: 150, least: 126, value: nameIn('payment') },
};
export const ownerChallanColumns = columnsOf(ownerLooks);

/** A challan in the file of a table, as `challanTableRows` selects it. A record that the challan names is only its name. */
export type ChallanTableRow = Readonly<Record<string, string | number | boolean | null>>;

/** Numbers that a sum makes no sense for. */
const rates: readonly ChallanFieldName[] = ['ratePerMT', 'tdsPercentage', 'hsdPricePerLiter', 'vehicleWheel'];

/** The columns of the file of a table, under the table's headings. Those with a `total` are added up. */
export function challanFileColumns(
  table: readonly Column<ListedChallan>[],
  names: readonly ChallanFieldName[],
): readonly Column<ChallanTableRow>[] {
  return names.map((name) => {
    const shown = table.find(({ key }) => key === name);
    const { label, kind } = challanFields[name];
    const isSum = numericKinds.has(columnKinds[kind]) && !rates.includes(name);
    return {
      key: name,
      label: shown?.label ?? label,
      // The kind of the field and not of the table's column: a file has a tag's name and the whole year of a day.
      kind: columnKinds[kind],
      width: shown?.width ?? 140,
      ...(isSum && { total: name }),
      value: (row: ChallanTableRow) => row[name] ?? null,
    } as Column<ChallanTableRow>;
  });
}
