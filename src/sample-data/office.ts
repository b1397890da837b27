import { createPool } from '../server/db/pool.ts';
import { withTenant } from '../server/db/tenant.ts';
import { copyOwners } from '../server/features/owners/owners-copy.service.ts';
import { callerOf } from './month-end.ts';
import { joinOffice, type Office, type Work } from './office-people.ts';
import type { Tenant } from './tenants.ts';
import { addDays, dayOf, formatDate } from '../shared/calc/dates.ts';
import { contract } from '../shared/contract/index.ts';
import { createMany } from '../server/features/challans/challans-create.service.ts';
import { createHash } from 'node:crypto';
import { tpKey } from '../shared/calc/keys.ts';
import { add } from '../shared/calc/money.ts';
import { acceptHsdRows } from '../server/features/hsd/hsd-bills.service.ts';
import { compareHsdFile, verifyHsd, type ReadFile } from '../server/features/hsd/hsd-verification.service.ts';
import { orderOfTexts, usualOrder } from '../shared/contract/challan-order.ts';
import { printStatement } from '../server/features/accounting/owner-statements.service.ts';
import { setChallanHold, setOwnerHold } from '../server/features/challans/holds.service.ts';
import { bankAccountWrites, ownerWrites } from '../server/features/master-data/records.service.ts';
import { markPaid } from '../server/features/payments/payments.service.ts';
import { preparePayment, sendBack } from '../server/features/payments/prepared-payments.service.ts';
import { shareReport } from '../server/features/shared-reports/shared-reports.service.ts';
import { lineReference } from '../shared/bank/lines.ts';
import { shippedLayouts } from '../shared/bank/shipped-layouts.ts';
import type { AnswerItem } from '../shared/contract/bank-answers.ts';
import {
  importStatement,
  proposeFromStatements,
  setAside,
} from '../server/features/bank/account-statements.service.ts';
import { acceptAnswers } from '../server/features/bank/bank-answers.service.ts';
import { checkBankFile, createBankFile } from '../server/features/bank/bank-files.service.ts';
import { createBankLayout } from '../server/features/bank/bank-layouts.service.ts';

/**
 * Does in a loaded business what an office does from day to day, so that a newcomer sees no list of the first business empty.
 * The product itself does it, with its own clock and ids, like the end of the month (month-end.ts), which comes before it.
 */
export async function fillSampleOffice(
  adminUrl: string,
  appUrl: string,
  [first, second]: readonly Tenant[],
  now: Date,
): Promise<void> {
  if (!first || !second) throw new Error('Owners are copied between two businesses');
  const office = await joinOffice(adminUrl, first, now);
  const pool = createPool(appUrl, { max: 2, statementTimeoutMs: 120_000 });
  const workOf =
    ({ id }: Tenant): Work =>
    (work) =>
      withTenant(pool, id, 'write', work);
  const work = workOf(first);
  try {
    await enterTrips(work, office, now);
    await checkPumpBill(work, office, now);
    const paymentId = await payOwners(work, office, now);
    await sendToBank(work, office, paymentId, now);
    // Every sixteenth owner works for both businesses, but not these.
    const theirs = (of: Tenant) => of.owners.slice(1, 4).map(({ id }) => id);
    await work((db) => copyOwners(db, office.owner, theirs(second)));
    await workOf(second)((db) => copyOwners(db, callerOf(second), theirs(first)));
  } finally {
    await pool.end();
  }
}

/** What the first driver was advanced is more than the trip earns, so that its owner owes the business something. */
const largeAdvance = { advanceMoney: '95000.00' };

/**
 * Enters the trips that were loaded yesterday, on an entry sheet: those of a week before once more, with other numbers. The
 * others of yesterday are not typed in yet, as the papers of most trips come some days later.
 */
async function enterTrips(work: Work, { clerk }: Office, now: Date): Promise<void> {
  const today = dayOf(now);
  const yesterday = addDays(today, -1);
  await work(async (db) => {
    const trips = await db.records<Record<string, unknown>>(loadedOn, [db.tenantId, addDays(yesterday, -7)]);
    const rows = trips.map((trip, index) => {
      const day = {
        loadingDate: yesterday,
        unloadingDate: yesterday,
        depositedAt: today,
        ...(index === 0 && largeAdvance),
      };
      const tpNo = `Y9${String(index + 1).padStart(6, '0')}`;
      return { key: tpNo, input: contract.challans.create.body.parse({ ...trip, ...day, tpNo }) };
    });
    if (rows.length > 0) await createMany(db, clerk, { rows, mode: 'valid' });
  });
}

const loadedOn = `
  SELECT c.owner_id AS "ownerId", c.tag_id AS "tagId", c.petrol_pump_id AS "petrolPumpId", c.vehicle_no AS "vehicleNo",
    c.material, o.name AS "ownerName", o.contact_number AS "ownerContactNumber", c.loading_place AS "loadingPlace",
    c.unloading_place AS "unloadingPlace", c.loading_weight::text AS "loadingWeight", c.unloading_weight::text AS "unloadingWeight",
    c.discount_weight::text AS "discountWeight", c.rate_per_mt::text AS "ratePerMT", c.tds_percentage::text AS "tdsPercentage",
    c.hsd_price_per_liter::text AS "hsdPricePerLiter", c.hsd_in_liters::text AS "hsdInLiters",
    c.advance_money::text AS "advanceMoney", c.office_charges::text AS "officeCharges",
    c.material_shortage_amount::text AS "materialShortageAmount", c.vehicle_type AS "vehicleType", c.driver_name AS "driverName"
  FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
  WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.loading_on = $2::date AND c.tag_id IS NOT NULL
    AND c.tds_percentage > 0
  ORDER BY c.challan_number LIMIT 120`;

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
async function checkPumpBill(work: Work, { accountant }: Office, now: Date): Promise<void> {
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

/** An owner with its oldest unpaid challans. */
interface Owed {
  ownerId: string;
  challanIds: string[];
}

/** How many of the owners that are owed most get what. */
const shares = { paid: 10, waits: 5, sentBack: 2 };

/**
 * Pays some owners, prepares payments for others, and does what stands between an owner and its money: holds, what an owner owes
 * and is carried, and a changed account. Returns the payment that goes to the bank.
 */
async function payOwners(work: Work, { owner, accountant, clerk }: Office, now: Date): Promise<string> {
  const owed = await work((db) => db.records<Owed>(oldestOwed, [db.tenantId]));
  const take = (count: number): string[] => owed.splice(0, count).flatMap(({ challanIds }) => challanIds);
  const pay = (challanIds: string[]) => ({ challanIds, paysNegative: false, carries: [] });

  const { batchId } = await work((db) => markPaid(db, accountant, pay(take(shares.paid))));
  await work((db) => preparePayment(db, accountant, { pay: pay(take(shares.waits)) }));
  const { id } = await work((db) => preparePayment(db, accountant, { pay: pay(take(shares.sentBack)) }));
  await work((db) => sendBack(db, owner, id, 'Wait for the shortage slip of Thursday'));
  await work(async (db) => {
    const [below] = await db.records<Owed & { amount: string }>(belowZero, [db.tenantId]);
    if (!below) throw new Error('Some challan of the sample data is below zero');
    const { ownerId, amount, challanIds } = below;
    await markPaid(db, accountant, { ...pay(challanIds), carries: [{ ownerId, amount }] });
  });

  const [held, disputed, changed, shared] = owed;
  if (!held || !disputed || !changed || !shared) throw new Error('More owners are owed something');
  await work((db) => setOwnerHold(db, accountant, held.ownerId, { reason: 'PAN is not linked with Aadhaar' }));
  await work((db) =>
    setChallanHold(db, accountant, disputed.challanIds[0] ?? '', { reason: 'Weighment slip is missing' }),
  );
  await work((db) => ownerWrites.update(db, clerk, changed.ownerId, { accountNo: '30512277841', ifsc: 'SBIN0004521' }));

  const period = { startDate: addDays(dayOf(now), -45), endDate: dayOf(now) };
  await work((db) => printStatement(db, accountant, { ownerId: shared.ownerId, ...period }));
  await work((db) => {
    const filter = { ownerId: shared.ownerId, depositedStartDate: period.startDate, depositedEndDate: period.endDate };
    // Nobody knows an address with this hash: the link is listed and can be revoked, and a new one can be made.
    const link = { tokenHash: createHash('sha256').update(`sample ${now.toISOString()}`).digest(), address: '' };
    return shareReport(db, owner, filter, orderOfTexts(usualOrder), link);
  });
  if (batchId === null) throw new Error('What is owed was paid');
  return batchId;
}

const unpaid = `c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status AND c.hold_reason = ''
    AND c.deposited_at IS NOT NULL`;
const oldestOwed = `
  SELECT c.owner_id AS "ownerId", (array_agg(c.id ORDER BY c.deposited_at, c.challan_number))[1:6] AS "challanIds"
  FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id AND o.deleted_at IS NULL AND o.ifsc <> ''
  WHERE ${unpaid} AND c.net_amount_payable > 0
  GROUP BY c.owner_id ORDER BY sum(c.net_amount_payable) DESC, c.owner_id
  LIMIT ${shares.paid + shares.waits + shares.sentBack + 4}`;
const belowZero = `
  SELECT c.owner_id AS "ownerId", ARRAY[c.id] AS "challanIds", (-c.net_amount_payable)::text AS amount
  FROM challans c WHERE ${unpaid} AND c.net_amount_payable < 0 ORDER BY c.deposited_at, c.id LIMIT 1`;

const limits = { fileLimit: '0.00', rtgsFloor: '200000.00', impsCeiling: '500000.00' };
const accounts = {
  current: {
    name: 'State Bank, Barbil',
    accountNo: '38840012765',
    ifsc: 'SBIN0002014',
    layout: 'B',
    clientCode: 'TARINI',
  },
  second: {
    name: 'HDFC, Keonjhar',
    accountNo: '50200061234577',
    ifsc: 'HDFC0002391',
    layout: 'A',
    clientCode: 'TARINI2',
  },
} as const;

type Answer = Pick<AnswerItem, 'outcome' | 'reason'>;
const executed: Answer = { outcome: 'executed', reason: '' };
/** What the bank answers to the lines of the file, in their order; the lines after these have no answer. */
const answers: readonly (readonly Answer[])[] = [
  [executed],
  [executed],
  [executed],
  [executed],
  [{ outcome: 'failed', reason: 'ACCOUNT CLOSED' }],
  [executed, { outcome: 'returned', reason: 'BENEFICIARY NAME DIFFERS' }],
];

/** Lines of the account's statement that are no payment to an owner. The last one is set aside. */
const others = [
  { narration: 'CHQ DEP TATA STEEL LTD JODA', out: '', in: '485000.00' },
  { narration: 'ATM WDL BARBIL', out: '10000.00', in: '' },
  { narration: 'SMS CHARGES QTR', out: '17.70', in: '' },
];

/** Sends a payment to the bank, records its answers, and brings in a statement of the account with lines that nobody has matched. */
async function sendToBank(work: Work, office: Office, batchId: string, now: Date): Promise<void> {
  const { owner, accountant } = office;
  const [day, layoutId] = [dayOf(now), accounts.current.layout];
  const { id: bankAccountId } = await work((db) =>
    bankAccountWrites.create(db, owner, { ...accounts.current, ...limits }),
  );
  const second = await work((db) => bankAccountWrites.create(db, owner, { ...accounts.second, ...limits }));
  await work((db) => bankAccountWrites.update(db, accountant, second.id, { ifsc: 'HDFC0002319' }));
  const { definition } = shippedLayouts[layoutId];
  await work((db) => createBankLayout(db, { name: 'As the branch in Barbil wants it', definition }));

  const file = await work(async (db) => {
    const batchIds = [batchId];
    const { lines } = await checkBankFile(db, { batchIds, bankAccountId });
    const asked = lines.map(({ ownerId, amount, route }) => ({ batchId, ownerId, amount, route, isConfirmed: true }));
    const { id } = await createBankFile(db, accountant, {
      batchIds,
      bankAccountId,
      layoutId,
      valueOn: day,
      lines: asked,
    });
    return { id, lines };
  });
  const items = answers.flatMap((given, index) =>
    given.map((answer, nth) => ({
      ...answer,
      fileId: file.id,
      lineNo: index + 1,
      utr: answer.outcome === 'failed' ? '' : `SBIN${day.replaceAll('-', '').slice(2)}${index + 1}${nth}0417`,
      day,
      statementLineId: null,
    })),
  );
  const isReturn = ({ outcome }: Answer): boolean => outcome === 'returned';
  const answered = (fileName: string, its: typeof items) => ({ source: 'reverse file' as const, fileName, items: its });
  const firstFile = answered(
    'TARINI.R01',
    items.filter((item) => !isReturn(item)),
  );
  await work((db) => acceptAnswers(db, accountant, firstFile));
  await work((db) => acceptAnswers(db, accountant, answered('TARINI.R02', items.filter(isReturn))));

  // The next line is in the statement too, so that a match is proposed.
  const next = file.lines[answers.length];
  const reference = next && lineReference(next.paymentNumber, answers.length + 1, definition);
  const booked = next ? [{ narration: `NEFT DR ${reference} ${next.name}`, out: next.amount, in: '' }] : [];
  const rows = [
    ['Date', 'Narration', 'Chq./Ref.No.', 'Withdrawal Amt.', 'Deposit Amt.'],
    ...[...booked, ...others].map(({ narration, out, ...line }) => [formatDate(day), narration, '', out, line.in]),
  ];
  await work((db) => importStatement(db, accountant, { bankAccountId, fileName: 'statement.csv', rows }));
  await work(async (db) => {
    const { data } = await proposeFromStatements(db, bankAccountId);
    const charges = data.flatMap(({ statementLine: line }) =>
      line?.narration === others.at(-1)?.narration ? (line?.id ?? []) : [],
    );
    await setAside(db, accountant, charges, { isAside: true, note: 'Charges of the bank' });
  });
}
