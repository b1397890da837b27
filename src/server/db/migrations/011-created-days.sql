-- How many challans were made on each day, so that a page far down the list is found without walking past all before it.
-- Exact at once, not by differences: whoever makes a challan holds the account's counter already, so nobody waits here who
-- did not wait there, and a payment does not touch it.

CREATE TABLE challan_counts_by_created_day (
  subadmin_id uuid NOT NULL,
  -- The day in UTC: an order, not a date of the business.
  created_on date NOT NULL,
  challans bigint NOT NULL,
  PRIMARY KEY (subadmin_id, created_on)
) WITH (fillfactor = 70);

ALTER TABLE challan_counts_by_created_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE challan_counts_by_created_day FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON challan_counts_by_created_day TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
DO $$
BEGIN
  EXECUTE format('CREATE POLICY owner_of_tables ON challan_counts_by_created_day TO %I USING (true) WITH CHECK (true)',
    current_user);
END
$$;
GRANT SELECT, INSERT, UPDATE ON challan_counts_by_created_day TO challan_app;

LOCK TABLE challans IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO challan_counts_by_created_day (subadmin_id, created_on, challans)
SELECT subadmin_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM challans WHERE deleted_at IS NULL GROUP BY 1, 2;

CREATE FUNCTION challans_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challan_counts_by_created_day AS t
  SELECT subadmin_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM after_rows WHERE deleted_at IS NULL GROUP BY 1, 2
  ON CONFLICT (subadmin_id, created_on) DO UPDATE SET challans = t.challans + excluded.challans;
  RETURN NULL;
END
$$;

CREATE FUNCTION challan_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE challan_counts_by_created_day SET challans = challans + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END
  WHERE subadmin_id = NEW.subadmin_id AND created_on = (NEW.created_at AT TIME ZONE 'UTC')::date;
  RETURN NULL;
END
$$;

CREATE TRIGGER challans_made AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_made();
-- For each row: only then may it name the column, and a payment of many passes by.
CREATE TRIGGER challan_removed AFTER UPDATE OF deleted_at ON challans
  FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION challan_removed();
