-- Challans, and the counters of their numbers and the payments'.

-- One counter per tenant, kind and financial year, locked in the inserting transaction.
CREATE TABLE counters (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (subadmin_id, name)
);
GRANT SELECT, INSERT, UPDATE ON counters TO challan_app;
ALTER TABLE counters ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON counters TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON counters TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE TABLE challans (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  challan_number text NOT NULL,
  owner_id uuid NOT NULL,
  discounter_id uuid,
  tag_id uuid,
  petrol_pump_id uuid,
  tp_no text NOT NULL CHECK (tp_no <> '' AND length(tp_no) <= 100),
  -- Made as the key of a pump's file is (shared/calc/tp.ts): without spaces and case, the digits of Indian scripts as 0-9,
  -- and 12345.0 as 12345 (docs/specification.md §11.2).
  tp_key text NOT NULL GENERATED ALWAYS AS (
    regexp_replace(
      upper(translate(regexp_replace(tp_no, '\s', '', 'g'),
        '०१२३४५६७८९০১২৩৪৫৬৭৮৯୦୧୨୩୪୫୬୭୮୯０１２３４５６７８９', '0123456789012345678901234567890123456789')),
      '^([0-9]+)\.0+$', '\1')) STORED,
  vehicle_no text NOT NULL CHECK (vehicle_no <> '' AND length(vehicle_no) <= 30),
  vehicle_key text NOT NULL GENERATED ALWAYS AS (upper(regexp_replace(vehicle_no, '[\s-]', '', 'g'))) STORED,
  owner_name text NOT NULL CHECK (owner_name <> '' AND length(owner_name) <= 200),
  owner_contact_number text NOT NULL CHECK (owner_contact_number <> '' AND length(owner_contact_number) <= 20),
  material text NOT NULL CHECK (material <> '' AND length(material) <= 100),
  loading_at timestamptz NOT NULL,
  loading_on date NOT NULL GENERATED ALWAYS AS ((loading_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  unloading_at timestamptz NOT NULL,
  unloading_on date NOT NULL GENERATED ALWAYS AS ((unloading_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  loading_place text NOT NULL CHECK (loading_place <> '' AND length(loading_place) <= 200),
  unloading_place text NOT NULL CHECK (unloading_place <> '' AND length(unloading_place) <= 200),
  loading_weight numeric(14,2) NOT NULL CHECK (loading_weight >= 0),
  unloading_weight numeric(14,2) NOT NULL CHECK (unloading_weight >= 0),
  difference_weight numeric(14,2) NOT NULL,
  discount_weight numeric(14,2) NOT NULL DEFAULT 0 CHECK (discount_weight >= 0),
  rate_per_mt numeric(14,2) NOT NULL CHECK (rate_per_mt >= 0),
  tds_percentage numeric(4,1) CHECK (tds_percentage BETWEEN 0.1 AND 100),
  tds_amount numeric(14,2) NOT NULL CHECK (tds_amount >= 0),
  hsd_price_per_liter numeric(14,2) NOT NULL DEFAULT 0 CHECK (hsd_price_per_liter >= 0),
  hsd_in_liters numeric(14,2) NOT NULL DEFAULT 0 CHECK (hsd_in_liters >= 0),
  hsd_amount numeric(14,2) NOT NULL DEFAULT 0,
  advance_money numeric(14,2) NOT NULL DEFAULT 0 CHECK (advance_money >= 0),
  office_charges numeric(14,2) NOT NULL DEFAULT 0 CHECK (office_charges >= 0),
  shortage_amount numeric(14,2) NOT NULL DEFAULT 0,
  material_shortage_amount numeric(14,2) NOT NULL DEFAULT 0 CHECK (material_shortage_amount >= 0),
  net_amount_payable numeric(14,2) NOT NULL,
  vehicle_type text NOT NULL DEFAULT '' CHECK (length(vehicle_type) <= 100),
  vehicle_wheel smallint CHECK (vehicle_wheel BETWEEN 4 AND 32 AND vehicle_wheel % 2 = 0),
  driver_name text NOT NULL DEFAULT '' CHECK (length(driver_name) <= 100),
  driving_license_no text NOT NULL DEFAULT '' CHECK (length(driving_license_no) <= 50),
  data_entry_by text NOT NULL DEFAULT '' CHECK (length(data_entry_by) <= 100),
  remarks text NOT NULL DEFAULT '' CHECK (length(remarks) <= 1000),
  deposited_at timestamptz,
  deposited_on date GENERATED ALWAYS AS ((deposited_at AT TIME ZONE 'Asia/Kolkata')::date) STORED,
  payment_status boolean NOT NULL DEFAULT false,
  paid_at timestamptz,
  -- Rises at each un-pay: the ledger holds at most one payment for each cycle of a challan.
  pay_cycle integer NOT NULL DEFAULT 0,
  hsd_verified boolean NOT NULL DEFAULT false,
  hsd_verified_at timestamptz,
  deleted_at timestamptz,
  -- The time of the row, not of the transaction: challans of one transaction keep their order.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, challan_number),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id),
  FOREIGN KEY (subadmin_id, discounter_id) REFERENCES owners (subadmin_id, id),
  FOREIGN KEY (subadmin_id, tag_id) REFERENCES tags (subadmin_id, id),
  FOREIGN KEY (subadmin_id, petrol_pump_id) REFERENCES petrol_pumps (subadmin_id, id),
  CONSTRAINT challan_days CHECK (
    (loading_at AT TIME ZONE 'Asia/Kolkata')::date <= (unloading_at AT TIME ZONE 'Asia/Kolkata')::date
    AND (deposited_at IS NULL
      OR (unloading_at AT TIME ZONE 'Asia/Kolkata')::date <= (deposited_at AT TIME ZONE 'Asia/Kolkata')::date)),
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
  CONSTRAINT challan_verified_at CHECK (hsd_verified = (hsd_verified_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- No index names a column that a payment writes (payment_status, paid_at, pay_cycle, version, updated_at): with room on
-- the page its updates stay heap-only, which is what lets 100,000 challans be paid in one transaction.
CREATE INDEX challans_by_created ON challans (subadmin_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_owner ON challans (subadmin_id, owner_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_tag ON challans (subadmin_id, tag_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- For challans without a tag, in the order of creation: the planner does not take that order from the index above.
CREATE INDEX challans_untagged ON challans (subadmin_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL AND tag_id IS NULL;
CREATE INDEX challans_by_deposited ON challans (subadmin_id, deposited_on, id) WHERE deleted_at IS NULL;
-- fastupdate = off: otherwise every search after a busy hour would read through a list of pending entries.
CREATE INDEX challans_tp_search ON challans USING gin (subadmin_id, tp_no gin_trgm_ops) WITH (fastupdate = off)
  WHERE deleted_at IS NULL;
CREATE INDEX challans_by_tp ON challans (subadmin_id, tp_key) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_trip ON challans (subadmin_id, vehicle_key, loading_on) WHERE deleted_at IS NULL;
CREATE INDEX challans_by_discounter ON challans (subadmin_id, discounter_id)
  WHERE deleted_at IS NULL AND discounter_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON challans TO challan_app;
ALTER TABLE challans ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challans TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON challans TO CURRENT_USER USING (true) WITH CHECK (true);

-- Challans are deleted softly: a row that vanished would leave the totals wrong.
CREATE TRIGGER challans_never_deleted BEFORE DELETE OR TRUNCATE ON challans
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
