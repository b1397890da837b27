-- Payments: a ledger that is written once and never changed. Grants and triggers both refuse anything else.

CREATE TABLE payment_batches (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  -- selected: chosen challans; filter: all that matched a filter; single: one challan's checkbox or form.
  -- import: a payment of the past that came with imported challans.
  kind text NOT NULL CHECK (kind IN ('selected', 'filter', 'single', 'import')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The day of the payment in India: the day it was recorded, or an earlier one of an imported payment. The challans that it
  -- pays have an instant of this day in paid_at; tests compare the two.
  paid_on date NOT NULL DEFAULT (now() AT TIME ZONE 'Asia/Kolkata')::date,
  created_by uuid NOT NULL REFERENCES accounts (id),
  updated_count integer NOT NULL CHECK (updated_count > 0),
  total_amount numeric(18,2) NOT NULL,
  owner_count integer NOT NULL CHECK (owner_count > 0),
  applied_filters jsonb NOT NULL DEFAULT '{}',
  -- From which screen it was paid, for the history.
  screen text NOT NULL DEFAULT '',
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  CONSTRAINT payment_paid_on CHECK (paid_on <= (created_at AT TIME ZONE 'Asia/Kolkata')::date)
);
CREATE INDEX payment_batches_by_created ON payment_batches (subadmin_id, created_at DESC, id DESC);
CALL secure_tenant_table('payment_batches', 'SELECT, INSERT');
CALL make_write_once('payment_batches');

-- The owners of a batch as they were when it was paid, so that its file never changes.
CREATE TABLE payment_batch_owners (
  subadmin_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  contact_number text NOT NULL,
  account_no text NOT NULL,
  ifsc text NOT NULL,
  branch_name text NOT NULL,
  pan_no text NOT NULL,
  PRIMARY KEY (subadmin_id, batch_id, owner_id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CREATE INDEX payment_batch_owners_by_owner ON payment_batch_owners (subadmin_id, owner_id, batch_id);
CALL secure_tenant_table('payment_batch_owners', 'SELECT, INSERT');
CALL make_write_once('payment_batch_owners');

-- One line per challan and pay cycle ('pay'), and at most one that takes it back ('reverse', of the same batch). A challan
-- is paid exactly when its present cycle has a 'pay' line without a 'reverse' line. The text columns are the challan as it
-- was paid; a reversing line repeats only what it takes back.
CREATE TABLE payment_lines (
  subadmin_id uuid NOT NULL,
  challan_id uuid NOT NULL,
  pay_cycle integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('pay', 'reverse')),
  batch_id uuid NOT NULL,
  line_no integer NOT NULL,
  owner_id uuid NOT NULL,
  amount numeric(14,2) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  challan_number text NOT NULL,
  tp_no text NOT NULL DEFAULT '',
  vehicle_no text NOT NULL DEFAULT '',
  material text NOT NULL DEFAULT '',
  loading_place text NOT NULL DEFAULT '',
  unloading_place text NOT NULL DEFAULT '',
  loading_at timestamptz,
  unloading_at timestamptz,
  deposited_at timestamptz,
  tag_name text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  created_by uuid NOT NULL,
  -- From which screen it was taken back; a 'pay' line has its batch's.
  screen text NOT NULL DEFAULT '',
  -- When the line was written, by the clock of the history. created_at is the time of its transaction, which may have
  -- waited for another change of the same challan: sorted by it, the two would be in the wrong order.
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subadmin_id, challan_id, pay_cycle, kind)
);
CREATE INDEX payment_lines_by_batch ON payment_lines (subadmin_id, batch_id, kind, line_no);
-- What was taken back of the payments of a list, without reading what was paid.
CREATE INDEX payment_lines_reversed ON payment_lines (subadmin_id, batch_id) INCLUDE (amount) WHERE kind = 'reverse';
-- What an owner was paid, payment by payment, without reading the other owners' lines of each.
CREATE INDEX payment_lines_by_owner ON payment_lines (subadmin_id, owner_id, batch_id);
CALL secure_tenant_table('payment_lines', 'SELECT, INSERT');
CALL make_write_once('payment_lines');

-- The payment and the challans that lines name are looked up once for each statement instead of row by row by two foreign keys
-- (docs/decisions.md 92). Lines are never changed, and payments and challans never deleted (refuse_change). So a line could name
-- nothing at two moments only: when it is written, and when its challan gets another key (challan_keeps_its_key). The challans
-- are looked up as one list, so that the plan, which a session keeps from its first payment, is a look-up by key for one line
-- and for a hundred thousand.
CREATE FUNCTION payment_lines_name_what_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT subadmin_id, array_agg(DISTINCT challan_id) AS ids FROM after_rows GROUP BY subadmin_id) AS l
    WHERE cardinality(l.ids) <>
      (SELECT count(*) FROM challans AS c WHERE c.subadmin_id = l.subadmin_id AND c.id = ANY (l.ids))
  ) OR EXISTS (
    SELECT FROM (SELECT DISTINCT subadmin_id, batch_id FROM after_rows) AS l
    WHERE (SELECT b.id FROM payment_batches AS b WHERE b.subadmin_id = l.subadmin_id AND b.id = l.batch_id) IS NULL
  ) THEN
    RAISE EXCEPTION 'A line of a payment names a challan or a payment that is not there'
      USING ERRCODE = 'foreign_key_violation', TABLE = 'payment_lines';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_lines_name_what_is_there AFTER INSERT ON payment_lines
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION payment_lines_name_what_is_there();

CREATE TABLE payment_reversals (
  subadmin_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason <> '' AND length(reason) <= 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  reversed_count integer NOT NULL CHECK (reversed_count >= 0),
  reversed_amount numeric(18,2) NOT NULL,
  PRIMARY KEY (subadmin_id, batch_id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id)
);
CALL secure_tenant_table('payment_reversals', 'SELECT, INSERT');
CALL make_write_once('payment_reversals');

-- What each payment paid to each owner, and what was taken back of it (docs/decisions.md 79): accounting sorts all owners by
-- what they were paid, and a payment may have thousands of lines. Rows are only added, so that no payment waits for another.
-- The sum over the rows of a payment and an owner is what is still paid.

CREATE TABLE payment_sums (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  -- The payment's own day, and when it was recorded: the order of an owner's payments.
  paid_on date NOT NULL,
  recorded_at timestamptz NOT NULL,
  batch_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Negative where lines were reversed.
  challans integer NOT NULL,
  amount numeric(18,2) NOT NULL,
  -- Between which lines of the payment the owner's are. NULL: what was carried or deducted, which has no lines.
  first_line integer,
  last_line integer,
  PRIMARY KEY (subadmin_id, owner_id, paid_on, recorded_at, batch_id, id)
);
-- What was paid in a month.
CREATE INDEX payment_sums_by_day ON payment_sums (subadmin_id, paid_on) INCLUDE (owner_id, challans, amount);
CALL secure_tenant_table('payment_sums', 'SELECT, INSERT');
CALL make_write_once('payment_sums');

-- Sums first and looks the payment up then: all lines of most statements are of one payment.
CREATE FUNCTION payment_lines_summed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_sums
    (subadmin_id, owner_id, paid_on, recorded_at, batch_id, challans, amount, first_line, last_line)
  SELECT l.subadmin_id, l.owner_id, b.paid_on, b.created_at, l.batch_id,
    l.challans * s.sign, l.amount * s.sign, l.first_line, l.last_line
  FROM (
      SELECT subadmin_id, owner_id, batch_id, kind, count(*) AS challans, sum(amount) AS amount,
        min(line_no) AS first_line, max(line_no) AS last_line
      FROM after_rows GROUP BY subadmin_id, owner_id, batch_id, kind
    ) AS l
    JOIN payment_batches AS b ON b.subadmin_id = l.subadmin_id AND b.id = l.batch_id
    CROSS JOIN LATERAL (SELECT CASE l.kind WHEN 'reverse' THEN -1 ELSE 1 END AS sign) AS s;
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_lines_summed AFTER INSERT ON payment_lines
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION payment_lines_summed();

-- What an owner owes, carried into a later payment (docs/specification.md §10.10). Written once, like the ledger: a carry is its
-- events in their order, and open as long as their sum is above 0. Each event changes what its payment pays the owner:
-- 'carry' brings a negative sum up to nothing, 'deduct' takes the carried amount off a later payment; 'restore' takes a
-- deduction back, 'cancel' the carry. Of two events at once one breaks the key.
CREATE TABLE carry_events (
  subadmin_id uuid NOT NULL,
  carry_id uuid NOT NULL,
  event_no integer NOT NULL CHECK (event_no > 0),
  kind text NOT NULL CHECK (kind IN ('carry', 'deduct', 'restore', 'cancel')),
  batch_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  amount numeric(14,2) NOT NULL,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  screen text NOT NULL DEFAULT '',
  -- The transaction's time, as of the lines of a payment that it comes with.
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, carry_id, event_no),
  FOREIGN KEY (subadmin_id, batch_id, owner_id) REFERENCES payment_batch_owners (subadmin_id, batch_id, owner_id),
  CHECK ((event_no = 1) = (kind = 'carry')),
  CHECK (amount <> 0 AND (amount > 0) = (kind IN ('carry', 'restore')))
);
CREATE INDEX carry_events_by_payment ON carry_events (subadmin_id, batch_id, owner_id);
-- A payment carries what an owner owes once.
CREATE UNIQUE INDEX carry_events_made ON carry_events (subadmin_id, batch_id, owner_id) WHERE kind = 'carry';
CALL secure_tenant_table('carry_events', 'SELECT, INSERT');
CALL make_write_once('carry_events');

-- What waits for an owner's next payment; `event_no` is that of its last event.
CREATE VIEW open_carries WITH (security_invoker = true) AS
  SELECT subadmin_id, owner_id, carry_id, max(event_no) AS event_no, sum(amount) AS amount
  FROM carry_events GROUP BY subadmin_id, owner_id, carry_id HAVING sum(amount) > 0;
GRANT SELECT ON open_carries TO challan_app;

-- What a payment paid an owner includes what it carried and deducted.
CREATE FUNCTION carry_events_summed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_sums (subadmin_id, owner_id, paid_on, recorded_at, batch_id, challans, amount)
  SELECT k.subadmin_id, k.owner_id, b.paid_on, b.created_at, k.batch_id, 0, k.amount
  FROM after_rows AS k JOIN payment_batches AS b ON b.subadmin_id = k.subadmin_id AND b.id = k.batch_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER carry_events_summed AFTER INSERT ON carry_events
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION carry_events_summed();

-- Above which amounts a second person releases (docs/specification.md §28.6). A business without a row has no such rule.
CREATE TABLE release_rules (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  rule jsonb NOT NULL,
  set_by uuid NOT NULL REFERENCES accounts (id),
  set_at timestamptz NOT NULL DEFAULT now(),
  -- A looser rule that waits: for its time, or while next_at is NULL for a second owner.
  next jsonb,
  next_at timestamptz,
  next_by uuid REFERENCES accounts (id),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id),
  CONSTRAINT next_has_an_author CHECK ((next IS NULL) = (next_by IS NULL) AND (next IS NOT NULL OR next_at IS NULL))
);
CALL secure_tenant_table('release_rules', 'SELECT, INSERT, UPDATE');

-- What one person has prepared and another releases: the call as it is made then, and what it would have paid when it was
-- reviewed. `batch_id` is the payment that a released act made; one that takes a payment back makes none.
CREATE TABLE prepared_payments (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  act jsonb NOT NULL,
  challan_count integer NOT NULL CHECK (challan_count > 0),
  owner_count integer NOT NULL CHECK (owner_count > 0),
  amount numeric(18,2) NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'prepared' CHECK (state IN ('prepared', 'released', 'sent-back', 'withdrawn')),
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz,
  batch_id uuid,
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id),
  CONSTRAINT is_decided CHECK ((state = 'prepared') = (decided_by IS NULL) AND (state = 'prepared') = (decided_at IS NULL)),
  CONSTRAINT only_released_pays CHECK (batch_id IS NULL OR state = 'released'),
  -- Nobody decides on the own act, and only its author withdraws it.
  CONSTRAINT decided_by_another CHECK ((decided_by = created_by) = (state = 'withdrawn'))
);
CREATE INDEX prepared_payments_by_created ON prepared_payments (subadmin_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX prepared_payments_by_batch ON prepared_payments (subadmin_id, batch_id);
CALL secure_tenant_table('prepared_payments', 'SELECT, INSERT, UPDATE (state, reason, decided_by, decided_at, batch_id)');

CREATE TABLE prepared_payment_owners (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  prepared_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  -- What is paid when it is released, whatever was chosen to prepare it.
  challan_ids uuid[] NOT NULL,
  challan_count integer NOT NULL GENERATED ALWAYS AS (cardinality(challan_ids)) STORED,
  amount numeric(18,2) NOT NULL,
  -- How many of the challans had a TP No that another challan has too.
  twin_count integer NOT NULL,
  -- A hash of the challans, their amounts, and the account of the owner.
  fingerprint text NOT NULL,
  -- The release left this owner out.
  is_left_out boolean NOT NULL DEFAULT false,
  PRIMARY KEY (subadmin_id, prepared_id, owner_id),
  FOREIGN KEY (subadmin_id, prepared_id) REFERENCES prepared_payments (subadmin_id, id),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CALL secure_tenant_table('prepared_payment_owners', 'SELECT, INSERT, UPDATE (is_left_out)');
