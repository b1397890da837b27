-- A stored answer may hold account numbers. It is encrypted with a key made from the request and its Idempotency-Key, of
-- which the database keeps a hash alone (server/http/idempotency.ts). Answers of before cannot be read any more: their
-- requests are still known as done, and are refused when they are repeated.
ALTER TABLE idempotency_keys
  DROP CONSTRAINT idempotency_keys_key_check,
  DROP COLUMN request_hash,
  DROP COLUMN answer,
  ADD COLUMN answer bytea,
  ALTER COLUMN key TYPE bytea USING sha256(convert_to(key, 'UTF8'));
ALTER TABLE idempotency_keys RENAME COLUMN key TO key_hash;

-- Kept 7 days, and of an account at most the newest 100,000 (docs/specification.md §14.4).
CREATE OR REPLACE FUNCTION forget_old_idempotency_keys() RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  tenant uuid;
  forgotten bigint;
BEGIN
  FOR tenant IN SELECT subadmin_id FROM public.idempotency_keys GROUP BY subadmin_id HAVING count(*) > 100000 LOOP
    DELETE FROM public.idempotency_keys WHERE subadmin_id = tenant AND created_at <= (
      SELECT created_at FROM public.idempotency_keys WHERE subadmin_id = tenant
      ORDER BY created_at DESC OFFSET 100000 LIMIT 1);
  END LOOP;
  DELETE FROM public.idempotency_keys WHERE created_at < now() - interval '7 days';
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
