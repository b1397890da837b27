import { clsx } from 'clsx';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { waiting } from '../../resources/waiting.ts';

/** In the menu beside Payments: how many prepared payments the caller may release now. Nothing where there is none. */
export default function ReleaseBadge({ isCollapsed }: { isCollapsed: boolean }) {
  const count = waiting.useGet({}).data?.data.releases ?? 0;
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
