-- HSD verification: what was read from a petrol pump's file, never the file itself, with what was found for each row and
-- which rows were accepted although they differ. All of it but the settings of a pump is written once.

CREATE TABLE hsd_uploads (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  file_name text NOT NULL,
  sha256 bytea NOT NULL,
  total_records integer NOT NULL,
  valid_records integer NOT NULL,
  valid_matches integer NOT NULL,
  total_discrepancies integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  -- Which challans it matched: what is verified afterwards is counted with the upload it came from.
  matched_ids uuid[] NOT NULL DEFAULT '{}',
  -- The pump that sent the bill: as its user said, or the only pump of the challans that were found.
  petrol_pump_id uuid,
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, petrol_pump_id) REFERENCES petrol_pumps (subadmin_id, id)
);
CREATE INDEX hsd_uploads_by_pump ON hsd_uploads (subadmin_id, petrol_pump_id, created_at) WHERE petrol_pump_id IS NOT NULL;
CREATE INDEX hsd_uploads_by_created ON hsd_uploads (subadmin_id, created_at DESC, id DESC);
CALL secure_tenant_table('hsd_uploads', 'SELECT, INSERT');
CALL make_write_once('hsd_uploads');

-- What each match of an upload was compared with. A challan whose TP No, HSD amount or petrol pump has changed since must
-- not count as compared (docs/specification.md §8.5). A challan that no upload matched has no rows here.
CREATE TABLE hsd_upload_matches (
  subadmin_id uuid NOT NULL,
  challan_id uuid NOT NULL,
  -- Of the upload, so that a challan's newest match is the last entry of its part of the key.
  created_at timestamptz NOT NULL DEFAULT now(),
  upload_id uuid NOT NULL,
  tp_key text NOT NULL,
  hsd_amount numeric(14,2) NOT NULL,
  petrol_pump_id uuid NOT NULL,
  PRIMARY KEY (subadmin_id, challan_id, created_at, upload_id),
  FOREIGN KEY (subadmin_id, upload_id) REFERENCES hsd_uploads (subadmin_id, id)
);
CALL secure_tenant_table('hsd_upload_matches', 'SELECT, INSERT');
CALL make_write_once('hsd_upload_matches');

-- One line for each bulk verification of an upload's matches.
CREATE TABLE hsd_upload_verifications (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  upload_id uuid NOT NULL,
  verified_count integer NOT NULL CHECK (verified_count >= 0),
  skipped_count integer NOT NULL CHECK (skipped_count >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, upload_id) REFERENCES hsd_uploads (subadmin_id, id)
);
CREATE INDEX hsd_upload_verifications_by_upload ON hsd_upload_verifications (subadmin_id, upload_id);
CALL secure_tenant_table('hsd_upload_verifications', 'SELECT, INSERT');
CALL make_write_once('hsd_upload_verifications');

-- How the files of a pump are read, and how far an amount may be off.
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
CALL secure_tenant_table('hsd_pump_settings', 'SELECT, INSERT, UPDATE');

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
CALL secure_tenant_table('hsd_upload_rows', 'SELECT, INSERT');
CALL make_write_once('hsd_upload_rows');

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
CALL secure_tenant_table('hsd_acceptances', 'SELECT, INSERT');
CALL make_write_once('hsd_acceptances');
