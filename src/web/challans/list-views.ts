import { z } from 'zod';
import { addDays } from '../../shared/calc/dates.ts';
import { dayRangeNames, dayRangeOf } from '../../shared/calc/day-ranges.ts';
import { isSortBy, isSortOrder, usualOrder, type OrderTexts } from '../../shared/contract/challan-order.ts';
import { rangesOf, type FilterTable } from '../../shared/filters/define.ts';
import type { Column } from '../../shared/columns/define.ts';
import { initialColumn, type SavedColumn } from '../grid/grid-settings.ts';

/** What is set of a filter, by its name in the address. */
export type SetFilters = Readonly<Record<string, string>>;

/** A list as it was arranged: filter, order and, of one's own, columns. */
export interface ListView extends OrderTexts {
  id: string;
  name: string;
  filters: SetFilters;
  columns?: readonly SavedColumn[] | undefined;
}

/** Those that every business has; they are relative to the day. */
export function shippedViews(today: string): readonly ListView[] {
  const view = (id: string, name: string, filters: SetFilters, order: OrderTexts = usualOrder): ListView => ({
    id,
    name,
    filters,
    ...order,
  });
  return [
    view('all', 'All', {}),
    view('unpaid-over-7-days', 'Unpaid over 7 days', {
      paymentStatus: 'unpaid',
      depositedEndDate: addDays(today, -8),
    }),
    view('hsd-not-verified', 'HSD not verified', { hsdVerified: 'unverified' }),
    view('no-deposit-date', 'No deposit date', { depositedDate: 'none' }),
    view('same-tp-twice', 'Same TP twice', { tpUse: 'twice' }, { sortBy: 'tpNo', sortOrder: 'asc' }),
    view('negative-net', 'Negative net', { netTo: '-0.01' }),
  ];
}

const storedView = z.object({
  id: z.string(),
  name: z.string(),
  filters: z.record(z.string(), z.string()),
  sortBy: z.string().refine(isSortBy).catch(usualOrder.sortBy),
  sortOrder: z.string().refine(isSortOrder).catch(usualOrder.sortOrder),
  columns: z
    .array(
      z.union([
        z.string().transform((colId) => ({ colId })),
        z.object({
          colId: z.string(),
          width: z.number().optional(),
          flex: z.number().nullable().optional(),
          hide: z.boolean().optional(),
          pinned: z.enum(['left', 'right']).nullable().optional(),
        }),
      ]),
    )
    .optional(),
});

/** What cannot be read is no view; the others are. */
export function readViews(text: string | undefined): readonly ListView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((item) => {
      const { data } = storedView.safeParse(item);
      return data === undefined ? [] : [data as ListView];
    });
  } catch {
    return [];
  }
}

/** null: there is none. A column that is shown as at first is its name alone. */
export function writeViews(views: readonly ListView[]): string | null {
  const columnText = (column: SavedColumn): SavedColumn | string =>
    Object.keys(column).length === 1 ? column.colId : column;
  return views.length === 0
    ? null
    : JSON.stringify(views.map((view) => ({ ...view, columns: view.columns?.map(columnText) })));
}

type Columns = readonly Column<never>[];
const columnOf = (columns: Columns, id: string) => columns.find(({ key }) => key === id);

/** The columns that are shown, in their order, and of each what differs from how it is shown at first. */
export function shownColumns(saved: readonly SavedColumn[], columns: Columns): SavedColumn[] {
  return saved.flatMap(({ colId, width, flex = null, hide, pinned = null }) => {
    const column = columnOf(columns, colId);
    if (!column || hide) return [];
    const first = initialColumn(column);
    return {
      colId,
      ...(flex === first.flex ? {} : { flex }),
      // The others share the window: theirs is not a choice.
      ...(flex !== null || width === first.width || width === undefined ? {} : { width }),
      ...(pinned === first.pinned ? {} : { pinned }),
    };
  });
}

/** These columns as the grid takes them: the others are hidden. */
export function arrangementOf(shown: readonly SavedColumn[], columns: Columns): SavedColumn[] {
  const arranged = shown.flatMap((own) => {
    const column = columnOf(columns, own.colId);
    return column && !own.hide ? [{ ...initialColumn(column), hide: false, ...own }] : [];
  });
  const names = arranged.map(({ colId }) => colId);
  return [...arranged, ...columns.flatMap(({ key }) => (names.includes(key) ? [] : { colId: key, hide: true }))];
}

const byName = '@';

/** A range of days that has a name is kept by it: this month is another one in a month. */
export function withoutDays(table: FilterTable, filters: SetFilters, today: string): SetFilters {
  const kept = { ...filters };
  for (const { from, to, of } of rangesOf(table)) {
    const name = dayRangeNames.find((item) => {
      const range = dayRangeOf(item, today);
      return range.from === filters[from] && range.to === filters[to];
    });
    if (of === 'days' && name) Object.assign(kept, { [from]: byName + name, [to]: byName + name });
  }
  return kept;
}

/** The same with the days of today. */
export function withDays(table: FilterTable, filters: SetFilters, today: string): SetFilters {
  const read = { ...filters };
  for (const { from, to } of rangesOf(table)) {
    const name = dayRangeNames.find((item) => filters[from] === byName + item);
    if (name) Object.assign(read, { [from]: dayRangeOf(name, today).from, [to]: dayRangeOf(name, today).to });
  }
  return read;
}

export const isSameView = (a: Pick<ListView, 'filters' | 'sortBy' | 'sortOrder'>, b: typeof a): boolean =>
  textOf(a) === textOf(b);

const textOf = ({ filters, sortBy, sortOrder }: Pick<ListView, 'filters' | 'sortBy' | 'sortOrder'>): string =>
  JSON.stringify([Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)), sortBy, sortOrder]);
