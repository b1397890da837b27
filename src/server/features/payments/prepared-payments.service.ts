import { mayRelease, nothingMatches } from '../../../shared/access.ts';
import { countText } from '../../../shared/calc/count-text.ts';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import type {
  PreparedAct,
  PreparedPayment,
  PreparedState,
  ReleaseRule,
} from '../../../shared/contract/prepared-payments.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { requireAllowed, requireRight } from '../../seat.ts';
import { takePreparedNumber } from '../../sql/counters.ts';
import { changeMany } from '../challans/challans-bulk.service.ts';
import { choiceOf, markPaid } from './bank-statement.service.ts';
import { reverseBatch } from './payment-batches.service.ts';
import {
  insertPrepared,
  lockPrepared,
  selectPrepared,
  selectPreparedPage,
  selectReviewed,
  tryOut,
  updateDecided,
  type LockedPrepared,
  type Reviewed,
  type StoredPrepared,
  type UnusualFacts,
} from './prepared-payments.queries.ts';
import { selectColleagues, selectReleaseRule, type Colleague } from './release-rules.queries.ts';
import { isOnePerson, requireReleaser } from './release-rules.service.ts';

/**
 * What one person prepares and another releases (docs/specification.md §28.6). A prepared act is a call that is stored and
 * made later: to review it, it is made and taken back; to release it, it is made, and stays if it did what was reviewed.
 */

/** Makes the call. Returns the payment that it made or took back; null: it found nothing to do. */
async function perform(db: TenantDb, releasing: Caller, act: PreparedAct): Promise<string | null> {
  if (act.pay) return (await markPaid(db, releasing, choiceOf(act.pay))).batchId;
  if (act.payMatching)
    return (await markPaid(db, releasing, choiceOf(act.payMatching), act.payMatching.expected)).batchId;
  if (act.change) return (await changeMany(db, releasing, act.change)).payment?.batchId ?? null;
  if (act.reverse) {
    const { id, reason, bankLines } = act.reverse;
    return (await reverseBatch(db, releasing, id, reason, bankLines)).id;
  }
  throw new Error('A prepared act names what is done');
}

async function performed(
  db: TenantDb,
  caller: Caller & { release: 'review' | 'release' },
  act: PreparedAct,
): Promise<Reviewed & { batchId: string }> {
  const batchId = await perform(db, caller, act);
  if (batchId === null) throw new Refusal('NO_MATCHING_CHALLANS', nothingMatches);
  return { ...(await selectReviewed(db, batchId, act.reverse ? 'reverse' : 'pay')), batchId };
}

export async function preparePayment(db: TenantDb, caller: Caller, act: PreparedAct): Promise<PreparedPayment> {
  requireRight(caller, 'pay');
  const reviewed = await tryOut(db, () => performed(db, { ...caller, release: 'review' }, act));
  await requireReleaser(db, caller, reviewed.transferred);
  const id = await insertPrepared(db, caller, { number: await takePreparedNumber(db), act, reviewed });
  return getPrepared(db, caller, id);
}

/**
 * @throws Refusal FORBIDDEN for one's own, or above what the seat releases; SELECTION_CHANGED when it would do something else
 * than was reviewed; ALREADY_DECIDED
 */
export async function releasePrepared(db: TenantDb, caller: Caller, id: string): Promise<PreparedPayment> {
  const prepared = await lockOpen(db, id);
  const [people, rule] = await Promise.all([selectColleagues(db), selectReleaseRule(db)]);
  requireAnother(caller, prepared, people);
  // The seat of now, and not the one with which the call began.
  const self = people.find((person) => person.id === caller.accountId);
  if (!self?.isLive) throw new Refusal('FORBIDDEN', 'You may not do this any more. Ask an owner.');
  const release = (amount: string): void => requireAllowed(mayRelease(self.seat, rule ?? noLimits, amount));
  release(prepared.reviewed.amount);
  const done = await performed(db, { ...caller, release: 'release' }, prepared.act);
  release(done.transferred);
  if (done.fingerprint !== prepared.reviewed.fingerprint) throw changedSince(prepared, done);
  await updateDecided(db, caller, id, {
    state: 'released',
    batchId: prepared.act.reverse ? null : done.batchId,
  });
  return getPrepared(db, caller, id);
}

const noLimits: Pick<ReleaseRule, 'accountantUpTo'> = { accountantUpTo: null };

export async function sendBack(db: TenantDb, caller: Caller, id: string, reason: string): Promise<PreparedPayment> {
  requireRight(caller, 'pay');
  const prepared = await lockOpen(db, id);
  if (prepared.createdBy === caller.accountId)
    throw new Refusal('FORBIDDEN', 'You prepared this yourself. Withdraw it instead.');
  await updateDecided(db, caller, id, { state: 'sent-back', reason });
  return getPrepared(db, caller, id);
}

export async function withdraw(db: TenantDb, caller: Caller, id: string): Promise<PreparedPayment> {
  requireRight(caller, 'pay');
  const { createdBy } = await lockOpen(db, id);
  if (createdBy !== caller.accountId)
    throw new Refusal('FORBIDDEN', 'Only who prepared this may withdraw it. Send it back instead.');
  await updateDecided(db, caller, id, { state: 'withdrawn' });
  return getPrepared(db, caller, id);
}

const stateWords: Readonly<Record<Exclude<PreparedState, 'prepared'>, string>> = {
  released: 'was released already',
  'sent-back': 'was sent back',
  withdrawn: 'was withdrawn',
  expired: 'has expired',
};

async function lockOpen(db: TenantDb, id: string): Promise<LockedPrepared> {
  const prepared = await lockPrepared(db, id);
  if (!prepared) throw notFound('Prepared payment');
  if (prepared.state === 'prepared') return prepared;
  throw new Refusal('ALREADY_DECIDED', `${prepared.number} ${stateWords[prepared.state]}.`);
}

function reasonOfOwn(caller: Caller, createdBy: string, people: readonly Colleague[]): string | null {
  if (createdBy === caller.accountId) return 'You prepared this yourself. Somebody else releases it.';
  if (!isOnePerson(createdBy, caller.accountId, people)) return null;
  return 'One of you gave the other a link within the last 24 hours. Somebody else releases it, or you do after that.';
}

function requireAnother(caller: Caller, { createdBy }: LockedPrepared, people: readonly Colleague[]): void {
  const reason = reasonOfOwn(caller, createdBy, people);
  if (reason !== null) throw new Refusal('FORBIDDEN', reason);
}

function changedSince({ number, reviewed }: LockedPrepared, now: Reviewed): Refusal {
  const text = ({ challans, owners, amount }: LockedPrepared['reviewed']): string =>
    `${countText(challans, 'challan')} of ${countText(owners, 'owner')}, ${formatINR(amount)}`;
  const isSame = text(reviewed) === text(now) && compare(reviewed.amount, now.amount) === 0;
  return new Refusal(
    'SELECTION_CHANGED',
    isSame
      ? `Challans or accounts of ${number} have changed since it was prepared, so nothing was done. Send it back.`
      : `${number} was prepared for ${text(reviewed)}; now it would be ${text(now)}. Nothing was done. Send it back.`,
    { data: { count: now.challans, totalAmount: now.amount } },
  );
}

const mostNames = 3;

/** What is unusual about a payment, a sentence each (docs/specification.md §28.6). */
function unusualTexts({ changed, neverPaid, largest, twins }: UnusualFacts, amount: string): string[] {
  const more = changed.length > mostNames ? ` and ${countText(changed.length - mostNames, 'more owner')}` : '';
  return [
    ...(changed.length > 0
      ? [`Account changed in the last 14 days, or not confirmed: ${changed.slice(0, mostNames).join(', ')}${more}`]
      : []),
    ...(neverPaid > 0 ? [`${countText(neverPaid, 'owner')} never paid before`] : []),
    ...(largest !== null && compare(amount, largest) > 0
      ? [`More than the largest payment of the last twelve weeks, ${formatINR(largest)}`]
      : []),
    ...(twins > 0 ? [`${countText(twins, 'challan')} with a TP No that another challan has too`] : []),
  ];
}

export async function listPrepared(
  db: TenantDb,
  caller: Caller,
  query: Parameters<typeof selectPreparedPage>[1],
): Promise<{ data: PreparedPayment[]; count: number }> {
  const [{ data, count }, shown] = await Promise.all([selectPreparedPage(db, query), shownTo(db, caller)]);
  return { data: data.map(shown), count };
}

async function getPrepared(db: TenantDb, caller: Caller, id: string): Promise<PreparedPayment> {
  const [prepared, shown] = await Promise.all([selectPrepared(db, id), shownTo(db, caller)]);
  // Safe: the act was just written.
  return shown(prepared!);
}

/** Returns a function that adds to a prepared act whether it is the caller's own, and why the caller may not release it. */
async function shownTo(db: TenantDb, caller: Caller): Promise<(prepared: StoredPrepared) => PreparedPayment> {
  const [people, rule = noLimits] = await Promise.all([selectColleagues(db), selectReleaseRule(db)]);
  return ({ createdBy, facts, ...prepared }) => {
    const permission = mayRelease(caller.seat, rule, prepared.amount);
    return {
      ...prepared,
      unusual: facts === null ? [] : unusualTexts(facts, prepared.amount),
      isOwn: createdBy === caller.accountId,
      cannotRelease:
        reasonOfOwn(caller, createdBy, people) ??
        (prepared.state === 'prepared' ? null : `${prepared.number} ${stateWords[prepared.state]}.`) ??
        (permission.allowed ? null : permission.reason),
    };
  };
}
