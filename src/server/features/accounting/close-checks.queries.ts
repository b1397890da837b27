import { isPositive, sum } from '../../../shared/calc/money.ts';
import { taxPeriod, yearOf } from '../../../shared/calc/financial-year.ts';
import type { CheckResult } from '../../../shared/contract/month-packs.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import {
  challanChecks,
  closeCheckIds,
  type CloseCheckId,
  type MonthDays,
} from '../../../shared/filters/close-checks.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { sumOpenStatementLines } from '../bank/account-statement-lines.queries.ts';
import { linesWithState, stateOf } from '../bank/bank-lines.queries.ts';
import { challansOf } from '../challans/challans-filter.queries.ts';
import { countLapsing } from '../tds/declarations.queries.ts';
import { selectMonths } from '../tds/deposits.queries.ts';
import { selectTdsSettings } from '../tds/tds-settings.queries.ts';
import { panOf } from '../tds/tds.queries.ts';
import { Parameters } from '../../sql/statements.ts';

type Found = Pick<CheckResult, 'count' | 'amount'>;
interface Summed extends Found {
  amount: string;
}

/** SQL: how many rows there are, and the sum of an amount of them. */
const summed = (amount: string): string => `count(*)::int AS count, round(coalesce(sum(${amount}), 0), 2) AS amount`;

/** Returns how many challans a filter has, and the sum of an amount of them. */
export function challansWith(db: TenantDb, filter: ChallanFilter, amount: string): Promise<Summed> {
  const { values, bind } = new Parameters(db);
  const { source, conditions } = challansOf(filter, bind);
  return db.one<Summed>(`SELECT ${summed(amount)} FROM ${source} WHERE ${conditions}`, values);
}

/** How each check of shared/filters/close-checks.ts is counted. */
const checks: Readonly<Record<CloseCheckId, (db: TenantDb, month: MonthDays) => Promise<Found>>> = {
  notDeposited: (db, month) => challansWith(db, challanChecks.notDeposited(month), 'c.net_amount_payable'),
  hsdNotVerified: (db, month) => challansWith(db, challanChecks.hsdNotVerified(month), 'c.hsd_amount'),
  negativeNets: (db, month) => challansWith(db, challanChecks.negativeNets(month), 'c.net_amount_payable'),
  bankLines: (db, { to }) =>
    db.one<Summed>(
      `SELECT ${summed('l.amount')} FROM ${linesWithState}
         JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
       WHERE l.subadmin_id = $1 AND b.paid_on <= $2::date AND ${stateOf} = 'in-file'`,
      [db.tenantId, to],
      'check-bank-lines',
    ),
  statementLines: (db, { to }) => sumOpenStatementLines(db, to),
  missingPans: (db, { from, to }) =>
    db.one<Summed>(
      `SELECT ${summed('moved.amount')} FROM owners AS o CROSS JOIN LATERAL (
         SELECT count(*) AS challans, sum(c.net_amount_payable) AS amount FROM challans AS c
         WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.owner_id = o.id
           AND (c.deposited_on BETWEEN $2::date AND $3::date OR c.payment_status AND c.paid_on BETWEEN $2::date AND $3::date)
       ) AS moved
       WHERE o.subadmin_id = $1 AND ${panOf} IS NULL AND moved.challans > 0`,
      [db.tenantId, from, to],
      'check-missing-pans',
    ),
  lapsingDeclarations: async (db) => ({ count: await countLapsing(db), amount: null }),
  // Of the financial year, as the screen of deposits shows it.
  tdsNotDeposited: async (db, { to }) => {
    const settings = await selectTdsSettings(db);
    const months = await selectMonths(db, { period: { ...taxPeriod(to, yearOf(to)), to }, settings });
    const open = months.map((month) => month.open).filter(isPositive);
    return { count: open.length, amount: sum(['0.00', ...open]) };
  },
};

/** Returns what is open up to the end of a month, in the order of the table. */
export function selectCloseChecks(db: TenantDb, month: MonthDays): Promise<CheckResult[]> {
  return Promise.all(closeCheckIds.map(async (id) => ({ id, ...(await checks[id](db, month)) })));
}
