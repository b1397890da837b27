import { isDay } from './dates.ts';

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
  const there = new Date(moment.getTime() + 19_800_000).toISOString();
  return `${there.slice(0, 10)} ${there.slice(11, precision === 's' ? 19 : 23)}+05:30`;
}
