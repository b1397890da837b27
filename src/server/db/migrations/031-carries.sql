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
GRANT SELECT, INSERT ON carry_events TO challan_app;
ALTER TABLE carry_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON carry_events TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON carry_events TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON carry_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What waits for an owner's next payment; `event_no` is that of its last event.
CREATE VIEW open_carries WITH (security_invoker = true) AS
  SELECT subadmin_id, owner_id, carry_id, max(event_no) AS event_no, sum(amount) AS amount
  FROM carry_events GROUP BY subadmin_id, owner_id, carry_id HAVING sum(amount) > 0;
GRANT SELECT ON open_carries TO challan_app;

-- What a payment paid an owner is with what it carried and deducted; these are no lines of it.
ALTER TABLE payment_sums ALTER COLUMN first_line DROP NOT NULL, ALTER COLUMN last_line DROP NOT NULL;
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
