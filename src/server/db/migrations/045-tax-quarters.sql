-- The TDS register (docs/specification.md §27) reads sums instead of challans: gross and deducted of each owner, percentage and
-- quarter, by the day of the payment and by the day of the deposit. Its periods are whole quarters. Parts of a key cannot be
-- null, as in migration 004: a challan that is not paid was paid on '-infinity', and one without a percentage has -1.

ALTER TABLE challan_deltas
  ADD COLUMN paid_on date NOT NULL DEFAULT '-infinity',
  ADD COLUMN tds_percentage numeric NOT NULL DEFAULT -1,
  ADD COLUMN is_deducted boolean NOT NULL DEFAULT false,
  ADD COLUMN gross numeric NOT NULL DEFAULT 0;
-- What is open does not know its gross: into the old totals first, with the fold of before. Nobody writes meanwhile, because
-- the table is locked.
DO $$
DECLARE
  tenant uuid;
BEGIN
  FOR tenant IN SELECT DISTINCT subadmin_id FROM challan_deltas LOOP
    PERFORM set_config('app.tenant', tenant::text, true);
    PERFORM fold_challan_totals();
  END LOOP;
  PERFORM set_config('app.tenant', '', true);
  IF EXISTS (SELECT FROM challan_deltas) THEN
    RAISE EXCEPTION 'Another program folds the totals at this moment: stop it, and start the migration again';
  END IF;
END
$$;

CREATE TABLE challan_totals_by_tax_quarter (
  subadmin_id uuid NOT NULL,
  basis text NOT NULL CHECK (basis IN ('paid', 'deposited')),
  quarter_from date NOT NULL,
  owner_id uuid NOT NULL,
  tds_percentage numeric NOT NULL,
  is_deducted boolean NOT NULL,
  challans bigint NOT NULL,
  gross numeric NOT NULL,
  tds_amount numeric NOT NULL,
  PRIMARY KEY (subadmin_id, basis, quarter_from, owner_id, tds_percentage, is_deducted)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_totals_by_tax_quarter TO challan_app, challan_definer;
ALTER TABLE challan_totals_by_tax_quarter ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_totals_by_tax_quarter TO challan_app
  USING (subadmin_id = (SELECT current_tenant())) WITH CHECK (subadmin_id = (SELECT current_tenant()));
CREATE POLICY definer_folds ON challan_totals_by_tax_quarter TO challan_definer
  USING (subadmin_id = (SELECT current_tenant())) WITH CHECK (subadmin_id = (SELECT current_tenant()));
CREATE POLICY owner_of_tables ON challan_totals_by_tax_quarter TO CURRENT_USER USING (true) WITH CHECK (true);

-- What a challan's line of the register says of it: stored, else computed back as the form does; -1 where nothing was deducted.
CREATE FUNCTION tds_percentage_of(stored numeric, tds_amount numeric, gross numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(stored, CASE WHEN tds_amount > 0 THEN round(tds_amount * 100 / nullif(gross, 0), 1) END, -1);

CREATE OR REPLACE FUNCTION challans_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
  INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, challans, net_amount, tds_amount, loading_weight, unloading_weight, gross,
    first_created_at, last_created_at)
  SELECT change, row_number() OVER (), subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, count(*), sum(net_amount_payable), sum(tds_amount), sum(loading_weight),
    sum(unloading_weight), sum(round(exact_gross, 2)), min(created_at), max(created_at)
  FROM (
    SELECT subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      coalesce(paid_on, '-infinity') AS paid_on, tds_percentage_of(tds_percentage, tds_amount, exact_gross) AS tds_percentage,
      tds_amount > 0 AS is_deducted, net_amount_payable, tds_amount, loading_weight, unloading_weight, exact_gross, created_at
    FROM after_rows, LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL
  ) AS made
  GROUP BY 3, 4, 5, 6, 7, 8, 9, 10, 11;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION challans_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
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

-- Folds this tenant's open differences; returns how many. Of two folds of one tenant at a time the second does nothing.
CREATE OR REPLACE FUNCTION fold_challan_totals() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint;
  touched_tags uuid[];
  touched_days date[];
  touched_loading_days date[];
  touched_owners uuid[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('challan-totals:' || current_tenant(), 0)) THEN
    RETURN 0;
  END IF;

  WITH taken AS (
    DELETE FROM challan_deltas WHERE subadmin_id = current_tenant() RETURNING *
  ), by_tag AS (
    INSERT INTO challan_totals_by_tag AS t
    SELECT subadmin_id, tag_id, payment_status,
      sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight)
    FROM taken GROUP BY 1, 2, 3
    ON CONFLICT (subadmin_id, tag_id, payment_status) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
      tds_amount = t.tds_amount + excluded.tds_amount, loading_weight = t.loading_weight + excluded.loading_weight,
      unloading_weight = t.unloading_weight + excluded.unloading_weight
  ), by_day AS (
    INSERT INTO challan_totals_by_day AS t
    SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), deposited_on, payment_status,
      sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight),
      min(first_created_at), max(last_created_at)
    FROM taken
    GROUP BY GROUPING SETS (
      (subadmin_id, tag_id, deposited_on, payment_status), (subadmin_id, deposited_on, payment_status))
    ON CONFLICT (subadmin_id, tag_id, deposited_on, payment_status) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
      tds_amount = t.tds_amount + excluded.tds_amount, loading_weight = t.loading_weight + excluded.loading_weight,
      unloading_weight = t.unloading_weight + excluded.unloading_weight,
      first_created_at = least(t.first_created_at, excluded.first_created_at),
      last_created_at = greatest(t.last_created_at, excluded.last_created_at)
  ), by_loading_day AS (
    INSERT INTO challan_totals_by_loading_day AS t
    SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), loading_on, payment_status,
      sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight),
      min(first_created_at), max(last_created_at)
    FROM taken
    GROUP BY GROUPING SETS ((subadmin_id, tag_id, loading_on, payment_status), (subadmin_id, loading_on, payment_status))
    ON CONFLICT (subadmin_id, tag_id, loading_on, payment_status) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
      tds_amount = t.tds_amount + excluded.tds_amount, loading_weight = t.loading_weight + excluded.loading_weight,
      unloading_weight = t.unloading_weight + excluded.unloading_weight,
      first_created_at = least(t.first_created_at, excluded.first_created_at),
      last_created_at = greatest(t.last_created_at, excluded.last_created_at)
  ), by_owner AS (
    INSERT INTO challan_totals_by_owner AS t
    SELECT subadmin_id, owner_id, tag_id, payment_status,
      sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight)
    FROM taken GROUP BY 1, 2, 3, 4
    ON CONFLICT (subadmin_id, owner_id, tag_id, payment_status) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
      tds_amount = t.tds_amount + excluded.tds_amount, loading_weight = t.loading_weight + excluded.loading_weight,
      unloading_weight = t.unloading_weight + excluded.unloading_weight
  ), unpaid AS (
    INSERT INTO challan_unpaid_by_owner_day AS t
    SELECT subadmin_id, owner_id, coalesce(deposited_on, 'infinity'), sum(challans), sum(net_amount)
    FROM taken WHERE NOT payment_status
    GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))
    ON CONFLICT (subadmin_id, deposited_on, owner_id) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount
  ), by_tax_quarter AS (
    INSERT INTO challan_totals_by_tax_quarter AS t
    SELECT subadmin_id, basis, date_trunc('quarter', day::timestamp), owner_id, tds_percentage, is_deducted,
      sum(challans), sum(gross), sum(tds_amount)
    FROM taken CROSS JOIN LATERAL (VALUES ('paid', paid_on), ('deposited', deposited_on)) AS d (basis, day)
    WHERE day > '-infinity' GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (subadmin_id, basis, quarter_from, owner_id, tds_percentage, is_deducted) DO UPDATE SET
      challans = t.challans + excluded.challans, gross = t.gross + excluded.gross,
      tds_amount = t.tds_amount + excluded.tds_amount
  )
  SELECT count(*), array_agg(DISTINCT tag_id) || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid,
    array_agg(DISTINCT deposited_on), array_agg(DISTINCT loading_on), array_agg(DISTINCT owner_id)
  INTO folded, touched_tags, touched_days, touched_loading_days, touched_owners
  FROM taken;

  IF folded > 0 THEN
    DELETE FROM challan_totals_by_day
    WHERE subadmin_id = current_tenant() AND tag_id = ANY (touched_tags) AND deposited_on = ANY (touched_days)
      AND challans = 0;
    DELETE FROM challan_totals_by_loading_day
    WHERE subadmin_id = current_tenant() AND tag_id = ANY (touched_tags) AND loading_on = ANY (touched_loading_days)
      AND challans = 0;
    DELETE FROM challan_totals_by_owner
    WHERE subadmin_id = current_tenant() AND owner_id = ANY (touched_owners) AND challans = 0;
    DELETE FROM challan_unpaid_by_owner_day
    WHERE subadmin_id = current_tenant() AND deposited_on = ANY (touched_days || 'infinity'::date)
      AND owner_id = ANY (touched_owners) AND challans = 0;
  END IF;
  RETURN folded;
END
$$;

INSERT INTO challan_totals_by_tax_quarter
SELECT subadmin_id, basis, date_trunc('quarter', day::timestamp), owner_id,
  tds_percentage_of(tds_percentage, tds_amount, exact_gross), tds_amount > 0, count(*), sum(round(exact_gross, 2)),
  sum(tds_amount)
FROM challans
  CROSS JOIN LATERAL (VALUES ('paid', paid_on), ('deposited', deposited_on)) AS d (basis, day)
  CROSS JOIN LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
WHERE deleted_at IS NULL AND day IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6;
