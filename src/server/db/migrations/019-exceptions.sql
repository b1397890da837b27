-- Exceptions that somebody has looked at and found in order (docs/specification.md §35). What is unusual is counted anew each
-- time; only this is remembered.
CREATE TABLE exception_fines (
  subadmin_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  -- What it is about: the id of a challan, a TP No, a driver, or a vehicle on a route.
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 500),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by uuid NOT NULL REFERENCES accounts (id),
  taken_back_at timestamptz,
  taken_back_by uuid REFERENCES accounts (id),
  PRIMARY KEY (subadmin_id, id),
  CONSTRAINT exception_taken_back CHECK ((taken_back_at IS NULL) = (taken_back_by IS NULL))
);
CREATE UNIQUE INDEX exception_fines_subject ON exception_fines (subadmin_id, kind, subject) WHERE taken_back_at IS NULL;
CALL secure_tenant_table('exception_fines', 'SELECT, INSERT, UPDATE');
