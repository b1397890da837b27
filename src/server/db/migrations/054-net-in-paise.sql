-- The net in paise. Comparing whole numbers is leakproof, so a condition on them reads the index also under row-level security;
-- comparing numerics is not, and every challan of the business was read for it. A payment does not write what it is made of.
ALTER TABLE challans ADD COLUMN net_paise bigint GENERATED ALWAYS AS ((net_amount_payable * 100)::bigint) STORED;
DROP INDEX challans_by_net;
CREATE INDEX challans_by_net ON challans (subadmin_id, net_paise, id) WHERE deleted_at IS NULL;
-- Not of an empty table: it would be planned as one that stays empty.
DO $$
BEGIN
  IF EXISTS (SELECT FROM challans) THEN ANALYZE challans; END IF;
END
$$;

-- The table answers by itself now.
DROP FUNCTION search_challans_by_net(numeric);
