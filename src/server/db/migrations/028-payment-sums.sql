-- What each payment paid to each owner, and what was taken back of it, kept when its lines are written: accounting sorts all
-- owners by what they were paid, and a payment may have thousands of lines. Written once like the ledger, so that no
-- payment waits for another: the sum over the rows of a payment and an owner is what is still paid.

CREATE TABLE payment_sums (
  subadmin_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  -- The payment's own day, and when it was recorded: the order of an owner's payments.
  paid_on date NOT NULL,
  recorded_at timestamptz NOT NULL,
  batch_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Negative where lines were reversed.
  challans integer NOT NULL,
  amount numeric(18,2) NOT NULL,
  -- Between which lines of the payment the owner's are.
  first_line integer NOT NULL,
  last_line integer NOT NULL,
  PRIMARY KEY (subadmin_id, owner_id, paid_on, recorded_at, batch_id, id)
);
-- What was paid in a month.
CREATE INDEX payment_sums_by_day ON payment_sums (subadmin_id, paid_on) INCLUDE (owner_id, challans, amount);
GRANT SELECT, INSERT ON payment_sums TO challan_app;
ALTER TABLE payment_sums ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payment_sums TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON payment_sums TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_sums
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

INSERT INTO payment_sums
  (subadmin_id, owner_id, paid_on, recorded_at, batch_id, challans, amount, first_line, last_line)
SELECT l.subadmin_id, l.owner_id, b.paid_on, b.created_at, l.batch_id,
  count(*) * s.sign, sum(l.amount) * s.sign, min(l.line_no), max(l.line_no)
FROM payment_lines AS l
  JOIN payment_batches AS b ON b.subadmin_id = l.subadmin_id AND b.id = l.batch_id
  CROSS JOIN LATERAL (SELECT CASE l.kind WHEN 'reverse' THEN -1 ELSE 1 END AS sign) AS s
GROUP BY l.subadmin_id, l.owner_id, b.paid_on, b.created_at, l.batch_id, s.sign;

CREATE FUNCTION payment_lines_summed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_sums
    (subadmin_id, owner_id, paid_on, recorded_at, batch_id, challans, amount, first_line, last_line)
  SELECT l.subadmin_id, l.owner_id, b.paid_on, b.created_at, l.batch_id,
    count(*) * s.sign, sum(l.amount) * s.sign, min(l.line_no), max(l.line_no)
  FROM after_rows AS l
    JOIN payment_batches AS b ON b.subadmin_id = l.subadmin_id AND b.id = l.batch_id
    CROSS JOIN LATERAL (SELECT CASE l.kind WHEN 'reverse' THEN -1 ELSE 1 END AS sign) AS s
  GROUP BY l.subadmin_id, l.owner_id, b.paid_on, b.created_at, l.batch_id, s.sign;
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_lines_summed AFTER INSERT ON payment_lines
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION payment_lines_summed();

-- Challans of an amount by their index. Comparing numbers is not leakproof, so under row-level security every challan of the
-- business would be read (see search_challans_by_tp in migration 010).
CREATE FUNCTION search_challans_by_net(amount numeric)
  RETURNS TABLE (id uuid, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 20 AS $$
DECLARE
  tenant uuid := public.current_tenant();
BEGIN
  RETURN QUERY
  SELECT c.id, c.created_at FROM public.challans c
  WHERE c.subadmin_id = tenant AND c.deleted_at IS NULL AND c.net_amount_payable = amount;
END
$$;
GRANT CREATE ON SCHEMA public TO challan_definer;
ALTER FUNCTION search_challans_by_net(numeric) OWNER TO challan_definer;
REVOKE CREATE ON SCHEMA public FROM challan_definer;
REVOKE ALL ON FUNCTION search_challans_by_net(numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_challans_by_net(numeric) TO challan_app;
