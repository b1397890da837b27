-- The newest few challans of a search by TP number, and how many it has, counted up to `most`: `total` is one more where it
-- has more. A search that most challans match is not found whole: where many of the newest match, these are counted, and
-- the newest few are met soon in order of creation. Row-level security as in search_challans_by_tp (migration 010).
CREATE FUNCTION newest_challans_by_tp(term text, wanted integer, most integer)
  RETURNS TABLE (id uuid, created_at timestamptz, total integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 5 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  whole text := '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
  ending text := '%' || regexp_replace(right(term, 6), '([\\%_])', '\\\1', 'g') || '%';
  seen integer;
BEGIN
  -- One in twenty of the newest: then the index would find ten thousands of them.
  SELECT count(*) INTO seen FROM (
    SELECT c.tp_no FROM public.challans c WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL
    ORDER BY c.created_at DESC, c.id DESC LIMIT 500
  ) AS newest WHERE newest.tp_no ILIKE whole;
  IF seen >= 25 THEN
    SELECT count(*) INTO seen FROM (
      SELECT FROM (
        SELECT c.tp_no FROM public.challans c WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL
        ORDER BY c.created_at DESC, c.id DESC LIMIT 20 * most
      ) AS newest WHERE newest.tp_no ILIKE whole LIMIT most + 1
    ) AS hits;
  END IF;
  IF seen > most THEN
    RETURN QUERY
    SELECT c.id, c.created_at, seen FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE whole
    ORDER BY c.created_at DESC, c.id DESC LIMIT wanted;
    RETURN;
  END IF;
  RETURN QUERY
  -- Materialized: it is planned as a search for all of them, by their index, and read as far as it is counted.
  WITH hits AS MATERIALIZED (
    SELECT c.id, c.created_at FROM public.challans c
    WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE ending
      AND (length(term) <= 6 OR strpos(lower(c.tp_no), lower(term)) > 0)
  ), counted AS MATERIALIZED (
    SELECT h.id, h.created_at FROM hits AS h LIMIT most + 1
  ), number AS MATERIALIZED (
    SELECT count(*)::integer AS found FROM counted
  )
  (SELECT h.id, h.created_at, number.found FROM counted AS h, number WHERE number.found <= most
   ORDER BY h.created_at DESC, h.id DESC LIMIT wanted)
  UNION ALL
  (SELECT c.id, c.created_at, most + 1 FROM public.challans c
   WHERE (SELECT number.found FROM number) > most
     AND c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.tp_no ILIKE whole
   ORDER BY c.created_at DESC, c.id DESC LIMIT wanted);
END
$$;
GRANT CREATE ON SCHEMA public TO challan_definer;
ALTER FUNCTION newest_challans_by_tp(text, integer, integer) OWNER TO challan_definer;
REVOKE CREATE ON SCHEMA public FROM challan_definer;
REVOKE ALL ON FUNCTION newest_challans_by_tp(text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION newest_challans_by_tp(text, integer, integer) TO challan_app;
