import { z } from 'zod';
import { challanListFilters } from '../filters/challan-filters.ts';
import { endpoint, filePair } from './define.ts';
import { filterBody, filterQuery, inRangeOrder } from './filters.ts';
import { documented, optionalQuery, pageQuery, pagination, signedTotal, sortOrder, total } from './scalars.ts';

/** The challan list by groups, with their subtotals (docs/specification.md §33). */

/** By what challans are grouped, in the order in which the screen offers it. */
export const groupKeys = {
  owner: 'Owner',
  tag: 'Tag',
  route: 'Route',
  loadingPlace: 'Loading Place',
  unloadingPlace: 'Unloading Place',
  vehicle: 'Vehicle No',
  driver: 'Driver',
  material: 'Material',
  pump: 'Petrol Pump',
  month: 'Month',
  week: 'Week',
  paid: 'Paid',
  payment: 'Payment No',
} as const;
export type GroupKey = keyof typeof groupKeys;
// Object.keys widens to string; these are the table's keys. The same holds for the figures below.
export const groupKeyNames = Object.keys(groupKeys) as GroupKey[];

/** What is added up of the challans of a group, in the order of the table. The net is the freight less the deductions. */
export const groupFigures = {
  challanCount: { label: 'Challans', answer: z.number() },
  netAmountPayable: { label: 'Net Amount', answer: signedTotal },
  paidAmount: { label: 'Paid', answer: signedTotal },
  unpaidAmount: { label: 'Unpaid', answer: signedTotal },
  freight: { label: 'Freight', answer: total },
  tdsAmount: { label: 'TDS', answer: total },
  hsdAmount: { label: 'HSD', answer: total },
  advanceMoney: { label: 'Advance', answer: total },
  officeCharges: { label: 'Office', answer: total },
  materialShortageAmount: { label: 'Material Shortage', answer: total },
  loadingWeight: { label: 'Loading Weight', answer: total },
  unloadingWeight: { label: 'Unloading Weight', answer: total },
  differenceWeight: { label: 'Difference', answer: signedTotal },
  shortageAmount: { label: 'Shortage Amount', answer: total },
};
export type GroupFigure = keyof typeof groupFigures;
export const groupFigureNames = Object.keys(groupFigures) as GroupFigure[];

const figures = z.object(
  // Safe: each figure comes with its own schema.
  Object.fromEntries(groupFigureNames.map((name) => [name, groupFigures[name].answer])) as {
    [F in GroupFigure]: (typeof groupFigures)[F]['answer'];
  },
);
export type GroupFigures = z.output<typeof figures>;

const challanGroup = figures.extend({
  /** The same for the same group in every order and on every page. */
  id: z.string(),
  /** 2: a part of the group of level 1 before it. */
  level: z.union([z.literal(1), z.literal(2)]),
  /** The name of the group, and that of the part; null where the row is the whole group. */
  first: z.string(),
  second: z.string().nullable(),
  /** The list's filters that find exactly the challans of the group, beside those that are set. As in an address. */
  filters: z.record(z.string(), z.string()),
});
export type ChallanGroup = z.output<typeof challanGroup>;

export const groupSorts = ['name', ...groupFigureNames] as const;
export type GroupSort = (typeof groupSorts)[number];
export const usualGroupSort = { sortBy: 'netAmountPayable', sortOrder: 'desc' } as const;

/** The columns of the table and of its file. Only two levels have the second. */
export const groupColumnKeys = ['first', 'second', ...groupFigureNames] as const;

const isKey = (text: string): text is GroupKey => groupKeyNames.some((key) => key === text);

/** 'owner' or 'owner,month' as keys; undefined where it is neither. */
export function readGroupBy(text: string): [GroupKey] | [GroupKey, GroupKey] | undefined {
  const [first = '', second, ...others] = text.split(',');
  if (!isKey(first) || others.length > 0 || first === second) return undefined;
  if (second === undefined) return [first];
  return isKey(second) ? [first, second] : undefined;
}

const anyKey = groupKeyNames.join('|');
const groupByText = z
  .string({ error: 'must be one or two of the groups' })
  .refine(
    (text) => readGroupBy(text) !== undefined,
    `must be one or two different ones of ${groupKeyNames.join(', ')}, with a comma`,
  )
  // Safe: it was just read.
  .transform((text) => readGroupBy(text)!)
  .register(documented, { type: 'string', pattern: `^(?!(\\w+),\\1$)(${anyKey})(,(${anyKey}))?$` });

const sortBy = z.enum(groupSorts, { error: `must be one of ${groupSorts.join(', ')}` });

const fileBody = z.strictObject({
  filters: inRangeOrder(z.strictObject(filterBody(challanListFilters)), challanListFilters),
  groupBy: groupByText,
  sortBy: sortBy.optional(),
  sortOrder: sortOrder.optional(),
  /** Those that the screen shows, in its order; all of them where they are absent. */
  columns: z
    .array(z.enum(groupColumnKeys))
    .min(1, 'must have at least one column')
    .refine((names) => new Set(names).size === names.length, 'must have each column once')
    .register(documented, { uniqueItems: true })
    .optional(),
});

export const challanGroups = {
  list: endpoint('challans', 'GET /challans/groups', {
    summary: 'The challans of a filter by groups of one or two levels, with the sums of each and of all',
    query: inRangeOrder(
      z.object({
        ...pageQuery,
        groupBy: groupByText,
        sortBy: optionalQuery(sortBy).transform((value) => value ?? usualGroupSort.sortBy),
        sortOrder: optionalQuery(sortOrder).transform((value) => value ?? usualGroupSort.sortOrder),
        ...filterQuery(challanListFilters),
      }),
      challanListFilters,
    ),
    answer: z.object({ data: z.array(challanGroup), pagination, totals: figures, groupCount: z.number() }),
    stopsWithClient: true,
  }),
  ...filePair('challans', 'POST /challans/groups/csv', {
    mayLag: true,
    summary: 'All groups of a filter as a CSV file, as the table shows them',
    reads: true,
    body: fileBody,
  }),
};
