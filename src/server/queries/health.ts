import type { GlobalDb } from '../db/tenant.ts';

/** Whether the database answers. */
export async function selectOne(db: GlobalDb): Promise<void> {
  await db.query('SELECT 1 AS one');
}
