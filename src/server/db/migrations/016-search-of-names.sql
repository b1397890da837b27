-- Searches of owners and trucks by any part of a name or a number, from an index (docs/decisions.md 115). Under row-level security
-- LIKE cannot use a trigram index, because the operator is not leakproof. So these functions repeat the tenant predicate, as
-- search_challans_by_tp does.

-- Owners and trucks are seldom written, so their entries are not collected first.
CREATE INDEX owners_search ON owners USING gin (
  subadmin_id, lower(name) gin_trgm_ops, contact_number gin_trgm_ops, upper(account_no) gin_trgm_ops, pan_no gin_trgm_ops)
  WITH (fastupdate = off);
CREATE INDEX trucks_search ON trucks USING gin (subadmin_id, truck_key gin_trgm_ops)
  WITH (fastupdate = off) WHERE deleted_at IS NULL;

-- A pattern of LIKE for texts that contain a part.
CREATE FUNCTION containing(part text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '%' || regexp_replace(part, '([\\%_])', '\\\1', 'g') || '%';

-- Owners of the current tenant, deleted ones too, whose name contains a term in any case. Without `only_names` also those whose
-- contact, account or PAN contains it; these may be typed with spaces. Contact and PAN are searched only for what can be a part of
-- one: a pattern that is null matches nothing. With fewer than three characters the index would be read as a whole, so the owners
-- are.
CREATE FUNCTION owners_with(term text, only_names boolean DEFAULT false) RETURNS TABLE (id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 20 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  name_part text := lower(term);
  number text := CASE WHEN NOT only_names THEN nullif(upper(regexp_replace(term, '\s', '', 'g')), '') END;
  contact_part text := CASE WHEN number ~ '^\d{1,10}$' THEN number END;
  pan_part text := CASE WHEN number ~ '^[A-Z\d]{1,10}$' THEN number END;
BEGIN
  IF length(term) < 3 OR length(number) < 3 THEN
    RETURN QUERY
    SELECT o.id FROM public.owners o
    WHERE o.subadmin_id = tenant AND (strpos(lower(o.name), name_part) > 0 OR strpos(o.contact_number, contact_part) > 0
      OR strpos(upper(o.account_no), number) > 0 OR strpos(o.pan_no, pan_part) > 0);
    RETURN;
  END IF;
  name_part := public.containing(name_part);
  IF only_names THEN
    RETURN QUERY SELECT o.id FROM public.owners o WHERE o.subadmin_id = tenant AND lower(o.name) LIKE name_part;
    RETURN;
  END IF;
  number := public.containing(number);
  contact_part := public.containing(contact_part);
  pan_part := public.containing(pan_part);
  RETURN QUERY
  SELECT o.id FROM public.owners o
  WHERE o.subadmin_id = tenant AND (lower(o.name) LIKE name_part OR o.contact_number LIKE contact_part
    OR upper(o.account_no) LIKE number OR o.pan_no LIKE pan_part);
END
$$;
CALL give_to_definer('owners_with(text, boolean)');

-- Trucks of the current tenant whose number contains a term, without spaces, hyphens and case. A term of only spaces and hyphens
-- finds nothing.
CREATE FUNCTION trucks_with(term text) RETURNS TABLE (id uuid, owner_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 20 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  part text := nullif(upper(regexp_replace(term, '[\s-]', '', 'g')), '');
BEGIN
  IF length(part) < 3 THEN
    RETURN QUERY
    SELECT t.id, t.owner_id FROM public.trucks t
    WHERE t.subadmin_id = tenant AND t.deleted_at IS NULL AND strpos(t.truck_key, part) > 0;
    RETURN;
  END IF;
  part := public.containing(part);
  RETURN QUERY
  SELECT t.id, t.owner_id FROM public.trucks t
  WHERE t.subadmin_id = tenant AND t.deleted_at IS NULL AND t.truck_key LIKE part;
END
$$;
CALL give_to_definer('trucks_with(text)');
