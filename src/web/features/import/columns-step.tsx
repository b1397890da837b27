import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { X } from 'lucide-react';
import { importFieldOf, importFields, importNouns } from '../../../shared/sheet/import-fields.ts';
import type { ImportKind } from '../../../shared/contract/imports.ts';
import { importColumnsCommands } from './import-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button, IconButton } from '../../kit/ui/button.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { ColumnChoices, columnName, HeadingRowChoice, withColumn } from '../../kit/sheet/column-choices.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import {
  missingFields,
  rowsOf,
  tableOf,
  withHeadingRow,
  withSheet,
  type Fill,
  type Source,
  longRows,
  monthFirstDate,
  numbersOf,
} from './import-source.ts';
import { tooLongReason, tooLongText } from '../../../shared/reading/tables.ts';
import { monthFirstDoubt } from '../../../shared/reading/day-order.ts';

interface ColumnsStepProps {
  kind: ImportKind;
  source: Source;
  isBusy: boolean;
  mostRows: number;
  onChange: (source: Source) => void;
  onCheck: () => void;
  onStartAgain: () => void;
}

/** The second step: the user chooses the sheet, the row with the headings, and the field of each column. */
export function ColumnsStep(props: ColumnsStepProps) {
  const { kind, source, isBusy, mostRows, onChange, onCheck, onStartAgain } = props;
  const checkRef = useRef<HTMLButtonElement>(null);
  // Focuses the button that checks the rows, so that Enter is enough if all columns are recognised.
  useLayoutEffect(() => checkRef.current?.focus(), []);

  const { mapping, sheets, sheet } = source;
  const table = tableOf(source);
  const { rows } = rowsOf(kind, source);
  const missing = missingFields(kind, source);
  const oddDate = monthFirstDate(kind, source);
  const long = longRows(source);
  const used = mapping.columns.filter((name) => name !== null).length;
  const reasonOf = (): string | undefined => {
    if (used === 0) return 'Choose a column for at least one field';
    if (rows.length === 0) return 'There are no rows below the headings';
    if (long.length > 0 && source.longRows === undefined)
      return 'Say first what is done with the rows that are too long';
    if (oddDate !== undefined) return 'Say first how the dates are meant';
    if (rows.length > mostRows)
      return `An import has at most ${formatCount(mostRows)} rows. Split the file and import each part.`;
    return undefined;
  };
  const actions = useCommands(importColumnsCommands, {
    check: { disabledReason: reasonOf(), run: onCheck },
    startAgain: onStartAgain,
  });

  return (
    <section aria-label="Columns" className="grid gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-center gap-3">
        {sheets.length > 1 && (
          <div className="w-56">
            <Select
              label="Sheet"
              value={String(sheet)}
              options={sheets.map(({ name }, index) => ({ value: String(index), label: name }))}
              onValueChange={(value) => onChange(withSheet(kind, source, Number(value)))}
            />
          </div>
        )}
        <HeadingRowChoice
          table={table}
          mapping={mapping}
          onChange={(row) => onChange(withHeadingRow(kind, source, row))}
        />
        <p className="text-muted">
          {used} of {mapping.columns.length} columns used · {formatCount(rows.length)}{' '}
          {rows.length === 1 ? importNouns[kind][1] : 'rows'}
        </p>
        <div className="ml-auto flex gap-2">
          <ActionButton action={actions.startAgain} />
          <ActionButton action={actions.check} ref={checkRef} variant="primary" busy={isBusy} />
        </div>
      </div>
      <ColumnChoices
        table={table}
        mapping={mapping}
        fields={importFields[kind]}
        onChange={(index, name) => onChange({ ...source, mapping: withColumn(mapping, index, name) })}
      />
      {long.length > 0 && (
        <Alert
          tone="warn"
          title={tooLongText(numbersOf(source, long))}
          actions={
            source.longRows === undefined ? (
              <>
                <Button size="sm" onClick={() => onChange({ ...source, longRows: 'left out' })}>
                  Leave Out
                </Button>
                <Button size="sm" onClick={() => onChange({ ...source, longRows: 'taken' })}>
                  Take Anyway
                </Button>
              </>
            ) : (
              <Button size="sm" onClick={() => onChange({ ...source, longRows: undefined })}>
                {source.longRows === 'left out' ? 'Do Not Leave Out' : 'Do Not Take'}
              </Button>
            )
          }
        >
          {source.longRows === 'left out'
            ? 'Left out.'
            : source.longRows === 'taken'
              ? 'Taken. The cells without a heading are not used.'
              : `${tooLongReason} Correct it in the file, or leave it out.`}
        </Alert>
      )}
      {oddDate !== undefined && (
        <Alert
          tone="warn"
          title={monthFirstDoubt(oddDate)}
          actions={
            <Button size="sm" onClick={() => onChange({ ...source, isMonthFirst: true })}>
              Month First
            </Button>
          }
        >
          Read the column as month first? If only this date is wrong, correct it in the file.
        </Alert>
      )}
      {source.isMonthFirst && (
        <Alert
          tone="info"
          title="The dates are read with the month first"
          actions={
            <Button size="sm" onClick={() => onChange({ ...source, isMonthFirst: false })}>
              Day First
            </Button>
          }
        >
          3/5/2026 is 5 March 2026.
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert tone="warn" title={`No column for ${missing.join(', ')}`}>
          Every row needs {missing.length === 1 ? 'it' : 'them'}. Choose{' '}
          {missing.length === 1 ? 'its column' : 'their columns'} above, or fill the empty cells below.
        </Alert>
      )}
      <Fills
        kind={kind}
        fills={source.fills}
        mapped={mapping.columns}
        columns={mapping.columns.map((_, index) => columnName(mapping, index))}
        onChange={(fills) => onChange({ ...source, fills })}
      />
    </section>
  );
}

interface FillsProps {
  kind: ImportKind;
  fills: readonly Fill[];
  /** The field of each column; null if the column is not used. */
  mapped: readonly (string | null)[];
  /** The name of each column. */
  columns: readonly string[];
  onChange: (fills: readonly Fill[]) => void;
}

const fixedText = 'text';

/**
 * Fills the empty cells of a field, and fields without a column: with one text for all rows, or with the text of
 * another column.
 */
function Fills({ kind, fills, mapped, columns, onChange }: FillsProps) {
  const newest = useRef<HTMLButtonElement>(null);
  const filled = new Set(fills.map(({ field }) => field));
  const free = importFields[kind].filter(({ name }) => !filled.has(name));
  const next = free.find(({ name }) => !mapped.includes(name)) ?? free[0];
  const change = (at: number, patch: Partial<Fill>): void =>
    onChange(fills.map((fill, index) => (index === at ? { ...fill, ...patch } : fill)));
  return (
    <div role="group" aria-label="Where a cell is empty" className="grid gap-1 border-t border-line pt-3">
      {fills.map((fill, index) => (
        <div key={index} className="flex flex-wrap items-start gap-3">
          <div className="w-60">
            <Select
              ref={index === fills.length - 1 ? newest : undefined}
              label="Field with empty cells"
              value={fill.field}
              options={importFields[kind]
                .filter(({ name }) => name === fill.field || !filled.has(name))
                .map(({ name, label }) => ({ value: name, label }))}
              onValueChange={(field) => change(index, { field })}
            />
          </div>
          <div className="w-60">
            <Select
              label="Take"
              value={fill.column === null ? fixedText : String(fill.column)}
              options={[
                { value: fixedText, label: 'The text on the right' },
                ...columns.map((name, column) => ({ value: String(column), label: `As in ${name}` })),
              ]}
              onValueChange={(value) => change(index, { column: value === fixedText ? null : Number(value) })}
            />
          </div>
          {fill.column === null && (
            <div className="w-60">
              <TextField
                label="Text for every row"
                value={fill.text}
                onValueChange={(text) => change(index, { text })}
              />
            </div>
          )}
          <span className="mt-6">
            <IconButton
              label={`Do not fill ${importFieldOf(kind, fill.field)?.label ?? fill.field}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => onChange(fills.filter((_, at) => at !== index))}
            />
          </span>
        </div>
      ))}
      {next && (
        <div>
          <Button
            size="sm"
            onClick={() => {
              flushSync(() => onChange([...fills, { field: next.name, column: null, text: '' }]));
              newest.current?.focus();
            }}
          >
            Fill Empty Cells
          </Button>
        </div>
      )}
    </div>
  );
}
