-- The few functions that look past row-level security. They belong to challan_definer; each repeats its own tenant
-- predicate, returns masked columns, or does one narrow thing. First what this role may read and write, nothing more.
GRANT SELECT ON accounts, settings, owners, trucks, challans, challan_deltas TO challan_definer;
GRANT SELECT, INSERT ON history TO challan_definer;
GRANT SELECT, UPDATE (content) ON shared_reports TO challan_definer;
GRANT SELECT, DELETE ON idempotency_keys TO challan_definer;
CREATE POLICY definer ON owners FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer ON trucks FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer ON challans FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer ON challan_deltas FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer ON history FOR INSERT TO challan_definer WITH CHECK (true);
CREATE POLICY definer_reads_accounts ON history FOR SELECT TO challan_definer USING (entity = 'subadmin');
CREATE POLICY definer ON shared_reports FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer_forgets ON shared_reports FOR UPDATE TO challan_definer USING (true) WITH CHECK (true);
CREATE POLICY definer ON idempotency_keys TO challan_definer USING (true);

-- Challans of the current tenant whose TP number contains a term, as typed, in any case. Under row-level security ILIKE
-- cannot use its trigram index, because the operator is not leakproof; this function repeats the tenant predicate and
-- returns what filters, sorts and sums need, so that the rows are not fetched twice. The index is asked for the end of a
-- long term alone: TP numbers begin alike, and the lists of '240' and '409' hold nearly every challan.
CREATE FUNCTION search_challans_by_tp(term text)
  RETURNS TABLE (id uuid, owner_id uuid, tag_id uuid, created_at timestamptz, loading_on date, deposited_on date,
    payment_status boolean, net_amount_payable numeric, tds_amount numeric)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 200 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  ending text := '%' || regexp_replace(right(term, 6), '([\\%_])', '\\\1', 'g') || '%';
BEGIN
  RETURN QUERY
  SELECT c.id, c.owner_id, c.tag_id, c.created_at, c.loading_on, c.deposited_on,
    c.payment_status, c.net_amount_payable, c.tds_amount
  FROM public.challans c
  WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE ending
    AND (length(term) <= 6 OR strpos(lower(c.tp_no), lower(term)) > 0);
END
$$;

-- The last four characters, the rest as dots; a short value is hidden whole (docs/specification.md §6.5).
CREATE FUNCTION masked_to_last_four(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN length(value) <= 4 THEN repeat('•', length(value))
    ELSE repeat('•', length(value) - 4) || right(value, 4) END;

-- Owners of other active accounts, masked to the last four (docs/specification.md §6.5). `term` is text as typed; empty
-- means all. It matches owner name, truck number and banner name only: never a digit of an account or a phone. An owner
-- that was itself copied from another business is not listed again. What the caller has already is marked.
CREATE FUNCTION owners_directory(caller uuid, term text, rows_wanted integer, rows_skipped integer)
  RETURNS TABLE (id uuid, subadmin_id uuid, banner_name text, name text, contact_number text, address text,
    account_no text, ifsc text, pan_no text, branch_name text, created_at timestamptz, updated_at timestamptz,
    version integer, in_your_list text, total_count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT page.id, page.subadmin_id, page.banner_name, page.name, public.masked_to_last_four(page.contact_number),
    page.address, public.masked_to_last_four(page.account_no), page.ifsc, public.masked_to_last_four(page.pan_no),
    page.branch_name, page.created_at, page.updated_at, page.version,
    CASE
      WHEN EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = caller AND own.deleted_at IS NULL
        AND own.copied_from_id = page.id) THEN 'copied'
      WHEN EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = caller AND own.deleted_at IS NULL
        AND own.pan_no = page.pan_no) THEN 'same-pan'
    END, page.total_count
  FROM (SELECT o.*, a.banner_name, count(*) OVER () AS total_count
  FROM public.owners o JOIN public.accounts a ON a.id = o.subadmin_id,
    (SELECT lower(term) AS letters, upper(regexp_replace(term, '[\s-]', '', 'g')) AS truck_key) AS wanted
  WHERE o.deleted_at IS NULL AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL
    AND o.copied_from_id IS NULL AND (caller IS NULL OR o.subadmin_id <> caller)
    AND (term = '' OR strpos(lower(o.name), wanted.letters) > 0 OR strpos(lower(a.banner_name), wanted.letters) > 0
      OR (wanted.truck_key <> '' AND EXISTS (SELECT FROM public.trucks t WHERE t.subadmin_id = o.subadmin_id
        AND t.owner_id = o.id AND t.deleted_at IS NULL AND strpos(t.truck_key, wanted.truck_key) > 0)))
  ORDER BY lower(o.name), o.id
  LIMIT rows_wanted OFFSET rows_skipped) AS page
  ORDER BY lower(page.name), page.id;
END;

-- The trucks of such owners, for the summary.
CREATE FUNCTION owners_directory_trucks(owner_ids uuid[])
  RETURNS TABLE (id uuid, subadmin_id uuid, owner_id uuid, truck_number text, type_of_vehicle text, no_of_wheels integer,
    created_at timestamptz, updated_at timestamptz, version integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT t.id, t.subadmin_id, t.owner_id, t.truck_number, t.type_of_vehicle, t.no_of_wheels,
    t.created_at, t.updated_at, t.version
  FROM public.trucks t JOIN public.accounts a ON a.id = t.subadmin_id
  WHERE t.owner_id = ANY (owner_ids) AND t.deleted_at IS NULL AND a.is_active AND a.deleted_at IS NULL
  ORDER BY t.created_at, t.id;
END;

-- The full values Copy needs of one owner of another active account; they never leave the server
-- (docs/specification.md §6.5).
CREATE FUNCTION owner_to_copy(caller uuid, wanted uuid)
  RETURNS TABLE (id uuid, subadmin_id uuid, name text, contact_number text, address text, account_no text, ifsc text,
    pan_no text, branch_name text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT o.id, o.subadmin_id, o.name, o.contact_number, o.address, o.account_no, o.ifsc, o.pan_no, o.branch_name
  FROM public.owners o JOIN public.accounts a ON a.id = o.subadmin_id
  WHERE o.id = wanted AND o.subadmin_id <> caller AND o.deleted_at IS NULL AND o.copied_from_id IS NULL
    AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL;
END;

-- How many owners a business may copy on a day, and how many are left of today's in Asia/Kolkata. A copy that was deleted
-- counts as well: its full values were shown.
CREATE FUNCTION copy_allowance(caller uuid) RETURNS TABLE (per_day integer, remaining integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT s.copies_per_day, greatest(0, s.copies_per_day - (SELECT count(*)::int FROM public.owners o
    WHERE o.subadmin_id = caller AND o.copied_from_id IS NOT NULL
      AND o.created_at >= date_trunc('day', now() AT TIME ZONE 'Asia/Kolkata') AT TIME ZONE 'Asia/Kolkata'))
  FROM public.settings s;
END;

-- Tenants whose open differences are worth folding.
CREATE FUNCTION tenants_to_fold(at_least bigint)
  RETURNS TABLE (subadmin_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT d.subadmin_id FROM public.challan_deltas d GROUP BY d.subadmin_id HAVING count(*) >= at_least;
END;

-- A shared report by the hash of its token: only while it is neither old, revoked nor of a closed account.
CREATE FUNCTION shared_report_by_token(hash bytea)
  RETURNS TABLE (file_name text, content text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  SELECT r.file_name, r.content FROM public.shared_reports r JOIN public.accounts a ON a.id = r.subadmin_id
  WHERE r.token_hash = hash AND r.revoked_at IS NULL AND r.expires_at > now() AND a.is_active AND a.deleted_at IS NULL;
END;

-- Stored answers are kept 7 days (docs/specification.md §14.4).
CREATE FUNCTION forget_old_idempotency_keys() RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  forgotten bigint;
BEGIN
  DELETE FROM public.idempotency_keys WHERE created_at < now() - interval '7 days';
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;

-- The history of a Copy is in both accounts (docs/specification.md §6.5): the one line a tenant's transaction writes
-- for another.
CREATE FUNCTION record_copied_from(source_tenant uuid, source_owner uuid, actor uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  INSERT INTO public.history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
  SELECT o.subadmin_id, 'owner', o.id, 'copied by another business', actor, 'Copy Owners', '{}'::jsonb
  FROM public.owners o WHERE o.subadmin_id = source_tenant AND o.id = source_owner;
END;

-- A change of a sub-admin account, made by an admin, who belongs to no tenant.
CREATE FUNCTION record_account_change(account uuid, actor uuid, action text, screen text, changes jsonb) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  INSERT INTO public.history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
  SELECT a.id, 'subadmin', a.id, record_account_change.action, actor, record_account_change.screen, record_account_change.changes
  FROM public.accounts a WHERE a.id = account AND a.role = 'subadmin';
END;

-- The history of a sub-admin account, for an admin, who belongs to no tenant: the lines about the account itself and no
-- others, which a policy of history repeats.
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

-- Removes the content of reports that nobody can fetch any more.
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
DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY[
    'search_challans_by_tp(text)', 'owners_directory(uuid, text, integer, integer)', 'owners_directory_trucks(uuid[])',
    'owner_to_copy(uuid, uuid)', 'copy_allowance(uuid)', 'tenants_to_fold(bigint)', 'shared_report_by_token(bytea)',
    'forget_old_idempotency_keys()', 'record_copied_from(uuid, uuid, uuid)',
    'record_account_change(uuid, uuid, text, text, jsonb)', 'account_history(uuid, integer, integer)',
    'count_account_history(uuid)', 'forget_ended_shared_reports()'
  ] LOOP
    -- A role can own a function only where it may create one; the right is taken back at once.
    EXECUTE 'GRANT CREATE ON SCHEMA public TO challan_definer';
    EXECUTE format('ALTER FUNCTION %s OWNER TO challan_definer', signature);
    EXECUTE 'REVOKE CREATE ON SCHEMA public FROM challan_definer';
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO challan_app', signature);
  END LOOP;
END
$$;
