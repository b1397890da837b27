import { useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { canEditChallan, reasonOf } from '../../../../shared/access.ts';
import { dayOf, formatDate, instantOf } from '../../../../shared/calc/dates.ts';
import { declarationOn, tdsDay } from '../../../../shared/calc/declaration.ts';
import { isZero } from '../../../../shared/calc/money.ts';
import { challan as challanShape, type Challan } from '../../../../shared/contract/challan.ts';
import { challanFields, type FieldIn } from '../../../../shared/contract/challan-fields.ts';
import { challans } from '../../../resources/challans.ts';
import { declarations } from '../../../resources/declarations.ts';
import { call } from '../../../kit/api/client.ts';
import { person } from '../../../kit/api/seat.ts';
import { CellLayer } from '../../master-data/index.ts';
import type { CellField, CellKit, CellValue } from '../../../kit/cells/cell-kit.ts';
import type { CellLayerProps } from '../../../kit/cells/use-cell-editing.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useLatest } from '../../../kit/ui/use-latest.ts';
import { lockOfField, useLockOf } from '../locked.ts';
import { isAmountField, readAmount, shownAmount } from '../form/form-amounts.ts';
import { changeBody, changedFields } from '../form/form-changes.ts';
import { errorsOf } from '../form/form-errors.ts';
import { askBeforeSaving } from '../form/form-questions.ts';
import { fieldLabels, isDateField, storedValues, type FieldName, type FormValues } from '../form/form-values.ts';

type CellName = FieldIn<'edit'>;
/** The field of a column. The cast is safe: columns that can be edited are named after their fields. */
const nameOf = (column: string): CellName & FieldName => column as CellName & FieldName;

const editors: Readonly<Partial<Record<string, CellField['kind']>>> = {
  date: 'date',
  money: 'money',
  liters: 'liters',
  percent: 'percent',
  record: 'tag',
};

/** The values of the challan's form, with this one field changed. */
const withValue = (row: Challan, column: string, value: CellValue): FormValues => ({
  ...storedValues(row),
  [nameOf(column)]: value,
});

function checkValues(row: Challan, column: string, values: FormValues): string | undefined {
  const errors = errorsOf(values, row, {});
  return reasonOf(canEditChallan(person(), row)) ?? errors[nameOf(column)] ?? Object.values(errors)[0];
}

/** Whether this TDS percentage is 0, which only a declaration of the owner allows (docs/specification.md §27.7). */
function isZeroTds(column: string, value: CellValue): boolean {
  if (column !== 'tdsPercentage' || typeof value !== 'string') return false;
  const read = readAmount('tdsPercentage', value);
  return 'value' in read && read.value !== '' && isZero(read.value);
}

/** The same as `withValue`, with the declaration that is valid on the challan's day. */
async function withDeclaration(client: QueryClient, row: Challan, values: FormValues): Promise<FormValues> {
  const { data } = await client.fetchQuery({
    ...declarations.ofOwnerOptions({ params: { id: row.owner.id } }),
    staleTime: 60_000,
  });
  return { ...values, tdsDeclarationId: declarationOn(data, tdsDay(values))?.id ?? '' };
}

/** A cell of the challan list is checked and saved by the rules of the challan form (docs/specification.md §8.3 to §8.5). */
const kit = {
  fieldOf: (column) => {
    const name = nameOf(column);
    const { kind } = challanFields[name];
    return { label: fieldLabels[name], kind: name === 'remarks' ? 'lines' : (editors[kind] ?? 'text') };
  },
  nameOf: ({ challanNumber }) => challanNumber,
  // Each field that a cell can edit holds a text, a day or a tag.
  valueOf: (row, column) => storedValues(row)[nameOf(column)],
  textOf: (column, value) => {
    const name = nameOf(column);
    if (value === null || typeof value === 'object') return value?.name ?? '';
    if (isAmountField(name)) return shownAmount(name, value);
    return isDateField(name) && value !== '' ? formatDate(value) : value;
  },
  isSame: (row, column, value) => changedFields(storedValues(row), withValue(row, column, value)).length === 0,
  check: (row, column, value) => checkValues(row, column, withValue(row, column, value)),
  // Only an amount can make the net negative or change what was paid.
  ask: (row, column, value) =>
    isAmountField(nameOf(column)) ? askBeforeSaving(row, withValue(row, column, value)) : undefined,
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
  read: (data) => challanShape.safeParse(data).data,
  afterwards: (row, column) => {
    if (column === 'tpNo') void warnOfSameTp(row);
  },
  update: challans.calls.update,
  lists: [challans.calls.listRows],
  failed: 'Failed to update challan',
} satisfies Omit<CellKit<Challan>, 'send'>;

/**
 * Warns when the TP number is used by another challan too (docs/specification.md §8.2.6). The cell is saved all the same, as
 * the form saves after "Save anyway", and the user can undo it.
 */
async function warnOfSameTp({ id, tpNo, challanNumber }: Challan): Promise<void> {
  try {
    const { data } = await call(challans.calls.findDuplicates, { query: { tpNo, excludeId: id } });
    const [other, ...more] = data.sameTp;
    if (!other) return;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    notify.warning(`TP No ${tpNo} of ${challanNumber} is also on ${other.challanNumber}${others}.`);
  } catch {
    // The cell is saved, so a failed check for duplicates is not worth an error.
  }
}

export default function ChallanCells(props: CellLayerProps<Challan>) {
  const lockOf = useLatest(useLockOf());
  const client = useQueryClient();
  // The layer keeps the kit that it was made with.
  const [ownKit] = useState<CellKit<Challan>>(() => ({
    ...kit,
    noteOf: (row, column) => lockOfField(lockOf.current, row, column),
    check: (row, column, value) => {
      const values = withValue(row, column, value);
      const moved = { depositedAt: values.depositedAt || null, loadingDate: values.loadingDate };
      const reason = lockOfField(lockOf.current, row, column) ?? lockOfField(lockOf.current, moved, column);
      // A challan at 0 may have lost its declaration, and one with a percentage may have got one.
      const asksDeclaration = column === 'tdsPercentage' && (row.tdsDeclaration !== null || isZeroTds(column, value));
      if (reason !== undefined || !asksDeclaration) return reason ?? kit.check(row, column, value);
      return withDeclaration(client, row, values).then(
        (declared) => checkValues(row, column, declared),
        () => checkValues(row, column, values),
      );
    },
    send: async (row, column, value) => {
      const values = withValue(row, column, value);
      if (column === 'tdsPercentage') values.tdsDeclarationId = '';
      const body = changeBody(row, isZeroTds(column, value) ? await withDeclaration(client, row, values) : values);
      return (await call(challans.calls.update, { params: { id: row.id }, body })).data;
    },
  }));
  return <CellLayer kit={ownKit} {...props} />;
}
