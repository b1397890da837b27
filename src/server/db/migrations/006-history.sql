-- Who changed what: { field: [before, after] } with the names of the API. A payment's history is the ledger itself. The id
-- is random: a counter over all businesses would show each of them how much the others do.
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
-- For the notice to the business whose owners were copied.
CREATE INDEX history_of_copies ON history (subadmin_id, at) WHERE action = 'copied by another business';
GRANT SELECT, INSERT ON history TO challan_app;
ALTER TABLE history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON history TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON history TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
