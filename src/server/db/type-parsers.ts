import { types, type CustomTypesConfig } from 'pg';

/** How the values of a row are parsed from PostgreSQL's text. */

/** PostgreSQL's type ids; pg names only some of them. */
const typeIds = {
  int8: 20,
  date: 1082,
  timestamptz: 1184,
  numeric: 1700,
  int8Array: 1016,
  dateArray: 1182,
  numericArray: 1231,
  textArray: 1009,
};
const exactScalars = new Set([typeIds.int8, typeIds.date, typeIds.numeric]);
const exactArrays = new Set([typeIds.int8Array, typeIds.dateArray, typeIds.numericArray]);

/**
 * Parses values without losing exactness. numeric and bigint stay text, because they would lose digits as JS numbers.
 * date stays text, because a Date would shift it by the server's time zone. Only timestamptz becomes a Date. (Numbers
 * inside json become floats anyway: cast them to text.)
 */
export const exactTypeParsers: CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (exactScalars.has(type)) return (text: string) => text;
    return types.getTypeParser(exactArrays.has(type) ? typeIds.textArray : type, format);
  },
};

/** The same, but an instant becomes text in the form of the API. */
export const answerTypeParsers: CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    return type === typeIds.timestamptz ? isoInstant : exactTypeParsers.getTypeParser(type, format);
  },
};

/** Leaves every value as PostgreSQL's text. */
export const textTypeParsers: CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** The form in which PostgreSQL writes a timestamptz in UTC, the time zone of every connection of the app. */
const utcText = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/**
 * Converts PostgreSQL's text of an instant to the form of the API: '2026-03-05 18:30:00.123456+00' →
 * '2026-03-05T18:30:00.123Z'. A page has hundreds of instants, and converting each to a Date and back would take as
 * long as everything else.
 */
export function isoInstant(value: string): string {
  if (!utcText.test(value)) return new Date(value).toISOString();
  const fraction = value.slice(20, -3);
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
