-- What a History tab reads beside the history itself: the ledger, which is a payment's history.

-- From which screen it was paid or taken back. A payment has one for all its lines; a reversing line carries its own.
ALTER TABLE payment_batches ADD COLUMN screen text NOT NULL DEFAULT '';
ALTER TABLE payment_lines ADD COLUMN screen text NOT NULL DEFAULT '';

-- When the line was written, by the clock of the history. created_at is the time of its transaction, which may have waited
-- for another one's change of the same challan: by that the two would stand in the wrong order.
ALTER TABLE payment_lines ADD COLUMN recorded_at timestamptz;
-- A rewrite, since the table refuses an UPDATE.
ALTER TABLE payment_lines ALTER COLUMN recorded_at TYPE timestamptz USING created_at;
ALTER TABLE payment_lines
  ALTER COLUMN recorded_at SET NOT NULL,
  ALTER COLUMN recorded_at SET DEFAULT clock_timestamp();

-- The history of sub-admin accounts, for an admin, who belongs to no tenant: the lines about the account itself and no
-- others, which the policy says once more.
GRANT SELECT ON history TO challan_definer;
CREATE POLICY definer_reads_accounts ON history FOR SELECT TO challan_definer USING (entity = 'subadmin');

CREATE FUNCTION account_history(account uuid, rows_wanted integer, rows_skipped integer)
  RETURNS TABLE (id uuid, at timestamptz, actor text, screen text, action text, changes jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT h.id, h.at, CASE a.role WHEN 'admin' THEN 'admin' ELSE a.email END, h.screen, h.action, h.changes
  FROM public.history h JOIN public.accounts a ON a.id = h.actor_id
  WHERE h.subadmin_id = account AND h.entity = 'subadmin' AND h.entity_id = account
  ORDER BY h.at DESC, h.id DESC
  LIMIT rows_wanted OFFSET rows_skipped;
END;

CREATE FUNCTION count_account_history(account uuid) RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT count(*)::int FROM public.history h
  WHERE h.subadmin_id = account AND h.entity = 'subadmin' AND h.entity_id = account;
END;

GRANT CREATE ON SCHEMA public TO challan_definer;
ALTER FUNCTION account_history(uuid, integer, integer) OWNER TO challan_definer;
ALTER FUNCTION count_account_history(uuid) OWNER TO challan_definer;
REVOKE CREATE ON SCHEMA public FROM challan_definer;
REVOKE ALL ON FUNCTION account_history(uuid, integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION count_account_history(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_history(uuid, integer, integer) TO challan_app;
GRANT EXECUTE ON FUNCTION count_account_history(uuid) TO challan_app;
