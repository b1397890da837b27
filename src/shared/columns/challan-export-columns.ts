import { challanFields, challanFile, fileOrder, type FileField, type NamedField } from '../contract/challan-fields.ts';
import type { FieldKind } from '../contract/fields.ts';
import type { z } from 'zod';
import type { Column, ColumnKind } from './define.ts';

/** A record that the challan names is in the file by its name. */
type FileName<N extends FileField> = N extends NamedField ? `${N}Name` : N;

/**
 * One line of the challan and owner files (docs/specification.md §13.2), flat, as the server streams it: every matching
 * challan, without building the API's nested records.
 */
export type ChallanExportRow = {
  [N in FileField as FileName<N>]: N extends NamedField ? string | null : z.output<(typeof challanFields)[N]['answer']>;
};

/** How a field of each kind is shown. */
export const columnKinds: Readonly<Record<FieldKind, ColumnKind>> = {
  text: 'text',
  identifier: 'identifier',
  reference: 'reference',
  money: 'money',
  weight: 'weight',
  liters: 'liters',
  percent: 'percent',
  date: 'date',
  instant: 'datetime',
  count: 'count',
  flag: 'flag',
  record: 'text',
};

/** Every key is the row's field, so that a query may select by key. */
export const challanExportColumns: readonly Column<ChallanExportRow>[] = fileOrder.map((name) => {
  const { kind } = challanFields[name];
  const [label, width] = challanFile[name];
  const column = {
    key: kind === 'record' ? `${name}Name` : name,
    label,
    kind: columnKinds[kind],
    width,
    ...(kind === 'flag' && { words: ['Yes', 'No'] }),
    ...(name === 'netAmountPayable' && { total: 'totalAmount' }),
  };
  // The row's type is made of the same table: the key is its field, and holds what the kind needs.
  return column as Column<ChallanExportRow>;
});
