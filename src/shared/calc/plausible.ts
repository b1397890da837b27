import { readDay } from './challan-rules.ts';
import { formatCount } from './count-text.ts';
import { daysBetween, formatDate } from './dates.ts';
import {
  compare,
  formatINR,
  formatWeight,
  isAmount,
  isPositive,
  lesser,
  multiply,
  roundHalfUp,
  subtract,
} from './money.ts';

/**
 * What a challan may have but hardly ever has: a weight with a digit too many, a rate without its decimal point, a mistyped
 * year. Such a value gets a warning and is never refused (docs/specification.md §8.3.5). Form, entry sheet, import and server
 * read this one table.
 */

/** In MT. No road allows a truck that carries more. */
const heaviestLoad = '60';
/** How much more than was loaded two weighbridges may find: in MT, and as a share of the load. */
const usualExcess = '1';
const usualExcessShare = '0.05';
const rateFactor = '3';
/** A challan may be written on the evening before. */
const mostDaysAhead = 1;
const mostDaysBack = 365;

const dayReadings = ['loadingDate', 'unloadingDate', 'depositedAt', 'today'] as const;
const amountReadings = ['loadingWeight', 'unloadingWeight', 'ratePerMT', 'advanceMoney', 'lastRate'] as const;
const places = ['loadingPlace', 'unloadingPlace'] as const;
const readingNames = [...dayReadings, ...amountReadings, ...places];
type Reading = (typeof readingNames)[number];
/** The fields of a challan that rules read. */
type ReadField = Exclude<Reading, 'today' | 'lastRate'>;
export type WarnedField = Exclude<ReadField, (typeof places)[number]>;

/**
 * The values of a challan as they are sent or stored. Beside them are what they are compared with: the day that it is for the
 * server, and the rate of the last challan of the same route.
 */
export type Readings = { readonly [R in Reading]?: string | null | undefined };
type Given<R extends Reading> = { readonly [N in R]: string };

interface Rule {
  name: string;
  /** The field that shows the warning. */
  field: WarnedField;
  reads: readonly Reading[];
  when: (given: Given<Reading>) => boolean;
  sentence: (given: Given<Reading>) => string;
  /** Not said about past challans that are imported. */
  isForNew: boolean;
}

const rule = <R extends Reading>(
  name: string,
  field: WarnedField,
  reads: readonly R[],
  when: (given: Given<R>) => boolean,
  sentence: (given: Given<R>) => string,
  isForNew = false,
): Rule => ({ name, field, reads, when, sentence, isForNew });

const tooHeavy = (field: 'loadingWeight' | 'unloadingWeight', label: string): Rule =>
  rule(
    `${field}-heavy`,
    field,
    [field],
    (given) => compare(given[field], heaviestLoad) > 0,
    (given) => `${label} ${formatWeight(given[field])} MT is above ${heaviestLoad} MT: check it.`,
  );

const farDay = (field: 'loadingDate' | 'unloadingDate' | 'depositedAt', label: string): Rule[] => [
  rule(
    `${field}-ahead`,
    field,
    [field, 'today'],
    (given) => daysBetween(given.today, given[field]) > mostDaysAhead,
    (given) =>
      `${label} ${formatDate(given[field])} is ${formatCount(daysBetween(given.today, given[field]))} days ahead of today: check it.`,
  ),
  rule(
    `${field}-old`,
    field,
    [field, 'today'],
    (given) => daysBetween(given[field], given.today) > mostDaysBack,
    (given) =>
      `${label} ${formatDate(given[field])} is ${formatCount(daysBetween(given[field], given.today))} days ago: check it.`,
    true,
  ),
];

const freightOf = (given: Given<'loadingWeight' | 'unloadingWeight' | 'ratePerMT'>): string =>
  roundHalfUp(multiply(lesser(given.loadingWeight, given.unloadingWeight), given.ratePerMT));

/** The rules, in the order of the form's fields. */
const rules: readonly Rule[] = [
  ...farDay('loadingDate', 'Loading Date'),
  ...farDay('unloadingDate', 'Unloading Date'),
  tooHeavy('loadingWeight', 'Loading Weight'),
  tooHeavy('unloadingWeight', 'Unloading Weight'),
  rule(
    'more-unloaded',
    'unloadingWeight',
    ['loadingWeight', 'unloadingWeight'],
    ({ loadingWeight, unloadingWeight }) => {
      const excess = subtract(unloadingWeight, loadingWeight);
      return compare(excess, usualExcess) > 0 || compare(excess, multiply(loadingWeight, usualExcessShare)) > 0;
    },
    ({ loadingWeight, unloadingWeight }) =>
      `${formatWeight(unloadingWeight)} MT unloaded is more than the ${formatWeight(loadingWeight)} MT loaded: check both.`,
  ),
  rule(
    'unusual-rate',
    'ratePerMT',
    ['ratePerMT', 'lastRate', 'loadingPlace', 'unloadingPlace'],
    ({ ratePerMT, lastRate }) =>
      isPositive(lastRate) &&
      (compare(ratePerMT, multiply(lastRate, rateFactor)) >= 0 ||
        compare(multiply(ratePerMT, rateFactor), lastRate) <= 0),
    ({ lastRate, loadingPlace, unloadingPlace }) =>
      `The last challan from ${loadingPlace} to ${unloadingPlace} has ${formatINR(lastRate)} per MT: check the rate.`,
  ),
  rule(
    'advance-above-freight',
    'advanceMoney',
    ['advanceMoney', 'loadingWeight', 'unloadingWeight', 'ratePerMT'],
    (given) => compare(given.advanceMoney, freightOf(given)) > 0,
    (given) =>
      `The advance of ${formatINR(given.advanceMoney)} is more than the freight of ${formatINR(freightOf(given))}: check both.`,
  ),
  ...farDay('depositedAt', 'Deposited On'),
];

export interface PlausibleWarning {
  name: string;
  field: WarnedField;
  message: string;
}

interface Judged {
  /** Whether a field of a stored challan has changed. A rule of which none has is not said again. */
  isChanged?: (field: ReadField) => boolean;
  /** A challan of earlier years, which an import brings in. */
  isPast?: boolean;
}

/** The warnings about a challan. A rule of which a value is missing or cannot be read says nothing. */
export function plausibleWarnings(readings: Readings, { isChanged, isPast = false }: Judged = {}): PlausibleWarning[] {
  const given: Partial<Record<Reading, string>> = {};
  for (const name of readingNames) {
    const text = readings[name];
    const value = text ? readable(name, text) : null;
    if (value) given[name] = value;
  }
  return rules.flatMap(({ name, field, reads, when, sentence, isForNew }) => {
    const isKnown = reads.every((reading) => given[reading] !== undefined);
    const isNew = !isChanged || reads.some((reading) => isField(reading) && isChanged(reading));
    if (!isKnown || !isNew || (isPast && isForNew)) return [];
    // Safe: all that this rule reads is there.
    const complete = given as Given<Reading>;
    return when(complete) ? [{ name, field, message: sentence(complete) }] : [];
  });
}

const isField = (reading: Reading): reading is ReadField => reading !== 'today' && reading !== 'lastRate';
const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

function readable(name: Reading, text: string): string | null {
  if (isOneOf(dayReadings, name)) return readDay(text);
  if (isOneOf(amountReadings, name)) return isAmount(text) ? text : null;
  return text.trim();
}
