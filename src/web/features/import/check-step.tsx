import { useCallback, useMemo, useRef, useState } from 'react';
import { Pencil } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Column, Status } from '../../../shared/columns/define.ts';
import { importFieldOf } from '../../../shared/sheet/import-fields.ts';
import {
  type ImportChoice,
  type ImportKind,
  type ImportState,
  importStates,
} from '../../../shared/contract/imports.ts';
import { importCheckCommands } from './import-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { saveText } from '../../kit/api/client.ts';
import { usePageSize } from '../../kit/filters/page-size.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import { pagesOfAll, type CellSpec, type GridHandle } from '../../kit/grid/grid-types.ts';
import { useFocusWhenFound } from '../master-data/index.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { PrintOnly } from '../../kit/ui/printing.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { CellEditor } from './cell-editor.tsx';
import { ChoiceForAll } from './choice-for-all.tsx';
import { choiceLabel, describeReasons, errorOf, warningOf, type CheckedRow } from './row-texts.ts';
import { EditRowDialog } from './edit-row-dialog.tsx';
import { UnknownNames } from './unknown-names.tsx';
import { leftOutFile, type Source } from './import-source.ts';
import { isLeftOut, type Checked, type ImportWork } from './use-import.ts';

const stateStatuses: Readonly<Record<ImportState, Status>> = {
  new: { label: 'New', tone: 'good' },
  same: { label: 'Same', tone: 'neutral' },
  differs: { label: 'Differs', tone: 'warn' },
  wrong: { label: 'Wrong', tone: 'bad' },
};
const editedStatus: Status = { label: 'Edited', tone: 'warn' };
const statusOf = ({ answer, isUnchecked }: CheckedRow): Status =>
  isUnchecked ? editedStatus : stateStatuses[answer.state];
function outcomeOf({ answer, choice, isUnchecked }: CheckedRow): string {
  const { state, choices } = answer;
  if (isUnchecked) return 'Not checked yet';
  if (state === 'new') return choices && choice === 'skip' ? 'Waits: is it right?' : 'Will be added';
  if (state === 'same') return 'Unchanged';
  return state === 'wrong' ? 'Left out' : choiceLabel(answer, choice);
}

type StateFilter = ImportState | 'all' | 'warned';

interface CheckStepProps {
  kind: ImportKind;
  source: Source;
  work: ImportWork;
  checked: Checked;
}

/**
 * The third step: every row with its state. Wrong rows are corrected here, and the rows that are right are imported.
 */
export function CheckStep({ kind, source, work, checked }: CheckStepProps) {
  const { fields, rows, places, answers, counts, choices, imported, unchecked } = checked;
  const [chosen, setStateFilter] = useState<StateFilter>();
  const stateFilter = chosen ?? (counts.wrong > 0 ? 'wrong' : 'all');
  const [page, setPage] = useState(1);
  const [openIndex, setOpenIndex] = useState<number>();
  const { limit, isFit, choose: chooseSize } = usePageSize('import', 0);
  const [editing, setEditing] = useState<{ index: number; field: string; frame: DOMRect }>();
  const grid = useRef<GridHandle<CheckedRow>>(null);
  const hasEntered = useRef(false);
  const takeGrid = useCallback((handle: GridHandle<CheckedRow> | null): void => {
    grid.current = handle;
    // The scripts of the table may come late. By then the user may be somewhere else, for example in a list of choices.
    if (handle && !hasEntered.current && document.activeElement === document.body) handle.focusFirstRow();
    hasEntered.current ||= handle !== null;
  }, []);
  /** The row that was edited last. */
  const lastEdited = useRef<number>(undefined);
  const applyRef = useRef<HTMLButtonElement>(null);
  // When an unknown name is resolved, its focused button disappears. The focus then moves to the import button.
  useFocusWhenFound(checked.unknown.length, () => applyRef.current?.focus({ preventScroll: true }));

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
  const filteredRows = useMemo(
    () =>
      all.filter(
        (row) =>
          stateFilter === 'all' || (stateFilter === 'warned' ? hasWarnings(row) : row.answer.state === stateFilter),
      ),
    [all, stateFilter],
  );
  const lastPage = Math.max(1, Math.ceil(filteredRows.length / limit));
  const from = (Math.min(page, lastPage) - 1) * limit;
  const pageRows = useMemo(() => filteredRows.slice(from, from + limit), [filteredRows, from, limit]);

  const columns = useMemo(() => columnsOf(kind, fields), [kind, fields]);
  const cells = useMemo(() => cellsOf(fields), [fields]);

  const warnedCount = all.filter(hasWarnings).length;
  const choosable = all.filter(({ answer }) => answer.choices !== undefined);
  const leftOut = all.filter(({ answer, choice }) => isLeftOut(answer, choice));
  const importCount = all.length - counts.same - leftOut.length;
  const chooseForRow = (choice: ImportChoice): void => {
    const row = grid.current?.activeRow();
    if (!row) notify.info('Select a row in the table first');
    else if (row.answer.choices?.includes(choice)) work.choose([row.index], choice);
    else notify.warning(refusalOf(row, choice), { kind: 'import-choice', many: () => refusalOf(row, choice) });
  };
  const edit = (): void => {
    const at = grid.current?.focusedCell();
    if (!at) {
      notify.info('Select a row in the table first');
      return;
    }
    const { row, column, frame } = at;
    const field = fields.find((name) => columnOf(name) === column);
    if (field !== undefined) {
      setEditing({ index: row.index, field, frame });
      return;
    }
    const wrong = fields.find((name) => errorOf(row.answer, name) !== undefined) ?? fields[0] ?? '';
    grid.current?.focusRow(keyOf(row), columnOf(wrong));
    // After the grid has scrolled the cell into view.
    requestAnimationFrame(() => {
      const now = grid.current?.focusedCell();
      if (now?.column === columnOf(wrong)) setEditing({ index: row.index, field: wrong, frame: now.frame });
    });
  };
  const open = (index: number): void => {
    lastEdited.current = index;
    setOpenIndex(index);
  };
  const openNextWrong = (): void => {
    const wrong = all.filter(({ answer, isUnchecked }) => answer.state === 'wrong' && !isUnchecked);
    const next = nextOf(
      wrong.map(({ index }) => index),
      grid.current?.focusedRow()?.index,
      lastEdited.current,
    );
    if (next === undefined) return;
    const place = filteredRows.findIndex(({ index }) => index === next);
    if (place >= 0) setPage(Math.floor(place / limit) + 1);
    open(next);
  };
  const saveLeftOut = (): void =>
    saveText(
      leftOutFile(kind, source, {
        fields,
        rows: leftOut.map(({ index, texts, answer }) => ({
          place: places[index],
          texts,
          why: describeReasons(kind, answer),
        })),
      }),
    );
  const actions = useCommands(importCheckCommands, {
    apply:
      unchecked.size > 0
        ? { label: 'Check the rows', disabledReason: work.busy?.title, run: work.checkAgain }
        : {
            label: importCount === 1 ? 'Import 1 row' : `Import ${formatCount(importCount)} rows`,
            disabledReason: applyReasonOf(work, importCount),
            run: work.apply,
          },
    back: work.discardCheck,
    merge: () => chooseForRow('merge'),
    skip: () => chooseForRow('skip'),
    add: () => chooseForRow('new'),
    edit,
    next: { disabledReason: counts.wrong === 0 ? 'No rows are wrong' : undefined, run: openNextWrong },
    saveLeftOut: { disabledReason: leftOut.length === 0 ? 'No rows are left out' : undefined, run: saveLeftOut },
  });
  const editedRow = editing && all[editing.index];
  const editedAt = editing ? fields.indexOf(editing.field) : -1;
  const openRow = openIndex === undefined ? undefined : all[openIndex];

  const stateOptions = [
    { value: 'all' as const, label: `All ${formatCount(all.length)}` },
    ...importStates.map((state) => ({
      value: state,
      label: `${stateStatuses[state].label} ${formatCount(counts[state])}`,
    })),
    ...(warnedCount > 0 || stateFilter === 'warned'
      ? [{ value: 'warned' as const, label: `To check ${formatCount(warnedCount)}` }]
      : []),
  ];
  return (
    <>
      {imported && (
        <Alert
          tone="info"
          title={`This file was imported on ${formatDateTime(imported.createdAt)} as ${imported.number}`}
        >
          Rows that have not changed are not imported again.
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <PrintOnly>Shown: {stateOptions.find(({ value }) => value === stateFilter)?.label}</PrintOnly>
        <div className="w-44" data-print="hide">
          <Select
            label="Show"
            value={stateFilter}
            options={stateOptions}
            onValueChange={(next) => {
              setStateFilter(next);
              setPage(1);
            }}
          />
        </div>
        <ChoiceForAll
          label="that differ"
          rows={choosable.filter(({ answer }) => answer.state === 'differs')}
          work={work}
        />
        <ChoiceForAll label="that wait" rows={choosable.filter(({ answer }) => answer.state === 'new')} work={work} />
        <p className="nums text-muted">
          {formatCount(importCount)} to import
          {counts.same > 0 && ` · ${formatCount(counts.same)} unchanged`}
          {leftOut.length > 0 && ` · ${formatCount(leftOut.length)} left out`}
          {warnedCount > 0 && (
            <span className="font-medium text-warn">{` · ⚠ ${formatCount(warnedCount)} to check`}</span>
          )}
        </p>
        <div className="ml-auto flex gap-2">
          {leftOut.length > 0 && <ActionButton action={actions.saveLeftOut} />}
          <ActionButton action={actions.next} />
          <ActionButton action={actions.back} />
          <ActionButton action={actions.apply} ref={applyRef} variant="primary" />
        </div>
      </div>
      <div className="flex min-h-0 flex-1 gap-3">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <DataGrid<CheckedRow>
            ref={takeGrid}
            label="Rows to import"
            columns={columns}
            rows={pageRows}
            keyOf={keyOf}
            cells={cells}
            status={loadedStatus}
            empty={<EmptyState title="No rows are in this state">Choose another state above.</EmptyState>}
            loadPage={pagesOfAll(filteredRows)}
            pager={{
              page: Math.min(page, lastPage),
              limit,
              isFit,
              totalCount: filteredRows.length,
              noun: 'rows',
              onPage: setPage,
              onLimit: (next) => {
                chooseSize(next);
                setPage(1);
              },
            }}
            rowActions={[
              {
                id: 'edit',
                label: 'Edit',
                icon: <Pencil size={15} aria-hidden />,
                keys: 'Enter',
                run: ({ index }) => open(index),
              },
            ]}
            onOpen={({ index }) => open(index)}
            openLabel="Edit the row"
          />
        </div>
        {checked.unknown.length > 0 && <UnknownNames work={work} checked={checked} />}
      </div>
      {editing && editedRow && (
        <CellEditor
          key={`${editing.index} ${editing.field}`}
          label={`${importFieldOf(kind, editing.field)?.label ?? editing.field} of row ${editing.index + 1}`}
          text={editedRow.texts[editedAt] ?? ''}
          error={editedRow.isUnchecked ? undefined : errorOf(editedRow.answer, editing.field)}
          frame={editing.frame}
          onSave={(text) => {
            lastEdited.current = editing.index;
            work.editRows(new Map([[editing.index, editedRow.texts.map((old, at) => (at === editedAt ? text : old))]]));
          }}
          onClose={(isFocusFree) => {
            setEditing(undefined);
            if (isFocusFree) grid.current?.focusRow(keyOf(editedRow), columnOf(editing.field));
          }}
        />
      )}
      {openRow && (
        <EditRowDialog
          // A new row gets a new form.
          key={openRow.index}
          kind={kind}
          fields={fields}
          row={openRow}
          onSave={(texts, choice) => {
            setOpenIndex(undefined);
            if (choice !== openRow.choice) work.choose([openRow.index], choice);
            if (texts.some((text, at) => text !== openRow.texts[at])) work.editRows(new Map([[openRow.index, texts]]));
          }}
          onClose={() => setOpenIndex(undefined)}
          placeFocus={() => grid.current?.focusRow(keyOf(openRow)) ?? false}
        />
      )}
    </>
  );
}

/**
 * The wrong row that F8 opens. When the row that was edited last has become right, it is gone from the table and the focus is on
 * the row in its place: then the order goes on from the edited row. Otherwise it goes on from the row in focus, which is
 * opened first unless it was opened before.
 */
function nextOf(
  wrong: readonly number[],
  focused: number | undefined,
  lastEdited: number | undefined,
): number | undefined {
  const after = (at: number): number | undefined => wrong.find((index) => index > at) ?? wrong[0];
  if (lastEdited !== undefined) {
    const inItsPlace = wrong.find((index) => index > lastEdited) ?? wrong.at(-1);
    if (focused === undefined || focused === lastEdited || focused === inItsPlace) return after(lastEdited);
  }
  return after((focused ?? 0) - 1);
}

const loadedStatus = { isLoading: false, isFetching: false, onRetry: () => undefined };
const columnOf = (field: string): string => `field-${field}`;
const hasWarnings = ({ answer, isUnchecked }: CheckedRow): boolean => !isUnchecked && answer.warnings !== undefined;
const keyOf = ({ index }: CheckedRow): string => String(index);

function applyReasonOf({ busy }: ImportWork, importCount: number): string | undefined {
  if (busy) return busy.title;
  return importCount === 0 ? 'There is nothing to import: every row is the same, skipped or wrong.' : undefined;
}

function refusalOf({ answer: { choices } }: CheckedRow, choice: ImportChoice): string {
  if (!choices) return 'Only a row that differs from a record, or that waits, has a choice';
  return choice === 'new'
    ? 'A second record is not possible: this can exist only once'
    : 'This row cannot change a record';
}

/** Fields with long texts, such as names and lists of trucks. Codes and numbers are short. */
const longFields: ReadonlySet<string> = new Set(['name', 'ownerName', 'trucks', 'address', 'description', 'remarks']);
/** Room for the sign and the 16 digits of a usual account, or the 11 characters of an IFSC: these are compared as a whole. */
const leastOf: Readonly<Record<string, number>> = { accountNo: 170, ifsc: 132 };

function columnsOf(kind: ImportKind, fields: readonly string[]): Column<CheckedRow>[] {
  return [
    { key: 'row', label: 'Row', kind: 'reference', width: 72, pin: 'left', value: ({ index }) => String(index + 1) },
    { key: 'state', label: 'State', kind: 'status', width: 104, value: statusOf },
    { key: 'outcome', label: 'What happens', kind: 'text', width: 150, least: 138, value: outcomeOf },
    {
      key: 'why',
      label: 'Why',
      kind: 'text',
      width: 400,
      // Wide enough to read the text of an error.
      least: 314,
      value: (row) => (row.isUnchecked ? '' : describeReasons(kind, row.answer)),
    },
    ...fields.map((name, at): Column<CheckedRow> => ({
      key: columnOf(name),
      label: importFieldOf(kind, name)?.label ?? name,
      kind: 'text',
      ...(longFields.has(name) ? { width: 220, least: 164 } : { width: 140, least: leastOf[name] ?? 110 }),
      value: ({ texts }) => texts[at] ?? '',
    })),
  ];
}

/** A cell with an error, a warning or a difference is marked by a sign, not by its colour alone. */
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
          const error = errorOf(row.answer, name);
          if (error !== undefined) {
            return (
              <span className="min-w-0 truncate font-medium text-danger" title={error}>
                ⚠ {text || '—'}
              </span>
            );
          }
          const warning = warningOf(row.answer, name);
          if (warning !== undefined) {
            return (
              <span className="min-w-0 truncate font-medium text-warn" title={warning}>
                ⚠ {text}
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
