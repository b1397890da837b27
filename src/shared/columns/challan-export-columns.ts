import { challanFields, challanFile, fileOrder, type FileField, type NamedField } from '../contract/challan-fields.ts';
import type { FieldKind } from '../contract/fields.ts';
import type { z } from 'zod';
import type { Column, ColumnKind } from './define.ts';

/** The name of a field in the file's row: a record is only its name there. */
type FileName<N extends FileField> = N extends NamedField ? `${N}Name` : N;

/**
 * A line of the challan file and of the owner's file (docs/specification.md §13.2). It is flat, so that the server streams
 * it from the database without building the nested records of the API.
 */
export type ChallanExportRow = {
  [N in FileField as FileName<N>]: N extends NamedField ? string | null : z.output<(typeof challanFields)[N]['answer']>;
};

/** The kind of column that shows a field of each kind. */
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

/** Every key is a field of the row, so that a query can select its columns by these keys. */
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
  // Safe: ChallanExportRow is derived from the same table, so the key is a field of the type that the kind needs.
  return column as Column<ChallanExportRow>;
});
