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
  forgotten bigint;
BEGIN
  DELETE FROM public.idempotency_keys k
  USING (
    SELECT many.subadmin_id,
      (SELECT newest.created_at FROM public.idempotency_keys newest WHERE newest.subadmin_id = many.subadmin_id
       ORDER BY newest.created_at DESC OFFSET 100000 LIMIT 1) AS until
    FROM (SELECT subadmin_id FROM public.idempotency_keys GROUP BY subadmin_id HAVING count(*) > 100000) AS many
  ) AS capped
  WHERE k.subadmin_id = capped.subadmin_id AND k.created_at <= capped.until;
  DELETE FROM public.idempotency_keys WHERE created_at < now() - interval '7 days';
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
