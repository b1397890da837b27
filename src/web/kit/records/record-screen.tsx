import { useCallback, useMemo, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Eye, Pencil, Plus, Trash2 } from 'lucide-react';
import type { Call } from '../../../shared/access.ts';
import { ActionButton } from '../actions/action-button.tsx';
import type { Action } from '../actions/registry.ts';
import { useRecordListActions, type RowCommand } from '../actions/record-list.ts';
import { refusalOf } from '../api/seat.ts';
import { notify } from '../feedback/toast.ts';
import { useCellEditing, type CellLayer } from '../cells/use-cell-editing.ts';
import type { FilterTable } from '../../../shared/filters/define.ts';
import { setTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { useFilterProblem } from '../filters/filter-problem.ts';
import { filterShape } from '../filters/filter-values.ts';
import { url as urlValue, useUrlState } from '../filters/url-state.ts';
import type { Column } from '../../../shared/columns/define.ts';
import type { RecordFormProps } from '../forms/record-form-dialog.tsx';
import type { DataGridProps } from '../grid/data-grid.tsx';
import { mapRows, type RowAction } from '../grid/grid-types.ts';
import { keyOf, screens } from '../../screens.ts';
import { loadBeside } from './beside.tsx';
import { useOpenRecord, useRecordForms, useRemoval, type Removal } from './record-dialogs.ts';
import { useRecordBulk, type RecordBulkSpec } from './record-bulk.tsx';
import { useRecordGrid, type RecordGrid } from './record-grid.ts';
import { RecordList, type ListSpec } from './record-list.tsx';
import { recordShape, sortValues, useRecordPlace, useRecordSort, type ListQuery, type Sorts } from './record-place.ts';
import { useRecordRows, type RecordAnswer } from './record-rows.ts';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { RequestId } from '../ui/request-id.tsx';

/**
 * A screen of records as data: only what differs between these screens. The screen's key also identifies its actions and
 * the kept entries of its form.
 */
export interface RecordScreenSpec<Row extends { id: string }, Mode extends string = 'view'> extends ListSpec<Row> {
  /** The sort orders; absent if the list has only the server's order. */
  sorts?: Sorts;
  useRows: (ask: ListQuery) => RecordAnswer<Row>;
  /** The default error messages of docs/specification.md §15 for the list and the search. */
  failed: { list: string; search?: string };
  /** Errors are shown on the page for a few seconds, not as toasts. */
  hasPageErrors?: boolean;
  /** The dialogs that show one record, by `mode` in the URL. Enter opens the first. */
  views?: Readonly<Record<Mode, ComponentType<RecordViewProps<Row, Mode>>>>;
  /** The first dialog, or that of `useMore`, can stand beside the list. */
  hasBeside?: true;
  /** The label of the button that opens the first dialog; absent if there is no button. */
  viewLabel?: string;
  /** `refusal` says why a record cannot be edited. */
  form?: {
    addLabel: string;
    Dialog: ComponentType<FormProps<Row>>;
    refusal?: (row: Row) => string | undefined;
  };
  /** The calls that change records. What the seat may not call is disabled. */
  calls?: RecordCalls;
  removal?: Omit<Removal<Row>, 'send' | 'refusal' | 'reportError'> & {
    useSend: () => { mutateAsync: Removal<Row>['send'] };
    useRefusal?: () => Removal<Row>['refusal'];
  };
  /** The columns with inline editing, and the loader of the cell editor. Both must be constants. */
  cells?: { columns: readonly string[]; load: () => Promise<CellLayer<Row>> };
  /** Rows can be selected, and many can be changed at once. */
  bulk?: RecordBulkSpec<Row>;
  /** Features of this screen alone. It is a hook, so that it can keep state, and is called after the rows are loaded. */
  useMore?: (screen: RecordScreenTools<Row, Mode>) => MoreOfScreen<Row>;
}

type FormProps<Row> = Pick<RecordFormProps<Row>, 'record' | 'entriesKey' | 'onClose'> & {
  onSaved: (record: { id: string }) => void;
};

/** A screen that changes records names its calls. Without them a seat would be offered what is refused. */
type NamesItsCalls = { calls: RecordCalls } | { form?: never; removal?: never; cells?: never; bulk?: never };

export type RecordCalls = Readonly<Partial<Record<'create' | 'update' | 'remove' | 'changeMany', Call>>>;

/** The props of a record's details dialog. */
export interface RecordViewProps<Row, Mode extends string = 'view'> {
  id: string;
  /** The record as the list has it, available at once. */
  row: Row | undefined;
  /** The list is loaded, and the record is not on its current page. */
  isNotOnPage: boolean;
  calls?: RecordCalls | undefined;
  open: (id: string, mode?: Mode) => void;
  onEdit: (row: Row) => void;
  onRemove: (row: Row) => void;
  placeFocus: () => boolean;
  onClose: () => void;
}

interface RecordScreenTools<Row, Mode extends string> {
  grid: RecordGrid<Row>;
  rows: readonly Row[] | undefined;
  ask: ListQuery;
  openId: string;
  open: (id: string, mode?: Mode) => void;
  closeView: () => void;
  placeFocus: () => boolean;
}

/** A command of a row. With an icon it is a key and a button, without one a key only. */
export type ScreenCommand<Row> = RowCommand<Row> &
  Partial<Pick<RowAction<Row>, 'icon' | 'disabledReason' | 'showLabel'>>;

interface MoreOfScreen<Row> extends Pick<
  DataGridProps<Row>,
  'cells' | 'selection' | 'isMuted' | 'footer' | 'tree' | 'ownFile'
> {
  /** The rows of a table whose rows have children. The records are its groups. */
  rows?: readonly Row[] | undefined;
  /** Replaces the columns of the list. It must stay the same object until they change. */
  columns?: readonly Column<Row>[] | undefined;
  /** Their rows for the records of another page. */
  expand?: ((records: readonly Row[]) => readonly Row[]) | undefined;
  rowCommands?: readonly ScreenCommand<Row>[];
  actions?: readonly Action[];
  /** Replaces opening the record's details. */
  onOpen?: (row: Row) => void;
  /** The empty state, if it is not always the same. */
  empty?: ListSpec<Row>['empty'] | undefined;
  /** Shown beside the title, such as a running download. */
  aside?: ReactNode;
  /** Buttons that replace the add button at the end of the title's row. */
  buttons?: ReactNode;
  /** Shown between the filters and the table. */
  above?: ReactNode;
  /** Shown at the end of the line of the search. */
  besideSearch?: ReactNode;
  dialogs?: ReactNode;
  /** The dialog of the details, where it is none of `views`. */
  beside?: (row: Row) => ReactNode;
}

/** `export const TagsPage = recordScreen<Tag>({ … })`. */
export function recordScreen<Row extends { id: string }, Mode extends string = 'view'>(
  spec: RecordScreenSpec<Row, Mode> & NamesItsCalls,
): ComponentType {
  const { screen, noun, sorts, search, form, views, calls } = spec;
  const filterTable = spec.filters?.table ?? noFilterTable;
  const id = keyOf(screen);
  const { name: scope } = screens[screen];
  const [one, many] = noun;
  const article = /^[aeiou]/.test(one) ? 'an' : 'a';
  // Safe: the keys of the views are the modes.
  const modes = Object.keys(views ?? { view: undefined }) as Mode[];
  const shape = {
    ...recordShape,
    ...sortValues(sorts),
    // The names of filters differ from all others, so the type can leave them out.
    ...(filterShape(filterTable) as object),
    mode: urlValue.oneOf<Mode>(modes, modes[0]!),
  };
  if (spec.hasBeside) loadBeside();
  const { useRows, useMore = (): MoreOfScreen<Row> => ({}), removal } = spec;
  const useSend = removal?.useSend ?? (() => ({ mutateAsync: undefined }));
  const useRefusal = removal?.useRefusal ?? (() => undefined);

  return function RecordScreen() {
    const [url, setUrl] = useUrlState(shape);
    // Safe: the shape contains the values of the filters too.
    const texts = url as unknown as FilterTexts<FilterTable>;
    const filters = useMemo(() => setTexts(filterTable, texts) as ListQuery['filters'], [texts]);
    const place = useRecordPlace(id, search ? url : { ...url, search: '' }, setUrl, {
      debounceMs: search?.debounceMs,
      filters,
    });
    const { ask } = place;
    const problem = useFilterProblem();
    const { sort, onSort } = useRecordSort(sorts, url, setUrl);
    const grid = useRecordGrid<Row>(`${article} ${one}`);
    const pageError = usePageError(grid.focusSearch);
    const list = useRecordRows({
      ...useRows(ask),
      failed: (ask.isSearch ? spec.failed.search : undefined) ?? spec.failed.list,
      onPage: place.onPage,
      reportError: spec.hasPageErrors ? pageError.report : undefined,
    });
    const { rows } = list;
    const listed = { grid, rows };
    const { open, close, focusRow, placeFocus } = useOpenRecord({ ...listed, openId: url.open, modes, setUrl });
    const forms = useRecordForms(listed, id);
    const { edit } = forms;
    const { mutateAsync: send } = useSend();
    const refusal = useRefusal();
    const { remove, focusNeighbourOf } = useRemoval<Row>(
      listed,
      removal &&
        send && {
          ...removal,
          send,
          refusal,
          ...(spec.hasPageErrors && url.open === '' && { reportError: pageError.report }),
        },
      {
        focusRow,
        onRemoved: (deletedId) => {
          if (deletedId === url.open) close();
        },
      },
    );
    const show = useCallback((row: Row) => open(row.id), [open]);
    const more = useMore({
      grid,
      rows,
      ask,
      openId: url.open,
      open,
      closeView: close,
      placeFocus,
    });
    const { rowCommands: ownCommands, onOpen = views ? show : undefined } = more;
    const bulk = useRecordBulk(spec.bulk, {
      id,
      scope,
      noun,
      calls: calls?.changeMany,
      rows,
      focusFirstRow: () => grid.handle.current?.focusFirstRow(),
    });
    const orSelected = bulk?.orSelected;
    const isGroup = more.tree?.isGroup;
    const { editing, layer, onNear } = useCellEditing<Row>({
      grid: grid.handle,
      rows,
      columns: refusalOf(calls?.update) === undefined ? spec.cells?.columns : undefined,
      load: spec.cells?.load,
    });

    const rowCommands = useMemo(() => {
      const view: ScreenCommand<Row> = {
        id: 'view',
        title: `View ${one}`,
        label: spec.viewLabel ?? 'View',
        keys: 'Enter',
        icon: eye,
        run: show,
      };
      const all: ScreenCommand<Row>[] = [
        ...(views ? [view] : []),
        ...(ownCommands ?? []),
        ...(form
          ? [
              {
                ...editCommand,
                title: `Edit ${one}`,
                calls: calls?.update,
                run: edit,
                ...(form.refusal && { disabledReason: form.refusal }),
              },
            ]
          : []),
        ...(removal
          ? [
              {
                ...removeCommand,
                title: `Delete ${one}`,
                calls: calls?.remove,
                run: remove,
                byKey: orSelected?.(remove),
              },
            ]
          : []),
      ];
      return all.map((command) => ({
        ...command,
        disabledReason: (row: Row) => refusalOf(command.calls) ?? command.disabledReason?.(row),
        run: withDisabledReason(command),
      }));
    }, [show, ownCommands, edit, remove, orSelected]);
    const rowActions = useMemo<RowAction<Row>[]>(
      () =>
        rowCommands.flatMap(({ icon, ...command }) =>
          icon === undefined || (command.id === 'view' && spec.viewLabel === undefined)
            ? []
            : [{ ...command, icon, ...(isGroup && { isOf: isGroup }) }],
        ),
      [rowCommands, isGroup],
    );
    const { create } = useRecordListActions({
      id,
      scope,
      nouns: many,
      create: form && { label: form.addLabel, calls: calls?.create, run: forms.create },
      focusSearch: (search ?? spec.filters) && grid.focusSearch,
      selectRows: (more.selection ?? bulk?.selection)?.onSelectAll,
      rowCommands,
      onRow: grid.onRow,
      more: [...(bulk?.actions ?? []), ...(more.actions ?? [])],
    });
    const addButton = create && <ActionButton action={create} variant="primary" icon={Plus} />;

    const View: ComponentType<RecordViewProps<Row, Mode>> | undefined = url.open === '' ? undefined : views?.[url.mode];
    const First: ComponentType<RecordViewProps<Row, Mode>> | undefined = views?.[modes[0]!];
    const besideView = (row: Row): ReactNode =>
      First && (
        <First
          key={row.id}
          id={row.id}
          row={row}
          isNotOnPage={false}
          open={open}
          calls={calls}
          onEdit={edit}
          onRemove={remove}
          placeFocus={placeFocus}
          onClose={close}
        />
      );
    const openRow = rows?.find((row) => row.id === url.open);
    const Form = form?.Dialog;
    return (
      <RecordList<Row>
        of={more.empty ? { ...spec, empty: more.empty } : spec}
        place={place}
        list={more.expand ? { ...list, rows: more.rows, loadPage: mapRows(list.loadPage, more.expand) } : list}
        tools={grid}
        addButton={addButton}
        above={more.above}
        besideSearch={more.besideSearch}
        aside={more.aside}
        buttons={more.buttons}
        notice={pageError.notice}
        beside={spec.hasBeside && (more.beside ?? besideView)}
        filters={
          spec.filters && {
            texts,
            problem,
            set: (change, how) => setUrl({ ...(change as object), page: 1 }, { replace: how === 'typing' }),
          }
        }
        sort={sort}
        onSort={onSort}
        cells={more.cells}
        editing={editing}
        onNear={onNear}
        rowActions={rowActions}
        onOpen={onOpen}
        selection={more.selection ?? bulk?.selection}
        isMuted={more.isMuted}
        tree={more.tree}
        ownFile={more.ownFile}
        columns={more.columns}
        footer={more.footer ?? bulk?.footer}
      >
        {View && (
          <View
            key={url.open}
            id={url.open}
            row={openRow}
            isNotOnPage={rows !== undefined && openRow === undefined}
            open={open}
            calls={calls}
            onEdit={edit}
            onRemove={remove}
            placeFocus={() => focusNeighbourOf(url.open) || placeFocus()}
            onClose={close}
          />
        )}
        {Form && forms.form && <Form record={forms.form.row} {...forms.formProps} />}
        {layer}
        {more.dialogs}
        {bulk?.dialog}
      </RecordList>
    );
  };
}

const noFilterTable: FilterTable = {};
const eye = <Eye size={15} aria-hidden />;
const editCommand = {
  id: 'edit',
  label: 'Edit',
  icon: <Pencil size={15} aria-hidden />,
  keys: 'E',
  alsoKeys: ['F2'],
};
const removeCommand = {
  id: 'delete',
  label: 'Delete',
  icon: <Trash2 size={15} aria-hidden />,
  keys: 'Delete',
  notWhileTyping: true,
};

/** A key can be pressed even while its button is disabled. It then shows the button's reason. */
function withDisabledReason<Row>({ run, disabledReason }: ScreenCommand<Row>): (row: Row) => void {
  return (row) => {
    const reason = disabledReason?.(row);
    if (reason === undefined) run(row);
    else notify.warning(reason, { kind: reason, many: () => reason });
  };
}

/** docs/specification.md §7.2 */
const errorClearMs = 5_000;

/** Shows errors on the page itself, each for a few seconds. */
function usePageError(onClose: () => void) {
  const [error, setError] = useState<{ text: string; requestId: string | undefined }>();
  useEffect(() => {
    if (!error) return undefined;
    const timer = setTimeout(() => setError(undefined), errorClearMs);
    return () => clearTimeout(timer);
  }, [error]);
  return {
    report: useCallback((problem: unknown, fallback = '') => {
      setError({
        text: typeof problem === 'string' ? problem : errorText(problem, fallback),
        requestId: requestIdOf(problem),
      });
    }, []),
    notice: error && (
      <Alert
        title={error.text}
        onClose={() => {
          setError(undefined);
          // The close button had the focus and is removed with the alert.
          onClose();
        }}
      >
        <RequestId id={error.requestId} />
      </Alert>
    ),
  };
}
