/**
 * Writes rows as JSON without making objects: a page of challans has 2,500 values, and mapping and serializing them
 * costs more than the query. The shape is written once, as data; select list and JSON text follow from it.
 */

/** A part of an answer that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How a value is written. `plain`: text that never needs escaping (numbers, ids), in quotes. A null column is null. */
type Kind = 'text' | 'plain' | 'number' | 'boolean' | 'instant';

export interface Field {
  readonly sql: string;
  readonly kind: Kind;
}

/** A referenced record: null where its id is null. */
interface Reference {
  readonly fields: Record<string, Field>;
}

/** One entry for each key of the API's record T, and no other. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: NonNullable<T[K]> extends object
    ? { readonly fields: { readonly [N in keyof NonNullable<T[K]>]-?: Field } }
    : Field;
};

export const text = (sql: string): Field => ({ sql, kind: 'text' });
export const plain = (sql: string): Field => ({ sql, kind: 'plain' });
export const number = (sql: string): Field => ({ sql, kind: 'number' });
export const boolean = (sql: string): Field => ({ sql, kind: 'boolean' });
export const instant = (sql: string): Field => ({ sql: `${sql}::text`, kind: 'instant' });
export const reference = <F extends Record<string, Field>>(fields: F): { readonly fields: F } => ({ fields });

/** A row as PostgreSQL writes it, each column as text (see BoundDb.texts). */
export type TextRow = readonly (string | null)[];

export interface JsonRow<T> {
  /** The select list, in the order in which `write` reads. */
  readonly columns: string;
  /** The row's JSON; its columns begin at `from`. */
  write(row: TextRow, from?: number): string;
  /** The same as an object. */
  read(row: TextRow, from?: number): T;
}

type Entry = Field | Reference;

/** The shape of a record → how to ask for it and how to write it. A reference's first field is its id. */
export function jsonRow<T>(fields: FieldsOf<T>): JsonRow<T> {
  // The mapped type says what each key holds; the loop only needs to know that each is one of the two.
  const entries = Object.entries(fields as Record<string, Entry>);
  const columns: string[] = [];
  const add = (name: string, { sql }: Field): number => columns.push(`${sql} AS "${name}"`) - 1;
  const parts = entries.map(([key, entry], index) => {
    const opening = `${index === 0 ? '{' : ','}"${key}":`;
    if (!('fields' in entry)) return writerOf(opening, entry.kind, add(key, entry));
    const inner = Object.entries(entry.fields).map(([name, field], place) => ({
      column: add(`${key}.${name}`, field),
      write: writerOf(`${place === 0 ? '{' : ','}"${name}":`, field.kind, columns.length - 1),
    }));
    const id = inner[0]?.column ?? 0;
    return (row: TextRow, from: number): string => {
      if (row[from + id] === null) return `${opening}null`;
      let written = opening;
      for (const { write } of inner) written += write(row, from);
      return `${written}}`;
    };
  });
  const write = (row: TextRow, from: number = 0): string => {
    let written = '';
    for (const part of parts) written += part(row, from);
    return `${written}}`;
  };
  // What `write` gives is the record by construction: its keys and kinds are those of T.
  return { columns: columns.join(', '), write, read: (row, from) => JSON.parse(write(row, from)) as T };
}

function writerOf(opening: string, kind: Kind, column: number): (row: TextRow, from: number) => string {
  const write = writers[kind];
  return (row, from) => {
    const value = row[from + column];
    return value === null || value === undefined ? `${opening}null` : opening + write(value);
  };
}

const writers: Record<Kind, (value: string) => string> = {
  text: (value) => (isPlain.test(value) ? `"${value}"` : JSON.stringify(value)),
  plain: (value) => `"${value}"`,
  number: (value) => value,
  boolean: (value) => (value === 't' ? 'true' : 'false'),
  instant: (value) => `"${isoInstant(value)}"`,
};

/** Nothing that JSON escapes: quotes, backslashes, controls, and lone surrogates. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const isPlain = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

/** How PostgreSQL writes a timestamptz in UTC, the zone of every connection of the app. */
const utcText = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/**
 * An instant as the API sends it, from PostgreSQL's text: '2026-03-05 18:30:00.123456+00' → '2026-03-05T18:30:00.123Z'.
 * A page has hundreds of them, and converting each to a Date and back would take as long as everything else.
 */
export function isoInstant(value: string): string {
  if (!utcText.test(value)) return new Date(value).toISOString();
  const fraction = value.slice(20, -3);
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
