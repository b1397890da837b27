-- Owner ageing: what is unpaid of each owner by deposited day. One more roll-up beside those of 004, filled by the same
-- fold from the same open differences; it holds unpaid challans alone, so it stays as small as what is owed. Each owner
-- also has a row over all days, the day 'infinity': what is older than the oldest age that is asked for is the rest, and
-- its many days are not read. A challan without a deposited day has the day '-infinity', as in 004.

CREATE TABLE challan_unpaid_by_owner_day (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  deposited_on date NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  -- The days that are read lie side by side.
  PRIMARY KEY (subadmin_id, deposited_on, owner_id)
) WITH (fillfactor = 70);

ALTER TABLE challan_unpaid_by_owner_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE challan_unpaid_by_owner_day FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_unpaid_by_owner_day TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
DO $$
BEGIN
  EXECUTE format('CREATE POLICY owner_of_tables ON challan_unpaid_by_owner_day TO %I USING (true) WITH CHECK (true)',
    current_user);
END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_unpaid_by_owner_day TO challan_app;

-- Of challans that are there already: the recount less the open differences, which the next fold brings in. Nothing may
-- be written between the two reads.
LOCK TABLE challans, challan_deltas IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO challan_unpaid_by_owner_day (subadmin_id, owner_id, deposited_on, challans, net_amount)
SELECT subadmin_id, owner_id, coalesce(deposited_on, 'infinity'), sum(challans), sum(net_amount)
FROM (
  SELECT subadmin_id, owner_id, coalesce(deposited_on, '-infinity') AS deposited_on, 1 AS challans,
    net_amount_payable AS net_amount
  FROM challans WHERE deleted_at IS NULL AND NOT payment_status
  UNION ALL
  SELECT subadmin_id, owner_id, deposited_on, -challans, -net_amount FROM challan_deltas WHERE NOT payment_status
) AS parts
GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))
HAVING sum(challans) <> 0 OR sum(net_amount) <> 0;

-- The fold of 004 with one roll-up more.
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
