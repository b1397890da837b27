import { PLAUSIBLE_PAN } from '../../../shared/calc/identity.ts';
import type { TaxPeriod } from '../../../shared/calc/financial-year.ts';
import type { TdsBasis, TdsLine, TdsSettings, TdsSort, TdsTotals } from '../../../shared/contract/tds.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { tdsFilters } from '../../../shared/filters/tds-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { freight } from '../challans/challans-row.queries.ts';
import { ofPayments } from '../challans/challans-totals.queries.ts';
import { offsetOf } from '../../sql/paging.ts';
import { escapeLike, Parameters, type Bind } from '../../sql/statements.ts';

export interface Counted {
  period: TaxPeriod;
  settings: TdsSettings;
  /** Set when the period is only a few days, whose few challans are found through what was paid in them. */
  isNear?: boolean;
}

/**
 * SQL: the stored percentage, else the derived one as in the form (docs/specification.md §8.4.3); null where nothing
 * was deducted.
 */
export const percentage =
  'tds_percentage_of(c.tds_percentage, c.tds_amount, least(c.loading_weight, c.unloading_weight) * c.rate_per_mt)';

export const dayOf: Readonly<Record<TdsBasis, string>> = { paid: 'c.paid_on', deposited: 'c.deposited_on' };

/**
 * SQL: the challans of a basis and period. A paid challan has the day of the payment that pays it now; a reversed
 * payment counts nowhere. No index has the day of a challan's payment. `isAlone`: no other condition finds them, so they are found by
 * the payments' lines, a quarter in 77 instead of 585 ms, a year in 377 instead of 644. Else none is read for days without a payment.
 */
export const countedBy = (basis: TdsBasis, from: string, to: string, isAlone = false): string => {
  const days = `paid_on BETWEEN ${from}::date AND ${to}::date`;
  const ofDays = isAlone ? ofPayments(days) : `EXISTS (SELECT FROM payment_sums WHERE subadmin_id = $1 AND ${days})`;
  return `c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${basis === 'paid' ? `c.payment_status AND ${ofDays} AND` : ''}
    ${dayOf[basis]} BETWEEN ${from}::date AND ${to}::date`;
};

/**
 * SQL: the sums `s` of these challans by owner and percentage, which is null where nothing was deducted. `owners` is SQL for the ids of
 * some owners: only their challans are read then.
 */
export const sumsOf = (basis: TdsBasis, from: string, to: string, owners?: string): string =>
  `(SELECT c.owner_id, ${percentage} AS tds_percentage, c.tds_amount > 0 AS is_deducted, c.tds_declaration_id AS declaration_id, count(*) AS challans,
      sum(${freight}) AS gross, sum(c.tds_amount) AS tds_amount
    FROM challans AS c WHERE ${countedBy(basis, from, to, owners === undefined)}
      ${owners === undefined ? '' : `AND c.owner_id = ANY (ARRAY(${owners}))`} GROUP BY 1, 2, 3, 4) AS s`;

/**
 * SQL: the PAN of an owner `o` when it may be a real one. A line belongs to a PAN, or without one to the owner alone.
 */
export const panOf = `CASE WHEN o.pan_no ~ '${PLAUSIBLE_PAN}' THEN o.pan_no END`;
export const holderOf = `coalesce(${panOf}, o.id::text)`;
/** SQL: the id of a line, in the form of a UUID of version 4. So no PAN is in an address or a log. */
export const lineOf = (holder: string, percent: string): string =>
  `overlay(overlay(md5($1::text || ' ' || ${holder} || ' ' || coalesce(${percent}::text, ''))
     PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid`;

type TdsFilter = Pick<FilterOfList<typeof tdsFilters>, 'search' | 'pan' | 'deducted'>;

export const deductedCondition = (deducted: boolean | undefined): string[] =>
  deducted === undefined ? [] : [deducted ? 'c.tds_amount > 0' : 'c.tds_amount = 0'];
export const deductedSums = (deducted: boolean | undefined): string[] =>
  deducted === undefined ? [] : [deducted ? 's.is_deducted' : 'NOT s.is_deducted'];
export const whereAll = (conditions: readonly string[]): string =>
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
  declaredOn: string[];
  challanCount: number;
  gross: string;
  tdsAmount: string;
  /** The gross of all lines of the holder. */
  holderGross: string;
}
type LinePage = TdsTotals & { lines: number; page: LineRow[] };

/**
 * Returns a page of the register with the sums of the filter. The challans are summed by owner and percentage before anything is
 * joined. A search that finds one owner of a PAN shows the whole PAN.
 */
export async function selectTdsLines(
  db: TenantDb,
  { period, settings }: Counted,
  query: TdsQuery,
): Promise<{ data: TdsLine[]; totals: TdsTotals; count: number }> {
  const { page, limit, sortBy, sortOrder, deducted } = query;
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const owners = (await isOfFewOwners(db, query)) ? 'SELECT id FROM holders' : undefined;
  const { values, bind } = new Parameters(db);
  const sums = sumsOf(settings.basis, bind(period.from), bind(period.to), owners);
  const row = await db.one<LinePage>(
    `WITH ${holdersOf(query, bind)}, sums AS MATERIALIZED (
       SELECT owner_id, tds_percentage AS percent, sum(challans) AS challans, sum(gross) AS gross, sum(tds_amount) AS tds,
         array_agg(declaration_id) AS declarations
       FROM ${sums} ${whereAll(deductedSums(deducted))} GROUP BY 1, 2
     ), lines AS MATERIALIZED (
       SELECT holder, pan, percent, array_agg(DISTINCT name ORDER BY name) AS names,
         array_agg(owner_id) AS owners,
         sum(challans)::int AS challans, sum(gross) AS gross, sum(tds) AS tds, sum(sum(gross)) OVER (PARTITION BY holder) AS holder_gross
       FROM sums JOIN holders ON holders.id = owner_id GROUP BY holder, pan, percent
     ), page AS (
       SELECT ${lineOf('holder', 'percent')} AS id, holder, pan AS "panNo", names AS "ownerNames", percent::text AS "tdsPercentage",
         ARRAY(SELECT DISTINCT d.received_on FROM sums AS s
           JOIN declarations AS d ON d.subadmin_id = $1 AND d.id = ANY (s.declarations)
           WHERE s.owner_id = ANY (shown.owners) AND s.percent = shown.percent ORDER BY 1) AS "declaredOn", challans AS "challanCount", gross::text AS gross, tds::text AS "tdsAmount", holder_gross::text AS "holderGross"
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
  const { lines, page: found, ...totals } = row;
  const holders = [...new Set(found.map(({ holder }) => holder))];
  // A whole year without a filter of challans has all that a holder got since April.
  const isWholeYear = period.from === period.yearFrom && deducted === undefined;
  const [years, aboves] = await Promise.all([
    isWholeYear && settings.yearThreshold === null ? null : selectYears(db, { period, settings }, holders),
    settings.challanThreshold === null ? null : selectAboves(db, { period, settings }, holders, deducted),
  ]);
  return {
    count: lines,
    totals,
    data: found.map(({ holder, holderGross, ...line }) => ({
      ...line,
      yearGross: isWholeYear ? holderGross : (years?.get(holder)?.gross ?? line.gross),
      crossedOn: years?.get(holder)?.crossedOn ?? null,
      aboveCount: aboves?.get(line.id) ?? 0,
    })),
  };
}

/**
 * SQL: the owners with their holders, and those of the filter. IS TRUE makes the planner hash what a search finds. It expects few
 * owners, and would search among them again for each.
 */
function holdersOf({ pan, search }: TdsFilter, bind: Bind): string {
  const wanted = pan === undefined ? [] : [`pan IS ${pan === 'with' ? 'NOT ' : ''}NULL`];
  if (search !== undefined) {
    const pattern = `'%' || ${bind(escapeLike(search))} || '%'`;
    wanted.push(
      `(holder IN (SELECT holder FROM every_owner WHERE name ILIKE ${pattern} OR pan_no ILIKE ${pattern})) IS TRUE`,
    );
  }
  return `every_owner AS MATERIALIZED (
      SELECT o.id, o.name, o.pan_no, o.pan, coalesce(o.pan, o.id::text) AS holder
      FROM (SELECT o.id, o.name, o.pan_no, ${panOf} AS pan FROM owners AS o WHERE o.subadmin_id = $1) AS o
    ), holders AS MATERIALIZED (
      SELECT * FROM every_owner ${whereAll(wanted)}
    )`;
}

/**
 * Whether a search finds so few owners that their challans are read owner by owner. For a letter that nearly all names have, that
 * takes 2.0 s; reading all payments of the period takes 0.7 s.
 */
async function isOfFewOwners(db: TenantDb, filter: TdsFilter): Promise<boolean> {
  if (filter.search === undefined) return false;
  const { values, bind } = new Parameters(db);
  const text = `WITH ${holdersOf(filter, bind)} SELECT count(*)::int AS owners FROM holders`;
  return (await db.one<{ owners: number }>(text, values)).owners <= 500;
}

/**
 * SQL: the owners of these holders. Those whose PAN or id is in the list are few; only for them the holder itself is
 * computed.
 */
const held = `held AS MATERIALIZED (
  SELECT o.id, ${holderOf} AS holder FROM owners AS o WHERE o.subadmin_id = $1
    AND CASE WHEN o.pan_no = ANY ($2::text[]) OR o.id::text = ANY ($2::text[]) THEN ${holderOf} = ANY ($2::text[]) END)`;

/** Returns the gross since April of the holders of a page, and the day on which it exceeded the threshold of the year. */
async function selectYears(
  db: TenantDb,
  { period, settings }: Counted,
  holders: readonly string[],
): Promise<Map<string, { gross: string; crossedOn: string | null }>> {
  const { rows } = await db.query<{ holder: string; gross: string; crossedOn: string | null }>(
    `WITH ${held}, days AS (
       SELECT h.holder, ${dayOf[settings.basis]} AS day, sum(${freight}) AS gross
       FROM held AS h JOIN challans AS c ON ${countedBy(settings.basis, '$3', '$4')} AND c.owner_id = h.id
       GROUP BY 1, 2
     ), running AS (
       SELECT holder, day, gross, sum(gross) OVER (PARTITION BY holder ORDER BY day) AS so_far FROM days
     )
     SELECT holder, sum(gross) AS gross, (min(day) FILTER (WHERE so_far > $5::numeric))::text AS "crossedOn"
     FROM running GROUP BY holder`,
    [db.tenantId, holders, period.yearFrom, period.to, settings.yearThreshold],
  );
  return new Map(rows.map(({ holder, ...year }) => [holder, year]));
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
