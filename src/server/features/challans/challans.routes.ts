import { possibleNumbers } from '../../../shared/calc/challan-number.ts';
import { dayOf } from '../../../shared/calc/dates.ts';
import { challansFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { challanColumns } from '../../../shared/columns/challan-columns.ts';
import type { ListedChallan } from '../../../shared/contract/challan.ts';
import { fileOrder } from '../../../shared/contract/challan-fields.ts';
import { challanInput } from '../../../shared/contract/challan-input.ts';
import { orderOfTexts, usualOrder, type ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/define.ts';
import { contract } from '../../../shared/contract/index.ts';
import { challanListFilters } from '../../../shared/filters/challan-filters.ts';
import { setFilters } from '../../../shared/filters/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { TableFile } from '../../files/table-file.ts';
import type { Implementer } from '../../http/implement.ts';
import { readBody } from '../../http/parse.ts';
import { allOf, type ChosenChallans } from './challans-many.queries.ts';
import { selectChallanPage, selectChallanRows, selectChallanSums } from './challans-list.queries.ts';
import { challansWith, wholeChallans, type ListShape } from './challans-row.queries.ts';
import {
  selectChallan,
  selectChallansByNumber,
  selectLastRates,
  selectSameTp,
  selectSameTrip,
} from './challans.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { notFound } from '../../refusal.ts';
import { changeMany, previewMany, removeChallan } from './challans-bulk.service.ts';
import { challanGroupsFile } from './challans-groups.service.ts';
import { selectGroups } from './challans-groups.queries.ts';
import { challansCsv, challansTableFile } from './challans-file.service.ts';
import { createChallans, createMany } from './challans-create.service.ts';
import { checkSheet } from './challans-sheet.service.ts';
import { togglePayments } from '../payments/payments.service.ts';
import { setChallanHold } from './holds.service.ts';
import { setHsdVerified, updateChallan } from './challans.service.ts';

const { challans, challanGroups } = contract;

export function challansRoutes(implement: Implementer): void {
  implement.tenant(challans.list, ({ db, query }) => pageOf(db, query, () => wholeChallans));

  implement.tenant(challans.listRows, async ({ db, query }) => {
    const order = orderOfTexts(query);
    const shape: ListShape<ListedChallan> = query.fields ? challansWith(query.fields, order) : wholeChallans;
    const filter = setFilters(challanListFilters, query);
    const { challans: data, summary, hasNext } = await selectChallanRows(db, filter, { ...query, order, shape });
    return { data, hasNext, summary, pagination: summary && paginationOf(query, summary.totalCount) };
  });

  implement.data(challans.getSums, ({ db, query }) => selectChallanSums(db, setFilters(challanListFilters, query)));

  implement.tenant(challanGroups.list, async ({ db, query }) => {
    const page = await selectGroups(db, setFilters(challanListFilters, query), query);
    const { groups: data, totals, groupCount, lineCount } = page;
    return { data, totals, groupCount, pagination: paginationOf(query, lineCount) };
  });

  implement.files(challanGroups, ({ db, body }, format) => challanGroupsFile(db, format, body, new Date()));

  implement.tenant(challans.listFields, ({ db, query }) =>
    pageOf(db, query, (order) => challansWith(query.fields, order)),
  );

  implement.tenant(challans.get, async ({ db, params }) => {
    const data = await selectChallan(db, params.id);
    if (!data) throw notFound('Challan');
    return { data };
  });

  implement.tenant(challans.findByNumber, async ({ db, query }) => {
    const numbers = possibleNumbers('CH', query.q, dayOf(new Date()));
    return { data: numbers.length === 0 ? [] : await selectChallansByNumber(db, numbers) };
  });

  implement.tenant(challans.findDuplicates, async ({ db, query }) => {
    const { tpNo, vehicleNo, loadingDate, excludeId } = query;
    const trip = vehicleNo && loadingDate ? { vehicleNo, loadingOn: dayOf(loadingDate) } : null;
    const [sameTp, sameTrip] = await Promise.all([
      tpNo ? selectSameTp(db, tpNo, excludeId) : [],
      trip ? selectSameTrip(db, trip, excludeId) : [],
    ]);
    return { data: { sameTp, sameTrip } };
  });

  implement.tenant(
    challans.findLastRate,
    async ({ db, query: { loadingPlace = '', unloadingPlace = '', excludeId } }) => {
      const [last] = await selectLastRates(db, [{ loadingPlace, unloadingPlace }], excludeId);
      return { data: last ? { ratePerMT: last.ratePerMT } : null };
    },
  );

  implement.batched(challans.create, async ({ db, caller, inputs }) => {
    const bodies = inputs.map(({ body }) => body);
    return createChallans(db, caller, bodies);
  });

  implement.data(challans.checkSheet, ({ db, body }) => checkSheet(db, body));

  implement.tenant(challans.createMany, async ({ db, caller, body: { mode, rows } }) => {
    const read = rows.map(({ key, ...row }) => ({ key, input: readBody(challanInput, row) }));
    return createMany(db, caller, { mode, rows: read });
  });

  implement.batchedIf(challans.update, {
    // The checkbox of the list sends only the payment status, and maybe the version.
    isBatched: ({ body }) =>
      body.paymentStatus !== undefined &&
      Object.keys(body).every((name) => name === 'paymentStatus' || name === 'version'),
    batch: async ({ db, caller, inputs }) => {
      const toggles = inputs.map(({ params, body: { paymentStatus, version } }) => ({
        challanId: params.id,
        isPaid: paymentStatus === true,
        version,
      }));
      return (await togglePayments(db, caller, toggles)).map((data) => data && { data, warnings: [] });
    },
    single: ({ db, caller, params, body }) => updateChallan(db, caller, params.id, body),
  });

  implement.tenant(challans.remove, async ({ db, caller, params }) => {
    const batch = await removeChallan(db, caller, params.id);
    return { message: 'Challan deleted successfully', data: { batch } };
  });

  implement.data(challans.setHsdVerified, ({ db, caller, params, body }) =>
    setHsdVerified(db, caller, params.id, body.hsdVerified),
  );

  implement.data(challans.setHold, ({ db, caller, params, body }) => setChallanHold(db, caller, params.id, body));

  implement.data(challans.previewMany, ({ db, caller, body }) => previewMany(db, caller, body));

  implement.data(challans.changeMany, ({ db, caller, body }) => changeMany(db, caller, body));

  implement.files(challans, async ({ db, body }, format) => {
    if (format === 'xlsx' || body.columns !== undefined) return challanListFile(db, format, allOf(body.filters), body);
    return challansCsv(db, challansFileName(dayOf(new Date())), body.filters, fileOrderOf(body));
  });

  implement.tenant(challans.exportMany, ({ db, body }) => challanListFile(db, 'xlsx', body.selection, body));
}

async function pageOf<T>(
  db: TenantDb,
  query: QueryOf<typeof challans.list>,
  shapeOf: (order: ChallanOrder) => ListShape<T>,
) {
  const order = orderOfTexts(query);
  const page = await selectChallanPage(db, setFilters(challanListFilters, query), {
    ...query,
    order,
    shape: shapeOf(order),
  });
  return { data: page.challans, pagination: paginationOf(query, page.summary.totalCount), summary: page.summary };
}

type FileInput = Pick<BodyOf<typeof challans.exportXlsx>, 'columns' | 'sortBy' | 'sortOrder'>;

const fileOrderOf = ({ sortBy = usualOrder.sortBy, sortOrder = usualOrder.sortOrder }: FileInput) =>
  orderOfTexts({ sortBy, sortOrder });

/** The challan list as a file. Without chosen columns it has those of the CSV file. */
function challanListFile(
  db: TenantDb,
  format: FileFormat,
  chosen: ChosenChallans,
  input: FileInput,
): Promise<TableFile> {
  const now = new Date();
  return challansTableFile(db, format, {
    name: challansFileName(dayOf(now), format),
    title: 'Challans',
    chosen,
    order: fileOrderOf(input),
    table: challanColumns,
    columns: input.columns ?? fileOrder,
    now,
  });
}
