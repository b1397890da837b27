import { useCallback } from 'react';
import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import type { ListedChallan } from '../../../shared/contract/challan.ts';
import { isLockedChallan, isLockedField } from '../../../shared/contract/locked-fields.ts';
import { serverNow } from '../../kit/api/server-clock.ts';
import { periodLock } from '../../resources/period-lock.ts';

/** Why figures and days of a challan stay as they are (docs/specification.md §29.1); undefined where they do not. */
export type LockOf = (challan: Dated | undefined) => string | undefined;
type Dated = Pick<ListedChallan, 'depositedAt' | 'loadingDate'>;

/** The same for one field of a challan. */
export const lockOfField = (lockOf: LockOf, challan: Dated, field: string): string | undefined =>
  isLockedField(field) ? lockOf(challan) : undefined;

/** Says so by the lock as it was loaded last. The server asks again. `enabled` false: nothing is asked and said. */
export function useLockOf(enabled = true): LockOf {
  const lock = periodLock.useGet({}, { enabled }).data?.data;
  const isOpen = !!lock?.openUntil && Date.parse(lock.openUntil) > serverNow().getTime();
  const upTo = isOpen ? null : (lock?.upTo ?? null);
  return useCallback(
    (challan) => {
      if (upTo === null || challan === undefined) return undefined;
      return isLockedChallan(upTo, challan) ? lockedSentence(upTo) : undefined;
    },
    [upTo],
  );
}
