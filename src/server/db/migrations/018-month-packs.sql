-- Packs of closed months (docs/specification.md §32). A pack is stored as it was made and is never made again.

CREATE TABLE month_packs (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number text NOT NULL,
  -- Its first day.
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  -- The challans of its register.
  challan_count integer NOT NULL CHECK (challan_count >= 0),
  net_amount numeric(18,2) NOT NULL,
  content bytea NOT NULL,
  size integer NOT NULL GENERATED ALWAYS AS (length(content)) STORED,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  CONSTRAINT month_packs_content_is_whole CHECK (sha256 = encode(sha256(content), 'hex'))
);
-- The archive is compressed already.
ALTER TABLE month_packs ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX month_packs_by_created ON month_packs (subadmin_id, created_at DESC, id DESC);
CREATE INDEX month_packs_by_month ON month_packs (subadmin_id, month, created_at DESC);
CALL secure_tenant_table('month_packs', 'SELECT, INSERT');
CALL make_write_once('month_packs');
