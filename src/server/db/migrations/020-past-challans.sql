-- A payment of the past that came with imported challans: recorded now, paid on a day before (payment_batches.paid_on).
ALTER TABLE payment_batches
  DROP CONSTRAINT payment_batches_kind_check,
  ADD CONSTRAINT payment_batches_kind_check CHECK (kind IN ('selected', 'filter', 'single', 'import'));
