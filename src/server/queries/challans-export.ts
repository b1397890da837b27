import type { Readable } from 'node:stream';
import { challanExportColumns, type ChallanExportRow } from '../../shared/columns/challan-export-columns.ts';
import { numericKinds } from '../../shared/columns/define.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  challanConditions,
  challanSource,
  isTpIndexed,
  Parameters,
  type Bind,
  type ChallanFilter,
} from './challans-filter.ts';
import { orderOf, type ChallanOrder } from './challans-list.ts';
import { copiedCell } from './csv-cells.ts';

/** Where each field of a line comes from; days as dates, instants as instants, both written in India's day and time. */
const sources: { readonly [field in keyof ChallanExportRow]: string } = {
  challanNumber: 'c.challan_number',
  tpNo: 'c.tp_no',
  vehicleNo: 'c.vehicle_no',
  ownerName: 'c.owner_name',
  ownerContactNumber: 'c.owner_contact_number',
  discounterName: 'd.name',
  tagName: 't.name',
  petrolPumpName: 'p.name',
  material: 'c.material',
  loadingPlace: 'c.loading_place',
  unloadingPlace: 'c.unloading_place',
  loadingDate: 'c.loading_on',
  unloadingDate: 'c.unloading_on',
  loadingWeight: 'c.loading_weight',
  unloadingWeight: 'c.unloading_weight',
  differenceWeight: 'c.difference_weight',
  discountWeight: 'c.discount_weight',
  ratePerMT: 'c.rate_per_mt',
  tdsPercentage: 'c.tds_percentage',
  tdsAmount: 'c.tds_amount',
  hsdPricePerLiter: 'c.hsd_price_per_liter',
  hsdInLiters: 'c.hsd_in_liters',
  hsdAmount: 'c.hsd_amount',
  advanceMoney: 'c.advance_money',
  officeCharges: 'c.office_charges',
  shortageAmount: 'c.shortage_amount',
  materialShortageAmount: 'c.material_shortage_amount',
  netAmountPayable: 'c.net_amount_payable',
  paymentStatus: 'c.payment_status',
  hsdVerified: 'c.hsd_verified',
  depositedAt: 'c.deposited_on',
  remarks: 'c.remarks',
  createdAt: 'c.created_at',
};

const cells = challanExportColumns.map((column) => {
  // The columns' keys are the row's fields: no column of this file has a `value` of its own.
  const source = sources[column.key as keyof ChallanExportRow];
  return `${copiedCell(column.kind, source, column)} AS "${column.key}"`;
});
const fields = Object.entries(sources).map(([field, source]) => `${source} AS "${field}"`);
/** Text is always quoted, numbers never (csv-text.ts). */
const quoted = challanExportColumns.filter(({ kind }) => !numericKinds.has(kind)).map(({ key }) => `"${key}"`);

/**
 * The lines of the challan file in the list's order, as COPY writes them: with line feeds and `lineMark` as the last cell
 * of each. On the streaming pool only; see TenantDb.copyOut.
 */
export async function copyChallans(
  db: TenantDb,
  filter: ChallanFilter,
  order: ChallanOrder,
  lineMark: string,
): Promise<Readable> {
  await db.query(`SET LOCAL TimeZone = 'Asia/Kolkata'`);
  await db.query(`SET LOCAL DateStyle = 'SQL, DMY'`);
  const literal = (value: unknown): string => db.literal(String(value));
  return db.copyOut(
    `COPY (
       SELECT ${cells.join(', ')}, ${literal(lineMark)} AS line_mark
       ${exported(filter, order, literal, literal(db.tenantId))}
     ) TO STDOUT (FORMAT csv, FORCE_QUOTE (${quoted.join(', ')}))`,
  );
}

/** The challans of a file with what its columns name, in the file's order. */
function exported(filter: ChallanFilter, order: ChallanOrder, bind: Bind, tenant: string): string {
  const conditions = challanConditions(filter, bind, { tenant });
  const wanted = isTpIndexed(filter)
    ? `c.subadmin_id = ${tenant} AND c.id IN (SELECT c.id FROM ${challanSource(filter, bind)} WHERE ${conditions})`
    : conditions;
  return `FROM challans AS c
       LEFT JOIN owners AS d ON d.subadmin_id = ${tenant} AND d.id = c.discounter_id
       LEFT JOIN tags AS t ON t.subadmin_id = ${tenant} AND t.id = c.tag_id
       LEFT JOIN petrol_pumps AS p ON p.subadmin_id = ${tenant} AND p.id = c.petrol_pump_id
       WHERE ${wanted}
       ORDER BY ${orderOf(order)}`;
}

const rowsAtOnce = 500;

/**
 * The same lines as rows for the one writer, all of one moment, a few at a time: for a file that is kept, inside the
 * transaction that keeps it.
 */
export async function* challanExportRows(
  db: TenantDb,
  filter: ChallanFilter,
  order: ChallanOrder,
): AsyncGenerator<ChallanExportRow[]> {
  const parameters = new Parameters(db);
  await db.query(
    `DECLARE export_rows NO SCROLL CURSOR FOR SELECT ${fields.join(', ')} ${exported(filter, order, parameters.bind, '$1')}`,
    parameters.values,
  );
  for (;;) {
    const { rows } = await db.query<Omit<ChallanExportRow, 'createdAt'> & { createdAt: Date }>(
      `FETCH ${rowsAtOnce} FROM export_rows`,
    );
    if (rows.length > 0) yield rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
    if (rows.length < rowsAtOnce) break;
  }
  await db.query('CLOSE export_rows');
}
