import type { Pagination } from '../../shared/contract/scalars.ts';
import type { GlobalDb, TenantDb } from '../db/tenant.ts';
import { countRows, type Bind } from './statements.ts';

export interface Paging {
  page: number;
  limit: number;
}

/**
 * Returns the `pagination` of a paged answer. A page past the end is an empty list with the true count
 * (docs/specification.md §14.3).
 */
export function paginationOf(query: Paging, totalCount: number): Pagination {
  const totalPages = Math.ceil(totalCount / query.limit);
  return {
    currentPage: query.page,
    limit: query.limit,
    totalPages,
    totalCount,
    hasNext: query.page < totalPages,
    hasPrevious: query.page > 1,
    offset: offsetOf(query),
  };
}

/** Returns the offset for a database function that takes an integer. No list is longer than that. */
export function integerOffsetOf(query: Paging): number {
  return Math.min(offsetOf(query), 2 ** 31 - 1);
}

export function offsetOf(query: Paging): number {
  return (query.page - 1) * query.limit;
}

/** The answer of a paged list. */
export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

/** A page of what a search found, as the calls of a search answer it. */
export const searchAnswer = <T>(searchTerm: string, { data, pagination }: Page<T>) => ({
  results: data,
  count: pagination.totalCount,
  searchTerm,
  pagination,
});

/**
 * Returns a page of a list. `source` is the SQL after FROM that counts all of it, and `text` reads the page: its last two
 * parameters, which come after the `values` of both, are LIMIT and OFFSET.
 */
export async function selectPage<T extends object>(
  db: GlobalDb | TenantDb,
  query: Paging,
  source: string,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<Page<T>> {
  const [data, count] = await Promise.all([
    db.records<T>(text, [...values, query.limit, offsetOf(query)], name),
    countRows(db, source, values, name?.replace(/^\w+/, 'count')),
  ]);
  return { data, pagination: paginationOf(query, count) };
}

/** The rows of a page within the sorted list. */
export interface Slice {
  offset: number;
  limit: number;
  /** The offset counts from the end of the list. */
  isReversed: boolean;
}

export const pageOf = (query: Paging): Slice => ({
  offset: offsetOf(query),
  limit: query.limit,
  isReversed: false,
});

/** The same page, counted from the end if that skips fewer rows. `rest` is the number of rows from the offset to the end. */
export function nearerEnd(page: Slice, rest: number): Slice {
  const limit = Math.min(page.limit, rest);
  const fromEnd = rest - limit;
  return fromEnd < page.offset ? { offset: fromEnd, limit, isReversed: true } : { ...page, limit };
}

export const sliceOf = ({ limit, offset }: Slice, bind: Bind): string =>
  `LIMIT ${limit}${offset === 0 ? '' : ` OFFSET ${bind(offset)}`}`;
