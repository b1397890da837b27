-- A search of trucks or of owners looks at the number and the owner of every truck of the business. With owner and id in the index
-- on numbers it reads some fifty pages of the index instead of each truck. Payments and challans write no trucks.
DROP INDEX trucks_number;
CREATE UNIQUE INDEX trucks_number ON trucks (subadmin_id, truck_key) INCLUDE (owner_id, id) WHERE deleted_at IS NULL;
