import { countText, formatCount } from './calc/count-text.ts';
import { compare, formatINR } from './calc/money.ts';
import { nothingSelected } from './calc/selection.ts';
import type { AsksAgain, Endpoint } from './contract/define.ts';
import type { CopyAllowance, OwnerCard } from './contract/owners.ts';
import type { ReleaseRule } from './contract/prepared-payments.ts';
import { rights, seatNames, type Right, type Seat } from './contract/seats.ts';

/**
 * Whether an action is allowed, or else the reason. The button, its tooltip and the server call the same function, so they
 * cannot disagree.
 */
export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

const allowed: Permission = { allowed: true };
const refused = (reason: string): Permission => ({ allowed: false, reason });
const unless = (isRefused: boolean, reason: string): Permission => (isRefused ? refused(reason) : allowed);

/** The reason of a refusal, for a control's `disabledReason`. */
export function reasonOf(permission: Permission): string | undefined {
  return permission.allowed ? undefined : permission.reason;
}

/** Somebody of a business. `isViewing`: an owner looks at the product as this seat (docs/specification.md §28.4). */
export interface Seated {
  readonly seat: Seat;
  readonly isViewing: boolean;
}

/** Whether a seat has a right (docs/specification.md §28.1). */
export function canDo({ seat }: Seated, right: Right): Permission {
  const { of, refusal = '' }: { of: readonly Seat[]; refusal?: string } = rights[right];
  return unless(!of.includes(seat), refusal);
}

/** What a call of the contract asks of the seat. */
export type Call = Pick<Endpoint, 'right' | 'reads'>;

/** Whether somebody may make a call of the API. Who looks as another seat changes nothing but the own sign-in. */
export function canCall(person: Seated, { right, reads }: Call): Permission {
  if (person.isViewing && !reads && right !== 'self')
    return refused(`You are looking as ${seatNames[person.seat]}, so nothing can be changed. End it first.`);
  return canDo(person, right);
}

type UpTo = Pick<ReleaseRule, 'accountantUpTo'>;

/** Up to which amount a seat releases what somebody else has prepared; null: any, undefined: nothing. */
export const mayReleaseUpTo = (seat: Seat, { accountantUpTo }: UpTo): string | null | undefined =>
  seat === 'owner' ? null : seat === 'accountant' ? (accountantUpTo ?? undefined) : undefined;

/** Whether a seat releases this amount (docs/specification.md §28.6). */
export function mayRelease(seat: Seat, rule: UpTo, amount: string): Permission {
  const upTo = mayReleaseUpTo(seat, rule);
  if (upTo === undefined) return refused('Only an owner may release this. Ask one of them.');
  return unless(
    upTo !== null && compare(amount, upTo) > 0,
    `An accountant releases up to ${formatINR(upTo ?? '0')}. Ask an owner to release it.`,
  );
}

/**
 * Whether a call asks again who the caller is (docs/specification.md §28.9). `isFresh`: the caller has said so within 10 minutes.
 * In a business that has added nobody, nothing is asked of a login without a second step.
 */
export function isAskedAgain(
  when: AsksAgain,
  { isFresh, hasPeople, hasSecondStep }: { isFresh: boolean; hasPeople: boolean; hasSecondStep: boolean },
): boolean {
  return !isFresh && (hasSecondStep || when === 'always' || (when === 'people' && hasPeople));
}

/** An owner changes the other people of the business, but not its login, which the admin made (docs/specification.md §28.3). */
export function canChangePerson(person: { isBusiness: boolean; isSelf: boolean }): Permission {
  if (person.isBusiness) return refused('The login of the business stays an owner. The admin can reset its password.');
  return unless(person.isSelf, 'You cannot change your own seat. Ask another owner.');
}

/** Only the money seats change a challan that is paid; a clerk records and edits what is unpaid. */
export function canEditChallan(person: Seated, challan: { paymentStatus: boolean }): Permission {
  return unless(
    challan.paymentStatus && !canDo(person, 'pay').allowed,
    'This challan is marked as paid. Only an owner or an accountant may change it.',
  );
}

/** A challan that is marked as paid cannot be deleted (docs/specification.md §8.1.2). */
export function canDeleteChallan(challan: { paymentStatus: boolean }): Permission {
  return unless(challan.paymentStatus, 'This challan is marked as paid. Unmark the payment before deleting it.');
}

/** Only an unpaid challan can be put on hold (docs/specification.md §10.8). */
export function canHoldChallan(challan: { paymentStatus: boolean }): Permission {
  return unless(challan.paymentStatus, 'This challan is marked as paid. Only unpaid challans can be put on hold.');
}

/** A challan cannot be paid while it or its owner is on hold. */
export function canPayChallan(challan: {
  holdReason: string;
  owner: { name: string; holdReason: string };
}): Permission {
  if (challan.holdReason !== '') return refused(`On hold: ${challan.holdReason}`);
  return unless(challan.owner.holdReason !== '', `${challan.owner.name} is on hold: ${challan.owner.holdReason}`);
}

/** The HSD of a challan can be verified only when the challan has a petrol pump (docs/specification.md §8.1.1). */
export function canToggleHsd(challan: { petrolPump: unknown }): Permission {
  return unless(!challan.petrolPump, 'This challan has no petrol pump. Choose one before verifying its HSD.');
}

/** `count` is the number of selected challans (docs/specification.md §15.5). */
export function canMarkPaid(count: number): Permission {
  return unless(count === 0, nothingSelected);
}

export const nothingMatches = 'No unpaid challans found matching current filters';

/**
 * Why a filter pays nothing: nothing matches, or all that match are these challans of these owners below zero, to whom nothing can
 * be transferred.
 */
export function nothingToPay(challans: number, owners: number): string {
  if (challans === 0) return nothingMatches;
  const what =
    challans === 1
      ? 'the 1 unpaid challan that matches is'
      : `all ${formatCount(challans)} unpaid challans that match are`;
  return `Nothing to pay: ${what} of ${countText(owners, 'owner')} below zero`;
}

/**
 * 'Mark All Matching as Paid' has no dialog that could name exclusions, so it is refused while there are any
 * (docs/specification.md §10.4).
 */
export function canMarkAllMatching(
  count: number,
  exclusions: number,
  belowZero = { challans: 0, owners: 0 },
): Permission {
  if (count === 0) return refused(nothingToPay(belowZero.challans, belowZero.owners));
  const what = exclusions === 1 ? '1 challan is excluded' : `${exclusions} challans are excluded`;
  return unless(exclusions > 0, `${what} from the selection. Mark the selected ones instead, or clear the selection.`);
}

/** A tag that challans use cannot be deleted (docs/specification.md §7.2). */
export function canDeleteTag(tag: { name: string }, challans: number): Permission {
  return unless(challans > 0, `Cannot delete tag "${tag.name}". It is currently assigned to ${challans} challan(s).`);
}

/** An owner of challans cannot be deleted (docs/specification.md §6.3). */
export function canDeleteOwner(owner: { name: string }, challans: number): Permission {
  return unless(challans > 0, `Cannot delete owner "${owner.name}". It has ${challans} challan(s).`);
}

/** A declaration on which challans rest is withdrawn and not deleted (docs/specification.md §27.7). */
export function canDeleteDeclaration(challans: number): Permission {
  return unless(
    challans > 0,
    `${countText(challans, 'challan')} of the owner ${challans === 1 ? 'rests' : 'rest'} on it. Withdraw the declaration instead.`,
  );
}

/** An owner that the caller's list has already is not copied again (docs/specification.md §6.4). */
export function canCopyOwner({ inYourList }: Pick<OwnerCard, 'inYourList'>): Permission {
  if (inYourList === 'copied') return refused('This owner was copied before and is in your list');
  return unless(inYourList === 'same-pan', 'An owner with this PAN is already in your list');
}

/** The number of owners that a business may copy in a day is limited (docs/specification.md §6.4). */
export function canCopyOwners(count: number, { perDay, left }: CopyAllowance): Permission {
  const most = formatCount(perDay);
  if (perDay === 0) return refused('Copying owners is switched off; the admin can switch it on.');
  if (count > 0 && left === 0) {
    return refused(
      `Your business has reached its limit of ${most} copied owners a day; copy more tomorrow, or ask the admin to raise the limit.`,
    );
  }
  return unless(
    count > left,
    `Your business may copy ${formatCount(left)} more today (at most ${most} owners a day); select fewer, or ask the admin to raise the limit.`,
  );
}

/** A payment can be reversed only once (docs/specification.md §10.6). */
export function canReverseBatch(batch: { reversedAt: string | null }): Permission {
  return unless(batch.reversedAt !== null, 'This payment was reversed already.');
}

/** A payment whose challans are all unpaid again cannot be sent to the bank (docs/specification.md §24.2). */
export function canSendToBank(batch: { paidCount: number }): Permission {
  return unless(batch.paidCount === 0, 'This payment was undone; nothing of it is paid any more.');
}

/** Only a link that still works can be revoked; expired and revoked links stay as they are. */
export function canRevokeReport(report: { status: 'active' | 'expired' | 'revoked' }): Permission {
  if (report.status === 'revoked') return refused('This link was revoked already.');
  return unless(report.status === 'expired', 'This link has expired already.');
}

/** `count` is the number of valid matches that can be verified (docs/specification.md §15.5). */
export function canVerifyMatches(count: number): Permission {
  return unless(count === 0, 'No valid matches to verify');
}

/** 'View Trucks' is disabled when the owner has no trucks (docs/specification.md §6.1). */
export function canViewTrucks(owner: { trucksCount: number }): Permission {
  return unless(owner.trucksCount === 0, 'This owner has no trucks');
}
