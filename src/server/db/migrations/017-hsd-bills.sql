-- What is known of a petrol pump's bills: how its files are read, how far an amount may be off, every row of every bill with
-- what was found for it, and which rows were accepted although they differ.

-- Remembered of a pump; changed by its users.
CREATE TABLE hsd_pump_settings (
  subadmin_id uuid NOT NULL,
  petrol_pump_id uuid NOT NULL,
  tolerance numeric(14,2) NOT NULL DEFAULT 1 CHECK (tolerance >= 0),
  -- The chosen columns of its files: their headings, '' where it has none, and where they were, from 0.
  tp_heading text CHECK (length(tp_heading) <= 200),
  amount_heading text CHECK (length(amount_heading) <= 200),
  tp_column integer CHECK (tp_column BETWEEN 0 AND 63),
  amount_column integer CHECK (amount_column BETWEEN 0 AND 63),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, petrol_pump_id),
  FOREIGN KEY (subadmin_id, petrol_pump_id) REFERENCES petrol_pumps (subadmin_id, id),
  CONSTRAINT hsd_columns_whole CHECK (
    num_nulls(tp_heading, amount_heading, tp_column, amount_column) IN (0, 4))
);
GRANT SELECT, INSERT, UPDATE ON hsd_pump_settings TO challan_app;
ALTER TABLE hsd_pump_settings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_pump_settings TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON hsd_pump_settings TO CURRENT_USER USING (true) WITH CHECK (true);
