import { possibleNumbers } from '../../../shared/calc/challan-number.ts';
import { readSigned } from '../../../shared/reading/amount.ts';
import { vehicleKey } from '../../../shared/calc/keys.ts';
import type { PaletteAnswer, PaletteChallans } from '../../../shared/contract/palette.ts';
import { contactTerm } from '../../../shared/contract/scalars.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectChallansByNumber } from '../challans/challans.queries.ts';
import { paise } from '../challans/challans-filter.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { selectPaymentsByNumber, selectPaymentsByUtr } from '../payments/payment-batches.queries.ts';
import { petrolPumpTable } from '../master-data/petrol-pumps.queries.ts';
import type { Page } from '../../sql/paging.ts';
import { escapeLike } from '../../sql/statements.ts';
import { tagTable } from '../master-data/tags.queries.ts';
import { truckTable } from '../master-data/trucks.queries.ts';
import { platesWith } from '../../sql/filter-conditions.ts';

/** At most this many results of each kind; typing more narrows them. */
const most = 5;
/** Challans of a TP number or of a vehicle are counted only up to this number. */
const maxCounted = 1000;

/** Returns the typed text as an amount, if it is one. */
function amountOf(text: string): string | undefined {
  const read = readSigned(text);
  return 'error' in read || !/\d/.test(text) ? undefined : read.value;
}
/** Whether the text has letters and digits, as every plate has, and nothing else that counts, or is the last four digits of one. */
const isPlate = (text: string): boolean =>
  /^(?=.*[A-Z])(?=.*\d)[A-Z\d]+$/.test(vehicleKey(text)) || /^\d{4}$/.test(text);
/** Whether the text may be a UTR or the end of one: eight letters and digits or more, of which six are digits, but no plate. */
const isUtr = (text: string): boolean =>
  /^(?=(?:.*\d){6})[A-Z\d]{8,40}$/i.test(text) && !/^[A-Z]{2}\d{1,2}[A-Z]{1,3}\d{4}$/i.test(text);

/** Without any hit there is one row with only the number. */
type ChallanRow = Omit<PaletteChallans['data'][number], 'id'> & { id: string | null; total: number };

/** Returns the newest few of `hits` and their number. `page` selects id and creation time, `total` the number. */
async function selectFound(
  db: TenantDb,
  name: string,
  value: string,
  hits: string,
  page = 'SELECT id, created_at FROM hits',
  total = 'SELECT count(*)::int FROM hits',
): Promise<PaletteChallans> {
  const rows = await db.records<ChallanRow>(
    `WITH ${hits}, page AS MATERIALIZED (${page} ORDER BY created_at DESC, id DESC LIMIT ${most})
     SELECT (${total}) AS total, c.id, c.challan_number AS "challanNumber", c.tp_no AS "tpNo",
       c.vehicle_no AS "vehicleNo", c.owner_name AS "ownerName", c.loading_at AS "loadingDate",
       c.net_amount_payable AS "netAmountPayable"
     FROM (SELECT) AS one LEFT JOIN (page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id) ON true
     ORDER BY c.created_at DESC, c.id DESC`,
    [db.tenantId, value],
    `palette-challans-${name}`,
  );
  return {
    data: rows.flatMap(({ total: _total, id, ...challan }) => (id === null ? [] : [{ id, ...challan }])),
    totalCount: rows[0]?.total ?? 0,
  };
}

const own = 'FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL';

/** Limits the count to the number up to which challans are counted. */
function counted(found: PaletteChallans): PaletteChallans & { isMore: boolean } {
  const isMore = found.totalCount > maxCounted;
  return { ...found, totalCount: isMore ? maxCounted : found.totalCount, isMore };
}

const byTp = async (db: TenantDb, term: string): Promise<PaletteChallans & { isMore: boolean }> =>
  counted(
    await selectFound(
      db,
      'tp',
      term,
      `hits AS MATERIALIZED (SELECT id, created_at, total FROM newest_challans_by_tp($2, ${most}, ${maxCounted}))`,
      undefined,
      'SELECT max(total) FROM hits',
    ),
  );

const byAmount = (db: TenantDb, amount: string): Promise<PaletteChallans> =>
  selectFound(
    db,
    'amount',
    amount,
    `hits AS MATERIALIZED (SELECT c.id, c.created_at ${own} AND c.net_paise = ${paise('$2')})`,
  );

/**
 * Finds challans by a part of the plate. When they are few, they are sorted. When they are many, the newest are found
 * soon by reading the newest challans first.
 */
async function byVehicle(db: TenantDb, plate: string): Promise<PaletteChallans & { isMore: boolean }> {
  const isAny = `LIKE '%' || $2 || '%'`;
  return counted(
    await selectFound(
      db,
      'vehicle',
      escapeLike(vehicleKey(plate)),
      `hits AS MATERIALIZED (SELECT c.id, c.created_at ${own} AND c.vehicle_key = ANY (${platesWith('$1', '$2')})
       LIMIT ${maxCounted + 1}),
     many AS MATERIALIZED (SELECT count(*) > ${maxCounted} AS is_so FROM hits)`,
      `SELECT id, created_at FROM (
       (SELECT id, created_at FROM hits WHERE NOT (SELECT is_so FROM many)
        ORDER BY created_at DESC, id DESC LIMIT ${most})
       UNION ALL
       (SELECT c.id, c.created_at ${own} AND c.vehicle_key ${isAny} AND (SELECT is_so FROM many)
        ORDER BY c.created_at DESC, c.id DESC LIMIT ${most})) AS newest`,
    ),
  );
}

const firstPage = { page: 1, limit: most };

/** Returns everything that matches a text, a few of each kind (docs/specification.md §19.1). */
export async function selectPalette(db: TenantDb, search: string, today: string): Promise<PaletteAnswer> {
  const amount = amountOf(search);
  const [challanNumbers, paymentNumbers] = [
    possibleNumbers('CH', search, today),
    possibleNumbers('PAY', search, today),
  ];
  const asked = { ...firstPage, search };
  const byContact = { ...firstPage, search: contactTerm(search) };
  const [challans, payments, ofUtr, tp, ofAmount, vehicle, trucks, owners, tags, petrolPumps] = await Promise.all([
    challanNumbers.length === 0 ? [] : selectChallansByNumber(db, challanNumbers),
    paymentNumbers.length === 0 ? [] : selectPaymentsByNumber(db, paymentNumbers),
    isUtr(search) ? selectPaymentsByUtr(db, search, most) : [],
    // With fewer than three letters the whole index of the search would be read (docs/architecture.md §6.4).
    [...search].length < 3 ? { data: [], totalCount: 0, isMore: false } : byTp(db, search),
    amount === undefined ? null : byAmount(db, amount),
    isPlate(search) ? byVehicle(db, search) : null,
    truckTable.list(db, asked),
    ownerTable.list(db, byContact),
    tagTable.list(db, asked),
    petrolPumpTable.list(db, byContact),
  ]);
  const found = <R>({ data, pagination }: Page<R>) => ({ data, totalCount: pagination.totalCount });
  return {
    challans,
    payments: [...payments, ...ofUtr.filter(({ id }) => !payments.some((one) => one.id === id))],
    byTp: tp,
    byAmount: ofAmount === null || amount === undefined ? null : { ...ofAmount, amount },
    byVehicle: vehicle,
    trucks: found(trucks),
    owners: found(owners),
    tags: found(tags),
    petrolPumps: found(petrolPumps),
  };
}
