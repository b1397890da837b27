import { formatINR } from '../../../shared/calc/money.ts';
import type { StatementSummary } from '../../../shared/contract/bank-statement.ts';
import { StatCard } from '../../ui/stat-card.tsx';

interface SummaryCardsProps {
  summary: StatementSummary | undefined;
  /** Nothing more is on its way: what is not known is said, not waited for. */
  hasFailed: boolean;
  selectedAmount: string;
}

const notKnown = '—';

/** Over the whole filter, not the page (docs/specification.md §10.1); lakh grouping (§1.3). */
export function SummaryCards({ summary, hasFailed, selectedAmount }: SummaryCardsProps) {
  const missing = hasFailed ? notKnown : undefined;
  const count = (value: number | undefined) => value?.toLocaleString('en-IN') ?? missing;
  return (
    <div className="@container shrink-0">
      <div className="grid grid-cols-2 gap-3 @min-[56rem]:grid-cols-4">
        <StatCard label="Total Owners" value={count(summary?.totalOwners)} />
        <StatCard label="Total Challans" value={count(summary?.totalChallans)} />
        <StatCard label="Total Unpaid Amount" value={summary ? formatINR(summary.totalUnpaidAmount) : missing} />
        <StatCard label="Selected Amount" value={formatINR(selectedAmount)} />
      </div>
    </div>
  );
}
