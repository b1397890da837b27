/**
 * SQL: an array of the plates of challans that contain a part, which must be escaped for LIKE. Some plates may have no
 * challan any more (migration 004).
 */
export const platesWith = (tenant: string, part: string): string => `ARRAY(
  SELECT v.vehicle_key FROM challan_vehicles AS v WHERE v.subadmin_id = ${tenant} AND v.vehicle_key LIKE '%' || ${part} || '%')`;
