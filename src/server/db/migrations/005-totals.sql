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

-- How many differences of a business may be open. A reader adds up so many in some milliseconds, and a payment of 10,000 leaves
-- 20,000: its time is not to grow (docs/decisions.md 133).
CREATE FUNCTION most_open_differences() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 25000;

-- Says that a statement changes more of a challan than whether and when it is paid.
CREATE FUNCTION challan_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.challans_moved', 'true', true);
  RETURN NULL;
END
$$;
-- All columns that a key or a sum of the totals is made of, but those that a payment writes.
CREATE TRIGGER challan_moved AFTER UPDATE OF owner_id, created_at, loading_at, hsd_verified, deleted_at, deposited_at, tag_id,
    petrol_pump_id, net_amount_payable, tds_amount, loading_weight, unloading_weight, rate_per_mt, tds_percentage, tp_no,
    vehicle_no, material, loading_place, unloading_place
  ON challans FOR EACH ROW EXECUTE FUNCTION challan_moved();

-- Writes the functions that add to the roll-ups, so that what each of them adds up is said once: the triggers of challans and
-- the fold. A statement that would leave many differences open adds its challans to the roll-ups itself, so that readers never
-- have many to add up (docs/decisions.md 133). It writes no difference then. It waits for another such statement of its business,
-- or for a portion of the fold, as it waits for a row that they change.
DO $do$
DECLARE
  -- SQL of CTEs. %1$s is the rows to add up: of challans that are there now, or of ones that were, whose counts and sums are
  -- negative then. Their paid_… are null when the row is not paid, and the others are null when only the payment changed.
  -- One pass makes the sums of most roll-ups, and the net is in paise, because whole numbers are added up faster.
  adding constant text := $sql$
    sums AS MATERIALIZED (
      SELECT subadmin_id, owner_id, tag_id, deposited_on, material, loading_place, unloading_place, petrol_pump_id,
        hsd_verified, vehicle_key, net_band,
        CASE 0 WHEN GROUPING(tag_id) THEN 'owner' WHEN GROUPING(owner_id) THEN 'unpaid' WHEN GROUPING(material) THEN 'route'
          WHEN GROUPING(petrol_pump_id) THEN 'pump' WHEN GROUPING(vehicle_key) THEN 'vehicle' ELSE 'net' END AS of,
        coalesce(sum(challans), 0) AS challans, coalesce(sum(net_paise), 0) * 0.01 AS net_amount,
        coalesce(sum(paid_challans), 0) AS paid_challans, coalesce(sum(paid_paise), 0) * 0.01 AS paid_amount,
        coalesce(sum(tds_amount), 0) AS tds_amount, coalesce(sum(paid_tds), 0) AS paid_tds,
        min(first_created_at) AS first_created_at, max(last_created_at) AS last_created_at
      FROM %1$s AS rows
      GROUP BY subadmin_id, GROUPING SETS ((owner_id, tag_id), (owner_id, deposited_on),
        (material, loading_place, unloading_place), (petrol_pump_id, hsd_verified), (vehicle_key), (net_band))
    ), sums_of_days AS MATERIALIZED (
      SELECT subadmin_id, tag_id, deposited_on, loading_on, of_status.*
      FROM (
        SELECT subadmin_id, tag_id, deposited_on, loading_on,
          coalesce(sum(challans), 0) AS challans, coalesce(sum(paid_challans), 0) AS paid_challans,
          coalesce(sum(net_paise), 0) * 0.01 AS net, coalesce(sum(paid_paise), 0) * 0.01 AS paid_net,
          coalesce(sum(loading_weight), 0) AS loaded, coalesce(sum(paid_loading_weight), 0) AS paid_loaded,
          coalesce(sum(unloading_weight), 0) AS unloaded, coalesce(sum(paid_unloading_weight), 0) AS paid_unloaded,
          min(first_created_at) FILTER (WHERE paid_challans IS NOT NULL) AS paid_first,
          max(last_created_at) FILTER (WHERE paid_challans IS NOT NULL) AS paid_last,
          min(first_created_at) FILTER (WHERE challans IS DISTINCT FROM paid_challans) AS unpaid_first,
          max(last_created_at) FILTER (WHERE challans IS DISTINCT FROM paid_challans) AS unpaid_last
        FROM %1$s AS rows GROUP BY subadmin_id, tag_id, GROUPING SETS ((deposited_on), (loading_on))
      ) AS days CROSS JOIN LATERAL (VALUES
        (true, paid_challans, paid_net, paid_loaded, paid_unloaded, paid_first, paid_last),
        (false, challans - paid_challans, net - paid_net, loaded - paid_loaded, unloaded - paid_unloaded, unpaid_first,
          unpaid_last)
      ) AS of_status (payment_status, challans, net_amount, loading_weight, unloading_weight, first_created_at, last_created_at)
      WHERE of_status.first_created_at IS NOT NULL
    ), by_tag AS (
      INSERT INTO challan_totals_by_tag AS t
      SELECT subadmin_id, tag_id, payment_status, sum(challans), sum(net_amount), sum(loading_weight), sum(unloading_weight)
      FROM sums_of_days WHERE loading_on IS NULL GROUP BY 1, 2, 3
      ON CONFLICT (subadmin_id, tag_id, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        loading_weight = t.loading_weight + excluded.loading_weight,
        unloading_weight = t.unloading_weight + excluded.unloading_weight
    ), by_day AS (
      INSERT INTO challan_totals_by_day AS t
      SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), deposited_on, payment_status,
        sum(challans), sum(net_amount), sum(loading_weight), sum(unloading_weight), min(first_created_at), max(last_created_at)
      FROM sums_of_days WHERE loading_on IS NULL
      GROUP BY GROUPING SETS (
        (subadmin_id, tag_id, deposited_on, payment_status), (subadmin_id, deposited_on, payment_status))
      ON CONFLICT (subadmin_id, tag_id, deposited_on, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        loading_weight = t.loading_weight + excluded.loading_weight,
        unloading_weight = t.unloading_weight + excluded.unloading_weight,
        first_created_at = least(t.first_created_at, excluded.first_created_at),
        last_created_at = greatest(t.last_created_at, excluded.last_created_at)
      RETURNING challans
    ), by_loading_day AS (
      INSERT INTO challan_totals_by_loading_day AS t
      SELECT subadmin_id, coalesce(tag_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), loading_on, payment_status,
        sum(challans), sum(net_amount), min(first_created_at), max(last_created_at)
      FROM sums_of_days WHERE loading_on IS NOT NULL
      GROUP BY GROUPING SETS ((subadmin_id, tag_id, loading_on, payment_status), (subadmin_id, loading_on, payment_status))
      ON CONFLICT (subadmin_id, tag_id, loading_on, payment_status) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount,
        first_created_at = least(t.first_created_at, excluded.first_created_at),
        last_created_at = greatest(t.last_created_at, excluded.last_created_at)
      RETURNING challans
    ), by_owner AS (
      INSERT INTO challan_totals_by_owner AS t
      SELECT subadmin_id, owner_id, tag_id, challans, net_amount, tds_amount, paid_challans, paid_amount, paid_tds
      FROM sums WHERE of = 'owner'
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
      FROM sums WHERE of = 'unpaid' AND (challans, net_amount) <> (paid_challans, paid_amount)
      GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))
      ON CONFLICT (subadmin_id, deposited_on, owner_id) DO UPDATE SET
        challans = t.challans + excluded.challans, net_amount = t.net_amount + excluded.net_amount
      RETURNING ctid, challans, net_amount
    ), by_tax_quarter AS (
      INSERT INTO challan_totals_by_tax_quarter AS t
      SELECT subadmin_id, basis, date_trunc('quarter', day::timestamp), owner_id, tds_percentage, is_deducted,
        sum(challans), sum(gross), sum(tds_amount)
      FROM (
        SELECT 'paid' AS basis, paid_on AS day, subadmin_id, owner_id, tds_percentage, is_deducted,
          paid_challans AS challans, paid_gross AS gross, paid_tds AS tds_amount
        FROM %1$s AS rows WHERE paid_challans IS NOT NULL
        UNION ALL
        SELECT 'deposited', deposited_on, subadmin_id, owner_id, tds_percentage, is_deducted, challans, gross, tds_amount
        FROM %1$s AS rows WHERE challans IS NOT NULL AND deposited_on > '-infinity'
      ) AS of_basis
      GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(challans), sum(gross), sum(tds_amount)) <> (0, 0, 0)
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
      SELECT subadmin_id, substr(tp, i, 3), coalesce(sum(challans), 0), coalesce(sum(net_paise), 0) * 0.01,
        coalesce(sum(paid_challans), 0), coalesce(sum(paid_paise), 0) * 0.01, min(first_created_at), max(last_created_at)
      FROM (
        -- In the list of columns: as a function in FROM the series took more than twice as long.
        SELECT subadmin_id, lower(tp_no) AS tp, generate_series(1, length(lower(tp_no)) - 2) AS i, challans, net_paise,
          paid_challans, paid_paise, first_created_at, last_created_at
        FROM %1$s AS rows
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
    SELECT %2$s,
      (SELECT array_agg(ctid) FROM by_owner
        WHERE (challans, net_amount, tds_amount, paid_challans, paid_amount, paid_tds) = (0, 0, 0, 0, 0, 0)),
      (SELECT array_agg(ctid) FROM unpaid WHERE (challans, net_amount) = (0, 0)),
      EXISTS (SELECT FROM by_day WHERE challans = 0) OR EXISTS (SELECT FROM by_loading_day WHERE challans = 0)
    INTO added, empty_owners, empty_unpaid, has_empty_days;
    DELETE FROM challan_totals_by_owner WHERE ctid = ANY (empty_owners);
    DELETE FROM challan_unpaid_by_owner_day WHERE ctid = ANY (empty_unpaid);
    -- A row that has bounds is empty when it is zero and nothing is open. Before, it may be the sum of a challan that is there
    -- and of another whose leaving was added and whose coming is still a difference: without it the first would be lost to pages.
    IF has_empty_days AND NOT EXISTS (SELECT FROM challan_deltas WHERE subadmin_id = ANY (tenants)) THEN
      DELETE FROM challan_totals_by_day WHERE subadmin_id = ANY (tenants) AND challans = 0;
      DELETE FROM challan_totals_by_loading_day WHERE subadmin_id = ANY (tenants) AND challans = 0;
    END IF;
  $sql$;
  -- What a difference says of a challan. Two differences of a challan that leaves a key and comes back have the same of these …
  keys constant text := 'subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on, tds_percentage,
    is_deducted, material, loading_place, unloading_place, petrol_pump_id, hsd_verified, vehicle_key, net_band, tp_no,
    first_created_at, last_created_at';
  -- … and sums that cancel each other out.
  measures constant text := 'challans, net_amount, tds_amount, loading_weight, unloading_weight, gross';
  -- SQL: rows of challans in the form that is added up, and that differences have. %1$s is the rows, with n = 1 for what is there
  -- now and -1 for what was, null when only the payment changed; and p, which is the same of paid ones.
  changed constant text := $sql$(
    SELECT subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      coalesce(paid_on, '-infinity') AS paid_on, tds_percentage_of(tds_percentage, tds_amount, exact_gross) AS tds_percentage,
      tds_amount > 0 AS is_deducted, material, loading_place, unloading_place,
      coalesce(petrol_pump_id, '00000000-0000-0000-0000-000000000000') AS petrol_pump_id, hsd_verified, vehicle_key,
      net_paise >> 14 AS net_band, tp_no, created_at AS first_created_at, created_at AS last_created_at,
      n AS challans, n * net_amount_payable AS net_amount, n * net_paise AS net_paise, n * tds_amount AS tds_amount,
      n * loading_weight AS loading_weight, n * unloading_weight AS unloading_weight, n * round(exact_gross, 2) AS gross,
      p AS paid_challans, p * net_paise AS paid_paise, p * tds_amount AS paid_tds,
      p * loading_weight AS paid_loading_weight, p * unloading_weight AS paid_unloading_weight,
      p * round(exact_gross, 2) AS paid_gross
    FROM (%1$s) AS rows, LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL)$sql$;
  after_rows constant text := 'SELECT 1 AS n, CASE WHEN payment_status THEN 1 END AS p, * FROM after_rows';
  before_rows constant text := 'SELECT -1, CASE WHEN payment_status THEN -1 END, * FROM before_rows';
  all_changed constant text := format(changed, after_rows || ' UNION ALL ' || before_rows);
  payments constant text := format(changed, 'SELECT NULL::integer AS n, 1 AS p, * FROM after_rows WHERE payment_status
    UNION ALL SELECT NULL, -1, * FROM before_rows WHERE payment_status');
  event text;
  rows text;
  adds text;
BEGIN
  FOR event, rows, adds IN VALUES
    ('inserted', format(changed, after_rows), format('WITH %s', format(adding, format(changed, after_rows), 'changed'))),
    ('updated', all_changed, format('IF is_moved THEN WITH %s ELSE WITH %s END IF;', format(adding, all_changed, 'changed'),
      format(adding, payments, 'changed')))
  LOOP
    EXECUTE format($function$
      CREATE FUNCTION challans_%1$s() RETURNS trigger LANGUAGE plpgsql
        -- The planner expects few rows and would sort them; hundreds of thousands are added up in memory.
        SET enable_sort = off SET work_mem = '64MB' AS $body$
      DECLARE
        change constant uuid := gen_random_uuid();
        changed constant bigint := (SELECT count(*) FROM %2$s AS rows);
        is_moved constant boolean := current_setting('app.challans_moved', true) = 'true';
        tenants uuid[];
        added bigint;
        empty_owners tid[];
        empty_unpaid tid[];
        has_empty_days boolean;
      BEGIN
        IF is_moved THEN
          PERFORM set_config('app.challans_moved', '', true);
        END IF;
        -- A few are not worth counting what is open.
        IF changed <= most_open_differences() / 25 OR changed + (
          SELECT count(*) FROM (
            SELECT FROM challan_deltas WHERE subadmin_id = (SELECT subadmin_id FROM after_rows LIMIT 1)
            LIMIT most_open_differences()) AS open) <= most_open_differences()
        THEN
          -- Two for each changed challan, not one for each key (docs/decisions.md 106).
          INSERT INTO challan_deltas (id, line_no, %3$s, %4$s)
          SELECT change, row_number() OVER (), %3$s, %4$s FROM %2$s AS differences;
          RETURN NULL;
        END IF;
        tenants := ARRAY(SELECT DISTINCT subadmin_id FROM after_rows ORDER BY 1);
        PERFORM pg_advisory_xact_lock(hashtextextended('challan-totals:' || tenant, 0)) FROM unnest(tenants) AS t (tenant);
        %5$s
        RETURN NULL;
      END
      $body$
    $function$, event, rows, keys, measures, adds);
  END LOOP;

  -- Folds a portion of this tenant's open differences and returns how many they were; 0: nothing is open, or another
  -- transaction adds to the totals of this tenant. The order does not matter: a row is deleted only when it says nothing.
  EXECUTE format($function$
    CREATE FUNCTION fold_challan_totals(most integer DEFAULT 25000) RETURNS bigint LANGUAGE plpgsql
      SET enable_sort = off AS $body$
    DECLARE
      tenants constant uuid[] := ARRAY[current_tenant()];
      added bigint;
      empty_owners tid[];
      empty_unpaid tid[];
      has_empty_days boolean;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('challan-totals:' || current_tenant(), 0)) THEN
        RETURN 0;
      END IF;
      WITH gone AS (
        DELETE FROM challan_deltas WHERE subadmin_id = current_tenant() AND ctid IN (
          SELECT ctid FROM challan_deltas WHERE subadmin_id = current_tenant() LIMIT most)
        RETURNING *
      ), left_over AS MATERIALIZED (
        -- What a payment and its reversal leave, and a change of what is in no key and no sum (remarks), is not added up at all.
        SELECT g.*, paid.*
        FROM (
          SELECT %1$s, sum(challans)::bigint AS challans, (sum(net_amount) * 100)::bigint AS net_paise,
            sum(tds_amount) AS tds_amount, sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight,
            sum(gross) AS gross
          FROM gone GROUP BY %1$s
          HAVING (sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight), sum(gross))
            <> (0, 0, 0, 0, 0, 0)
        ) AS g LEFT JOIN LATERAL (
          SELECT challans AS paid_challans, net_paise AS paid_paise, tds_amount AS paid_tds,
            loading_weight AS paid_loading_weight, unloading_weight AS paid_unloading_weight, gross AS paid_gross
        ) AS paid ON payment_status
      ), %2$s
      RETURN added;
    END
    $body$
  $function$, keys, format(adding, 'left_over', '(SELECT count(*) FROM gone)'));
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
