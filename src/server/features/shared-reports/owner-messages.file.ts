import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { Language } from '../../../shared/contract/languages.ts';
import type { OwnerPage, OwnerPayment, SharedReportFilters } from '../../../shared/contract/shared-reports.ts';
import { ownerTexts } from './owner-page-texts.file.ts';

/** The messages that take a link to an owner, in the owner's language (docs/specification.md §9.4, §10.9). */

type Greeting = Pick<OwnerPage, 'language' | 'business' | 'owner' | 'chosen'>;

const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), template);

/** Returns the message of a report: the sender, the figures of the file, and the links with their expiry. */
export function reportMessage(
  { language, business, owner, chosen }: Greeting,
  totals: { count: number; payable: string; paid: string; unpaid: string; tds: string },
  link: string,
  expiresAt: Date,
): string {
  const texts = ownerTexts[language];
  const until = formatDateTime(expiresAt);
  return [
    business,
    fillTemplate(texts.messageReport, { owner }),
    // Without the filter an owner would read the sums of some challans as those of all.
    ...(chosen === '' ? [] : [chosen]),
    '',
    `${texts.challans}: ${formatCount(totals.count)}`,
    `${texts.total}: ${formatINR(totals.payable)}`,
    `${texts.paid}: ${formatINR(totals.paid)}`,
    `${texts.unpaid}: ${formatINR(totals.unpaid)}`,
    `${texts.tds}: ${formatINR(totals.tds)}`,
    '',
    `${fillTemplate(texts.messageSee, { until })}:`,
    `${link}/page`,
    '',
    `${fillTemplate(texts.messageFile, { until })}:`,
    link,
  ].join('\n');
}

/** Returns the message after a payment: what was paid, the payment's number, and the link to the page. */
export function paymentMessage(
  { language, business, owner }: Greeting,
  { number, paidOn, count, amount, utr }: OwnerPayment,
  link: string,
  expiresAt: Date,
): string {
  const texts = ownerTexts[language];
  return [
    business,
    `${texts.messageTitle}: ${owner}`,
    '',
    `${texts.trips}: ${formatCount(count)}`,
    `${texts.paid}: ${formatINR(amount)}`,
    `${texts.paidOn}: ${formatDate(paidOn)}`,
    `${texts.paymentNumber}: ${number}`,
    ...(utr === '' ? [] : [`${texts.utr}: ${utr}`]),
    '',
    `${texts.messageLink}:`,
    `${link}/page`,
    `${texts.validUntil} ${formatDateTime(expiresAt)}`,
  ].join('\n');
}

/** Describes which challans a report contains; '' for all. A filter that is not described here does not compile. */
export function describeChosen(filters: SharedReportFilters, language: Language): string {
  const texts = ownerTexts[language];
  const range = (what: string, from: string | null, to: string | null): string => {
    if (from === null && to === null) return '';
    if (from === to) return fillTemplate(texts.dayOn, { what, from: formatDate(from ?? '') });
    const template = from === null ? texts.dayTo : to === null ? texts.dayFrom : texts.days;
    return fillTemplate(template, {
      what,
      from: from === null ? '' : formatDate(from),
      to: to === null ? '' : formatDate(to),
    });
  };
  const { paymentStatus, tagId, tagName, startDate, endDate, paidStartDate, paidEndDate, ...others } = filters;
  others satisfies Readonly<Record<string, never>>;
  return [
    paymentStatus === null ? '' : paymentStatus ? texts.onlyPaid : texts.onlyUnpaid,
    tagId === null ? '' : tagId === 'none' ? texts.untagged : fillTemplate(texts.tagged, { tag: tagName ?? '' }),
    range(texts.deposited, startDate, endDate),
    range(texts.paidDays, paidStartDate, paidEndDate),
  ]
    .filter((words) => words !== '')
    .join(', ');
}
