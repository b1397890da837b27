-- A write's stored answer, kept 7 days, written in the transaction of the write.
CREATE TABLE idempotency_keys (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  status integer,
  answer text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (subadmin_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO challan_app;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON idempotency_keys TO CURRENT_USER USING (true) WITH CHECK (true);
