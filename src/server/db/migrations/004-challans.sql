-- Challans, the counters of their numbers, and their searches.

-- One counter per tenant, kind and financial year (of challans, payments, batches …), locked by the transaction that counts.
CREATE TABLE counters (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (subadmin_id, name)
);
CALL secure_tenant_table('counters', 'SELECT, INSERT, UPDATE');

CREATE TABLE challans (
  -- What lists filter, sum and sort comes first, and what has a fixed length before the rest: PostgreSQL goes through a row from
  -- its first column to the last one that it needs (docs/decisions.md 116).
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  owner_id uuid NOT NULL,
  -- The time of the row, not of the transaction: challans of one transaction keep their order.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  loading_at timestamptz NOT NULL,
  unloading_at timestamptz NOT NULL,
  -- The net in paise. Comparing whole numbers is leakproof, so a condition on them reads the index also under row-level
  -- security. Comparing numerics is not: every challan of the business would be read for it.
  net_paise bigint GENERATED ALWAYS AS ((net_amount_payable * 100)::bigint) STORED,
  loading_on date NOT NULL GENERATED ALWAYS AS ((loading_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  unloading_on date NOT NULL GENERATED ALWAYS AS ((unloading_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  -- Rises at each un-pay: the ledger holds at most one payment for each cycle of a challan.
  pay_cycle integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  payment_status boolean NOT NULL DEFAULT false,
  hsd_verified boolean NOT NULL DEFAULT false,
  deleted_at timestamptz,
  deposited_at timestamptz,
  paid_at timestamptz,
  -- A payment writes what stands from pay_cycle to paid_on, and the log has only the bytes from the first to the last changed one.
  hsd_verified_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deposited_on date GENERATED ALWAYS AS ((deposited_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  paid_on date GENERATED ALWAYS AS ((paid_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  tag_id uuid,
  petrol_pump_id uuid,
  discounter_id uuid,
  net_amount_payable numeric(14,2) NOT NULL,
  tds_amount numeric(14,2) NOT NULL CHECK (tds_amount >= 0),
  loading_weight numeric(14,2) NOT NULL CHECK (loading_weight >= 0),
  unloading_weight numeric(14,2) NOT NULL CHECK (unloading_weight >= 0),
  rate_per_mt numeric(14,2) NOT NULL CHECK (rate_per_mt >= 0),
  -- Why it is not to be paid; '': it may be.
  hold_reason text NOT NULL DEFAULT '' CHECK (length(hold_reason) <= 500),
  tp_no text NOT NULL CHECK (tp_no <> '' AND length(tp_no) <= 100),
  -- Made as the key of a pump's file is (shared/calc/keys.ts): the digits of Indian scripts as 0-9, 12345.0 as 12345, and
  -- without what does not count (docs/specification.md §11.2).
  tp_key text NOT NULL GENERATED ALWAYS AS (
    number_key(
      regexp_replace(translate(regexp_replace(tp_no, '\s', '', 'g'),
        '०१२३४५६७८९০১২৩৪৫৬৭৮৯୦୧୨୩୪୫୬୭୮୯０１２３４５６７８９', '0123456789012345678901234567890123456789'),
        '^([0-9]+)\.0+$', '\1'))) STORED,
  vehicle_key text NOT NULL GENERATED ALWAYS AS (number_key(vehicle_no)) STORED,
  challan_number text NOT NULL,
  vehicle_no text NOT NULL CHECK (vehicle_no <> '' AND length(vehicle_no) <= 30),
  owner_name text NOT NULL CHECK (owner_name <> '' AND length(owner_name) <= 200),
  owner_contact_number text NOT NULL CHECK (owner_contact_number <> '' AND length(owner_contact_number) <= 20),
  material text NOT NULL CHECK (material <> '' AND length(material) <= 100),
  loading_place text NOT NULL CHECK (loading_place <> '' AND length(loading_place) <= 200),
  unloading_place text NOT NULL CHECK (unloading_place <> '' AND length(unloading_place) <= 200),
  difference_weight numeric(14,2) NOT NULL,
  discount_weight numeric(14,2) NOT NULL DEFAULT 0 CHECK (discount_weight >= 0),
  tds_percentage numeric(4,1) CHECK (tds_percentage = 0 OR tds_percentage BETWEEN 0.1 AND 100),
  -- The declaration of its owner that makes the percentage 0.
  tds_declaration_id uuid,
  hsd_price_per_liter numeric(14,2) NOT NULL DEFAULT 0 CHECK (hsd_price_per_liter >= 0),
  hsd_in_liters numeric(14,2) NOT NULL DEFAULT 0 CHECK (hsd_in_liters >= 0),
  hsd_amount numeric(14,2) NOT NULL DEFAULT 0,
  advance_money numeric(14,2) NOT NULL DEFAULT 0 CHECK (advance_money >= 0),
  office_charges numeric(14,2) NOT NULL DEFAULT 0 CHECK (office_charges >= 0),
  shortage_amount numeric(14,2) NOT NULL DEFAULT 0,
  material_shortage_amount numeric(14,2) NOT NULL DEFAULT 0 CHECK (material_shortage_amount >= 0),
  vehicle_type text NOT NULL DEFAULT '' CHECK (length(vehicle_type) <= 100),
  vehicle_wheel smallint CHECK (vehicle_wheel BETWEEN 4 AND 32 AND vehicle_wheel % 2 = 0),
  driver_name text NOT NULL DEFAULT '' CHECK (length(driver_name) <= 100),
  driving_license_no text NOT NULL DEFAULT '' CHECK (length(driving_license_no) <= 50),
  data_entry_by text NOT NULL DEFAULT '' CHECK (length(data_entry_by) <= 100),
  remarks text NOT NULL DEFAULT '' CHECK (length(remarks) <= 1000),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, challan_number),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id),
  FOREIGN KEY (subadmin_id, discounter_id) REFERENCES owners (subadmin_id, id),
  FOREIGN KEY (subadmin_id, tag_id) REFERENCES tags (subadmin_id, id),
  FOREIGN KEY (subadmin_id, petrol_pump_id) REFERENCES petrol_pumps (subadmin_id, id),
  FOREIGN KEY (subadmin_id, tds_declaration_id, owner_id) REFERENCES declarations (subadmin_id, id, owner_id),
  CONSTRAINT challan_tds_declared CHECK ((tds_percentage IS NOT DISTINCT FROM 0) = (tds_declaration_id IS NOT NULL)),
  CONSTRAINT challan_days CHECK (
    loading_on <= unloading_on AND (deposited_on IS NULL OR unloading_on <= deposited_on)),
  -- The arithmetic of the challan (docs/specification.md §8.4), held by the database as well: each line rounded
  -- half-up to two decimals, then subtracted.
  CONSTRAINT challan_difference CHECK (difference_weight = loading_weight - unloading_weight),
  CONSTRAINT challan_hsd_amount CHECK (hsd_amount = round(hsd_price_per_liter * hsd_in_liters, 2)),
  CONSTRAINT challan_shortage_amount CHECK (
    shortage_amount = round(greatest(0, loading_weight - unloading_weight - discount_weight) * rate_per_mt, 2)),
  CONSTRAINT challan_material_shortage CHECK (
    material_shortage_amount = 0 OR loading_weight - unloading_weight - discount_weight > 0),
  CONSTRAINT challan_net CHECK (
    net_amount_payable = round(least(loading_weight, unloading_weight) * rate_per_mt, 2)
      - tds_amount - hsd_amount - advance_money - office_charges - material_shortage_amount),
  CONSTRAINT challan_hsd_needs_pump CHECK (
    petrol_pump_id IS NOT NULL OR (hsd_in_liters = 0 AND hsd_amount = 0 AND NOT hsd_verified)),
  CONSTRAINT challan_paid_at CHECK (payment_status = (paid_at IS NOT NULL)),
  CONSTRAINT challan_held_is_unpaid CHECK (hold_reason = '' OR NOT payment_status),
  CONSTRAINT challan_verified_at CHECK (hsd_verified = (hsd_verified_at IS NOT NULL))
-- Half of each page is left free: a payment then has room beside the old version of a row (docs/decisions.md 98).
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- No index names a column that a payment writes (payment_status, paid_at, paid_on, pay_cycle, version, updated_at): with
-- room on the page its updates stay heap-only, which is what lets 100,000 challans be paid in one transaction.
CREATE INDEX challans_by_created ON challans (subadmin_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- The challans of an owner, a tag or a day, a few bytes for each: what is found is sorted.
CREATE INDEX challans_by_owner ON challans (subadmin_id, owner_id) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_tag ON challans (subadmin_id, tag_id) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_deposited ON challans (subadmin_id, deposited_on) WHERE deleted_at IS NULL;

-- The palette finds a challan by its net, and the check for twins by its TP number. The list is also read in the order of these two,
-- of the owner, the loading day and the vehicle. The id, which breaks ties, is left out: equal values are one entry of the index then, and
-- the challans of one value are sorted by id after they are read (docs/decisions.md 145).
CREATE INDEX challans_by_net ON challans (subadmin_id, net_paise) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_tp ON challans (subadmin_id, tp_key) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_owner_name ON challans (subadmin_id, lower(owner_name)) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_loading ON challans (subadmin_id, loading_on) WHERE deleted_at IS NULL;
-- The last challan from one place to another, whose rate a new one is compared with.
CREATE INDEX challans_by_route ON challans (subadmin_id, lower(loading_place), lower(unloading_place), created_at DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX challans_by_trip ON challans (subadmin_id, vehicle_key, loading_on) WHERE deleted_at IS NULL;

-- New entries are collected first and merged in when they come to 512 kB: a change of many challans spent half of its time in
-- this index. A search reads the collected ones besides, which takes about 1 ms (docs/decisions.md 70).
CREATE INDEX challans_tp_search ON challans USING gin (subadmin_id, tp_no gin_trgm_ops)
  WITH (fastupdate = on, gin_pending_list_limit = 512) WHERE deleted_at IS NULL;
-- TP numbers whose leading zeros a spreadsheet has lost.
CREATE INDEX challans_by_tp_without_zeros ON challans (subadmin_id, ltrim(tp_key, '0'))
  WHERE deleted_at IS NULL AND tp_key LIKE '0%';
-- An owner may not be deleted while challans name it as discounter beside another owner. With the owner in the index they are
-- counted there.
CREATE INDEX challans_by_discounter ON challans (subadmin_id, discounter_id) INCLUDE (owner_id)
  WHERE deleted_at IS NULL AND discounter_id IS NOT NULL;
CREATE INDEX challans_by_pump ON challans (subadmin_id, petrol_pump_id)
  WHERE deleted_at IS NULL AND petrol_pump_id IS NOT NULL;
-- Held challans are few. They are taken off the totals of what may be paid.
CREATE INDEX challans_held ON challans (subadmin_id, owner_id) WHERE deleted_at IS NULL AND hold_reason <> '';
CALL secure_tenant_table('challans', 'SELECT, INSERT, UPDATE');
GRANT SELECT ON challans TO challan_definer;
CREATE POLICY definer ON challans FOR SELECT TO challan_definer USING (true);

-- Challans are deleted softly: a row that vanished would leave the totals wrong.
CREATE TRIGGER challans_never_deleted BEFORE DELETE OR TRUNCATE ON challans
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What payment lines name is looked up when they are written (payments), so a challan must keep its key afterwards. Also one
-- without a line: a payment that runs at the same time has not written its line yet. A payment names neither column, so it
-- does not fire this trigger.
CREATE FUNCTION challan_keeps_its_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A challan keeps its business and its id' USING ERRCODE = 'foreign_key_violation', TABLE = 'challans';
END
$$;
CREATE TRIGGER challan_keeps_its_key AFTER UPDATE OF subadmin_id, id ON challans
  FOR EACH ROW WHEN ((OLD.subadmin_id, OLD.id) IS DISTINCT FROM (NEW.subadmin_id, NEW.id))
  EXECUTE FUNCTION challan_keeps_its_key();

-- The plates that challans have or had, each once (docs/decisions.md 102): a search by a part of a plate looks through some
-- thousands of these instead of going through the index on challans plate by plate. A plate stays here when its last challan
-- is gone; it then finds nothing.
CREATE TABLE challan_vehicles (
  subadmin_id uuid NOT NULL,
  vehicle_key text NOT NULL,
  PRIMARY KEY (subadmin_id, vehicle_key)
);
CALL secure_tenant_table('challan_vehicles', 'SELECT, INSERT');

-- A trigger may name a column only when it runs for each row. Because it names one, a payment does not fire it.
CREATE FUNCTION challan_vehicle_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challan_vehicles VALUES (NEW.subadmin_id, NEW.vehicle_key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER challan_vehicle_changed AFTER UPDATE OF vehicle_no ON challans
  FOR EACH ROW WHEN (OLD.vehicle_key <> NEW.vehicle_key) EXECUTE FUNCTION challan_vehicle_changed();

-- Challans of the current tenant whose TP number contains a term, as typed, in any case. Under row-level security ILIKE
-- cannot use its trigram index, because the operator is not leakproof. This function repeats the tenant predicate and
-- returns what filters, sorts and sums need, so that the rows are not fetched twice. The index is asked for the end of a
-- long term alone: TP numbers begin alike, and the lists of '240' and '409' hold nearly every challan. For a term without
-- letters LIKE finds the same as ILIKE, in half of the time per challan that the index has found.
CREATE FUNCTION search_challans_by_tp(term text)
  RETURNS TABLE (id uuid, owner_id uuid, tag_id uuid, created_at timestamptz, loading_on date, deposited_on date,
    payment_status boolean, net_amount_payable numeric, tds_amount numeric)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 200 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  ending text := '%' || regexp_replace(right(term, 6), '([\\%_])', '\\\1', 'g') || '%';
BEGIN
  IF term ~ '^[ -@]*$' THEN
    RETURN QUERY
    SELECT c.id, c.owner_id, c.tag_id, c.created_at, c.loading_on, c.deposited_on,
      c.payment_status, c.net_amount_payable, c.tds_amount
    FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no LIKE ending
      AND (length(term) <= 6 OR strpos(c.tp_no, term) > 0);
    RETURN;
  END IF;
  RETURN QUERY
  SELECT c.id, c.owner_id, c.tag_id, c.created_at, c.loading_on, c.deposited_on,
    c.payment_status, c.net_amount_payable, c.tds_amount
  FROM public.challans c
  WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE ending
    AND (length(term) <= 6 OR strpos(lower(c.tp_no), lower(term)) > 0);
END
$$;
CALL give_to_definer('search_challans_by_tp(text)');

-- The rate of the last challan of each of these routes, whose two places are given in two lists of the same length. A challan
-- that is edited is not its own last one. Under row-level security the index cannot be read by lower(), which is not leakproof.
-- For the same reason the order names every column of the index: the planner would not see that the places are the same for all
-- and would sort all challans of the route, 54,000 of them for each create. One plan is kept: without the setting each call plans
-- for its own number of routes, which takes two thirds of its time.
CREATE FUNCTION last_rates(loading_places text[], unloading_places text[], edited uuid)
  RETURNS TABLE (place bigint, rate numeric)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
  SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant uuid := public.current_tenant();
BEGIN
  RETURN QUERY
  SELECT r.ordinality, last.rate_per_mt
  FROM unnest(loading_places, unloading_places) WITH ORDINALITY AS r (loading_place, unloading_place)
  CROSS JOIN LATERAL (
    SELECT c.rate_per_mt FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND lower(c.loading_place) = lower(r.loading_place)
      AND lower(c.unloading_place) = lower(r.unloading_place) AND c.id IS DISTINCT FROM edited
    ORDER BY lower(c.loading_place), lower(c.unloading_place), c.created_at DESC LIMIT 1) AS last;
END
$$;
CALL give_to_definer('last_rates(text[], text[], uuid)');

-- The newest few challans of a search by TP number, and how many it has, counted up to `most`: `total` is `most` + 1 where it
-- has more. Which way is cheap depends on the term, and a sample of 200 challans tells it (docs/decisions.md 102): ids are
-- drawn at random, so the first 200 in their order are of all times.
CREATE FUNCTION newest_challans_by_tp(term text, wanted integer, most integer)
  RETURNS TABLE (id uuid, created_at timestamptz, total integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 5 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  whole text := '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
  ending text := '%' || regexp_replace(right(term, 6), '([\\%_])', '\\\1', 'g') || '%';
  drawn integer;
  matching integer;
  -- Of those drawn, how many are newer than all that match.
  newer integer;
  middle timestamptz;
  seen integer := 0;
BEGIN
  WITH draw AS MATERIALIZED (
    SELECT c.created_at, c.tp_no ILIKE whole AS is_hit FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL ORDER BY c.id LIMIT 200
  ), hits AS (
    SELECT count(*) AS found, max(d.created_at) AS newest, percentile_disc(0.5) WITHIN GROUP (ORDER BY d.created_at) AS half
    FROM draw AS d WHERE d.is_hit
  )
  SELECT (SELECT count(*) FROM draw), h.found, h.half,
    (SELECT count(*) FROM draw AS d WHERE d.created_at > coalesce(h.newest, '-infinity'))
  INTO drawn, matching, middle, newer FROM hits AS h;

  -- Many: counted in order of creation, from the newest on if they are among these too, else from the middle of them on.
  -- Neighbours of that order are neighbours in the table.
  IF matching * 15 >= drawn THEN
    SELECT count(*) INTO seen FROM (
      SELECT c.tp_no FROM public.challans c WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL
      ORDER BY c.created_at DESC, c.id DESC LIMIT 300
    ) AS newest WHERE newest.tp_no ILIKE whole;
    IF seen >= 20 THEN
      middle := 'infinity';
    END IF;
    IF seen >= 20 OR matching * 5 >= drawn THEN
      SELECT count(*) INTO seen FROM (
        SELECT FROM (
          SELECT c.tp_no FROM public.challans c
          WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.created_at <= middle
          ORDER BY c.created_at DESC, c.id DESC LIMIT 15 * most
        ) AS near WHERE near.tp_no ILIKE whole LIMIT most + 1
      ) AS hits;
    END IF;
  END IF;
  -- Fewer: by the index, read as far as it is counted. Materialized: it is planned as a search for all of them.
  IF seen <= most AND newer <= matching THEN
    WITH hits AS MATERIALIZED (
      SELECT FROM public.challans c
      WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE ending
        AND (length(term) <= 6 OR strpos(lower(c.tp_no), lower(term)) > 0)
    )
    SELECT count(*) INTO seen FROM (SELECT FROM hits LIMIT most + 1) AS counted;
  END IF;
  -- The newest of many are met soon in order of creation, where not too many others are newer.
  IF seen > most AND newer <= matching THEN
    RETURN QUERY
    SELECT c.id, c.created_at, seen FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE whole
    ORDER BY c.created_at DESC, c.id DESC LIMIT wanted;
    RETURN;
  END IF;
  RETURN QUERY
  WITH hits AS MATERIALIZED (
    SELECT c.id, c.created_at FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE ending
      AND (length(term) <= 6 OR strpos(lower(c.tp_no), lower(term)) > 0)
  )
  SELECT h.id, h.created_at, (SELECT least(count(*), most + 1)::integer FROM hits)
  FROM hits AS h ORDER BY h.created_at DESC, h.id DESC LIMIT wanted;
END
$$;
CALL give_to_definer('newest_challans_by_tp(text, integer, integer)');
