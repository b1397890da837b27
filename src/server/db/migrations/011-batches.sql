-- One act that wrote many records (an entry sheet, a change of a selection, an import), so that it can be named and undone
-- (docs/specification.md §20). A batch is written once; afterwards only its undo is recorded.
CREATE TABLE batches (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('sheet', 'change', 'import')),
  number text NOT NULL,
  title text NOT NULL CHECK (title <> '' AND length(title) <= 200),
  -- What the records come to, or what the change added; 0 where there is no money.
  amount numeric(18,2) NOT NULL DEFAULT 0,
  line_count integer NOT NULL CHECK (line_count > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  undone_at timestamptz,
  undone_by uuid REFERENCES accounts (id),
  -- How many of its records the undo took back; the others were left as they were.
  undone_count integer NOT NULL DEFAULT 0,
  facts jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (subadmin_id, id),
  UNIQUE (subadmin_id, number),
  CONSTRAINT batch_undone CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);
CREATE INDEX batches_by_created ON batches (subadmin_id, created_at DESC, id DESC);
GRANT SELECT, INSERT, UPDATE (undone_at, undone_by, undone_count) ON batches TO challan_app;
ALTER TABLE batches ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON batches TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON batches TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE TABLE batch_lines (
  subadmin_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  line_no integer NOT NULL,
  record text NOT NULL CHECK (record IN ('challan', 'owner', 'truck', 'tag', 'petrol-pump')),
  record_id uuid NOT NULL,
  -- The record's version as the batch left it: with another one somebody has changed it since.
  version_after integer NOT NULL,
  -- null: the batch created the record; else the stored values to go back to, by their names in the API.
  before jsonb,
  PRIMARY KEY (subadmin_id, batch_id, line_no),
  UNIQUE (subadmin_id, batch_id, record, record_id),
  FOREIGN KEY (subadmin_id, batch_id) REFERENCES batches (subadmin_id, id)
);
GRANT SELECT, INSERT ON batch_lines TO challan_app;
ALTER TABLE batch_lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON batch_lines TO challan_app
  USING (subadmin_id = current_tenant()) WITH CHECK (subadmin_id = current_tenant());
CREATE POLICY owner_of_tables ON batch_lines TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON batch_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The batch that a line of history belongs to: it wrote the record, or its undo did.
ALTER TABLE history ADD COLUMN batch_id uuid,
  ADD FOREIGN KEY (subadmin_id, batch_id) REFERENCES batches (subadmin_id, id);

-- The counts by day of creation are kept by statement: by row, taking back a batch of thousands changed one row of counts
-- thousands of times. A change that deletes and restores nothing (a payment) ends at the first condition.
DROP TRIGGER challan_removed ON challans;
DROP FUNCTION challan_removed();
CREATE FUNCTION challans_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM after_rows WHERE deleted_at IS NOT NULL)
    OR EXISTS (SELECT FROM before_rows WHERE deleted_at IS NOT NULL) THEN
    UPDATE challan_counts_by_created_day AS t SET challans = t.challans + changed.n
    FROM (
      SELECT subadmin_id, (created_at AT TIME ZONE 'UTC')::date AS created_on, sum(n) AS n
      FROM (
        SELECT 1 AS n, subadmin_id, created_at FROM after_rows WHERE deleted_at IS NULL
        UNION ALL
        SELECT -1, subadmin_id, created_at FROM before_rows WHERE deleted_at IS NULL
      ) AS rows
      GROUP BY 1, 2
    ) AS changed
    WHERE t.subadmin_id = changed.subadmin_id AND t.created_on = changed.created_on AND changed.n <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER challans_removed AFTER UPDATE ON challans
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION challans_removed();
