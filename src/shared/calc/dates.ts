/**
 * Days ('YYYY-MM-DD') and instants (ISO 8601 with a zone). "By day" means the day in Asia/Kolkata
 * (docs/specification.md §3.5), whatever the time zone of the machine is. India is at +05:30 all year, so the shift is a
 * constant and needs no zone table.
 */

const IST_OFFSET_MS = 330 * 60_000;
const DAY_MS = 86_400_000;
const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Text that should have been a day or an instant and is not. */
export class DateError extends Error {
  override name = 'DateError';
}

function pad(value: number, width: number = 2): string {
  return String(value).padStart(width, '0');
}

function dayFrom(year: number, month: number, dayOfMonth: number): string | null {
  if (year < 1900 || year > 2199) return null;
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth;
  return isReal ? `${pad(year, 4)}-${pad(month)}-${pad(dayOfMonth)}` : null;
}

function dayOfMilliseconds(ms: number): string {
  return new Date(ms + IST_OFFSET_MS).toISOString().slice(0, 10);
}

/** The days from 1970-01-01 to this day: only for counting. */
function dayNumber(day: string): number {
  if (!isDay(day)) throw new DateError(`Not a day: ${JSON.stringify(day)}`);
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** A real calendar day written YYYY-MM-DD, 1900 to 2199 (30 February, year 0 and year 10000 are not). */
export function isDay(text: string): boolean {
  const match = DAY_PATTERN.exec(text);
  return match !== null && dayFrom(Number(match[1]), Number(match[2]), Number(match[3])) === text;
}

/** A timestamp with its zone ('Z' or an offset). Without a zone its meaning would depend on the machine. */
export function isInstant(text: string): boolean {
  if (!INSTANT_PATTERN.test(text) || !isDay(text.slice(0, 10)) || text.slice(11, 13) > '23') return false;
  return !Number.isNaN(Date.parse(text));
}

/** The day in Asia/Kolkata of a day, a timestamp or a Date. Throws DateError for anything else. */
export function dayOf(value: string | Date): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new DateError('Not a date');
    return dayOfMilliseconds(value.getTime());
  }
  if (isDay(value)) return value;
  if (isInstant(value)) return dayOfMilliseconds(Date.parse(value));
  throw new DateError(`Not a day or a timestamp: ${JSON.stringify(value)}`);
}

/** The instant a day begins in India: '2026-03-05' → '2026-03-04T18:30:00.000Z'. */
export function startOfDay(day: string): string {
  return new Date(dayNumber(day) * DAY_MS - IST_OFFSET_MS).toISOString();
}

/** A day or a timestamp as the instant to store; a day means its beginning in India. */
export function instantOf(value: string): string {
  return isDay(value) ? startOfDay(value) : new Date(Date.parse(checkedInstant(value))).toISOString();
}

function checkedInstant(value: string): string {
  if (!isInstant(value)) throw new DateError(`Not a timestamp: ${JSON.stringify(value)}`);
  return value;
}

export function addDays(day: string, days: number): string {
  return new Date((dayNumber(day) + days) * DAY_MS).toISOString().slice(0, 10);
}

/** Whole days from a to b; negative when b is earlier. */
export function daysBetween(a: string, b: string): number {
  return dayNumber(b) - dayNumber(a);
}

/** Compares two values by their day in India; each may be a day or a timestamp. */
export function compareDays(a: string, b: string): -1 | 0 | 1 {
  const first = dayOf(a);
  const second = dayOf(b);
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** The Indian financial year, April to March, of a day or timestamp: '2026-04-01' → '2627'. */
export function financialYear(value: string | Date): string {
  const start = financialYearStart(dayOf(value));
  return `${pad(start % 100)}${pad((start + 1) % 100)}`;
}

/** The calendar year in which the financial year of a day begins. */
export function financialYearStart(day: string): number {
  return Number(day.slice(0, 4)) - (day.slice(5) < '04-01' ? 1 : 0);
}

/** DD/MM/YYYY */
export function formatDate(value: string | Date): string {
  const [year, month, dayOfMonth] = dayOf(value).split('-');
  return `${dayOfMonth}/${month}/${year}`;
}

/** DD/MM/YY, as the challan list shows a day. */
export function formatShortDate(value: string | Date): string {
  const [year = '', month, dayOfMonth] = dayOf(value).split('-');
  return `${dayOfMonth}/${month}/${year.slice(2)}`;
}

/** HH:mm in India. A plain day has no time: 00:00. */
export function formatTime(value: string | Date): string {
  const instant = value instanceof Date ? value.toISOString() : instantOf(value);
  return new Date(Date.parse(instant) + IST_OFFSET_MS).toISOString().slice(11, 16);
}

/** DD/MM/YYYY HH:mm in India, as details show it. */
export function formatDateTime(value: string | Date): string {
  return `${formatDate(value)} ${formatTime(value)}`;
}

/**
 * Reads a moment as an operator types it: '2026-11-23 09:14', with or without seconds. It is a time in India unless an
 * offset follows. null: the text is no moment.
 */
export function momentOf(text: string): Date | null {
  const found =
    /^(\d{4}-\d\d-\d\d)[ T]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d{1,3})?)? ?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/.exec(
      text.trim(),
    );
  const [, day = '', minutes, seconds = ':00', offset = '+05:30'] = found ?? [];
  if (!found || !isDay(day)) return null;
  const zone = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  const moment = new Date(`${day}T${minutes}${seconds}${zone}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** Writes a moment as a time in India: '2026-11-23 09:14:00+05:30'. */
export function inIndia(moment: Date, precision: 's' | 'ms' = 's'): string {
  const there = new Date(moment.getTime() + IST_OFFSET_MS).toISOString();
  return `${there.slice(0, 10)} ${there.slice(11, precision === 's' ? 19 : 23)}+05:30`;
}
