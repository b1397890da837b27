import { describe, expect, it } from 'vitest';
import {
  canDeleteChallan,
  canDeleteOwner,
  canDeleteTag,
  canMarkAllMatching,
  canMarkPaid,
  canReverseBatch,
  canToggleHsd,
  canVerifyMatches,
  canViewTrucks,
  reasonOf,
} from '../../src/shared/access.ts';
import type { Permission } from '../../src/shared/access.ts';

const allowed = { allowed: true };

/** [what, refused, its reason, allowed] — the reasons are the specification's, letter for letter. */
const cases: readonly [string, Permission, string, Permission][] = [
  [
    'delete a paid challan',
    canDeleteChallan({ paymentStatus: true }),
    'This challan is marked as paid. Unmark the payment before deleting it.',
    canDeleteChallan({ paymentStatus: false }),
  ],
  [
    'verify HSD without a pump',
    canToggleHsd({ petrolPump: null }),
    'This challan has no petrol pump. Choose one before verifying its HSD.',
    canToggleHsd({ petrolPump: { id: 'x', name: 'Patnaik Fuels' } }),
  ],
  ['pay nothing', canMarkPaid(0), 'Please select at least one challan to mark as paid', canMarkPaid(1)],
  [
    'pay all of nothing',
    canMarkAllMatching(0, 0),
    'No unpaid challans found matching current filters',
    canMarkAllMatching(1284, 0),
  ],
  [
    'pay all over exclusions',
    canMarkAllMatching(1284, 3),
    '3 challans are excluded from the selection. Mark the selected ones instead, or clear the selection.',
    canMarkAllMatching(1284, 0),
  ],
  [
    'delete a tag in use',
    canDeleteTag({ name: 'URGENT' }, 12),
    'Cannot delete tag "URGENT". It is currently assigned to 12 challan(s).',
    canDeleteTag({ name: 'URGENT' }, 0),
  ],
  [
    'delete an owner with challans',
    canDeleteOwner({ name: 'Bikash Mohanta' }, 1),
    'Cannot delete owner "Bikash Mohanta". It has 1 challan(s).',
    canDeleteOwner({ name: 'Bikash Mohanta' }, 0),
  ],
  [
    'reverse twice',
    canReverseBatch({ reversedAt: '2026-04-01T00:00:00.000Z' }),
    'This payment was reversed already.',
    canReverseBatch({ reversedAt: null }),
  ],
  ['verify nothing', canVerifyMatches(0), 'No valid matches to verify', canVerifyMatches(42)],
  ['view no trucks', canViewTrucks({ trucksCount: 0 }), 'This owner has no trucks', canViewTrucks({ trucksCount: 1 })],
];

describe('access', () => {
  it.each(cases)('%s', (_what, refused, reason, permitted) => {
    expect(refused).toEqual({ allowed: false, reason });
    expect(reasonOf(refused)).toBe(reason);
    expect(permitted).toEqual(allowed);
    expect(reasonOf(permitted)).toBeUndefined();
  });

  it('speaks of one exclusion in the singular', () => {
    expect(reasonOf(canMarkAllMatching(0, 0, { challans: 26, owners: 2 }))).toBe(
      'Nothing to pay: all 26 unpaid challans that match are of 2 owners below zero',
    );
    expect(reasonOf(canMarkAllMatching(10, 1))).toMatch(/^1 challan is excluded/);
  });
});
