import { addDays, DateError, dayOf, daysBetween, isDay } from '../calc/dates.ts';
import { asciiDigits } from '../calc/keys.ts';
import { cleanText, plainMarks } from './text.ts';

/** A day as YYYY-MM-DD, or why the text is none. */
export type ReadDay = { day: string } | { error: string };

const UNREADABLE = 'Enter a date such as 05/03/2026.';
const NO_SUCH_DAY = 'This date does not exist.';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** 3 for 'mar', 'march'; 0 for what is no month. */
const monthOf = (word: string): number => months.indexOf(word.slice(0, 3)) + 1;

function checked(year: number, month: number, dayOfMonth: number): ReadDay {
  if (year < 2000 || year > 2099) return { error: 'The year must be between 2000 and 2099.' };
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${year}-${pad(month)}-${pad(dayOfMonth)}`;
  return isDay(day) ? { day } : { error: NO_SUCH_DAY };
}

/** A year of two digits is at most 80 years back: in 2026, 26 is 2026 and 47 is 1947. */
function fullYear(text: string, today: string): number {
  if (text.length !== 2) return Number(text);
  const latest = Number(today.slice(0, 4)) + 19;
  const year = latest - (latest % 100) + Number(text);
  return year > latest ? year - 100 : year;
}

/**
 * The date of a day and month without a year: this year, unless that is more than six months ahead. On 04/01/2027 "28/12"
 * means last December, because challans are entered after the trip.
 */
function nearYear(dayOfMonth: number, month: number, today: string): ReadDay {
  const year = Number(today.slice(0, 4));
  const inThisYear = checked(year, month, dayOfMonth);
  if ('day' in inThisYear && daysBetween(today, inThisYear.day) > 183) return checked(year - 1, month, dayOfMonth);
  return inThisYear;
}

/** The time that may follow a date, with a zone. */
const time = /(?<=\d)(t|,?\s+|,)\d{1,2}[:.]\d{2}([:.]\d{2}(\.\d+)?)?\s*([ap]\.?m\.?)?\s*(z|[+-]\d{2}:?\d{2}|ist)?$/;
const weekday = /^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?[,.]?\s+/;

/** The number of days that a spreadsheet stores for a date; what is behind the point is a time. */
const serial = /^(\d{5})(\.\d+)?$/;
/** The numbers of 1 January 2000 and 2100. */
const firstSerial = 36_526;
const endSerial = 73_051;

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Every spelling lower-cased, with plain digits, dashes and spaces, without weekday and time. An instant is its day in India. */
export function bareDate(text: string): string {
  const clean = plainMarks(asciiDigits(cleanText(text)));
  if (instant.test(clean) && !Number.isNaN(Date.parse(clean))) return dayOf(new Date(clean));
  // Some banks write the value date in brackets behind the date.
  const bracket = clean.endsWith(')') ? clean.search(/(?<=\d)\s*\(/) : -1;
  const first = bracket < 0 ? clean : clean.slice(0, bracket);
  return first.toLowerCase().replace(/\s+/g, ' ').replace(weekday, '').replace(time, '').trim();
}

/** Reads a date that is complete; undefined: the text is none. The day always comes before the month, as in India. */
function completeDay(bare: string, today: string): ReadDay | undefined {
  const [, days] = serial.exec(bare) ?? [];
  if (days !== undefined && Number(days) >= firstSerial && Number(days) < endSerial) {
    return { day: addDays('2000-01-01', Number(days) - firstSerial) };
  }
  const ymd = /^(\d{4})\s?[-/. ]\s?(\d{1,2})\s?[-/. ]\s?(\d{1,2})$/.exec(bare);
  if (ymd) return checked(Number(ymd[1]), Number(ymd[2]), Number(ymd[3]));
  const dmy = /^(\d{1,2})(?:st|nd|rd|th)?\s?[-/., ]\s?(\d{1,2}|[a-z]{3,9})\.?,?\s?[-/., ]?\s?(\d{2}|\d{4})$/.exec(bare);
  // Without a separator the month has to be a word: 05mar26.
  const joined = /^(\d{1,2})([a-z]{3,9})(\d{2}|\d{4})$/.exec(bare);
  const mdy = /^([a-z]{3,9})\.?\s?-?(\d{1,2})(?:st|nd|rd|th)?[-, ]\s?(\d{4})$/.exec(bare);
  const eight = /^(\d{2})(\d{2})(\d{4})$/.exec(bare);
  const [, dayText = '', monthText = '', yearText = ''] =
    dmy ?? joined ?? eight ?? (mdy ? [mdy[0], mdy[2], mdy[1], mdy[3]] : []);
  if (dayText === '') return undefined;
  const month = /\d/.test(monthText) ? Number(monthText) : monthOf(monthText);
  if (month === 0 && !/\d/.test(monthText)) return undefined;
  const read = checked(fullYear(yearText, today), month, Number(dayText));
  // Eight digits that make no day that way may begin with the year.
  const turned = eight && 'error' in read ? /^(20\d{2})(\d{2})(\d{2})$/.exec(bare) : null;
  return turned ? checked(Number(turned[1]), Number(turned[2]), Number(turned[3])) : read;
}

/**
 * Reads a date in the cell of a table: 05/03/26, 5.3.2026, 05-Mar-2026, 5 March 2026, Mar 5, 2026, 05032026, 2026-03-05,
 * 20260305 or the number of a spreadsheet's date, with or without a time or a weekday. null: the text is none of these.
 */
export function readDay(text: string, today: string): string | null {
  const read = completeDay(bareDate(text), today);
  return read && 'day' in read ? read.day : null;
}

/**
 * Reads what is typed in a date field (docs/keyboard.md §7), and whatever readDay reads. 't' is today. '+', '-' and '+3' count
 * from the field's day, or from today where the field is empty. '5' is that day of this month. '5/3' and '0503' get their year
 * from nearYear; '050326' is complete. An empty field is { day: "" }. The caller passes the current day as `today`.
 */
export function parseTypedDate(text: string, today: string, fieldDay: string = ''): ReadDay {
  if (!isDay(today)) throw new DateError(`Not a day: ${JSON.stringify(today)}`);
  const typed = bareDate(text);
  if (typed === '') return { day: '' };
  if (typed === 't' || typed === 'today') return { day: today };

  const step = /^([+-])\s?(\d{0,3})$/.exec(typed);
  if (step) {
    const days = step[2] === '' ? 1 : Number(step[2]);
    const moved = addDays(isDay(fieldDay) ? fieldDay : today, step[1] === '-' ? -days : days);
    return checked(Number(moved.slice(0, 4)), Number(moved.slice(5, 7)), Number(moved.slice(8)));
  }
  if (/^\d{1,2}$/.test(typed)) return checked(Number(today.slice(0, 4)), Number(today.slice(5, 7)), Number(typed));
  const complete = completeDay(typed, today);
  if (complete) return complete;
  const six = /^(\d{2})(\d{2})(\d{2})$/.exec(typed);
  if (six) return checked(fullYear(six[3] ?? '', today), Number(six[2]), Number(six[1]));
  const short = /^(\d{1,2})\s?[-/. ]\s?(\d{1,2}|[a-z]{3,9})$/.exec(typed) ?? /^(\d{2})(\d{2})$/.exec(typed);
  const month = short && (/\d/.test(short[2] ?? '') ? Number(short[2]) : monthOf(short[2] ?? ''));
  return short && month ? nearYear(Number(short[1]), month, today) : { error: UNREADABLE };
}

/** The day of a text; '' where it is empty or cannot be read. */
export function typedDay(text: string, today: string): string {
  const read = parseTypedDate(text, today);
  return 'day' in read ? read.day : '';
}
