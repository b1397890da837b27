import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { FileText, List } from 'lucide-react';
import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { plotLength } from '../../../../shared/calc/dashboard.ts';
import { isNegative } from '../../../../shared/calc/money.ts';
import { challanGroupColumns } from '../../../../shared/columns/challan-group-columns.ts';
import type { Column } from '../../../../shared/columns/define.ts';
import {
  groupColumnKeys,
  groupKeyNames,
  groupKeys,
  groupSorts,
  readGroupBy,
  usualGroupSort,
  type ChallanGroup,
  type GroupFigure,
  type GroupKey,
} from '../../../../shared/contract/challan-groups.ts';
import { sortOrder } from '../../../../shared/contract/scalars.ts';
import { challanListFilters } from '../../../../shared/filters/challan-filters.ts';
import { filterOfTexts, setTexts } from '../../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../../shared/filters/filter-words.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { usePreference } from '../../../kit/api/account-storage.ts';
import { call } from '../../../kit/api/client.ts';
import { useTableFiles } from '../../../kit/feedback/table-files.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useFilterProblem } from '../../../kit/filters/filter-problem.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import { columnMemory, initialColumn, useShownColumns, type SavedColumn } from '../../../kit/grid/grid-settings.ts';
import type { CellSpec, GridHandle, GridSort, RowAction } from '../../../kit/grid/grid-types.ts';
import { pageOf, useRecordRows } from '../../../kit/records/record-rows.ts';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { PrintOnly } from '../../../kit/ui/printing.ts';
import { Select } from '../../../kit/ui/select-field.tsx';
import { challanGroups } from '../../../resources/challan-groups.ts';
import { FilterChips, FilterPanel } from '../../filters/index.ts';
import { challanGroupsCommands } from '../challan-groups-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { FiltersButton, NoMatch } from './challan-list.tsx';
import { notGrouped, useListPlace } from './list-place.ts';
import { useColumnsOfView } from './opened-columns.ts';
import { useFocusRow } from './return-place.ts';
import ViewStrip from './view-strip.tsx';

const memoryKey = 'challan-groups';
const bars = 'bars';

/** The group whose challans were opened last: on the way back it has the focus again. */
let opened: { address: string; id: string } | undefined;
const addressNow = (): string => window.location.search + window.location.hash;

/** The challan list by groups (docs/specification.md §33), while its address has some. It is loaded when it is first opened. */
export default function ChallanGroups() {
  const { place, setPlace } = useListPlace(memoryKey, challanListFilters);
  const groupBy = readGroupBy(place.groupBy);
  const isList = groupBy === undefined;
  // An address that names no group is that of the list, with its filters.
  useEffect(() => {
    if (isList) setPlace(notGrouped, { replace: true });
  }, [isList, setPlace]);
  if (!groupBy) return null;
  return <Groups groupBy={groupBy} setGroups={setPlace} />;
}

/** The order in the address; what cannot be read is the usual one. */
function sortOf(text: string) {
  const [by, order] = text.split(',');
  return {
    sortBy: groupSorts.find((key) => key === by) ?? usualGroupSort.sortBy,
    sortOrder: sortOrder.options.find((one) => one === order) ?? usualGroupSort.sortOrder,
  };
}

interface GroupsProps {
  groupBy: readonly GroupKey[];
  setGroups: ReturnType<typeof useListPlace>['setPlace'];
}

function Groups({ groupBy, setGroups }: GroupsProps) {
  const list = useListPlace(memoryKey, challanListFilters);
  const { place, setPlace, setView, resetFilters } = list;
  const { filters, groupSort, groupAs, page, limit } = place;
  const by = groupBy.join();
  const { sortBy, sortOrder: direction } = sortOf(groupSort);
  const isBars = groupAs === bars;
  const figure: GroupFigure = sortBy === 'name' ? usualGroupSort.sortBy : sortBy;
  const table = useMemo(() => challanGroupColumns(by.split(',') as GroupKey[]), [by]);
  const columns = useMemo(() => (isBars ? barColumns(table, figure) : table), [isBars, table, figure]);
  useColumnsOfView(memoryKey, table);
  const grid = useRef<GridHandle<ChallanGroup>>(null);
  // A plot has columns of its own. A view has those of the table, and a file too.
  const tableColumns = useShownColumns(memoryKey, table);
  const remembered = useRef({
    savedColumns: () => columnMemory.read(memoryKey) ?? table.map(initialColumn),
    setColumns: (chosen: readonly SavedColumn[]) => columnMemory.write(memoryKey, [...chosen]),
  });
  const firstFilter = useRef<HTMLElement>(null);
  const takeFirstFilter = useCallback((field: HTMLElement | null): void => {
    firstFilter.current = field;
  }, []);
  const chooser = useRef<HTMLButtonElement>(null);
  const [areFiltersShown, showFilters] = usePreference('challans.filters', true);
  const dates = useFilterProblem();
  const focused = useRef<string>(undefined);
  const tableName = isBars ? bars : 'table';
  const [openedRow] = useState(() => (opened?.address === addressNow() ? opened.id : undefined));
  // Where the key in the list or the other table had the focus is gone.
  useLayoutEffect(() => {
    const isBack = focused.current === undefined && openedRow !== undefined;
    if (focused.current !== tableName && !isBack) grid.current?.focusFirstRow();
    focused.current = tableName;
  }, [tableName, openedRow]);

  const query = challanGroups.useList({
    query: { page, limit, groupBy: by, sortBy, sortOrder: direction, ...setTexts(challanListFilters, filters) },
  });
  const { data } = query;
  useFocusRow(grid, openedRow, data !== undefined, 'first');
  const rows = useRecordRows({
    ...pageOf(query),
    failed: 'Failed to fetch the groups',
    onPage: (next, options) => setPlace({ page: next }, options),
  });

  const open = useCallback(
    (row: ChallanGroup): void => {
      opened = { address: addressNow(), id: row.id };
      const { sortBy: listSort, sortOrder: listOrder } = place;
      setView({
        filters: { ...setTexts(challanListFilters, filters), ...row.filters },
        sortBy: listSort,
        sortOrder: listOrder,
      });
    },
    [setView, filters, place],
  );
  const reset = (): void => {
    resetFilters();
    notify.success('Filters reset successfully');
  };
  const files = useTableFiles({
    scope: 'Groups of challans',
    id: 'groups',
    verb: 'Export',
    get: (format, options) => {
      const shown = isBars ? tableColumns : (grid.current?.shownColumns() ?? []);
      const named = shown.flatMap((key) => groupColumnKeys.find((one) => one === key) ?? []);
      const body = {
        filters: filterOfTexts(challanListFilters, filters),
        groupBy: by,
        sortBy,
        sortOrder: direction,
        ...(named.length > 0 && { columns: named }),
      };
      return call(fileCalls[format], { body }, options);
    },
    total: data?.pagination.totalCount,
    fallbackName: 'challan_groups',
    disabledReason:
      dates.disabledReason ?? (data?.totals.challanCount === 0 ? 'There are no groups to export' : undefined),
  });
  const filterCount = partsOf(challanListFilters, filters).length;
  const actions = useCommands(challanGroupsCommands, {
    choose: () => chooser.current?.focus(),
    ungroup: () => setGroups({ ...notGrouped, page: 1 }),
    bars: { label: isBars ? 'As a Table' : 'As Bars', run: () => setGroups({ groupAs: isBars ? '' : bars }) },
    filters: {
      label: areFiltersShown ? 'Hide Filters' : 'Show Filters',
      run: () => showFilters(!areFiltersShown),
    },
    findTp: () => {
      // Rendered at once, because the field must exist before it can get the focus.
      flushSync(() => showFilters(true));
      firstFilter.current?.focus();
    },
    reset,
  });

  const isPaired = groupBy.length > 1;
  const cells = useMemo(() => cellsOf(isPaired, figure, rows.rows ?? []), [isPaired, figure, rows.rows]);
  const wholes = useMemo(() => wholesOf(rows.rows ?? []), [rows.rows]);
  const rowActions = useMemo<RowAction<ChallanGroup>[]>(
    () => [{ id: 'open', label: 'Open Challans', icon: <List size={15} aria-hidden />, keys: 'Enter', run: open }],
    [open],
  );
  const sort: GridSort = { key: sortBy, order: direction };
  const panel = { table: challanListFilters, filters, onChange: list.setFilters, onReset: reset };
  const chips = filterCount > 0 && <FilterChips {...panel} />;
  const spec = useMemo(() => ({ id: 'challans', filters: challanListFilters, columns: table }), [table]);

  return (
    <Page
      fill
      title="Challans"
      aside={
        <>
          <ViewStrip spec={spec} place={place} setView={setView} grid={isBars ? remembered : grid} />
          {files.status}
        </>
      }
      actions={
        <>
          <FiltersButton list={{ areFiltersShown, filterCount }} action={actions.filters} label="Filters" />
          {files.buttons}
          <ActionButton action={actions.ungroup} variant="primary" icon={List} />
        </>
      }
    >
      {areFiltersShown && chips && <PrintOnly>{chips}</PrintOnly>}
      {areFiltersShown ? (
        <FilterPanel
          {...panel}
          onLeaveDown={() => grid.current?.focusFirstRow()}
          firstRef={takeFirstFilter}
          onProblem={dates.onProblem}
        />
      ) : (
        chips
      )}
      <div role="group" aria-label="Groups" data-print="hide" className="flex flex-wrap items-end gap-x-3 gap-y-1">
        <Select
          ref={chooser}
          label="Group by"
          reserve={false}
          className="w-44"
          value={groupBy[0]!}
          options={keyOptions(groupBy[1])}
          onValueChange={(key) => setGroups({ groupBy: [key, ...groupBy.slice(1)].join(), page: 1 })}
        />
        <Select
          label="Then by"
          reserve={false}
          className="w-44"
          value={groupBy[1] ?? ''}
          options={[{ value: '', label: 'Nothing' }, ...keyOptions(groupBy[0])]}
          onValueChange={(key) => setGroups({ groupBy: [groupBy[0]!, key].filter(Boolean).join(), page: 1 })}
        />
        <ActionButton action={actions.bars} />
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<ChallanGroup>
          // A plot has columns of its own, which are not remembered.
          key={tableName}
          ref={grid}
          label="Groups of challans"
          ownFile="list"
          {...(!isBars && { memoryKey })}
          columns={columns}
          rows={rows.rows}
          keyOf={keyOf}
          status={dates.mark(rows.status)}
          empty={filterCount > 0 ? <NoMatch onReset={reset} /> : noChallans}
          sort={sort}
          onSort={({ key, order }) => {
            const isUsual = key === usualGroupSort.sortBy && order === usualGroupSort.sortOrder;
            setPlace({ groupSort: isUsual ? '' : `${key},${order}`, page: 1 });
          }}
          pager={{
            page,
            limit,
            isFit: list.isFit,
            totalCount: rows.totalCount,
            noun: 'rows',
            onPage: (next) => setPlace({ page: next, limit }),
            onLimit: (next) => setPlace({ limit: list.chooseSize(next), page: 1 }),
          }}
          loadPage={rows.loadPage}
          totals={data?.totals}
          totalsLabel={data && `Total of ${formatCount(data.totals.challanCount)}`}
          cells={cells}
          printedCells={(all) => cellsOf(isPaired, figure, all)}
          rowActions={rowActions}
          wholeOf={({ id }) => wholes.get(id)}
          onOpen={open}
          openLabel="Open the challans of the group"
          footer={data && <span className="truncate">{countText(data.groupCount, 'group')}</span>}
        />
      </div>
    </Page>
  );
}

const fileCalls = { xlsx: challanGroups.calls.exportXlsx, csv: challanGroups.calls.exportCsv };

const keyOf = ({ id }: ChallanGroup): string => id;

/** The group of each part, which stands behind it. */
function wholesOf(rows: readonly ChallanGroup[]): ReadonlyMap<string, string> {
  const wholes = new Map<string, string>();
  let whole = '';
  for (const { id, level } of rows) {
    if (level === 1) whole = id;
    else wholes.set(id, whole);
  }
  return wholes;
}

/** All keys but the one that the other level has. */
const keyOptions = (other: GroupKey | undefined) =>
  groupKeyNames.filter((key) => key !== other).map((value) => ({ value, label: groupKeys[value] }));

const noChallans = (
  <EmptyState icon={<FileText size={18} aria-hidden />} title="No challans yet">
    Groups appear here as soon as there are challans.
  </EmptyState>
);

/** The names, the figure that is sorted by, and its bar. */
function barColumns(table: readonly Column<ChallanGroup>[], figure: GroupFigure): readonly Column<ChallanGroup>[] {
  const shown = table.filter(({ key }) => key === 'first' || key === 'second' || key === figure);
  const label = shown.at(-1)?.label ?? '';
  return [...shown, { key: 'bar', label: `${label}, as a Bar`, kind: 'text', width: 520, value: () => '' }];
}

/** The names, that of a part beside its group in grey, and the bars. A part has a narrower bar than a whole group. */
function cellsOf(
  isPaired: boolean,
  figure: GroupFigure,
  rows: readonly ChallanGroup[],
): Readonly<Record<string, CellSpec<ChallanGroup>>> {
  // A figure below zero has a bar too, in red.
  const lengthOf = (row: ChallanGroup): number => plotLength(String(row[figure]).replace('-', ''));
  const longest = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 0.01);
  const named = (text: string, isStrong: boolean): ReactNode => (
    <span className={isStrong ? 'truncate font-semibold' : 'truncate text-muted'} title={text}>
      {text}
    </span>
  );
  return {
    ...(isPaired && {
      first: { render: (row) => named(row.first, row.level === 1), text: (row) => row.first },
      second: {
        render: (row) => (row.second === null ? named('All', false) : <span className="truncate">{row.second}</span>),
        text: (row) => row.second ?? 'All',
      },
    }),
    bar: {
      render: (row) => (
        <span aria-hidden className="flex h-full w-full items-center">
          <span
            className={`${row.level === 1 ? 'h-3.5' : 'h-2'} rounded-sm ${isNegative(String(row[figure])) ? 'bg-danger' : row.level === 1 ? 'bg-primary' : 'bg-primary/50'}`}
            style={{ width: `${(lengthOf(row) / longest) * 100}%` }}
          />
        </span>
      ),
      text: () => '',
    },
  };
}
