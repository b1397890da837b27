-- When challans were paid. A payment has a day of its own, in India: the day it was recorded, or an earlier one for a payment
-- of the past that is imported. The challans that it pays have an instant of this day in paid_at; tests compare the two.

ALTER TABLE payment_batches ADD COLUMN paid_on date;
ALTER TABLE payment_batches DISABLE TRIGGER append_only;
UPDATE payment_batches SET paid_on = (created_at AT TIME ZONE 'Asia/Kolkata')::date;
ALTER TABLE payment_batches ENABLE TRIGGER append_only;
ALTER TABLE payment_batches
  ALTER COLUMN paid_on SET DEFAULT (now() AT TIME ZONE 'Asia/Kolkata')::date,
  ALTER COLUMN paid_on SET NOT NULL,
  ADD CONSTRAINT payment_paid_on CHECK (paid_on <= (created_at AT TIME ZONE 'Asia/Kolkata')::date);

-- No index names it: see the note on what a payment writes in migration 003.
ALTER TABLE challans ADD COLUMN paid_on date GENERATED ALWAYS AS ((paid_at AT TIME ZONE 'Asia/Kolkata')::date) STORED;

-- What was taken back of the payments of a list, without reading what was paid.
CREATE INDEX payment_lines_reversed ON payment_lines (subadmin_id, batch_id) INCLUDE (amount) WHERE kind = 'reverse';
-- The payments of an owner.
CREATE INDEX payment_batch_owners_by_owner ON payment_batch_owners (subadmin_id, owner_id, batch_id);

-- On hold: why this challan, or this owner with all its challans, is not to be paid; '' where it may be. Not of what a
-- payment writes, so the index may name it: held challans are few, and are taken off the totals of what may be paid.
ALTER TABLE owners ADD COLUMN hold_reason text NOT NULL DEFAULT '' CHECK (length(hold_reason) <= 500);
CREATE INDEX owners_held ON owners (subadmin_id, id) WHERE hold_reason <> '';
ALTER TABLE challans
  ADD COLUMN hold_reason text NOT NULL DEFAULT '' CHECK (length(hold_reason) <= 500),
  ADD CONSTRAINT challan_held_is_unpaid CHECK (hold_reason = '' OR NOT payment_status);
CREATE INDEX challans_held ON challans (subadmin_id, owner_id) WHERE deleted_at IS NULL AND hold_reason <> '';
