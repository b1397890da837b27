import { z } from 'zod';
import { addDays } from '../../shared/calc/dates.ts';
import { dayRangeNames, dayRangeOf } from '../../shared/calc/day-ranges.ts';
import { isSortBy, isSortOrder, usualOrder, type OrderTexts } from '../../shared/contract/challan-order.ts';
import { rangesOf, type FilterTable } from '../../shared/filters/define.ts';
import type { SavedColumn } from '../grid/grid-settings.ts';

/** What is set of a filter, by its name in the address. */
export type SetFilters = Readonly<Record<string, string>>;

/** A list as it was arranged: filter, order and, of one's own, columns. */
export interface ListView extends OrderTexts {
  id: string;
  name: string;
  filters: SetFilters;
  columns?: SavedColumn[] | undefined;
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

const storedViews = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    filters: z.record(z.string(), z.string()),
    sortBy: z.string().refine(isSortBy).catch(usualOrder.sortBy),
    sortOrder: z.string().refine(isSortOrder).catch(usualOrder.sortOrder),
    columns: z
      .array(
        z.object({
          colId: z.string(),
          width: z.number().optional(),
          flex: z.number().nullable().optional(),
          hide: z.boolean().optional(),
          pinned: z.enum(['left', 'right']).nullable().optional(),
        }),
      )
      .optional(),
  }),
);

/** What cannot be read is no view. */
export function readViews(text: string | undefined): readonly ListView[] {
  try {
    const read = storedViews.safeParse(JSON.parse(text ?? '[]'));
    return read.success ? (read.data as ListView[]) : [];
  } catch {
    return [];
  }
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
