import { createHash } from 'node:crypto';
import { addDays, dayOf } from '../shared/calc/dates.ts';
import { tpKey } from '../shared/calc/keys.ts';
import { add } from '../shared/calc/money.ts';
import { acceptHsdRows } from '../server/features/hsd/hsd-bills.service.ts';
import { compareHsdFile, verifyHsd, type ReadFile } from '../server/features/hsd/hsd-verification.service.ts';
import type { Office, Work } from './office-people.ts';

interface Filled {
  tpNo: string;
  hsdAmount: string;
  vehicleNo: string;
  loadedOn: string;
  pumpId: string;
}

/** What the bill has otherwise than the challans, by the place of its row; the rows after these agree. */
const differences: readonly ((row: Filled) => Partial<Filled>)[] = [
  ({ hsdAmount }) => ({ hsdAmount: add(hsdAmount, '1250.00') }),
  ({ hsdAmount }) => ({ hsdAmount: add(hsdAmount, '-480.00') }),
  ({ hsdAmount }) => ({ hsdAmount: add(hsdAmount, '96.50') }),
  // One character too many: the challan is offered as a near match.
  ({ tpNo }) => ({ tpNo: `${tpNo}1` }),
  () => ({ tpNo: 'X/99-00/0000001' }),
];
/** So many of the rows with another amount are accepted. The others wait, and so does half of those that agree. */
const acceptedRows = 1;

/** Compares the bill of a pump, accepts and verifies a part of it, and leaves the rest to look at. */
export async function checkPumpBill(work: Work, { accountant }: Office, now: Date): Promise<void> {
  const rows = await work((db) => db.records<Filled>(notVerified, [db.tenantId, addDays(dayOf(now), -31)]));
  const records = rows.map((row, index) => {
    const { tpNo, hsdAmount, vehicleNo, loadedOn } = { ...row, ...differences[index]?.(row) };
    return { row: index + 2, tpNo, key: tpKey(tpNo), amount: hsdAmount, vehicleNo, date: loadedOn };
  });
  const [first] = rows;
  if (!first) return;
  const name = `Diesel bill ${dayOf(now)}.xlsx`;
  const bill: ReadFile = {
    file: { name, sha256: createHash('sha256').update(JSON.stringify(records)).digest() },
    table: {
      totalRecords: records.length,
      records,
      problems: [],
      totals: [],
      readAs: 'Read as an Excel workbook',
      notes: [],
      columns: { tpHeading: 'TP No', tpColumn: 0, amountHeading: 'Amount', amountColumn: 1 },
    },
    isChosen: false,
  };
  await work(async (db) => {
    const asked = { petrolPumpId: first.pumpId, detail: 'true' } as const;
    const { results, detail } = await compareHsdFile(db, accountant, bill, asked);
    const accepted = results.discrepancies.amountMismatch.slice(0, acceptedRows);
    await acceptHsdRows(db, accountant, {
      uploadId: detail?.uploadId ?? '',
      rows: accepted.map(({ row = 0, challanId, challanAmount }) => ({ row, challanId, challanAmount })),
      reason: 'Price of the day, agreed with the pump by phone',
    });
    const agreeing = results.validMatches.slice(0, Math.ceil(results.validMatches.length / 2));
    await verifyHsd(
      db,
      accountant,
      agreeing.map(({ challanId }) => challanId),
    );
  });
}

/** Challans of the pump that filled most of those that are not verified, each with a TP No of its own. */
const notVerified = `
  WITH open AS (
    SELECT c.* FROM challans c JOIN petrol_pumps p ON p.subadmin_id = $1 AND p.id = c.petrol_pump_id AND p.deleted_at IS NULL
    WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.hsd_verified AND c.hsd_amount > 1000 AND c.deposited_at >= $2::date
      AND NOT EXISTS (SELECT FROM challans o WHERE o.subadmin_id = $1 AND o.deleted_at IS NULL AND o.tp_key = c.tp_key AND o.id <> c.id)
  )
  SELECT tp_no AS "tpNo", hsd_amount::text AS "hsdAmount", vehicle_no AS "vehicleNo", loading_on::text AS "loadedOn",
    petrol_pump_id AS "pumpId"
  FROM open
  WHERE petrol_pump_id = (SELECT petrol_pump_id FROM open GROUP BY petrol_pump_id ORDER BY count(*) DESC, petrol_pump_id LIMIT 1)
  ORDER BY loading_at, challan_number LIMIT 18`;
