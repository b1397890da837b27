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
-- Owners and trucks are seldom written, so entries of their search are not collected first.
CREATE INDEX owners_search ON owners USING gin (
  subadmin_id, lower(name) gin_trgm_ops, contact_number gin_trgm_ops, upper(account_no) gin_trgm_ops, pan_no gin_trgm_ops)
  WITH (fastupdate = off);
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

-- What vehicles and TP numbers are compared by: no spaces, dashes, dots, invisible marks and case (docs/specification.md §3.5).
-- It equals vehicleKey of shared/calc/keys.ts.
CREATE FUNCTION number_key(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN upper(regexp_replace(number, '[\u0009-\u000d\u0020\u0085\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f'
    || '\u205f-\u206f\u3000\ufeff\u002d\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u002e\u2024\u3002\uff0e\uff61]', '', 'g'));

CREATE TABLE trucks (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  truck_number text NOT NULL CHECK (truck_number <> '' AND length(truck_number) <= 30),
  truck_key text NOT NULL GENERATED ALWAYS AS (number_key(truck_number)) STORED,
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
-- With owner and id in it, a search by one or two characters reads some fifty pages of this index instead of every truck.
CREATE UNIQUE INDEX trucks_number ON trucks (subadmin_id, truck_key) INCLUDE (owner_id, id) WHERE deleted_at IS NULL;
CREATE INDEX trucks_search ON trucks USING gin (subadmin_id, truck_key gin_trgm_ops)
  WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX trucks_by_created ON trucks (subadmin_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX trucks_by_owner ON trucks (subadmin_id, owner_id, id) WHERE deleted_at IS NULL;
CALL secure_tenant_table('trucks', 'SELECT, INSERT, UPDATE');
GRANT SELECT ON trucks TO challan_definer;
CREATE POLICY definer ON trucks FOR SELECT TO challan_definer USING (true);

-- Declarations of owners from whom no tax is deducted (docs/specification.md §27.7). One is valid from the day it was received,
-- or from the beginning of its financial year, until the last day, or the day before it was withdrawn. The year is that of the
-- last day: one that is received in March may be for the year that begins in April.
CREATE TABLE declarations (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  owner_id uuid NOT NULL,
  received_on date NOT NULL,
  -- How many goods carriages the owner declares.
  carriages integer NOT NULL CHECK (carriages BETWEEN 1 AND 1000),
  pan_no text NOT NULL CHECK (pan_no ~ '^[A-Z]{5}\d{4}[A-Z]$'),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  valid_until date NOT NULL CHECK (valid_until >= received_on),
  withdrawn_on date CHECK (withdrawn_on >= received_on),
  tax_year integer NOT NULL GENERATED ALWAYS AS (
    (extract(year FROM valid_until) - CASE WHEN extract(month FROM valid_until) < 4 THEN 1 ELSE 0 END)::integer) STORED,
  valid_from date NOT NULL GENERATED ALWAYS AS (greatest(received_on, make_date(
    (extract(year FROM valid_until) - CASE WHEN extract(month FROM valid_until) < 4 THEN 1 ELSE 0 END)::integer, 4, 1))) STORED,
  valid_to date NOT NULL GENERATED ALWAYS AS (least(valid_until, withdrawn_on - 1)) STORED,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (subadmin_id, id),
  -- A challan names its declaration together with its owner, so it cannot rest on somebody else's.
  UNIQUE (subadmin_id, id, owner_id),
  FOREIGN KEY (subadmin_id, owner_id) REFERENCES owners (subadmin_id, id)
);
CREATE UNIQUE INDEX declarations_year ON declarations (subadmin_id, owner_id, tax_year)
  WHERE deleted_at IS NULL AND withdrawn_on IS NULL;
CREATE INDEX declarations_by_owner ON declarations (subadmin_id, owner_id) WHERE deleted_at IS NULL;
CALL secure_tenant_table('declarations', 'SELECT, INSERT, UPDATE');

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

-- Searches of owners and trucks by any part of a name or a number, from an index (docs/decisions.md 115). Under row-level security
-- LIKE cannot use a trigram index, because the operator is not leakproof. So these functions repeat the tenant predicate, as
-- search_challans_by_tp does.

-- A pattern of LIKE for texts that contain a part.
CREATE FUNCTION containing(part text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '%' || regexp_replace(part, '([\\%_])', '\\\1', 'g') || '%';

-- Owners of the current tenant, deleted ones too, whose name contains a term in any case. Without `only_names` also those whose
-- contact, account or PAN contains it; these may be typed with spaces. Contact and PAN are searched only for what can be a part of
-- one: a pattern that is null matches nothing. With fewer than three characters the index would be read as a whole, so the owners
-- are.
CREATE FUNCTION owners_with(term text, only_names boolean DEFAULT false) RETURNS TABLE (id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 20 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  name_part text := lower(term);
  number text := CASE WHEN NOT only_names THEN nullif(upper(regexp_replace(term, '\s', '', 'g')), '') END;
  contact_part text := CASE WHEN number ~ '^\d{1,10}$' THEN number END;
  pan_part text := CASE WHEN number ~ '^[A-Z\d]{1,10}$' THEN number END;
  account_part text := number;
BEGIN
  IF public.hides_bank_details() THEN
    pan_part := NULL;
    account_part := NULL;
  END IF;
  IF length(term) < 3 OR length(number) < 3 THEN
    RETURN QUERY
    SELECT o.id FROM public.owners o
    WHERE o.subadmin_id = tenant AND (strpos(lower(o.name), name_part) > 0 OR strpos(o.contact_number, contact_part) > 0
      OR strpos(upper(o.account_no), account_part) > 0 OR strpos(o.pan_no, pan_part) > 0);
    RETURN;
  END IF;
  name_part := public.containing(name_part);
  IF only_names THEN
    RETURN QUERY SELECT o.id FROM public.owners o WHERE o.subadmin_id = tenant AND lower(o.name) LIKE name_part;
    RETURN;
  END IF;
  account_part := public.containing(account_part);
  contact_part := public.containing(contact_part);
  pan_part := public.containing(pan_part);
  RETURN QUERY
  SELECT o.id FROM public.owners o
  WHERE o.subadmin_id = tenant AND (lower(o.name) LIKE name_part OR o.contact_number LIKE contact_part
    OR upper(o.account_no) LIKE account_part OR o.pan_no LIKE pan_part);
END
$$;
CALL give_to_definer('owners_with(text, boolean)');

-- Trucks of the current tenant whose number contains a term, compared by number_key. A term of which that leaves nothing finds
-- nothing.
CREATE FUNCTION trucks_with(term text) RETURNS TABLE (id uuid, owner_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp ROWS 20 AS $$
DECLARE
  tenant uuid := public.current_tenant();
  part text := nullif(public.number_key(term), '');
BEGIN
  IF length(part) < 3 THEN
    RETURN QUERY
    SELECT t.id, t.owner_id FROM public.trucks t
    WHERE t.subadmin_id = tenant AND t.deleted_at IS NULL AND strpos(t.truck_key, part) > 0;
    RETURN;
  END IF;
  part := public.containing(part);
  RETURN QUERY
  SELECT t.id, t.owner_id FROM public.trucks t
  WHERE t.subadmin_id = tenant AND t.deleted_at IS NULL AND t.truck_key LIKE part;
END
$$;
CALL give_to_definer('trucks_with(text)');
