-- The indexes that have the first columns of an order of the challan list get the rest of it, to the id: a page is read from
-- there instead of sorting every challan. A payment writes none of these columns (migration 003).
DROP INDEX challans_by_tp;
CREATE INDEX challans_by_tp ON challans (subadmin_id, tp_key, id) WHERE deleted_at IS NULL;
DROP INDEX challans_by_net;
CREATE INDEX challans_by_net ON challans (subadmin_id, net_amount_payable, id) WHERE deleted_at IS NULL;
-- The instant follows its day: the order of both is that of the instant.
DROP INDEX challans_by_deposited;
CREATE INDEX challans_by_deposited ON challans (subadmin_id, deposited_on, deposited_at, id) WHERE deleted_at IS NULL;
-- The trips of one vehicle are few: they are sorted by id as they come.
DROP INDEX challans_by_trip;
CREATE INDEX challans_by_trip ON challans (subadmin_id, vehicle_key, loading_on) INCLUDE (id) WHERE deleted_at IS NULL;
