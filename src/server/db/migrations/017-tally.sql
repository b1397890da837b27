-- What goes to Tally (docs/specification.md §31): the names of ledgers there, the files that were made, and what each challan and
-- payment was when it went out last.

CREATE TABLE tally_settings (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  -- Its shape is in shared/contract/tally.ts.
  ledgers jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id)
);
CALL secure_tenant_table('tally_settings', 'SELECT, INSERT, UPDATE');

-- What two names of one ledger have in common. It equals tallyKey of shared/reading/tally-masters.ts.
CREATE FUNCTION tally_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(regexp_replace(name, '[[:space:].,&''"()/_-]+', '', 'g'));

-- The names of ledgers that Tally has, as its list of masters was read in last.
CREATE TABLE tally_masters (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 200),
  key text NOT NULL GENERATED ALWAYS AS (tally_key(name)) STORED,
  PRIMARY KEY (subadmin_id, name)
);
CREATE INDEX tally_masters_by_key ON tally_masters (subadmin_id, key);
CALL secure_tenant_table('tally_masters', 'SELECT, INSERT, DELETE');

CREATE TABLE tally_exports (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL,
  number text NOT NULL,
  -- 'changed': only what was not in Tally as it is now.
  kind text NOT NULL CHECK (kind IN ('period', 'changed')),
  grouping_by text NOT NULL CHECK (grouping_by IN ('day', 'challan')),
  -- The days of the period; of a file of changes those of its vouchers.
  from_on date NOT NULL,
  to_on date NOT NULL CHECK (from_on <= to_on),
  challan_count integer NOT NULL,
  transfer_count integer NOT NULL,
  voucher_count integer NOT NULL CHECK (voucher_count > 0),
  -- The sum of what its vouchers debit.
  amount numeric(18,2) NOT NULL CHECK (amount >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number)
);
CREATE INDEX tally_exports_by_created ON tally_exports (subadmin_id, created_at DESC, id DESC);
CALL secure_tenant_table('tally_exports', 'SELECT, INSERT');
CALL make_write_once('tally_exports');

CREATE FUNCTION tally_balances(amounts numeric[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(sum(amount), 0) = 0 FROM unnest(amounts) AS amount);

-- The vouchers of a file, from which its bytes are made: the same each time. A voucher without ledgers takes back what went out
-- under its id. The file itself is written last, when its sums are known, so that the reference is checked at the end.
CREATE TABLE tally_vouchers (
  subadmin_id uuid NOT NULL,
  export_id uuid NOT NULL,
  -- Made of what it stands for, so Tally knows the voucher again.
  voucher_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('journal', 'payment', 'receipt')),
  day date NOT NULL,
  reference text NOT NULL,
  narration text NOT NULL,
  ledgers text[] NOT NULL,
  -- What each ledger is debited; below zero it is credited.
  amounts numeric(18,2)[] NOT NULL,
  PRIMARY KEY (subadmin_id, export_id, voucher_id),
  FOREIGN KEY (subadmin_id, export_id) REFERENCES tally_exports (subadmin_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT tally_voucher_balances CHECK (tally_balances(amounts) AND cardinality(ledgers) = cardinality(amounts))
);
CREATE INDEX tally_vouchers_by_voucher ON tally_vouchers (subadmin_id, voucher_id);
CALL secure_tenant_table('tally_vouchers', 'SELECT, INSERT');
CALL make_write_once('tally_vouchers');

-- What each challan and each transfer was when it went out last.
CREATE TABLE tally_exported (
  subadmin_id uuid NOT NULL,
  -- The id of the challan; of a transfer that of its voucher.
  source_id uuid NOT NULL,
  -- NULL: a challan.
  batch_id uuid,
  owner_id uuid NOT NULL,
  day date NOT NULL,
  amount numeric(18,2) NOT NULL,
  -- A hash of all that a voucher says of it.
  fingerprint uuid NOT NULL,
  export_id uuid NOT NULL,
  -- The voucher that has it since this file, and the one that had it before. NULL: none.
  voucher_id uuid,
  previous_id uuid,
  PRIMARY KEY (subadmin_id, source_id),
  FOREIGN KEY (subadmin_id, export_id) REFERENCES tally_exports (subadmin_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES payment_batches (subadmin_id, id)
);
CREATE INDEX tally_exported_by_voucher ON tally_exported (subadmin_id, voucher_id);
CREATE INDEX tally_exported_by_export ON tally_exported (subadmin_id, export_id);
CREATE INDEX tally_exported_by_day ON tally_exported (subadmin_id, day);
CALL secure_tenant_table('tally_exported', 'SELECT, INSERT, UPDATE');

-- The id of a voucher, made of the ids of what it stands for. These are random, so no other business has them, and a business that
-- is taken out and in again keeps them.
CREATE FUNCTION tally_id(what text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN md5('challan-desk ' || what)::uuid;

-- A challan as a voucher has it. Its day is that of the period lock: deposited, else loaded.
CREATE VIEW tally_challans WITH (security_invoker = true) AS
  SELECT c.*, md5(concat_ws('|', day, owner_id, petrol_pump_id, freight, tds, hsd, advance, office, shortage))::uuid AS fingerprint
  FROM (
    SELECT subadmin_id, id AS source_id, owner_id, petrol_pump_id, challan_number, coalesce(deposited_on, loading_on) AS day,
      round(least(loading_weight, unloading_weight) * rate_per_mt, 2) AS freight, tds_amount AS tds, hsd_amount AS hsd,
      advance_money AS advance, office_charges AS office, material_shortage_amount AS shortage, net_amount_payable AS amount
    FROM challans WHERE deleted_at IS NULL
  ) AS c;
GRANT SELECT ON tally_challans TO challan_app;

-- What a payment transferred to an owner, and by day what of it came back. What was carried or deducted with the payment is in its
-- transfer, what was restored or cancelled in what came back.
CREATE VIEW tally_transfers WITH (security_invoker = true) AS
  SELECT t.*, md5(concat_ws('|', t.day, t.amount, t.bank_account_id, t.reference, t.utr))::uuid AS fingerprint
  FROM (
    SELECT m.subadmin_id, m.batch_id, m.owner_id, m.back_on, m.amount, coalesce(m.back_on, b.paid_on) AS day, b.number,
      tally_id(concat_ws(' ', 'transfer', m.batch_id, m.owner_id, to_char(m.back_on, 'YYYYMMDD'))) AS source_id,
      sent.bank_account_id, coalesce(sent.reference, b.number) AS reference, coalesce(sent.utr, '') AS utr
    FROM (
        SELECT subadmin_id, batch_id, owner_id, back_on, sum(amount) AS amount
        FROM (
          SELECT subadmin_id, batch_id, owner_id, amount * CASE kind WHEN 'reverse' THEN -1 ELSE 1 END AS amount,
            CASE kind WHEN 'reverse' THEN (created_at AT TIME ZONE 'Asia/Kolkata')::date END AS back_on
          FROM payment_lines
          UNION ALL
          SELECT subadmin_id, batch_id, owner_id, amount,
            CASE WHEN kind IN ('restore', 'cancel') THEN (created_at AT TIME ZONE 'Asia/Kolkata')::date END
          FROM carry_events
        ) AS moved GROUP BY subadmin_id, batch_id, owner_id, back_on
      ) AS m
      JOIN payment_batches AS b ON b.subadmin_id = m.subadmin_id AND b.id = m.batch_id
      -- The line that was sent last.
      LEFT JOIN LATERAL (
        SELECT f.bank_account_id, l.reference,
          (SELECT e.utr FROM bank_line_events AS e WHERE e.subadmin_id = l.subadmin_id AND e.file_id = l.file_id
             AND e.line_no = l.line_no AND e.event = 'executed' ORDER BY e.event_no DESC LIMIT 1) AS utr
        FROM bank_lines_of_payments AS p
          JOIN bank_file_lines AS l ON l.subadmin_id = p.subadmin_id AND l.file_id = p.file_id AND l.line_no = p.line_no
          JOIN bank_files AS f ON f.subadmin_id = p.subadmin_id AND f.id = p.file_id
        WHERE p.subadmin_id = m.subadmin_id AND p.batch_id = m.batch_id AND p.owner_id = m.owner_id
        ORDER BY f.created_at DESC, f.id LIMIT 1
      ) AS sent ON true
  ) AS t;
GRANT SELECT ON tally_transfers TO challan_app;
