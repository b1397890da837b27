import { mayRelease, nothingMatches } from '../../../shared/access.ts';
import { countText, namesText } from '../../../shared/calc/count-text.ts';
import { compare, formatINR, sum } from '../../../shared/calc/money.ts';
import type {
  LeaveOut,
  PreparedAct,
  PreparedOwner,
  PreparedPayment,
  PreparedState,
  ReleaseRule,
} from '../../../shared/contract/prepared-payments.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { fieldRefusal, notFound, Refusal } from '../../refusal.ts';
import { requireAllowed, requireRight } from '../../seat.ts';
import { takePreparedNumber } from '../../sql/counters.ts';
import type { Page, Paging } from '../../sql/paging.ts';
import { changeMany } from '../challans/challans-bulk.service.ts';
import { choiceOf, markPaid, payChallans } from './payments.service.ts';
import { reverseBatch } from './payment-batches.service.ts';
import {
  insertPrepared,
  lockPrepared,
  selectOpenPrepared,
  selectPrepared,
  selectPreparedOwners,
  selectPreparedPage,
  selectReviewed,
  tryOut,
  updateDecided,
  updateLeftOut,
  type LockedPrepared,
  type ReviewedOwner,
  type StoredPrepared,
  type UnusualFacts,
} from './prepared-payments.queries.ts';
import { selectColleagues, selectReleaseRule, type Colleague } from './release-rules.queries.ts';
import { isOnePerson, requireReleaser } from './release-rules.service.ts';

/**
 * What one person prepares and another releases (docs/specification.md §28.6). A prepared act is a call that is stored and
 * made later: to review it, it is made and taken back; to release it, it is made, and stays if it did what was reviewed.
 */

/** What an act pays, or takes back. */
interface Reviewed {
  owners: ReviewedOwner[];
  challans: number;
  amount: string;
  /** What is transferred to owners, so that one below zero does not lower it. */
  transferred: string;
}

const reviewedOf = (owners: ReviewedOwner[]): Reviewed => {
  const amounts = owners.map(({ amount }) => amount);
  return {
    owners,
    challans: owners.reduce((count, { challanIds }) => count + challanIds.length, 0),
    amount: sum(amounts),
    transferred: sum(amounts.filter((amount) => compare(amount, '0') > 0)),
  };
};

/** Makes the call. Returns the payment that it made or took back; null: it found nothing to do. */
async function perform(db: TenantDb, releasing: Caller, act: PreparedAct): Promise<string | null> {
  const paid = act.pay ?? act.payMatching;
  if (paid) return (await markPaid(db, releasing, paid)).batchId;
  if (act.change) return (await changeMany(db, releasing, act.change)).payment?.batchId ?? null;
  if (act.reverse) {
    const { id, reason, bankLines } = act.reverse;
    return (await reverseBatch(db, releasing, id, reason, bankLines)).id;
  }
  throw new Error('A prepared act names what is done');
}

async function reviewedIn(
  db: TenantDb,
  act: PreparedAct,
  batchId: string | null,
): Promise<Reviewed & { batchId: string }> {
  if (batchId === null) throw new Refusal('NO_MATCHING_CHALLANS', nothingMatches);
  return { ...reviewedOf(await selectReviewed(db, batchId, act.reverse ? 'reverse' : 'pay')), batchId };
}

/**
 * The release of a payment: the challans that were reviewed, of these owners, however they were chosen. What has come to a filter
 * since is not in it.
 */
async function pay(
  db: TenantDb,
  caller: Caller,
  act: PreparedAct,
  owners: readonly ReviewedOwner[],
): Promise<string | null> {
  const { paysNegative = false, carries = [] } = act.pay ?? act.payMatching ?? {};
  const kept = new Set(owners.map(({ ownerId }) => ownerId));
  const payment = await payChallans(
    db,
    { ...caller, release: 'release' },
    choiceOf({
      challanIds: owners.flatMap(({ challanIds }) => challanIds),
      paysNegative,
      carries: carries.filter(({ ownerId }) => kept.has(ownerId)),
    }),
  );
  return payment.batchId;
}

export async function preparePayment(db: TenantDb, caller: Caller, act: PreparedAct): Promise<PreparedPayment> {
  requireRight(caller, 'pay');
  const reviewed = await tryOut(db, async () =>
    reviewedIn(db, act, await perform(db, { ...caller, release: 'review' }, act)),
  );
  await requireReleaser(db, caller, reviewed.transferred);
  const { challans, amount, owners } = reviewed;
  const id = await insertPrepared(db, caller, { number: await takePreparedNumber(db), act, challans, amount, owners });
  return getPrepared(db, caller, id);
}

/**
 * @throws Refusal FORBIDDEN for one's own, or above what the seat releases; SELECTION_CHANGED when it would do something else
 * than was reviewed; ALREADY_DECIDED
 */
export async function releasePrepared(
  db: TenantDb,
  caller: Caller,
  id: string,
  leaveOut?: LeaveOut,
): Promise<PreparedPayment> {
  const prepared = await lockOpen(db, id);
  const left = leaveOut?.ownerIds ?? [];
  const kept = reviewedOf(keptOwners(prepared, left));
  const [people, rule] = await Promise.all([selectColleagues(db), selectReleaseRule(db)]);
  requireAnother(caller, prepared, people);
  // The seat of now, and not the one with which the call began.
  const self = people.find((person) => person.id === caller.accountId);
  if (!self?.isLive) throw new Refusal('FORBIDDEN', 'You may not do this any more. Ask an owner.');
  const release = (amount: string): void => requireAllowed(mayRelease(self.seat, rule ?? noLimits, amount));
  // Of the whole: parts, one after the other, must not go round the limit of an accountant.
  release(reviewedOf(prepared.owners).transferred);
  const { act } = prepared;
  if (act.reverse && leaveOut)
    throw fieldRefusal('VALIDATION_ERROR', 'leaveOut', 'An undo is released whole. Release it, or send it back.');
  const batchId = act.reverse
    ? await perform(db, { ...caller, release: 'release' }, act)
    : await pay(db, caller, act, kept.owners);
  const done = await reviewedIn(db, act, batchId);
  refuseChanged(prepared, kept, done);
  await updateLeftOut(db, id, left);
  await updateDecided(db, caller, id, {
    state: 'released',
    reason: leaveOut?.reason,
    batchId: act.reverse ? null : done.batchId,
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

/** @throws Refusal NOT_FOUND for an owner that is not in it, VALIDATION_ERROR where nothing is left */
function keptOwners({ owners }: LockedPrepared, leftOut: readonly string[]): ReviewedOwner[] {
  const out = new Set(leftOut);
  const kept = owners.filter(({ ownerId }) => !out.has(ownerId));
  if (kept.length !== owners.length - out.size) throw notFound('Owner');
  if (kept.length > 0) return kept;
  throw fieldRefusal('VALIDATION_ERROR', 'leaveOut.ownerIds', 'Nothing is left to release. Send it back instead.');
}

/**
 * Compares what would be done with what was reviewed, owner by owner.
 * @throws Refusal SELECTION_CHANGED with both
 */
function refuseChanged({ number, act }: LockedPrepared, reviewed: Reviewed, now: Reviewed): void {
  const before = new Map(reviewed.owners.map((owner) => [owner.ownerId, owner]));
  const changed = now.owners.filter(({ ownerId, fingerprint }) => before.get(ownerId)?.fingerprint !== fingerprint);
  const seen = new Set(now.owners.map(({ ownerId }) => ownerId));
  const all = [...changed, ...reviewed.owners.filter(({ ownerId }) => !seen.has(ownerId))];
  if (all.length === 0) return;
  const names = namesText(
    all.map(({ name }) => name),
    'owner',
  );
  const text = ({ challans, owners, amount }: Reviewed): string =>
    `${countText(challans, 'challan')} of ${countText(owners.length, 'owner')}, ${formatINR(amount)}`;
  const isSame = text(reviewed) === text(now);
  const nextStep =
    !act.reverse && all.length < reviewed.owners.length ? 'Leave them out, or send it back.' : 'Send it back.';
  throw new Refusal(
    'SELECTION_CHANGED',
    isSame
      ? `Challans or accounts have changed since ${number} was prepared, so nothing was done: ${names}. ${nextStep}`
      : `${number} was prepared for ${text(reviewed)}; now it would be ${text(now)}, because of ${names}. Nothing was done. ${nextStep}`,
    { data: { count: now.challans, totalAmount: now.amount } },
  );
}

const changedText = 'Account changed in the last 14 days, or not confirmed';
const twinsText = (twins: number): string => `${countText(twins, 'challan')} with a TP No that another challan has too`;

/** What is unusual about a payment, a sentence each (docs/specification.md §28.6). */
function unusualTexts({ changed, neverPaid, largest, twins }: UnusualFacts, amount: string): string[] {
  return [
    ...(changed.length > 0 ? [`${changedText}: ${namesText(changed, 'owner')}`] : []),
    ...(neverPaid > 0 ? [`${countText(neverPaid, 'owner')} never paid before`] : []),
    ...(largest !== null && compare(amount, largest) > 0
      ? [`More than the largest payment of the last twelve weeks, ${formatINR(largest)}`]
      : []),
    ...(twins > 0 ? [twinsText(twins)] : []),
  ];
}

/** @throws Refusal NOT_FOUND */
export async function listPreparedOwners(db: TenantDb, id: string, paging: Paging): Promise<Page<PreparedOwner>> {
  const { data, pagination } = await selectPreparedOwners(db, id, paging);
  // A prepared payment has at least one owner.
  if (pagination.totalCount === 0) throw notFound('Prepared payment');
  return {
    data: data.map(({ isChanged, isNeverPaid, twins, ...owner }) => ({
      ...owner,
      unusual: [
        ...(isChanged ? [changedText] : []),
        ...(isNeverPaid ? ['Never paid before'] : []),
        ...(twins > 0 ? [twinsText(twins)] : []),
      ],
    })),
    pagination,
  };
}

export async function listPrepared(
  db: TenantDb,
  caller: Caller,
  query: Parameters<typeof selectPreparedPage>[1],
): Promise<Page<PreparedPayment>> {
  const [{ data, pagination }, shown] = await Promise.all([selectPreparedPage(db, query), shownTo(db, caller)]);
  return { data: data.map(shown), pagination };
}

/** Returns how many prepared payments wait, and how many of them the caller may release. */
export async function countPrepared(db: TenantDb, caller: Caller): Promise<{ prepared: number; releases: number }> {
  const open = await selectOpenPrepared(db);
  if (open.length === 0) return { prepared: 0, releases: 0 };
  const [people, rule = noLimits] = await Promise.all([selectColleagues(db), selectReleaseRule(db)]);
  const { length: releases } = open.filter(
    ({ createdBy, amount }) =>
      mayRelease(caller.seat, rule, amount).allowed && reasonOfOwn(caller, createdBy, people) === null,
  );
  return { prepared: open.length, releases };
}

async function getPrepared(db: TenantDb, caller: Caller, id: string): Promise<PreparedPayment> {
  const [prepared, shown] = await Promise.all([selectPrepared(db, id), shownTo(db, caller)]);
  // Safe: the act was just written.
  return shown(prepared!);
}

/** Returns a function that adds to a prepared act whether it is the caller's own, and why the caller may not release it. */
async function shownTo(db: TenantDb, caller: Caller): Promise<(prepared: StoredPrepared) => PreparedPayment> {
  const [people, rule = noLimits] = await Promise.all([selectColleagues(db), selectReleaseRule(db)]);
  return ({ createdBy, facts, transferred, ...prepared }) => {
    const permission = mayRelease(caller.seat, rule, transferred);
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
