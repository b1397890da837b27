import { useCallback, useMemo } from 'react';
import { isSortBy, isSortOrder, usualOrder, type OrderTexts } from '../../shared/contract/challan-order.ts';
import { filterNames, type FilterTable } from '../../shared/filters/define.ts';
import { noFilters, setTexts, type FilterTexts } from '../../shared/filters/filter-texts.ts';
import { filterShape, idValue, limitValue } from '../filters/filter-values.ts';
import { usePageSize } from '../filters/page-size.ts';
import { url, useUrlState } from '../filters/url-state.ts';

/** Which page of which challans, in which order. */
export interface ListPlace<T extends FilterTable> extends OrderTexts {
  page: number;
  limit: number;
  filters: FilterTexts<T>;
}

const textOf = (fallback: string, isRight: (text: string) => boolean) => ({
  ...url.text(fallback),
  parse: (text: string) => (isRight(text) ? text : undefined),
});

/**
 * What a link to a list carries beside its filters (docs/specification.md §19.6). The names are the API's; `open` is the
 * details dialog.
 */
const placeShape = {
  page: url.number(1),
  limit: limitValue(),
  sortBy: textOf(usualOrder.sortBy, isSortBy),
  sortOrder: textOf(usualOrder.sortOrder, isSortOrder),
  open: idValue(),
};
type PlaceChange = Partial<OrderTexts & { page: number; limit: number; open: string }>;

/** The place of a list, kept in the address; `id` names what is remembered of the list. */
export function useListPlace<T extends FilterTable>(id: string, table: T) {
  const shape = useMemo((): typeof placeShape => ({ ...placeShape, ...filterShape(table) }), [table]);
  const [values, setUrl] = useUrlState(shape);
  const { open, limit: chosenSize, page, sortBy, sortOrder } = values;
  const { limit, isFit, choose: chooseSize } = usePageSize(id, chosenSize);
  const filters = useMemo(() => {
    // The shape has the filters of the table too.
    const texts = values as unknown as Readonly<Record<string, string>>;
    return Object.fromEntries(filterNames(table).map((name) => [name, texts[name]])) as FilterTexts<T>;
  }, [values, table]);
  const place = useMemo(
    (): ListPlace<T> => ({ page, limit, sortBy, sortOrder, filters }),
    [page, limit, sortBy, sortOrder, filters],
  );
  const isUsual = sortBy === usualOrder.sortBy && sortOrder === usualOrder.sortOrder;
  const setPlace: (change: PlaceChange, options?: { replace: boolean }) => void = setUrl;
  return {
    place,
    openId: open,
    setPlace,
    isFit,
    chooseSize,
    setFilters: useCallback(
      (change: Partial<FilterTexts<T>>, how?: 'typing'): void =>
        // The names of a table of filters are none of the names above.
        setUrl({ ...(change as object), page: 1 }, { replace: how === 'typing' }),
      [setUrl],
    ),
    /** Another filter and order at once. */
    setView: useCallback(
      (view: OrderTexts & { filters: Readonly<Record<string, string>> }): void =>
        setUrl({
          ...(noFilters(table) as object),
          ...setTexts(table, view.filters as Partial<FilterTexts<T>>),
          sortBy: view.sortBy,
          sortOrder: view.sortOrder,
          page: 1,
        }),
      [setUrl, table],
    ),
    resetFilters: useCallback((): void => setUrl({ ...(noFilters(table) as object), page: 1 }), [setUrl, table]),
    /** undefined: it is the order already. */
    sortNewestFirst: isUsual ? undefined : (): void => setUrl({ ...usualOrder, page: 1 }),
  };
}

/** A place as the calls of the API take it: only what is set is sent, so that the same list is one entry of the cache. */
export function queryOf<T extends FilterTable>(table: T, { page, limit, sortBy, sortOrder, filters }: ListPlace<T>) {
  return { page, limit, sortBy, sortOrder, ...setTexts(table, filters) };
}
