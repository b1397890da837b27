-- HSD verification: the rows of a pump's file are found by the challans' TP key, so the key must be made as the one of
-- the file is (shared/calc/tp.ts): also with the digits of Indian scripts as 0-9, and 12345.0 as 12345
-- (docs/specification.md §11.2).
ALTER TABLE challans DROP COLUMN tp_key;
ALTER TABLE challans ADD COLUMN tp_key text NOT NULL GENERATED ALWAYS AS (
  regexp_replace(
    upper(translate(regexp_replace(tp_no, '\s', '', 'g'),
      '०१२३४५६७८९০১২৩৪৫৬৭৮৯୦୧୨୩୪୫୬୭୮୯０１２３４５６７８９', '0123456789012345678901234567890123456789')),
    '^([0-9]+)\.0+$', '\1')) STORED;
CREATE INDEX challans_by_tp ON challans (subadmin_id, tp_key) WHERE deleted_at IS NULL;

-- Which challans an upload matched: what is verified afterwards is counted with the upload it came from.
ALTER TABLE hsd_uploads ADD COLUMN matched_ids uuid[] NOT NULL DEFAULT '{}';
CREATE INDEX hsd_uploads_by_created ON hsd_uploads (subadmin_id, created_at DESC, id DESC);

-- One line for each bulk verification of an upload's matches, written once like the upload itself.
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

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hsd_upload_verifications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON hsd_upload_verifications TO challan_app;
ALTER TABLE hsd_upload_verifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE hsd_upload_verifications FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hsd_upload_verifications TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
DO $$
BEGIN
  EXECUTE format('CREATE POLICY owner_of_tables ON hsd_upload_verifications TO %I USING (true) WITH CHECK (true)',
    current_user);
END
$$;
