-- What goes to the bank (docs/specification.md §24). A paying account and a layout are kept like master data. A file, its
-- lines and what the bank answered about a line are written once, like the ledger of payments.

CREATE TABLE bank_accounts (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 100),
  account_no text NOT NULL CHECK (account_no ~ '^\d{9,18}$'),
  ifsc text NOT NULL CHECK (ifsc ~ '^[A-Z]{4}0[A-Z0-9]{6}$'),
  -- The key of a shipped layout ('A'), or the id of one of bank_layouts.
  layout text NOT NULL CHECK (layout <> '' AND length(layout) <= 50),
  -- What the bank calls this client; a part of file names and header lines.
  client_code text NOT NULL DEFAULT '' CHECK (length(client_code) <= 32),
  -- The largest sum of one file; 0: no limit.
  file_limit numeric(14,2) NOT NULL DEFAULT 0 CHECK (file_limit >= 0),
  rtgs_floor numeric(14,2) NOT NULL DEFAULT 200000 CHECK (rtgs_floor >= 0),
  imps_ceiling numeric(14,2) NOT NULL DEFAULT 500000 CHECK (imps_ceiling >= 0),
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id)
);
GRANT SELECT, INSERT, UPDATE ON bank_accounts TO challan_app;
ALTER TABLE bank_accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_accounts TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_accounts TO CURRENT_USER USING (true) WITH CHECK (true);

-- A business's own layouts; the shipped ones are data of the program. The definition's shape is in shared/bank/layout.ts.
CREATE TABLE bank_layouts (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 100),
  definition jsonb NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id)
);
CREATE UNIQUE INDEX bank_layouts_name ON bank_layouts (subadmin_id, lower(name)) WHERE deleted_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON bank_layouts TO challan_app;
ALTER TABLE bank_layouts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_layouts TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_layouts TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE TABLE bank_files (
  subadmin_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  bank_account_id uuid NOT NULL,
  -- Account and layout as they were when the file was made.
  account_name text NOT NULL,
  account_no text NOT NULL,
  ifsc text NOT NULL,
  layout_name text NOT NULL,
  layout jsonb NOT NULL,
  file_name text NOT NULL CHECK (file_name <> ''),
  -- The day in Asia/Kolkata that the serial counts in; the value date is what the lines say.
  file_on date NOT NULL,
  value_on date NOT NULL,
  serial integer NOT NULL CHECK (serial > 0),
  content bytea NOT NULL,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  line_count integer NOT NULL CHECK (line_count > 0),
  amount numeric(18,2) NOT NULL CHECK (amount > 0),
  -- Of the payments of this file: lines that were still paid and not put in. amount + left_out_amount is their sum.
  left_out_count integer NOT NULL CHECK (left_out_count >= 0),
  left_out_amount numeric(18,2) NOT NULL,
  screen text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  UNIQUE (subadmin_id, bank_account_id, file_on, serial),
  FOREIGN KEY (subadmin_id, bank_account_id) REFERENCES bank_accounts (subadmin_id, id)
);
CREATE INDEX bank_files_by_created ON bank_files (subadmin_id, created_at DESC, id DESC);
GRANT SELECT, INSERT ON bank_files TO challan_app;
ALTER TABLE bank_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_files TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_files TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_files
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One line: one owner of one payment, with the account of the payment's frozen copy.
CREATE TABLE bank_file_lines (
  subadmin_id uuid NOT NULL,
  file_id uuid NOT NULL,
  line_no integer NOT NULL CHECK (line_no > 0),
  batch_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  amount numeric(14,2) NOT NULL CHECK (amount > 0),
  name text NOT NULL,
  account_no text NOT NULL CHECK (account_no ~ '^\d{9,18}$'),
  ifsc text NOT NULL CHECK (ifsc ~ '^[A-Z]{4}0[A-Z0-9]{6}$'),
  route text NOT NULL CHECK (route IN ('NEFT', 'RTGS', 'IMPS', 'internal')),
  -- As it was sent, and as it comes back: 'PAY2627000444-07'.
  reference text NOT NULL CHECK (reference <> ''),
  PRIMARY KEY (subadmin_id, file_id, line_no),
  UNIQUE (subadmin_id, reference),
  -- A file has one line of an owner and payment.
  UNIQUE (subadmin_id, batch_id, owner_id, file_id),
  FOREIGN KEY (subadmin_id, file_id) REFERENCES bank_files (subadmin_id, id),
  FOREIGN KEY (subadmin_id, batch_id, owner_id) REFERENCES payment_batch_owners (subadmin_id, batch_id, owner_id)
);
GRANT SELECT, INSERT ON bank_file_lines TO challan_app;
ALTER TABLE bank_file_lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_file_lines TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_file_lines TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_file_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What became of a line; the last event of a line is its state, a line without one is in the file. 'reopened' takes the
-- event before it back. The events of a line are numbered from 1: of two that are written at once one is refused.
CREATE TABLE bank_line_events (
  subadmin_id uuid NOT NULL,
  file_id uuid NOT NULL,
  line_no integer NOT NULL,
  event_no integer NOT NULL CHECK (event_no > 0),
  event text NOT NULL CHECK (event IN ('executed', 'failed', 'returned', 'reopened')),
  -- The bank's number of the transfer; '' where none was given.
  utr text NOT NULL DEFAULT '' CHECK (length(utr) <= 40),
  -- The day the bank names.
  event_on date,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  -- Where it was learned: 'reverse file', 'paste', 'statement', 'withdrawn', 'reversal'.
  source text NOT NULL CHECK (source <> '' AND length(source) <= 50),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, file_id, line_no, event_no),
  FOREIGN KEY (subadmin_id, file_id, line_no) REFERENCES bank_file_lines (subadmin_id, file_id, line_no)
);
GRANT SELECT, INSERT ON bank_line_events TO challan_app;
ALTER TABLE bank_line_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_line_events TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_line_events TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_line_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE history DROP CONSTRAINT history_entity_check, ADD CONSTRAINT history_entity_check
  CHECK (entity IN ('subadmin', 'owner', 'truck', 'tag', 'petrol-pump', 'challan', 'bank-account'));
