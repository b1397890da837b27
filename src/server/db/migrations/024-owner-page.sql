-- The language in which an owner is written to (docs/specification.md §6.2).
ALTER TABLE owners ADD COLUMN language text NOT NULL DEFAULT 'English'
  CONSTRAINT owner_language CHECK (language IN ('English', 'Hindi', 'Odia'));

-- The owner's page of a report (docs/specification.md §9.7), frozen with its file: what is over the trips, and the trips in
-- their order. A report of before this migration has none. `batch_id`: the payment that it was sent after.
ALTER TABLE shared_reports
  ADD COLUMN page jsonb,
  ADD COLUMN trips jsonb[] NOT NULL DEFAULT '{}',
  ADD COLUMN batch_id uuid,
  ADD FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id);

-- When the file of a report is removed, because it was revoked or has ended, its page goes with it.
CREATE FUNCTION remove_owner_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.page := NULL;
  NEW.trips := '{}';
  RETURN NEW;
END
$$;
CREATE TRIGGER remove_owner_page BEFORE UPDATE ON shared_reports
  FOR EACH ROW WHEN (NEW.content = '') EXECUTE FUNCTION remove_owner_page();

-- The page by the hash of its token, with some of its trips: as shared_report_by_token, only while the link is good.
CREATE FUNCTION owner_page_by_token(hash bytea, first_trip integer, last_trip integer)
  RETURNS TABLE (file_name text, page jsonb, trips jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT r.file_name, r.page, to_jsonb(r.trips[first_trip:last_trip])
  FROM public.shared_reports r JOIN public.accounts a ON a.id = r.subadmin_id
  WHERE r.token_hash = hash AND r.revoked_at IS NULL AND r.expires_at > now() AND a.is_active AND a.deleted_at IS NULL
    AND r.page IS NOT NULL;
END;
GRANT CREATE ON SCHEMA public TO challan_definer;
ALTER FUNCTION owner_page_by_token(bytea, integer, integer) OWNER TO challan_definer;
REVOKE CREATE ON SCHEMA public FROM challan_definer;
REVOKE ALL ON FUNCTION owner_page_by_token(bytea, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION owner_page_by_token(bytea, integer, integer) TO challan_app;

-- Which owner of a payment was written to, when and by whom, each time with a report of its own.
CREATE TABLE payment_messages (
  subadmin_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  report_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, batch_id, owner_id, report_id),
  FOREIGN KEY (subadmin_id, batch_id, owner_id) REFERENCES payment_batch_owners (subadmin_id, batch_id, owner_id),
  FOREIGN KEY (subadmin_id, report_id) REFERENCES shared_reports (subadmin_id, id)
);
GRANT SELECT, INSERT ON payment_messages TO challan_app;
ALTER TABLE payment_messages ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payment_messages TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON payment_messages TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_messages
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
