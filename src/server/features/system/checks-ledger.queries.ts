/**
 * SQL: the violations of the invariants of the payment ledger, for one tenant. The invariants are:
 * - A challan is paid exactly when it has one live line: a 'pay' line of its current cycle that is not reversed. The
 *   amount of the line is the net of the challan, and the challan's paid day is that of its payment.
 * - Each line refers to an existing challan and an existing batch. Each earlier cycle consists of a payment and its
 *   reversal with the same batch and amount.
 * - Count, sum and owners of a batch are those of its 'pay' lines, carries and deductions. The lines are numbered
 *   from 1 to n, each owner of a batch has a snapshot, and batch numbers have no gap.
 * - A carry is open, deducted or cancelled as a whole. It brings its owner's part of the payment to zero, with all of
 *   its challans or none. A payment that no longer pays an owner anything has no live deduction from that owner.
 */
export const ledgerDifferences = `
  WITH pays AS (
    SELECT challan_id, pay_cycle, batch_id, owner_id, amount, line_no, challan_number, created_at FROM payment_lines
    WHERE subadmin_id = $1 AND kind = 'pay'
  ), backs AS (
    SELECT challan_id, pay_cycle, batch_id, owner_id, amount, line_no, challan_number, created_at FROM payment_lines
    WHERE subadmin_id = $1 AND kind = 'reverse'
  ), own AS (
    SELECT id, challan_number, payment_status, net_amount_payable, paid_at, paid_on, pay_cycle, deleted_at FROM challans
    WHERE subadmin_id = $1
  ), live AS (
    SELECT p.challan_id, count(*) AS lines, min(p.amount) AS amount, min(p.pay_cycle) AS cycle,
      min(CASE WHEN made.kind = 'import' THEN made.paid_on::timestamp AT TIME ZONE 'Asia/Kolkata'
        ELSE p.created_at END) AS at
    FROM pays p JOIN payment_batches made ON made.subadmin_id = $1 AND made.id = p.batch_id
      LEFT JOIN backs b USING (challan_id, pay_cycle) WHERE b.challan_id IS NULL GROUP BY p.challan_id
  ), undone AS (
    SELECT p.challan_id, count(*) AS cycles, max(p.pay_cycle) AS last
    FROM pays p JOIN backs b USING (challan_id, pay_cycle, batch_id, owner_id, amount, line_no, challan_number)
    GROUP BY p.challan_id
  ), lines_of AS (
    SELECT batch_id, count(*) AS lines, sum(amount) AS amount, count(DISTINCT owner_id) AS owners,
      min(line_no) AS first_line, max(line_no) AS last_line, count(DISTINCT line_no) AS line_nos
    FROM pays GROUP BY batch_id
  ), reversed AS (
    SELECT batch_id, created_at, count(*) AS lines, sum(amount) AS amount FROM backs GROUP BY batch_id, created_at
  ), settled AS (
    SELECT batch_id, created_at, sum(amount) AS amount FROM carry_events
    WHERE subadmin_id = $1 AND kind IN ('restore', 'cancel') GROUP BY batch_id, created_at
  ), carries AS (
    SELECT k.*, lag(kind) OVER w AS kind_before, lag(batch_id) OVER w AS batch_before,
      lag(event_no) OVER w AS no_before, first_value(batch_id) OVER w AS made_in, first_value(owner_id) OVER w AS of,
      first_value(amount) OVER w AS whole
    FROM carry_events k WHERE k.subadmin_id = $1 WINDOW w AS (PARTITION BY carry_id ORDER BY event_no)
  ), carried_of AS (
    SELECT batch_id, sum(amount) FILTER (WHERE kind IN ('carry', 'deduct')) AS amount FROM carries GROUP BY batch_id
  ), parts AS (
    SELECT k.batch_id, k.owner_id, k.amount AS carried, k.makes, count(p.challan_id) AS lines,
      count(p.challan_id) FILTER (WHERE b.challan_id IS NULL) AS live,
      coalesce(sum(p.amount) FILTER (WHERE b.challan_id IS NULL), 0) AS amount
    FROM (SELECT batch_id, owner_id, sum(amount) AS amount, bool_or(kind = 'carry') AS makes FROM carries GROUP BY 1, 2) k
      LEFT JOIN pays p ON p.batch_id = k.batch_id AND p.owner_id = k.owner_id
      LEFT JOIN backs b ON b.challan_id = p.challan_id AND b.pay_cycle = p.pay_cycle
    GROUP BY k.batch_id, k.owner_id, k.amount, k.makes
  ), owners_of AS (SELECT DISTINCT batch_id, owner_id FROM pays)
  SELECT 'paid without exactly one live line of its net and cycle' AS rule, c.challan_number AS wrong
    FROM own c LEFT JOIN live l ON l.challan_id = c.id
    WHERE c.payment_status AND (l.lines, l.amount, l.at, l.cycle)
      IS DISTINCT FROM (1::bigint, c.net_amount_payable, c.paid_at, c.pay_cycle)
  UNION ALL
  SELECT 'paid on another day than its payment', c.challan_number FROM own c
    LEFT JOIN pays p ON p.challan_id = c.id AND p.pay_cycle = c.pay_cycle
    LEFT JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = p.batch_id
    WHERE c.payment_status AND c.paid_on IS DISTINCT FROM b.paid_on OR NOT c.payment_status AND c.paid_on IS NOT NULL
  UNION ALL
  SELECT 'unpaid with a live line', c.challan_number FROM own c JOIN live l ON l.challan_id = c.id
    WHERE NOT c.payment_status
  UNION ALL
  SELECT 'paid and deleted', challan_number FROM own WHERE payment_status AND deleted_at IS NOT NULL
  UNION ALL
  SELECT 'earlier cycles are not each a payment and its reversal', c.challan_number
    FROM own c LEFT JOIN undone u ON u.challan_id = c.id
    WHERE coalesce(u.cycles, 0) <> c.pay_cycle OR coalesce(u.last, -1) <> c.pay_cycle - 1
  UNION ALL
  SELECT 'a reversal of nothing', b.challan_number FROM backs b LEFT JOIN pays p USING (challan_id, pay_cycle)
    WHERE p.challan_id IS NULL
  UNION ALL
  SELECT 'a line of a challan or a payment that is not there', p.challan_number FROM (TABLE pays UNION ALL TABLE backs) p
    LEFT JOIN own c ON c.id = p.challan_id LEFT JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = p.batch_id
    WHERE c.id IS NULL OR b.id IS NULL
  UNION ALL
  SELECT 'events of a carry in no order', carry_id::text FROM carries
    WHERE event_no <> coalesce(no_before, 0) + 1 OR owner_id <> of OR abs(amount) <> whole
      OR NOT (CASE kind WHEN 'carry' THEN kind_before IS NULL
        WHEN 'deduct' THEN kind_before IN ('carry', 'restore') AND batch_id <> made_in
        WHEN 'restore' THEN kind_before = 'deduct' AND batch_id = batch_before
        ELSE kind_before IN ('carry', 'restore') AND batch_id = made_in END)
  UNION ALL
  SELECT 'a carry that does not bring its owner to nothing', batch_id::text FROM parts
    WHERE makes AND (amount + carried <> 0 OR live NOT IN (0, lines))
  UNION ALL
  SELECT 'carried or deducted without a challan that is still paid', batch_id::text FROM parts
    WHERE live = 0 AND carried <> 0
  UNION ALL
  SELECT 'batch does not agree with its lines', b.number FROM payment_batches b LEFT JOIN lines_of l ON l.batch_id = b.id
    LEFT JOIN carried_of k ON k.batch_id = b.id
    WHERE b.subadmin_id = $1 AND (b.updated_count, b.total_amount, b.owner_count, 1, b.updated_count, b.updated_count)
      IS DISTINCT FROM (l.lines, l.amount + coalesce(k.amount, 0), l.owners, l.first_line, l.last_line, l.line_nos)
  UNION ALL
  SELECT 'owners of the lines and of the batch differ', coalesce(l.batch_id, o.batch_id)::text
    FROM owners_of l FULL JOIN (SELECT * FROM payment_batch_owners WHERE subadmin_id = $1) o USING (batch_id, owner_id)
    WHERE l.owner_id IS NULL OR o.owner_id IS NULL
  UNION ALL
  SELECT 'reversal does not agree with its lines', r.batch_id::text FROM payment_reversals r
    LEFT JOIN reversed l ON l.batch_id = r.batch_id AND l.created_at = r.created_at
    LEFT JOIN settled s ON s.batch_id = r.batch_id AND s.created_at = r.created_at
    WHERE r.subadmin_id = $1
      AND (r.reversed_count, r.reversed_amount) IS DISTINCT FROM (l.lines, l.amount - coalesce(s.amount, 0))
  UNION ALL
  SELECT 'reversed batch with a live line', p.challan_number FROM payment_reversals r JOIN pays p USING (batch_id)
    JOIN live l ON l.challan_id = p.challan_id AND l.cycle = p.pay_cycle WHERE r.subadmin_id = $1
  UNION ALL
  SELECT 'batch numbers with a gap', k.name FROM counters k WHERE k.subadmin_id = $1 AND k.name LIKE 'payment-%'
    AND k.value <> (SELECT count(*) FROM payment_batches b WHERE b.subadmin_id = $1
      AND b.number LIKE 'PAY-' || right(k.name, 4) || '-%')`;
