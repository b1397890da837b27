import type { Figure, Today } from '../../../shared/contract/today.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { stateOf } from '../bank/bank-lines.queries.ts';
import { notDeposited } from '../challans/challans-filter.queries.ts';
import { figures as challanFigures } from '../challans/challans-groups.queries.ts';
import { byDay, totalParts } from '../challans/challans-totals.queries.ts';
import { actorName } from '../../sql/actor.ts';
import { Parameters } from '../../sql/statements.ts';

/** The figures of Today (docs/specification.md §34.1). */

/** So many of the days that are compared must have trips. */
const leastDays = 4;

/** Returns the trips of the first of these loading days, and the median of those of the others that have trips. */
export async function selectTripsOfDay(db: TenantDb, days: readonly string[]): Promise<Today['yesterday']> {
  const median = (column: string): string => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${column}) AS ${column}`;
  const trips = await db.first<NonNullable<Today['yesterday']>>(
    `WITH days AS (
       SELECT loading_on, count(*)::int AS trips, sum(loading_weight) AS weight, sum(${challanFigures.freight}) AS freight
       FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND loading_on = ANY ($2::date[])
       GROUP BY loading_on
     ), usual AS (
       SELECT ${median('trips')}, ${median('weight')}, ${median('freight')}
       FROM days WHERE loading_on <> $3::date HAVING count(*) >= ${leastDays}
     )
     SELECT d.loading_on::text AS day, d.trips AS count, d.weight, d.freight,
       CASE WHEN u.trips IS NOT NULL
         THEN json_build_object('count', u.trips, 'weight', u.weight::text, 'freight', u.freight::text) END AS usual
     FROM days AS d LEFT JOIN usual AS u ON true WHERE d.loading_on = $3::date`,
    [db.tenantId, days, days[0]],
    'today-trips',
  );
  return trips ?? null;
}

/** From so many paid challans on, their median says how a business pays; and no more are looked at. */
const paidChallans = { least: 20, most: 5_000 };

/**
 * Returns the median of the days from the deposit to the payment over the challans that were paid last, since a day. What was
 * taken back is not counted. null: too few were paid.
 */
export async function selectDaysToPayment(db: TenantDb, since: string): Promise<number | null> {
  const row = await db.first<{ days: number }>(
    `WITH paid AS (
       SELECT b.paid_on - (l.deposited_at AT TIME ZONE 'Asia/Kolkata')::date AS days
       FROM (SELECT id, paid_on, created_at FROM payment_batches
           WHERE subadmin_id = $1 AND paid_on >= $2::date ORDER BY created_at DESC, id DESC) AS b
         CROSS JOIN LATERAL (
           SELECT p.deposited_at FROM payment_lines AS p
           WHERE p.subadmin_id = $1 AND p.batch_id = b.id AND p.kind = 'pay' AND p.deposited_at IS NOT NULL
             AND NOT EXISTS (SELECT FROM payment_lines AS back WHERE back.subadmin_id = $1 AND back.challan_id = p.challan_id
               AND back.pay_cycle = p.pay_cycle AND back.kind = 'reverse')
         ) AS l
       ORDER BY b.created_at DESC, b.id DESC LIMIT ${paidChallans.most}
     )
     SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY greatest(days, 0)) AS days FROM paid
     HAVING count(*) >= ${paidChallans.least}`,
    [db.tenantId, since],
    'today-days-to-payment',
  );
  return row?.days ?? null;
}

const countAndAmount = (condition: string): string =>
  `json_build_object('count', coalesce(sum(challans) FILTER (WHERE ${condition}), 0)::int,
     'amount', coalesce(sum(net_amount) FILTER (WHERE ${condition}), 0.00)::text)`;

interface OpenFigures {
  unpaid: Figure;
  /** What is unpaid and deposited up to each of the days. */
  until: Figure[];
}

/** Returns what is unpaid, and of that what was deposited up to each of these days, from the roll-up by day (migration 005). */
export function selectOpen(db: TenantDb, days: readonly string[]): Promise<OpenFigures> {
  const { values, bind } = new Parameters(db);
  const parts = totalParts({ paymentStatus: false }, byDay, 'deposited_on, challans, net_amount', bind);
  const until = days.map((day) =>
    countAndAmount(`deposited_on > '${notDeposited}' AND deposited_on <= ${bind(day)}::date`),
  );
  return db.one<OpenFigures>(
    `SELECT ${countAndAmount('true')} AS unpaid, json_build_array(${until.join(', ')}) AS until
     FROM (${parts}) AS parts`,
    values,
    `today-open-${days.length}`,
  );
}

type BankFigures = Omit<NonNullable<Today['bank']>, 'since'>;

/**
 * Returns the lines that wait at the bank, and those that failed or were returned since a day. The last events are read in the
 * order of their key: looked up for each line they take five times as long.
 */
export function selectBankFigures(db: TenantDb, since: string): Promise<BankFigures> {
  const of = (condition: string): string =>
    `json_build_object('count', count(*) FILTER (WHERE ${condition})::int,
       'amount', coalesce(sum(l.amount) FILTER (WHERE ${condition}), 0.00)::text)`;
  const recent = (state: string): string =>
    of(`e.event = '${state}' AND e.created_at >= $2::date::timestamp AT TIME ZONE 'Asia/Kolkata'`);
  return db.one<BankFigures>(
    `WITH e AS (
       SELECT DISTINCT ON (file_id, line_no) file_id, line_no, event, created_at
       FROM bank_line_events WHERE subadmin_id = $1 ORDER BY file_id, line_no, event_no DESC
     )
     SELECT ${of(`${stateOf} = 'in-file'`)} AS "noAnswer", ${recent('failed')} AS failed, ${recent('returned')} AS returned
     FROM bank_file_lines AS l LEFT JOIN e USING (file_id, line_no) WHERE l.subadmin_id = $1`,
    [db.tenantId, since],
    'today-bank',
  );
}

/** Returns how many challans others changed and payments they made since a moment, and the names of who did. */
export async function selectChanges(
  db: TenantDb,
  caller: Caller,
  since: string,
): Promise<NonNullable<Today['changes']>> {
  const of = (record: string): string =>
    `json_build_object('count', (SELECT count(DISTINCT id)::int FROM ${record}), 'people', ARRAY(
       SELECT ${actorName('a')} FROM ${record} JOIN accounts AS a ON a.id = ${record}.person
       GROUP BY a.id ORDER BY count(DISTINCT ${record}.id) DESC, 1))`;
  const row = await db.one<Pick<NonNullable<Today['changes']>, 'challans' | 'payments'>>(
    `WITH challan AS MATERIALIZED (
       SELECT entity_id AS id, actor_id AS person FROM history
       WHERE subadmin_id = $1 AND at > $2 AND entity = 'challan' AND actor_id <> $3
     ), payment AS MATERIALIZED (
       SELECT id, created_by AS person FROM payment_batches
       WHERE subadmin_id = $1 AND created_at > $2 AND created_by <> $3
     )
     SELECT ${of('challan')} AS challans, ${of('payment')} AS payments`,
    [db.tenantId, since, caller.accountId],
    'today-changes',
  );
  return { since, ...row };
}
