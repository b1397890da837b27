-- HSD verification: what was read from a petrol pump's file, never the file itself. Written once.

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
  PRIMARY KEY (subadmin_id, id)
);
CREATE INDEX hsd_uploads_by_created ON hsd_uploads (subadmin_id, created_at DESC, id DESC);
GRANT SELECT, INSERT ON hsd_uploads TO challan_app;
ALTER TABLE hsd_uploads ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_uploads TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON hsd_uploads TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_uploads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
GRANT SELECT, INSERT ON hsd_upload_matches TO challan_app;
ALTER TABLE hsd_upload_matches ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_upload_matches TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON hsd_upload_matches TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_upload_matches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
GRANT SELECT, INSERT ON hsd_upload_verifications TO challan_app;
ALTER TABLE hsd_upload_verifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_upload_verifications TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON hsd_upload_verifications TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_upload_verifications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
