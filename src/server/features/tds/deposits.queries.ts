import { formatDate } from '../../../shared/calc/dates.ts';
import type { TaxPeriod } from '../../../shared/calc/financial-year.ts';
import type { TdsDeposit, TdsDepositSort } from '../../../shared/contract/tds-deposits.ts';
import type { TdsMonth } from '../../../shared/contract/tds.ts';
import type { TdsReturnRow } from '../../../shared/columns/tds-return-layouts.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { declaredOn, freight } from '../challans/challans-row.queries.ts';
import { recordTable } from '../master-data/records.queries.ts';
import { offsetOf } from '../../sql/paging.ts';
import { fetchInBatches } from '../../sql/statements.ts';
import { countedBy, dayOf, panOf, percentage, type Counted } from './tds.queries.ts';

type Field = 'depositedOn' | 'bsrCode' | 'serialNo' | 'amount' | 'deductedFrom' | 'deductedTo' | 'note';

const sorts: Readonly<Record<TdsDepositSort, string>> = {
  depositedOn: 'r.deposited_on',
  deductedFrom: 'r.deducted_from',
  amount: 'r.amount',
};

/** SQL: the first deducted day, moved so that a financial year becomes a calendar year. */
const shifted = "(r.deducted_from - interval '3 months')";

export const depositTable = recordTable<TdsDeposit, Field, TdsDepositSort, 'tds-deposit'>({
  record: 'tds-deposit',
  fields: ['depositedOn', 'bsrCode', 'serialNo', 'amount', 'deductedFrom', 'deductedTo', 'note'],
  computed: {
    covered: 'r.covered',
    challanCount: 'r.challan_count',
    year: `to_char(${shifted}, 'YYYY') || '-' || to_char(${shifted} + interval '1 year', 'YY')`,
    quarter: `'q' || extract(quarter FROM ${shifted})`,
  },
  matches: () => 'false',
  rank: () => '0',
  sorts,
  defaultSort: 'depositedOn',
});

interface DepositQuery {
  page: number;
  limit: number;
  sortBy: TdsDepositSort;
  sortOrder: 'asc' | 'desc';
}

/** Returns a page of the deposits for deductions of a period, with the sums of all of them. */
export async function selectDeposits(
  db: TenantDb,
  { from, to }: TaxPeriod,
  query: DepositQuery,
): Promise<{ data: TdsDeposit[]; totals: { amount: string; covered: string }; count: number }> {
  const living = `tds_deposits r WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL AND r.deducted_from BETWEEN $2 AND $3`;
  const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const [data, { rows }] = await Promise.all([
    db.records<TdsDeposit>(
      `SELECT ${depositTable.columns} FROM ${living}
       ORDER BY ${sorts[query.sortBy]} ${direction}, r.id ${direction} LIMIT $4 OFFSET $5`,
      [db.tenantId, from, to, query.limit, offsetOf(query)],
    ),
    db.query<{ amount: string; covered: string; count: number }>(
      `SELECT count(*)::int AS count, round(coalesce(sum(r.amount), 0), 2) AS amount,
         round(coalesce(sum(r.covered), 0), 2) AS covered FROM ${living}`,
      [db.tenantId, from, to],
    ),
  ]);
  // An aggregate without GROUP BY returns one row.
  const { count, ...totals } = rows[0]!;
  return { data, totals, count };
}

/** SQL: how much of each challan `c` deposits cover. */
const covers = `(SELECT k.subadmin_id, k.challan_id, sum(k.amount) AS amount FROM tds_deposit_covers AS k
  WHERE k.subadmin_id = $1 GROUP BY 1, 2) AS k ON k.subadmin_id = $1 AND k.challan_id = c.id`;

/** Makes a deposit cover what is open of its days. Returns how much that is. The caller keeps others from doing so at once. */
export async function insertCovers(
  db: TenantDb,
  { settings }: Pick<Counted, 'settings'>,
  { id, deductedFrom, deductedTo }: Pick<TdsDeposit, 'id' | 'deductedFrom' | 'deductedTo'>,
): Promise<string> {
  const { amount } = await db.one<{ amount: string }>(
    `WITH made AS (
       INSERT INTO tds_deposit_covers (subadmin_id, deposit_id, challan_id, amount)
       SELECT $1, $2, c.id, c.tds_amount - coalesce(k.amount, 0)
       FROM challans AS c LEFT JOIN ${covers}
       WHERE ${countedBy(settings.basis, '$3', '$4')} AND c.tds_amount > coalesce(k.amount, 0)
       RETURNING amount)
     SELECT round(coalesce(sum(amount), 0), 2) AS amount FROM made`,
    [db.tenantId, id, deductedFrom, deductedTo],
  );
  return amount;
}

/** Writes beside a deposit what it covers. The database refuses more than was deposited. */
export async function updateCovered(db: TenantDb, id: string): Promise<void> {
  await db.query(
    `UPDATE tds_deposits SET (covered, challan_count) = (
       SELECT coalesce(sum(k.amount), 0), count(*) FROM tds_deposit_covers AS k WHERE k.subadmin_id = $1 AND k.deposit_id = $2)
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
  );
}

/** What a deposit covered is open again. */
export async function deleteCovers(db: TenantDb, id: string): Promise<void> {
  await db.query('DELETE FROM tds_deposit_covers WHERE subadmin_id = $1 AND deposit_id = $2', [db.tenantId, id]);
  await updateCovered(db, id);
}

type MonthSums = Pick<TdsMonth, 'from' | 'challanCount' | 'tdsAmount' | 'covered' | 'open'>;

/**
 * Returns the months of a period in which something was deducted. Of a challan no more is covered than its TDS is now: it may
 * have become less since the deposit.
 */
export async function selectMonths(db: TenantDb, { period, settings }: Counted): Promise<MonthSums[]> {
  const { rows } = await db.query<MonthSums>(
    `SELECT date_trunc('month', ${dayOf[settings.basis]}::timestamp)::date AS "from", count(*)::int AS "challanCount",
       sum(c.tds_amount) AS "tdsAmount", round(sum(least(coalesce(k.amount, 0), c.tds_amount)), 2) AS covered,
       round(sum(greatest(c.tds_amount - coalesce(k.amount, 0), 0)), 2) AS open
     FROM challans AS c LEFT JOIN ${covers}
     WHERE ${countedBy(settings.basis, '$2', '$3')} AND c.tds_amount > 0
     GROUP BY 1 ORDER BY 1`,
    [db.tenantId, period.from, period.to],
  );
  return rows;
}

type ReturnRow = Omit<TdsReturnRow, 'code' | 'reason'> & { declaredOn: string | null };

/** Yields all deductions of a period with their deposits, those without a usable PAN first. */
export async function* returnRows(
  db: TenantDb,
  { period, settings }: Counted,
  section: string,
): AsyncGenerator<TdsReturnRow[]> {
  const day = dayOf[settings.basis];
  const batches = fetchInBatches<ReturnRow>(
    db,
    'tds_return',
    `SELECT o.pan_no AS "panNo", ${panOf} IS NULL AS "isPanDoubtful", o.name AS "ownerName", c.challan_number AS "challanNumber",
       ${freight} AS gross, ${percentage} AS "tdsPercentage", c.tds_amount AS "tdsAmount", ${day} AS day,
       ${declaredOn} AS "declaredOn", greatest(c.tds_amount - coalesce(k.amount, 0), 0) AS "openAmount",
       k.bsr AS "bsrCode", k.days AS "depositedOn", k.serials AS "serialNo"
     FROM challans AS c JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id
       LEFT JOIN LATERAL (
         SELECT sum(k.amount) AS amount, string_agg(d.bsr_code, '; ' ORDER BY d.deposited_on, d.id) AS bsr,
           string_agg(to_char(d.deposited_on, 'DD/MM/YYYY'), '; ' ORDER BY d.deposited_on, d.id) AS days,
           string_agg(d.serial_no, '; ' ORDER BY d.deposited_on, d.id) AS serials
         FROM tds_deposit_covers AS k JOIN tds_deposits AS d ON d.subadmin_id = $1 AND d.id = k.deposit_id
         WHERE k.subadmin_id = $1 AND k.challan_id = c.id) AS k ON true
     WHERE ${countedBy(settings.basis, '$2', '$3')}
     ORDER BY ${panOf} IS NULL DESC, o.pan_no, lower(o.name), ${day}, c.challan_number`,
    [db.tenantId, period.from, period.to],
  );
  for await (const rows of batches)
    yield rows.map(({ declaredOn: declared, ...row }) => ({
      ...row,
      code: section,
      reason: declared === null ? null : `Declared ${formatDate(declared)}`,
    }));
}
