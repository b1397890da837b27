import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { TdsBasis, TdsCounted } from '../../../shared/contract/tds.ts';

export const basisWords: Readonly<Record<TdsBasis, string>> = { paid: 'the day paid', deposited: 'the day deposited' };

/** What the figures are of, in sight: the days, by which day a deduction counts, and what the business has entered. */
export function CountedWords({ counted }: { counted: TdsCounted | undefined }) {
  if (!counted) return null;
  const { from, to, settings } = counted;
  const { basis, section, yearThreshold, challanThreshold } = settings;
  const parts = [
    `${formatDate(from)} to ${formatDate(to)}, by ${basisWords[basis]}`,
    ...(section === '' ? [] : [`section ${section}`]),
    ...(yearThreshold === null ? [] : [`threshold ${formatINR(yearThreshold)} a year`]),
    ...(challanThreshold === null ? [] : [`${formatINR(challanThreshold)} a challan`]),
  ];
  return <p className="nums text-sm text-muted">{parts.join(' · ')}</p>;
}
