-- Roles, the tenant of a transaction, and what every later file uses to protect its tables and functions.

-- The app works as challan_app, which owns nothing and is bound by row-level security. challan_definer owns the few
-- functions that look past it. Roles belong to the cluster, so another database of it may have made them already.
DO $$
DECLARE
  -- From PostgreSQL 16 on, the creator of a role is its member without the right to SET ROLE to it. Before 16 every
  -- member has that right.
  needed text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'challan_app') THEN
    BEGIN
      CREATE ROLE challan_app NOLOGIN NOBYPASSRLS NOINHERIT;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'challan_definer') THEN
    BEGIN
      CREATE ROLE challan_definer NOLOGIN NOBYPASSRLS NOINHERIT;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'challan_app', needed) THEN
    EXECUTE format('GRANT challan_app TO %I', current_user);
  END IF;
  IF NOT pg_has_role(current_user, 'challan_definer', needed) THEN
    EXECUTE format('GRANT challan_definer TO %I', current_user);
  END IF;
  -- Names of temporary tables are found before those of the schema, so the app's role makes none.
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

GRANT USAGE ON SCHEMA public TO challan_app, challan_definer;
-- The app checks at its start that no migration is missing.
GRANT SELECT ON schema_migrations TO challan_app;

-- Makes challan_definer the owner of a SECURITY DEFINER function. Only `callers` may execute it; '': nobody.
CREATE PROCEDURE give_to_definer(signature text, callers text DEFAULT 'challan_app') LANGUAGE plpgsql AS $$
BEGIN
  -- A role can own a function only where it may create one. The right is taken back at once.
  GRANT CREATE ON SCHEMA public TO challan_definer;
  EXECUTE format('ALTER FUNCTION %s OWNER TO challan_definer', signature);
  REVOKE CREATE ON SCHEMA public FROM challan_definer;
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
  IF callers <> '' THEN
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', signature, callers);
  END IF;
END
$$;

-- Protects a table of a business. `privileges` is what the app may do. Row-level security is forced behind the explicit
-- predicates: a statement whose predicate was forgotten finds nothing and writes nothing. The owner of the tables
-- (migrations, seed, backups) is bound as well, unless it is a superuser. It loads data for many tenants, so it has a
-- policy of its own. current_tenant() is in a sub-select, so that it runs once per statement and not once per row.
CREATE PROCEDURE secure_tenant_table(name text, privileges text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT %s ON %I TO challan_app', privileges, name);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY tenant ON %I TO challan_app
    USING (subadmin_id = (SELECT current_tenant())) WITH CHECK (subadmin_id = (SELECT current_tenant()))', name);
  EXECUTE format('CREATE POLICY owner_of_tables ON %I TO CURRENT_USER USING (true) WITH CHECK (true)', name);
END
$$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The table % is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- For a table whose rows are never changed or deleted. Its rows are sealed later (docs/decisions.md 90), by when they were
-- written. That is the database's clock: the product's own times may lie in the past, and some rows have none.
CREATE PROCEDURE make_write_once(name text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
  EXECUTE format('ALTER TABLE %I ADD COLUMN written_at timestamptz NOT NULL DEFAULT now()', name);
END
$$;

REVOKE ALL ON PROCEDURE give_to_definer(text, text), secure_tenant_table(text, text), make_write_once(text) FROM PUBLIC;

-- A statement of the app names its tenant by a setting, which any statement can set. So the setting counts only with a
-- proof: a keyed hash that the server makes with a key that it derives from the password of its role
-- (docs/security.md §3.2). No statement of the app can read the key.
CREATE TABLE server_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key bytea NOT NULL CHECK (length(key) = 32)
);
GRANT SELECT ON server_key TO challan_definer;

-- Written by the check of readiness: a server whose database takes no writes gets no requests.
CREATE TABLE readiness (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  checked_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO readiness DEFAULT VALUES;
GRANT SELECT, UPDATE (checked_at) ON readiness TO challan_app;

-- Whether the proof of this transaction is for this tenant; '' stands for what belongs to no tenant.
CREATE FUNCTION is_proven(tenant text) RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM public.server_key s
    WHERE current_setting('app.proof', true) = encode(sha256(s.key || sha256(s.key || convert_to(tenant, 'UTF8'))), 'hex'));
END
$$;
CALL give_to_definer('is_proven(text)', '');

-- The tenant of this transaction. NULL where none is set or proven: NULL equals nothing, so no row is visible.
CREATE FUNCTION current_tenant() RETURNS uuid
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  tenant text := current_setting('app.tenant', true);
BEGIN
  -- The owner of the tables needs no proof: it may look past the policies anyway, and loads data as a tenant.
  IF tenant <> '' AND (public.is_proven(tenant) OR pg_has_role(session_user, 'challan_definer', 'MEMBER')) THEN
    RETURN tenant::uuid;
  END IF;
  RETURN NULL;
END
$$;
CALL give_to_definer('current_tenant()', 'challan_app, CURRENT_USER');

-- Whether somebody asks who does not see accounts, IFSC and PAN in full (docs/specification.md §28.2): a search must not find
-- by them either.
CREATE FUNCTION hides_bank_details() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp
  RETURN coalesce(current_setting('app.hides_bank_details', true), '') = 'on';

-- Whether this transaction is one for what belongs to no tenant: signing in, sessions, accounts.
CREATE FUNCTION is_global() RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN current_setting('app.tenant', true) IS NOT DISTINCT FROM '' AND public.is_proven('');
END
$$;
CALL give_to_definer('is_global()', 'challan_app, CURRENT_USER');
