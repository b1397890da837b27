-- TDS that was deposited with the government, and the deductions that it covers (docs/specification.md §30).
CREATE TABLE tds_deposits (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  deposited_on date NOT NULL,
  -- The branch of the bank, and the number of its challan on that day.
  bsr_code text NOT NULL CHECK (bsr_code ~ '^\d{7}$'),
  serial_no text NOT NULL CHECK (serial_no ~ '^\d{5}$'),
  amount numeric(14,2) NOT NULL CHECK (amount > 0),
  -- It covers what was deducted on these days. They are in one quarter, which begins in April, July, October or January.
  deducted_from date NOT NULL,
  deducted_to date NOT NULL CHECK (deducted_to >= deducted_from),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  -- What it covers: the sum and the number of its rows of tds_deposit_covers.
  covered numeric(14,2) NOT NULL DEFAULT 0,
  challan_count integer NOT NULL DEFAULT 0 CHECK (challan_count >= 0),
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id),
  CONSTRAINT deposit_covers_no_more CHECK (covered BETWEEN 0 AND amount),
  CONSTRAINT deposit_of_one_quarter CHECK (date_trunc('quarter', deducted_from::timestamp) = date_trunc('quarter', deducted_to::timestamp))
);
CREATE UNIQUE INDEX tds_deposits_number ON tds_deposits (subadmin_id, bsr_code, deposited_on, serial_no) WHERE deleted_at IS NULL;
CREATE INDEX tds_deposits_by_days ON tds_deposits (subadmin_id, deducted_from) WHERE deleted_at IS NULL;
CALL secure_tenant_table('tds_deposits', 'SELECT, INSERT, UPDATE');

-- How much of a challan's TDS a deposit covers. When the TDS of a challan grows later, another deposit covers the rest.
CREATE TABLE tds_deposit_covers (
  subadmin_id uuid NOT NULL,
  deposit_id uuid NOT NULL,
  challan_id uuid NOT NULL,
  amount numeric(14,2) NOT NULL CHECK (amount > 0),
  PRIMARY KEY (subadmin_id, challan_id, deposit_id),
  FOREIGN KEY (subadmin_id, deposit_id) REFERENCES tds_deposits (subadmin_id, id),
  FOREIGN KEY (subadmin_id, challan_id) REFERENCES challans (subadmin_id, id)
);
CREATE INDEX tds_deposit_covers_by_deposit ON tds_deposit_covers (subadmin_id, deposit_id);
CALL secure_tenant_table('tds_deposit_covers', 'SELECT, INSERT, DELETE');

-- Until when deductions of a month are deposited; null: what the product ships.
ALTER TABLE tds_settings ADD COLUMN deposit_rules jsonb;

ALTER TABLE history DROP CONSTRAINT history_entity_check;
ALTER TABLE history ADD CONSTRAINT history_entity_check CHECK (entity IN (
  'subadmin', 'owner', 'truck', 'tag', 'petrol-pump', 'challan', 'bank-account', 'declaration', 'tds-deposit'));
