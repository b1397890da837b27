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
CALL secure_tenant_table('bank_accounts', 'SELECT, INSERT, UPDATE');

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
CALL secure_tenant_table('bank_layouts', 'SELECT, INSERT, UPDATE');

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
CALL secure_tenant_table('bank_files', 'SELECT, INSERT');
CALL make_write_once('bank_files');

-- One line: one owner of one payment, with the account of the payment's frozen copy, or with the account of the owner on the day
-- of the file when the maker of the file corrected it.
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
-- What was sent to an account before.
CREATE INDEX bank_file_lines_by_account ON bank_file_lines (subadmin_id, owner_id, account_no, ifsc);
CALL secure_tenant_table('bank_file_lines', 'SELECT, INSERT');
CALL make_write_once('bank_file_lines');

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
-- Failures are few among the answers.
CREATE INDEX bank_line_events_failed ON bank_line_events (subadmin_id, file_id, line_no) WHERE event IN ('failed', 'returned');
CALL secure_tenant_table('bank_line_events', 'SELECT, INSERT');
CALL make_write_once('bank_line_events');

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
CALL secure_tenant_table('bank_statement_imports', 'SELECT, INSERT');
CALL make_write_once('bank_statement_imports');

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
CALL secure_tenant_table('bank_statement_lines', 'SELECT, INSERT');
CALL make_write_once('bank_statement_lines');

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
CALL secure_tenant_table('bank_statement_notes', 'SELECT, INSERT');
CALL make_write_once('bank_statement_notes');

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
CALL secure_tenant_table('bank_answers', 'SELECT, INSERT');
CALL make_write_once('bank_answers');

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
CALL secure_tenant_table('bank_answer_lines', 'SELECT, INSERT');
CALL make_write_once('bank_answer_lines');

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
CALL secure_tenant_table('bank_answer_challans', 'SELECT, INSERT');
CALL make_write_once('bank_answer_challans');

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
CALL secure_tenant_table('bank_answer_undos', 'SELECT, INSERT');
CALL make_write_once('bank_answer_undos');

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
CALL secure_tenant_table('bank_line_payments', 'SELECT, INSERT');
CALL make_write_once('bank_line_payments');

-- Whichever payment a line is of.
CREATE VIEW bank_lines_of_payments WITH (security_invoker = true) AS
  SELECT subadmin_id, file_id, line_no, batch_id, owner_id FROM bank_file_lines
  UNION ALL SELECT subadmin_id, file_id, line_no, batch_id, owner_id FROM bank_line_payments;
GRANT SELECT ON bank_lines_of_payments TO challan_app;

-- The accounts of owners to which the last transfer failed or was returned, with the newest answer that says so
-- (docs/specification.md §24.8). Withdrawing a file or reversing a payment also fails lines, but the bank has not tried these.
-- An account is none of these any more once a line to it was sent after the answer, or was executed after it.
CREATE VIEW failed_transfers WITH (security_invoker = true) AS
  SELECT DISTINCT ON (l.subadmin_id, l.owner_id, l.account_no, l.ifsc)
    l.subadmin_id, l.owner_id, l.account_no, l.ifsc,
    json_build_object('state', e.event, 'reason', e.reason,
      'day', coalesce(e.event_on, (e.created_at AT TIME ZONE 'Asia/Kolkata')::date)) AS failure
  FROM bank_line_events AS e
    JOIN bank_file_lines AS l ON l.subadmin_id = e.subadmin_id AND l.file_id = e.file_id AND l.line_no = e.line_no
  WHERE e.event IN ('failed', 'returned') AND e.source NOT IN ('withdrawn', 'reversal')
    AND NOT EXISTS (SELECT FROM bank_line_events AS later WHERE later.subadmin_id = e.subadmin_id
      AND later.file_id = e.file_id AND later.line_no = e.line_no AND later.event_no > e.event_no)
    AND NOT EXISTS (
      SELECT FROM bank_file_lines AS sent
        JOIN bank_files AS f ON f.subadmin_id = sent.subadmin_id AND f.id = sent.file_id
        CROSS JOIN LATERAL (
          SELECT (array_agg(event ORDER BY event_no DESC))[1] AS event, min(created_at) FILTER (WHERE event = 'executed') AS executed_at
          FROM bank_line_events AS a
          WHERE a.subadmin_id = sent.subadmin_id AND a.file_id = sent.file_id AND a.line_no = sent.line_no
        ) AS answer
      WHERE sent.subadmin_id = l.subadmin_id AND sent.owner_id = l.owner_id AND sent.account_no = l.account_no AND sent.ifsc = l.ifsc
        AND CASE WHEN answer.event IN ('failed', 'returned') THEN false
          WHEN answer.event = 'executed' THEN answer.executed_at > e.created_at
          ELSE f.created_at > e.created_at END)
  ORDER BY l.subadmin_id, l.owner_id, l.account_no, l.ifsc, e.created_at DESC;
GRANT SELECT ON failed_transfers TO challan_app;
