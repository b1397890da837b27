import { z } from 'zod';
import { exceptionFilters, exceptionKindNames } from '../filters/exception-kinds.ts';
import { endpoint, filePair } from './define.ts';
import { filterQuery } from './filters.ts';
import { day, ids, instant, pageQuery, pagination, sortQuery, text, total } from './scalars.ts';

/** What is unusual, each with its effect in rupees (docs/specification.md §35). */

const kind = z.enum(exceptionKindNames, { error: 'must be one of the kinds of exceptions' });

const exception = z.object({
  /** The same for the same exception in every order and on every page. */
  id: z.string(),
  kind,
  /** What `fine` takes: this one, or `pattern`: also every later one of this vehicle on this route. null: there is none. */
  subject: z.string(),
  pattern: z.string().nullable(),
  /** null: of several challans, or of a bill. */
  challanId: z.string().nullable(),
  challanNumber: z.string().nullable(),
  tpNo: z.string().nullable(),
  /** Of loading; of several trips the last one; of a bill its own. */
  day,
  route: z.string().nullable(),
  vehicleNo: z.string().nullable(),
  driverName: z.string().nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  /** The trips that a pattern was found in; 1 for a challan, 0 for a bill. */
  tripCount: z.number(),
  /** In the unit of the kind; null where nothing is measured. */
  usual: z.string().nullable(),
  actual: z.string().nullable(),
  /** The challan that it is in conflict with. */
  otherNumber: z.string().nullable(),
  effect: total,
  fine: z.object({ id: z.string(), reason: z.string(), createdBy: z.string(), createdAt: instant }).nullable(),
});
export type Exception = z.output<typeof exception>;

const routeShortage = z.object({
  /** 'Joda → Paradip Port' */
  route: z.string(),
  challanCount: z.number(),
  amount: total,
});
export type RouteShortage = z.output<typeof routeShortage>;

export const exceptionSorts = ['effect', 'day'] as const;
export type ExceptionSort = (typeof exceptionSorts)[number];

const filters = { ...filterQuery(exceptionFilters), ...sortQuery(exceptionSorts, 'effect', 'desc') };
const nothingChosen = 'Please choose at least one exception';
export const mostFineAtOnce = 100;

/** Almost any write may change what is unusual, and every write touches the history. */
export const exceptions = {
  list: endpoint('history', 'GET /exceptions', {
    summary: 'What is unusual in the challans of some days, by its effect in rupees, and the shortage of their routes',
    query: z.object({ ...pageQuery, ...filters }),
    answer: z.object({
      data: z.array(exception),
      pagination,
      totals: z.object({ effect: total }),
      routes: z.array(routeShortage),
    }),
    stopsWithClient: true,
    mayLag: true,
  }),
  getSummary: endpoint('history', 'GET /exceptions/summary', {
    summary: 'How many exceptions are in the challans that were entered in the last 7 days, and their effect',
    answer: z.object({ data: z.object({ count: z.number(), effect: total }) }),
    stopsWithClient: true,
    mayLag: true,
  }),
  ...filePair('history', 'GET /exceptions/csv', {
    summary: 'The exceptions of a filter as a CSV file',
    query: z.object(filters),
    mayLag: true,
  }),
  setFine: endpoint('history', 'POST /exceptions/fine', {
    summary: 'Remember why exceptions are in order',
    right: 'pay',
    body: z.strictObject({
      items: z
        .array(z.strictObject({ kind, subject: text(500, { required: 'must not be empty' }) }), {
          error: nothingChosen,
        })
        .min(1, nothingChosen)
        .max(mostFineAtOnce, `must be at most ${mostFineAtOnce} at once`),
      reason: text(500, { lines: true, required: 'Please enter a reason' }),
    }),
    answer: z.object({ data: z.object({ count: z.number() }) }),
    errors: ['NOT_FOUND'],
    touches: ['history'],
  }),
  takeBack: endpoint('history', 'POST /exceptions/take-back', {
    summary: 'Forget that exceptions are in order',
    right: 'pay',
    body: z.strictObject({ ids: ids(mostFineAtOnce, nothingChosen) }),
    answer: z.object({ data: z.object({ count: z.number() }) }),
    touches: ['history'],
  }),
};
