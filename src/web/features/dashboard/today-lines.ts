import { countText, formatCount, challansText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR, formatWeight } from '../../../shared/calc/money.ts';
import type { Today } from '../../../shared/contract/today.ts';
import { activityFilters } from '../../../shared/filters/activity-filters.ts';
import { paymentFilters } from '../../../shared/filters/payment-filters.ts';
import { todayLists, type TodayList } from '../../../shared/filters/today-lists.ts';
import { addressOf } from '../../kit/filters/url-state.ts';
import { linkTo } from '../../kit/filters/filter-values.ts';
import { refusalOfRight } from '../../kit/api/seat.ts';
import { screens } from '../../screens.ts';

/** The lines of Today in words (docs/specification.md §34.1). The server's table in today.service.ts counts them. */

/** A figure in words, with the list that has what it counts. */
interface Part {
  text: string;
  to: string;
}

/** A line without parts is not shown. `note` explains the figures and opens nothing. */
export interface Line {
  label: string;
  parts: readonly Part[];
  note?: string;
}

interface Seen {
  figures: Today;
  /** The day in India. */
  day: string;
  /** The keys of what was begun on this device and not saved. */
  drafts: readonly string[];
  /** Counted by a call of its own; undefined: not yet, or not for this seat. */
  exceptions: { count: number; effect: string } | undefined;
}

/** The part of a figure; none where it is zero. */
const part = (count: number, text: string, to: string | TodayList): Part[] =>
  count === 0 ? [] : [{ text, to: typeof to === 'string' ? to : addressOf(to.path, to.query) }];

type Trips = Omit<NonNullable<Today['yesterday']>, 'usual' | 'day'>;
const tripsText = ({ count, weight, freight }: Trips): string =>
  `${countText(count, 'trip')}, ${formatWeight(weight)} MT, ${formatINR(freight)} freight`;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const weekdayOf = (day: string): string => weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';

/** 'Sita', 'Sita and Ravi', 'Sita, Ravi and 3 others' */
function namesText(names: readonly string[]): string {
  const [first = '', second] = names;
  if (second === undefined) return first;
  return names.length === 2
    ? `${first} and ${second}`
    : `${first}, ${second} and ${countText(names.length - 2, 'other')}`;
}

/** 'by Sunday, in 7 days and in 15 days' */
const wordList = new Intl.ListFormat('en-GB');

function dueLine({ figures: { due }, day }: Seen): Line {
  const label = 'Due to be paid';
  const { unpaid, afterDays, by } = due;
  if (afterDays === null) {
    const text = `${formatINR(unpaid.amount)} of ${challansText(unpaid.count)} is unpaid`;
    return { label, parts: part(unpaid.count, text, todayLists.unpaid()) };
  }
  const words = ['today', 'by Sunday', 'in 7 days', 'in 15 days'];
  // Where nothing more is due by a later day, one figure has both.
  const merged: { due: (typeof by)[number]; words: string[] }[] = [];
  for (const [index, due] of by.entries()) {
    // A Sunday is the end of its week.
    if (index === 1 && due.by === day) continue;
    const last = merged.at(-1);
    if (last?.due.count === due.count && last.due.amount === due.amount) {
      last.due = due;
      last.words.push(words[index] ?? '');
    } else merged.push({ due, words: [words[index] ?? ''] });
  }
  return {
    label,
    parts: merged.flatMap(({ due: { count, amount, depositedUntil }, words: when }) =>
      part(count, `${formatINR(amount)} ${wordList.format(when)}`, todayLists.unpaid(depositedUntil)),
    ),
    note: `due ${countText(afterDays, 'day')} after the deposit, as paid in the last 90 days`,
  };
}

/** '2 payments to release', and where others wait too for whom the caller may not: '2 of 3 prepared payments to release'. */
const releasesText = ({ releases, prepared }: NonNullable<Today['waiting']>): string =>
  releases === prepared
    ? `${countText(releases, 'payment')} to release`
    : `${formatCount(releases)} of ${countText(prepared, 'prepared payment')} to release`;

const draftKinds: readonly { begins: string; noun: string; to: (key: string) => string }[] = [
  { begins: 'challan.create', noun: 'new challan', to: () => '/challans/create' },
  { begins: 'challan.sheet', noun: 'entry sheet', to: () => '/challans/sheet' },
  { begins: 'challan.edit.', noun: 'changed challan', to: (key) => `/challans/edit/${key.slice(13)}` },
];

const draftParts = (drafts: readonly string[]): Part[] =>
  draftKinds.flatMap(({ begins, noun, to }) => {
    const own = drafts.filter((key) => key.startsWith(begins));
    return part(own.length, `${countText(own.length, noun)} begun and not saved`, to(own[0] ?? ''));
  });

/** The lines in their order. One whose figures another call has takes its place in this table, with them in `Seen`. */
const lines: readonly ((seen: Seen) => Line)[] = [
  ({ figures: { yesterday } }) => ({
    label: 'Yesterday',
    parts: yesterday ? part(yesterday.count, tripsText(yesterday), todayLists.loadedOn(yesterday.day)) : [],
    ...(yesterday?.usual && { note: `a usual ${weekdayOf(yesterday.day)}: ${tripsText(yesterday.usual)}` }),
  }),
  dueLine,
  ({ figures: { waiting }, drafts }) => ({
    label: 'Waits for you',
    parts: [
      ...(waiting
        ? [
            ...part(waiting.releases, releasesText(waiting), todayLists.releases),
            ...part(waiting.owners, `${countText(waiting.owners, 'owner account')} to confirm`, todayLists.owners),
            ...part(
              waiting.bankAccounts,
              `${countText(waiting.bankAccounts, 'paying account')} to confirm`,
              todayLists.bankAccounts,
            ),
          ]
        : []),
      ...draftParts(drafts),
    ],
  }),
  ({ figures: { bank } }) => ({
    label: 'At the bank',
    parts: bank
      ? [
          ...part(
            bank.noAnswer.count,
            `${countText(bank.noAnswer.count, 'line')} without an answer, ${formatINR(bank.noAnswer.amount)}`,
            todayLists.noAnswer,
          ),
          ...(['failed', 'returned'] as const).flatMap((state) =>
            part(
              bank[state].count,
              `${formatCount(bank[state].count)} ${state} in the last 7 days, ${formatINR(bank[state].amount)}`,
              todayLists.answered(state, bank.since),
            ),
          ),
        ]
      : [],
  }),
  ({ figures: { hsd } }) => ({
    label: 'HSD',
    parts: [
      ...part(
        hsd.notVerified.count,
        `${challansText(hsd.notVerified.count)} not verified, ${formatINR(hsd.notVerified.amount)}`,
        todayLists.notVerified(hsd.since),
      ),
      ...part(
        hsd.bills.count,
        `${countText(hsd.bills.count, 'month')} of pump bills with differences, ${formatINR(hsd.bills.amount)}`,
        todayLists.bills(hsd.since),
      ),
    ],
    note: `since ${formatDate(hsd.since)}`,
  }),
  ({ figures: { notDeposited } }) => ({
    label: 'No deposited day',
    parts: part(
      notDeposited.count,
      `${challansText(notDeposited.count)}, ${formatINR(notDeposited.amount)}`,
      todayLists.notDeposited,
    ),
  }),
  ({ figures: { changes } }) => {
    const label = 'Since you last looked';
    if (!changes) return { label, parts: [] };
    const { since, challans, payments } = changes;
    const startDate = dayOf(since);
    const isActivityOpen = refusalOfRight(screens.activity.right) === undefined;
    return {
      label,
      parts: [
        ...part(
          challans.count,
          `${challansText(challans.count)} changed by ${namesText(challans.people)}`,
          isActivityOpen ? linkTo(screens.activity.path, activityFilters, { startDate }) : screens.challans.path,
        ),
        ...part(
          payments.count,
          `${countText(payments.count, 'payment')} made by ${namesText(payments.people)}`,
          linkTo(screens.payments.path, paymentFilters, { startDate }),
        ),
      ],
      note: `since ${formatDateTime(since)}`,
    };
  },
  ({ exceptions: { count, effect } = { count: 0, effect: '0.00' } }) => ({
    label: 'Exceptions',
    parts: part(
      count,
      `${countText(count, 'exception')}, ${formatINR(effect)} in what was entered in the last 7 days`,
      todayLists.exceptions,
    ),
  }),
];

export const linesOf = (seen: Seen): Line[] => lines.map((line) => line(seen)).filter(({ parts }) => parts.length > 0);

/** The lines as a text to send. */
export const textOfLines = (name: string, day: string, shown: readonly Line[]): string =>
  [
    `${name}, ${weekdayOf(day)} ${formatDate(day)}`,
    ...shown.map(
      ({ label, parts, note }) =>
        `${label}: ${parts.map(({ text }) => text).join('; ')}${note === undefined ? '' : ` (${note})`}`,
    ),
  ].join('\n');
