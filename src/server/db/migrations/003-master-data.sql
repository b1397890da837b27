-- Master data of a transport business. In every table of a business the tenant comes first in every key, and every reference
-- includes it, so that no row can name a row of another tenant.

CREATE TABLE owners (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 200),
  contact_number text NOT NULL CHECK (contact_number ~ '^\d{10}$'),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 500),
  account_no text NOT NULL CHECK (account_no <> '' AND length(account_no) <= 20),
  ifsc text NOT NULL DEFAULT '' CHECK (ifsc = '' OR length(ifsc) = 11),
  pan_no text NOT NULL CHECK (pan_no ~ '^[A-Z]{5}\d{4}[A-Z]$'),
  branch_name text NOT NULL CHECK (branch_name <> '' AND length(branch_name) <= 100),
  -- The language in which the owner is written to (docs/specification.md §6.2).
  language text NOT NULL DEFAULT 'English'
    CONSTRAINT owner_language CHECK (language IN ('English', 'Hindi', 'Odia')),
  -- Why none of its challans is to be paid; '': they may be (docs/specification.md §10.5).
  hold_reason text NOT NULL DEFAULT '' CHECK (length(hold_reason) <= 500),
  -- Where Copy took this owner from: an owner is not copied twice (docs/specification.md §6.4). Not a reference: it
  -- names another tenant.
  copied_from_id uuid,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id)
);
CREATE INDEX owners_by_created ON owners (subadmin_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX owners_by_name ON owners (subadmin_id, lower(name), id) WHERE deleted_at IS NULL;
CREATE INDEX owners_by_pan ON owners (subadmin_id, pan_no) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX owners_copied_once ON owners (subadmin_id, copied_from_id)
  WHERE deleted_at IS NULL AND copied_from_id IS NOT NULL;
-- How many were copied today, deleted ones too.
CREATE INDEX owners_by_copied ON owners (subadmin_id, created_at) WHERE copied_from_id IS NOT NULL;
CREATE INDEX owners_held ON owners (subadmin_id, id) WHERE hold_reason <> '';
CALL secure_tenant_table('owners', 'SELECT, INSERT, UPDATE');
GRANT SELECT, INSERT ON owners TO challan_definer;
CREATE POLICY definer ON owners FOR SELECT TO challan_definer USING (true);
CREATE POLICY definer_copies ON owners FOR INSERT TO challan_definer
  WITH CHECK (subadmin_id = (SELECT current_tenant()));
-- The copies of a day are counted by these two columns.
CREATE TRIGGER copies_counted BEFORE UPDATE OF copied_from_id, created_at ON owners
  FOR EACH ROW WHEN (current_user = 'challan_app' AND (OLD.copied_from_id IS DISTINCT FROM NEW.copied_from_id
    OR OLD.created_at <> NEW.created_at))
  EXECUTE FUNCTION refuse_change();

CREATE TABLE trucks (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  truck_number text NOT NULL CHECK (truck_number <> '' AND length(truck_number) <= 30),
  -- Compared without spaces, hyphens and case (docs/specification.md §3.5).
  truck_key text NOT NULL GENERATED ALWAYS AS (upper(regexp_replace(truck_number, '[\s-]', '', 'g'))) STORED,
  type_of_vehicle text NOT NULL DEFAULT '' CHECK (length(type_of_vehicle) <= 100),
  no_of_wheels integer NOT NULL CHECK (no_of_wheels BETWEEN 0 AND 1000),
  owner_id uuid NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
-- With owner and id in it, a search of trucks or owners reads some fifty pages of this index instead of every truck.
CREATE UNIQUE INDEX trucks_number ON trucks (subadmin_id, truck_key) INCLUDE (owner_id, id) WHERE deleted_at IS NULL;
CREATE INDEX trucks_by_created ON trucks (subadmin_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX trucks_by_owner ON trucks (subadmin_id, owner_id, id) WHERE deleted_at IS NULL;
CALL secure_tenant_table('trucks', 'SELECT, INSERT, UPDATE');
GRANT SELECT ON trucks TO challan_definer;
CREATE POLICY definer ON trucks FOR SELECT TO challan_definer USING (true);

CREATE TABLE tags (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 50),
  color text NOT NULL DEFAULT '#3B82F6' CHECK (color ~ '^#[0-9A-Fa-f]{6}$'),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 200),
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id)
);
CREATE UNIQUE INDEX tags_name ON tags (subadmin_id, lower(name)) WHERE deleted_at IS NULL;
CALL secure_tenant_table('tags', 'SELECT, INSERT, UPDATE');

CREATE TABLE petrol_pumps (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 100),
  contact_number text NOT NULL CHECK (contact_number ~ '^\d{10}$'),
  address text NOT NULL CHECK (length(address) BETWEEN 5 AND 500),
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id)
);
CREATE INDEX petrol_pumps_by_created ON petrol_pumps (subadmin_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CALL secure_tenant_table('petrol_pumps', 'SELECT, INSERT, UPDATE');
