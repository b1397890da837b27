import { PLAUSIBLE_PAN } from '../../shared/calc/identity.ts';
import type { TaxPeriod } from '../../shared/calc/financial-year.ts';
import type {
  TdsBasis,
  TdsDeduction,
  TdsDeductionSort,
  TdsLine,
  TdsSettings,
  TdsSort,
  TdsTotals,
} from '../../shared/contract/tds.ts';
import type { FilterOfList } from '../../shared/filters/define.ts';
import type { tdsDeductionFilters, tdsFilters } from '../../shared/filters/tds-filters.ts';
import type { TenantDb } from '../db/tenant.ts';
import { freight, paymentJoin } from './challans-row.ts';
import { escapeLike, Parameters, type Bind } from './filter-conditions.ts';
import { fetchInBatches } from './cursor.ts';
import { offsetOf } from './paging.ts';

interface Counted {
  period: TaxPeriod;
  settings: TdsSettings;
  /** Set when the period is only a few days, whose few challans are found through what was paid in them. */
  isNear?: boolean;
}

/**
 * SQL: the stored percentage, else the derived one as in the form (docs/specification.md §8.4.3); null where nothing
 * was deducted.
 */
const percentage =
  'nullif(tds_percentage_of(c.tds_percentage, c.tds_amount, least(c.loading_weight, c.unloading_weight) * c.rate_per_mt), -1)';

const dayOf: Readonly<Record<TdsBasis, string>> = { paid: 'c.paid_on', deposited: 'c.deposited_on' };

/**
 * SQL: the challans of a basis and period. A paid challan has the day of the payment that pays it now; a reversed
 * payment counts nowhere.
 */
const countedBy = (basis: TdsBasis, from: string, to: string): string =>
  `c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${basis === 'paid' ? 'c.payment_status AND ' : ''}${dayOf[basis]}
     BETWEEN ${from}::date AND ${to}::date`;

/**
 * SQL: the sums `s` of these challans by owner, percentage and quarter, for all owners or some. This works because a
 * period consists of whole quarters (migration 005).
 */
function rollUpSums(basis: TdsBasis, from: string, to: string, owners?: string): string {
  const sums = 'owner_id, nullif(tds_percentage, -1) AS percent, is_deducted, challans, gross, tds_amount';
  const [days, openDays] = ['quarter_from', `${basis}_on`].map((day) => `${day} BETWEEN ${from}::date AND ${to}::date`);
  const own = `subadmin_id = $1${owners === undefined ? '' : ` AND owner_id = ANY (${owners})`}`;
  return `(SELECT ${sums} FROM challan_totals_by_tax_quarter WHERE ${own} AND basis = '${basis}' AND ${days}
    UNION ALL SELECT ${sums} FROM challan_deltas WHERE ${own} AND ${openDays}) AS s`;
}

/**
 * SQL: the PAN of an owner `o` when it may be a real one. A line belongs to a PAN, or without one to the owner alone.
 */
const panOf = `CASE WHEN o.pan_no ~ '${PLAUSIBLE_PAN}' THEN o.pan_no END`;
const holderOf = `coalesce(${panOf}, o.id::text)`;
/** SQL: the id of a line, in the form of a UUID of version 4. So no PAN is in an address or a log. */
const lineOf = (holder: string, percent: string): string =>
  `overlay(overlay(md5($1::text || ' ' || ${holder} || ' ' || coalesce(${percent}::text, ''))
     PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid`;

type TdsFilter = Pick<FilterOfList<typeof tdsFilters>, 'search' | 'pan' | 'deducted'>;

const deductedCondition = (deducted: boolean | undefined): string[] =>
  deducted === undefined ? [] : [deducted ? 'c.tds_amount > 0' : 'c.tds_amount = 0'];
const deductedSums = (deducted: boolean | undefined): string[] =>
  deducted === undefined ? [] : [deducted ? 's.is_deducted' : 'NOT s.is_deducted'];
const whereAll = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

export interface TdsQuery extends TdsFilter {
  page: number;
  limit: number;
  sortBy: TdsSort;
  sortOrder: 'asc' | 'desc';
}

const lineOrders: Readonly<Record<TdsSort, string>> = {
  panNo: 'pan',
  ownerName: 'lower(names[1])',
  tdsPercentage: 'percent',
  challanCount: 'challans',
  gross: 'gross',
  tdsAmount: 'tds',
};

interface LineRow {
  id: string;
  holder: string;
  panNo: string | null;
  ownerNames: string[];
  tdsPercentage: string | null;
  challanCount: number;
  gross: string;
  tdsAmount: string;
}
type LinePage = TdsTotals & { lines: number; page: LineRow[] };

/**
 * Returns a page of the register with the sums of the filter. The roll-up is summed by owner and percentage before
 * anything is joined. Challans are read only for the thresholds, and only those of the page. A search that finds one
 * owner of a PAN shows the whole PAN.
 */
export async function selectTdsLines(
  db: TenantDb,
  { period, settings }: Counted,
  query: TdsQuery,
): Promise<{ data: TdsLine[]; totals: TdsTotals; count: number }> {
  const { values, bind } = new Parameters(db);
  const { page, limit, sortBy, sortOrder, search, pan, deducted } = query;
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const sums = rollUpSums(settings.basis, bind(period.from), bind(period.to));
  const wanted = [
    ...(pan === undefined ? [] : [`pan IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(search === undefined ? [] : [searchOfHolders(search, bind)]),
  ];
  const { rows } = await db.query<LinePage>(
    `WITH sums AS MATERIALIZED (
       SELECT owner_id, percent, sum(challans::int) AS challans, sum(gross) AS gross, sum(tds_amount) AS tds
       FROM ${sums} ${whereAll(deductedSums(deducted))} GROUP BY 1, 2 HAVING sum(challans) <> 0
     ), holders AS MATERIALIZED (
       SELECT o.id, o.name, o.pan_no, o.pan, coalesce(o.pan, o.id::text) AS holder
       FROM (SELECT o.id, o.name, o.pan_no, ${panOf} AS pan FROM owners AS o WHERE o.subadmin_id = $1) AS o
     ), named AS MATERIALIZED (
       SELECT s.*, o.name, o.pan_no, o.pan, o.holder FROM sums AS s JOIN holders AS o ON o.id = s.owner_id
     ), lines AS MATERIALIZED (
       SELECT holder, pan, percent, array_agg(DISTINCT name ORDER BY name) AS names,
         sum(challans)::int AS challans, sum(gross) AS gross, sum(tds) AS tds
       FROM named ${whereAll(wanted)} GROUP BY holder, pan, percent
     ), page AS (
       SELECT ${lineOf('holder', 'percent')} AS id, holder, pan AS "panNo", names AS "ownerNames", percent::text AS "tdsPercentage",
         challans AS "challanCount", gross::text AS gross, tds::text AS "tdsAmount"
       FROM (
         SELECT * FROM lines ORDER BY ${lineOrders[sortBy]} ${direction} NULLS LAST, lower(names[1]), holder, percent
         LIMIT ${bind(limit)} OFFSET ${bind(offsetOf({ page, limit }))}
       ) AS shown
     )
     SELECT count(*)::int AS lines, coalesce(sum(challans), 0)::int AS "challanCount",
       round(coalesce(sum(gross), 0), 2) AS gross, round(coalesce(sum(tds), 0), 2) AS "tdsAmount",
       (SELECT coalesce(json_agg(page), '[]') FROM page) AS page
     FROM lines`,
    values,
  );
  // An aggregate without GROUP BY returns one row.
  const { lines, page: found, ...totals } = rows[0]!;
  const holders = [...new Set(found.map(({ holder }) => holder))];
  const [years, crossings, aboves] = await Promise.all([
    selectYears(db, { period, settings }, holders),
    settings.yearThreshold === null ? null : selectCrossings(db, { period, settings }, holders),
    settings.challanThreshold === null ? null : selectAboves(db, { period, settings }, holders, deducted),
  ]);
  return {
    count: lines,
    totals,
    data: found.map(({ holder, ...line }) => ({
      ...line,
      yearGross: years.get(holder) ?? line.gross,
      crossedOn: crossings?.get(holder) ?? null,
      aboveCount: aboves?.get(line.id) ?? 0,
    })),
  };
}

const searchOfHolders = (search: string, bind: Bind): string => {
  const pattern = `'%' || ${bind(escapeLike(search))} || '%'`;
  return `holder IN (SELECT holder FROM named WHERE name ILIKE ${pattern} OR pan_no ILIKE ${pattern})`;
};

/**
 * SQL: the owners of these holders. Those whose PAN or id is in the list are few; only for them the holder itself is
 * computed.
 */
const held = `held AS MATERIALIZED (
  SELECT o.id, ${holderOf} AS holder FROM owners AS o WHERE o.subadmin_id = $1
    AND CASE WHEN o.pan_no = ANY ($2::text[]) OR o.id::text = ANY ($2::text[]) THEN ${holderOf} = ANY ($2::text[]) END)`;

/** Returns the gross since April of the holders of a page. */
async function selectYears(
  db: TenantDb,
  { period, settings }: Counted,
  holders: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ holder: string; gross: string }>(
    `WITH ${held}
     SELECT h.holder, sum(s.gross) AS gross
     FROM held AS h JOIN ${rollUpSums(settings.basis, '$3', '$4', 'ARRAY(SELECT id FROM held)')} ON s.owner_id = h.id
     GROUP BY h.holder`,
    [db.tenantId, holders, period.yearFrom, period.to],
  );
  return new Map(rows.map(({ holder, gross }) => [holder, gross]));
}

/** Returns the day on which that gross exceeded the threshold of the year. */
async function selectCrossings(
  db: TenantDb,
  { period, settings }: Counted,
  holders: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await db.query<{ holder: string; day: string | null }>(
    `WITH ${held}, days AS (
       SELECT h.holder, ${dayOf[settings.basis]} AS day, sum(${freight}) AS gross
       FROM held AS h JOIN challans AS c ON ${countedBy(settings.basis, '$3', '$4')} AND c.owner_id = h.id
       GROUP BY 1, 2
     ), running AS (
       SELECT holder, day, sum(gross) OVER (PARTITION BY holder ORDER BY day) AS so_far FROM days
     )
     SELECT holder, min(day)::text AS day FROM running WHERE so_far > $5::numeric GROUP BY holder`,
    [db.tenantId, holders, period.yearFrom, period.to, settings.yearThreshold],
  );
  return new Map(rows.map(({ holder, day }) => [holder, day]));
}

/** Returns by line the number of challans whose own gross is above the threshold of one challan. */
async function selectAboves(
  db: TenantDb,
  { period, settings }: Counted,
  holders: readonly string[],
  deducted: boolean | undefined,
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; challans: number }>(
    `WITH ${held}
     SELECT ${lineOf('h.holder', percentage)} AS id, count(*)::int AS challans
     FROM held AS h JOIN challans AS c ON ${countedBy(settings.basis, '$3', '$4')} AND c.owner_id = h.id
     ${whereAll([`${freight} > $5::numeric`, ...deductedCondition(deducted)])} GROUP BY 1`,
    [db.tenantId, holders, period.from, period.to, settings.challanThreshold],
  );
  return new Map(rows.map(({ id, challans }) => [id, challans]));
}

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

/** SQL: the deductions of a filter, without the payment, which is looked up only for the rows that are shown. */
function deductionsOf({ period, settings, isNear }: Counted, filter: DeductionFilter, bind: Bind, joins = ''): string {
  const { search, pan, deducted, line } = filter;
  const pattern = search === undefined ? '' : `'%' || ${bind(escapeLike(search))} || '%'`;
  const conditions = [
    countedBy(settings.basis, bind(period.from), bind(period.to)),
    ...deductedCondition(deducted),
    ...(pan === undefined ? [] : [`${panOf} IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(search === undefined
      ? []
      : [
          // A search finds all challans of a PAN, as the register shows it.
          `(c.challan_number ILIKE ${pattern} OR c.tp_no ILIKE ${pattern} OR ${holderOf} IN (
             SELECT ${holderOf} FROM owners AS o
             WHERE o.subadmin_id = $1 AND (o.name ILIKE ${pattern} OR o.pan_no ILIKE ${pattern})))`,
        ]),
    ...(line === undefined
      ? []
      : [
          `${lineOf(holderOf, percentage)} = ${bind(line)}`,
          // Uses the index of owners, because the owners of a line are few.
          `c.owner_id = ANY (ARRAY(
             SELECT s.owner_id FROM ${rollUpSums(settings.basis, bind(period.from), bind(period.to))}
               JOIN owners AS o ON o.subadmin_id = $1 AND o.id = s.owner_id
             WHERE ${lineOf(holderOf, 's.percent')} = ${bind(line)}))`,
        ]),
  ];
  const challans =
    isNear && settings.basis === 'paid' ? paidBetween(bind(period.from), bind(period.to)) : 'challans AS c';
  return `FROM ${challans} JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id ${joins}
     WHERE ${conditions.join(' AND ')}`;
}

const orderOf = (basis: TdsBasis, { sortBy, sortOrder }: DeductionOrder): string =>
  `${deductionOrders[sortBy](dayOf[basis])} ${sortOrder === 'asc' ? 'ASC' : 'DESC'}, c.created_at, c.id`;

export async function selectDeductionTotals(
  db: TenantDb,
  counted: Counted,
  filter: DeductionFilter,
): Promise<TdsTotals> {
  const { values, bind } = new Parameters(db);
  const { rows } = await db.query<TdsTotals>(
    filter.search === undefined
      ? rollUpTotals(counted, filter, bind)
      : `SELECT count(*)::int AS "challanCount", round(coalesce(sum(${freight}), 0), 2) AS gross,
           round(coalesce(sum(c.tds_amount), 0), 2) AS "tdsAmount" ${deductionsOf(counted, filter, bind)}`,
    values,
  );
  return rows[0]!;
}

/** SQL: the totals from the roll-up. Not for a search, because the roll-up has no challan numbers. */
function rollUpTotals({ period, settings }: Counted, { pan, deducted, line }: DeductionFilter, bind: Bind): string {
  const ofOwner = [
    ...(pan === undefined ? [] : [`${panOf} IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(line === undefined ? [] : [`${lineOf(holderOf, 'percent')} = ${bind(line)}`]),
  ];
  return `SELECT coalesce(sum(challans), 0)::int AS "challanCount", round(coalesce(sum(gross), 0), 2) AS gross,
      round(coalesce(sum(tds_amount), 0), 2) AS "tdsAmount"
    FROM ${rollUpSums(settings.basis, bind(period.from), bind(period.to))}
      ${ofOwner.length === 0 ? '' : 'JOIN owners AS o ON o.subadmin_id = $1 AND o.id = s.owner_id'}
    ${whereAll([...deductedSums(deducted), ...ofOwner])}`;
}

const deductionColumns = (basis: TdsBasis): string => `
  c.id, c.challan_number AS "challanNumber", c.tp_no AS "tpNo", c.vehicle_no AS "vehicleNo", o.name AS "ownerName",
  ${panOf} AS "panNo", nullif(at_payment.pan_no, o.pan_no) AS "panWhenPaid", c.loading_on AS "loadingOn",
  c.deposited_on AS "depositedOn", c.paid_on AS "paidOn", CASE WHEN paying.id IS NOT NULL THEN json_build_object('id', paying.id, 'number', paying.number) END AS payment, ${dayOf[basis]} AS day,
  ${freight} AS gross, ${percentage} AS "tdsPercentage", c.tds_amount AS "tdsAmount",
  c.net_amount_payable AS "netAmountPayable"`;

const paymentJoins = `${paymentJoin('$1')}
  LEFT JOIN payment_batch_owners AS at_payment
    ON at_payment.subadmin_id = $1 AND at_payment.batch_id = paying.id AND at_payment.owner_id = c.owner_id`;

type DeductionQuery = DeductionFilter & DeductionOrder & { page: number; limit: number };

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
  const { rows } = await db.query<TdsDeduction>(
    `WITH page AS MATERIALIZED (
       SELECT c.id, row_number() OVER () AS place FROM (
         SELECT c.id ${deductionsOf(counted, query, bind)} ORDER BY ${orderOf(basis, query)}
         LIMIT ${bind(query.limit)} OFFSET ${bind(offsetOf(query))}) AS c
     )
     SELECT ${deductionColumns(basis)}
     FROM page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id
       JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id ${paymentJoins}
     ORDER BY page.place`,
    values,
  );
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
    `SELECT ${deductionColumns(basis)} ${deductionsOf(counted, filter, bind, paymentJoins)}
     ORDER BY ${orderOf(basis, filter)}`,
    values,
  );
}
