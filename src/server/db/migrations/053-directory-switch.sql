-- An admin switches the directory of owners off for the whole installation or for one business: such a business neither sees
-- the owners of others nor are its own seen or copied (docs/specification.md §6.5).
ALTER TABLE settings ADD COLUMN is_directory_on boolean NOT NULL DEFAULT true;
ALTER TABLE accounts ADD COLUMN is_in_directory boolean NOT NULL DEFAULT true;
GRANT UPDATE (is_directory_on) ON settings TO challan_app;
GRANT SELECT (is_in_directory), UPDATE (is_in_directory) ON accounts TO challan_app;

-- Whether this account's owners are shown to others, and others' to it. NULL: an admin, who only looks.
CREATE FUNCTION is_in_directory(account uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT s.is_directory_on AND (account IS NULL OR EXISTS (SELECT FROM public.accounts a
    WHERE a.id = account AND a.role = 'subadmin' AND a.is_active AND a.deleted_at IS NULL AND a.is_in_directory))
  FROM public.settings s;
END;

-- In a transaction of a tenant the caller is that tenant, whatever a statement says.
CREATE OR REPLACE FUNCTION owners_directory(caller uuid, term text, rows_wanted integer, rows_skipped integer)
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
      upper(regexp_replace(term, '[\s-]', '', 'g')) AS truck_key) AS wanted
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

CREATE OR REPLACE FUNCTION owners_directory_trucks(owner_ids uuid[])
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

CREATE OR REPLACE FUNCTION owner_to_copy(wanted uuid)
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

-- Nothing is copied where the directory is off.
CREATE OR REPLACE FUNCTION copy_allowance(caller uuid) RETURNS TABLE (per_day integer, remaining integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT a.per_day, greatest(0, a.per_day - (SELECT count(*)::int FROM public.owners o
    WHERE o.subadmin_id = caller AND o.copied_from_id IS NOT NULL
      AND o.created_at >= date_trunc('day', now() AT TIME ZONE 'Asia/Kolkata') AT TIME ZONE 'Asia/Kolkata'))
  FROM (SELECT CASE WHEN public.is_in_directory(caller) THEN s.copies_per_day ELSE 0 END AS per_day
    FROM public.settings s) AS a;
END;

-- What was copied is kept in the history of both sides; a page of it is one read of this index, which serves the notice too.
DROP INDEX history_of_copies;
CREATE INDEX history_copies ON history (subadmin_id, at DESC, id DESC)
  WHERE action IN ('copied from another business', 'copied by another business');

-- All of it, for an admin: the copying side alone, which names the other.
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
CREATE FUNCTION count_copied_owners() RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT count(*)::int FROM public.owners copy WHERE copy.copied_from_id IS NOT NULL AND public.is_global();
END;

DO $$
DECLARE
  signature text;
BEGIN
  GRANT CREATE ON SCHEMA public TO challan_definer;
  FOREACH signature IN ARRAY ARRAY['is_in_directory(uuid)', 'copied_owners(integer, integer)',
    'count_copied_owners()'] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO challan_definer', signature);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO challan_app', signature);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM challan_definer;
END
$$;
