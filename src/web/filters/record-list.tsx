import type { ReactNode } from 'react';
import { Plus, SearchX } from 'lucide-react';
import { buttonOf, type Action } from '../actions/registry.ts';
import { DataGrid, type DataGridProps } from '../grid/data-grid.tsx';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PrintOnly } from '../ui/printing.ts';
import type { RecordGrid } from './record-grid.ts';
import type { RecordPlace } from './record-place.ts';
import type { RecordRows } from './record-rows.ts';
import { SearchField } from './search-field.tsx';

type GridProps<Row> = Pick<
  DataGridProps<Row>,
  | 'columns'
  | 'keyOf'
  | 'sort'
  | 'onSort'
  | 'totals'
  | 'cells'
  | 'rowActions'
  | 'onOpen'
  | 'selection'
  | 'isMuted'
  | 'footer'
>;

interface RecordListProps<Row> extends GridProps<Row> {
  title: string;
  /** 'owners', for the figures and the empty state; also the name its columns are remembered under. */
  noun: string;
  memoryKey: string;
  place: RecordPlace;
  list: RecordRows<Row>;
  grid: RecordGrid<Row>;
  /** false: all there is stands on this page (a search that is not paged). */
  isPaged: boolean;
  /** Absent: a list that is not searched. */
  searchHint?: string;
  /** The outcome of a search in the screen's own words; else '12 owners match'. */
  resultText?: (count: number, term: string) => string;
  /** The action of the button at the right end, also offered where there is nothing yet. */
  create?: Action | undefined;
  /** Buttons instead of the create button. */
  buttons?: ReactNode;
  /** 'No owners yet', where nothing else is said. */
  emptyTitle?: string;
  emptyIcon: ReactNode;
  emptyText: string;
  /** Where to go instead, where nothing can be made here. */
  emptyActions?: ReactNode;
  /** A message that comes and goes. */
  notice?: ReactNode;
  /** Its dialogs. */
  children?: ReactNode;
}

/** The screen every master-data list is: search, table, pager, and what to do where there is nothing. */
export function RecordList<Row>(props: RecordListProps<Row>) {
  const { title, noun, memoryKey, place, list, grid, isPaged, searchHint, create, buttons, notice, children } = props;
  const { columns, keyOf, sort, onSort, totals, cells, rowActions, onOpen, selection, isMuted, footer } = props;
  const { rows, totalCount, status, isPlaceholder } = list;
  const { handle, table, searchField } = grid;
  const count = totalCount.toLocaleString('en-IN');
  const addButton = create && (
    <Button variant="primary" icon={<Plus size={14} aria-hidden />} {...buttonOf(create)}>
      {create.label}
    </Button>
  );

  return (
    <Page fill title={title} actions={buttons ?? addButton}>
      {searchHint !== undefined && (
        <div className="relative">
          <SearchField
            ref={searchField}
            label={`Search ${noun}`}
            placeholder={searchHint}
            text={place.text}
            result={resultOf(props)}
            onLeaveDown={() => handle.current?.focusFirstRow()}
          />
          {/* Beside the field: the table does not move when it comes and goes. */}
          {notice && <div className="absolute -top-1.5 right-0 left-84 z-20 max-md:left-0">{notice}</div>}
        </div>
      )}
      {place.isSearch && (
        <PrintOnly>
          <p>
            {searchHint ?? 'Search'}: “{place.search}”
          </p>
        </PrintOnly>
      )}
      <div ref={table} className="flex min-h-0 flex-1 flex-col">
        <DataGrid<Row>
          ref={handle}
          label={title}
          memoryKey={memoryKey}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          status={isPlaceholder ? { ...status, isFetching: true } : status}
          empty={place.isSearch ? <NoMatch {...props} /> : <NothingYet {...props} addButton={addButton} />}
          sort={sort}
          onSort={onSort}
          pager={
            isPaged
              ? {
                  page: place.page,
                  limit: place.limit,
                  totalCount,
                  noun,
                  onPage: (page) => place.onPage(page),
                  onLimit: place.onLimit,
                }
              : undefined
          }
          totals={totals}
          totalsLabel={`Total of ${count}`}
          cells={cells}
          rowActions={rowActions}
          onOpen={onOpen}
          selection={selection}
          isMuted={isMuted}
          footer={footer}
        />
      </div>
      {children}
    </Page>
  );
}

function NoMatch<Row>({ noun, place }: RecordListProps<Row>) {
  return (
    <EmptyState
      icon={<SearchX size={18} aria-hidden />}
      title={`No ${noun} match “${place.search}”`}
      actions={<Button onClick={() => place.text.setText('')}>Clear search</Button>}
    >
      Try fewer letters, or another part of it.
    </EmptyState>
  );
}

function NothingYet<Row>(props: RecordListProps<Row> & { addButton: ReactNode }) {
  const { noun, emptyTitle = `No ${noun} yet`, emptyIcon, emptyText, emptyActions, addButton } = props;
  return (
    <EmptyState icon={emptyIcon} title={emptyTitle} actions={emptyActions ?? addButton}>
      {emptyText}
    </EmptyState>
  );
}

/** '12 owners match'; of a search that shows only its first results, how many those are. */
function resultOf<Row>({ noun, place, list, isPaged, resultText }: RecordListProps<Row>): string {
  const { rows, totalCount, isPlaceholder, status } = list;
  if (!place.isSearch || status.error) return '';
  if (isPlaceholder || !rows) return 'Searching…';
  if (resultText) return resultText(totalCount, place.search);
  const count = totalCount.toLocaleString('en-IN');
  if (!isPaged && rows.length < totalCount) {
    return `The first ${rows.length} of ${count} ${noun} that match; type more to narrow`;
  }
  return totalCount === 1 ? `1 of the ${noun} matches` : `${count} ${noun} match`;
}
