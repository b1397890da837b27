/** The recursive part of a statement that has the vehicles of all challans, each once: the index on them is skipped through instead of read whole. */
export const vehiclesOfChallans = `
  (SELECT c.vehicle_key FROM challans AS c
   WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL ORDER BY c.vehicle_key LIMIT 1)
  UNION ALL
  SELECT (SELECT c.vehicle_key FROM challans AS c
    WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.vehicle_key > v.vehicle_key ORDER BY c.vehicle_key LIMIT 1)
  FROM vehicles AS v WHERE v.vehicle_key IS NOT NULL`;
