-- The period lock (docs/specification.md §29): up to and including one day, the books of a business stay as they are. It is
-- kept here, below every way to write, so that no way can go round it.

-- What was done with the lock; the last act counts. Written once.
CREATE TABLE period_lock_acts (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  act_no integer NOT NULL CHECK (act_no > 0),
  -- 'lock' locks up to the day, 'lift' lifts that lock until an instant. Nothing has to be done at its end.
  kind text NOT NULL CHECK (kind IN ('lock', 'lift')),
  up_to date NOT NULL,
  open_until timestamptz,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  created_at timestamptz NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, act_no),
  CONSTRAINT period_lift_ends CHECK ((kind = 'lift') = (open_until IS NOT NULL)),
  CONSTRAINT period_lift_is_short CHECK (open_until <= created_at + interval '72 hours'),
  CONSTRAINT period_lift_has_reason CHECK ((kind = 'lift') = (reason <> '')),
  CONSTRAINT period_lock_is_past CHECK (up_to <= (created_at AT TIME ZONE 'Asia/Kolkata')::date)
);
CALL secure_tenant_table('period_lock_acts', 'SELECT, INSERT');
CALL make_write_once('period_lock_acts');

-- What was changed in locked days while the lock was lifted. Only the triggers below write it.
CREATE TABLE period_lock_changes (
  subadmin_id uuid NOT NULL,
  act_no integer NOT NULL,
  record text NOT NULL CHECK (record IN ('challan', 'opening-balance', 'payment')),
  -- Of an opening balance it is the id of the owner.
  record_id uuid NOT NULL,
  -- The first day that it changed.
  day date NOT NULL,
  -- NULL: a payment, which has its owners beside it.
  owner_id uuid,
  PRIMARY KEY (subadmin_id, act_no, record, record_id, day),
  FOREIGN KEY (subadmin_id, act_no) REFERENCES period_lock_acts (subadmin_id, act_no)
);
CREATE INDEX period_lock_changes_by_owner ON period_lock_changes (subadmin_id, owner_id);
CALL secure_tenant_table('period_lock_changes', 'SELECT');
CALL make_write_once('period_lock_changes');

GRANT SELECT ON period_lock_acts TO challan_definer;
CREATE POLICY definer ON period_lock_acts FOR SELECT TO challan_definer USING (true);
GRANT INSERT ON period_lock_changes TO challan_definer;
CREATE POLICY definer ON period_lock_changes FOR INSERT TO challan_definer WITH CHECK (true);

-- The lift under which a day is changed; NULL where the day is not locked. Where it is, nothing is changed: the error has the
-- day of the lock as its detail. Whoever sets the lock takes the same advisory lock alone, so a write is wholly before that or
-- sees it. It is not a lock on a row: a business that never locked has none, and a shared lock on a row would write to it.
CREATE FUNCTION period_lift_for(tenant uuid, day date) RETURNS period_lock_acts
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last public.period_lock_acts;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('period-lock:' || tenant, 0));
  SELECT * INTO last FROM public.period_lock_acts AS a WHERE a.subadmin_id = tenant ORDER BY a.act_no DESC LIMIT 1;
  IF last.up_to IS NULL OR day > last.up_to THEN RETURN NULL; END IF;
  IF last.open_until > clock_timestamp() THEN RETURN last; END IF;
  RAISE EXCEPTION 'The books are locked' USING ERRCODE = 'PL001', DETAIL = to_char(last.up_to, 'YYYY-MM-DD');
END
$$;
CALL give_to_definer('period_lift_for(uuid, date)', 'CURRENT_USER');

-- The day of a challan is its deposited day, else its loading day.
CREATE FUNCTION challans_made_in_period() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  made record;
  lift public.period_lock_acts;
BEGIN
  FOR made IN
    SELECT subadmin_id, min(coalesce(deposited_on, loading_on)) AS day FROM after_rows WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 1
  LOOP
    lift := public.period_lift_for(made.subadmin_id, made.day);
    IF lift.act_no IS NOT NULL THEN
      INSERT INTO public.period_lock_changes (subadmin_id, act_no, record, record_id, day, owner_id)
      SELECT subadmin_id, lift.act_no, 'challan', id, coalesce(deposited_on, loading_on), owner_id FROM after_rows
      WHERE subadmin_id = made.subadmin_id AND deleted_at IS NULL AND coalesce(deposited_on, loading_on) <= lift.up_to;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
CALL give_to_definer('challans_made_in_period()', 'CURRENT_USER');
CREATE TRIGGER challans_made_in_period AFTER INSERT ON challans
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_made_in_period();

-- The day before and the day after both count.
CREATE FUNCTION challan_changed_in_period() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  first_day date := least(coalesce(OLD.deposited_on, OLD.loading_on), coalesce(NEW.deposited_on, NEW.loading_on));
  lift public.period_lock_acts := public.period_lift_for(NEW.subadmin_id, first_day);
BEGIN
  IF lift.act_no IS NOT NULL THEN
    INSERT INTO public.period_lock_changes (subadmin_id, act_no, record, record_id, day, owner_id)
    VALUES (NEW.subadmin_id, lift.act_no, 'challan', NEW.id, first_day, NEW.owner_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CALL give_to_definer('challan_changed_in_period()', 'CURRENT_USER');

-- These are the columns of the fields that shared/contract/locked-fields.ts names; a test compares the two. A payment, a hold and
-- a verification name none of them, so they do not come here.
DO $$
DECLARE
  locked text[] := ARRAY['owner_id', 'petrol_pump_id', 'loading_at', 'unloading_at', 'deposited_at', 'loading_weight',
    'unloading_weight', 'difference_weight', 'discount_weight', 'rate_per_mt', 'tds_percentage', 'tds_declaration_id', 'tds_amount',
    'hsd_price_per_liter', 'hsd_in_liters', 'hsd_amount', 'advance_money', 'office_charges', 'shortage_amount',
    'material_shortage_amount', 'net_amount_payable', 'deleted_at'];
BEGIN
  EXECUTE format('CREATE TRIGGER challan_changed_in_period AFTER UPDATE OF %s ON challans
    FOR EACH ROW WHEN ((%s) IS DISTINCT FROM (%s)) EXECUTE FUNCTION challan_changed_in_period()',
    array_to_string(locked, ', '), 'OLD.' || array_to_string(locked, ', OLD.'), 'NEW.' || array_to_string(locked, ', NEW.'));
END
$$;

-- An opening balance also changes the days of the entry that it replaces.
CREATE FUNCTION opening_made_in_period() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  first_day date := least(NEW.as_of, (SELECT o.as_of FROM public.owner_opening_balances AS o WHERE o.subadmin_id = NEW.subadmin_id
    AND o.owner_id = NEW.owner_id AND o.entry_no = NEW.entry_no - 1 AND o.amount <> 0));
  lift public.period_lock_acts := public.period_lift_for(NEW.subadmin_id, first_day);
BEGIN
  IF lift.act_no IS NOT NULL THEN
    INSERT INTO public.period_lock_changes (subadmin_id, act_no, record, record_id, day, owner_id)
    VALUES (NEW.subadmin_id, lift.act_no, 'opening-balance', NEW.owner_id, first_day, NEW.owner_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CALL give_to_definer('opening_made_in_period()', 'CURRENT_USER');
GRANT SELECT ON owner_opening_balances TO challan_definer;
CREATE POLICY definer ON owner_opening_balances FOR SELECT TO challan_definer USING (true);
CREATE TRIGGER opening_made_in_period AFTER INSERT ON owner_opening_balances
  FOR EACH ROW EXECUTE FUNCTION opening_made_in_period();

-- A payment of its own day is never refused: an old challan is paid today.
CREATE FUNCTION payment_dated_back() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  lift public.period_lock_acts := public.period_lift_for(NEW.subadmin_id, NEW.paid_on);
BEGIN
  IF lift.act_no IS NOT NULL THEN
    INSERT INTO public.period_lock_changes (subadmin_id, act_no, record, record_id, day)
    VALUES (NEW.subadmin_id, lift.act_no, 'payment', NEW.id, NEW.paid_on);
  END IF;
  RETURN NULL;
END
$$;
CALL give_to_definer('payment_dated_back()', 'CURRENT_USER');
CREATE TRIGGER payment_dated_back AFTER INSERT ON payment_batches
  FOR EACH ROW WHEN (NEW.paid_on < (NEW.created_at AT TIME ZONE 'Asia/Kolkata')::date) EXECUTE FUNCTION payment_dated_back();
