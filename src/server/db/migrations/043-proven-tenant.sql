-- A statement of the app names its tenant by a setting, which any statement can set. So the setting counts only with a proof:
-- a keyed hash that the server makes with a key that it derives from the password of its role (docs/security.md §3.2). No
-- statement of the app can read the key.
CREATE TABLE server_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key bytea NOT NULL CHECK (length(key) = 32)
);
GRANT SELECT ON server_key TO challan_definer;

-- Whether the proof of this transaction is for this tenant; empty: for what belongs to none.
CREATE FUNCTION is_proven(tenant text) RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM public.server_key s
    WHERE current_setting('app.proof', true) = encode(sha256(s.key || sha256(s.key || convert_to(tenant, 'UTF8'))), 'hex'));
END
$$;

CREATE OR REPLACE FUNCTION current_tenant() RETURNS uuid
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  tenant text := current_setting('app.tenant', true);
BEGIN
  -- The owner of the tables, who may look past the policies anyway, needs none: a load names its tenant as before.
  IF tenant <> '' AND (public.is_proven(tenant) OR pg_has_role(session_user, 'challan_definer', 'MEMBER')) THEN
    RETURN tenant::uuid;
  END IF;
  RETURN NULL;
END
$$;

-- Whether this transaction is one for what belongs to no tenant: signing in, sessions, accounts.
CREATE FUNCTION is_global() RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN current_setting('app.tenant', true) IS NOT DISTINCT FROM '' AND public.is_proven('');
END
$$;

-- Once for each statement instead of once for each row: checking the proof takes some microseconds.
DO $$
DECLARE
  policy record;
BEGIN
  FOR policy IN SELECT * FROM pg_policies WHERE schemaname = 'public' AND roles = ARRAY['challan_app'::name] LOOP
    EXECUTE format('ALTER POLICY %I ON %I USING (%s) WITH CHECK (%s)', policy.policyname, policy.tablename,
      replace(policy.qual, 'current_tenant()', '(SELECT current_tenant())'),
      replace(policy.with_check, 'current_tenant()', '(SELECT current_tenant())'));
  END LOOP;
END
$$;

-- Folds one tenant's differences from outside its transactions. Whoever calls it learns and changes nothing: the sums stay
-- what they are.
CREATE FUNCTION fold_totals_of(tenant uuid) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  before text := coalesce(current_setting('app.tenant', true), '');
  proof text := coalesce(current_setting('app.proof', true), '');
  folded bigint;
BEGIN
  PERFORM set_config('app.tenant', tenant::text, true), set_config('app.proof',
    (SELECT encode(sha256(s.key || sha256(s.key || convert_to(tenant::text, 'UTF8'))), 'hex') FROM public.server_key s), true);
  folded := public.fold_challan_totals();
  PERFORM set_config('app.tenant', before, true), set_config('app.proof', proof, true);
  RETURN folded;
END
$$;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['challan_deltas', 'challan_totals_by_tag', 'challan_totals_by_day',
    'challan_totals_by_loading_day', 'challan_totals_by_owner', 'challan_unpaid_by_owner_day'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO challan_definer', name);
    EXECUTE format('CREATE POLICY definer_folds ON %I TO challan_definer USING (subadmin_id = (SELECT current_tenant()))
      WITH CHECK (subadmin_id = (SELECT current_tenant()))', name);
  END LOOP;
END
$$;

-- Accounts, sessions and counts of sign-ins are out of reach of a tenant's transaction, but for the names in its lists. Not
-- forced: the owner of the tables checks references to them.
REVOKE ALL ON accounts, sessions, login_failures, account_networks, settings FROM challan_app;

ALTER TABLE accounts ALTER role SET DEFAULT 'subadmin';
GRANT SELECT (id, role, email, banner_name, gst_no, contact_number, office_address, is_active, session_epoch, deleted_at,
    created_at, updated_at, version),
  INSERT (email, password_hash, banner_name, gst_no, contact_number, office_address),
  UPDATE (email, password_hash, banner_name, gst_no, contact_number, office_address, is_active, session_epoch, deleted_at,
    updated_at, version)
  ON accounts TO challan_app;
GRANT INSERT ON accounts TO challan_definer;
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
CREATE POLICY names ON accounts FOR SELECT TO challan_app, challan_definer USING (true);
CREATE POLICY global_makes ON accounts FOR INSERT TO challan_app, challan_definer WITH CHECK ((SELECT is_global()));
CREATE POLICY global_changes ON accounts FOR UPDATE TO challan_app
  USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

GRANT SELECT (id, account_id, session_epoch, created_at, last_used_at, expires_at, user_agent, address),
  INSERT (token_hash, account_id, session_epoch, expires_at, user_agent, address),
  UPDATE (session_epoch), DELETE ON sessions TO challan_app;
GRANT SELECT, UPDATE (last_used_at) ON sessions TO challan_definer;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON sessions TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
CREATE POLICY definer ON sessions TO challan_definer USING (true) WITH CHECK (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON login_failures, account_networks TO challan_app;
ALTER TABLE login_failures ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON login_failures TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE account_networks ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON account_networks TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON sign_ins TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));
ALTER TABLE upkeep ENABLE ROW LEVEL SECURITY;
CREATE POLICY global ON upkeep TO challan_app USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

GRANT SELECT, UPDATE (copies_per_day, updated_at, version) ON settings TO challan_app;
ALTER TABLE settings ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON settings FOR SELECT TO challan_app, challan_definer USING (true);
CREATE POLICY global_changes ON settings FOR UPDATE TO challan_app
  USING ((SELECT is_global())) WITH CHECK ((SELECT is_global()));

-- The live session of a token: at most 8 hours old, used within 30 minutes, account active, current epoch
-- (docs/specification.md §2.4). Found only by who knows the token's hash, which no statement of the app can read.
CREATE FUNCTION live_session(hash bytea)
  RETURNS TABLE (session_id uuid, account_id uuid, role text, email text, banner_name text, is_touch_due boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 1 AS $$
BEGIN
  RETURN QUERY
  SELECT s.id, a.id, a.role, a.email, a.banner_name, s.last_used_at < now() - interval '30 seconds'
  FROM public.sessions s JOIN public.accounts a ON a.id = s.account_id
  WHERE s.token_hash = hash AND s.expires_at > now() AND s.last_used_at > now() - interval '30 minutes'
    AND s.session_epoch = a.session_epoch AND a.is_active AND a.deleted_at IS NULL;
END
$$;

CREATE FUNCTION touch_session(hash bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.sessions SET last_used_at = now() WHERE token_hash = hash;
END
$$;

CREATE FUNCTION password_hash_of(account uuid) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN (SELECT a.password_hash FROM public.accounts a WHERE a.id = account AND public.is_global());
END
$$;

-- Under a lock, so that two servers starting on an empty database make one admin. No other way of the app makes an admin.
CREATE FUNCTION make_first_admin(its_email text, its_password_hash text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('first-admin', 0));
  IF EXISTS (SELECT FROM public.accounts a WHERE a.role = 'admin' AND a.deleted_at IS NULL) THEN RETURN false; END IF;
  INSERT INTO public.accounts (role, email, password_hash) VALUES ('admin', its_email, its_password_hash);
  RETURN true;
END
$$;

-- The history of accounts is an admin's, in a transaction of no tenant.
CREATE OR REPLACE FUNCTION record_account_change(account uuid, actor uuid, action text, screen text, changes jsonb)
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  INSERT INTO public.history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
  SELECT a.id, 'subadmin', a.id, record_account_change.action, actor, record_account_change.screen, record_account_change.changes
  FROM public.accounts a WHERE a.id = account AND a.role = 'subadmin' AND public.is_global();
END;
CREATE OR REPLACE FUNCTION account_history(account uuid, rows_wanted integer, rows_skipped integer)
  RETURNS TABLE (id uuid, at timestamptz, actor text, screen text, action text, changes jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT h.id, h.at, CASE a.role WHEN 'admin' THEN 'admin' ELSE a.email END, h.screen, h.action, h.changes
  FROM public.history h JOIN public.accounts a ON a.id = h.actor_id
  WHERE h.subadmin_id = account AND h.entity = 'subadmin' AND h.entity_id = account AND public.is_global()
  ORDER BY h.at DESC, h.id DESC
  LIMIT rows_wanted OFFSET rows_skipped;
END;
CREATE OR REPLACE FUNCTION count_account_history(account uuid) RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT count(*)::int FROM public.history h
  WHERE h.subadmin_id = account AND h.entity = 'subadmin' AND h.entity_id = account AND public.is_global();
END;

-- Copy: the caller is the tenant of the transaction, no argument. What it may know of another's owner before it has it.
DROP FUNCTION owner_to_copy(uuid, uuid);
CREATE FUNCTION owner_to_copy(wanted uuid)
  RETURNS TABLE (id uuid, subadmin_id uuid, name text, in_your_list text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT o.id, o.subadmin_id, o.name,
    CASE
      WHEN EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = caller.tenant AND own.deleted_at IS NULL
        AND own.copied_from_id = o.id) THEN 'copied'
      WHEN EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = caller.tenant AND own.deleted_at IS NULL
        AND own.pan_no = o.pan_no) THEN 'same-pan'
    END
  FROM public.owners o JOIN public.accounts a ON a.id = o.subadmin_id, (SELECT public.current_tenant() AS tenant) AS caller
  WHERE o.id = wanted AND o.subadmin_id <> caller.tenant AND o.deleted_at IS NULL AND o.copied_from_id IS NULL
    AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL;
END;

-- Copies the owner into the list of the tenant of this transaction and returns the copy's id; NULL when there is nothing to
-- copy. The full values of another's owner leave by this way alone, and not more of them than a day's allowance.
CREATE FUNCTION copy_owner(wanted uuid) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  tenant uuid := public.current_tenant();
  copy uuid;
BEGIN
  -- The lock of a Copy, so that two at once are counted one after the other.
  PERFORM pg_advisory_xact_lock(hashtextextended('copy-owners:' || tenant, 0));
  INSERT INTO public.owners (subadmin_id, name, contact_number, address, account_no, ifsc, pan_no, branch_name, copied_from_id)
  SELECT tenant, o.name, o.contact_number, o.address, o.account_no, o.ifsc, o.pan_no, o.branch_name, o.id
  FROM public.owner_to_copy(wanted) AS found JOIN public.owners o ON o.subadmin_id = found.subadmin_id AND o.id = found.id
  WHERE (SELECT remaining FROM public.copy_allowance(tenant)) > 0
  RETURNING id INTO copy;
  RETURN copy;
END
$$;
GRANT INSERT ON owners TO challan_definer;
CREATE POLICY definer_copies ON owners FOR INSERT TO challan_definer
  WITH CHECK (subadmin_id = (SELECT current_tenant()));
-- By these two the copies of a day are counted.
CREATE TRIGGER copies_counted BEFORE UPDATE OF copied_from_id, created_at ON owners
  FOR EACH ROW WHEN (current_user = 'challan_app' AND (OLD.copied_from_id IS DISTINCT FROM NEW.copied_from_id
    OR OLD.created_at <> NEW.created_at))
  EXECUTE FUNCTION refuse_change();

-- Only for an owner that the tenant of this transaction has copied.
DROP FUNCTION record_copied_from(uuid, uuid, uuid);
CREATE FUNCTION record_copied_from(source_tenant uuid, source_owner uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  INSERT INTO public.history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
  SELECT o.subadmin_id, 'owner', o.id, 'copied by another business', caller.tenant, 'Copy Owners', '{}'::jsonb
  FROM public.owners o, (SELECT public.current_tenant() AS tenant) AS caller
  WHERE o.subadmin_id = source_tenant AND o.id = source_owner
    AND EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = caller.tenant AND own.copied_from_id = source_owner);
END;

DO $$
DECLARE
  signature text;
BEGIN
  GRANT CREATE ON SCHEMA public TO challan_definer;
  FOREACH signature IN ARRAY ARRAY['current_tenant()', 'is_global()', 'fold_totals_of(uuid)',
    'live_session(bytea)', 'touch_session(bytea)', 'password_hash_of(uuid)', 'make_first_admin(text, text)',
    'owner_to_copy(uuid)', 'copy_owner(uuid)', 'record_copied_from(uuid, uuid)'] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO challan_definer', signature);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO challan_app, CURRENT_USER', signature);
  END LOOP;
  ALTER FUNCTION is_proven(text) OWNER TO challan_definer;
  REVOKE ALL ON FUNCTION is_proven(text) FROM PUBLIC;
  REVOKE CREATE ON SCHEMA public FROM challan_definer;
  -- Nobody's temporary objects come before the schema's, in any function that looks past the policies.
  FOR signature IN SELECT p.oid::regprocedure::text FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', signature);
  END LOOP;
END
$$;
