import { GIVEN_PAN } from '../../shared/calc/identity.ts';
import type { TaxPeriod } from '../../shared/calc/financial-year.ts';
import type {
  TdsBasis,
  TdsDeduction,
  TdsDeductionSort,
  TdsLine,
  TdsSettings,
  TdsSettingsChange,
  TdsSort,
  TdsTotals,
} from '../../shared/contract/tds.ts';
import type { FilterOfList } from '../../shared/filters/define.ts';
import type { tdsDeductionFilters, tdsFilters } from '../../shared/filters/tds-filters.ts';
import type { TenantDb } from '../db/tenant.ts';
import { freight, paymentJoin } from './challans-row.ts';
import { escapeLike, Parameters, type Bind } from './filter-conditions.ts';
import { offsetOf } from './paging.ts';

const settingsColumns = `basis, section, year_threshold AS "yearThreshold", challan_threshold AS "challanThreshold",
  updated_at AS "updatedAt", version`;
type SettingsRow = Omit<TdsSettings, 'updatedAt'> & { updatedAt: Date };
const settingsOf = (row: SettingsRow): TdsSettings => ({ ...row, updatedAt: row.updatedAt.toISOString() });

const unsaved: TdsSettings = {
  basis: 'paid',
  section: '',
  yearThreshold: null,
  challanThreshold: null,
  updatedAt: null,
  version: 0,
};

export async function selectTdsSettings(db: TenantDb): Promise<TdsSettings> {
  const { rows } = await db.query<SettingsRow>(
    `SELECT ${settingsColumns} FROM tds_settings WHERE subadmin_id = $1`,
    [db.tenantId],
    'select-tds-settings',
  );
  return rows[0] ? settingsOf(rows[0]) : unsaved;
}

/** undefined: somebody else has saved since the version that was read. */
export async function saveTdsSettings(db: TenantDb, change: TdsSettingsChange): Promise<TdsSettings | undefined> {
  const { rows } = await db.query<SettingsRow>(
    `INSERT INTO tds_settings AS t (subadmin_id, basis, section, year_threshold, challan_threshold)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (subadmin_id) DO UPDATE SET basis = excluded.basis, section = excluded.section,
       year_threshold = excluded.year_threshold, challan_threshold = excluded.challan_threshold,
       updated_at = clock_timestamp(), version = t.version + 1
     WHERE t.version = $6::bigint
     RETURNING ${settingsColumns}`,
    [db.tenantId, change.basis, change.section, change.yearThreshold, change.challanThreshold, change.version],
    'save-tds-settings',
  );
  return rows[0] && settingsOf(rows[0]);
}

interface Counted {
  period: TaxPeriod;
  settings: TdsSettings;
}

/** Stored, else computed back as the form does (docs/specification.md §8.4.3); null where nothing was deducted. */
const percentage = `coalesce(c.tds_percentage, CASE WHEN c.tds_amount > 0
  THEN round(c.tds_amount * 100 / nullif(least(c.loading_weight, c.unloading_weight) * c.rate_per_mt, 0), 1) END)`;

const dayOf: Readonly<Record<TdsBasis, string>> = { paid: 'c.paid_on', deposited: 'c.deposited_on' };

/** A paid challan has the day of the payment that pays it now: one that was reversed counts nowhere. */
const countedBy = (basis: TdsBasis, from: string, to: string): string =>
  `c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${basis === 'paid' ? 'c.payment_status AND ' : ''}${dayOf[basis]}
     BETWEEN ${from}::date AND ${to}::date`;

/** The PAN of an owner `o` where it can be one, and who a line is of: the PAN, else the owner alone. */
const panOf = `CASE WHEN o.pan_no ~ '${GIVEN_PAN}' THEN o.pan_no END`;
const holderOf = `coalesce(${panOf}, o.id::text)`;
/** A line's id, written as an id of version 4: no PAN is in an address or a log. */
const lineOf = (holder: string, percent: string): string =>
  `overlay(overlay(md5($1::text || ' ' || ${holder} || ' ' || coalesce(${percent}::text, ''))
     PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid`;

type TdsFilter = Pick<FilterOfList<typeof tdsFilters>, 'search' | 'pan' | 'deducted'>;

const deductedCondition = (deducted: boolean | undefined): string[] =>
  deducted === undefined ? [] : [deducted ? 'c.tds_amount > 0' : 'c.tds_amount = 0'];

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
  aboveCount: number;
}
type LinePage = TdsTotals & { lines: number; page: LineRow[] };

/**
 * A page of the register with the sums of the filter. The challans are added up by owner and percentage before anything is
 * joined. A search that finds one of the owners of a PAN shows the PAN whole.
 */
export async function selectTdsLines(
  db: TenantDb,
  { period, settings }: Counted,
  query: TdsQuery,
): Promise<{ data: TdsLine[]; totals: TdsTotals; count: number }> {
  const { values, bind } = new Parameters(db);
  const { page, limit, sortBy, sortOrder, search, pan, deducted } = query;
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const counted = [countedBy(settings.basis, bind(period.from), bind(period.to)), ...deductedCondition(deducted)];
  const wanted = [
    ...(pan === undefined ? [] : [`pan IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(search === undefined ? [] : [searchOfHolders(search, bind)]),
  ];
  const { rows } = await db.query<LinePage>(
    `WITH sums AS MATERIALIZED (
       SELECT c.owner_id, ${percentage} AS percent, count(*) AS challans, sum(${freight}) AS gross, sum(c.tds_amount) AS tds,
         count(*) FILTER (WHERE ${freight} > ${bind(settings.challanThreshold)}::numeric) AS above
       FROM challans AS c WHERE ${counted.join(' AND ')} GROUP BY 1, 2
     ), named AS MATERIALIZED (
       SELECT s.*, o.name, o.pan_no, ${panOf} AS pan, ${holderOf} AS holder
       FROM sums AS s JOIN owners AS o ON o.subadmin_id = $1 AND o.id = s.owner_id
     ), lines AS MATERIALIZED (
       SELECT ${lineOf('holder', 'percent')} AS id, holder, pan, percent, array_agg(DISTINCT name ORDER BY name) AS names,
         sum(challans)::int AS challans, sum(gross) AS gross, sum(tds) AS tds, sum(above)::int AS above
       FROM named ${wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : ''} GROUP BY holder, pan, percent
     ), page AS (
       SELECT id, holder, pan AS "panNo", names AS "ownerNames", percent::text AS "tdsPercentage",
         challans AS "challanCount", gross::text AS gross, tds::text AS "tdsAmount", above AS "aboveCount"
       FROM lines ORDER BY ${lineOrders[sortBy]} ${direction} NULLS LAST, lower(names[1]), holder, percent
       LIMIT ${bind(limit)} OFFSET ${bind(offsetOf({ page, limit }))}
     )
     SELECT count(*)::int AS lines, coalesce(sum(challans), 0)::int AS "challanCount",
       round(coalesce(sum(gross), 0), 2) AS gross, round(coalesce(sum(tds), 0), 2) AS "tdsAmount",
       (SELECT coalesce(json_agg(page), '[]') FROM page) AS page
     FROM lines`,
    values,
  );
  // An aggregate without GROUP BY returns one row.
  const { lines, page: found, ...totals } = rows[0]!;
  const years = await selectYears(db, { period, settings }, [...new Set(found.map(({ holder }) => holder))]);
  return {
    count: lines,
    totals,
    data: found.map(({ holder, ...line }) => ({
      ...line,
      yearGross: years.get(holder)?.gross ?? line.gross,
      crossedOn: years.get(holder)?.crossed_on ?? null,
    })),
  };
}

const searchOfHolders = (search: string, bind: Bind): string => {
  const pattern = `'%' || ${bind(escapeLike(search))} || '%'`;
  return `holder IN (SELECT holder FROM named WHERE name ILIKE ${pattern} OR pan_no ILIKE ${pattern})`;
};

interface YearRow {
  holder: string;
  gross: string;
  crossed_on: string | null;
}

/** Of the PANs of a page: their gross since April, and the day it went above the threshold. */
async function selectYears(
  db: TenantDb,
  { period, settings }: Counted,
  holders: readonly string[],
): Promise<Map<string, YearRow>> {
  if (holders.length === 0) return new Map();
  const { rows } = await db.query<YearRow>(
    `WITH held AS MATERIALIZED (
       SELECT o.id, ${holderOf} AS holder FROM owners AS o
       WHERE o.subadmin_id = $1 AND ${holderOf} = ANY ($2::text[])
     ), days AS (
       SELECT h.holder, ${dayOf[settings.basis]} AS day, sum(${freight}) AS gross
       FROM held AS h JOIN challans AS c ON ${countedBy(settings.basis, '$3', '$4')} AND c.owner_id = h.id
       GROUP BY 1, 2
     ), running AS (
       SELECT holder, day, gross, sum(gross) OVER (PARTITION BY holder ORDER BY day) AS so_far FROM days
     )
     SELECT holder, sum(gross) AS gross, (min(day) FILTER (WHERE so_far > $5::numeric))::text AS crossed_on
     FROM running GROUP BY holder`,
    [db.tenantId, holders, period.yearFrom, period.to, settings.yearThreshold],
  );
  return new Map(rows.map((row) => [row.holder, row]));
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

/** Without the payment, which only the rows that are shown look up. */
function deductionsOf({ period, settings }: Counted, filter: DeductionFilter, bind: Bind, joins = ''): string {
  const { search, pan, deducted, line } = filter;
  const pattern = search === undefined ? '' : `'%' || ${bind(escapeLike(search))} || '%'`;
  const conditions = [
    countedBy(settings.basis, bind(period.from), bind(period.to)),
    ...deductedCondition(deducted),
    ...(pan === undefined ? [] : [`${panOf} IS ${pan === 'with' ? 'NOT ' : ''}NULL`]),
    ...(search === undefined
      ? []
      : [
          // A PAN is found whole, as the register shows it.
          `(c.challan_number ILIKE ${pattern} OR c.tp_no ILIKE ${pattern} OR ${holderOf} IN (
             SELECT ${holderOf} FROM owners AS o
             WHERE o.subadmin_id = $1 AND (o.name ILIKE ${pattern} OR o.pan_no ILIKE ${pattern})))`,
        ]),
    ...(line === undefined ? [] : [`${lineOf(holderOf, percentage)} = ${bind(line)}`]),
  ];
  return `FROM challans AS c JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id ${joins}
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
    `SELECT count(*)::int AS "challanCount", round(coalesce(sum(${freight}), 0), 2) AS gross,
       round(coalesce(sum(c.tds_amount), 0), 2) AS "tdsAmount" ${deductionsOf(counted, filter, bind)}`,
    values,
  );
  return rows[0]!;
}

const deductionColumns = (basis: TdsBasis): string => `
  c.id, c.challan_number AS "challanNumber", c.tp_no AS "tpNo", c.vehicle_no AS "vehicleNo", o.name AS "ownerName",
  ${panOf} AS "panNo", nullif(at_payment.pan_no, o.pan_no) AS "panWhenPaid", c.loading_on AS "loadingOn",
  c.deposited_on AS "depositedOn", c.paid_on AS "paidOn", CASE WHEN paying.id IS NOT NULL THEN json_build_object('id', paying.id, 'number', paying.number) END AS payment, ${dayOf[basis]} AS day,
  ${freight} AS gross, ${percentage} AS "tdsPercentage", c.tds_amount AS "tdsAmount",
  c.net_amount_payable AS "netAmountPayable"`;

const paidJoins = `${paymentJoin('$1')}
  LEFT JOIN payment_batch_owners AS at_payment
    ON at_payment.subadmin_id = $1 AND at_payment.batch_id = paying.id AND at_payment.owner_id = c.owner_id`;

export async function selectDeductions(
  db: TenantDb,
  counted: Counted,
  query: DeductionFilter & DeductionOrder & { page: number; limit: number },
): Promise<TdsDeduction[]> {
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
       JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id ${paidJoins}
     ORDER BY page.place`,
    values,
  );
  return rows;
}

const rowsAtOnce = 1_000;

/** All of them through a cursor of the transaction, for a file. */
export async function* deductionRows(
  db: TenantDb,
  counted: Counted,
  filter: DeductionFilter & DeductionOrder,
): AsyncGenerator<TdsDeduction[]> {
  const { values, bind } = new Parameters(db);
  const { basis } = counted.settings;
  await db.query(
    `DECLARE deductions NO SCROLL CURSOR FOR SELECT ${deductionColumns(basis)} ${deductionsOf(counted, filter, bind, paidJoins)}
     ORDER BY ${orderOf(basis, filter)}`,
    values,
  );
  for (;;) {
    const { rows } = await db.query<TdsDeduction>(`FETCH ${rowsAtOnce} FROM deductions`);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) break;
  }
  await db.query('CLOSE deductions');
}
