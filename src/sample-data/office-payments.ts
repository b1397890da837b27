import { createHash } from 'node:crypto';
import { addDays, dayOf } from '../shared/calc/dates.ts';
import { orderOfTexts, usualOrder } from '../shared/contract/challan-order.ts';
import { printStatement } from '../server/features/accounting/owner-statements.service.ts';
import { setChallanHold, setOwnerHold } from '../server/features/challans/holds.service.ts';
import { ownerWrites } from '../server/features/master-data/records.service.ts';
import { markPaid } from '../server/features/payments/payments.service.ts';
import { preparePayment, sendBack } from '../server/features/payments/prepared-payments.service.ts';
import { shareReport } from '../server/features/shared-reports/shared-reports.service.ts';
import type { Office, Work } from './office-people.ts';

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
export async function payOwners(work: Work, { owner, accountant, clerk }: Office, now: Date): Promise<string> {
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
