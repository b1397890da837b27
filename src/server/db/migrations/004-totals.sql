-- Totals are maintained, not recounted. Statement triggers on challans append differences (no hot counter row to wait
-- for), fold_challan_totals() folds them into four roll-ups in the background, and a reader adds roll-up and open
-- differences in one statement, so that the answer is exact at any moment. A challan without a tag is the zero uuid here,
-- one without a deposited day the day '-infinity', because both are part of a key.
--
-- The roll-ups by deposited and by loading day also hold each day over all tags (tag_id of all ones), so that a year's range
-- reads some hundred rows, and between which instants the challans of a key were made. Those bounds may be wider than the challans that are
-- left, never narrower: a page in order of creation starts its walk there instead of at the newest challan.

CREATE TABLE challan_deltas (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  deposited_on date NOT NULL,
  loading_on date NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE challan_totals_by_tag (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, payment_status)
) WITH (fillfactor = 50);

CREATE TABLE challan_totals_by_day (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  deposited_on date NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, deposited_on, payment_status)
) WITH (fillfactor = 70);

CREATE TABLE challan_totals_by_loading_day (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  loading_on date NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, loading_on, payment_status)
) WITH (fillfactor = 70);

CREATE TABLE challan_totals_by_owner (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  PRIMARY KEY (subadmin_id, owner_id, tag_id, payment_status)
) WITH (fillfactor = 70);

CREATE FUNCTION challans_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challan_deltas (subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status,
    challans, net_amount, tds_amount, loading_weight, unloading_weight, first_created_at, last_created_at)
  SELECT subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(deposited_on, '-infinity'), loading_on, payment_status,
    count(*), sum(net_amount_payable), sum(tds_amount), sum(loading_weight), sum(unloading_weight),
    min(created_at), max(created_at)
  FROM after_rows WHERE deleted_at IS NULL
  GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END
$$;

CREATE FUNCTION challans_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challan_deltas (subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status,
    challans, net_amount, tds_amount, loading_weight, unloading_weight, first_created_at, last_created_at)
  SELECT subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status,
    sum(n), sum(n * net_amount_payable), sum(n * tds_amount), sum(n * loading_weight), sum(n * unloading_weight),
    min(created_at), max(created_at)
  FROM (
    SELECT 1 AS n, subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      net_amount_payable, tds_amount, loading_weight, unloading_weight, created_at
    FROM after_rows WHERE deleted_at IS NULL
    UNION ALL
    SELECT -1, subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000'),
      coalesce(deposited_on, '-infinity'), loading_on, payment_status,
      net_amount_payable, tds_amount, loading_weight, unloading_weight, created_at
    FROM before_rows WHERE deleted_at IS NULL
  ) AS changed
  GROUP BY 1, 2, 3, 4, 5, 6
  -- Nothing to record when the sums stay and no challan came from outside the bounds that the key has already.
  HAVING sum(n) <> 0 OR sum(n * net_amount_payable) <> 0 OR sum(n * tds_amount) <> 0
    OR sum(n * loading_weight) <> 0 OR sum(n * unloading_weight) <> 0
    OR min(created_at) FILTER (WHERE n > 0) < min(created_at) FILTER (WHERE n < 0)
    OR max(created_at) FILTER (WHERE n > 0) > max(created_at) FILTER (WHERE n < 0);
  RETURN NULL;
END
$$;

CREATE TRIGGER challans_inserted AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_inserted();
CREATE TRIGGER challans_updated AFTER UPDATE ON challans
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_updated();
-- Challans are deleted softly; a row that vanished would leave the totals wrong for ever.
CREATE TRIGGER challans_never_deleted BEFORE DELETE OR TRUNCATE ON challans
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Folds this tenant's open differences; returns how many. Two folds of one tenant never meet: the second does nothing.
CREATE FUNCTION fold_challan_totals() RETURNS bigint LANGUAGE plpgsql AS $$
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
  END IF;
  RETURN folded;
END
$$;

GRANT SELECT, INSERT, DELETE ON challan_deltas TO challan_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_totals_by_tag, challan_totals_by_day, challan_totals_by_loading_day,
  challan_totals_by_owner TO challan_app;
