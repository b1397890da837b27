import { useCallback, useMemo } from 'react';
import { isSortBy, isSortOrder, usualOrder, type OrderTexts } from '../../../../shared/contract/challan-order.ts';
import { filterNames, type FilterTable } from '../../../../shared/filters/define.ts';
import { noFilters, setTexts, type FilterTexts } from '../../../../shared/filters/filter-texts.ts';
import { filterShape, idValue, limitValue } from '../../../kit/filters/filter-values.ts';
import { usePageSize } from '../../../kit/filters/page-size.ts';
import { url, useUrlState } from '../../../kit/filters/url-state.ts';

/** How a list is grouped (docs/specification.md §33), as in its address; '' where it is not. */
export interface GroupTexts {
  /** 'owner', or 'owner,month'. */
  groupBy: string;
  /** 'paidAmount,asc' */
  groupSort: string;
  groupAs: string;
}
export const notGrouped: GroupTexts = { groupBy: '', groupSort: '', groupAs: '' };

/** The page, order and filters of a list. */
export interface ListPlace<T extends FilterTable> extends OrderTexts, GroupTexts {
  page: number;
  limit: number;
  filters: FilterTexts<T>;
}

const checkedText = (fallback: string, isValid: (text: string) => boolean) => ({
  ...url.text(fallback),
  parse: (text: string) => (isValid(text) ? text : undefined),
});

/**
 * What the address of a list contains beside the filters (docs/specification.md §19.6). The names are those of the API; `open`
 * is the id of the challan in the details dialog.
 */
const placeShape = {
  page: url.number(1),
  limit: limitValue(),
  sortBy: checkedText(usualOrder.sortBy, isSortBy),
  sortOrder: checkedText(usualOrder.sortOrder, isSortOrder),
  open: idValue(),
  groupBy: url.text(),
  groupSort: url.text(),
  groupAs: url.text(),
};
type PlaceChange = Partial<OrderTexts & GroupTexts & { page: number; limit: number; open: string }>;

/** The place of a list, kept in the address. The chosen page size is remembered under `id`. */
export function useListPlace<T extends FilterTable>(id: string, table: T) {
  const shape = useMemo((): typeof placeShape => ({ ...placeShape, ...filterShape(table) }), [table]);
  const [values, setUrl] = useUrlState(shape);
  const { open, limit: chosenSize, page, sortBy, sortOrder, groupBy, groupSort, groupAs } = values;
  const { limit, isFit, choose: chooseSize } = usePageSize(id, chosenSize);
  const filters = useMemo(() => {
    // The cast is safe: `shape` also contains the filters of the table.
    const texts = values as unknown as Readonly<Record<string, string>>;
    return Object.fromEntries(filterNames(table).map((name) => [name, texts[name]])) as FilterTexts<T>;
  }, [values, table]);
  const place = useMemo(
    (): ListPlace<T> => ({ page, limit, sortBy, sortOrder, filters, groupBy, groupSort, groupAs }),
    [page, limit, sortBy, sortOrder, filters, groupBy, groupSort, groupAs],
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
        // The cast is safe: no filter has the name of a key in `placeShape`.
        setUrl({ ...(change as object), page: 1 }, { replace: how === 'typing' }),
      [setUrl],
    ),
    /** Sets the filters, the order and the groups in one step. */
    setView: useCallback(
      (view: OrderTexts & Partial<GroupTexts> & { filters: Readonly<Record<string, string>> }): void =>
        setUrl({
          ...(noFilters(table) as object),
          ...setTexts(table, view.filters as Partial<FilterTexts<T>>),
          sortBy: view.sortBy,
          sortOrder: view.sortOrder,
          groupBy: view.groupBy ?? '',
          groupSort: view.groupSort ?? '',
          groupAs: view.groupAs ?? '',
          page: 1,
        }),
      [setUrl, table],
    ),
    resetFilters: useCallback((): void => setUrl({ ...(noFilters(table) as object), page: 1 }), [setUrl, table]),
    /** Goes back to the usual order; undefined if the list has it already. */
    sortNewestFirst: isUsual ? undefined : (): void => setUrl({ ...usualOrder, page: 1 }),
  };
}

/** The place as a query of the API. Empty filters are left out, so that the same list always has the same cache key. */
export function queryOf<T extends FilterTable>(table: T, { page, limit, sortBy, sortOrder, filters }: ListPlace<T>) {
  return { page, limit, sortBy, sortOrder, ...setTexts(table, filters) };
}
