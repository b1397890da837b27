-- Totals of a search by three characters of the TP number, with which every such search begins (docs/decisions.md 114). They are
-- maintained as those of migration 005.

-- Nobody may change a challan while its totals are counted: its difference would be without a TP number, or be counted twice.
LOCK TABLE challans IN SHARE ROW EXCLUSIVE MODE;

-- '' in differences that are open now: their challans are counted below.
ALTER TABLE challan_deltas ADD COLUMN tp_no text NOT NULL DEFAULT '';

-- The parts of three characters of a TP number in small letters, each once.
CREATE FUNCTION tp_parts(tp text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10
BEGIN ATOMIC
  SELECT substr(tp, i, 3) FROM generate_series(1, length(tp) - 2) AS i WHERE strpos(tp, substr(tp, i, 3)) = i;
END;

-- Paid and unpaid ones are one row, which a payment writes once. A part that no challan has any more stays, with zeros.
CREATE TABLE challan_totals_by_tp_part (
  subadmin_id uuid NOT NULL,
  part text NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  paid_challans bigint NOT NULL,
  paid_amount numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, part)
) WITH (fillfactor = 50);
CALL secure_tenant_table('challan_totals_by_tp_part', 'SELECT, INSERT, UPDATE');
GRANT SELECT, INSERT, UPDATE ON challan_totals_by_tp_part TO challan_definer;
CREATE POLICY definer_folds ON challan_totals_by_tp_part TO challan_definer
  USING (subadmin_id = (SELECT current_tenant())) WITH CHECK (subadmin_id = (SELECT current_tenant()));

INSERT INTO challan_totals_by_tp_part
SELECT subadmin_id, part, sum(challans), sum(net_amount), sum(paid_challans), sum(paid_amount), min(first), max(last)
FROM (
  SELECT subadmin_id, lower(tp_no) AS tp, count(*) AS challans, sum(net_amount_payable) AS net_amount,
    count(*) FILTER (WHERE payment_status) AS paid_challans,
    coalesce(sum(net_amount_payable) FILTER (WHERE payment_status), 0) AS paid_amount,
    min(created_at) AS first, max(created_at) AS last
  FROM challans WHERE deleted_at IS NULL GROUP BY 1, 2
) AS by_tp CROSS JOIN LATERAL tp_parts(tp) AS p (part)
GROUP BY 1, 2;

-- As in migration 005, with the TP number.
CREATE OR REPLACE FUNCTION challans_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
  INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, material, loading_place, unloading_place, petrol_pump_id, hsd_verified, vehicle_key, net_band,
    tp_no, challans, net_amount, tds_amount, loading_weight, unloading_weight, gross, first_created_at, last_created_at)
  SELECT change, row_number() OVER (), subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, material, loading_place, unloading_place, petrol_pump_id, hsd_verified, vehicle_key, net_band,
    tp_no, count(*), sum(net_amount_payable), sum(tds_amount), sum(loading_weight), sum(unloading_weight),
    sum(round(exact_gross, 2)), min(created_at), max(created_at)
  FROM (
    SELECT subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      coalesce(paid_on, '-infinity') AS paid_on, tds_percentage_of(tds_percentage, tds_amount, exact_gross) AS tds_percentage,
      tds_amount > 0 AS is_deducted, material, loading_place, unloading_place,
      coalesce(petrol_pump_id, '00000000-0000-0000-0000-000000000000') AS petrol_pump_id, hsd_verified, vehicle_key,
      net_paise >> 14 AS net_band, tp_no, net_amount_payable, tds_amount, loading_weight, unloading_weight, exact_gross, created_at
    FROM after_rows, LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL
  ) AS made
  GROUP BY 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION challans_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
  INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on,
    tds_percentage, is_deducted, material, loading_place, unloading_place, petrol_pump_id, hsd_verified, vehicle_key, net_band,
    tp_no, challans, net_amount, tds_amount, loading_weight, unloading_weight, gross, first_created_at, last_created_at)
  SELECT change, row_number() OVER (), subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(deposited_on, '-infinity'), loading_on, payment_status, coalesce(paid_on, '-infinity'),
    tds_percentage_of(tds_percentage, tds_amount, exact_gross), tds_amount > 0, material, loading_place, unloading_place,
    coalesce(petrol_pump_id, '00000000-0000-0000-0000-000000000000'), hsd_verified, vehicle_key, net_paise >> 14, tp_no,
    n, n * net_amount_payable, n * tds_amount, n * loading_weight, n * unloading_weight, n * round(exact_gross, 2),
    created_at, created_at
  FROM (SELECT 1::numeric AS n, * FROM after_rows UNION ALL SELECT -1, * FROM before_rows) AS rows,
    LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
  WHERE deleted_at IS NULL;
  RETURN NULL;
END
$$;

-- As in migration 005, with the totals by part of the TP number.
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
  ), by_trait AS (
    INSERT INTO challan_totals_by_trait AS t
    SELECT subadmin_id,
      CASE 0 WHEN GROUPING(material) THEN 'route' WHEN GROUPING(petrol_pump_id) THEN 'pump'
        WHEN GROUPING(vehicle_key) THEN 'vehicle' ELSE 'net' END,
      coalesce(vehicle_key, ''), coalesce(net_band, 0), coalesce(petrol_pump_id, '00000000-0000-0000-0000-000000000000'),
      coalesce(hsd_verified, false), coalesce(material, ''), coalesce(loading_place, ''), coalesce(unloading_place, ''),
      sum(challans), sum(net_amount), coalesce(sum(challans) FILTER (WHERE payment_status), 0),
      coalesce(sum(net_amount) FILTER (WHERE payment_status), 0), min(first_created_at), max(last_created_at)
    FROM taken
    GROUP BY subadmin_id, GROUPING SETS (
      (material, loading_place, unloading_place), (petrol_pump_id, hsd_verified), (vehicle_key), (net_band))
    ON CONFLICT (subadmin_id, trait, vehicle_key, net_band, petrol_pump_id, hsd_verified, material, loading_place,
      unloading_place) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
      paid_challans = t.paid_challans + excluded.paid_challans, paid_amount = t.paid_amount + excluded.paid_amount,
      first_created_at = least(t.first_created_at, excluded.first_created_at),
      last_created_at = greatest(t.last_created_at, excluded.last_created_at)
  ), by_tp_part AS (
    INSERT INTO challan_totals_by_tp_part AS t
    -- In whole paise: adding up numerics for each of the parts took half as long again.
    SELECT subadmin_id, part, sum(challans), sum(paise) * 0.01, sum(paid_challans), sum(paid_paise) * 0.01,
      min(first_created_at), max(last_created_at)
    FROM (
      SELECT subadmin_id, lower(tp_no) AS tp, sum(challans)::bigint AS challans, (sum(net_amount) * 100)::bigint AS paise,
        coalesce(sum(challans) FILTER (WHERE payment_status), 0)::bigint AS paid_challans,
        (coalesce(sum(net_amount) FILTER (WHERE payment_status), 0) * 100)::bigint AS paid_paise,
        min(first_created_at) AS first_created_at, max(last_created_at) AS last_created_at
      FROM taken GROUP BY 1, 2
    ) AS by_tp CROSS JOIN LATERAL tp_parts(tp) AS p (part)
    GROUP BY 1, 2
    ON CONFLICT (subadmin_id, part) DO UPDATE SET
      challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
      paid_challans = t.paid_challans + excluded.paid_challans, paid_amount = t.paid_amount + excluded.paid_amount,
      first_created_at = least(t.first_created_at, excluded.first_created_at),
      last_created_at = greatest(t.last_created_at, excluded.last_created_at)
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
