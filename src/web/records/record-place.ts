import { useCallback, useMemo } from 'react';
import { idValue, limitValue } from '../filters/filter-values.ts';
import { usePageSize } from '../filters/page-size.ts';
import { url, type UrlValue } from '../filters/url-state.ts';
import { useDebouncedText } from '../filters/use-debounced-text.ts';
import type { GridSort } from '../grid/grid-types.ts';

/** docs/specification.md §3.3 */
export const searchLeast = 2;
const searchMs = 300;
/** Petrol pumps and copy owners. */
export const slowSearchMs = 500;

function searchValue(): UrlValue<string> {
  return {
    fallback: '',
    parse: (text) => (text.trim().length >= searchLeast ? text.trim().slice(0, 200) : undefined),
    write: (value) => value,
  };
}

/**
 * What a link to a list of records carries. The page of a search is its own, so that clearing the search comes back to the
 * page that was left.
 */
export const recordShape = {
  page: url.number(1),
  limit: limitValue(),
  search: searchValue(),
  searchPage: url.number(1),
  /** The record whose details are open. */
  open: idValue(),
};

/** The orders a list can have, and its usual one, which is ascending unless it says so. */
export interface Sorts {
  keys: readonly string[];
  by: string;
  order?: 'desc';
}

/** The order in the address: '' is the usual one, in a search the best match first. The server sorts. */
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

/** What the server is asked for. */
export interface RecordAsk {
  page: number;
  limit: number;
  search: string;
  isSearch: boolean;
  /** '' where no order was chosen. */
  sortBy: string;
  sortOrder: 'asc' | 'desc';
  /** The filters that are set, as the address has them. */
  filters: Readonly<Record<string, string>>;
}

export type RecordPlace = ReturnType<typeof useRecordPlace>;

interface PlaceOptions {
  debounceMs?: number | undefined;
  filters?: RecordAsk['filters'];
}
const noneSet: RecordAsk['filters'] = {};

/** Search text, page and page size of a list, over the values of its address. */
export function useRecordPlace(memoryKey: string, values: Place, set: SetPlace, options: PlaceOptions = {}) {
  const { debounceMs = searchMs, filters = noneSet } = options;
  const { limit, isFit, choose } = usePageSize(memoryKey, values.limit);
  const text = useDebouncedText({
    applied: values.search,
    // Each term is no step of the history: Back leaves the screen, not the last letter.
    apply: (search) => set({ search, searchPage: 1 }, { replace: true }),
    least: searchLeast,
    debounceMs,
  });
  const { search, sortBy, sortOrder } = values;
  const isSearch = search !== '';
  const page = isSearch ? values.searchPage : values.page;
  const ask: RecordAsk = { page, limit, search, isSearch, sortBy, sortOrder, filters };
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

/** The same order as the grid shows and changes it; another one begins at page 1. */
export function useRecordSort(sorts: Sorts | undefined, { sortBy, sortOrder, search }: Place, set: SetPlace) {
  // A search without a chosen order is sorted by how well the rows match: no heading may show an order.
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

/** The order for a call that takes one of `keys`. A search that nobody has sorted is asked for without one. */
export function orderOf<K extends string>(
  keys: readonly K[],
  usual: NoInfer<K>,
  { isSearch, sortBy, sortOrder }: RecordAsk,
): { sortBy?: K; sortOrder?: 'asc' | 'desc' } {
  const by = keys.find((key) => key === sortBy) ?? (isSearch ? undefined : usual);
  return by === undefined ? {} : { sortBy: by, sortOrder };
}
