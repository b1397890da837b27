-- What an account has arranged for itself, so that it follows to another machine: views of lists and the looks of tables.
-- The value is the screen's own text (JSON); the server keeps it and does not read it.
CREATE TABLE preferences (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  key text NOT NULL CHECK (key <> '' AND length(key) <= 100),
  value text NOT NULL CHECK (length(value) <= 20000),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subadmin_id, key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON preferences TO challan_app;
ALTER TABLE preferences ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON preferences TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON preferences TO CURRENT_USER USING (true) WITH CHECK (true);

-- For challans of an amount, and for those below zero; a payment does not write this column.
CREATE INDEX challans_by_net ON challans (subadmin_id, net_amount_payable) WHERE deleted_at IS NULL;
