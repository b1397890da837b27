-- From which networks an account was signed in to with the right password: a ceiling over all networks together, which
-- anybody can use up, must not keep its owner out where that owner is at home.
CREATE TABLE account_networks (
  account_id uuid NOT NULL REFERENCES accounts (id),
  network text NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_networks TO challan_app;
