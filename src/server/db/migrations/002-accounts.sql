-- Accounts, their sessions, and what belongs to the whole installation. A transaction of a tenant reaches none of it but the
-- names in its lists. Row-level security is not forced here: the owner of the tables checks references to them.

-- Admins, and sub-admins, whose id is the tenant id of everything they own. Deleting is soft (docs/specification.md §5.3):
-- the e-mail stays in use and the records are kept.
CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- A person is somebody of a business beside its own login (docs/specification.md §28). Lists of businesses leave them out.
  role text NOT NULL DEFAULT 'subadmin' CHECK (role IN ('admin', 'subadmin', 'person')),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  password_hash text NOT NULL,
  banner_name text NOT NULL DEFAULT '',
  gst_no text NOT NULL DEFAULT '',
  contact_number text NOT NULL DEFAULT '',
  office_address text NOT NULL DEFAULT '',
  is_active boolean NOT NULL DEFAULT true,
  -- Whether its owners are in the directory (docs/specification.md §6.5).
  is_in_directory boolean NOT NULL DEFAULT true,
  -- Of a business: its seats that pay need a second step. Of an admin: the setting of the server.
  demands_second_step boolean NOT NULL DEFAULT false,
  -- Raised by deactivation, deletion and a new password: sessions of an older epoch are refused at their next call.
  session_epoch integer NOT NULL DEFAULT 1,
  -- Of a person: the business, the seat, and for an auditor the last day in Asia/Kolkata.
  business_id uuid REFERENCES accounts (id),
  seat text CHECK (seat IN ('owner', 'accountant', 'clerk', 'auditor')),
  person_name text NOT NULL DEFAULT '' CHECK (length(person_name) <= 100),
  ends_on date,
  added_by uuid REFERENCES accounts (id),
  -- The SHA-256 of the token of a link that sets the password; NULL when there is none.
  link_hash bytea UNIQUE,
  link_expires_at timestamptz,
  joined_at timestamptz,
  -- Who last gave the person a link, and when it was given or used: until a day later the two count as one where money is
  -- released (docs/specification.md §28.6).
  let_in_by uuid REFERENCES accounts (id),
  let_in_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT person_of_a_business CHECK ((role = 'person') = (business_id IS NOT NULL) AND (role = 'person') = (seat IS NOT NULL)),
  CONSTRAINT auditor_ends CHECK ((seat IS NOT DISTINCT FROM 'auditor') = (ends_on IS NOT NULL))
);
CREATE INDEX accounts_of_business ON accounts (business_id) WHERE business_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));
-- The app can neither read a password's hash nor make an admin.
GRANT SELECT (id, role, email, banner_name, gst_no, contact_number, office_address, is_active, is_in_directory,
    demands_second_step, session_epoch, business_id, seat, person_name, ends_on, added_by, link_expires_at, joined_at, let_in_by,
    let_in_at, deleted_at, created_at, updated_at, version),
  INSERT (email, password_hash, banner_name, gst_no, contact_number, office_address),
  UPDATE (email, password_hash, banner_name, gst_no, contact_number, office_address, is_active, is_in_directory,
    demands_second_step, session_epoch, seat, person_name, ends_on, link_hash, link_expires_at, joined_at, let_in_by, let_in_at,
    deleted_at, updated_at, version)
  ON accounts TO challan_app;
GRANT SELECT, INSERT ON accounts TO challan_definer;
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
-- A business sees the names of other businesses, and only its own people.
CREATE POLICY names ON accounts FOR SELECT TO challan_app
  USING (business_id IS NULL OR business_id = (SELECT current_tenant()) OR (SELECT is_global()));
CREATE POLICY names_of_all ON accounts FOR SELECT TO challan_definer USING (true);
CREATE POLICY global_makes ON accounts FOR INSERT TO challan_app, challan_definer WITH CHECK ((SELECT is_global()));
CREATE POLICY global_changes ON accounts FOR UPDATE TO challan_app
  USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- Only the SHA-256 of a token is kept (docs/specification.md §2.4), and the app cannot read it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash bytea NOT NULL UNIQUE,
  account_id uuid NOT NULL REFERENCES accounts (id),
  session_epoch integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  -- The address that it was opened from, for the account's list of open sessions.
  address text NOT NULL DEFAULT '',
  -- An owner looks at the product as another seat does, until then (docs/specification.md §28.4).
  view_as text CHECK (view_as IN ('accountant', 'clerk', 'auditor')),
  view_as_until timestamptz,
  -- When its person last said who it is: by signing in, or by being asked again (docs/specification.md §28.9).
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  -- A second step is demanded and missing: nothing but setting it up is allowed.
  must_set_up boolean NOT NULL DEFAULT false,
  CONSTRAINT view_as_ends CHECK ((view_as IS NULL) = (view_as_until IS NULL))
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_expires ON sessions (expires_at);
GRANT SELECT (id, account_id, session_epoch, created_at, last_used_at, expires_at, user_agent, address, view_as_until,
    confirmed_at, must_set_up),
  INSERT (token_hash, account_id, session_epoch, expires_at, user_agent, address, must_set_up),
  UPDATE (session_epoch, view_as, view_as_until, confirmed_at, must_set_up), DELETE ON sessions TO challan_app;
GRANT SELECT, UPDATE (last_used_at) ON sessions TO challan_definer;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON sessions TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
CREATE POLICY definer ON sessions TO challan_definer USING (true) WITH CHECK (true);

-- The second step of who has one (docs/specification.md §28.8).
CREATE TABLE second_steps (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  -- Encrypted with a key that the database does not have (docs/security.md §2.5).
  sealed_secret bytea NOT NULL,
  -- NULL: the secret was shown, and no code has shown yet that it is kept.
  confirmed_at timestamptz,
  -- The step of 30 seconds whose code was used last: a code works once, and an older one no more.
  last_step bigint NOT NULL DEFAULT 0
);
CREATE TABLE recovery_codes (
  account_id uuid NOT NULL REFERENCES second_steps (account_id) ON DELETE CASCADE,
  -- The SHA-256 of 80 random bits. A code that was used has no row any more.
  code_hash bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);
-- Right passwords that wait for their code, by the SHA-256 of the token that goes with it.
CREATE TABLE code_waits (
  token_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  session_epoch integer NOT NULL,
  expires_at timestamptz NOT NULL DEFAULT now() + interval '5 minutes'
);
CREATE INDEX code_waits_account ON code_waits (account_id);
-- The browsers that an account signed in with, by what the browser calls itself, so that a new one is told.
CREATE TABLE account_devices (
  account_id uuid NOT NULL REFERENCES accounts (id),
  device text NOT NULL CHECK (length(device) <= 100),
  name text NOT NULL,
  network text NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, device)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON second_steps, recovery_codes, code_waits, account_devices TO challan_app;
ALTER TABLE second_steps ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON second_steps TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON recovery_codes TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE code_waits ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON code_waits TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE account_devices ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON account_devices TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- Failed logins, by account and by address.
CREATE TABLE login_failures (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  last_failure_at timestamptz NOT NULL DEFAULT now(),
  blocked_until timestamptz NOT NULL DEFAULT now()
);

-- The networks from which an account was signed in to with the right password. Anybody can use up the limit on failures
-- over all networks; the account's owner can still sign in from a network that is known.
CREATE TABLE account_networks (
  account_id uuid NOT NULL REFERENCES accounts (id),
  network text NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON login_failures, account_networks TO challan_app;
ALTER TABLE login_failures ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON login_failures TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE account_networks ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON account_networks TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- Who tried to sign in, from where, and how it ended; for the admin (docs/specification.md §5.4). An e-mail that no account
-- has is not kept: it may be a password that was typed into the wrong field.
CREATE TABLE sign_ins (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  role text NOT NULL CHECK (role IN ('admin', 'subadmin')),
  account_id uuid REFERENCES accounts (id),
  network text NOT NULL,
  result text NOT NULL CHECK (result IN ('signed-in', 'wrong-password', 'inactive', 'unknown', 'code-wanted', 'wrong-code',
    'second-step-reset'))
);
CREATE INDEX sign_ins_at ON sign_ins (at DESC);
CREATE INDEX sign_ins_account ON sign_ins (account_id, at DESC);
GRANT SELECT, INSERT, DELETE ON sign_ins TO challan_app;
ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON sign_ins TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- What the admin decides for the whole installation: one row.
CREATE TABLE settings (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- How many owners of other businesses one business may copy per day (docs/specification.md §6.4).
  copies_per_day integer NOT NULL DEFAULT 100 CHECK (copies_per_day BETWEEN 0 AND 10000),
  is_directory_on boolean NOT NULL DEFAULT true,
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1
);
INSERT INTO settings DEFAULT VALUES;
GRANT SELECT, UPDATE (copies_per_day, is_directory_on, updated_at, version) ON settings TO challan_app;
GRANT SELECT ON settings TO challan_definer;
ALTER TABLE settings ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON settings FOR SELECT TO challan_app, challan_definer USING (true);
CREATE POLICY global_changes ON settings FOR UPDATE TO challan_app
  USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- What was done about the data of the whole installation: checks of the books, and backups. The last of each is on the
-- admin's page of health.
CREATE TABLE upkeep (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('check', 'backup')),
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- NULL: it is running, or its program was ended.
  ended_at timestamptz,
  is_good boolean NOT NULL DEFAULT false,
  -- One line for a person, without values of anybody's records.
  summary text NOT NULL DEFAULT '' CHECK (length(summary) <= 1000)
);
CREATE INDEX upkeep_by_kind ON upkeep (kind, began_at DESC);
GRANT SELECT, INSERT, UPDATE (ended_at, is_good, summary), DELETE ON upkeep TO challan_app;
ALTER TABLE upkeep ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON upkeep TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- The live session of a token: at most 8 hours old, used within 30 minutes, account active, current epoch
-- (docs/specification.md §2.4). A person's ends with the business, and an auditor's with the last day. Only who knows the
-- token's hash finds it.
CREATE FUNCTION live_session(hash bytea)
  RETURNS TABLE (session_id uuid, account_id uuid, business_id uuid, role text, seat text, is_viewing boolean, email text,
    banner_name text, person_name text, is_touch_due boolean, must_set_up boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 1 AS $$
BEGIN
  RETURN QUERY
  SELECT s.id, a.id, b.id, CASE a.role WHEN 'person' THEN 'subadmin' ELSE a.role END,
    CASE WHEN s.view_as_until > now() THEN s.view_as ELSE coalesce(a.seat, 'owner') END,
    coalesce(s.view_as_until > now(), false), a.email, b.banner_name, a.person_name,
    s.last_used_at < now() - interval '30 seconds', s.must_set_up
  FROM public.sessions s JOIN public.accounts a ON a.id = s.account_id
    JOIN public.accounts b ON b.id = coalesce(a.business_id, a.id)
  WHERE s.token_hash = hash AND s.expires_at > now() AND s.last_used_at > now() - interval '30 minutes'
    AND s.session_epoch = a.session_epoch AND a.is_active AND a.deleted_at IS NULL AND b.is_active AND b.deleted_at IS NULL
    AND (a.ends_on IS NULL OR a.ends_on >= (now() AT TIME ZONE 'Asia/Kolkata')::date);
END
$$;
CALL give_to_definer('live_session(bytea)', 'challan_app, CURRENT_USER');

CREATE FUNCTION touch_session(hash bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.sessions SET last_used_at = now() WHERE token_hash = hash;
END
$$;
CALL give_to_definer('touch_session(bytea)', 'challan_app, CURRENT_USER');

CREATE FUNCTION password_hash_of(account uuid) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN (SELECT a.password_hash FROM public.accounts a WHERE a.id = account AND public.is_global());
END
$$;
CALL give_to_definer('password_hash_of(uuid)', 'challan_app, CURRENT_USER');

-- Under a lock, so that two servers starting on an empty database make one admin. The app has no other way to make one.
CREATE FUNCTION make_first_admin(its_email text, its_password_hash text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('first-admin', 0));
  IF EXISTS (SELECT FROM public.accounts a WHERE a.role = 'admin' AND a.deleted_at IS NULL) THEN RETURN false; END IF;
  INSERT INTO public.accounts (role, email, password_hash) VALUES ('admin', its_email, its_password_hash);
  RETURN true;
END
$$;
CALL give_to_definer('make_first_admin(text, text)', 'challan_app, CURRENT_USER');

-- Adds a person to a business. The link sets the password; nobody knows the one that is stored until then.
CREATE FUNCTION add_person(business uuid, its_email text, its_seat text, its_end date, by_account uuid, hash bytea,
    expires timestamptz) RETURNS uuid
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  INSERT INTO public.accounts (role, email, password_hash, business_id, seat, ends_on, added_by, link_hash, link_expires_at,
    let_in_by, let_in_at)
  SELECT 'person', its_email, '', b.id, its_seat, its_end, by_account, hash, expires, by_account, now()
  FROM public.accounts b WHERE b.id = business AND b.role = 'subadmin' AND public.is_global()
  RETURNING id;
END;
CALL give_to_definer('add_person(uuid, text, text, date, uuid, bytea, timestamptz)', 'challan_app, CURRENT_USER');

-- The person whose link it is, while it can be used. Only who knows the token's hash finds it.
CREATE FUNCTION person_of_link(hash bytea)
  RETURNS TABLE (id uuid, business_id uuid, email text, seat text, person_name text, banner_name text, is_new boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT a.id, b.id, a.email, a.seat, a.person_name, b.banner_name, a.joined_at IS NULL
  FROM public.accounts a JOIN public.accounts b ON b.id = a.business_id
  WHERE a.link_hash = hash AND a.link_expires_at > now() AND a.is_active AND b.is_active AND b.deleted_at IS NULL
    AND (a.ends_on IS NULL OR a.ends_on >= (now() AT TIME ZONE 'Asia/Kolkata')::date);
END;
CALL give_to_definer('person_of_link(bytea)', 'challan_app, CURRENT_USER');

-- The businesses whose books are checked: all of them, deleted ones too, because their records are kept.
CREATE FUNCTION tenants_to_check() RETURNS TABLE (subadmin_id uuid, name text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT a.id, a.banner_name FROM public.accounts a WHERE a.role = 'subadmin' ORDER BY a.created_at, a.id;
END;
CALL give_to_definer('tenants_to_check()');
