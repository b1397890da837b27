-- What the rows and matches of a bill name is looked up once for each statement instead of row by row by three foreign keys
-- (docs/decisions.md 92, 179). Neither uploads nor challans are deleted or get another key, and rows and matches never change.
ALTER TABLE hsd_upload_matches DROP CONSTRAINT hsd_upload_matches_subadmin_id_upload_id_fkey;
ALTER TABLE hsd_upload_rows DROP CONSTRAINT hsd_upload_rows_subadmin_id_upload_id_fkey,
  DROP CONSTRAINT hsd_upload_rows_subadmin_id_challan_id_fkey;
CREATE FUNCTION bill_rows_name_what_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT subadmin_id, upload_id FROM after_rows) AS r
    WHERE (SELECT u.id FROM hsd_uploads AS u WHERE u.subadmin_id = r.subadmin_id AND u.id = r.upload_id) IS NULL
  ) OR TG_TABLE_NAME = 'hsd_upload_rows' AND EXISTS (
    SELECT FROM (
      SELECT subadmin_id, array_agg(DISTINCT challan_id) AS ids FROM after_rows WHERE challan_id IS NOT NULL GROUP BY subadmin_id
    ) AS r
    WHERE cardinality(r.ids) <> (SELECT count(*) FROM challans AS c WHERE c.subadmin_id = r.subadmin_id AND c.id = ANY (r.ids))
  ) THEN
    RAISE EXCEPTION 'A row of a bill names an upload or a challan that is not there'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER bill_rows_name_what_is_there AFTER INSERT ON hsd_upload_matches
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION bill_rows_name_what_is_there();
CREATE TRIGGER bill_rows_name_what_is_there AFTER INSERT ON hsd_upload_rows
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION bill_rows_name_what_is_there();

-- TP numbers without their zeros: what lost its zeros is looked up by the TP number itself.
DROP INDEX challans_by_tp_without_zeros;
