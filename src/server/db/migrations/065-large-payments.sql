-- What a payment of thousands of challans costs beside its rows (docs/decisions.md 108).

-- What lines name is looked up as one list of challans and once for each payment, instead of both for each line. Lists, so that
-- the plan, which a session keeps from its first payment, is a look-up by key for one line and for a hundred thousand.
CREATE OR REPLACE FUNCTION payment_lines_name_what_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT subadmin_id, array_agg(DISTINCT challan_id) AS ids FROM after_rows GROUP BY subadmin_id) AS l
    WHERE cardinality(l.ids) <>
      (SELECT count(*) FROM challans AS c WHERE c.subadmin_id = l.subadmin_id AND c.id = ANY (l.ids))
  ) OR EXISTS (
    SELECT FROM (SELECT DISTINCT subadmin_id, batch_id FROM after_rows) AS l
    WHERE (SELECT b.id FROM payment_batches AS b WHERE b.subadmin_id = l.subadmin_id AND b.id = l.batch_id) IS NULL
  ) THEN
    RAISE EXCEPTION 'A line of a payment names a challan or a payment that is not there'
      USING ERRCODE = 'foreign_key_violation', TABLE = 'payment_lines';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION challans_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
  -- All were paid, or all were made unpaid: each challan leaves one key for another, so no two differences can cancel each other
  -- out. Owner, tag and both days are nearly always a key of their own, so adding them up would save almost no row.
  IF (SELECT bool_and(payment_status) FROM after_rows) AND NOT (SELECT bool_or(payment_status) FROM before_rows)
    OR NOT (SELECT bool_or(payment_status) FROM after_rows) AND (SELECT bool_and(payment_status) FROM before_rows)
  THEN
    INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
      tds_percentage, is_deducted, challans, net_amount, tds_amount, loading_weight, unloading_weight, gross,
      first_created_at, last_created_at)
    SELECT change, row_number() OVER (), subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000'),
      coalesce(deposited_on, '-infinity'), loading_on, payment_status, coalesce(paid_on, '-infinity'),
      tds_percentage_of(tds_percentage, tds_amount, exact_gross), tds_amount > 0,
      n, n * net_amount_payable, n * tds_amount, n * loading_weight, n * unloading_weight, n * round(exact_gross, 2),
      created_at, created_at
    FROM (SELECT 1 AS n, * FROM after_rows UNION ALL SELECT -1, * FROM before_rows) AS rows,
      LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL;
    RETURN NULL;
  END IF;
  INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, challans, net_amount, tds_amount, loading_weight, unloading_weight, gross,
    first_created_at, last_created_at)
  SELECT change, row_number() OVER (), subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, sum(n), sum(n * net_amount_payable), sum(n * tds_amount), sum(n * loading_weight),
    sum(n * unloading_weight), sum(n * round(exact_gross, 2)), min(created_at), max(created_at)
  FROM (
    SELECT n, subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      coalesce(paid_on, '-infinity') AS paid_on, tds_percentage_of(tds_percentage, tds_amount, exact_gross) AS tds_percentage,
      tds_amount > 0 AS is_deducted, net_amount_payable, tds_amount, loading_weight, unloading_weight, exact_gross, created_at
    FROM (SELECT 1 AS n, * FROM after_rows UNION ALL SELECT -1, * FROM before_rows) AS rows,
      LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL
  ) AS changed
  GROUP BY 3, 4, 5, 6, 7, 8, 9, 10, 11
  -- Nothing to record when the sums stay the same and no challan is outside the key's present bounds.
  HAVING sum(n) <> 0 OR sum(n * net_amount_payable) <> 0 OR sum(n * tds_amount) <> 0
    OR sum(n * loading_weight) <> 0 OR sum(n * unloading_weight) <> 0 OR sum(n * round(exact_gross, 2)) <> 0
    OR min(created_at) FILTER (WHERE n > 0) < min(created_at) FILTER (WHERE n < 0)
    OR max(created_at) FILTER (WHERE n > 0) > max(created_at) FILTER (WHERE n < 0);
  RETURN NULL;
END
$$;

-- The same days as before, which the row has already: six of them were computed again for each challan that was paid.
ALTER TABLE challans
  DROP CONSTRAINT challan_days,
  ADD CONSTRAINT challan_days CHECK (
    loading_on <= unloading_on AND (deposited_on IS NULL OR unloading_on <= deposited_on));
