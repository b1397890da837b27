-- Totals are maintained, not recounted. Statement triggers on challans append differences, so that no write waits for a
-- counter row; fold_challan_totals() folds them into eight roll-ups in the background. A reader adds roll-up and open
-- differences in one statement, so the answer is exact at any moment. Parts of a key cannot be null: a challan without a
-- tag has the zero uuid here, one without a deposited day the day '-infinity'.

CREATE TABLE challan_deltas (
  subadmin_id uuid NOT NULL,
  -- One id for each statement that changed challans. Its differences are neighbours in the key: with a random id each, the
  -- thousands of a payment went to as many pages of it (docs/decisions.md 92).
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  line_no integer NOT NULL DEFAULT 1,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  deposited_on date NOT NULL,
  loading_on date NOT NULL,
  payment_status boolean NOT NULL,
  -- '-infinity': it is not paid.
  paid_on date NOT NULL DEFAULT '-infinity',
  -- -1: nothing was deducted.
  tds_percentage numeric NOT NULL DEFAULT -1,
  is_deducted boolean NOT NULL DEFAULT false,
  material text NOT NULL DEFAULT '',
  loading_place text NOT NULL DEFAULT '',
  unloading_place text NOT NULL DEFAULT '',
  petrol_pump_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  hsd_verified boolean NOT NULL DEFAULT false,
  vehicle_key text NOT NULL DEFAULT '',
  -- The net amount in bands of 2^14 paise.
  net_band bigint NOT NULL DEFAULT 0,
  tp_no text NOT NULL DEFAULT '',
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  gross numeric NOT NULL DEFAULT 0,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, id, line_no)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CALL secure_tenant_table('challan_deltas', 'SELECT, INSERT, DELETE');

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
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, deposited_on, payment_status)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_day', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE challan_totals_by_loading_day (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  loading_on date NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, tag_id, loading_on, payment_status)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_loading_day', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE challan_totals_by_owner (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  PRIMARY KEY (subadmin_id, owner_id, tag_id, payment_status)
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

-- The sums of the TDS register (docs/specification.md §27): gross and deducted of each owner, percentage and quarter, by the
-- day of the payment and by the day of the deposit (docs/decisions.md 93). The periods of the register are whole quarters.
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
CALL secure_tenant_table('challan_totals_by_tax_quarter', 'SELECT, INSERT, UPDATE, DELETE');

-- Totals for the filters of the list by material and places, by pump and check of HSD, by vehicle, and by net amount
-- (docs/decisions.md 105). A trait is a set of columns whose values make a key; the columns of other traits are empty. A key
-- that no challan has any more stays, with zeros.
CREATE TABLE challan_totals_by_trait (
  subadmin_id uuid NOT NULL,
  trait text NOT NULL CHECK (trait IN ('route', 'pump', 'vehicle', 'net')),
  vehicle_key text NOT NULL,
  net_band bigint NOT NULL,
  petrol_pump_id uuid NOT NULL,
  hsd_verified boolean NOT NULL,
  material text NOT NULL,
  loading_place text NOT NULL,
  unloading_place text NOT NULL,
  -- Paid and unpaid ones are one row, which a payment writes once.
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  paid_challans bigint NOT NULL,
  paid_amount numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, trait, vehicle_key, net_band, petrol_pump_id, hsd_verified, material, loading_place,
    unloading_place)
) WITH (fillfactor = 50);
CALL secure_tenant_table('challan_totals_by_trait', 'SELECT, INSERT, UPDATE');

-- Totals of each part of three characters of TP numbers in small letters, with which every search of them begins (docs/decisions.md 114). A part
-- that no challan has any more stays, with zeros.
CREATE TABLE challan_totals_by_tp_part (
  subadmin_id uuid NOT NULL,
  part text NOT NULL,
  -- Paid and unpaid ones are one row, which a payment writes once.
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  paid_challans bigint NOT NULL,
  paid_amount numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  PRIMARY KEY (subadmin_id, part)
) WITH (fillfactor = 50);
CALL secure_tenant_table('challan_totals_by_tp_part', 'SELECT, INSERT, UPDATE');

-- What a challan's line of the register says of it: stored, else computed back as the form does; -1 where nothing was deducted.
CREATE FUNCTION tds_percentage_of(stored numeric, tds_amount numeric, gross numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(stored, CASE WHEN tds_amount > 0 THEN round(tds_amount * 100 / nullif(gross, 0), 1) END, -1);

-- Writes the functions that add to the roll-ups, so that what each of them adds up is said once: the triggers of challans and
-- the fold. A statement that would leave many differences open adds its challans to the roll-ups itself, so that readers never
-- have many to add up (docs/decisions.md 130). It writes no difference then. It waits for another such statement of its business,
-- or for a portion of the fold, as it waits for a row that they change.
DO $$
DECLARE
  -- SQL of CTEs, where %1$s is the rows to add up: of challans that are there now, or of ones that were, whose count and sums are
  -- negative then. One pass makes the sums of most roll-ups, and the net is in paise, because whole numbers are added up faster.
  adding constant text := $sql$
    sums AS MATERIALIZED (
      SELECT subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, material, loading_place, unloading_place,
        petrol_pump_id, hsd_verified, vehicle_key, net_band,
        CASE 0 WHEN GROUPING(loading_on) THEN 'loading day' WHEN GROUPING(owner_id, tag_id) THEN 'owner'
          WHEN GROUPING(owner_id) THEN 'unpaid' WHEN GROUPING(material) THEN 'route' WHEN GROUPING(petrol_pump_id) THEN 'pump'
          WHEN GROUPING(vehicle_key) THEN 'vehicle' ELSE 'net' END AS of,
        sum(challans) AS challans, sum(net_paise) * 0.01 AS net_amount,
        coalesce(sum(challans) FILTER (WHERE payment_status), 0) AS paid_challans,
        coalesce(sum(net_paise) FILTER (WHERE payment_status), 0) * 0.01 AS paid_amount,
        min(first_created_at) AS first_created_at, max(last_created_at) AS last_created_at
      FROM %1$s AS rows
      GROUP BY subadmin_id, GROUPING SETS ((tag_id, loading_on, payment_status), (owner_id, tag_id, payment_status),
        (owner_id, deposited_on), (material, loading_place, unloading_place), (petrol_pump_id, hsd_verified), (vehicle_key),
        (net_band))
    ), days AS MATERIALIZED (
      SELECT subadmin_id, tag_id, deposited_on, payment_status, sum(challans) AS challans, sum(net_paise) * 0.01 AS net_amount,
        sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight,
        min(first_created_at) AS first_created_at, max(last_created_at) AS last_created_at
      FROM %1$s AS rows GROUP BY 1, 2, 3, 4
    ), by_tag AS (
      INSERT INTO challan_totals_by_tag AS t
      SELECT subadmin_id, tag_id, payment_status, sum(challans), sum(net_amount), sum(loading_weight), sum(unloading_weight)
      FROM days GROUP BY 1, 2, 3
      ON CONFLICT (subadmin_id, tag_id, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        loading_weight = t.loading_weight + excluded.loading_weight,
        unloading_weight = t.unloading_weight + excluded.unloading_weight
    ), by_day AS (
      INSERT INTO challan_totals_by_day AS t
      SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), deposited_on, payment_status,
        sum(challans), sum(net_amount), sum(loading_weight), sum(unloading_weight), min(first_created_at), max(last_created_at)
      FROM days
      GROUP BY GROUPING SETS (
        (subadmin_id, tag_id, deposited_on, payment_status), (subadmin_id, deposited_on, payment_status))
      ON CONFLICT (subadmin_id, tag_id, deposited_on, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        loading_weight = t.loading_weight + excluded.loading_weight,
        unloading_weight = t.unloading_weight + excluded.unloading_weight,
        first_created_at = least(t.first_created_at, excluded.first_created_at),
        last_created_at = greatest(t.last_created_at, excluded.last_created_at)
    ), by_loading_day AS (
      INSERT INTO challan_totals_by_loading_day AS t
      SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), loading_on, payment_status,
        sum(challans), sum(net_amount), min(first_created_at), max(last_created_at)
      FROM sums WHERE of = 'loading day'
      GROUP BY GROUPING SETS ((subadmin_id, tag_id, loading_on, payment_status), (subadmin_id, loading_on, payment_status))
      ON CONFLICT (subadmin_id, tag_id, loading_on, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        first_created_at = least(t.first_created_at, excluded.first_created_at),
        last_created_at = greatest(t.last_created_at, excluded.last_created_at)
    ), by_owner AS (
      INSERT INTO challan_totals_by_owner AS t
      SELECT subadmin_id, owner_id, tag_id, payment_status, challans, net_amount
      FROM sums WHERE of = 'owner' AND (challans, net_amount) <> (0, 0)
      ON CONFLICT (subadmin_id, owner_id, tag_id, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount
      RETURNING ctid, challans, net_amount
    ), unpaid AS (
      INSERT INTO challan_unpaid_by_owner_day AS t
      SELECT subadmin_id, owner_id, coalesce(deposited_on, 'infinity'), sum(challans - paid_challans),
        sum(net_amount - paid_amount)
      FROM sums WHERE of = 'unpaid' AND (challans, net_amount) <> (paid_challans, paid_amount)
      GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))
      ON CONFLICT (subadmin_id, deposited_on, owner_id) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount
      RETURNING ctid, challans, net_amount
    ), by_tax_quarter AS (
      INSERT INTO challan_totals_by_tax_quarter AS t
      SELECT subadmin_id, basis, date_trunc('quarter', day::timestamp), owner_id, tds_percentage, is_deducted,
        sum(challans), sum(gross), sum(tds_amount)
      FROM %1$s AS rows CROSS JOIN LATERAL (VALUES ('paid', paid_on), ('deposited', deposited_on)) AS d (basis, day)
      WHERE day > '-infinity' GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(challans), sum(gross), sum(tds_amount)) <> (0, 0, 0)
      ON CONFLICT (subadmin_id, basis, quarter_from, owner_id, tds_percentage, is_deducted) DO UPDATE SET
        challans = t.challans + excluded.challans, gross = t.gross + excluded.gross,
        tds_amount = t.tds_amount + excluded.tds_amount
    ), by_trait AS (
      INSERT INTO challan_totals_by_trait AS t
      SELECT subadmin_id, of, coalesce(vehicle_key, ''), coalesce(net_band, 0),
        coalesce(petrol_pump_id, '00000000-0000-0000-0000-000000000000'), coalesce(hsd_verified, false),
        coalesce(material, ''), coalesce(loading_place, ''), coalesce(unloading_place, ''),
        challans, net_amount, paid_challans, paid_amount, first_created_at, last_created_at
      FROM sums WHERE of IN ('route', 'pump', 'vehicle', 'net')
      ON CONFLICT (subadmin_id, trait, vehicle_key, net_band, petrol_pump_id, hsd_verified, material, loading_place,
        unloading_place) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        paid_challans = t.paid_challans + excluded.paid_challans, paid_amount = t.paid_amount + excluded.paid_amount,
        first_created_at = least(t.first_created_at, excluded.first_created_at),
        last_created_at = greatest(t.last_created_at, excluded.last_created_at)
    ), by_tp_part AS (
      INSERT INTO challan_totals_by_tp_part AS t
      SELECT subadmin_id, substr(tp, i, 3), sum(challans), sum(net_paise) * 0.01, sum(paid_challans), sum(paid_paise) * 0.01,
        min(first_created_at), max(last_created_at)
      FROM (
        -- In the list of columns: as a function in FROM the series took three times as long.
        SELECT *, generate_series(1, length(tp) - 2) AS i FROM (
          SELECT subadmin_id, lower(tp_no) AS tp, sum(challans)::bigint AS challans, sum(net_paise)::bigint AS net_paise,
            coalesce(sum(challans) FILTER (WHERE payment_status), 0)::bigint AS paid_challans,
            coalesce(sum(net_paise) FILTER (WHERE payment_status), 0)::bigint AS paid_paise,
            min(first_created_at) AS first_created_at, max(last_created_at) AS last_created_at
          FROM %1$s AS rows GROUP BY 1, 2
        ) AS by_tp
      ) AS by_place
      -- A part counts once for a number.
      WHERE strpos(tp, substr(tp, i, 3)) = i
      GROUP BY 1, 2
      ON CONFLICT (subadmin_id, part) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        paid_challans = t.paid_challans + excluded.paid_challans, paid_amount = t.paid_amount + excluded.paid_amount,
        first_created_at = least(t.first_created_at, excluded.first_created_at),
        last_created_at = greatest(t.last_created_at, excluded.last_created_at)
    )
    SELECT %2$s, (SELECT array_agg(ctid) FROM by_owner WHERE (challans, net_amount) = (0, 0)),
      (SELECT array_agg(ctid) FROM unpaid WHERE (challans, net_amount) = (0, 0))
    INTO added, empty_owners, empty_unpaid;
    DELETE FROM challan_totals_by_owner WHERE ctid = ANY (empty_owners);
    DELETE FROM challan_unpaid_by_owner_day WHERE ctid = ANY (empty_unpaid);
    -- A row that has bounds is empty when it is zero and nothing is open. Before, it may be the sum of a challan that is there
    -- and of another whose leaving was added and whose coming is still a difference: without it the first would be lost to pages.
    DELETE FROM challan_totals_by_day AS t WHERE subadmin_id = ANY (tenants) AND challans = 0
      AND NOT EXISTS (SELECT FROM challan_deltas AS d WHERE d.subadmin_id = t.subadmin_id);
    DELETE FROM challan_totals_by_loading_day AS t WHERE subadmin_id = ANY (tenants) AND challans = 0
      AND NOT EXISTS (SELECT FROM challan_deltas AS d WHERE d.subadmin_id = t.subadmin_id);
  $sql$;
  -- What a difference says of a challan. Two differences of a challan that leaves a key and comes back have the same of these …
  keys constant text := 'subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on, tds_percentage,
    is_deducted, material, loading_place, unloading_place, petrol_pump_id, hsd_verified, vehicle_key, net_band, tp_no,
    first_created_at, last_created_at';
  -- … and sums that cancel each other out.
  measures constant text := 'challans, net_amount, tds_amount, loading_weight, unloading_weight, gross';
  -- SQL: challans as differences. %1$s is rows of challans, with n = 1 for what is there now and n = -1 for what was.
  differences constant text := $sql$(
    SELECT subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      coalesce(paid_on, '-infinity') AS paid_on, tds_percentage_of(tds_percentage, tds_amount, exact_gross) AS tds_percentage,
      tds_amount > 0 AS is_deducted, material, loading_place, unloading_place,
      coalesce(petrol_pump_id, '00000000-0000-0000-0000-000000000000') AS petrol_pump_id, hsd_verified, vehicle_key,
      net_paise >> 14 AS net_band, tp_no, created_at AS first_created_at, created_at AS last_created_at, n AS challans,
      n * net_amount_payable AS net_amount, n * net_paise AS net_paise, n * tds_amount AS tds_amount,
      n * loading_weight AS loading_weight, n * unloading_weight AS unloading_weight, n * round(exact_gross, 2) AS gross
    FROM (%1$s) AS rows, LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL)$sql$;
  event text;
  rows text;
BEGIN
  FOR event, rows IN VALUES
    ('inserted', 'SELECT 1 AS n, * FROM after_rows'),
    ('updated', 'SELECT 1 AS n, * FROM after_rows UNION ALL SELECT -1, * FROM before_rows')
  LOOP
    EXECUTE format($function$
      CREATE FUNCTION challans_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE
        -- Two for each changed challan, not one for each key (docs/decisions.md 106). A reader adds up so many in some
        -- milliseconds.
        most_open constant bigint := 10000;
        -- So few are not worth counting what is open.
        few constant bigint := 1000;
        change constant uuid := gen_random_uuid();
        changed constant bigint := (SELECT count(*) FROM (%2$s) AS rows);
        tenants uuid[];
        added bigint;
        empty_owners tid[];
        empty_unpaid tid[];
      BEGIN
        IF changed <= few OR changed + (SELECT count(*) FROM (
          SELECT FROM challan_deltas WHERE subadmin_id = (SELECT subadmin_id FROM after_rows LIMIT 1) LIMIT most_open) AS open)
          <= most_open
        THEN
          INSERT INTO challan_deltas (id, line_no, %3$s, %4$s)
          SELECT change, row_number() OVER (), %3$s, %4$s FROM %5$s AS differences;
          RETURN NULL;
        END IF;
        tenants := ARRAY(SELECT DISTINCT subadmin_id FROM after_rows ORDER BY 1);
        PERFORM pg_advisory_xact_lock(hashtextextended('challan-totals:' || tenant, 0)) FROM unnest(tenants) AS t (tenant);
        WITH %6$s
        RETURN NULL;
      END
      $body$
    $function$, event, rows, keys, measures, format(differences, rows), format(adding, format(differences, rows), 'changed'));
  END LOOP;

  -- Folds a portion of this tenant's open differences and returns how many they were; 0: nothing is open, or another
  -- transaction adds to the totals of this tenant. The order does not matter: a row is deleted only when it says nothing.
  EXECUTE format($function$
    CREATE FUNCTION fold_challan_totals(most integer DEFAULT 10000) RETURNS bigint LANGUAGE plpgsql AS $body$
    DECLARE
      tenants constant uuid[] := ARRAY[current_tenant()];
      added bigint;
      empty_owners tid[];
      empty_unpaid tid[];
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('challan-totals:' || current_tenant(), 0)) THEN
        RETURN 0;
      END IF;
      WITH gone AS (
        DELETE FROM challan_deltas WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM challan_deltas WHERE subadmin_id = current_tenant() LIMIT most))
        RETURNING *
      ), left_over AS MATERIALIZED (
        -- What a payment and its reversal leave, and a change of what is in no key and no sum (remarks), is not added up at all.
        SELECT %1$s, sum(challans)::bigint AS challans, (sum(net_amount) * 100)::bigint AS net_paise,
          sum(tds_amount) AS tds_amount, sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight,
          sum(gross) AS gross
        FROM gone GROUP BY %1$s
        HAVING (sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight), sum(gross))
          <> (0, 0, 0, 0, 0, 0)
      ), %2$s
      RETURN added;
    END
    $body$
  $function$, keys, format(adding, 'left_over', '(SELECT count(*) FROM gone)'));
END
$$;

CREATE TRIGGER challans_inserted AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_inserted();
CREATE TRIGGER challans_updated AFTER UPDATE ON challans
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_updated();

-- Folds a portion of one tenant's differences from outside its transactions. Whoever calls it learns nothing and changes no
-- sum.
CREATE FUNCTION fold_totals_of(tenant uuid, most integer DEFAULT 10000) RETURNS bigint
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
  rights text;
BEGIN
  FOR name, rights IN
    SELECT t, 'SELECT, INSERT, UPDATE, DELETE' FROM unnest(ARRAY['challan_deltas', 'challan_totals_by_tag',
      'challan_totals_by_day', 'challan_totals_by_loading_day', 'challan_totals_by_owner', 'challan_unpaid_by_owner_day',
      'challan_totals_by_tax_quarter']) AS t
    UNION ALL SELECT t, 'SELECT, INSERT, UPDATE' FROM unnest(ARRAY['challan_totals_by_trait', 'challan_totals_by_tp_part']) AS t
  LOOP
    EXECUTE format('GRANT %s ON %I TO challan_definer', rights, name);
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
