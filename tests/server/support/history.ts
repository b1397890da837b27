import type { Api, Tenant } from './api.ts';

export interface HistoryLine {
  entity: string;
  action: string;
  actor_id: string;
  screen: string;
  changes: Record<string, [unknown, unknown]>;
}

/** The history of one record, oldest first, as its own account sees it. */
export function historyOf(api: Api, tenant: Tenant, entityId: string): Promise<HistoryLine[]> {
  return api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<HistoryLine>(
      'SELECT entity, action, actor_id, screen, changes FROM history WHERE subadmin_id = $1 AND entity_id = $2 ORDER BY at, id',
      [tenant.id, entityId],
    );
    return rows;
  });
}
