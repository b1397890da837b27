-- Roles: the application works as challan_app, which owns nothing and is bound by row-level security. challan_definer
-- owns the few functions that must look past it (each repeats its own tenant predicate or returns masked columns).
-- Roles belong to the cluster, so another database of it may have made them already.
DO $$
DECLARE
  -- From PostgreSQL 16 on, the creator of a role is its member without the right to SET ROLE to it; before 16 every member
  -- has that right.
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
END
$$;

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

GRANT USAGE ON SCHEMA public TO challan_app, challan_definer;

-- The tenant of this transaction; unset or empty is NULL, and NULL equals nothing, so no row is visible.
CREATE FUNCTION current_tenant() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant', true), '')::uuid;

-- For tables whose rows are never changed or deleted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The table % is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- Accounts: admins, and sub-admins, whose id is the tenant id of everything they own. Deleting is soft
-- (docs/specification.md §5.3): the e-mail stays in use and the records are kept.
CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  role text NOT NULL CHECK (role IN ('admin', 'subadmin')),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  password_hash text NOT NULL,
  banner_name text NOT NULL DEFAULT '',
  gst_no text NOT NULL DEFAULT '',
  contact_number text NOT NULL DEFAULT '',
  office_address text NOT NULL DEFAULT '',
  is_active boolean NOT NULL DEFAULT true,
  -- Raised by deactivation, deletion and a new password: sessions of an older epoch are refused at their next call.
  session_epoch integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));
GRANT SELECT, INSERT, UPDATE ON accounts TO challan_app;

-- Only the SHA-256 of a token is kept (docs/specification.md §2.4).
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash bytea NOT NULL UNIQUE,
  account_id uuid NOT NULL REFERENCES accounts (id),
  session_epoch integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  -- From where it was opened, for the account's list of open sessions.
  address text NOT NULL DEFAULT ''
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_expires ON sessions (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO challan_app;

-- Failed logins, by account and by address.
CREATE TABLE login_failures (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  last_failure_at timestamptz NOT NULL DEFAULT now(),
  blocked_until timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON login_failures TO challan_app;

-- From which networks an account was signed in to with the right password. Anybody can use up the limit on failures over
-- all networks; the owner can still sign in from a network that is known.
CREATE TABLE account_networks (
  account_id uuid NOT NULL REFERENCES accounts (id),
  network text NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON account_networks TO challan_app;

-- What the admin decides for the whole installation: one row.
CREATE TABLE settings (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Owners of others that one business may copy on a day (docs/specification.md §6.4).
  copies_per_day integer NOT NULL DEFAULT 100 CHECK (copies_per_day BETWEEN 0 AND 10000),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1
);
INSERT INTO settings DEFAULT VALUES;
GRANT SELECT, UPDATE (copies_per_day, updated_at, version) ON settings TO challan_app;
