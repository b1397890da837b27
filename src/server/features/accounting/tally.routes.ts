import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import { selectTallyChanged, selectTallyExports, selectTallySettings } from './tally.queries.ts';
import { createTallyExport, tallyExportFile, tallyMasters, updateTallySettings } from './tally.service.ts';

const { tally } = contract;

export function tallyRoutes(implement: Implementer): void {
  implement.data(tally.getSettings, ({ db }) => selectTallySettings(db));
  implement.data(tally.updateSettings, ({ db, caller, body }) => updateTallySettings(db, caller, body));
  implement.tenant(tally.masters, ({ db }) => tallyMasters(db));
  implement.tenant(tally.list, ({ db, query }) => selectTallyExports(db, query));
  implement.data(tally.create, ({ db, caller, body }) => createTallyExport(db, caller, body.what));
  implement.tenant(tally.download, ({ db, params }) => tallyExportFile(db, params.id));

  implement.tenant(tally.listChanged, async ({ db, query }) => {
    const { data, count } = await selectTallyChanged(db, query);
    return { data, pagination: paginationOf(query, count) };
  });
}
