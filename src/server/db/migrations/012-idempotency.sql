-- A write's stored answer, written in the transaction of the write and kept 7 days. It may hold account numbers, so it is
-- encrypted with a key made from the request and its Idempotency-Key, of which only a hash is stored
-- (server/http/idempotency.ts).
CREATE TABLE idempotency_keys (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  key_hash bytea NOT NULL,
  status integer,
  answer bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (subadmin_id, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CALL secure_tenant_table('idempotency_keys', 'SELECT, INSERT, UPDATE, DELETE');
GRANT SELECT, DELETE ON idempotency_keys TO challan_definer;
CREATE POLICY definer ON idempotency_keys TO challan_definer USING (true);

-- Answers are kept 7 days, and at most the newest 100,000 of an account (docs/specification.md §14.4).
CREATE FUNCTION forget_old_idempotency_keys() RETURNS bigint
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
CALL give_to_definer('forget_old_idempotency_keys()');
