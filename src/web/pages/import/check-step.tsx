import { useMemo, useRef, useState } from 'react';
import { Pencil } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Column, Status } from '../../../shared/columns/define.ts';
import { importFieldOf } from '../../../shared/sheet/import-fields.ts';
import {
  type ImportChoice,
  type ImportKind,
  type ImportState,
  importStates,
} from '../../../shared/contract/imports.ts';
import { useImportCheckActions } from '../../actions/import.ts';
import { buttonOf } from '../../actions/registry.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { notify } from '../../feedback/toast.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { CellSpec, GridHandle } from '../../grid/grid-types.ts';
import { useFocusWhenFound } from '../../sheet/use-focus-when-found.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select-field.tsx';
import { CellEditor } from './cell-editor.tsx';
import { choiceWords, reasonsOf, type CheckedRow } from './import-words.ts';
import { MendDialog } from './mend-dialog.tsx';
import { UnknownNames } from './unknown-names.tsx';
import type { Checked, ImportWork } from './use-import.ts';

const stateLooks: Readonly<Record<ImportState, Status>> = {
  new: { label: 'New', tone: 'good' },
  same: { label: 'Same', tone: 'neutral' },
  differs: { label: 'Differs', tone: 'warn' },
  wrong: { label: 'Wrong', tone: 'bad' },
};
const mended: Status = { label: 'Mended', tone: 'warn' };
const lookOf = ({ answer, isUnchecked }: CheckedRow): Status => (isUnchecked ? mended : stateLooks[answer.state]);
function outcomeOf({ answer: { state }, choice, isUnchecked }: CheckedRow): string {
  if (isUnchecked) return 'Not checked yet';
  if (state === 'new') return 'Is added';
  if (state === 'same') return 'Nothing to do';
  return state === 'wrong' ? 'Left out' : choiceWords[choice];
}

type Shown = ImportState | 'all';
const count = (n: number): string => n.toLocaleString('en-IN');

interface CheckStepProps {
  kind: ImportKind;
  work: ImportWork;
  checked: Checked;
}

/** Every row with its state; wrong ones are mended here, and what is right goes in. */
export function CheckStep({ kind, work, checked }: CheckStepProps) {
  const { fields, rows, answers, counts, choices, imported, unchecked } = checked;
  const [chosen, setShown] = useState<Shown>();
  const shown = chosen ?? (counts.wrong > 0 ? 'wrong' : 'all');
  const [page, setPage] = useState(1);
  const [mending, setMending] = useState<number>();
  const { limit, isFit, choose: chooseSize } = usePageSize('import', 0);
  const [editing, setEditing] = useState<{ index: number; field: string; frame: DOMRect }>();
  const grid = useRef<GridHandle<CheckedRow>>(null);
  const apply = useRef<HTMLButtonElement>(null);
  // The import is what comes next.
  useFocusWhenFound(checked.unknown.length, () => apply.current?.focus({ preventScroll: true }));

  const all = useMemo(
    () =>
      rows.map((texts, index): CheckedRow => ({
        index,
        texts,
        answer: answers[index] ?? { state: 'wrong' },
        choice: choices[index] ?? 'skip',
        isUnchecked: unchecked.has(index),
      })),
    [rows, answers, choices, unchecked],
  );
  const listed = useMemo(() => all.filter(({ answer }) => shown === 'all' || answer.state === shown), [all, shown]);
  const lastPage = Math.max(1, Math.ceil(listed.length / limit));
  const from = (Math.min(page, lastPage) - 1) * limit;
  const onPage = useMemo(() => listed.slice(from, from + limit), [listed, from, limit]);

  const columns = useMemo(() => columnsOf(kind, fields), [kind, fields]);
  const cells = useMemo(() => cellsOf(fields), [fields]);

  const differing = all.filter(({ answer }) => answer.state === 'differs');
  const goesIn = counts.new + differing.filter(({ choice }) => choice !== 'skip').length;
  const left = counts.wrong + differing.filter(({ choice }) => choice === 'skip').length;
  const onRow = (choice: ImportChoice): void => {
    const row = grid.current?.rowInHand();
    if (!row) notify.info('Choose a row in the table first');
    else if (row.answer.choices?.includes(choice)) work.choose([row.index], choice);
    else notify.warning(refusalOf(row, choice), { kind: 'import-choice', many: () => refusalOf(row, choice) });
  };
  const edit = (): void => {
    const at = grid.current?.focusedCell();
    if (!at) {
      notify.info('Choose a row in the table first');
      return;
    }
    const { row, column, frame } = at;
    const field = fields.find((name) => columnOf(name) === column);
    if (field !== undefined) {
      setEditing({ index: row.index, field, frame });
      return;
    }
    const wrong = fields.find((name) => errorOf(row, name) !== undefined) ?? fields[0] ?? '';
    grid.current?.focusRow(keyOf(row), columnOf(wrong));
    // Once it has been scrolled into sight.
    requestAnimationFrame(() => {
      const now = grid.current?.focusedCell();
      if (now?.column === columnOf(wrong)) setEditing({ index: row.index, field: wrong, frame: now.frame });
    });
  };
  const openNextWrong = (): void => {
    const at = grid.current?.focusedRow()?.index ?? -1;
    const wrong = all.filter(({ answer }) => answer.state === 'wrong');
    const next = wrong.find(({ index }) => index > at) ?? wrong[0];
    if (next) setMending(next.index);
  };
  const actions = useImportCheckActions({
    ...(unchecked.size > 0
      ? { apply: work.checkAgain, applyLabel: 'Check the rows', applyReason: work.busy?.title }
      : {
          apply: work.apply,
          applyLabel: goesIn === 1 ? 'Import 1 row' : `Import ${count(goesIn)} rows`,
          applyReason: applyReasonOf(work, goesIn),
        }),
    back: work.forget,
    merge: () => onRow('merge'),
    skip: () => onRow('skip'),
    add: () => onRow('new'),
    edit,
    next: openNextWrong,
    nextReason: counts.wrong === 0 ? 'No row is wrong' : undefined,
  });
  const forAll = new Set(differing.map(({ choice }) => choice));
  const editedRow = editing && all[editing.index];
  const editedAt = editing ? fields.indexOf(editing.field) : -1;
  const mendingRow = mending === undefined ? undefined : all[mending];

  return (
    <>
      {imported && (
        <Alert
          tone="info"
          title={`This file was imported on ${formatDateTime(imported.createdAt)} as ${imported.number}`}
        >
          Rows that are the same are not imported again.
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <div className="w-44">
          <Select
            label="Show"
            value={shown}
            options={[
              { value: 'all', label: `All ${count(all.length)}` },
              ...importStates.map((state) => ({
                value: state,
                label: `${stateLooks[state].label} ${count(counts[state])}`,
              })),
            ]}
            onValueChange={(next) => {
              setShown(next);
              setPage(1);
            }}
          />
        </div>
        {differing.length > 0 && (
          <div className="w-60">
            <Select<ImportChoice | 'each'>
              label={`All ${count(differing.length)} that differ`}
              value={forAll.size === 1 ? ([...forAll][0] ?? 'each') : 'each'}
              options={[
                ...(forAll.size === 1 ? [] : [{ value: 'each' as const, label: 'Each as chosen' }]),
                ...(['merge', 'skip', 'new'] as const)
                  .filter((choice) => differing.some(({ answer }) => answer.choices?.includes(choice)))
                  .map((value) => ({ value, label: choiceWords[value] })),
              ]}
              onValueChange={(choice) => {
                if (choice === 'each') return;
                work.choose(
                  differing.map(({ index }) => index),
                  choice,
                );
              }}
            />
          </div>
        )}
        <p className="nums text-muted">
          {count(goesIn)} to import
          {counts.same > 0 && ` · ${count(counts.same)} the same`}
          {left > 0 && ` · ${count(left)} left out`}
        </p>
        <div className="ml-auto flex gap-2">
          <Button {...buttonOf(actions.next)}>{actions.next.label}</Button>
          <Button {...buttonOf(actions.back)}>{actions.back.label}</Button>
          <Button ref={apply} variant="primary" {...buttonOf(actions.apply)}>
            {actions.apply.label}
          </Button>
        </div>
      </div>
      <div className="flex min-h-0 flex-1 gap-3">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <DataGrid<CheckedRow>
            ref={grid}
            label="Rows to import"
            columns={columns}
            rows={onPage}
            keyOf={keyOf}
            cells={cells}
            status={ready}
            empty={<EmptyState title="No row is in this state">Choose another state above.</EmptyState>}
            pager={{
              page: Math.min(page, lastPage),
              limit,
              isFit,
              totalCount: listed.length,
              noun: 'rows',
              onPage: setPage,
              onLimit: (next) => {
                chooseSize(next);
                setPage(1);
              },
            }}
            rowActions={[
              {
                id: 'mend',
                label: 'Mend',
                icon: <Pencil size={15} aria-hidden />,
                keys: 'Enter',
                run: ({ index }) => setMending(index),
              },
            ]}
            onOpen={({ index }) => setMending(index)}
            openLabel="Mend the row"
          />
        </div>
        {checked.unknown.length > 0 && <UnknownNames work={work} checked={checked} />}
      </div>
      {editing && editedRow && (
        <CellEditor
          key={`${editing.index} ${editing.field}`}
          label={`${importFieldOf(kind, editing.field)?.label ?? editing.field} of row ${editing.index + 1}`}
          text={editedRow.texts[editedAt] ?? ''}
          error={editedRow.isUnchecked ? undefined : errorOf(editedRow, editing.field)}
          frame={editing.frame}
          onSave={(text) =>
            work.mend(new Map([[editing.index, editedRow.texts.map((old, at) => (at === editedAt ? text : old))]]))
          }
          onClose={(isFocusFree) => {
            setEditing(undefined);
            if (isFocusFree) grid.current?.focusRow(keyOf(editedRow), columnOf(editing.field));
          }}
        />
      )}
      {mendingRow && (
        <MendDialog
          // Another row, another form.
          key={mendingRow.index}
          kind={kind}
          fields={fields}
          row={mendingRow}
          onSave={(texts, choice) => {
            setMending(undefined);
            if (choice !== mendingRow.choice) work.choose([mendingRow.index], choice);
            if (texts.some((text, at) => text !== mendingRow.texts[at]))
              work.mend(new Map([[mendingRow.index, texts]]));
          }}
          onClose={() => setMending(undefined)}
          placeFocus={() => grid.current?.focusRow(keyOf(mendingRow)) ?? false}
        />
      )}
    </>
  );
}

const ready = { isLoading: false, isFetching: false, onRetry: () => undefined };
const columnOf = (field: string): string => `field-${field}`;
const errorOf = ({ answer }: CheckedRow, field: string): string | undefined =>
  answer.errors?.find((error) => error.field === field)?.message;
const keyOf = ({ index }: CheckedRow): string => String(index);

function applyReasonOf({ busy }: ImportWork, goesIn: number): string | undefined {
  if (busy) return busy.title;
  return goesIn === 0 ? 'There is nothing to import: every row is the same, skipped or wrong.' : undefined;
}

function refusalOf({ answer: { state } }: CheckedRow, choice: ImportChoice): string {
  if (state !== 'differs') return 'Only a row that differs from a record has a choice';
  return choice === 'new' ? 'A second one is not possible: it exists once' : 'This row cannot change a record';
}

/** What is a name, or a list of trucks; codes and numbers are short. */
const longFields: ReadonlySet<string> = new Set(['name', 'ownerName', 'trucks', 'address', 'description', 'remarks']);

function columnsOf(kind: ImportKind, fields: readonly string[]): Column<CheckedRow>[] {
  return [
    { key: 'row', label: 'Row', kind: 'reference', width: 72, pin: 'left', value: ({ index }) => String(index + 1) },
    { key: 'state', label: 'State', kind: 'status', width: 104, value: lookOf },
    { key: 'outcome', label: 'What happens', kind: 'text', width: 150, value: outcomeOf },
    {
      key: 'why',
      label: 'Why',
      kind: 'text',
      width: 400,
      // The sentence of a mistake is read whole.
      least: 320,
      value: (row) => (row.isUnchecked ? '' : reasonsOf(kind, row.answer)),
    },
    ...fields.map((name, at): Column<CheckedRow> => ({
      key: columnOf(name),
      label: importFieldOf(kind, name)?.label ?? name,
      kind: 'text',
      ...(longFields.has(name) ? { width: 220, least: 170 } : { width: 140, least: 110 }),
      value: ({ texts }) => texts[at] ?? '',
    })),
  ];
}

/** A cell with an error or a difference says so with a mark, not by its colour alone. */
function cellsOf(fields: readonly string[]): Record<string, CellSpec<CheckedRow>> {
  return Object.fromEntries(
    fields.map((name, at): [string, CellSpec<CheckedRow>] => [
      columnOf(name),
      {
        text: ({ texts }) => texts[at] ?? '',
        render: (row) => {
          const { texts, answer, isUnchecked } = row;
          const text = texts[at] ?? '';
          const plain = (
            <span className="min-w-0 truncate" title={text}>
              {text}
            </span>
          );
          if (isUnchecked) return plain;
          const error = errorOf(row, name);
          if (error !== undefined) {
            return (
              <span className="min-w-0 truncate font-medium text-danger" title={error}>
                ⚠ {text || '—'}
              </span>
            );
          }
          const difference = answer.differences?.find(({ field }) => field === name);
          if (!difference) return plain;
          return (
            <span className="min-w-0 truncate font-medium text-warn" title={`Stored: ${difference.stored || '—'}`}>
              ≠ {text}
            </span>
          );
        },
      },
    ]),
  );
}
