-- The order of the owner column, which the list shows. A payment does not write it, but pays for it where a row no longer
-- fits on its page (docs/decisions.md 77).
CREATE INDEX challans_by_owner_name ON challans (subadmin_id, lower(owner_name), id) WHERE deleted_at IS NULL;
