-- Totals are maintained, not recounted. Statement triggers on challans append differences, so that no write waits for a
-- counter row; fold_challan_totals() folds them into eight roll-ups in the background. A reader adds roll-up and open
-- differences in one statement, so the answer is exact at any moment. Parts of a key cannot be null: a challan without a
-- tag has the zero uuid here, one without a deposited day the day '-infinity'.
--
-- So that a reader has little to add up, a statement never leaves many differences open (docs/decisions.md 129). One that
-- changes more challans writes its sums into the roll-ups themselves, in rows of its own: `change` is its number there, and 0
-- in the rows into which all changes are folded. A reader adds up all rows of a key.

-- Numbers the statements that changed challans. Later changes of a challan have higher numbers.
CREATE SEQUENCE challan_changes;
GRANT USAGE ON SEQUENCE challan_changes TO challan_app;

-- The columns with a fixed length come first, and of the others the one that every reader adds up (docs/decisions.md 116).
CREATE TABLE challan_deltas (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  petrol_pump_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- The differences of a statement are neighbours in the key (docs/decisions.md 92).
  change bigint NOT NULL DEFAULT nextval('challan_changes'),
  challans bigint NOT NULL,
  -- The net amount in bands of 2^14 paise.
  net_band bigint NOT NULL DEFAULT 0,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  line_no integer NOT NULL DEFAULT 1,
  deposited_on date NOT NULL,
  loading_on date NOT NULL,
  -- '-infinity': it is not paid.
  paid_on date NOT NULL DEFAULT '-infinity',
  payment_status boolean NOT NULL,
  is_deducted boolean NOT NULL DEFAULT false,
  hsd_verified boolean NOT NULL DEFAULT false,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  gross numeric NOT NULL DEFAULT 0,
  -- -1: nothing was deducted.
  tds_percentage numeric NOT NULL DEFAULT -1,
  material text NOT NULL DEFAULT '',
  loading_place text NOT NULL DEFAULT '',
  unloading_place text NOT NULL DEFAULT '',
  vehicle_key text NOT NULL DEFAULT '',
  tp_no text NOT NULL DEFAULT '',
  PRIMARY KEY (subadmin_id, change, line_no)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CALL secure_tenant_table('challan_deltas', 'SELECT, INSERT, DELETE');

CREATE TABLE challan_totals_by_tag (
  subadmin_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  payment_status boolean NOT NULL,
  challans bigint NOT NULL,
  net_amount numeric NOT NULL,
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, tag_id, payment_status, change)
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
  tds_amount numeric NOT NULL,
  loading_weight numeric NOT NULL,
  unloading_weight numeric NOT NULL,
  first_created_at timestamptz NOT NULL,
  last_created_at timestamptz NOT NULL,
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, tag_id, deposited_on, payment_status, change)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_day', 'SELECT, INSERT, UPDATE, DELETE');

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
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, tag_id, loading_on, payment_status, change)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_loading_day', 'SELECT, INSERT, UPDATE, DELETE');

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
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, owner_id, tag_id, payment_status, change)
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
  change bigint NOT NULL DEFAULT 0,
  -- The day comes before the owner: the days of a range are next to each other.
  PRIMARY KEY (subadmin_id, deposited_on, owner_id, change)
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
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, basis, quarter_from, owner_id, tds_percentage, is_deducted, change)
) WITH (fillfactor = 70);
CALL secure_tenant_table('challan_totals_by_tax_quarter', 'SELECT, INSERT, UPDATE, DELETE');

-- Totals for the filters of the list by material and places, by pump and check of HSD, by vehicle, and by net amount
-- (docs/decisions.md 105). A trait is a set of columns whose values make a key; the columns of other traits are empty.
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
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, trait, vehicle_key, net_band, petrol_pump_id, hsd_verified, material, loading_place,
    unloading_place, change)
) WITH (fillfactor = 50);
CALL secure_tenant_table('challan_totals_by_trait', 'SELECT, INSERT, UPDATE, DELETE');

-- The parts of three characters of a TP number in small letters, each once.
CREATE FUNCTION tp_parts(tp text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10
BEGIN ATOMIC
  SELECT substr(tp, i, 3) FROM generate_series(1, length(tp) - 2) AS i WHERE strpos(tp, substr(tp, i, 3)) = i;
END;

-- Totals of a search by three characters of the TP number, with which every such search begins (docs/decisions.md 114).
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
  change bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subadmin_id, part, change)
) WITH (fillfactor = 50);
CALL secure_tenant_table('challan_totals_by_tp_part', 'SELECT, INSERT, UPDATE, DELETE');

-- What a challan's line of the register says of it: stored, else computed back as the form does; -1 where nothing was deducted.
CREATE FUNCTION tds_percentage_of(stored numeric, tds_amount numeric, gross numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(stored, CASE WHEN tds_amount > 0 THEN round(tds_amount * 100 / nullif(gross, 0), 1) END, -1);

-- Writes the functions that read and write all eight roll-ups, so that what each of them adds up is said once: the triggers
-- of challans, which write it for a large change, and the fold.
DO $$
DECLARE
  sums constant text := 'sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight)';
  bounds constant text := 'min(first_created_at), max(last_created_at)';
  all_tags constant text := '''ffffffff-ffff-ffff-ffff-ffffffffffff''::uuid';
  -- Each roll-up, and what it adds up: SQL over `taken`, which is differences. By tag comes last: as long as a change has
  -- rows in it, the change is open.
  roll_ups constant text[] := ARRAY[
    ['challan_totals_by_day', format('SELECT subadmin_id, coalesce(tag_id, %s), deposited_on, payment_status, %s, %s FROM taken
      GROUP BY GROUPING SETS ((subadmin_id, tag_id, deposited_on, payment_status), (subadmin_id, deposited_on, payment_status))',
      all_tags, sums, bounds)],
    ['challan_totals_by_loading_day', format('SELECT subadmin_id, coalesce(tag_id, %s), loading_on, payment_status, %s, %s
      FROM taken
      GROUP BY GROUPING SETS ((subadmin_id, tag_id, loading_on, payment_status), (subadmin_id, loading_on, payment_status))',
      all_tags, sums, bounds)],
    ['challan_totals_by_owner', format('SELECT subadmin_id, owner_id, tag_id, payment_status, %s FROM taken
      GROUP BY 1, 2, 3, 4', sums)],
    ['challan_unpaid_by_owner_day', 'SELECT subadmin_id, owner_id, coalesce(deposited_on, ''infinity''), sum(challans),
        sum(net_amount)
      FROM taken WHERE NOT payment_status
      GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))'],
    ['challan_totals_by_tax_quarter', 'SELECT subadmin_id, basis, date_trunc(''quarter'', day::timestamp), owner_id,
        tds_percentage, is_deducted, sum(challans), sum(gross), sum(tds_amount)
      FROM taken CROSS JOIN LATERAL (VALUES (''paid'', paid_on), (''deposited'', deposited_on)) AS d (basis, day)
      WHERE day > ''-infinity'' GROUP BY 1, 2, 3, 4, 5, 6'],
    ['challan_totals_by_trait', format('SELECT subadmin_id,
        CASE 0 WHEN GROUPING(material) THEN ''route'' WHEN GROUPING(petrol_pump_id) THEN ''pump''
          WHEN GROUPING(vehicle_key) THEN ''vehicle'' ELSE ''net'' END,
        coalesce(vehicle_key, ''''), coalesce(net_band, 0),
        coalesce(petrol_pump_id, ''00000000-0000-0000-0000-000000000000''), coalesce(hsd_verified, false),
        coalesce(material, ''''), coalesce(loading_place, ''''), coalesce(unloading_place, ''''),
        sum(challans), sum(net_amount), coalesce(sum(challans) FILTER (WHERE payment_status), 0),
        coalesce(sum(net_amount) FILTER (WHERE payment_status), 0), %s
      FROM taken
      GROUP BY subadmin_id, GROUPING SETS (
        (material, loading_place, unloading_place), (petrol_pump_id, hsd_verified), (vehicle_key), (net_band))', bounds)],
    -- In whole paise: adding up numerics for each of the parts took half as long again.
    ['challan_totals_by_tp_part', format('SELECT subadmin_id, part, sum(challans), sum(paise) * 0.01, sum(paid_challans),
        sum(paid_paise) * 0.01, %1$s
      FROM (
        SELECT subadmin_id, lower(tp_no) AS tp, sum(challans)::bigint AS challans, (sum(net_amount) * 100)::bigint AS paise,
          coalesce(sum(challans) FILTER (WHERE payment_status), 0)::bigint AS paid_challans,
          (coalesce(sum(net_amount) FILTER (WHERE payment_status), 0) * 100)::bigint AS paid_paise,
          min(first_created_at) AS first_created_at, max(last_created_at) AS last_created_at
        FROM taken GROUP BY 1, 2
      ) AS by_tp CROSS JOIN LATERAL tp_parts(tp) AS p (part)
      GROUP BY 1, 2', bounds)],
    ['challan_totals_by_tag', format('SELECT subadmin_id, tag_id, payment_status, %s FROM taken GROUP BY 1, 2, 3', sums)]
  ];
  -- Every column of a difference but those that say which statement made it. Two differences of a challan that leaves a key
  -- and comes back to it have the same values in the first list.
  key constant text := 'subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status, paid_on, tds_percentage,
    is_deducted, material, loading_place, unloading_place, petrol_pump_id, hsd_verified, vehicle_key, net_band, tp_no,
    first_created_at, last_created_at';
  measures constant text := 'challans, net_amount, tds_amount, loading_weight, unloading_weight, gross';
  -- Two differences for each changed challan, not one for each key (docs/decisions.md 106): owner, days, vehicle, TP number and
  -- net are nearly always a key of their own. A change that is in no key and no sum (remarks) makes two that cancel each other
  -- out. SQL, where %s is rows of challans with n = 1 for what is there now and n = -1 for what was.
  differences constant text := 'SELECT subadmin_id, owner_id,
      coalesce(tag_id, ''00000000-0000-0000-0000-000000000000'') AS tag_id, coalesce(deposited_on, ''-infinity'') AS deposited_on,
      loading_on, payment_status, coalesce(paid_on, ''-infinity'') AS paid_on,
      tds_percentage_of(tds_percentage, tds_amount, exact_gross) AS tds_percentage, tds_amount > 0 AS is_deducted, material,
      loading_place, unloading_place, coalesce(petrol_pump_id, ''00000000-0000-0000-0000-000000000000'') AS petrol_pump_id,
      hsd_verified, vehicle_key, net_paise >> 14 AS net_band, tp_no, created_at AS first_created_at,
      created_at AS last_created_at, n AS challans, n * net_amount_payable AS net_amount, n * tds_amount AS tds_amount,
      n * loading_weight AS loading_weight, n * unloading_weight AS unloading_weight, n * round(exact_gross, 2) AS gross
    FROM (%s) AS rows, LATERAL (SELECT least(loading_weight, unloading_weight) * rate_per_mt AS exact_gross) AS g
    WHERE deleted_at IS NULL';
  -- Statements of `taken`: they add it up into rows of the change `of_change`, or into those of change 0.
  adding text := '';
  folding text := '';
  -- What finds and deletes the rows of change 0 that `folding` left without a challan.
  declared text := '';
  found_empty text := '';
  into_empty text := '';
  emptying text := '';
  -- Folds rows of the change `large` into the rows of change 0, at most `most` in all.
  folding_large text := '';
  roll_up text[];
  columns text;
  upsert text;
BEGIN
  FOREACH roll_up SLICE 1 IN ARRAY roll_ups LOOP
    SELECT string_agg(attname, ', ' ORDER BY attnum) FILTER (WHERE attname <> 'change'),
      format('ON CONFLICT (%s) DO UPDATE SET %s RETURNING ctid, challans',
        string_agg(attname, ', ' ORDER BY attnum) FILTER (WHERE attnum = ANY (indkey)),
        string_agg(format(CASE attname WHEN 'first_created_at' THEN '%1$s = least(t.%1$s, excluded.%1$s)'
          WHEN 'last_created_at' THEN '%1$s = greatest(t.%1$s, excluded.%1$s)'
          ELSE '%1$s = t.%1$s + excluded.%1$s' END, attname), ', ') FILTER (WHERE attnum <> ALL (indkey)))
    INTO columns, upsert
    FROM pg_attribute JOIN pg_index ON indrelid = attrelid AND indisprimary
    WHERE attrelid = roll_up[1]::regclass AND attnum > 0 AND NOT attisdropped;
    adding := adding || format(', of_%1$s AS (
      INSERT INTO %1$s (%2$s, change) SELECT *, of_change FROM (%3$s) AS sums)', roll_up[1], columns, roll_up[2]);
    folding := folding || format(', of_%1$s AS (
      INSERT INTO %1$s AS t (%2$s) %3$s %4$s)', roll_up[1], columns, roll_up[2], upsert);
    declared := declared || format('empty_%1$s tid[]; ', roll_up[1]);
    found_empty := found_empty || format(', (SELECT array_agg(ctid) FROM of_%1$s WHERE challans = 0)', roll_up[1]);
    into_empty := into_empty || format(', empty_%1$s', roll_up[1]);
    emptying := emptying || format('
      DELETE FROM %1$s WHERE ctid = ANY (empty_%1$s);', roll_up[1]);
    folding_large := folding_large || format('
      WITH taken AS (
        DELETE FROM %1$s WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM %1$s WHERE subadmin_id = current_tenant() AND change > 0 AND change = large LIMIT most - folded))
        RETURNING *
      ), folded_rows AS (
        INSERT INTO %1$s AS t (%2$s) SELECT %2$s FROM taken %3$s
      )
      SELECT folded + count(*), (SELECT array_agg(ctid) FROM folded_rows WHERE challans = 0) INTO folded, empty FROM taken;
      DELETE FROM %1$s WHERE ctid = ANY (empty);', roll_up[1], columns, upsert);
    EXECUTE format('CREATE INDEX ON %I (subadmin_id, change) WHERE change > 0', roll_up[1]);
  END LOOP;

  FOR roll_up IN SELECT ARRAY[name, rows] FROM (VALUES
    ('challans_inserted', 'SELECT 1 AS n, * FROM after_rows'),
    ('challans_updated', 'SELECT 1 AS n, * FROM after_rows UNION ALL SELECT -1, * FROM before_rows')) AS f (name, rows)
  LOOP
    EXECUTE format($function$
      CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE
        -- How many differences may be open. A reader adds up so many in some milliseconds.
        most constant integer := 25000;
        of_change constant bigint := nextval('challan_changes');
        written bigint;
      BEGIN
        IF (SELECT count(*) FROM (%2$s) AS rows) + (SELECT count(*) FROM (
          SELECT FROM challan_deltas WHERE subadmin_id = (SELECT subadmin_id FROM after_rows LIMIT 1) LIMIT most) AS open) <= most
        THEN
          INSERT INTO challan_deltas (change, line_no, %3$s, %4$s)
          SELECT of_change, row_number() OVER (), %3$s, %4$s FROM (%5$s) AS differences;
        ELSE
          WITH taken AS MATERIALIZED (%5$s)%6$s
          SELECT count(*) INTO written FROM taken;
        END IF;
        RETURN NULL;
      END
      $body$
    $function$, roll_up[1], roll_up[2], key, measures, format(differences, roll_up[2]), adding);
  END LOOP;

  -- Folds a portion of what is open of this tenant: in the order of the changes, either differences or rows of a large change.
  -- Returns how many there were; 0: nothing is open. Of two folds of one tenant at a time the second does nothing.
  --
  -- In this order, what is folded of each challan ends with one of its states. So a row of change 0 that counts no challan is
  -- of a key that no challan has, and is deleted.
  EXECUTE format($function$
    CREATE FUNCTION fold_challan_totals(most integer DEFAULT 10000) RETURNS bigint LANGUAGE plpgsql
      -- The planner expects few rows, and would sort them by long keys.
      SET enable_sort = off AS $body$
    DECLARE
      folded bigint;
      large bigint;
      empty tid[];
      %7$s
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('challan-totals:' || current_tenant(), 0)) THEN
        RETURN 0;
      END IF;
      SELECT min(change) INTO large FROM challan_totals_by_tag WHERE subadmin_id = current_tenant() AND change > 0;

      WITH gone AS (
        DELETE FROM challan_deltas WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM challan_deltas WHERE subadmin_id = current_tenant() AND (large IS NULL OR change < large)
          ORDER BY change, line_no LIMIT most))
        RETURNING *
      ), taken AS MATERIALIZED (
        -- What a payment and its reversal leave cancels itself out here, and is not added up eight times.
        SELECT %1$s, sum(challans)::bigint AS challans, sum(net_amount) AS net_amount, sum(tds_amount) AS tds_amount,
          sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight, sum(gross) AS gross
        FROM gone GROUP BY %1$s
        HAVING (sum(challans), sum(net_amount), sum(tds_amount), sum(loading_weight), sum(unloading_weight), sum(gross))
          <> (0, 0, 0, 0, 0, 0)
      )%2$s
      SELECT (SELECT count(*) FROM gone)%3$s INTO folded%4$s;
      IF folded > 0 THEN
        %5$s
        RETURN folded;
      END IF;

      IF large IS NOT NULL THEN
        %6$s
      END IF;
      RETURN folded;
    END
    $body$
  $function$, key, folding, found_empty, into_empty, emptying, folding_large, declared);
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

-- Tenants whose open differences are worth folding. Each large change has rows in the roll-up by tag.
CREATE FUNCTION tenants_to_fold(at_least bigint)
  RETURNS TABLE (subadmin_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT d.subadmin_id FROM public.challan_deltas d GROUP BY d.subadmin_id HAVING count(*) >= at_least
  UNION SELECT t.subadmin_id FROM public.challan_totals_by_tag t WHERE t.change > 0;
END;
CALL give_to_definer('tenants_to_fold(bigint)');

-- What these two functions may read and write. tenants_to_fold finds what is open of all tenants.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['challan_deltas', 'challan_totals_by_tag', 'challan_totals_by_day',
    'challan_totals_by_loading_day', 'challan_totals_by_owner', 'challan_unpaid_by_owner_day', 'challan_totals_by_tax_quarter',
    'challan_totals_by_trait', 'challan_totals_by_tp_part']
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO challan_definer', name);
    EXECUTE format('CREATE POLICY definer_folds ON %I TO challan_definer USING (subadmin_id = (SELECT current_tenant()))
      WITH CHECK (subadmin_id = (SELECT current_tenant()))', name);
  END LOOP;
END
$$;
CREATE POLICY definer ON challan_deltas FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer ON challan_totals_by_tag FOR SELECT TO challan_definer USING (change > 0);

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
