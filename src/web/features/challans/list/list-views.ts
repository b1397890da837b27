import { useCallback, useMemo, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { addDays } from '../../../../shared/calc/dates.ts';
import { dayRangeNames, dayRangeOf, type DayRangeName, type Days } from '../../../../shared/calc/day-ranges.ts';
import { isSortBy, isSortOrder, usualOrder, type OrderTexts } from '../../../../shared/contract/challan-order.ts';
import { MOST_CHARACTERS, type Preference } from '../../../../shared/contract/preferences.ts';
import { rangesOf, type FilterTable } from '../../../../shared/filters/define.ts';
import type { Column } from '../../../../shared/columns/define.ts';
import { call } from '../../../kit/api/client.ts';
import { preferences } from '../../../kit/api/preferences.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { initialColumn, type SavedColumn } from '../../../kit/grid/grid-settings.ts';
import type { GroupTexts } from './list-place.ts';

/** The filters that are set, by their names in the address. */
export type SetFilters = Readonly<Record<string, string>>;

/** A saved view of a list: filters and order. A view that the user saved has the columns too. */
export interface ListView extends OrderTexts, Partial<GroupTexts> {
  id: string;
  name: string;
  filters: SetFilters;
  columns?: readonly SavedColumn[] | undefined;
}

/** The views that every user has. Some of them depend on today's date. */
export function builtInViews(today: string): readonly ListView[] {
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
  groupBy: z.string().optional(),
  groupSort: z.string().optional(),
  groupAs: z.string().optional(),
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

/** Reads the stored views. A view that cannot be read is left out. */
function readViews(text: string | undefined): readonly ListView[] {
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

/** The views as text; null if there are none. Only the name of a column is written if it has its initial settings. */
function writeViews(views: readonly ListView[]): string | null {
  const shortened = (column: SavedColumn): SavedColumn | string =>
    Object.keys(column).length === 1 ? column.colId : column;
  return views.length === 0
    ? null
    : JSON.stringify(views.map((view) => ({ ...view, columns: view.columns?.map(shortened) })));
}

/** Returns the changed views, or a message that says why they cannot be changed. */
export type ViewsEdit = (stored: readonly ListView[]) => readonly ListView[] | string;

const tooLarge = 'The views are too large to be kept together: delete one of them, or show fewer columns.';

/** The views of a list that the user saved. The server stores them for the account. */
export function useOwnViews(listId: string) {
  const key = `views:${listId}`;
  const stored = preferences.useList({}, { staleTime: 60_000 }).data?.data;
  const client = useQueryClient();
  const { mutateAsync: put } = preferences.usePut();
  const own = useMemo(() => readViews(valueOf(stored, key)), [stored, key]);
  const lastSave = useRef(Promise.resolve());

  /**
   * Changes the views. Changes run one after the other, and each one starts from what the server has by then, because another
   * tab or device may have changed the views too.
   */
  const change = useCallback(
    (edit: ViewsEdit, done: string): void => {
      const save = async (): Promise<void> => {
        try {
          const current = await call(preferences.calls.list, {});
          const next = edit(readViews(valueOf(current.data, key)));
          const value = typeof next === 'string' ? null : writeViews(next);
          const refusal =
            typeof next === 'string' ? next : (value?.length ?? 0) > MOST_CHARACTERS ? tooLarge : undefined;
          if (refusal !== undefined) return notify.error(refusal);
          const { data: saved } = await put({ body: { key, value } });
          // The cache is written even if the screen's own request for the preferences has no answer yet.
          const others = current.data.filter((item) => item.key !== key);
          client.setQueryData(preferences.listKey({}), {
            ...current,
            data: saved ? [...others, saved] : others,
          });
          notify.success(done);
        } catch (error) {
          notify.error(error, 'Failed to save the views');
        }
        return undefined;
      };
      lastSave.current = lastSave.current.then(save);
    },
    [key, put, client],
  );
  return { own, change };
}

const valueOf = (stored: readonly Preference[] | undefined, key: string): string | undefined =>
  stored?.find((item) => item.key === key)?.value;

type Columns = readonly Column<never>[];
const columnOf = (columns: Columns, id: string) => columns.find(({ key }) => key === id);

/** The shown columns in their order, each with only those settings that differ from its initial ones. */
export function shownColumns(saved: readonly SavedColumn[], columns: Columns): SavedColumn[] {
  return saved.flatMap(({ colId, width, flex = null, hide, pinned = null }) => {
    const column = columnOf(columns, colId);
    if (!column || hide) return [];
    const initial = initialColumn(column);
    return {
      colId,
      ...(flex === initial.flex ? {} : { flex }),
      // A column with flex gets its width from the window, so the user did not choose it.
      ...(flex !== null || width === initial.width || width === undefined ? {} : { width }),
      ...(pinned === initial.pinned ? {} : { pinned }),
    };
  });
}

/** The settings that the grid needs to show these columns and hide all others. */
export function gridColumnsOf(shown: readonly SavedColumn[], columns: Columns): SavedColumn[] {
  const arranged = shown.flatMap((own) => {
    const column = columnOf(columns, own.colId);
    return column && !own.hide ? [{ ...initialColumn(column), hide: false, ...own }] : [];
  });
  const names = arranged.map(({ colId }) => colId);
  return [...arranged, ...columns.flatMap(({ key }) => (names.includes(key) ? [] : { colId: key, hide: true }))];
}

/** Marks the name of a range in place of a day. */
const rangeMark = '@';

/**
 * Replaces a range of days that has a name, such as this month, by that name, so that the view always shows the range as of
 * the day on which it is opened.
 */
export function withRangeNames(
  table: FilterTable,
  filters: SetFilters,
  nameOf: (label: string, days: Days) => DayRangeName | undefined,
): SetFilters {
  const kept = { ...filters };
  for (const { from, to } of rangesOf(table)) {
    const name = nameOf(table[from]!.label, { from: filters[from] ?? '', to: filters[to] ?? '' });
    if (name) Object.assign(kept, { [from]: rangeMark + name, [to]: rangeMark + name });
  }
  return kept;
}

/** The named ranges of a view: the label of each and its name. */
export const namesIn = (table: FilterTable, filters: SetFilters) =>
  rangesOf(table).flatMap(({ from, to }) => {
    const name = dayRangeNames.find((item) => filters[from] === rangeMark + item);
    return name ? [{ from, to, label: table[from]!.label, name }] : [];
  });

/** Replaces the names of ranges by their days, as of today. */
export function withDays(table: FilterTable, filters: SetFilters, today: string): SetFilters {
  const read = { ...filters };
  for (const { from, to, name } of namesIn(table, filters)) {
    const days = dayRangeOf(name, today);
    Object.assign(read, { [from]: days.from, [to]: days.to });
  }
  return read;
}

/** What two views are compared by. */
export type ViewPlace = Pick<ListView, 'filters' | 'sortBy' | 'sortOrder' | keyof GroupTexts>;

export const isSameView = (a: ViewPlace, b: ViewPlace): boolean => textOf(a) === textOf(b);

const textOf = ({ filters, sortBy, sortOrder, groupBy = '', groupSort = '', groupAs = '' }: ViewPlace): string =>
  JSON.stringify([
    Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [sortBy, sortOrder, groupBy, groupSort, groupAs],
  ]);
