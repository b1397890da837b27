import type { Pagination } from '../../shared/contract/scalars.ts';

/**
 * Returns the `pagination` of a paged answer. A page past the end is an empty list with the true count
 * (docs/specification.md §14.3).
 */
export function paginationOf(query: { page: number; limit: number }, totalCount: number): Pagination {
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
export function integerOffsetOf(query: { page: number; limit: number }): number {
  return Math.min(offsetOf(query), 2 ** 31 - 1);
}

export function offsetOf(query: { page: number; limit: number }): number {
  return (query.page - 1) * query.limit;
}
