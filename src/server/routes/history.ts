import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { listHistory, listSubadminHistory } from '../services/history.ts';

const { history } = contract;

export function historyRoutes(implement: Implementer): void {
  implement.tenant(history.listOwner, ({ db, params, query }) => listHistory(db, 'owner', params.id, query));
  implement.tenant(history.listTruck, ({ db, params, query }) => listHistory(db, 'truck', params.id, query));
  implement.tenant(history.listTag, ({ db, params, query }) => listHistory(db, 'tag', params.id, query));
  implement.tenant(history.listPetrolPump, ({ db, params, query }) => listHistory(db, 'petrol-pump', params.id, query));
  implement.tenant(history.listChallan, ({ db, params, query }) => listHistory(db, 'challan', params.id, query));
  implement.global(history.listSubadmin, ({ db, params, query }) => listSubadminHistory(db, params.id, query));
}
