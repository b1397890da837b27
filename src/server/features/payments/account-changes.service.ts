import { formatDate } from '../../../shared/calc/dates.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { ChangedAccount } from '../../../shared/contract/bank-statement.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { insertHistory } from '../history/history.queries.ts';
import { fieldRefusal, notFound, Refusal } from '../../refusal.ts';
import { requireRight } from '../../seat.ts';
import {
  lockChanges,
  selectBlockingChanges,
  selectChangedAccounts,
  selectPaidChanges,
  updateConfirmed,
  type StoredChange,
} from './account-changes.queries.ts';
import type { Preparation } from './payment-preparation.queries.ts';
import { selectColleagues, type selectPaymentChecks } from './release-rules.queries.ts';
import { isOnePerson, requireRelease, whyToRelease } from './release-rules.service.ts';

/** Changed accounts of owners and paying accounts: no money goes to or from one before somebody else has confirmed it (docs/specification.md §28.7). */

export const shownAccount = ({ changedById, ...account }: StoredChange, caller: Caller): ChangedAccount => ({
  ...account,
  isOwn: changedById === caller.accountId,
});

/** Returns whose changed accounts the caller may confirm, by their ids. */
export async function accountsToConfirm(
  db: TenantDb,
  caller: Caller,
): Promise<{ owners: string[]; bankAccounts: string[] }> {
  const changed = (await selectChangedAccounts(db)).filter(({ isBlocking }) => isBlocking);
  const people = changed.length === 0 ? [] : await selectColleagues(db);
  const waiting = changed.filter(({ changedById }) => !isOnePerson(changedById, caller.accountId, people));
  const idsOf = (of: (record: string) => boolean): string[] =>
    waiting.filter(({ record }) => of(record)).map(({ id }) => id);
  return { owners: idsOf((record) => record === 'owner'), bankAccounts: idsOf((record) => record !== 'owner') };
}

/** Why a payment to this owner, or a bank file of this paying account, is refused. */
const whyUnconfirmed = ({ record, name, changedAt, changedBy }: StoredChange): string =>
  `The account of ${name} was changed on ${formatDate(changedAt)} by ${changedBy} and is not confirmed. Confirm it under ${
    record === 'owner' ? 'Owners first; a payment can be prepared meanwhile' : 'Bank Accounts first'
  }.`;

/**
 * The one gate of payments (docs/specification.md §28.6, §28.7). `rule` was read after the challans were locked. It is asked after
 * the ledger was written, so that it counts what is really done; its refusal takes everything back. Nobody confirms the account of an
 * import, which records what was transferred in the past. What is paid again because an answer of the bank is undone is at the bank
 * already, so no limit counts it.
 * @throws Refusal FORBIDDEN above a limit, or when an owner is paid whose changed account nobody has confirmed
 */
export async function requireChecks(
  db: TenantDb,
  caller: Caller,
  { rule, isChanged }: Awaited<ReturnType<typeof selectPaymentChecks>>,
  { isImport = false, isAtBank = false } = {},
): Promise<void> {
  if (!isAtBank) await requireRelease(db, caller, rule);
  if (isImport || !isChanged || caller.release === 'review') return;
  const [change] = await selectPaidChanges(db, caller);
  if (change) throw new Refusal('FORBIDDEN', whyUnconfirmed(change));
}

/**
 * A bank file asks for its paying account, and for owners whose account of today it uses in place of the one that the payment froze.
 * @throws Refusal FORBIDDEN when one of these has a changed account that nobody has confirmed
 */
export async function requireConfirmedToday(db: TenantDb, ids: readonly string[]): Promise<void> {
  const [change] = await selectBlockingChanges(db, ids);
  if (change) throw new Refusal('FORBIDDEN', whyUnconfirmed(change));
}

/** @throws Refusal FORBIDDEN for who has changed it, or counts as one person with who has; NOT_FOUND when nothing waits */
export async function confirmAccount(
  db: TenantDb,
  caller: Caller,
  id: string,
  { lastFour, called }: BodyOf<typeof contract.preparedPayments.confirmAccount>,
): Promise<void> {
  requireRight(caller, 'pay');
  const open = await lockChanges(db, id);
  if (!open) throw notFound('Changed account');
  const people = await selectColleagues(db);
  if (open.changedBy.includes(caller.accountId))
    throw new Refusal('FORBIDDEN', 'You changed this account yourself. Somebody else confirms it.');
  if (open.changedBy.some((by) => isOnePerson(by, caller.accountId, people)))
    throw new Refusal(
      'FORBIDDEN',
      'One of you gave the other a link within the last 24 hours. Somebody else confirms it, or you do after that.',
    );
  if (lastFour !== open.accountNo.slice(-4))
    throw fieldRefusal('VALIDATION_ERROR', 'lastFour', 'These are not the last four digits of the account.');
  await updateConfirmed(db, caller, open.changes, called);
  const action = `confirmed the account, called ${called}`;
  await insertHistory(db, caller, { entity: open.record, entityId: id, action });
}

/** What stands against the payment that is prepared: the reason, and the owners that it pays with a changed account. */
export async function checksOf(
  db: TenantDb,
  caller: Caller,
  { paid_amount: amount, changed_ids: changedIds }: Preparation,
): Promise<{ needsRelease: string | null; changedAccounts: ChangedAccount[] }> {
  const all = changedIds.length === 0 ? [] : await selectChangedAccounts(db);
  const changed = all.filter(({ id }) => changedIds.includes(id));
  const blocking = changed.find((account) => account.isBlocking);
  return {
    needsRelease: blocking ? whyUnconfirmed(blocking) : await whyToRelease(db, caller, amount),
    changedAccounts: changed.map((account) => shownAccount(account, caller)),
  };
}
