import { z } from 'zod';
import { challanSortKeys, columnFields, type ChallanSortKey } from './challan-fields.ts';
import { documented, optionalQuery, sortOrder } from './scalars.ts';

/** The order of a list of challans: by one field, and where that is the same by the next one. */
export interface ChallanSort {
  key: ChallanSortKey;
  order: 'asc' | 'desc';
}
export type ChallanOrder = readonly ChallanSort[];

/** The order as the API and an address have it: `sortBy=tagName,netAmountPayable&sortOrder=asc,desc`. */
export interface OrderTexts {
  sortBy: string;
  sortOrder: string;
}

/** The usual order (docs/specification.md §8.1 and §9.2). */
export const newestFirst: ChallanOrder = [{ key: 'createdAt', order: 'desc' }];

/** More fields than this change nothing that a person would see. */
const mostSorts = 5;

const isKey = (text: string): text is ChallanSortKey => challanSortKeys.some((key) => key === text);
const isOrder = (text: string): text is ChallanSort['order'] => sortOrder.safeParse(text).success;

export function isSortBy(text: string): boolean {
  const keys = text.split(',');
  return keys.every(isKey) && new Set(keys).size === keys.length && keys.length <= mostSorts;
}
export const isSortOrder = (text: string): boolean => text.split(',').every(isOrder);

/** A direction for each field; where fewer are given, the last of them holds for the rest. */
export function orderOfTexts({ sortBy, sortOrder: directions }: OrderTexts): ChallanOrder {
  const orders = directions.split(',').filter(isOrder);
  return sortBy
    .split(',')
    .filter(isKey)
    .map((key, index) => ({ key, order: orders[index] ?? orders.at(-1) ?? 'desc' }));
}

export const textsOfOrder = (order: ChallanOrder): OrderTexts => ({
  sortBy: order.map(({ key }) => key).join(),
  sortOrder: order.map((sort) => sort.order).join(),
});

export const usualOrder = textsOfOrder(newestFirst);

/** Some of the words with commas. */
const listOf = (words: readonly string[], most: number): string =>
  `^(${words.join('|')})(,(${words.join('|')})){0,${most - 1}}$`;

export const sortByText = z
  .string()
  .refine(isSortBy, `must be up to ${mostSorts} different ones of ${challanSortKeys.join(', ')}`)
  .register(documented, {
    type: 'string',
    // None twice.
    pattern: listOf(challanSortKeys, mostSorts).replace('^', '^(?!(.*,)?(\\w+),(.*,)?\\2(,|$))'),
  });
export const sortOrderText = z
  .string()
  .refine(isSortOrder, 'must be asc or desc, or several with commas')
  .register(documented, {
    type: 'string',
    pattern: listOf(sortOrder.options, mostSorts),
    description: 'One for all, or one for each of sortBy',
  });

/** Of a query string. */
export const orderQuery = {
  sortBy: optionalQuery(sortByText).transform((value) => value ?? usualOrder.sortBy),
  sortOrder: optionalQuery(sortOrderText).transform((value) => value ?? usualOrder.sortOrder),
};

/** The columns of a file: those that a table shows, in its order. */
export const columnsOfFile = z
  .array(z.enum(columnFields))
  .min(1, 'must have at least one column')
  .refine((names) => new Set(names).size === names.length, 'must have each column once')
  .register(documented, { uniqueItems: true });
