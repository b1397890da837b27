-- Totals are maintained for what is looked at all day: by tag, by deposited day, by owner, and what is unpaid of each owner by
-- day (docs/decisions.md 145 and 170). Totals of everything else are counted. Statement triggers on challans append differences, so
-- that no write waits for a counter row; fold_challan_totals() folds them into the roll-ups in the background. A reader adds
-- roll-up and open differences in one statement, so the answer is exact at any moment. Parts of a key cannot be null: a challan
-- without a tag has the zero uuid here, one without a deposited day the day '-infinity'.

CREATE TABLE challan_deltas (
  subadmin_id uuid NOT NULL,
  -- One id for each statement that changed challans. Its differences are neighbours in the key: with a random id each, the
  -- thousands of a payment went to as many pages of it (docs/decisions.md 92).
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  line_no integer NOT NULL DEFAULT 1,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  deposited_on date NOT NULL,
  -- 1: it is there now; -1: it was; 0: only its payment changed. So also the sums, which are of all challans …
  challans bigint NOT NULL,
  net_paise bigint NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  -- … and those of paid ones.
  paid_challans bigint NOT NULL,
  paid_paise bigint NOT NULL,
  paid_tds numeric NOT NULL,
  paid_loading_weight numeric NOT NULL,
  paid_unloading_weight numeric NOT NULL,
  PRIMARY KEY (subadmin_id, id, line_no)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CALL secure_tenant_table('challan_deltas', 'SELECT, INSERT, DELETE');

-- The open differences as rows of paid and of unpaid challans, as the roll-ups by tag and day have them.
CREATE VIEW open_challan_totals WITH (security_invoker = true) AS
  SELECT subadmin_id, owner_id, tag_id, deposited_on, of_status.*
  FROM challan_deltas AS d CROSS JOIN LATERAL (VALUES
    (true, d.paid_challans, d.paid_paise * 0.01, d.paid_tds, d.paid_loading_weight, d.paid_unloading_weight),
    (false, d.challans - d.paid_challans, (d.net_paise - d.paid_paise) * 0.01, d.tds_amount - d.paid_tds,
      d.loading_weight - d.paid_loading_weight, d.unloading_weight - d.paid_unloading_weight)
  ) AS of_status (payment_status, challans, net_amount, tds_amount, loading_weight, unloading_weight)
  WHERE of_status.challans <> 0;
GRANT SELECT ON open_challan_totals TO challan_app;

CREATE TABLE challan_totals_by_tag (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, payment_status)
) WITH (fillfactor = 50);
CALL secure_tenant_table('challan_totals_by_tag', 'SELECT, INSERT, UPDATE, DELETE');

-- It also holds each day over all tags (tag_id of all ones), so that a range of a year reads some hundred rows.
CREATE TABLE challan_totals_by_day (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  deposited_on date NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, deposited_on, payment_status)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_day', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE challan_totals_by_owner (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  -- Paid and unpaid ones are one row, which a payment writes once.
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  paid_challans bigint NOT NULL,
  paid_amount numeric NOT NULL,
  paid_tds numeric NOT NULL,
  PRIMARY KEY (subadmin_id, owner_id, tag_id)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_owner', 'SELECT, INSERT, UPDATE, DELETE');

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
CALL secure_tenant_table('challan_unpaid_by_owner_day', 'SELECT, INSERT, UPDATE, DELETE');

-- How many differences of a business may be open. A reader adds up so many in some milliseconds, and a payment of 10,000 leaves
-- as many: its time is not to grow (docs/decisions.md 133).
CREATE FUNCTION most_open_differences() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 25000;

-- Writes the functions that add to the roll-ups, so that what each of them adds up is said once: the triggers of challans and
-- the fold. A statement that would leave many differences open adds its challans to the roll-ups itself, so that readers never
-- have many to add up (docs/decisions.md 133). It writes no difference then. It waits for another such statement of its business,
-- or for a portion of the fold, as it waits for a row that they change.
DO $do$
DECLARE
  -- SQL of CTEs. %1$s is the rows to add up, in the form of the differences. One pass makes all sums, and the net is in paise,
  -- because whole numbers are added up faster.
  adding constant text := $sql$
    sums AS MATERIALIZED (
      SELECT subadmin_id, owner_id, tag_id, deposited_on, GROUPING(owner_id, tag_id, deposited_on) AS without,
        sum(challans) AS challans, sum(net_paise) * 0.01 AS net_amount, sum(tds_amount) AS tds_amount,
        sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight,
        sum(paid_challans) AS paid_challans, sum(paid_paise) * 0.01 AS paid_amount, sum(paid_tds) AS paid_tds,
        sum(paid_loading_weight) AS paid_loading_weight, sum(paid_unloading_weight) AS paid_unloading_weight
      FROM %1$s AS rows
      GROUP BY subadmin_id, GROUPING SETS ((owner_id, tag_id), (owner_id, deposited_on), (tag_id, deposited_on))
    ), of_days AS MATERIALIZED (
      SELECT subadmin_id, tag_id, deposited_on, of_status.* FROM sums CROSS JOIN LATERAL (VALUES
        (true, paid_challans, paid_amount, paid_loading_weight, paid_unloading_weight),
        (false, challans - paid_challans, net_amount - paid_amount, loading_weight - paid_loading_weight,
          unloading_weight - paid_unloading_weight)
      ) AS of_status (payment_status, challans, net_amount, loading_weight, unloading_weight)
      WHERE without = 4 AND (of_status.challans, of_status.net_amount, of_status.loading_weight, of_status.unloading_weight)
        <> (0, 0, 0, 0)
    ), by_tag AS (
      INSERT INTO challan_totals_by_tag AS t
      SELECT subadmin_id, tag_id, payment_status, sum(challans), sum(net_amount), sum(loading_weight), sum(unloading_weight)
      FROM of_days GROUP BY 1, 2, 3
      ON CONFLICT (subadmin_id, tag_id, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        loading_weight = t.loading_weight + excluded.loading_weight,
        unloading_weight = t.unloading_weight + excluded.unloading_weight
    ), by_day AS (
      INSERT INTO challan_totals_by_day AS t
      SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), deposited_on, payment_status,
        sum(challans), sum(net_amount), sum(loading_weight), sum(unloading_weight)
      FROM of_days
      GROUP BY GROUPING SETS (
        (subadmin_id, tag_id, deposited_on, payment_status), (subadmin_id, deposited_on, payment_status))
      ON CONFLICT (subadmin_id, tag_id, deposited_on, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        loading_weight = t.loading_weight + excluded.loading_weight,
        unloading_weight = t.unloading_weight + excluded.unloading_weight
      RETURNING ctid, challans, net_amount, loading_weight, unloading_weight
    ), by_owner AS (
      INSERT INTO challan_totals_by_owner AS t
      SELECT subadmin_id, owner_id, tag_id, challans, net_amount, tds_amount, paid_challans, paid_amount, paid_tds
      FROM sums WHERE without = 1
        AND (challans, net_amount, tds_amount, paid_challans, paid_amount, paid_tds) <> (0, 0, 0, 0, 0, 0)
      ON CONFLICT (subadmin_id, owner_id, tag_id) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        tds_amount = t.tds_amount + excluded.tds_amount, paid_challans = t.paid_challans + excluded.paid_challans,
        paid_amount = t.paid_amount + excluded.paid_amount, paid_tds = t.paid_tds + excluded.paid_tds
      RETURNING ctid, challans, net_amount, t.tds_amount, paid_challans, paid_amount, paid_tds
    ), unpaid AS (
      INSERT INTO challan_unpaid_by_owner_day AS t
      SELECT subadmin_id, owner_id, coalesce(deposited_on, 'infinity'), sum(challans - paid_challans),
        sum(net_amount - paid_amount)
      FROM sums WHERE without = 2 AND (challans, net_amount) <> (paid_challans, paid_amount)
      GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))
      ON CONFLICT (subadmin_id, deposited_on, owner_id) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount
      RETURNING ctid, challans, net_amount
    )
    SELECT %2$s,
      (SELECT array_agg(ctid) FROM by_day WHERE (challans, net_amount, loading_weight, unloading_weight) = (0, 0, 0, 0)),
      (SELECT array_agg(ctid) FROM by_owner
        WHERE (challans, net_amount, tds_amount, paid_challans, paid_amount, paid_tds) = (0, 0, 0, 0, 0, 0)),
      (SELECT array_agg(ctid) FROM unpaid WHERE (challans, net_amount) = (0, 0))
    INTO added, empty_days, empty_owners, empty_unpaid;
    DELETE FROM challan_totals_by_day WHERE ctid = ANY (empty_days);
    DELETE FROM challan_totals_by_owner WHERE ctid = ANY (empty_owners);
    DELETE FROM challan_unpaid_by_owner_day WHERE ctid = ANY (empty_unpaid);
  $sql$;
  -- What a difference says of a challan. Two differences of a challan that leaves a key and comes back have the same of these …
  keys constant text := 'subadmin_id, owner_id, tag_id, deposited_on';
  -- … and sums that cancel each other out.
  measures constant text[] := ARRAY['challans', 'net_paise', 'tds_amount', 'loading_weight', 'unloading_weight', 'paid_challans',
    'paid_paise', 'paid_tds', 'paid_loading_weight', 'paid_unloading_weight'];
  columns constant text := keys || ', ' || array_to_string(measures, ', ');
  -- SQL: rows of challans `c` as differences. n: 1 for what is there now, -1 for what was, 0 when only the payment changed;
  -- p: the same of paid ones.
  difference constant text := $sql$c.subadmin_id, c.owner_id, coalesce(c.tag_id, '00000000-0000-0000-0000-000000000000'),
      coalesce(c.deposited_on, '-infinity'), n, n * c.net_paise, n * c.tds_amount, n * c.loading_weight,
      n * c.unloading_weight, p, p * c.net_paise, p * c.tds_amount, p * c.loading_weight, p * c.unloading_weight$sql$;
  inserted constant text := format($sql$(
    SELECT %1$s FROM after_rows AS c, LATERAL (SELECT 1, c.payment_status::integer) AS sign (n, p)
    WHERE c.deleted_at IS NULL)$sql$, difference);
  -- A challan of which nothing changed that is added up leaves no difference.
  moved constant text := $sql$((a.owner_id, a.net_paise, a.tds_amount, a.loading_weight, a.unloading_weight)
        <> (b.owner_id, b.net_paise, b.tds_amount, b.loading_weight, b.unloading_weight)
        OR (a.tag_id, a.deposited_on, a.deleted_at IS NULL) IS DISTINCT FROM (b.tag_id, b.deposited_on, b.deleted_at IS NULL))$sql$;
  updated constant text := format($sql$(
    SELECT changed.* FROM after_rows AS a JOIN before_rows AS b USING (subadmin_id, id),
      LATERAL (SELECT %2$s AS moved) AS how,
      LATERAL (
        SELECT %1$s FROM (SELECT a.*) AS c, LATERAL (SELECT 0, CASE WHEN c.payment_status THEN 1 ELSE -1 END) AS sign (n, p)
        WHERE NOT how.moved AND a.payment_status <> b.payment_status AND c.deleted_at IS NULL
        UNION ALL
        SELECT %1$s FROM (SELECT a.*) AS c, LATERAL (SELECT 1, c.payment_status::integer) AS sign (n, p)
        WHERE how.moved AND c.deleted_at IS NULL
        UNION ALL
        SELECT %1$s FROM (SELECT b.*) AS c, LATERAL (SELECT -1, -c.payment_status::integer) AS sign (n, p)
        WHERE how.moved AND c.deleted_at IS NULL
      ) AS changed)$sql$, difference, moved);
  event text;
  rows text;
  is_counted text;
BEGIN
  FOR event, rows, is_counted IN VALUES ('inserted', inserted, 'true'), ('updated', updated, format(
    'EXISTS (SELECT FROM after_rows AS a JOIN before_rows AS b USING (subadmin_id, id) WHERE a.payment_status <> b.payment_status OR %s)',
    moved))
  LOOP
    EXECUTE format($function$
      CREATE FUNCTION challans_%1$s() RETURNS trigger LANGUAGE plpgsql
        -- The plan is kept, and the first statement may change one row: hundreds of thousands are joined and added up in memory.
        SET enable_sort = off SET enable_nestloop = off SET work_mem = '64MB' AS $body$
      DECLARE
        change constant uuid := gen_random_uuid();
        changed constant bigint := (SELECT count(*) FROM after_rows);
        added bigint;
        empty_days tid[];
        empty_owners tid[];
        empty_unpaid tid[];
      BEGIN
        -- Most changes of one challan, such as of its remarks, end here: 0.04 instead of 0.19 ms.
        IF changed <= 10 AND NOT %5$s THEN
          RETURN NULL;
        END IF;
        -- A few are not worth counting what is open.
        IF changed <= most_open_differences() / 25 OR changed + (
          SELECT count(*) FROM (
            SELECT FROM challan_deltas WHERE subadmin_id = (SELECT subadmin_id FROM after_rows LIMIT 1)
            LIMIT most_open_differences()) AS open) <= most_open_differences()
        THEN
          INSERT INTO challan_deltas (id, line_no, %3$s)
          SELECT change, row_number() OVER (), d.* FROM %2$s AS d;
          RETURN NULL;
        END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('challan-totals:' || tenant, 0))
        FROM unnest(ARRAY(SELECT DISTINCT subadmin_id FROM after_rows ORDER BY 1)) AS t (tenant);
        WITH differences (%3$s) AS MATERIALIZED (SELECT * FROM %2$s AS d), %4$s
        RETURN NULL;
      END
      $body$
    $function$, event, rows, columns, format(adding, 'differences', '(SELECT count(*) FROM differences)'),
      is_counted);
  END LOOP;

  -- Folds a portion of this tenant's open differences and returns how many they were; 0: nothing is open, or another
  -- transaction adds to the totals of this tenant. The order does not matter: a row is deleted only when it says nothing.
  EXECUTE format($function$
    CREATE FUNCTION fold_challan_totals(most integer DEFAULT 25000) RETURNS bigint LANGUAGE plpgsql
      SET enable_sort = off AS $body$
    DECLARE
      added bigint;
      empty_days tid[];
      empty_owners tid[];
      empty_unpaid tid[];
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('challan-totals:' || current_tenant(), 0)) THEN
        RETURN 0;
      END IF;
      WITH gone AS (
        DELETE FROM challan_deltas WHERE subadmin_id = current_tenant() AND ctid IN (
          SELECT ctid FROM challan_deltas WHERE subadmin_id = current_tenant() LIMIT most)
        RETURNING *
      ), left_over AS MATERIALIZED (
        -- What a payment and its reversal leave is not added up at all.
        SELECT %1$s, %2$s FROM gone GROUP BY %1$s HAVING (%3$s) <> (%4$s)
      ), %5$s
      RETURN added;
    END
    $body$
  $function$, keys, (SELECT string_agg(format('sum(%1$s) AS %1$s', m), ', ') FROM unnest(measures) AS m),
    (SELECT string_agg(format('sum(%s)', m), ', ') FROM unnest(measures) AS m),
    (SELECT string_agg('0', ', ') FROM unnest(measures) AS m), format(adding, 'left_over', '(SELECT count(*) FROM gone)'));
END
$do$;

CREATE TRIGGER challans_inserted AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_inserted();
CREATE TRIGGER challans_updated AFTER UPDATE ON challans
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_updated();

-- Folds a portion of one tenant's differences from outside its transactions. Whoever calls it learns nothing and changes no
-- sum.
CREATE FUNCTION fold_totals_of(tenant uuid, most integer DEFAULT 25000) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  before text := coalesce(current_setting('app.tenant', true), '');
  proof text := coalesce(current_setting('app.proof', true), '');
  folded bigint;
BEGIN
  PERFORM set_config('app.tenant', tenant::text, true), set_config('app.proof',
    (SELECT encode(sha256(s.key || sha256(s.key || convert_to(tenant::text, 'UTF8'))), 'hex') FROM public.server_key s), true);
  folded := public.fold_challan_totals(most);
  PERFORM set_config('app.tenant', before, true), set_config('app.proof', proof, true);
  RETURN folded;
END
$$;
CALL give_to_definer('fold_totals_of(uuid, integer)', 'challan_app, CURRENT_USER');

-- Tenants whose open differences are worth folding.
CREATE FUNCTION tenants_to_fold(at_least bigint)
  RETURNS TABLE (subadmin_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT d.subadmin_id FROM public.challan_deltas d GROUP BY d.subadmin_id HAVING count(*) >= at_least;
END;
CALL give_to_definer('tenants_to_fold(bigint)');

-- What these two functions may read and write. tenants_to_fold counts the differences of all tenants.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['challan_deltas', 'challan_totals_by_tag', 'challan_totals_by_day', 'challan_totals_by_owner',
    'challan_unpaid_by_owner_day']
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO challan_definer', name);
    EXECUTE format('CREATE POLICY definer_folds ON %I TO challan_definer USING (subadmin_id = (SELECT current_tenant()))
      WITH CHECK (subadmin_id = (SELECT current_tenant()))', name);
  END LOOP;
END
$$;
CREATE POLICY definer ON challan_deltas FOR SELECT TO challan_definer USING (true);

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
CALL secure_tenant_table('challan_counts_by_created_day', 'SELECT, INSERT, UPDATE');

-- The plates are written in their order, so that of two transactions that write the same new ones one waits for the other,
-- and they do not wait for each other.
CREATE FUNCTION challans_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challan_counts_by_created_day AS t
  SELECT subadmin_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM after_rows WHERE deleted_at IS NULL GROUP BY 1, 2
  ON CONFLICT (subadmin_id, created_on) DO UPDATE SET challans = t.challans + excluded.challans;
  INSERT INTO challan_vehicles
  SELECT DISTINCT subadmin_id, vehicle_key FROM after_rows ORDER BY 1, 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER challans_made AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_made();

-- By statement: by row, taking back a batch of thousands changed one row of counts thousands of times. A change that neither
-- deletes nor restores (a payment) ends at the first condition.
CREATE FUNCTION challans_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM after_rows WHERE deleted_at IS NOT NULL)
    OR EXISTS (SELECT FROM before_rows WHERE deleted_at IS NOT NULL) THEN
    UPDATE challan_counts_by_created_day AS t SET challans = t.challans + changed.n
    FROM (
      SELECT subadmin_id, (created_at AT TIME ZONE 'UTC')::date AS created_on, sum(n) AS n
      FROM (
        SELECT 1 AS n, subadmin_id, created_at FROM after_rows WHERE deleted_at IS NULL
        UNION ALL
        SELECT -1, subadmin_id, created_at FROM before_rows WHERE deleted_at IS NULL
      ) AS rows
      GROUP BY 1, 2
    ) AS changed
    WHERE t.subadmin_id = changed.subadmin_id AND t.created_on = changed.created_on AND changed.n <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER challans_removed AFTER UPDATE ON challans
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_removed();
