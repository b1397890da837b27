-- The list of shared reports, newest first.
CREATE INDEX shared_reports_by_created ON shared_reports (subadmin_id, created_at DESC, id DESC);

-- What nobody can fetch any more is not kept: of a report whose link has ended the line of the list stays, the file goes.
CREATE FUNCTION forget_ended_shared_reports() RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  forgotten bigint;
BEGIN
  UPDATE public.shared_reports SET content = ''
  WHERE content <> '' AND (expires_at <= now() OR revoked_at IS NOT NULL);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
GRANT UPDATE (content) ON shared_reports TO challan_definer;
CREATE POLICY definer_forgets ON shared_reports FOR UPDATE TO challan_definer USING (true) WITH CHECK (true);

GRANT CREATE ON SCHEMA public TO challan_definer;
ALTER FUNCTION forget_ended_shared_reports() OWNER TO challan_definer;
REVOKE CREATE ON SCHEMA public FROM challan_definer;
REVOKE ALL ON FUNCTION forget_ended_shared_reports() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_ended_shared_reports() TO challan_app;
