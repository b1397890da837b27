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
CALL secure_tenant_table('seals', 'SELECT, INSERT');
-- Write-once too, but not sealed itself: it has no written_at.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The hash of a seal. Instants are counted, because their text depends on the zone of the connection.
CREATE FUNCTION seal_hash(previous bytea, seal_no bigint, table_name text, written_from timestamptz,
  written_until timestamptz, columns text[], row_count bigint, rows_hash bytea) RETURNS bytea
  LANGUAGE sql STABLE
  RETURN sha256(coalesce(previous, '\x'::bytea) || convert_to(jsonb_build_array(seal_no, table_name,
    extract(epoch FROM written_from)::text, extract(epoch FROM written_until)::text, columns, row_count)::text, 'UTF8')
    || rows_hash);
