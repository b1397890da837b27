-- A report sent to an owner: frozen at the moment of sending, reachable by an unguessable token for 72 hours. When its link
-- has ended the line of the list stays, and the content is removed (forget_ended_shared_reports).
CREATE TABLE shared_reports (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  token_hash bytea NOT NULL UNIQUE,
  owner_id uuid NOT NULL,
  file_name text NOT NULL,
  content text NOT NULL,
  record_count integer NOT NULL,
  filters jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CREATE INDEX shared_reports_by_created ON shared_reports (subadmin_id, created_at DESC, id DESC);
GRANT SELECT, INSERT, UPDATE ON shared_reports TO challan_app;
ALTER TABLE shared_reports ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON shared_reports TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON shared_reports TO CURRENT_USER USING (true) WITH CHECK (true);
