import { useContext, type ComponentType, type ReactNode } from 'react';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Column } from '../../../shared/columns/define.ts';
import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ImportKind } from '../../../shared/contract/imports.ts';
import type { FilterTable } from '../../../shared/filters/define.ts';
import { noFilters, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import type { useFilterProblem } from '../filters/filter-problem.ts';
import { DataGrid, type DataGridProps } from '../grid/data-grid.tsx';
import { keyOf, screens } from '../../screens.ts';
import { Page } from '../ui/page.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState, ScreenIcon } from '../ui/empty-state.tsx';
import { PrintOnly } from '../ui/printing.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { Beside } from './beside.tsx';
import type { RecordGrid } from './record-grid.ts';
import type { RecordPlace } from './record-place.ts';
import type { RecordRows } from './record-rows.ts';
import { ScreenTabs } from './screen-tabs.tsx';
import { SearchField } from './search-field.tsx';

/** A list of records as data. */
export interface ListSpec<Row> {
  screen: ScreenId;
  /** The heading, if it differs from the screen's name. */
  title?: string;
  /** The record in words: 'petrol pump', 'petrol pumps'. */
  noun: readonly [one: string, many: string];
  columns: readonly Column<Row>[];
  /** The screen whose row of tabs this one is in. */
  tabsOf?: ScreenId;
  /** Filters above the table; `/` focuses the first. A list has either filters or a search field, not both. */
  filters?: ListFilters;
  /** The search field; absent if the list has no search. */
  search?: { hint: string; debounceMs?: number; resultText?: (count: number, term: string) => string };
  /** The empty state: why there are no records, and what to do next. Without `actions` it shows the add button. */
  empty: { title?: string; text: string; actions?: ReactNode; importKind?: ImportKind };
}

/** The filters of a list, with the components that show them. */
export interface ListFilters {
  table: FilterTable;
  Panel: ComponentType<FilterPanelProps>;
  /** The filters in words, for the print. */
  Words: ComponentType<{ table: FilterTable; filters: FilterTexts<FilterTable> }>;
}

interface FilterPanelProps {
  table: FilterTable;
  filters: FilterTexts<FilterTable>;
  onChange: RecordFilters['set'];
  onReset: () => void;
  onLeaveDown: () => void;
  firstRef: (element: HTMLElement | null) => void;
  onProblem: RecordFilters['problem']['onProblem'];
}

type GridProps<Row> = Pick<
  DataGridProps<Row>,
  | 'sort'
  | 'onSort'
  | 'cells'
  | 'editing'
  | 'rowActions'
  | 'onOpen'
  | 'selection'
  | 'isMuted'
  | 'footer'
  | 'tree'
  | 'ownFile'
>;

interface RecordFilters {
  texts: FilterTexts<FilterTable>;
  problem: ReturnType<typeof useFilterProblem>;
  set: (change: Partial<FilterTexts<FilterTable>>, how?: 'typing') => void;
}

interface RecordListProps<Row> extends GridProps<Row> {
  of: ListSpec<Row>;
  place: RecordPlace;
  list: RecordRows<Row>;
  tools: RecordGrid<Row>;
  /** The button that adds a record. */
  addButton: ReactNode;
  /** Shown beside the title. */
  aside: ReactNode;
  /** Buttons that replace the add button. */
  buttons: ReactNode;
  /** Shown between the filters and the table. */
  above: ReactNode;
  /** Shown at the end of the line of the search. */
  besideSearch: ReactNode;
  /** Called when the focus or the pointer enters the table. */
  onNear: () => void;
  /** The filters in the URL, if the list has filters. */
  filters: RecordFilters | undefined;
  /** The dialog of a row's details, for a list that can have it beside it. */
  beside: ((row: Row) => ReactNode) | undefined;
  /** Instead of those of the list. */
  columns: readonly Column<Row>[] | undefined;
  /** A temporary message. */
  notice: ReactNode;
  /** The dialogs. */
  children: ReactNode;
}

/** The screen of a list of records: search or filters, table, pager and empty states. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const {
    of,
    place,
    list,
    tools,
    addButton,
    aside,
    buttons = addButton,
    above,
    besideSearch,
    notice,
    filters,
    onNear,
    beside,
    columns = of.columns,
    children,
    ...grid
  } = props;
  const { screen, title = screens[screen].name, noun, search } = of;
  const { rows, totalCount, loadPage, totals } = list;
  const { ask, text, isFit, onPage, onLimit } = place;
  const { handle, searchField } = tools;
  return (
    <Page
      fill
      title={title}
      aside={aside}
      actions={
        <>
          {beside && grid.onOpen && <Beside grid={handle} onOpen={grid.onOpen} />}
          {buttons}
        </>
      }
    >
      {of.tabsOf && <ScreenTabs of={of.tabsOf} />}
      {search && (
        <div className="flex items-end gap-4">
          <div className="relative flex-1">
            <SearchField
              ref={searchField}
              label={`Search ${noun[1]}`}
              placeholder={search.hint}
              text={text}
              result={resultOf(props)}
              // The first data column, not the checkboxes to the left of it.
              onLeaveDown={() => handle.current?.focusFirstRow(columns[0]?.key)}
            />
            {/* Positioned beside the field, so that the table does not move when the notice appears. */}
            {notice && <div className="absolute -top-1.5 right-0 left-84 z-20 max-md:left-0">{notice}</div>}
          </div>
          {besideSearch}
        </div>
      )}
      {filters && of.filters && (
        <>
          <of.filters.Panel
            table={of.filters.table}
            filters={filters.texts}
            onChange={filters.set}
            onReset={() => filters.set(noFilters(of.filters!.table))}
            onLeaveDown={() => handle.current?.focusFirstRow(columns[0]?.key)}
            firstRef={(element) => {
              searchField.current = element as HTMLInputElement | null;
            }}
            onProblem={filters.problem.onProblem}
          />
          {isFiltered(props) && (
            <PrintOnly>
              <p>
                <of.filters.Words table={of.filters.table} filters={filters.texts} />
              </p>
            </PrintOnly>
          )}
        </>
      )}
      {search && ask.isSearch && (
        <PrintOnly>
          <p>
            {search.hint}: “{ask.search}”
          </p>
        </PrintOnly>
      )}
      {above}
      <div className="flex min-h-0 flex-1 gap-3" onFocus={onNear} onPointerEnter={onNear}>
        <DataGrid<Row>
          {...grid}
          ref={handle}
          label={title}
          memoryKey={keyOf(screen)}
          columns={columns}
          rows={rows}
          keyOf={idOf}
          status={statusOf(props)}
          empty={
            ask.isSearch ? (
              <NoMatch {...props} />
            ) : isFiltered(props) ? (
              <NoFilterMatch {...props} />
            ) : (
              <NoRecordsYet {...props} />
            )
          }
          pager={{
            page: ask.page,
            limit: ask.limit,
            isFit,
            totalCount,
            noun: noun[1],
            onPage: (page) => onPage(page),
            onLimit,
          }}
          loadPage={loadPage}
          totals={totals}
          totalsLabel={`Total of ${formatCount(totalCount)}`}
        />
        {beside && <Beside grid={handle} rows={rows} render={beside} />}
      </div>
      {children}
    </Page>
  );
}

const isFiltered = <Row,>({ place }: RecordListProps<Row>): boolean => Object.keys(place.ask.filters).length > 0;

function statusOf<Row>({ list: { status, isPlaceholder }, filters }: RecordListProps<Row>): RecordRows<Row>['status'] {
  const shown = isPlaceholder ? { ...status, isFetching: true, isOutdated: true } : status;
  return filters ? filters.problem.mark(shown) : shown;
}

const idOf = (row: { id: string }): string => row.id;

function NoMatch<Row>({ of, place }: RecordListProps<Row>) {
  return (
    <EmptyState
      icon={<SearchX size={18} aria-hidden />}
      title={`No ${of.noun[1]} match “${place.ask.search}”`}
      actions={<Button onClick={() => place.text.setText('')}>Clear search</Button>}
    >
      Try a shorter or a different search.
    </EmptyState>
  );
}

function NoFilterMatch<Row>({ of, filters }: RecordListProps<Row>) {
  return (
    <EmptyState
      icon={<SearchX size={18} aria-hidden />}
      title={`No ${of.noun[1]} match these filters`}
      actions={<Button onClick={() => of.filters && filters?.set(noFilters(of.filters.table))}>Reset filters</Button>}
    >
      Remove a filter, or try a different one.
    </EmptyState>
  );
}

function NoRecordsYet<Row>({ of, addButton }: RecordListProps<Row>) {
  const { title = `No ${of.noun[1]} yet`, text, actions = addButton, importKind } = of.empty;
  return (
    <EmptyState
      icon={useContext(ScreenIcon)}
      title={title}
      actions={
        importKind === undefined ? (
          actions
        ) : (
          <>
            {actions}
            <Link className="self-center" to={`${screens.import.path}?kind=${importKind}`}>
              Paste or import
            </Link>
          </>
        )
      }
    >
      {text}
    </EmptyState>
  );
}

/** The result of a search in words: '12 owners match'. */
function resultOf<Row>({ of, place, list }: RecordListProps<Row>): string {
  const { rows, totalCount, isPlaceholder, status } = list;
  const { isSearch, search } = place.ask;
  if (!isSearch || status.error) return '';
  if (isPlaceholder || !rows) return 'Searching…';
  if (of.search?.resultText) return of.search.resultText(totalCount, search);
  const [, many] = of.noun;
  return totalCount === 1 ? `1 of the ${many} matches` : `${formatCount(totalCount)} ${many} match`;
}
