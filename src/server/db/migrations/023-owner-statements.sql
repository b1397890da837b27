-- Statements of owners (docs/specification.md §26).

-- What an owner was owed, beside the challans, at the end of a day: above 0 owed to the owner, below 0 owed by the owner.
-- Written once; the last entry of an owner counts, so that a correction is a new entry and 0 takes the balance away.
CREATE TABLE owner_opening_balances (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  entry_no integer NOT NULL CHECK (entry_no > 0),
  as_of date NOT NULL,
  amount numeric(14,2) NOT NULL,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, owner_id, entry_no),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
GRANT SELECT, INSERT ON owner_opening_balances TO challan_app;
ALTER TABLE owner_opening_balances ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON owner_opening_balances TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON owner_opening_balances TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON owner_opening_balances
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A statement that was printed: its content is the text that its files are written from, for ever.
CREATE TABLE owner_statements (
  subadmin_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  owner_id uuid NOT NULL,
  owner_name text NOT NULL,
  -- null: from the first line.
  start_on date,
  end_on date NOT NULL CHECK (start_on <= end_on),
  opening numeric(18,2) NOT NULL,
  closing numeric(18,2) NOT NULL,
  line_count integer NOT NULL CHECK (line_count >= 0),
  content text NOT NULL,
  sha256 bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CREATE INDEX owner_statements_by_owner ON owner_statements (subadmin_id, owner_id, created_at DESC, id DESC);
GRANT SELECT, INSERT ON owner_statements TO challan_app;
ALTER TABLE owner_statements ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON owner_statements TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON owner_statements TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON owner_statements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What an owner was paid, payment by payment, without reading the other owners' lines of each.
CREATE INDEX payment_lines_by_owner ON payment_lines (subadmin_id, owner_id, batch_id);
-- Holds are few among the changes of a business.
CREATE INDEX history_of_holds ON history (subadmin_id, entity_id, at) WHERE changes ? 'holdReason';
