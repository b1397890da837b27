-- The role of requests signs in by itself (docs/security.md §3.2): it may look whether the schema is up to date, and makes
-- no temporary tables, whose names would be found before those of the schema.
GRANT SELECT ON schema_migrations TO challan_app;
DO $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;
