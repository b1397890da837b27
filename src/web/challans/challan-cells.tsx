import { dayOf, formatDate, instantOf } from '../../shared/calc/dates.ts';
import { challan as challanShape, type Challan } from '../../shared/contract/challan.ts';
import { challanFields, type FieldIn } from '../../shared/contract/challan-fields.ts';
import { challans } from '../api/challans.ts';
import { call } from '../api/client.ts';
import { CellLayer } from '../cells/cell-layer.tsx';
import type { CellField, CellKit, CellValue } from '../cells/cell-kit.ts';
import type { CellLayerProps } from '../cells/use-cell-editing.ts';
import { notify } from '../feedback/toast.ts';
import { isAmountField, readAmount, shownAmount } from './form-amounts.ts';
import { changeBody, changedFields } from './form-changes.ts';
import { errorsOf } from './form-errors.ts';
import { askBeforeSaving } from './form-questions.ts';
import { fieldLabels, isDateField, storedValues, type FieldName, type FormValues } from './form-values.ts';

type CellName = FieldIn<'edit'>;
/** Their columns have the names of the fields. */
const nameOf = (column: string): CellName & FieldName => column as CellName & FieldName;

const editors: Readonly<Partial<Record<string, CellField['kind']>>> = {
  date: 'date',
  money: 'money',
  liters: 'liters',
  percent: 'percent',
  record: 'tag',
};

/** The challan as its form holds it, with this one field changed. */
const changed = (row: Challan, column: string, value: CellValue): FormValues => ({
  ...storedValues(row),
  [nameOf(column)]: value,
});

/** The cells of the challan list are changed by the rules of the challan form (docs/specification.md §8.3 to §8.5). */
const kit: CellKit<Challan> = {
  fieldOf: (column) => {
    const name = nameOf(column);
    const { kind } = challanFields[name];
    return { label: fieldLabels[name], kind: name === 'remarks' ? 'lines' : (editors[kind] ?? 'text') };
  },
  nameOf: ({ challanNumber }) => challanNumber,
  // The fields of cells hold text, a day or a tag.
  valueOf: (row, column) => storedValues(row)[nameOf(column)],
  textOf: (column, value) => {
    const name = nameOf(column);
    if (value === null || typeof value === 'object') return value?.name ?? '';
    if (isAmountField(name)) return shownAmount(name, value);
    return isDateField(name) && value !== '' ? formatDate(value) : value;
  },
  isSame: (row, column, value) => changedFields(storedValues(row), changed(row, column, value)).length === 0,
  check: (row, column, value) => {
    const errors = errorsOf(changed(row, column, value), row, {});
    return errors[nameOf(column)] ?? Object.values(errors)[0];
  },
  // The question about a net below zero is for what changes the net.
  ask: (row, column, value) =>
    isAmountField(nameOf(column)) ? askBeforeSaving(row, changed(row, column, value)) : undefined,
  shown: (row, column, value) => {
    const name = nameOf(column);
    if (typeof value !== 'string') return { [name]: value };
    const { kind } = challanFields[name];
    if (kind === 'date')
      return { [name]: value === '' ? null : value === dayOf(row[name] as string) ? row[name] : instantOf(value) };
    if (kind === 'count') return { [name]: value.trim() === '' ? null : Number(value) };
    const read = isAmountField(name) ? readAmount(name, value) : undefined;
    return { [name]: read && 'value' in read ? read.value : value.trim() };
  },
  send: async (row, column, value) => {
    const body = changeBody(row, changed(row, column, value));
    return (await call(challans.calls.update, { params: { id: row.id }, body })).data;
  },
  read: (data) => challanShape.safeParse(data).data,
  afterwards: (row, column) => {
    if (column === 'tpNo') void warnOfSameTp(row);
  },
  update: challans.calls.update,
  lists: [challans.calls.list],
  failed: 'Failed to update challan',
};

/** docs/specification.md §8.2.6: it is saved, as the form would after "Save anyway"; Undo takes it back. */
async function warnOfSameTp({ id, tpNo, challanNumber }: Challan): Promise<void> {
  try {
    const { data } = await call(challans.calls.findDuplicates, { query: { tpNo, excludeId: id } });
    const [other, ...more] = data.sameTp;
    if (!other) return;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    notify.warning(`TP No ${tpNo} of ${challanNumber} is also on ${other.challanNumber}${others}.`);
  } catch {
    // A warning that could not be had must not keep anybody from working.
  }
}

export default function ChallanCells(props: CellLayerProps<Challan>) {
  return <CellLayer kit={kit} {...props} />;
}
