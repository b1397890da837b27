import type { TdsBasis, TdsDeduction, TdsDeductionSort, TdsTotals } from '../../../shared/contract/tds.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { tdsDeductionFilters } from '../../../shared/filters/tds-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { bareConditions, isQuickToTest, isTpIndexed } from '../challans/challans-filter.queries.ts';
import { declaredOn, freight, paymentJoin } from '../challans/challans-row.queries.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { escapeLike, fetchInBatches, Parameters, preparedName, type Bind } from '../../sql/statements.ts';
import {
  countedBy,
  dayOf,
  deductedCondition,
  deductedSums,
  holderOf,
  lineOf,
  panOf,
  percentage,
  sumsOf,
  whereAll,
  type Counted,
} from './tds.queries.ts';

export interface DeductionFilter extends Pick<FilterOfList<typeof tdsDeductionFilters>, 'search' | 'pan' | 'deducted'> {
  line?: string | undefined;
}
export interface DeductionOrder {
  sortBy: TdsDeductionSort;
  sortOrder: 'asc' | 'desc';
}

const deductionOrders: Readonly<Record<TdsDeductionSort, (day: string) => string>> = {
  day: (day) => day,
  challanNumber: () => 'c.challan_number',
  ownerName: () => 'lower(o.name)',
  gross: () => freight,
  tdsAmount: () => 'c.tds_amount',
};

/**
 * SQL: the challans `c` of owners `o` that a search finds: by number, by TP number, and all of a PAN, as the register shows it. All
 * three are looked up in their indexes, unless the text is a part of so many numbers that reading all challans is quicker.
 */
function found(search: string, bind: Bind): string {
  const pattern = `'%' || ${bind(escapeLike(search))} || '%'`;
  const holders = `${holderOf} IN (SELECT ${holderOf} FROM owners AS o
    WHERE o.subadmin_id = $1 AND (o.name ILIKE ${pattern} OR o.pan_no ILIKE ${pattern}))`;
  // Numbers are like CH-2627-000001.
  const isPartOfNumber = /^[ch\d-]*$/i.test(search);
  if (!isTpIndexed({ tpNo: search }) || (isPartOfNumber && isQuickToTest({ challanNumber: search })))
    return `(c.challan_number ILIKE ${pattern} OR c.tp_no ILIKE ${pattern} OR ${holders})`;
  const ways = [
    `c.id = ANY (ARRAY(SELECT hit.id FROM search_challans_by_tp(${bind(search)}) AS hit))`,
    `c.owner_id = ANY (ARRAY(SELECT o.id FROM owners AS o WHERE o.subadmin_id = $1 AND ${holders}))`,
    ...(isPartOfNumber ? bareConditions({ challanNumber: search }, bind) : []),
  ];
  return `(${ways.join(' OR ')})`;
}

/**
 * SQL: the deductions of a filter, without the payment, which is looked up only for the rows that are shown. The owner is
 * joined where the filter or the caller needs it.
 */
function deductionsOf(
  { period, settings, isNear }: Counted,
  filter: DeductionFilter,
  bind: Bind,
  needsOwner: boolean,
  joins = '',
): string {
  const { search, pan, deducted, line } = filter;
  const isByOwner = needsOwner || search !== undefined || pan !== undefined || line !== undefined;
  const conditions = [
    countedBy(
      settings.basis,
      bind(period.from),
      bind(period.to),
      !isNear && search === undefined && line === undefined,
    ),
    ...deductedCondition(deducted),
    ...(pan === undefined ? [] : [`${panOf} IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(search === undefined ? [] : [found(search, bind)]),
    ...(line === undefined
      ? []
      : [
          `${lineOf(holderOf, percentage)} = ${bind(line)}`,
          // Uses the index of owners, because the owners of a line are few.
          `c.owner_id = ANY (ARRAY(
             SELECT s.owner_id FROM ${sumsOf(settings.basis, bind(period.from), bind(period.to))}
               JOIN owners AS o ON o.subadmin_id = $1 AND o.id = s.owner_id
             WHERE ${lineOf(holderOf, 's.tds_percentage')} = ${bind(line)}))`,
        ]),
  ];
  const challans =
    isNear && settings.basis === 'paid' ? paidBetween(bind(period.from), bind(period.to)) : 'challans AS c';
  return `FROM ${challans} ${isByOwner ? 'JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id' : ''} ${joins}
     WHERE ${conditions.join(' AND ')}`;
}

const orderOf = (basis: TdsBasis, { sortBy, sortOrder }: DeductionOrder): string =>
  `${deductionOrders[sortBy](dayOf[basis])} ${sortOrder === 'asc' ? 'ASC' : 'DESC'}, c.created_at, c.id`;

export function selectDeductionTotals(db: TenantDb, counted: Counted, filter: DeductionFilter): Promise<TdsTotals> {
  const { values, bind } = new Parameters(db);
  return db.one<TdsTotals>(
    filter.search === undefined
      ? rollUpTotals(counted, filter, bind)
      : `SELECT count(*)::int AS "challanCount", round(coalesce(sum(${freight}), 0), 2) AS gross,
           round(coalesce(sum(c.tds_amount), 0), 2) AS "tdsAmount" ${deductionsOf(counted, filter, bind, false)}`,
    values,
  );
}

/** SQL: the totals from the roll-up. Not for a search, because the roll-up has no challan numbers. */
function rollUpTotals({ period, settings }: Counted, { pan, deducted, line }: DeductionFilter, bind: Bind): string {
  const ofOwner = [
    ...(pan === undefined ? [] : [`${panOf} IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(line === undefined ? [] : [`${lineOf(holderOf, 's.tds_percentage')} = ${bind(line)}`]),
  ];
  return `SELECT coalesce(sum(challans), 0)::int AS "challanCount", round(coalesce(sum(gross), 0), 2) AS gross,
      round(coalesce(sum(tds_amount), 0), 2) AS "tdsAmount"
    FROM ${sumsOf(settings.basis, bind(period.from), bind(period.to))}
      ${ofOwner.length === 0 ? '' : 'JOIN owners AS o ON o.subadmin_id = $1 AND o.id = s.owner_id'}
    ${whereAll([...deductedSums(deducted), ...ofOwner])}`;
}

const deductionColumns = (basis: TdsBasis): string => `
  c.id, c.challan_number AS "challanNumber", c.tp_no AS "tpNo", c.vehicle_no AS "vehicleNo", o.name AS "ownerName",
  ${panOf} AS "panNo", nullif(at_payment.pan_no, o.pan_no) AS "panWhenPaid", c.loading_on AS "loadingOn",
  c.deposited_on AS "depositedOn", c.paid_on AS "paidOn", CASE WHEN paying.id IS NOT NULL THEN json_build_object('id', paying.id, 'number', paying.number) END AS payment, ${dayOf[basis]} AS day,
  ${freight} AS gross, ${percentage} AS "tdsPercentage", c.tds_amount AS "tdsAmount",
  ${declaredOn} AS "declaredOn", c.net_amount_payable AS "netAmountPayable"`;

const paymentJoins = `${paymentJoin('$1')}
  LEFT JOIN payment_batch_owners AS at_payment
    ON at_payment.subadmin_id = $1 AND at_payment.batch_id = paying.id AND at_payment.owner_id = c.owner_id`;

type DeductionQuery = DeductionFilter & DeductionOrder & Paging;

/**
 * Returns a page of deductions. Sorted by day, a page is usually found in the first days of the period. When the filter
 * leaves too few rows there, the whole period is read.
 */
export async function selectDeductions(db: TenantDb, counted: Counted, query: DeductionQuery): Promise<TdsDeduction[]> {
  const isNear = query.sortBy === 'day' && query.search === undefined && query.line === undefined;
  const near = isNear ? await selectNearDays(db, counted, query) : undefined;
  const page = near && (await selectDeductionPage(db, near, query));
  return page?.length === query.limit ? page : selectDeductionPage(db, counted, query);
}

/**
 * Returns the period of the first days that have enough rows for the page; undefined when only the whole period has.
 */
async function selectNearDays(
  db: TenantDb,
  { period, settings }: Counted,
  query: DeductionQuery,
): Promise<Counted | undefined> {
  const { pan, deducted, sortOrder } = query;
  const isFiltered = pan !== undefined || deducted !== undefined;
  const rows = offsetOf(query) + query.limit;
  const [day, table] = {
    // A row of payment_sums is one payment of one owner with one or more challans.
    paid: ['paid_on', 'payment_sums WHERE challans > 0'],
    deposited: ['deposited_on', 'challans WHERE deleted_at IS NULL'],
  }[settings.basis];
  const found = await db.query<{ day: string }>(
    `SELECT ${day} AS day FROM ${table} AND subadmin_id = $1 AND ${day} BETWEEN $2::date AND $3::date
     ORDER BY ${day} ${sortOrder === 'asc' ? 'ASC' : 'DESC'} LIMIT 1 OFFSET $4`,
    [db.tenantId, period.from, period.to, isFiltered ? 1_000 + 20 * rows : rows],
  );
  const [last] = found.rows;
  if (!last) return undefined;
  const days = sortOrder === 'asc' ? { to: last.day } : { from: last.day };
  return { period: { ...period, ...days }, settings, isNear: true };
}

/**
 * SQL: the challans that were paid in these days, found through the payments. No index contains the day of a challan's
 * payment, because every payment would have to write it.
 */
const paidBetween = (from: string, to: string): string => `(
    SELECT DISTINCT l.challan_id FROM payment_lines AS l
    WHERE l.subadmin_id = $1 AND l.kind = 'pay' AND l.batch_id IN (
      SELECT p.batch_id FROM payment_sums AS p
      WHERE p.subadmin_id = $1 AND p.paid_on BETWEEN ${from}::date AND ${to}::date)
  ) AS near CROSS JOIN LATERAL (
    SELECT * FROM challans WHERE subadmin_id = $1 AND id = near.challan_id LIMIT 1) AS c`;

async function selectDeductionPage(db: TenantDb, counted: Counted, query: DeductionQuery): Promise<TdsDeduction[]> {
  const { values, bind } = new Parameters(db);
  const { basis } = counted.settings;
  const text = `WITH page AS MATERIALIZED (
       SELECT c.id, row_number() OVER () AS place FROM (
         SELECT c.id ${deductionsOf(counted, query, bind, query.sortBy === 'ownerName')} ORDER BY ${orderOf(basis, query)}
         LIMIT ${bind(query.limit)} OFFSET ${bind(offsetOf(query))}) AS c
     )
     SELECT ${deductionColumns(basis)}
     FROM page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id
       JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id ${paymentJoins}
     ORDER BY page.place`;
  // Planning takes longer than the first page of the near days, and the plan that is kept is also the faster one further on.
  const name = counted.isNear ? preparedName('deductions', text) : undefined;
  const { rows } = await db.query<TdsDeduction>(text, values, name);
  return rows;
}

/** Yields all deductions through a cursor of the transaction, for a file. */
export function deductionRows(
  db: TenantDb,
  counted: Counted,
  filter: DeductionFilter & DeductionOrder,
): AsyncGenerator<TdsDeduction[]> {
  const { values, bind } = new Parameters(db);
  const { basis } = counted.settings;
  return fetchInBatches<TdsDeduction>(
    db,
    'deductions',
    `SELECT ${deductionColumns(basis)} ${deductionsOf(counted, filter, bind, true, paymentJoins)}
     ORDER BY ${orderOf(basis, filter)}`,
    values,
  );
}
