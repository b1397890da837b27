/** Clocks that differ by less than this agree: an answer takes its time, and its header has whole seconds. */
const agreeWithinMs = 60_000;

/** How far the server's clock is ahead of this machine's. */
let aheadMs = 0;

/** Takes the time from the Date header of an answer. */
export function noteServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(difference)) aheadMs = Math.abs(difference) < agreeWithinMs ? 0 : difference;
}

/**
 * The time by the server's clock. The dates that a form starts with come from it, and typed dates are compared with it, so a
 * machine whose clock is wrong does not put its challans into another year (docs/specification.md §8.3.5).
 */
export const serverNow = (): Date => new Date(Date.now() + aheadMs);
