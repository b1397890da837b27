import type { ReactNode } from 'react';
import { clsx } from 'clsx';
import { Skeleton } from './skeleton.tsx';

interface StatCardProps {
  label: string;
  /** undefined while loading: a skeleton keeps its place. A long sum wraps and is never truncated. */
  value: ReactNode | undefined;
  detail?: ReactNode;
  /** Stands at the end of the label's line, so that the card keeps its height when it appears. */
  aside?: ReactNode;
  tone?: 'plain' | 'primary' | 'good' | 'warn' | 'danger';
  icon?: ReactNode;
}

const tones = {
  plain: 'text-ink',
  primary: 'text-primary',
  good: 'text-good',
  warn: 'text-warn',
  danger: 'text-danger',
};

export function StatCard({ label, value, detail, aside, tone = 'plain', icon }: StatCardProps) {
  return (
    // With this basis a row of four cards wraps before a sum of hundreds of crores has to.
    <div className="min-w-0 flex-[1_1_13.5rem] rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
      <dl>
        <dt className="flex items-center gap-1.5 text-xs text-muted">
          {icon}
          {label}
          {aside !== undefined && <span className="nums ml-auto min-w-0 truncate">{aside}</span>}
        </dt>
        <dd
          className={clsx('nums mt-0.5 min-h-7 text-lg leading-7 font-semibold [overflow-wrap:anywhere]', tones[tone])}
        >
          {value ?? <Skeleton className="h-5 w-24 align-middle" />}
        </dd>
      </dl>
      {detail !== undefined && <p className="min-h-4 truncate text-xs leading-4 text-muted">{detail}</p>}
    </div>
  );
}
