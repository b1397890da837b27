-- What comes back from the bank (docs/specification.md §25). All of it is written once: the lines of an account's
-- statement, what was said of them, and each act that accepted answers; an undo is written beside it.

CREATE TABLE bank_statement_imports (
  subadmin_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  bank_account_id uuid NOT NULL,
  file_name text NOT NULL CHECK (file_name <> '' AND length(file_name) <= 200),
  line_count integer NOT NULL CHECK (line_count > 0),
  -- Lines that no statement of the account had before.
  new_count integer NOT NULL CHECK (new_count BETWEEN 0 AND line_count),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, bank_account_id) REFERENCES bank_accounts (subadmin_id, id)
);
GRANT SELECT, INSERT ON bank_statement_imports TO challan_app;
ALTER TABLE bank_statement_imports ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_statement_imports TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_statement_imports TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_statement_imports
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE bank_statement_lines (
  subadmin_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  bank_account_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- Its row among those of the file.
  row_no integer NOT NULL,
  -- SHA-256 of day, side, amount, reference, narration, balance and the count of equal lines: an overlapping statement adds
  -- nothing twice.
  row_key bytea NOT NULL,
  day date NOT NULL,
  value_on date,
  narration text NOT NULL,
  reference text NOT NULL,
  side text NOT NULL CHECK (side IN ('out', 'in')),
  amount numeric(14,2) NOT NULL CHECK (amount > 0),
  balance numeric(16,2),
  PRIMARY KEY (subadmin_id, id),
  CONSTRAINT bank_statement_lines_once UNIQUE (subadmin_id, bank_account_id, row_key),
  FOREIGN KEY (subadmin_id, import_id) REFERENCES bank_statement_imports (subadmin_id, id),
  FOREIGN KEY (subadmin_id, bank_account_id) REFERENCES bank_accounts (subadmin_id, id)
);
CREATE INDEX bank_statement_lines_by_day ON bank_statement_lines (subadmin_id, bank_account_id, day DESC);
GRANT SELECT, INSERT ON bank_statement_lines TO challan_app;
ALTER TABLE bank_statement_lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_statement_lines TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_statement_lines TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_statement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A line of a statement that is none of ours is set aside with a note; the last entry counts.
CREATE TABLE bank_statement_notes (
  subadmin_id uuid NOT NULL,
  line_id uuid NOT NULL,
  note_no integer NOT NULL CHECK (note_no > 0),
  is_aside boolean NOT NULL,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, line_id, note_no),
  FOREIGN KEY (subadmin_id, line_id) REFERENCES bank_statement_lines (subadmin_id, id)
);
GRANT SELECT, INSERT ON bank_statement_notes TO challan_app;
ALTER TABLE bank_statement_notes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_statement_notes TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_statement_notes TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_statement_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One act that accepted answers of the bank.
CREATE TABLE bank_answers (
  subadmin_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  source text NOT NULL CHECK (source IN ('reverse file', 'paste', 'statement')),
  file_name text NOT NULL DEFAULT '' CHECK (length(file_name) <= 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number)
);
CREATE INDEX bank_answers_by_created ON bank_answers (subadmin_id, created_at DESC, id DESC);
GRANT SELECT, INSERT ON bank_answers TO challan_app;
ALTER TABLE bank_answers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_answers TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_answers TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_answers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE bank_answer_lines (
  subadmin_id uuid NOT NULL,
  answer_id uuid NOT NULL,
  answer_no integer NOT NULL,
  file_id uuid NOT NULL,
  line_no integer NOT NULL,
  -- known: the line was answered before, and this line of the statement is that payment.
  outcome text NOT NULL CHECK (outcome IN ('executed', 'failed', 'returned', 'known')),
  -- The event that it wrote; none for what was known.
  event_no integer,
  statement_line_id uuid,
  PRIMARY KEY (subadmin_id, answer_id, answer_no),
  CHECK ((event_no IS NULL) = (outcome = 'known')),
  FOREIGN KEY (subadmin_id, answer_id) REFERENCES bank_answers (subadmin_id, id),
  FOREIGN KEY (subadmin_id, file_id, line_no) REFERENCES bank_file_lines (subadmin_id, file_id, line_no),
  FOREIGN KEY (subadmin_id, statement_line_id) REFERENCES bank_statement_lines (subadmin_id, id)
);
CREATE INDEX bank_answer_lines_by_line ON bank_answer_lines (subadmin_id, file_id, line_no);
CREATE INDEX bank_answer_lines_by_statement ON bank_answer_lines (subadmin_id, statement_line_id);
GRANT SELECT, INSERT ON bank_answer_lines TO challan_app;
ALTER TABLE bank_answer_lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_answer_lines TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_answer_lines TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_answer_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The challans that a failed or returned line made unpaid, as the act left them.
CREATE TABLE bank_answer_challans (
  subadmin_id uuid NOT NULL,
  answer_id uuid NOT NULL,
  file_id uuid NOT NULL,
  line_no integer NOT NULL,
  challan_id uuid NOT NULL,
  version_after integer NOT NULL,
  PRIMARY KEY (subadmin_id, answer_id, challan_id),
  FOREIGN KEY (subadmin_id, answer_id) REFERENCES bank_answers (subadmin_id, id),
  FOREIGN KEY (subadmin_id, challan_id) REFERENCES challans (subadmin_id, id)
);
GRANT SELECT, INSERT ON bank_answer_challans TO challan_app;
ALTER TABLE bank_answer_challans ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_answer_challans TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_answer_challans TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_answer_challans
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Each line of an act is taken back once at most.
CREATE TABLE bank_answer_undos (
  subadmin_id uuid NOT NULL,
  answer_id uuid NOT NULL,
  answer_no integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, answer_id, answer_no),
  FOREIGN KEY (subadmin_id, answer_id, answer_no)
    REFERENCES bank_answer_lines (subadmin_id, answer_id, answer_no)
);
GRANT SELECT, INSERT ON bank_answer_undos TO challan_app;
ALTER TABLE bank_answer_undos ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_answer_undos TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_answer_undos TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_answer_undos
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The undo of a failure pays the challans again, by a new payment: the line that is at the bank pays that one too.
CREATE TABLE bank_line_payments (
  subadmin_id uuid NOT NULL,
  file_id uuid NOT NULL,
  line_no integer NOT NULL,
  batch_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  PRIMARY KEY (subadmin_id, batch_id, owner_id),
  FOREIGN KEY (subadmin_id, file_id, line_no) REFERENCES bank_file_lines (subadmin_id, file_id, line_no),
  FOREIGN KEY (subadmin_id, batch_id, owner_id) REFERENCES payment_batch_owners (subadmin_id, batch_id, owner_id)
);
CREATE INDEX bank_line_payments_by_line ON bank_line_payments (subadmin_id, file_id, line_no);
GRANT SELECT, INSERT ON bank_line_payments TO challan_app;
ALTER TABLE bank_line_payments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_line_payments TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON bank_line_payments TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_line_payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whichever payment a line is of.
CREATE VIEW bank_lines_of_payments WITH (security_invoker = true) AS
  SELECT subadmin_id, file_id, line_no, batch_id, owner_id FROM bank_file_lines
  UNION ALL SELECT subadmin_id, file_id, line_no, batch_id, owner_id FROM bank_line_payments;
GRANT SELECT ON bank_lines_of_payments TO challan_app;
