import { mayReleaseUpTo, mayRelease } from '../../../shared/access.ts';
import { add, compare, formatINR } from '../../../shared/calc/money.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { ReleaseRule, RuleNow } from '../../../shared/contract/prepared-payments.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { insertHistory } from '../history/history.queries.ts';
import { Refusal, versionConflict } from '../../refusal.ts';
import {
  lockReleaseRule,
  selectColleagues,
  selectPaidToday,
  selectReleaseRule,
  selectStoredRule,
  updateNextRule,
  updateReleaseRule,
  type Colleague,
} from './release-rules.queries.ts';

/** Above which amounts a second person releases (docs/specification.md §28.6). */

const off: ReleaseRule = { aboveOne: null, aboveDay: null, accountantUpTo: null };
const isOn = ({ aboveOne, aboveDay }: ReleaseRule): boolean => aboveOne !== null || aboveDay !== null;

const isAbove = (amount: string, limit: string | null): limit is string => limit !== null && compare(amount, limit) > 0;

/** Why a payment of this amount needs a second person; null: it does not. */
function reasonToRelease(rule: ReleaseRule, amount: string, today: string): string | null {
  if (isAbove(amount, rule.aboveOne))
    return `A payment above ${formatINR(rule.aboveOne)} is released by a second person. Prepare it for release in the bank statement.`;
  if (isAbove(today, rule.aboveDay))
    return `With this you would pay more than ${formatINR(rule.aboveDay)} today, which a second person releases. Prepare it for release in the bank statement.`;
  return null;
}

/**
 * The accounts that count as one person with this one: who was let in by a link of the other within 24 hours, over any number
 * of steps. Whoever made the link may have used it.
 */
function selvesOf(id: string, people: readonly Colleague[]): string[] {
  const found = new Set([id]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const person of people)
      if (person.letInBy !== null && (found.has(person.id) || found.has(person.letInBy)))
        found.add(person.id).add(person.letInBy);
  }
  return [...found];
}

export const isOnePerson = (a: string, b: string, people: readonly Colleague[]): boolean =>
  selvesOf(a, people).includes(b);

const paidTodayBy = async (db: TenantDb, caller: Caller) =>
  selectPaidToday(db, selvesOf(caller.accountId, await selectColleagues(db)));

/** @throws Refusal FORBIDDEN when what the transaction has paid is above a limit */
export async function requireRelease(db: TenantDb, caller: Caller, rule: ReleaseRule | null): Promise<void> {
  if (caller.release !== undefined || !rule || !isOn(rule)) return;
  const { largest, today } = await paidTodayBy(db, caller);
  const reason = reasonToRelease(rule, largest, today);
  if (reason !== null) throw new Refusal('FORBIDDEN', reason);
}

/** @throws Refusal FORBIDDEN when an amount above the limit was taken back */
export function requireReleaseOfReversal(
  { release }: Caller,
  rule: ReleaseRule | null | undefined,
  amount: string,
): void {
  if (release !== undefined || !rule || !isAbove(amount, rule.aboveOne)) return;
  throw new Refusal(
    'FORBIDDEN',
    `Taking back more than ${formatINR(rule.aboveOne)} is released by a second person. Undo the whole payment, which can be prepared for release.`,
  );
}

/** Why a payment of this amount would be refused to the caller; null: it would not. */
export async function whyToRelease(db: TenantDb, caller: Caller, amount: string): Promise<string | null> {
  const rule = await selectReleaseRule(db);
  if (rule === undefined || !isOn(rule)) return null;
  const { today } = rule.aboveDay === null ? { today: '0' } : await paidTodayBy(db, caller);
  return reasonToRelease(rule, amount, add(today, amount));
}

/** Who may release something now, whoever has prepared it. */
const releasersOf = (people: readonly Colleague[], rule: ReleaseRule): Colleague[] =>
  people.filter((person) => person.isLive && mayReleaseUpTo(person.seat, rule) !== undefined);

/** @throws Refusal FORBIDDEN when nobody else of the business may release this amount */
export async function requireReleaser(db: TenantDb, { accountId }: Caller, amount: string): Promise<void> {
  const [people, rule = off] = await Promise.all([selectColleagues(db), selectReleaseRule(db)]);
  const others = releasersOf(people, rule).filter(({ id }) => id !== accountId);
  if (others.some(({ seat }) => mayRelease(seat, rule, amount).allowed)) return;
  throw new Refusal(
    'FORBIDDEN',
    `Nobody else of the business may release ${formatINR(amount)}. An owner can add another owner, or let accountants release more.`,
  );
}

/** The rule as it is stored and as it is shown, and the people of the business. */
async function readRule(db: TenantDb, { accountId }: Caller) {
  const [stored, people] = await Promise.all([selectStoredRule(db), selectColleagues(db)]);
  const { rule, next, nextAt, nextBy, nextByName, version } = stored ?? { rule: off, next: null, version: 0 };
  const shown: RuleNow = {
    ...rule,
    next: next && { ...next, by: nextByName ?? '', at: nextAt ?? null, isOwn: nextBy === accountId },
    releasers: releasersOf(people, rule).length,
    version,
  };
  return { rule, stored, people, shown };
}

export const getRule = async (db: TenantDb, caller: Caller): Promise<RuleNow> => (await readRule(db, caller)).shown;

/** Whether `after` lets through what `before` did not: a limit that is higher or gone, or an accountant who releases more. */
function isLooser(before: ReleaseRule, after: ReleaseRule): boolean {
  if (!isOn(before)) return false;
  const isRaised = (from: string | null, to: string | null): boolean =>
    from !== null && (to === null || isAbove(to, from));
  return (
    isRaised(before.aboveOne, after.aboveOne) ||
    isRaised(before.aboveDay, after.aboveDay) ||
    (after.accountantUpTo !== null && isAbove(after.accountantUpTo, before.accountantUpTo ?? '0'))
  );
}

/** How long a looser rule waits where there is no second owner. */
const WAIT_HOURS = 24;

/**
 * Changes the rule. A stricter one counts at once. A looser one waits for another owner, and where there is none for a day.
 * @throws Refusal FORBIDDEN when the rule would be on and fewer than two people may release
 */
export async function setRule(
  db: TenantDb,
  caller: Caller,
  { version, ...rule }: BodyOf<typeof contract.preparedPayments.setRule>,
): Promise<RuleNow> {
  await lockReleaseRule(db, caller.accountId, off);
  const { rule: before, people, shown } = await readRule(db, caller);
  if (version !== undefined && version !== shown.version) throw versionConflict('rule', shown);
  if (isOn(rule) && releasersOf(people, rule).length < 2)
    throw new Refusal(
      'FORBIDDEN',
      'At least two people must be able to release: add another owner, or let accountants release up to an amount.',
    );
  const owners = people.filter(({ isLive, seat }) => isLive && seat === 'owner');
  const hours = owners.length > 1 ? null : WAIT_HOURS;
  if (isLooser(before, rule)) await updateNextRule(db, caller.accountId, { rule: before, next: rule, hours });
  else await updateReleaseRule(db, caller.accountId, rule);
  const after = await getRule(db, caller);
  await note(
    db,
    caller,
    after.next === null
      ? `set the rule of release: ${ruleText(rule)}`
      : `asked for a looser rule of release: ${ruleText(rule)}`,
  );
  return after;
}

/** @throws Refusal FORBIDDEN when the caller has asked for it, or counts as one person with who has */
export async function confirmRule(db: TenantDb, caller: Caller, version: number): Promise<RuleNow> {
  await lockReleaseRule(db, caller.accountId, off);
  const { stored, people, shown } = await readRule(db, caller);
  if (!stored?.next || stored.nextBy === null || stored.version !== version) throw versionConflict('rule', shown);
  if (isOnePerson(caller.accountId, stored.nextBy, people))
    throw new Refusal('FORBIDDEN', 'Another owner confirms what you have asked for.');
  await updateReleaseRule(db, caller.accountId, stored.next);
  await note(db, caller, `confirmed the rule of release: ${ruleText(stored.next)}`);
  return getRule(db, caller);
}

function ruleText(rule: ReleaseRule): string {
  const { aboveOne, aboveDay, accountantUpTo } = rule;
  if (!isOn(rule)) return 'off';
  return [
    ...(aboveOne === null ? [] : [`above ${formatINR(aboveOne)} in one payment`]),
    ...(aboveDay === null ? [] : [`above ${formatINR(aboveDay)} a day`]),
    accountantUpTo === null ? 'owners release' : `accountants release up to ${formatINR(accountantUpTo)}`,
  ].join(', ');
}

const note = (db: TenantDb, caller: Caller, action: string): Promise<void> =>
  insertHistory(db, caller, { entity: 'subadmin', entityId: caller.businessId, action });
