-- Payments: a ledger that is written once and never changed. Grants and triggers both refuse anything else.

CREATE TABLE payment_batches (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  -- selected: chosen challans; filter: all that matched a filter; single: one challan's checkbox or form.
  kind text NOT NULL CHECK (kind IN ('selected', 'filter', 'single')),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  updated_count integer NOT NULL CHECK (updated_count > 0),
  total_amount numeric(18,2) NOT NULL,
  owner_count integer NOT NULL CHECK (owner_count > 0),
  applied_filters jsonb NOT NULL DEFAULT '{}',
  -- From which screen it was paid, for the history.
  screen text NOT NULL DEFAULT '',
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number)
);
CREATE INDEX payment_batches_by_created ON payment_batches (subadmin_id, created_at DESC, id DESC);
GRANT SELECT, INSERT ON payment_batches TO challan_app;
ALTER TABLE payment_batches ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payment_batches TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON payment_batches TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_batches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
GRANT SELECT, INSERT ON payment_batch_owners TO challan_app;
ALTER TABLE payment_batch_owners ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payment_batch_owners TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON payment_batch_owners TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_batch_owners
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
  PRIMARY KEY (subadmin_id, challan_id, pay_cycle, kind),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id),
  FOREIGN KEY (subadmin_id, challan_id) REFERENCES challans (subadmin_id, id)
);
CREATE INDEX payment_lines_by_batch ON payment_lines (subadmin_id, batch_id, kind, line_no);
GRANT SELECT, INSERT ON payment_lines TO challan_app;
ALTER TABLE payment_lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payment_lines TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON payment_lines TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
GRANT SELECT, INSERT ON payment_reversals TO challan_app;
ALTER TABLE payment_reversals ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payment_reversals TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON payment_reversals TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_reversals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
