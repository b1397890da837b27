-- What was written once is sealed later (docs/decisions.md 90). When a row was written is the database's to say: the product's
-- own times may lie in the past (an import), and some lines have none. All rows of before this migration have its time.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'append_only' LOOP
    EXECUTE format('ALTER TABLE %s ADD COLUMN IF NOT EXISTS written_at timestamptz NOT NULL DEFAULT now()', name);
  END LOOP;
END
$$;

-- A chain of each business: a seal holds the hash of the rows of one table that were written between two instants, and of the
-- seal before it. Whoever changes, removes or adds a row of an earlier day would have to make all later seals again.
CREATE TABLE seals (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  seal_no bigint NOT NULL CHECK (seal_no > 0),
  table_name text NOT NULL,
  -- From the end of the table's seal before; the end is not included.
  written_from timestamptz NOT NULL,
  written_until timestamptz NOT NULL CHECK (written_from < written_until),
  -- What is hashed of a row: a column that is added later is in later seals only.
  columns text[] NOT NULL,
  row_count bigint NOT NULL CHECK (row_count > 0),
  hash bytea NOT NULL,
  PRIMARY KEY (subadmin_id, seal_no)
);
GRANT SELECT, INSERT ON seals TO challan_app;
ALTER TABLE seals ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON seals TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON seals TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The hash of a seal. Instants are counted, because their text depends on the zone of the connection.
CREATE FUNCTION seal_hash(previous bytea, seal_no bigint, table_name text, written_from timestamptz,
  written_until timestamptz, columns text[], row_count bigint, rows_hash bytea) RETURNS bytea
  LANGUAGE sql STABLE
  RETURN sha256(coalesce(previous, '\x'::bytea) || convert_to(jsonb_build_array(seal_no, table_name,
    extract(epoch FROM written_from)::text, extract(epoch FROM written_until)::text, columns, row_count)::text, 'UTF8')
    || rows_hash);

-- What was done about the data of the whole installation: checks of the books and backups. The last of each is what the
-- admin's page of health shows.
CREATE TABLE upkeep (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('check', 'backup')),
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- null: under way, or its program was ended.
  ended_at timestamptz,
  is_good boolean NOT NULL DEFAULT false,
  -- One line for a person, without values of anybody's records.
  summary text NOT NULL DEFAULT '' CHECK (length(summary) <= 1000)
);
CREATE INDEX upkeep_by_kind ON upkeep (kind, began_at DESC);
GRANT SELECT, INSERT, UPDATE (ended_at, is_good, summary), DELETE ON upkeep TO challan_app;

-- Whose books are checked: every business, those that were deleted too, since their records are kept.
CREATE FUNCTION tenants_to_check() RETURNS TABLE (subadmin_id uuid, name text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT a.id, a.banner_name FROM public.accounts a WHERE a.role = 'subadmin' ORDER BY a.created_at, a.id;
END;
GRANT CREATE ON SCHEMA public TO challan_definer;
ALTER FUNCTION tenants_to_check() OWNER TO challan_definer;
REVOKE CREATE ON SCHEMA public FROM challan_definer;
REVOKE ALL ON FUNCTION tenants_to_check() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenants_to_check() TO challan_app;
