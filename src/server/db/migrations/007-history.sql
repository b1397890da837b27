-- Who changed what, which acts wrote many records at once, and what an account arranged for itself.

-- One act that wrote many records (an entry sheet, a change of a selection, an import), so that it can be named and undone
-- (docs/specification.md §20). A batch is written once; afterwards only its undo is recorded.
CREATE TABLE batches (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('sheet', 'change', 'import')),
  number text NOT NULL,
  title text NOT NULL CHECK (title <> '' AND length(title) <= 200),
  -- What the records come to, or what the change added; 0 where there is no money.
  amount numeric(18,2) NOT NULL DEFAULT 0,
  line_count integer NOT NULL CHECK (line_count > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  undone_at timestamptz,
  undone_by uuid REFERENCES accounts (id),
  -- How many of its records the undo took back; the others were left as they were.
  undone_count integer NOT NULL DEFAULT 0,
  facts jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  CONSTRAINT batch_undone CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);
CREATE INDEX batches_by_created ON batches (subadmin_id, created_at DESC, id DESC);
CALL secure_tenant_table('batches', 'SELECT, INSERT, UPDATE (undone_at, undone_by, undone_count)');

CREATE TABLE batch_lines (
  subadmin_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  line_no integer NOT NULL,
  record text NOT NULL CHECK (record IN (
    'challan', 'owner', 'truck', 'tag', 'petrol-pump', 'opening-balance', 'declaration')),
  record_id uuid NOT NULL,
  -- The record's version as the batch left it: with another one somebody has changed it since.
  version_after integer NOT NULL,
  -- null: the batch created the record; else the stored values to go back to, by their names in the API.
  before jsonb,
  PRIMARY KEY (subadmin_id, batch_id, line_no),
  UNIQUE (subadmin_id, batch_id, record, record_id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES batches (subadmin_id, id)
);
-- The later batches of an opening balance, which has no lines in the history.
CREATE INDEX batch_lines_of_openings ON batch_lines (subadmin_id, record_id) WHERE record = 'opening-balance';
CALL secure_tenant_table('batch_lines', 'SELECT, INSERT');
CALL make_write_once('batch_lines');

-- Who changed what: { field: [before, after] } with the names of the API. A payment's history is the ledger itself. The id
-- is random: a counter over all businesses would show each of them how much the others do.
CREATE TABLE history (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  entity text NOT NULL CHECK (entity IN (
    'subadmin', 'owner', 'truck', 'tag', 'petrol-pump', 'challan', 'bank-account', 'declaration')),
  entity_id uuid NOT NULL,
  action text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_id uuid NOT NULL REFERENCES accounts (id),
  screen text NOT NULL DEFAULT '',
  changes jsonb NOT NULL DEFAULT '{}',
  -- The batch that wrote the record, or whose undo did.
  batch_id uuid,
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES batches (subadmin_id, id)
);
CREATE INDEX history_by_entity ON history (subadmin_id, entity, entity_id, at DESC, id DESC);
-- What was done on a day (docs/specification.md §28.5). History is written in the order of time, so a summary of each range of
-- pages finds the day, and a write adds nothing to it.
CREATE INDEX history_by_time ON history USING brin (subadmin_id, at) WITH (autosummarize = on);
-- What was copied is kept in the history of both sides. This index serves a page of it, and the notice to the business whose
-- owners were copied.
CREATE INDEX history_copies ON history (subadmin_id, at DESC, id DESC)
  WHERE action IN ('copied from another business', 'copied by another business');
-- Holds are few among the changes of a business.
CREATE INDEX history_of_holds ON history (subadmin_id, entity_id, at) WHERE changes ? 'holdReason';
CALL secure_tenant_table('history', 'SELECT, INSERT');
CALL make_write_once('history');
GRANT SELECT, INSERT ON history TO challan_definer;
CREATE POLICY definer ON history FOR INSERT TO challan_definer WITH CHECK (true);
CREATE POLICY definer_reads_accounts ON history FOR SELECT TO challan_definer USING (entity = 'subadmin');

-- What a person has arranged, so that it follows to another machine: views of lists and the looks of tables.
-- The value is the screen's own text (JSON); the server keeps it and does not read it.
CREATE TABLE preferences (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  key text NOT NULL CHECK (key <> '' AND length(key) <= 100),
  value text NOT NULL CHECK (length(value) <= 20000),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subadmin_id, account_id, key)
);
CALL secure_tenant_table('preferences', 'SELECT, INSERT, UPDATE, DELETE');

-- Changed accounts of owners and paying accounts, until somebody else has confirmed them (docs/specification.md §28.7).
CREATE TABLE account_changes (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- As in the history.
  entity text NOT NULL CHECK (entity IN ('owner', 'bank-account')),
  entity_id uuid NOT NULL,
  changed_by uuid NOT NULL REFERENCES accounts (id),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Nobody else could confirm it when it was made. It stays so when somebody joins later.
  was_alone boolean NOT NULL,
  confirmed_by uuid REFERENCES accounts (id),
  confirmed_at timestamptz,
  -- The phone number on which the account was read out.
  called text NOT NULL DEFAULT '' CHECK (length(called) <= 20),
  PRIMARY KEY (subadmin_id, id),
  CONSTRAINT is_confirmed CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT confirmed_by_another CHECK (confirmed_by <> changed_by)
);
CREATE INDEX account_changes_open ON account_changes (subadmin_id, entity_id) WHERE confirmed_at IS NULL;
CALL secure_tenant_table('account_changes', 'SELECT, INSERT, UPDATE (confirmed_by, confirmed_at, called)');

-- Whether somebody of the business other than this account may confirm an account.
CREATE FUNCTION can_another_confirm(business uuid, account uuid) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM accounts a
    WHERE (a.id = business OR a.business_id = business) AND a.id <> account AND coalesce(a.seat, 'owner') IN ('owner', 'accountant')
      AND a.is_active AND a.deleted_at IS NULL AND (a.business_id IS NULL OR a.joined_at IS NOT NULL));
END;

-- Each way to change such a record writes its history: form, cell, import, undo. What was empty is entered and not changed. The name
-- of a paying account is the business's own word for it. A take-in has no tenant: it brings the rows with it.
CREATE FUNCTION history_notes_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Asked first: who writes other history may not read owners.
  IF current_tenant() IS NULL
    OR NOT EXISTS (SELECT FROM after_rows
      WHERE entity IN ('owner', 'bank-account') AND changes ?| ARRAY['accountNo', 'ifsc', 'name'])
  THEN RETURN NULL; END IF;
  INSERT INTO account_changes (subadmin_id, entity, entity_id, changed_by, was_alone)
  SELECT h.subadmin_id, h.entity, h.entity_id, h.actor_id, NOT can_another_confirm(h.subadmin_id, h.actor_id)
  FROM after_rows AS h
  WHERE h.entity IN ('owner', 'bank-account') AND '' < ANY (ARRAY[h.changes -> 'accountNo' ->> 0, h.changes -> 'ifsc' ->> 0,
    CASE h.entity WHEN 'owner' THEN h.changes -> 'name' ->> 0 END]);
  RETURN NULL;
END
$$;
CREATE TRIGGER history_notes_accounts AFTER INSERT ON history
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION history_notes_accounts();
