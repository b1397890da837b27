import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import { isLockedChallan } from '../../../shared/contract/locked-fields.ts';
import { serverNow } from '../../kit/api/server-clock.ts';
import { periodLock } from '../../resources/period-lock.ts';

/** Why figures and days of a challan stay as they are (docs/specification.md §29.1); undefined where they do not. */
type LockOf = (challan: Dated | undefined) => string | undefined;
/** A row of a list may have come without these fields. Then nothing is said. */
interface Dated {
  depositedAt?: string | null | undefined;
  loadingDate?: string | undefined;
}

/** Says so by the lock as it was loaded last. The server asks again. `enabled` false: nothing is asked and said. */
export function useLockOf(enabled = true): LockOf {
  const lock = periodLock.useGet({}, { enabled }).data?.data;
  const isOpen = !!lock?.openUntil && Date.parse(lock.openUntil) > serverNow().getTime();
  const upTo = isOpen ? null : (lock?.upTo ?? null);
  return (challan) => {
    if (upTo === null || challan?.depositedAt === undefined || challan.loadingDate === undefined) return undefined;
    const { depositedAt, loadingDate } = challan;
    return isLockedChallan(upTo, { depositedAt, loadingDate }) ? lockedSentence(upTo) : undefined;
  };
}
