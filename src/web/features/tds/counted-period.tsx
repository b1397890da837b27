import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { TdsBasis, TdsCounted } from '../../../shared/contract/tds.ts';

const basisTexts: Readonly<Record<TdsBasis, string>> = { paid: 'the day paid', deposited: 'the day deposited' };

/** Tells what the figures cover: the period, the day on which a deduction counts, and the settings of the business. */
export function CountedPeriod({ counted }: { counted: TdsCounted | undefined }) {
  if (!counted) return null;
  const { from, to, settings } = counted;
  const { basis, section, yearThreshold, challanThreshold } = settings;
  const parts = [
    `${formatDate(from)} to ${formatDate(to)}, by ${basisTexts[basis]}`,
    ...(section === '' ? [] : [`section ${section}`]),
    ...(yearThreshold === null ? [] : [`threshold ${formatINR(yearThreshold)} a year`]),
    ...(challanThreshold === null ? [] : [`${formatINR(challanThreshold)} a challan`]),
  ];
  return <p className="nums text-sm text-muted">{parts.join(' · ')}</p>;
}
