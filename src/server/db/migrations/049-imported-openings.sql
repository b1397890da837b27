-- An import of opening balances is a batch too; its records are the owners (docs/specification.md §22.8).
ALTER TABLE batch_lines
  DROP CONSTRAINT batch_lines_record_check,
  ADD CONSTRAINT batch_lines_record_check
    CHECK (record IN ('challan', 'owner', 'truck', 'tag', 'petrol-pump', 'opening-balance'));
