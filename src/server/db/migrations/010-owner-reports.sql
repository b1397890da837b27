-- What goes to owners: reports behind a link, messages about payments, and statements.

-- A report sent to an owner: frozen at the moment of sending, reachable by an unguessable token for 72 hours. When its link
-- has ended the line of the list stays, and the content is removed (forget_ended_shared_reports).
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
  -- The owner's page (docs/specification.md §9.7), frozen with the file: what is above the trips, and the trips in their order.
  page jsonb,
  trips jsonb[] NOT NULL DEFAULT '{}',
  -- The payment that it was sent after.
  batch_id uuid,
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CREATE INDEX shared_reports_by_created ON shared_reports (subadmin_id, created_at DESC, id DESC);
CALL secure_tenant_table('shared_reports', 'SELECT, INSERT, UPDATE');
GRANT SELECT, UPDATE (content) ON shared_reports TO challan_definer;
CREATE POLICY definer ON shared_reports FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer_forgets ON shared_reports FOR UPDATE TO challan_definer USING (true) WITH CHECK (true);

-- When the file of a report is removed, because the report was revoked or has ended, its page goes with it.
CREATE FUNCTION remove_owner_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.page := NULL;
  NEW.trips := '{}';
  RETURN NEW;
END
$$;
CREATE TRIGGER remove_owner_page BEFORE UPDATE ON shared_reports
  FOR EACH ROW WHEN (NEW.content = '') EXECUTE FUNCTION remove_owner_page();

-- A shared report by the hash of its token: only while it is neither old, revoked nor of a closed account.
CREATE FUNCTION shared_report_by_token(hash bytea)
  RETURNS TABLE (file_name text, content text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT r.file_name, r.content FROM public.shared_reports r JOIN public.accounts a ON a.id = r.subadmin_id
  WHERE r.token_hash = hash AND r.revoked_at IS NULL AND r.expires_at > now() AND a.is_active AND a.deleted_at IS NULL;
END;
CALL give_to_definer('shared_report_by_token(bytea)');

-- The page by the hash of its token, with some of its trips: as shared_report_by_token, only while the link is good.
CREATE FUNCTION owner_page_by_token(hash bytea, first_trip integer, last_trip integer)
  RETURNS TABLE (file_name text, page jsonb, trips jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT r.file_name, r.page, to_jsonb(r.trips[first_trip:last_trip])
  FROM public.shared_reports r JOIN public.accounts a ON a.id = r.subadmin_id
  WHERE r.token_hash = hash AND r.revoked_at IS NULL AND r.expires_at > now() AND a.is_active AND a.deleted_at IS NULL
    AND r.page IS NOT NULL;
END;
CALL give_to_definer('owner_page_by_token(bytea, integer, integer)');

-- Removes the content of reports that nobody can fetch any more.
CREATE FUNCTION forget_ended_shared_reports() RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  forgotten bigint;
BEGIN
  UPDATE public.shared_reports SET content = ''
  WHERE content <> '' AND (expires_at <= now() OR revoked_at IS NOT NULL);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
CALL give_to_definer('forget_ended_shared_reports()');

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
CALL secure_tenant_table('payment_messages', 'SELECT, INSERT');
CALL make_write_once('payment_messages');

-- What an owner was owed, beside the challans, at the end of a day: above 0 owed to the owner, below 0 owed by the owner.
-- Written once; the last entry of an owner counts, so that a correction is a new entry and 0 takes the balance away.
CREATE TABLE owner_opening_balances (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  entry_no integer NOT NULL CHECK (entry_no > 0),
  as_of date NOT NULL,
  amount numeric(14,2) NOT NULL,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, owner_id, entry_no),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CALL secure_tenant_table('owner_opening_balances', 'SELECT, INSERT');
CALL make_write_once('owner_opening_balances');

-- A statement that was printed: its content is the text that its files are written from, for ever.
CREATE TABLE owner_statements (
  subadmin_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  owner_id uuid NOT NULL,
  owner_name text NOT NULL,
  -- null: from the first line.
  start_on date,
  end_on date NOT NULL CHECK (start_on <= end_on),
  opening numeric(18,2) NOT NULL,
  closing numeric(18,2) NOT NULL,
  line_count integer NOT NULL CHECK (line_count >= 0),
  content text NOT NULL,
  sha256 bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CREATE INDEX owner_statements_by_owner ON owner_statements (subadmin_id, owner_id, created_at DESC, id DESC);
CALL secure_tenant_table('owner_statements', 'SELECT, INSERT');
CALL make_write_once('owner_statements');
