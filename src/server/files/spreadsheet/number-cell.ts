import { SSF } from '@e965/xlsx';
import { numberText } from '../../../shared/reading/tables.ts';

/** Whether a number format shows a number as a date. */
const isDateFormat = (format: unknown): boolean => typeof format === 'string' && SSF.is_date(format);

/** A unit behind the format General, which the library leaves out of what it shows. */
const unitOfGeneral = /^General(?:\\?\s)?"([^"]+)"/;

/**
 * The text of a number in a spreadsheet: a date as its day, whatever its format, and any other number with all its digits
 * (docs/specification.md §13.5). `shown` is what the sheet shows.
 */
export function numberCellText(value: number, format: unknown, shown: string, isFrom1904 = false): string {
  const unit = typeof format === 'string' ? unitOfGeneral.exec(format)?.[1] : undefined;
  if (!isDateFormat(format))
    return numberText(value, unit === undefined || shown.includes(unit) ? shown : shown + unit);
  // A time of day without a date has no day.
  const date = value < 1 ? null : SSF.parse_date_code(value, { date1904: isFrom1904 });
  if (!date) return shown;
  return [String(date.y).padStart(4, '0'), ...[date.m, date.d].map((part) => String(part).padStart(2, '0'))].join('-');
}
