import { compare, formatINR } from '../../../shared/calc/money.ts';
import type { OwnerSummary } from '../../../shared/contract/accounting.ts';
import { StatCard } from '../../ui/stat-card.tsx';

interface SummaryCardsProps {
  summary: OwnerSummary | undefined;
  /** There are no figures, and none are on their way. */
  isFailed: boolean;
}

/** Over the whole filter, not the page (docs/specification.md §9.2). */
export function SummaryCards({ summary, isFailed }: SummaryCardsProps) {
  const missing = isFailed ? '—' : undefined;
  const amount = (value: string | undefined) => (value === undefined ? missing : formatINR(value));
  return (
    <section aria-label="Summary" className="flex flex-wrap gap-3">
      <StatCard label="Total Amount" value={amount(summary?.totalPayableAmount)} />
      <StatCard label="Paid Amount" value={amount(summary?.totalPaidAmount)} tone="good" />
      <StatCard
        label="Unpaid Amount"
        value={amount(summary?.totalUnpaidAmount)}
        tone={summary && compare(summary.totalUnpaidAmount, '0') !== 0 ? 'warn' : 'plain'}
      />
      <StatCard label="Total TDS" value={amount(summary?.totalTds)} />
    </section>
  );
}
