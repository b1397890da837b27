import { dayOf } from '../../../shared/calc/dates.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import { selectExceptions, selectExceptionSums, updateFinesTakenBack } from './exceptions.queries.ts';
import { exceptionsFile, setFine } from './exceptions.service.ts';

const { exceptions } = contract;

export function exceptionsRoutes(implement: Implementer): void {
  implement.tenant(exceptions.list, async ({ db, query }) => {
    const { count, effect, data, routes } = await selectExceptions(db, query, dayOf(new Date()), query);
    return { data, routes, totals: { effect }, pagination: paginationOf(query, count) };
  });

  implement.data(exceptions.getSummary, ({ db }) => selectExceptionSums(db, { days: 'entered' }, dayOf(new Date())));

  implement.files(exceptions, ({ db, query }, format) => exceptionsFile(db, format, query, new Date()));

  implement.tenant(exceptions.setFine, async ({ db, caller, body }) => ({
    data: { count: await setFine(db, caller, body.items, body.reason) },
  }));

  implement.tenant(exceptions.takeBack, async ({ db, caller, body }) => ({
    data: { count: await updateFinesTakenBack(db, caller, body.ids) },
  }));
}
