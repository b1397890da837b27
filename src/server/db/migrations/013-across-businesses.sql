-- What looks across businesses: the directory of owners and Copy, and the history of accounts for an admin. Each function
-- repeats its own tenant predicate, returns masked columns, or does one narrow thing (docs/decisions.md 5).

-- The last four characters, the rest as dots; a short value is hidden whole (docs/specification.md §6.5).
CREATE FUNCTION masked_to_last_four(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN length(value) <= 4 THEN repeat('•', length(value))
    ELSE repeat('•', length(value) - 4) || right(value, 4) END;

-- Whether this account's owners are shown to others, and the owners of others to it: an admin can switch the directory off
-- for the whole installation or for one business (docs/specification.md §6.5). NULL stands
-- for an admin, who only looks.
CREATE FUNCTION is_in_directory(account uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT s.is_directory_on AND (account IS NULL OR EXISTS (SELECT FROM public.accounts a
    WHERE a.id = account AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL AND a.is_in_directory))
  FROM public.settings s;
END;
CALL give_to_definer('is_in_directory(uuid)');

-- Owners of other active accounts, masked to the last four (docs/specification.md §6.5). `term` is text as typed; '' means
-- all. It matches owner name, truck number and banner name only: never a digit of an account or a phone. An owner that was
-- itself copied from another business is not listed again. What the caller has already is marked. In a transaction of a
-- tenant the caller is that tenant, whatever the argument says.
CREATE FUNCTION owners_directory(caller uuid, term text, rows_wanted integer, rows_skipped integer)
  RETURNS TABLE (id uuid, subadmin_id uuid, banner_name text, name text, contact_number text, address text,
    account_no text, ifsc text, pan_no text, branch_name text, created_at timestamptz, updated_at timestamptz,
    version integer, in_your_list text, total_count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT page.id, page.subadmin_id, page.banner_name, page.name, public.masked_to_last_four(page.contact_number),
    page.address, public.masked_to_last_four(page.account_no), page.ifsc, public.masked_to_last_four(page.pan_no),
    page.branch_name, page.created_at, page.updated_at, page.version,
    CASE
      WHEN EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = page.asking AND own.deleted_at IS NULL
        AND own.copied_from_id = page.id) THEN 'copied'
      WHEN EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = page.asking AND own.deleted_at IS NULL
        AND own.pan_no = page.pan_no) THEN 'same-pan'
    END, page.total_count
  FROM (SELECT o.*, a.banner_name, wanted.asking, count(*) OVER () AS total_count
  FROM public.owners o JOIN public.accounts a ON a.id = o.subadmin_id,
    (SELECT coalesce(public.current_tenant(), caller) AS asking, lower(term) AS letters,
      public.number_key(term) AS truck_key) AS wanted
  WHERE (SELECT public.is_in_directory(coalesce(public.current_tenant(), caller))) AND a.is_in_directory
    AND o.deleted_at IS NULL AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL
    AND o.copied_from_id IS NULL AND (wanted.asking IS NULL OR o.subadmin_id <> wanted.asking)
    AND (term = '' OR strpos(lower(o.name), wanted.letters) > 0 OR strpos(lower(a.banner_name), wanted.letters) > 0
      OR (wanted.truck_key <> '' AND EXISTS (SELECT FROM public.trucks t WHERE t.subadmin_id = o.subadmin_id
        AND t.owner_id = o.id AND t.deleted_at IS NULL AND strpos(t.truck_key, wanted.truck_key) > 0)))
  ORDER BY lower(o.name), o.id
  LIMIT rows_wanted OFFSET rows_skipped) AS page
  ORDER BY lower(page.name), page.id;
END;
CALL give_to_definer('owners_directory(uuid, text, integer, integer)');

-- The trucks of such owners, for the summary.
CREATE FUNCTION owners_directory_trucks(owner_ids uuid[])
  RETURNS TABLE (id uuid, subadmin_id uuid, owner_id uuid, truck_number text, type_of_vehicle text, no_of_wheels integer,
    created_at timestamptz, updated_at timestamptz, version integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT t.id, t.subadmin_id, t.owner_id, t.truck_number, t.type_of_vehicle, t.no_of_wheels,
    t.created_at, t.updated_at, t.version
  FROM public.trucks t JOIN public.accounts a ON a.id = t.subadmin_id
  WHERE (SELECT public.is_in_directory(public.current_tenant())) AND t.owner_id = ANY (owner_ids)
    AND t.deleted_at IS NULL AND a.is_active AND a.deleted_at IS NULL AND a.is_in_directory
  ORDER BY t.created_at, t.id;
END;
CALL give_to_definer('owners_directory_trucks(uuid[])');

-- What the tenant of this transaction may know of another's owner before it has copied it.
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
  WHERE public.is_in_directory(caller.tenant) AND a.is_in_directory
    AND o.id = wanted AND o.subadmin_id <> caller.tenant AND o.deleted_at IS NULL AND o.copied_from_id IS NULL
    AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL;
END;
CALL give_to_definer('owner_to_copy(uuid)', 'challan_app, CURRENT_USER');

-- How many owners a business may copy on a day, and how many are left of today's in Asia/Kolkata. A copy that was deleted
-- counts as well, because its full values were shown. Nothing is copied where the directory is off.
CREATE FUNCTION copy_allowance(caller uuid) RETURNS TABLE (per_day integer, remaining integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT a.per_day, greatest(0, a.per_day - (SELECT count(*)::int FROM public.owners o
    WHERE o.subadmin_id = caller AND o.copied_from_id IS NOT NULL
      AND o.created_at >= date_trunc('day', now() AT TIME ZONE 'Asia/Kolkata') AT TIME ZONE 'Asia/Kolkata'))
  FROM (SELECT CASE WHEN public.is_in_directory(caller) THEN s.copies_per_day ELSE 0 END AS per_day
    FROM public.settings s) AS a;
END;
CALL give_to_definer('copy_allowance(uuid)');

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
CALL give_to_definer('copy_owner(uuid)', 'challan_app, CURRENT_USER');

-- The history of a Copy is in both accounts (docs/specification.md §6.5): the one line that a tenant's transaction writes for
-- another. Only for an owner that the tenant of this transaction has copied.
CREATE FUNCTION record_copied_from(source_tenant uuid, source_owner uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  INSERT INTO public.history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
  SELECT o.subadmin_id, 'owner', o.id, 'copied by another business', caller.tenant, 'Copy Owners', '{}'::jsonb
  FROM public.owners o, (SELECT public.current_tenant() AS tenant) AS caller
  WHERE o.subadmin_id = source_tenant AND o.id = source_owner
    AND EXISTS (SELECT FROM public.owners own WHERE own.subadmin_id = caller.tenant AND own.copied_from_id = source_owner);
END;
CALL give_to_definer('record_copied_from(uuid, uuid)', 'challan_app, CURRENT_USER');

-- All copies, for an admin: the copying side alone, which names the other.
CREATE FUNCTION copied_owners(rows_wanted integer, rows_skipped integer)
  RETURNS TABLE (id uuid, name text, from_banner text, to_banner text, copied_at timestamptz, email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT copy.id, copy.name, source.banner_name, target.banner_name, copy.created_at, target.email
  FROM public.owners copy JOIN public.owners original ON original.id = copy.copied_from_id
    JOIN public.accounts source ON source.id = original.subadmin_id
    JOIN public.accounts target ON target.id = copy.subadmin_id
  WHERE public.is_global()
  ORDER BY copy.created_at DESC, copy.id
  LIMIT rows_wanted OFFSET rows_skipped;
END;
CALL give_to_definer('copied_owners(integer, integer)');
CREATE FUNCTION count_copied_owners() RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT count(*)::int FROM public.owners copy WHERE copy.copied_from_id IS NOT NULL AND public.is_global();
END;
CALL give_to_definer('count_copied_owners()');

-- A change of a sub-admin account, made by an admin, who belongs to no tenant.
CREATE FUNCTION record_account_change(account uuid, actor uuid, action text, screen text, changes jsonb)
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  INSERT INTO public.history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
  SELECT a.id, 'subadmin', a.id, record_account_change.action, actor, record_account_change.screen, record_account_change.changes
  FROM public.accounts a WHERE a.id = account AND a.role = 'subadmin' AND public.is_global();
END;
CALL give_to_definer('record_account_change(uuid, uuid, text, text, jsonb)');

-- The history of a sub-admin account, for an admin: the lines about the account itself and no others, which a policy of
-- history repeats.
CREATE FUNCTION account_history(account uuid, rows_wanted integer, rows_skipped integer)
  RETURNS TABLE (id uuid, at timestamptz, actor text, screen text, action text, changes jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT h.id, h.at, CASE a.role WHEN 'admin' THEN 'admin' ELSE a.email END, h.screen, h.action, h.changes
  FROM public.history h JOIN public.accounts a ON a.id = h.actor_id
  WHERE h.subadmin_id = account AND h.entity = 'subadmin' AND h.entity_id = account AND public.is_global()
  ORDER BY h.at DESC, h.id DESC
  LIMIT rows_wanted OFFSET rows_skipped;
END;
CALL give_to_definer('account_history(uuid, integer, integer)');
CREATE FUNCTION count_account_history(account uuid) RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT count(*)::int FROM public.history h
  WHERE h.subadmin_id = account AND h.entity = 'subadmin' AND h.entity_id = account AND public.is_global();
END;
CALL give_to_definer('count_account_history(uuid)');
