import { addDays, DateError, daysBetween, isDay } from './dates.ts';
import { asciiDigits } from './digits.ts';

type TypedDate = { day: string } | { error: string };

const UNREADABLE = 'Enter a date such as 05/03/2026.';
const NO_SUCH_DAY = 'This date does not exist.';

function checked(year: number, month: number, dayOfMonth: number): TypedDate {
  if (year < 2000 || year > 2099) return { error: 'The year must be between 2000 and 2099.' };
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${year}-${pad(month)}-${pad(dayOfMonth)}`;
  return isDay(day) ? { day } : { error: NO_SUCH_DAY };
}

/** 26 → 2026: this product has no dates of another century. */
function fullYear(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

/**
 * Day and month without a year: this year, but never more than six months ahead. On 04/01/2027 "28/12" means last
 * December, as challans are entered after the trip.
 */
function nearYear(dayOfMonth: number, month: number, today: string): TypedDate {
  const year = Number(today.slice(0, 4));
  const inThisYear = checked(year, month, dayOfMonth);
  if ('day' in inThisYear && daysBetween(today, inThisYear.day) > 183) return checked(year - 1, month, dayOfMonth);
  return inThisYear;
}

/**
 * What is typed in a date field (docs/keyboard.md §7): 't' today; '+', '-', '+3' from the field's day, else from today;
 * '5' that day of this month; '5/3', '0503' near today; '5/3/26', '5/3/2026', '050326', '05032026', '2026-03-05'. The
 * separator is / - . or a space. An empty field is { day: "" }. The caller passes the current day as `today`.
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

/** The day that a text says, '' for none. */
export function typedDay(text: string, today: string): string {
  const read = parseTypedDate(text, today);
  return 'day' in read ? read.day : '';
}

/** 0503, 050326, 05032026: always day, month, year. */
function runTogether(typed: string): RegExpExecArray | null {
  return /^(\d{2})(\d{2})(\d{2}|\d{4})?$/.exec(typed);
}
