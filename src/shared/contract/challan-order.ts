import { z } from 'zod';
import {
  challanFieldNames,
  challanSortKeys,
  columnFields,
  type ChallanFieldName,
  type ChallanSortKey,
} from './challan-fields.ts';
import { documented, optionalQuery, sortOrder } from './scalars.ts';

/** A list of challans is ordered by the first field, and where that is equal by the next one. */
export interface ChallanSort {
  key: ChallanSortKey;
  order: 'asc' | 'desc';
}
export type ChallanOrder = readonly ChallanSort[];

/** The order in the API and in a URL: `sortBy=tagName,netAmountPayable&sortOrder=asc,desc`. */
export interface OrderTexts {
  sortBy: string;
  sortOrder: string;
}

/** The default order (docs/specification.md §8.1 and §9.2). */
export const newestFirst: ChallanOrder = [{ key: 'createdAt', order: 'desc' }];

/** Sorting by more fields than this changes nothing that a person would notice. */
const mostSorts = 5;

const isKey = (text: string): text is ChallanSortKey => challanSortKeys.some((key) => key === text);
const isOrder = (text: string): text is ChallanSort['order'] => sortOrder.safeParse(text).success;

export function isSortBy(text: string): boolean {
  const keys = text.split(',');
  return keys.every(isKey) && new Set(keys).size === keys.length && keys.length <= mostSorts;
}
export const isSortOrder = (text: string): boolean => text.split(',').every(isOrder);

/** Reads an order. Each field has a direction; where fewer are given, the last one holds for the other fields. */
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

/** The pattern of a comma-separated list of these words. */
const listOf = (words: readonly string[], most: number): string =>
  `^(${words.join('|')})(,(${words.join('|')})){0,${most - 1}}$`;

export const sortByText = z
  .string()
  .refine(isSortBy, `must be up to ${mostSorts} different ones of ${challanSortKeys.join(', ')}`)
  .register(documented, {
    type: 'string',
    // The lookahead refuses a list that has a word twice.
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

/** The order in a query string. */
export const orderQuery = {
  sortBy: optionalQuery(sortByText).transform((value) => value ?? usualOrder.sortBy),
  sortOrder: optionalQuery(sortOrderText).transform((value) => value ?? usualOrder.sortOrder),
};

const isField = (text: string): text is ChallanFieldName => challanFieldNames.some((name) => name === text);

/** The fields that a list is asked for, in a query string: `fields=vehicleNo,tag`. */
export const fieldsText = z
  .string()
  .refine((text) => text.split(',').every(isField), 'must be names of fields of a challan, with commas')
  .transform((text) => text.split(',').filter(isField))
  .register(documented, {
    type: 'string',
    pattern: listOf(challanFieldNames, challanFieldNames.length),
    description: 'The fields of each challan that are answered, beside those that every list has',
  });

/** The columns of a file: those that the table on the screen shows, in its order. */
export const columnsOfFile = z
  .array(z.enum(columnFields))
  .min(1, 'must have at least one column')
  .refine((names) => new Set(names).size === names.length, 'must have each column once')
  .register(documented, { uniqueItems: true });
