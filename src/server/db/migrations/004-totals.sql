-- Totals are maintained, not recounted. Statement triggers on challans append differences, so that no write waits for a
-- counter row; fold_challan_totals() folds them into five roll-ups in the background. A reader adds roll-up and open
-- differences in one statement, so the answer is exact at any moment. Parts of a key cannot be null: a challan without a
-- tag has the zero uuid here, one without a deposited day the day '-infinity'.

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
GRANT SELECT, INSERT, DELETE ON challan_deltas TO challan_app;
ALTER TABLE challan_deltas ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_deltas TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_deltas TO CURRENT_USER USING (true) WITH CHECK (true);

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
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_totals_by_tag TO challan_app;
ALTER TABLE challan_totals_by_tag ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_totals_by_tag TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_totals_by_tag TO CURRENT_USER USING (true) WITH CHECK (true);

-- The roll-ups by deposited and by loading day also hold each day over all tags (tag_id of all ones), so that a range of a
-- year reads some hundred rows, and the first and last instant at which challans of the key were made. These bounds may be
-- wider than the challans that are left, never narrower: a page in order of creation starts there instead of at the
-- newest challan.
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
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_totals_by_day TO challan_app;
ALTER TABLE challan_totals_by_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_totals_by_day TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_totals_by_day TO CURRENT_USER USING (true) WITH CHECK (true);

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
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_totals_by_loading_day TO challan_app;
ALTER TABLE challan_totals_by_loading_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_totals_by_loading_day TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_totals_by_loading_day TO CURRENT_USER USING (true) WITH CHECK (true);

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
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_totals_by_owner TO challan_app;
ALTER TABLE challan_totals_by_owner ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_totals_by_owner TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_totals_by_owner TO CURRENT_USER USING (true) WITH CHECK (true);

-- What is unpaid of each owner by deposited day, for owner ageing. It holds unpaid challans alone, so it stays small. Each
-- owner also has a row over all days, the day 'infinity': what is older than the oldest age asked for is the rest, and its
-- many days are not read.
CREATE TABLE challan_unpaid_by_owner_day (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  deposited_on date NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  -- The day comes before the owner: the days of a range are next to each other.
  PRIMARY KEY (subadmin_id, deposited_on, owner_id)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON challan_unpaid_by_owner_day TO challan_app;
ALTER TABLE challan_unpaid_by_owner_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_unpaid_by_owner_day TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_unpaid_by_owner_day TO CURRENT_USER USING (true) WITH CHECK (true);

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
  -- Nothing to record when the sums stay the same and no challan is outside the key's present bounds.
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

-- Folds this tenant's open differences; returns how many. Of two folds of one tenant at a time the second does nothing.
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

-- How many challans were made on each day, so that a page far down the list is found without reading all before it. It is
-- exact at once, not by differences: a transaction that makes a challan has locked the tenant's counter already, so this
-- row adds no waiting, and a payment does not touch it.
CREATE TABLE challan_counts_by_created_day (
  subadmin_id uuid NOT NULL,
  -- The day in UTC: it gives an order and is not shown as a date.
  created_on date NOT NULL,
  challans bigint NOT NULL,
  PRIMARY KEY (subadmin_id, created_on)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON challan_counts_by_created_day TO challan_app;
ALTER TABLE challan_counts_by_created_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_counts_by_created_day TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challan_counts_by_created_day TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE FUNCTION challans_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challan_counts_by_created_day AS t
  SELECT subadmin_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM after_rows WHERE deleted_at IS NULL GROUP BY 1, 2
  ON CONFLICT (subadmin_id, created_on) DO UPDATE SET challans = t.challans + excluded.challans;
  RETURN NULL;
END
$$;

CREATE FUNCTION challan_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE challan_counts_by_created_day SET challans = challans + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END
  WHERE subadmin_id = NEW.subadmin_id AND created_on = (NEW.created_at AT TIME ZONE 'UTC')::date;
  RETURN NULL;
END
$$;

CREATE TRIGGER challans_made AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_made();
-- For each row, because only then may a trigger name the column: a payment of many challans does not fire it.
CREATE TRIGGER challan_removed AFTER UPDATE OF deleted_at ON challans
  FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION challan_removed();
