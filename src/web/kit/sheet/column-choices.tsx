import type { Mapping } from '../../../shared/sheet/headings.ts';
import type { Table } from '../../../shared/sheet/table-cells.ts';
import { Select } from '../ui/select-field.tsx';

/** The choice of what is in each column of a table, for the import and for the files of banks. */

const headingRows = 20;
const sampleRows = 3;
const unused = '';

interface HeadingRowChoiceProps {
  table: Table;
  mapping: Pick<Mapping<string>, 'firstRow' | 'hasHeadings'>;
  /** false: no room is kept below for an error. */
  reserve?: boolean;
  /** Called with the row from 1; 0: the table has no headings. */
  onChange: (row: number) => void;
}

export function HeadingRowChoice({ table, mapping, reserve = true, onChange }: HeadingRowChoiceProps) {
  const chosen = mapping.hasHeadings ? mapping.firstRow : 0;
  return (
    <div className="w-72">
      <Select
        label="Headings"
        reserve={reserve}
        value={String(chosen)}
        options={[
          { value: '0', label: 'The table has no headings' },
          ...table.slice(0, Math.max(headingRows, chosen)).map((row, index) => ({
            value: String(index + 1),
            label: `Row ${index + 1}: ${row.filter(Boolean).slice(0, 3).join(', ')}`,
          })),
        ]}
        onValueChange={(value) => onChange(Number(value))}
      />
    </div>
  );
}

export const columnName = ({ headings }: Pick<Mapping<string>, 'headings'>, index: number): string =>
  headings[index] || `Column ${index + 1}`;

interface ColumnChoicesProps<Name extends string> {
  table: Table;
  mapping: Mapping<Name>;
  fields: readonly { name: Name; label: string }[];
  /** Called with null for a column that is not used. */
  onChange: (index: number, name: Name | null) => void;
}

/** Shows each column with its first values and the field that it is. */
export function ColumnChoices<Name extends string>({ table, mapping, fields, onChange }: ColumnChoicesProps<Name>) {
  const options = [
    { value: unused, label: 'Not used' },
    ...fields.map(({ name, label }) => ({ value: name as string, label })),
  ];
  const samples = (index: number): string =>
    table
      .slice(mapping.firstRow, mapping.firstRow + sampleRows)
      .map((row) => row[index] ?? '')
      .filter((text) => text !== '')
      .join(' · ');
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-3 gap-y-2">
      {mapping.columns.map((name, index) => (
        <div key={`${index}-${mapping.headings[index] ?? ''}`} className="min-w-0">
          <Select
            label={columnName(mapping, index)}
            value={name ?? unused}
            options={options}
            onValueChange={(value) => onChange(index, fields.find((field) => field.name === value)?.name ?? null)}
          />
          <p className="-mt-4 truncate text-muted" title={samples(index)}>
            {samples(index) || '—'}
          </p>
        </div>
      ))}
    </div>
  );
}

/** A field has only one column: if it had another column before, that column becomes unused. */
export const withColumn = <Name extends string>(
  mapping: Mapping<Name>,
  index: number,
  name: Name | null,
): Mapping<Name> => ({
  ...mapping,
  columns: mapping.columns.map((old, at) => (at === index ? name : old === name ? null : old)),
});
