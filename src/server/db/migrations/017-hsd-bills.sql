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

-- Whose bill an upload was: as its user said, or the only pump of the challans that were found.
ALTER TABLE hsd_uploads ADD COLUMN petrol_pump_id uuid,
  ADD FOREIGN KEY (subadmin_id, petrol_pump_id) REFERENCES petrol_pumps (subadmin_id, id);
CREATE INDEX hsd_uploads_by_pump ON hsd_uploads (subadmin_id, petrol_pump_id, created_at) WHERE petrol_pump_id IS NOT NULL;

-- Every row of a bill with what was found for it; rows of totals are not kept.
CREATE TABLE hsd_upload_rows (
  subadmin_id uuid NOT NULL,
  upload_id uuid NOT NULL,
  row_no integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('match', 'mismatch', 'verified', 'not-found', 'set-aside')),
  tp_no text NOT NULL CHECK (length(tp_no) <= 100),
  -- '' where the TP No could not be read.
  tp_key text NOT NULL,
  -- What the bill asks for; null where it could not be read.
  amount numeric(14,2),
  challan_id uuid,
  challan_amount numeric(14,2),
  -- As the bill says.
  vehicle_no text NOT NULL DEFAULT '',
  bill_date text NOT NULL DEFAULT '',
  -- Why it was set aside.
  note text NOT NULL DEFAULT '',
  -- Of the challan's loading, else of the bill.
  month date NOT NULL,
  PRIMARY KEY (subadmin_id, upload_id, row_no),
  FOREIGN KEY (subadmin_id, upload_id) REFERENCES hsd_uploads (subadmin_id, id),
  FOREIGN KEY (subadmin_id, challan_id) REFERENCES challans (subadmin_id, id)
);
GRANT SELECT, INSERT ON hsd_upload_rows TO challan_app;
ALTER TABLE hsd_upload_rows ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_upload_rows TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON hsd_upload_rows TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_upload_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A row that was accepted although its amount or its TP No differs: for which challan, and why.
CREATE TABLE hsd_acceptances (
  subadmin_id uuid NOT NULL,
  upload_id uuid NOT NULL,
  row_no integer NOT NULL,
  challan_id uuid NOT NULL,
  challan_amount numeric(14,2) NOT NULL,
  reason text NOT NULL CHECK (length(reason) <= 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  -- One row of a bill is for one challan.
  PRIMARY KEY (subadmin_id, upload_id, row_no),
  FOREIGN KEY (subadmin_id, upload_id, row_no) REFERENCES hsd_upload_rows (subadmin_id, upload_id, row_no),
  FOREIGN KEY (subadmin_id, challan_id) REFERENCES challans (subadmin_id, id)
);
GRANT SELECT, INSERT ON hsd_acceptances TO challan_app;
ALTER TABLE hsd_acceptances ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_acceptances TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON hsd_acceptances TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_acceptances
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- TP numbers whose zeros in front a spreadsheet has lost.
CREATE INDEX challans_by_tp_without_zeros ON challans (subadmin_id, ltrim(tp_key, '0'))
  WHERE deleted_at IS NULL AND tp_key LIKE '0%';
