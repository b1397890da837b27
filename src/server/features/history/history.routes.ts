import { contract } from '../../../shared/contract/index.ts';
import { historyCall } from '../../../shared/contract/history.ts';
import type { Implementer } from '../../http/implement.ts';
import { tenantEntities } from './history-list.queries.ts';
import {
  listActivity,
  listActivityEntries,
  listHistory,
  listProfileHistory,
  listSubadminHistory,
} from './history.service.ts';

const { activity, history } = contract;

export function historyRoutes(implement: Implementer): void {
  for (const entity of tenantEntities) {
    implement.tenant(history[historyCall(entity)], ({ db, params, query }) =>
      listHistory(db, entity, params.id, query),
    );
  }
  implement.tenant(history.listProfile, ({ db, query }) => listProfileHistory(db, query));
  implement.tenant(activity.list, ({ db, query }) => listActivity(db, query));
  implement.tenant(activity.listEntries, ({ db, query }) => listActivityEntries(db, query));
  implement.global(history.listSubadmin, ({ db, params, query }) => listSubadminHistory(db, params.id, query));
}
