import { useCallback, useMemo } from 'react';
import type { GridSort } from '../grid/grid-types.ts';
import { url, type UrlValue } from '../shell/url-state.ts';
import { idValue, limitValue, type PageSize } from './filter-values.ts';
import { usePageSize } from './page-size.ts';
import { useSettledText } from './use-settled-text.ts';

/** Part 1 §9. */
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
 * What a link to a master-data list carries (expectation 19). The page of a search is its own, so that clearing the
 * search comes back to the page that was left (ruling 13).
 */
export const recordShape = {
  page: url.number(1),
  limit: limitValue(),
  search: searchValue(),
  searchPage: url.number(1),
  /** The record whose details are open. */
  open: idValue(),
};

export interface PlaceValues {
  page: number;
  limit: 0 | PageSize;
  search: string;
  searchPage: number;
}
type SetPlace = (patch: Partial<PlaceValues>, options?: { replace?: boolean }) => void;

export type RecordPlace = ReturnType<typeof useRecordPlace>;

/** Search text, page and page size of a list, over the values of its address. */
export function useRecordPlace(memoryKey: string, values: PlaceValues, set: SetPlace, settleMs: number = searchMs) {
  const { limit, choose } = usePageSize(memoryKey, values.limit);
  const text = useSettledText({
    applied: values.search,
    // Each term is no step of the history: Back leaves the screen, not the last letter.
    apply: (search) => set({ search, searchPage: 1 }, { replace: true }),
    least: searchLeast,
    settleMs,
  });
  const isSearch = values.search !== '';
  return {
    text,
    search: values.search,
    isSearch,
    limit,
    page: isSearch ? values.searchPage : values.page,
    onPage: (page: number, options?: { replace?: boolean }) =>
      set(isSearch ? { searchPage: page, limit } : { page, limit }, options),
    /** Ruling 15: a new page size returns to page 1. */
    onLimit: (size: number) => set({ limit: choose(size), page: 1, searchPage: 1 }),
  };
}

/** The order of a list in its address; the server sorts (ruling 32). */
export const sortShape = <const K extends string>(keys: readonly K[], by: NoInfer<K>, order: 'asc' | 'desc') => ({
  sortBy: url.oneOf(keys, by),
  sortOrder: url.oneOf(['asc', 'desc'], order),
});

interface SortPlace<K> {
  sortBy: K;
  sortOrder: 'asc' | 'desc';
}

/** The same as the grid shows and changes it; another order begins at page 1. */
export function useRecordSort<K extends string>(
  keys: readonly K[],
  { sortBy, sortOrder }: SortPlace<K>,
  set: (patch: SortPlace<K> & { page: number; searchPage: number }) => void,
) {
  const sort = useMemo<GridSort>(() => ({ key: sortBy, order: sortOrder }), [sortBy, sortOrder]);
  const onSort = useCallback(
    ({ key, order }: GridSort) => {
      const known = keys.find((item) => item === key);
      if (known) set({ sortBy: known, sortOrder: order, page: 1, searchPage: 1 });
    },
    [keys, set],
  );
  return { sort, onSort };
}
