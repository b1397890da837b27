import { clsx } from 'clsx';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { preparedPayments } from '../../resources/prepared-payments.ts';

const mostCounted = 100;

/** In the menu beside Payments: how many prepared payments the caller may release now. Nothing where there is none. */
export default function ReleaseBadge({ isCollapsed }: { isCollapsed: boolean }) {
  const { data } = preparedPayments.useList(
    { query: { page: 1, limit: mostCounted, show: 'open' } },
    { enabled: refusalOf(preparedPayments.calls.release) === undefined },
  );
  const count = data?.data.filter(({ cannotRelease }) => cannotRelease === null).length ?? 0;
  if (count === 0) return null;
  return (
    <span
      role="status"
      aria-label={`${countText(count, 'payment')} to release`}
      className={clsx(
        'nums rounded-full bg-primary px-1.5 text-[11px] font-semibold text-primary-ink',
        isCollapsed ? 'absolute -top-1 right-1' : 'ml-auto',
      )}
    >
      {formatCount(count)}
    </span>
  );
}
