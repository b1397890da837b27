-- The payment ledger and the history: written once, never changed. Grants and triggers both refuse anything else.

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
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number)
);
CREATE INDEX payment_batches_by_created ON payment_batches (subadmin_id, created_at DESC, id DESC);

-- The owners of a batch as they were when it was paid, so that its file is the same for ever.
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

-- One line a challan and pay cycle ('pay'), and at most one that takes it back ('reverse', of the same batch).
-- A challan is paid exactly when it has a live line: a 'pay' line of its present cycle. The text columns are the challan
-- as it was paid; a reversing line repeats only what it takes back.
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
  PRIMARY KEY (subadmin_id, challan_id, pay_cycle, kind),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id),
  FOREIGN KEY (subadmin_id, challan_id) REFERENCES challans (subadmin_id, id)
);
CREATE INDEX payment_lines_by_batch ON payment_lines (subadmin_id, batch_id, kind, line_no);

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

-- Who changed what: { field: [before, after] } with the names of the API. A payment's history is the ledger itself. The id
-- is random: a counter over all businesses would tell each of them how much the others do.
CREATE TABLE history (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  entity text NOT NULL CHECK (entity IN ('subadmin', 'owner', 'truck', 'tag', 'petrol-pump', 'challan')),
  entity_id uuid NOT NULL,
  action text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_id uuid NOT NULL REFERENCES accounts (id),
  screen text NOT NULL DEFAULT '',
  changes jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (subadmin_id, id)
);
CREATE INDEX history_by_entity ON history (subadmin_id, entity, entity_id, at DESC, id DESC);
-- For the notice of the business whose owners were copied.
CREATE INDEX history_of_copies ON history (subadmin_id, at) WHERE action = 'copied by another business';

-- A checked pump bill: the evidence of an upload, never the file itself.
CREATE TABLE hsd_uploads (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  file_name text NOT NULL,
  sha256 bytea NOT NULL,
  total_records integer NOT NULL,
  valid_records integer NOT NULL,
  valid_matches integer NOT NULL,
  total_discrepancies integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id)
);

-- A report sent to an owner: frozen at the moment of sending, reachable by an unguessable token for 72 hours.
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

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The table % is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payment_batches', 'payment_batch_owners', 'payment_lines', 'payment_reversals', 'history', 'hsd_uploads'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO challan_app', name);
  END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE ON owners, trucks, tags, petrol_pumps, challans, counters, shared_reports TO challan_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO challan_app;
