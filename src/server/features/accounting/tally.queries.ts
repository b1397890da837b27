import {
  shippedLedgers,
  type LedgerUse,
  type TallyChanged,
  type TallyExport,
  type TallyGrouping,
  type TallySettings,
  type TallySettingsChange,
  type TallyVoucher,
  type TallyWanted,
} from '../../../shared/contract/tally.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { tallyChangedFilters } from '../../../shared/filters/tally-filters.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { offsetOf, selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { countRows, escapeLike, fetchInBatches, Parameters, type Bind } from '../../sql/statements.ts';

/** What goes to Tally (migration 017). Vouchers are made by single statements, however many challans a period has. */

const settingsColumns = `ledgers->'uses' AS ledgers, ledgers->'accounts' AS accounts, ledgers->>'grouping' AS grouping,
  updated_at AS "updatedAt", version`;

const unsavedTallySettings: Omit<TallySettings, 'masterCount'> = {
  ledgers: shippedLedgers,
  accounts: [],
  grouping: 'day',
  updatedAt: null,
  version: 0,
};

export async function selectTallySettings(db: TenantDb): Promise<TallySettings> {
  const [[settings = unsavedTallySettings], masterCount] = await Promise.all([
    db.records<typeof unsavedTallySettings>(
      `SELECT ${settingsColumns} FROM tally_settings WHERE subadmin_id = $1`,
      [db.tenantId],
      'select-tally-settings',
    ),
    countRows(db, 'tally_masters WHERE subadmin_id = $1', [db.tenantId], 'count-tally-masters'),
  ]);
  return { ...settings, masterCount };
}

/** Saves the settings. Returns false when somebody else has saved since the given version. */
export async function saveTallySettings(
  db: TenantDb,
  { ledgers, accounts, grouping, version }: TallySettingsChange,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO tally_settings AS t (subadmin_id, ledgers) VALUES ($1, $2::jsonb)
     ON CONFLICT (subadmin_id) DO UPDATE SET ledgers = excluded.ledgers, updated_at = clock_timestamp(), version = t.version + 1
     WHERE t.version = $3::bigint`,
    [db.tenantId, JSON.stringify({ uses: ledgers, accounts, grouping }), version],
    'save-tally-settings',
  );
  return rowCount === 1;
}

export async function replaceTallyMasters(db: TenantDb, names: readonly string[]): Promise<void> {
  await db.query('DELETE FROM tally_masters WHERE subadmin_id = $1', [db.tenantId], 'delete-tally-masters');
  await db.query(
    'INSERT INTO tally_masters (subadmin_id, name) SELECT DISTINCT $1::uuid, name FROM unnest($2::text[]) AS name',
    [db.tenantId, names],
    'insert-tally-masters',
  );
}

/** SQL: a name as Tally has it. One that its masters do not have stays as it is. */
const inTally = (name: string): string => `coalesce((SELECT m.name FROM tally_masters AS m
  WHERE m.subadmin_id = $1 AND m.key = tally_key(${name}) ORDER BY m.name = ${name} DESC, m.name LIMIT 1), ${name})`;

/**
 * SQL: the ledgers of owners, pumps and bank accounts. Of two owners whose names are one in Tally, the later one has its contact
 * number behind the name.
 */
const named = (pumps: string, accounts: string): string => `owner_ledgers AS MATERIALIZED (
    SELECT o.id, ${inTally('o.name')} AS ledger FROM (
      SELECT id, CASE WHEN row_number() OVER (PARTITION BY tally_key(name) ORDER BY created_at, id) = 1 THEN name
        ELSE left(name, 189) || ' ' || contact_number END AS name
      FROM owners WHERE subadmin_id = $1) AS o
  ), pump_ledgers AS MATERIALIZED (
    SELECT id, CASE WHEN ${pumps} <> '' THEN ${pumps} ELSE ${inTally('p.name')} END AS ledger FROM petrol_pumps AS p WHERE subadmin_id = $1
  ), account_ledgers AS MATERIALIZED (
    SELECT b.id, coalesce(s.ledger, ${inTally('b.name')}) AS ledger FROM bank_accounts AS b
      LEFT JOIN jsonb_to_recordset(${accounts}::jsonb) AS s (id uuid, ledger text) ON s.id = b.id
    WHERE b.subadmin_id = $1
  )`;

/**
 * SQL: whether a value is among these, which are read once. What this transaction has written is not in the statistics: the planner
 * expects one row of it and would read it again for each value. For the same reason joins of challans are made without nested loops.
 */
const isAmong = (value: string, which: string): string => `(${value} IN (${which})) IS TRUE`;

/**
 * SQL: rows of what is not in Tally as it is now. Challans are joined in full, because that is never done by nested loops, which the
 * planner would take right after a large file.
 */
const changed = `(
    SELECT coalesce(x.source_id, c.source_id) AS source_id, 'challan' AS record, coalesce(x.source_id, c.source_id) AS record_id,
      coalesce(x.owner_id, c.owner_id) AS owner_id,
      CASE WHEN x.source_id IS NULL THEN 'added' WHEN c.source_id IS NULL THEN 'deleted' ELSE 'changed' END AS change,
      coalesce(c.day, x.day) AS day, x.amount AS amount_exported, c.amount AS amount_now, x.export_id
    FROM (SELECT * FROM tally_exported WHERE subadmin_id = $1 AND batch_id IS NULL) AS x
      FULL JOIN (SELECT * FROM tally_challans WHERE subadmin_id = $1) AS c ON c.source_id = x.source_id
    WHERE CASE WHEN x.source_id IS NULL THEN ${isAmong('c.day', 'SELECT day FROM exported_days')}
      WHEN x.voucher_id IS NULL THEN c.source_id IS NOT NULL ELSE c.fingerprint IS DISTINCT FROM x.fingerprint END
    UNION ALL
    SELECT t.source_id, 'payment', t.batch_id, t.owner_id,
      CASE WHEN x.source_id IS NOT NULL THEN 'changed' WHEN t.back_on IS NOT NULL THEN 'reversed' ELSE 'added' END,
      t.day, x.amount, t.amount, x.export_id
    FROM tally_transfers AS t LEFT JOIN tally_exported AS x ON x.subadmin_id = $1 AND x.source_id = t.source_id
    WHERE t.subadmin_id = $1 AND t.fingerprint IS DISTINCT FROM x.fingerprint AND (x.source_id IS NOT NULL OR t.amount <> 0 AND (
      ${isAmong('t.day', 'SELECT day FROM exported_days')} OR ${isAmong(
        "tally_id(concat_ws(' ', 'transfer', t.batch_id, t.owner_id))",
        'SELECT source_id FROM tally_exported WHERE subadmin_id = $1 AND batch_id IS NOT NULL',
      )}))
  )`;
/** SQL: the days of the periods that went out. */
const exportedDays = `exported_days AS MATERIALIZED (
    SELECT DISTINCT day::date AS day FROM tally_exports AS e, generate_series(e.from_on, e.to_on, interval '1 day') AS day
    WHERE e.subadmin_id = $1 AND e.kind = 'period')`;

type ChangedFilter = FilterOfList<typeof tallyChangedFilters>;

/** SQL: those of a filter, each with its owner and its challan or payment. */
function changedOf({ change, record, search }: ChangedFilter, bind: Bind, ...more: readonly string[]): string {
  const pattern = search === undefined ? '' : `'%' || ${bind(escapeLike(search))} || '%'`;
  const conditions = [
    ...more,
    ...(change === undefined ? [] : [`r.change = ${bind(change)}`]),
    ...(record === undefined ? [] : [`r.record = ${bind(record)}`]),
    ...(search === undefined
      ? []
      : [`(coalesce(c.challan_number, b.number) ILIKE ${pattern} OR o.name ILIKE ${pattern})`]),
  ];
  return `${changed} AS r JOIN owners AS o ON o.subadmin_id = $1 AND o.id = r.owner_id
    LEFT JOIN challans AS c ON c.subadmin_id = $1 AND c.id = r.record_id AND r.record = 'challan'
    LEFT JOIN payment_batches AS b ON b.subadmin_id = $1 AND b.id = r.record_id AND r.record = 'payment'
    LEFT JOIN tally_exports AS e ON e.subadmin_id = $1 AND e.id = r.export_id
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}`;
}

export async function selectTallyChanged(
  db: TenantDb,
  query: ChangedFilter & Paging,
): Promise<{ data: TallyChanged[]; count: number }> {
  const page = new Parameters(db);
  const counted = new Parameters(db);
  const [data, { rows }] = await Promise.all([
    db.records<TallyChanged>(
      `WITH ${exportedDays}
       SELECT r.source_id AS id, r.record, r.record_id AS "recordId", coalesce(c.challan_number, b.number) AS name, o.name AS "ownerName",
         r.change, r.day, r.amount_exported AS "amountExported", r.amount_now AS "amountNow", e.number AS "exportNumber",
         e.created_at AS "exportedAt"
       FROM ${changedOf(query, page.bind)}
       ORDER BY r.day DESC, name, r.source_id LIMIT ${page.bind(query.limit)} OFFSET ${page.bind(offsetOf(query))}`,
      page.values,
    ),
    db.query<{ count: number }>(
      `WITH ${exportedDays} SELECT count(*)::int AS count FROM ${changedOf(query, counted.bind)}`,
      counted.values,
    ),
  ]);
  return { data, count: rows[0]?.count ?? 0 };
}

/** A file may take as long as its call: a minute. */
export const allowSlowStatements = (db: TenantDb) => db.query("SET LOCAL statement_timeout = '55s'");

export const countTallyChallans = (db: TenantDb, { from, to }: { from: string; to: string }): Promise<number> =>
  countRows(
    db,
    'tally_challans WHERE subadmin_id = $1 AND day BETWEEN $2::date AND $3::date',
    [db.tenantId, from, to],
    'count-tally-challans',
  );

/**
 * Says of each challan and transfer of a file which voucher has it now, and which had it before. Returns how many challans the
 * file has. `rest` brings in the others of
 * these vouchers until there are none, because a voucher goes out whole.
 */
export async function assignTallyVouchers(
  db: TenantDb,
  exportId: string,
  grouping: TallyGrouping,
  wanted: TallyWanted,
): Promise<number> {
  const days = (bind: Bind): string =>
    wanted.kind === 'period' ? `BETWEEN ${bind(wanted.from)}::date AND ${bind(wanted.to)}::date` : '';
  const exportedIn = (period: string, isIt: string): string =>
    `SELECT source_id FROM tally_exported WHERE subadmin_id = $1 AND batch_id ${isIt} AND day ${period} AND voucher_id IS NOT NULL`;
  const changedIds = (record: 'challan' | 'payment', bind: Bind): string =>
    wanted.kind === 'changed' ? `SELECT r.source_id FROM ${changedOf(wanted, bind, `r.record = '${record}'`)}` : '';
  const transfers = new Parameters(db);
  const period = days(transfers.bind);
  await db.query(
    `WITH ${exportedDays}
     INSERT INTO tally_exported AS x (subadmin_id, source_id, batch_id, owner_id, day, amount, fingerprint, export_id, voucher_id)
     SELECT $1, t.source_id, t.batch_id, t.owner_id, t.day, t.amount, t.fingerprint, ${transfers.bind(exportId)}, t.source_id
     FROM tally_transfers AS t WHERE t.subadmin_id = $1 AND ${
       wanted.kind === 'period'
         ? `(t.day ${period} OR ${isAmong('t.source_id', exportedIn(period, 'IS NOT NULL'))})`
         : isAmong('t.source_id', changedIds('payment', transfers.bind))
     }
     ${takenOver}`,
    transfers.values,
  );
  await db.query('SET LOCAL enable_nestloop = off');
  let count = await assignChallans(db, exportId, grouping, (bind) => {
    if (wanted.kind === 'changed') return changedIds('challan', bind);
    const within = days(bind);
    return `SELECT source_id FROM tally_challans WHERE subadmin_id = $1 AND day ${within} UNION ${exportedIn(within, 'IS NULL')}`;
  });
  const rest = (bind: Bind): string => {
    const file = bind(exportId);
    return `SELECT o.source_id FROM tally_exported AS o WHERE o.subadmin_id = $1 AND o.export_id <> ${file} AND o.batch_id IS NULL
        AND o.voucher_id IN (
          SELECT v FROM tally_exported AS x, unnest(ARRAY[x.voucher_id, x.previous_id]) AS v
          WHERE x.subadmin_id = $1 AND x.export_id = ${file} AND x.batch_id IS NULL)
      ${
        grouping === 'challan'
          ? ''
          : `UNION SELECT c.source_id FROM tally_challans AS c
        WHERE c.subadmin_id = $1 AND (c.owner_id, c.day) IN (
            SELECT x.owner_id, x.day FROM tally_exported AS x
            WHERE x.subadmin_id = $1 AND x.export_id = ${file} AND x.batch_id IS NULL AND x.voucher_id IS NOT NULL)
          AND NOT EXISTS (SELECT FROM tally_exported AS x
            WHERE x.subadmin_id = $1 AND x.export_id = ${file} AND x.source_id = c.source_id)`
      }`;
  };
  for (let more = count; more > 0; count += more) more = await assignChallans(db, exportId, grouping, rest);
  await db.query('SET LOCAL enable_nestloop = on');
  return count;
}

const takenOver = `ON CONFLICT (subadmin_id, source_id) DO UPDATE SET owner_id = excluded.owner_id, day = excluded.day,
  amount = excluded.amount, fingerprint = excluded.fingerprint, export_id = excluded.export_id,
  voucher_id = excluded.voucher_id, previous_id = x.voucher_id`;

async function assignChallans(
  db: TenantDb,
  exportId: string,
  grouping: TallyGrouping,
  which: (bind: Bind) => string,
): Promise<number> {
  const voucher = {
    day: `tally_id(concat_ws(' ', 'day', c.owner_id, to_char(c.day, 'YYYYMMDD')))`,
    challan: `tally_id('challan ' || c.source_id)`,
  }[grouping];
  const { values, bind } = new Parameters(db);
  const { count } = await db.one<{ count: number }>(
    `WITH ${exportedDays}, wanted AS MATERIALIZED (${which(bind)}), present AS (
       INSERT INTO tally_exported AS x (subadmin_id, source_id, owner_id, day, amount, fingerprint, export_id, voucher_id)
       SELECT $1, c.source_id, c.owner_id, c.day, c.amount, c.fingerprint, ${bind(exportId)}, ${voucher}
       FROM tally_challans AS c WHERE c.subadmin_id = $1 AND c.source_id IN (SELECT source_id FROM wanted)
       ${takenOver} RETURNING 1
     ), gone AS (
       UPDATE tally_exported AS x SET previous_id = x.voucher_id, voucher_id = NULL, export_id = ${bind(exportId)}
       WHERE x.subadmin_id = $1 AND x.batch_id IS NULL AND x.source_id IN (SELECT source_id FROM wanted)
         AND NOT EXISTS (SELECT FROM tally_challans AS c WHERE c.subadmin_id = $1 AND c.source_id = x.source_id)
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM present)::int + (SELECT count(*) FROM gone)::int AS count`,
    values,
  );
  return count;
}

/**
 * Writes the vouchers of a file: of challans, of transfers, and those that are taken back because nothing of them is left. What is
 * debited is above zero, what is credited below.
 */
export async function insertTallyVouchers(
  db: TenantDb,
  exportId: string,
  { ledgers, accounts }: Pick<TallySettings, 'ledgers' | 'accounts'>,
): Promise<void> {
  const { values, bind } = new Parameters(db);
  const file = bind(exportId);
  const of = (use: LedgerUse): string => `${bind(ledgers[use])}::text`;
  const insert = `INSERT INTO tally_vouchers
    (subadmin_id, export_id, voucher_id, kind, day, reference, narration, ledgers, amounts)`;
  const ordered = (what: string): string =>
    `array_agg(e.${what} ORDER BY e.place, e.ledger COLLATE "C") FILTER (WHERE e.place > 0)`;
  const names = named(of('pumps'), bind(JSON.stringify(accounts)));
  await db.query('SET LOCAL enable_nestloop = off');
  // Place 0 is the voucher itself: how many challans it has, and their numbers.
  await db.query(
    `WITH ${names}, entries AS (
       SELECT x.voucher_id, e.place, e.ledger, sum(e.amount) AS amount, min(c.day) AS day, count(*) AS challans,
         array_agg(c.challan_number ORDER BY c.challan_number) FILTER (WHERE e.place = 0) AS numbers
       FROM tally_exported AS x JOIN tally_challans AS c ON c.subadmin_id = $1 AND c.source_id = x.source_id
         JOIN owner_ledgers AS o ON o.id = c.owner_id LEFT JOIN pump_ledgers AS p ON p.id = c.petrol_pump_id
         CROSS JOIN LATERAL (VALUES (0, '', 0), (1, ${of('freight')}, c.freight), (2, o.ledger, -c.amount), (3, ${of('tds')}, -c.tds),
           (4, p.ledger, -c.hsd), (5, ${of('advance')}, -c.advance), (6, ${of('officeCharges')}, -c.office),
           (7, ${of('shortage')}, -c.shortage)) AS e (place, ledger, amount)
       WHERE x.subadmin_id = $1 AND x.export_id = ${file} AND x.batch_id IS NULL
       GROUP BY 1, 2, 3 HAVING sum(e.amount) <> 0 OR e.place = 0
     ), vouchers AS (
       SELECT e.voucher_id, min(e.day) AS day, max(e.challans) FILTER (WHERE e.place = 0) AS challans,
         (array_agg(to_jsonb(e.numbers)) FILTER (WHERE e.place = 0))[1] AS numbers,
         ${ordered('ledger')} AS ledgers, ${ordered('amount')} AS amounts
       FROM entries AS e GROUP BY e.voucher_id HAVING count(*) > 1
     )
     ${insert}
     SELECT $1, ${file}, v.voucher_id, 'journal', v.day, CASE WHEN v.challans = 1 THEN v.numbers->>0 ELSE '' END,
       CASE WHEN v.challans = 1 THEN 'Challan ' ELSE v.challans || ' challans: ' END
         || (SELECT string_agg(number, ', ' ORDER BY at) FROM jsonb_array_elements_text(v.numbers) WITH ORDINALITY AS n (number, at) WHERE at <= 20)
         || CASE WHEN v.challans > 20 THEN ' …' ELSE '' END, v.ledgers, v.amounts
     FROM vouchers AS v`,
    values,
  );
  await db.query('SET LOCAL enable_nestloop = on');
  const transfers = new Parameters(db);
  const ofTransfers = transfers.bind(exportId);
  await db.query(
    `WITH ${named(`${transfers.bind(ledgers.pumps)}::text`, transfers.bind(JSON.stringify(accounts)))}
     ${insert}
     SELECT $1, ${ofTransfers}, t.source_id, CASE WHEN t.amount > 0 THEN 'payment' ELSE 'receipt' END, t.day,
       coalesce(nullif(t.utr, ''), t.reference),
       concat_ws(', ', CASE WHEN t.back_on IS NULL THEN 'Payment ' ELSE 'Taken back of payment ' END || t.number,
         nullif(t.reference, t.number), 'UTR ' || nullif(t.utr, '')),
       ARRAY[o.ledger, coalesce(b.ledger, ${transfers.bind(ledgers.bank)}::text)], ARRAY[t.amount, -t.amount]
     FROM tally_transfers AS t
       JOIN owner_ledgers AS o ON o.id = t.owner_id LEFT JOIN account_ledgers AS b ON b.id = t.bank_account_id
     WHERE t.subadmin_id = $1 AND t.amount <> 0
       AND ${isAmong('t.source_id', `SELECT source_id FROM tally_exported WHERE subadmin_id = $1 AND export_id = ${ofTransfers} AND batch_id IS NOT NULL`)}`,
    transfers.values,
  );
  await db.query(
    `${insert}
     SELECT $1, $2, last.voucher_id, last.kind, last.day, last.reference, last.narration, '{}', '{}'
     FROM (SELECT DISTINCT previous_id FROM tally_exported
         WHERE subadmin_id = $1 AND export_id = $2 AND previous_id IS NOT NULL
           AND NOT ${isAmong('previous_id', 'SELECT voucher_id FROM tally_vouchers WHERE subadmin_id = $1 AND export_id = $2')}) AS x
       JOIN LATERAL (
         SELECT v.* FROM tally_vouchers AS v JOIN tally_exports AS e ON e.subadmin_id = $1 AND e.id = v.export_id
         WHERE v.subadmin_id = $1 AND v.voucher_id = x.previous_id ORDER BY e.created_at DESC, e.number DESC LIMIT 1
       ) AS last ON cardinality(last.ledgers) > 0`,
    [db.tenantId, exportId],
  );
}

/** Writes the file itself. Returns false, and writes nothing, where it has no vouchers. */
export async function insertTallyExport(
  db: TenantDb,
  caller: Caller,
  file: { id: string; number: string; grouping: TallyGrouping; wanted: TallyWanted },
): Promise<boolean> {
  const { wanted } = file;
  const [from, to] = wanted.kind === 'period' ? [wanted.from, wanted.to] : [null, null];
  const { rowCount } = await db.query(
    `INSERT INTO tally_exports (subadmin_id, id, number, kind, grouping_by, from_on, to_on, challan_count, transfer_count,
       voucher_count, amount, created_by)
     SELECT $1, $2, $3, $4, $5, coalesce($6::date, v.first), coalesce($7::date, v.last), x.challans, x.transfers, v.vouchers, v.amount, $8
     FROM (
         SELECT count(*) AS vouchers, min(day) AS first, max(day) AS last,
           coalesce(sum((SELECT sum(a) FROM unnest(amounts) AS a WHERE a > 0)), 0) AS amount
         FROM tally_vouchers WHERE subadmin_id = $1 AND export_id = $2
       ) AS v,
       (SELECT count(*) FILTER (WHERE batch_id IS NULL) AS challans, count(batch_id) AS transfers
        FROM tally_exported WHERE subadmin_id = $1 AND export_id = $2) AS x
     WHERE v.vouchers > 0`,
    [db.tenantId, file.id, file.number, wanted.kind, file.grouping, from, to, caller.accountId],
    'insert-tally-export',
  );
  return rowCount === 1;
}

const selectExports = (which: string): string => `SELECT e.id, e.number, e.kind, e.from_on AS "from", e.to_on AS "to",
    e.challan_count AS "challanCount", e.transfer_count AS "transferCount", e.voucher_count AS "voucherCount", e.amount,
    e.created_at AS "createdAt", ${actorName('a')} AS "createdBy"
  FROM tally_exports AS e JOIN accounts AS a ON a.id = e.created_by WHERE e.subadmin_id = $1 ${which}`;

export const selectTallyExports = (db: TenantDb, paging: Paging): Promise<Page<TallyExport>> =>
  selectPage(
    db,
    paging,
    'tally_exports WHERE subadmin_id = $1',
    selectExports('ORDER BY e.created_at DESC, e.id DESC LIMIT $2 OFFSET $3'),
    [db.tenantId],
    'select-tally-exports',
  );

export async function selectTallyExport(db: TenantDb, id: string): Promise<TallyExport | undefined> {
  const [file] = await db.records<TallyExport>(
    selectExports('AND e.id = $2'),
    [db.tenantId, id],
    'select-tally-export',
  );
  return file;
}

/** Yields the vouchers of a file in the order in which it has them. */
export const tallyVouchers = (db: TenantDb, exportId: string): AsyncGenerator<TallyVoucher[]> =>
  fetchInBatches<TallyVoucher>(
    db,
    'tally_vouchers_of_file',
    `SELECT voucher_id AS id, kind, day::text AS day, reference, narration, ledgers, amounts::text[] AS amounts
     FROM tally_vouchers AS v WHERE subadmin_id = $1 AND export_id = $2
     ORDER BY v.day, v.kind, v.reference COLLATE "C", v.voucher_id`,
    [db.tenantId, exportId],
  );

/** Yields the ledgers of the business that Tally does not have yet: owners, petrol pumps, bank accounts and the rest. */
export function tallyLedgers(
  db: TenantDb,
  { ledgers, accounts }: Pick<TallySettings, 'ledgers' | 'accounts'>,
): AsyncGenerator<{ name: string; use: LedgerUse | 'account' }[]> {
  const { values, bind } = new Parameters(db);
  const pumps = `${bind(ledgers.pumps)}::text`;
  const one = (use: LedgerUse): string => `SELECT ${bind(ledgers[use])}::text, '${use}'`;
  return fetchInBatches(
    db,
    'tally_ledgers',
    `WITH ${named(pumps, bind(JSON.stringify(accounts)))}, wanted (name, use) AS (
       SELECT ledger, 'ownersGroup' FROM owner_ledgers AS l JOIN owners AS o ON o.subadmin_id = $1 AND o.id = l.id AND o.deleted_at IS NULL
       UNION ALL SELECT ledger, 'pumps' FROM pump_ledgers
       UNION ALL SELECT ledger, 'account' FROM account_ledgers
       ${(['freight', 'tds', 'advance', 'officeCharges', 'shortage', 'bank'] as const).map((use) => `UNION ALL ${one(use)}`).join(' ')}
     )
     SELECT name, min(use) AS use FROM wanted AS w
     WHERE NOT EXISTS (SELECT FROM tally_masters AS m WHERE m.subadmin_id = $1 AND m.key = tally_key(w.name))
     GROUP BY name ORDER BY min(use), name COLLATE "C"`,
    values,
  );
}
