import { addDays, DateError, daysBetween, isDay } from './dates.ts';
import { asciiDigits } from './keys.ts';

type TypedDate = { day: string } | { error: string };

const UNREADABLE = 'Enter a date such as 05/03/2026.';
const NO_SUCH_DAY = 'This date does not exist.';

function checked(year: number, month: number, dayOfMonth: number): TypedDate {
  if (year < 2000 || year > 2099) return { error: 'The year must be between 2000 and 2099.' };
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${year}-${pad(month)}-${pad(dayOfMonth)}`;
  return isDay(day) ? { day } : { error: NO_SUCH_DAY };
}

/** 26 → 2026: this product has no dates of other centuries. */
function fullYear(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

/**
 * The date of a day and month without a year: this year, unless that is more than six months ahead. On 04/01/2027 "28/12"
 * means last December, because challans are entered after the trip.
 */
function nearYear(dayOfMonth: number, month: number, today: string): TypedDate {
  const year = Number(today.slice(0, 4));
  const inThisYear = checked(year, month, dayOfMonth);
  if ('day' in inThisYear && daysBetween(today, inThisYear.day) > 183) return checked(year - 1, month, dayOfMonth);
  return inThisYear;
}

/**
 * Reads what is typed in a date field (docs/keyboard.md §7). 't' is today. '+', '-' and '+3' count from the field's day, or
 * from today where the field is empty. '5' is that day of this month. '5/3' and '0503' get their year from
 * nearYear. '5/3/26', '5/3/2026', '050326', '05032026' and '2026-03-05' are complete. The separator is / - . or a space.
 * An empty field is { day: "" }. The caller passes the current day as `today`.
 */
export function parseTypedDate(text: string, today: string, fieldDay: string = ''): TypedDate {
  if (!isDay(today)) throw new DateError(`Not a day: ${JSON.stringify(today)}`);
  const typed = asciiDigits(text).trim().toLowerCase();
  if (typed === '') return { day: '' };
  if (typed === 't' || typed === 'today') return { day: today };

  const step = /^([+-])\s?(\d{0,3})$/.exec(typed);
  if (step) {
    const days = step[2] === '' ? 1 : Number(step[2]);
    const moved = addDays(isDay(fieldDay) ? fieldDay : today, step[1] === '-' ? -days : days);
    return checked(Number(moved.slice(0, 4)), Number(moved.slice(5, 7)), Number(moved.slice(8)));
  }
  if (/^\d{1,2}$/.test(typed)) return checked(Number(today.slice(0, 4)), Number(today.slice(5, 7)), Number(typed));

  const iso = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(typed);
  if (iso) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const parts = /^(\d{1,2})\s?[-/. ]\s?(\d{1,2})(?:\s?[-/. ]\s?(\d{2}|\d{4}))?$/.exec(typed) ?? runTogether(typed);
  if (!parts) return { error: UNREADABLE };
  const [, dayText, monthText, yearText] = parts;
  if (yearText === undefined) return nearYear(Number(dayText), Number(monthText), today);
  return checked(fullYear(yearText), Number(monthText), Number(dayText));
}

/** The day of a text; '' where it is empty or cannot be read. */
export function typedDay(text: string, today: string): string {
  const read = parseTypedDate(text, today);
  return 'day' in read ? read.day : '';
}

/** Dates without separators: 0503, 050326, 05032026. The order is always day, month, year. */
function runTogether(typed: string): RegExpExecArray | null {
  return /^(\d{2})(\d{2})(\d{2}|\d{4})?$/.exec(typed);
}
