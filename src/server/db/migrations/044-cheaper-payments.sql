-- What a payment of many challans costs beside its rows (docs/decisions.md 92).

-- The differences of one statement lie side by side in their key. With a random id each, the thousands of a payment went to as
-- many pages of it, which cost more than the rows.
ALTER TABLE challan_deltas
  ADD COLUMN line_no integer NOT NULL DEFAULT 1,
  DROP CONSTRAINT challan_deltas_pkey,
  ADD PRIMARY KEY (subadmin_id, id, line_no);
CREATE OR REPLACE FUNCTION challans_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
  INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status,
    challans, net_amount, tds_amount, loading_weight, unloading_weight, first_created_at, last_created_at)
  SELECT change, row_number() OVER (), subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(deposited_on, '-infinity'), loading_on, payment_status,
    count(*), sum(net_amount_payable), sum(tds_amount), sum(loading_weight), sum(unloading_weight),
    min(created_at), max(created_at)
  FROM after_rows WHERE deleted_at IS NULL
  GROUP BY 3, 4, 5, 6, 7, 8;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION challans_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change uuid := gen_random_uuid();
BEGIN
  INSERT INTO challan_deltas (id, line_no, subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status,
    challans, net_amount, tds_amount, loading_weight, unloading_weight, first_created_at, last_created_at)
  SELECT change, row_number() OVER (), subadmin_id, owner_id, tag_id, deposited_on, loading_on, payment_status,
    sum(n), sum(n * net_amount_payable), sum(n * tds_amount), sum(n * loading_weight), sum(n * unloading_weight),
    min(created_at), max(created_at)
  FROM (
    SELECT 1 AS n, subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000') AS tag_id,
      coalesce(deposited_on, '-infinity') AS deposited_on, loading_on, payment_status,
      net_amount_payable, tds_amount, loading_weight, unloading_weight, created_at
    FROM after_rows WHERE deleted_at IS NULL
    UNION ALL
    SELECT -1, subadmin_id, owner_id, coalesce(tag_id, '00000000-0000-0000-0000-000000000000'),
      coalesce(deposited_on, '-infinity'), loading_on, payment_status,
      net_amount_payable, tds_amount, loading_weight, unloading_weight, created_at
    FROM before_rows WHERE deleted_at IS NULL
  ) AS changed
  GROUP BY 3, 4, 5, 6, 7, 8
  -- Nothing to record when the sums stay the same and no challan is outside the key's present bounds.
  HAVING sum(n) <> 0 OR sum(n * net_amount_payable) <> 0 OR sum(n * tds_amount) <> 0
    OR sum(n * loading_weight) <> 0 OR sum(n * unloading_weight) <> 0
    OR min(created_at) FILTER (WHERE n > 0) < min(created_at) FILTER (WHERE n < 0)
    OR max(created_at) FILTER (WHERE n > 0) > max(created_at) FILTER (WHERE n < 0);
  RETURN NULL;
END
$$;

-- What lines name is looked up once for each statement instead of row by row by two foreign keys. Lines are never changed, and
-- payments and challans never deleted (refuse_change), so two moments are left at which a line could name nothing: when it is
-- written, and when its challan gets another key. Scalar sub-selects, so that the plan, which a session keeps from its first
-- payment, is a look-up by key for one line and for a hundred thousand.
ALTER TABLE payment_lines
  DROP CONSTRAINT payment_lines_subadmin_id_challan_id_fkey,
  DROP CONSTRAINT payment_lines_subadmin_id_batch_id_fkey;
CREATE FUNCTION payment_lines_name_what_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM after_rows AS l
    WHERE (SELECT c.id FROM challans AS c WHERE c.subadmin_id = l.subadmin_id AND c.id = l.challan_id) IS NULL
      OR (SELECT b.id FROM payment_batches AS b WHERE b.subadmin_id = l.subadmin_id AND b.id = l.batch_id) IS NULL
  ) THEN
    RAISE EXCEPTION 'A line of a payment names a challan or a payment that is not there'
      USING ERRCODE = 'foreign_key_violation', TABLE = 'payment_lines';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_lines_name_what_is_there AFTER INSERT ON payment_lines
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION payment_lines_name_what_is_there();

-- Also of a challan without a line: a payment that runs meanwhile has not written its line yet. A payment names none of the
-- two columns and does not fire it.
CREATE FUNCTION challan_keeps_its_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A challan keeps its business and its id' USING ERRCODE = 'foreign_key_violation', TABLE = 'challans';
END
$$;
CREATE TRIGGER challan_keeps_its_key AFTER UPDATE OF subadmin_id, id ON challans
  FOR EACH ROW WHEN ((OLD.subadmin_id, OLD.id) IS DISTINCT FROM (NEW.subadmin_id, NEW.id))
  EXECUTE FUNCTION challan_keeps_its_key();

-- Summed before the payment is looked up, which is one for all the lines of most statements.
CREATE OR REPLACE FUNCTION payment_lines_summed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_sums
    (subadmin_id, owner_id, paid_on, recorded_at, batch_id, challans, amount, first_line, last_line)
  SELECT l.subadmin_id, l.owner_id, b.paid_on, b.created_at, l.batch_id,
    l.challans * s.sign, l.amount * s.sign, l.first_line, l.last_line
  FROM (
      SELECT subadmin_id, owner_id, batch_id, kind, count(*) AS challans, sum(amount) AS amount,
        min(line_no) AS first_line, max(line_no) AS last_line
      FROM after_rows GROUP BY subadmin_id, owner_id, batch_id, kind
    ) AS l
    JOIN payment_batches AS b ON b.subadmin_id = l.subadmin_id AND b.id = l.batch_id
    CROSS JOIN LATERAL (SELECT CASE l.kind WHEN 'reverse' THEN -1 ELSE 1 END AS sign) AS s;
  RETURN NULL;
END
$$;
