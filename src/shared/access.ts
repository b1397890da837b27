import { nothingSelected } from './contract/bank-statement.ts';

/**
 * May this be done, or the reason why not. The button, its tooltip and the server ask the same function, so that none of
 * them can think otherwise than the rest.
 */
export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

const allowed: Permission = { allowed: true };
const refused = (reason: string): Permission => ({ allowed: false, reason });
const unless = (isRefused: boolean, reason: string): Permission => (isRefused ? refused(reason) : allowed);

/** The reason of a refusal, for a control's `disabledReason`. */
export function reasonOf(permission: Permission): string | undefined {
  return permission.allowed ? undefined : permission.reason;
}

/** Ruling 30. */
export function canDeleteChallan(challan: { paymentStatus: boolean }): Permission {
  return unless(challan.paymentStatus, 'This challan is marked as paid. Unmark the payment before deleting it.');
}

/** Part 2 §2.1: HSD is verified only where a petrol pump is present. */
export function canToggleHsd(challan: { petrolPump: unknown }): Permission {
  return unless(!challan.petrolPump, 'This challan has no petrol pump. Choose one before verifying its HSD.');
}

/** Part 2 §8; `count` challans are selected. */
export function canMarkPaid(count: number): Permission {
  return unless(count === 0, nothingSelected);
}

export const nothingMatches = 'No unpaid challans found matching current filters';

/** 'Mark All Matching as Paid' goes without a modal, so never over exclusions (part 2 §4, ruling 36). */
export function canMarkAllMatching(count: number, exclusions: number): Permission {
  if (count === 0) return refused(nothingMatches);
  const what = exclusions === 1 ? '1 challan is excluded' : `${exclusions} challans are excluded`;
  return unless(exclusions > 0, `${what} from the selection. Mark the selected ones instead, or clear the selection.`);
}

/** Part 1 §8. */
export function canDeleteTag(tag: { name: string }, challans: number): Permission {
  return unless(challans > 0, `Cannot delete tag "${tag.name}". It is currently assigned to ${challans} challan(s).`);
}

/** Ruling 12. */
export function canDeleteOwner(owner: { name: string }, challans: number): Permission {
  return unless(challans > 0, `Cannot delete owner "${owner.name}". It has ${challans} challan(s).`);
}

/** A payment is reversed once (wire.md). */
export function canReverseBatch(batch: { reversedAt: string | null }): Permission {
  return unless(batch.reversedAt !== null, 'This payment was reversed already.');
}

/** Only a link that still works can be ended; the two other ends are final. */
export function canRevokeReport(report: { status: 'active' | 'expired' | 'revoked' }): Permission {
  if (report.status === 'revoked') return refused('This link was revoked already.');
  return unless(report.status === 'expired', 'This link has expired already.');
}

/** Part 2 §8; `count` valid matches could be verified. */
export function canVerifyMatches(count: number): Permission {
  return unless(count === 0, 'No valid matches to verify');
}

/** Part 1 §2: disabled when the owner has none. */
export function canViewTrucks(owner: { trucksCount: number }): Permission {
  return unless(owner.trucksCount === 0, 'This owner has no trucks');
}
