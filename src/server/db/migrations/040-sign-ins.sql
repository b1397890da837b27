-- Who tried to sign in, from where, and how it ended; for the admin (docs/specification.md §5.4). An email that no account
-- has is not kept: it may be a password typed into the wrong field.
CREATE TABLE sign_ins (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  role text NOT NULL CHECK (role IN ('admin', 'subadmin')),
  account_id uuid REFERENCES accounts (id),
  network text NOT NULL,
  result text NOT NULL CHECK (result IN ('signed-in', 'wrong-password', 'inactive', 'unknown'))
);
CREATE INDEX sign_ins_at ON sign_ins (at DESC);
CREATE INDEX sign_ins_account ON sign_ins (account_id, at DESC);
GRANT SELECT, INSERT, DELETE ON sign_ins TO challan_app;
