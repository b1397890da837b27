-- What each match of an upload was compared with: a challan whose TP No, HSD amount or petrol pump is another one by
-- the time it is verified was never compared, and must not be taken for verified (docs/specification.md §8.5). Uploads
-- from before this migration have no such rows: what they matched is verified as before.
CREATE TABLE hsd_upload_matches (
  subadmin_id uuid NOT NULL,
  challan_id uuid NOT NULL,
  -- Of the upload, so that a challan's newest match is the end of its own stretch of the key.
  created_at timestamptz NOT NULL DEFAULT now(),
  upload_id uuid NOT NULL,
  tp_key text NOT NULL,
  hsd_amount numeric(14,2) NOT NULL,
  petrol_pump_id uuid NOT NULL,
  PRIMARY KEY (subadmin_id, challan_id, created_at, upload_id),
  FOREIGN KEY (subadmin_id, upload_id) REFERENCES hsd_uploads (subadmin_id, id)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_upload_matches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON hsd_upload_matches TO challan_app;
ALTER TABLE hsd_upload_matches ENABLE ROW LEVEL SECURITY;
ALTER TABLE hsd_upload_matches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_upload_matches TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
DO $$
BEGIN
  EXECUTE format('CREATE POLICY owner_of_tables ON hsd_upload_matches TO %I USING (true) WITH CHECK (true)',
    current_user);
END
$$;
