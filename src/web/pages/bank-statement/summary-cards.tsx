import { formatINR } from '../../../shared/calc/money.ts';
import type { StatementSummary } from '../../../shared/contract/bank-statement.ts';
import { StatCard } from '../../ui/stat-card.tsx';

interface SummaryCardsProps {
  summary: StatementSummary | undefined;
  selectedAmount: string;
}

/** Over the whole filter, not the page (part 2 §2.5); lakh grouping (ruling 38). */
export function SummaryCards({ summary, selectedAmount }: SummaryCardsProps) {
  const count = (value: number | undefined) => value?.toLocaleString('en-IN');
  return (
    <div className="flex flex-wrap gap-3">
      <StatCard label="Total Owners" value={count(summary?.totalOwners)} />
      <StatCard label="Total Challans" value={count(summary?.totalChallans)} />
      <StatCard label="Total Unpaid Amount" value={summary && formatINR(summary.totalUnpaidAmount)} />
      <StatCard label="Selected Amount" value={formatINR(selectedAmount)} tone="primary" />
    </div>
  );
}
