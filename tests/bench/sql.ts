import { challanFields, storedFieldNames } from '../../src/shared/contract/challan-fields.ts';
import { challanJoins, challanRow } from '../../src/server/features/challans/challans-row.queries.ts';

/**
 * The best SQL that we know for what is measured. Totals come from the roll-ups, and pages from an index in the wanted order.
 * The statements are prepared and run as the superuser (without policies) and without a transaction; page and totals are sent
 * together. The report shows the difference to the server, which also does HTTP, session, snapshot, policies and JSON.
 */
export interface ListSql {
  totals: string;
  page: string;
  /** The parameters of both statements. The first is the business. */
  values: (tenantId: string) => unknown[];
}

const sums = `payment_status, sum(challans)::int AS challans, sum(net_amount)::text AS amount`;
const noneId = '00000000-0000-0000-0000-000000000000';
const allTags = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function rolledUp(table: string, ofRollUp: string, ofDeltas: string): string {
  return `SELECT ${sums} FROM (
      SELECT payment_status, challans, net_amount FROM ${table} WHERE subadmin_id = $1 ${ofRollUp}
      UNION ALL
      SELECT payment_status, challans, net_amount FROM open_challan_totals WHERE subadmin_id = $1 ${ofDeltas}
    ) AS parts GROUP BY payment_status`;
}

/** Finds the ids by an index first, and then reads only the rows of these. */
function pageOf(conditions: string, slice: string = 'LIMIT 50', order: string = 'DESC'): string {
  return `SELECT ${challanRow.columns} FROM (
      SELECT c.id FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL ${conditions}
      ORDER BY c.created_at ${order}, c.id ${order} ${slice}
    ) AS page
    JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${challanJoins}
    ORDER BY c.created_at DESC, c.id DESC LIMIT 100`;
}

/** For filters that no roll-up covers: one statement finds the challans once, for the totals and for the page. */
function countedList(conditions: string): Pick<ListSql, 'totals' | 'page'> {
  const found = `SELECT c.id, c.created_at, c.payment_status, c.net_amount_payable FROM challans AS c
    WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL ${conditions}`;
  return {
    totals: '',
    page: `WITH hits AS MATERIALIZED (${found}),
      totals AS (SELECT count(*)::int AS challans, sum(net_amount_payable)::text AS amount,
        count(*) FILTER (WHERE payment_status)::int AS paid,
        sum(net_amount_payable) FILTER (WHERE payment_status)::text AS "paidAmount" FROM hits)
      SELECT totals.*, ${challanRow.columns} FROM totals
      LEFT JOIN ((SELECT id FROM hits ORDER BY created_at DESC, id DESC LIMIT 50) AS page
        JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${challanJoins}) ON true
      ORDER BY c.created_at DESC, c.id DESC`,
  };
}

/** The newest challans with eight of their columns. */
export const shortPage = `SELECT id, challan_number, tp_no, vehicle_no, owner_name, net_amount_payable, payment_status, created_at
  FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 50`;

export const everything = (): ListSql => ({
  totals: rolledUp('challan_totals_by_tag', '', ''),
  page: pageOf(''),
  values: (tenant) => [tenant],
});

/** A page far down the list, read from the end of the list. `fromEnd` challans come after it. */
export const farPage = (fromEnd: number): ListSql => ({
  totals: rolledUp('challan_totals_by_tag', '', ''),
  page: pageOf('', `LIMIT 50 OFFSET ${fromEnd}`, 'ASC'),
  values: (tenant) => [tenant],
});

export const unpaid = (): ListSql => ({
  totals: rolledUp('challan_totals_by_tag', 'AND NOT payment_status', 'AND NOT payment_status'),
  page: pageOf('AND NOT c.payment_status'),
  values: (tenant) => [tenant],
});

export const paid = (): ListSql => ({
  totals: rolledUp('challan_totals_by_tag', 'AND payment_status', 'AND payment_status'),
  page: pageOf('AND c.payment_status'),
  values: (tenant) => [tenant],
});

export const ofTag = (tagId: string): ListSql => ({
  totals: rolledUp('challan_totals_by_tag', 'AND tag_id = $2', 'AND tag_id = $2'),
  page: pageOf('AND c.tag_id = $2'),
  values: (tenant) => [tenant, tagId],
});

export const withNoTag = (): ListSql => ({
  totals: rolledUp('challan_totals_by_tag', `AND tag_id = '${noneId}'`, `AND tag_id = '${noneId}'`),
  page: pageOf('AND c.tag_id IS NULL'),
  values: (tenant) => [tenant],
});

export const ofOwner = (ownerId: string): ListSql => ({
  totals: rolledUp(
    `(SELECT subadmin_id, owner_id, s.* FROM challan_totals_by_owner, LATERAL (VALUES (true, paid_challans, paid_amount),
       (false, challans - paid_challans, net_amount - paid_amount)) AS s (payment_status, challans, net_amount)) AS o`,
    'AND owner_id = $2',
    'AND owner_id = $2',
  ),
  page: pageOf('AND c.owner_id = $2'),
  values: (tenant) => [tenant, ownerId],
});

export const deposited = (from: string, to: string): ListSql => ({
  totals: rolledUp(
    'challan_totals_by_day',
    `AND tag_id = '${allTags}' AND deposited_on BETWEEN $2 AND $3`,
    'AND deposited_on BETWEEN $2 AND $3',
  ),
  // Found first: the planner would read all newer challans for a month that is over.
  page: `SELECT ${challanRow.columns} FROM (
      SELECT c.id FROM (SELECT * FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL
        AND c.deposited_on BETWEEN $2 AND $3 OFFSET 0) AS c ORDER BY c.created_at DESC, c.id DESC LIMIT 50
    ) AS page
    JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${challanJoins}
    ORDER BY c.created_at DESC, c.id DESC`,
  values: (tenant) => [tenant, from, to],
});

export const loaded = (from: string, to: string): ListSql => ({
  ...countedList('AND c.loading_on BETWEEN $2 AND $3'),
  values: (tenant) => [tenant, from, to],
});

export const tpNumber = (text: string): ListSql => ({
  ...countedList("AND c.tp_no ILIKE '%' || $2 || '%'"),
  values: (tenant) => [tenant, text],
});

/**
 * A payment in SQL: the challans of a range of deposited days, the batch, its owners and its lines. The statement writes each
 * row once and does not care for other payments at the same time. $1 is the business, $2 and $3 the days, $4 the id of the
 * batch, $5 its number.
 */
export const payment = `WITH paid AS (
    UPDATE challans SET payment_status = true, paid_at = now(), updated_at = clock_timestamp(), version = version + 1
    WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status AND deposited_on BETWEEN $2 AND $3
    RETURNING *
  ), batch AS (
    INSERT INTO payment_batches (subadmin_id, id, number, kind, created_by, updated_count, total_amount, owner_count)
    SELECT $1, $4, $5, 'filter', $1, count(*), sum(net_amount_payable), count(DISTINCT owner_id) FROM paid
  ), owners_of_batch AS (
    INSERT INTO payment_batch_owners
      (subadmin_id, batch_id, owner_id, name, contact_number, account_no, ifsc, branch_name, pan_no)
    SELECT $1, $4, id, name, contact_number, account_no, ifsc, branch_name, pan_no FROM owners
    WHERE subadmin_id = $1 AND id IN (SELECT owner_id FROM paid)
  ), lines AS (
    INSERT INTO payment_lines (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount,
      challan_number, tp_no, vehicle_no, material, loading_place, unloading_place, loading_at, unloading_at,
      deposited_at, tag_name, created_by)
    SELECT $1, c.id, c.pay_cycle, 'pay', $4, row_number() OVER (ORDER BY lower(o.name), o.id, c.created_at, c.id), o.id,
      c.net_amount_payable, c.challan_number, c.tp_no, c.vehicle_no, c.material, c.loading_place, c.unloading_place,
      c.loading_at, c.unloading_at, c.deposited_at, coalesce(t.name, ''), $1
    FROM paid c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
      LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id
  )
  SELECT count(*)::int AS challans FROM paid`;

const columns = ['owner_id', ...storedFieldNames.map((name) => challanFields[name].column)].join(', ');

/**
 * Creates a copy of a challan in SQL, with its number and its line of history, in one statement. $1 is the business, $2 the
 * challan that is copied.
 */
export const bareCreate = `WITH number AS (
    INSERT INTO counters AS k (subadmin_id, name, value) VALUES ($1, 'bench', 1)
    ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + 1 RETURNING value
  ), challan AS (
    INSERT INTO challans (subadmin_id, challan_number, ${columns})
    SELECT $1, 'BENCH-' || value, ${columns} FROM number, challans c WHERE c.subadmin_id = $1 AND c.id = $2
    RETURNING *
  ), line AS (
    INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id)
    SELECT $1, 'challan', id, 'created', $1 FROM challan
  )
  SELECT * FROM challan`;

/** Changes a challan in SQL with its line of history, in one statement. $1 is the business, $2 the challan. */
const bareChange = (set: string, field: string): string => `WITH challan AS (
    UPDATE challans SET ${set}, updated_at = clock_timestamp(), version = version + 1
    WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL
    RETURNING *
  ), line AS (
    INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, changes)
    SELECT $1, 'challan', id, 'updated', $1, jsonb_build_object('${field}', to_jsonb(ARRAY['', ${field}::text])) FROM challan
  )
  SELECT * FROM challan`;
export const bareEdit = bareChange("remarks = 'edit ' || version", 'remarks');
export const bareHsd = bareChange(
  'hsd_verified = NOT hsd_verified, hsd_verified_at = CASE WHEN hsd_verified THEN NULL ELSE now() END',
  'hsd_verified',
);

/** Pays a challan in SQL as a payment of its own. $1 is the business, $2 the challan. */
export const barePay = `WITH number AS (
    INSERT INTO counters AS k (subadmin_id, name, value) VALUES ($1, 'bench', 1)
    ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + 1 RETURNING value
  ), challan AS (
    UPDATE challans SET payment_status = true, paid_at = now(), updated_at = clock_timestamp(), version = version + 1
    WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL AND NOT payment_status
    RETURNING *
  ), batch AS (
    INSERT INTO payment_batches (subadmin_id, number, kind, created_by, updated_count, total_amount, owner_count)
    SELECT $1, 'BENCH-' || value, 'single', $1, 1, net_amount_payable, 1 FROM challan, number
    RETURNING id
  ), owner_of_batch AS (
    INSERT INTO payment_batch_owners
      (subadmin_id, batch_id, owner_id, name, contact_number, account_no, ifsc, branch_name, pan_no)
    SELECT $1, batch.id, o.id, o.name, contact_number, account_no, ifsc, branch_name, pan_no
    FROM batch, challan c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
  ), line AS (
    INSERT INTO payment_lines (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount,
      challan_number, tp_no, vehicle_no, material, loading_place, unloading_place, loading_at, unloading_at,
      deposited_at, tag_name, created_by)
    SELECT $1, c.id, c.pay_cycle, 'pay', batch.id, 1, c.owner_id, c.net_amount_payable, c.challan_number, c.tp_no, c.vehicle_no,
      c.material, c.loading_place, c.unloading_place, c.loading_at, c.unloading_at, c.deposited_at, coalesce(t.name, ''), $1
    FROM batch, challan c LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id
  )
  SELECT * FROM challan`;

/** The columns of the challan file in the order of the file, as they are stored. */
export const challanCopy = (tenantId: string): string => `COPY (
  SELECT c.challan_number, c.tp_no, c.vehicle_no, c.owner_name, c.owner_contact_number, d.name, t.name, p.name,
    c.material, c.loading_place, c.unloading_place, c.loading_on, c.unloading_on, c.loading_weight, c.unloading_weight,
    c.difference_weight, c.discount_weight, c.rate_per_mt, c.tds_percentage, c.tds_amount, c.hsd_price_per_liter,
    c.hsd_in_liters, c.hsd_amount, c.advance_money, c.office_charges, c.shortage_amount, c.material_shortage_amount,
    c.net_amount_payable, c.payment_status, c.hsd_verified, c.deposited_on, c.remarks, c.created_at
  FROM challans AS c
  LEFT JOIN owners AS d ON d.subadmin_id = c.subadmin_id AND d.id = c.discounter_id
  LEFT JOIN tags AS t ON t.subadmin_id = c.subadmin_id AND t.id = c.tag_id
  LEFT JOIN petrol_pumps AS p ON p.subadmin_id = c.subadmin_id AND p.id = c.petrol_pump_id
  WHERE c.subadmin_id = '${tenantId}' AND c.deleted_at IS NULL
  ORDER BY c.created_at DESC, c.id DESC
) TO STDOUT (FORMAT csv)`;
