-- How a business wants its TDS register (docs/specification.md §27). A business without a row has the defaults. The section and
-- the thresholds are what its users enter: the product knows none.
CREATE TABLE tds_settings (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  -- The day that puts a deduction into a quarter: that of its payment, or that of the challan's deposit.
  basis text NOT NULL DEFAULT 'paid' CHECK (basis IN ('paid', 'deposited')),
  section text NOT NULL DEFAULT '' CHECK (length(section) <= 20),
  -- Of one PAN in a financial year, and of one challan; null: none.
  year_threshold numeric(14,2) CHECK (year_threshold > 0),
  challan_threshold numeric(14,2) CHECK (challan_threshold > 0),
  -- What the business holds declarations against (docs/specification.md §27.4); null: what the product ships.
  declaration_rules jsonb,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id)
);
CALL secure_tenant_table('tds_settings', 'SELECT, INSERT, UPDATE');

-- What a challan's line of the register says of it: stored, else computed back as the form does; null where nothing was deducted.
CREATE FUNCTION tds_percentage_of(stored numeric, tds_amount numeric, gross numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(stored, CASE WHEN tds_amount > 0 THEN round(tds_amount * 100 / nullif(gross, 0), 1) END);
