import { useCallback, useMemo } from 'react';
import { idValue, limitValue } from '../filters/filter-values.ts';
import { usePageSize } from '../filters/page-size.ts';
import { url } from '../filters/url-state.ts';
import { useDebouncedText } from '../filters/use-debounced-text.ts';
import type { GridSort } from '../grid/grid-types.ts';

/** docs/specification.md §3.3 */
export const searchLeast = 2;
const searchMs = 300;
/** The debounce of petrol pumps and copy owners. */
export const slowSearchMs = 500;

/**
 * The values in the URL of a list of records. A search has its own page number, so that clearing the search returns to the
 * earlier page of the list.
 */
export const recordShape = {
  page: url.number(1),
  limit: limitValue(),
  search: {
    ...url.text(),
    parse: (text: string) => (text.trim().length >= searchLeast ? text.trim().slice(0, 200) : undefined),
  },
  searchPage: url.number(1),
  /** The record whose details are open. */
  open: idValue(),
};

/** The sort keys of a list, and its default order, which is ascending unless `order` says otherwise. */
export interface Sorts {
  keys: readonly string[];
  by: string;
  order?: 'desc';
}

/** The sort order in the URL. '' stands for the default, which in a search is best match first. The server sorts. */
export const sortValues = (sorts: Sorts | undefined) => ({
  sortBy: url.oneOf(['', ...(sorts?.keys ?? [])], ''),
  sortOrder: url.oneOf(['asc', 'desc'], sorts?.order ?? 'asc'),
});

interface Place {
  page: number;
  limit: number;
  search: string;
  searchPage: number;
  sortBy: string;
  sortOrder: 'asc' | 'desc';
}
type SetPlace = (patch: Partial<Place>, options?: { replace?: boolean }) => void;

/** The query that the server answers with a page of records. */
export interface ListQuery {
  page: number;
  limit: number;
  search: string;
  isSearch: boolean;
  /** '' if the user chose no order. */
  sortBy: string;
  sortOrder: 'asc' | 'desc';
  /** The active filters, as in the URL. */
  filters: Readonly<Record<string, string>>;
}

export type RecordPlace = ReturnType<typeof useRecordPlace>;

interface PlaceOptions {
  debounceMs?: number | undefined;
  filters?: ListQuery['filters'];
}
const noActiveFilters: ListQuery['filters'] = {};

/** Search text, page and page size of a list, kept in its URL. */
export function useRecordPlace(memoryKey: string, values: Place, set: SetPlace, options: PlaceOptions = {}) {
  const { debounceMs = searchMs, filters = noActiveFilters } = options;
  const { limit, isFit, choose } = usePageSize(memoryKey, values.limit);
  const text = useDebouncedText({
    applied: values.search,
    // A search term replaces the URL, so that Back leaves the screen instead of undoing letters.
    apply: (search) => set({ search, searchPage: 1 }, { replace: true }),
    least: searchLeast,
    debounceMs,
  });
  const { search, sortBy, sortOrder } = values;
  const isSearch = search !== '';
  const page = isSearch ? values.searchPage : values.page;
  const ask: ListQuery = { page, limit, search, isSearch, sortBy, sortOrder, filters };
  return {
    text,
    ask,
    isFit,
    onPage: (next: number, options?: { replace?: boolean }) =>
      set(isSearch ? { searchPage: next, limit } : { page: next, limit }, options),
    /** A new page size returns to page 1. */
    onLimit: (size: number) => set({ limit: choose(size), page: 1, searchPage: 1 }),
  };
}

/** The sort order in the form that the grid uses. A new order starts at page 1. */
export function useRecordSort(sorts: Sorts | undefined, { sortBy, sortOrder, search }: Place, set: SetPlace) {
  // A search without a chosen order is sorted by relevance, so no heading may show a sort order.
  const by = sortBy || (search === '' ? sorts?.by : undefined);
  const sort = useMemo<GridSort | undefined>(
    () => (by === undefined ? undefined : { key: by, order: sortOrder }),
    [by, sortOrder],
  );
  const onSort = useCallback(
    ({ key, order }: GridSort) => {
      if (!sorts?.keys.includes(key)) return;
      const isUsual = key === sorts.by && search === '';
      set({ sortBy: isUsual ? '' : key, sortOrder: order, page: 1, searchPage: 1 });
    },
    [sorts, search, set],
  );
  return { sort, onSort: sorts && onSort };
}

/** The sort order for a call that accepts one of `keys`. A search without a chosen order sends none. */
export function orderOf<K extends string>(
  keys: readonly K[],
  usual: NoInfer<K>,
  { isSearch, sortBy, sortOrder }: ListQuery,
): { sortBy?: K; sortOrder?: 'asc' | 'desc' } {
  const by = keys.find((key) => key === sortBy) ?? (isSearch ? undefined : usual);
  return by === undefined ? {} : { sortBy: by, sortOrder };
}
