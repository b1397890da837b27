import { isoInstant } from '../db/type-parsers.ts';

/**
 * The shape of a record of the API as data. Both the select list and the object are derived from it. Rows are read as
 * PostgreSQL's text, so that an amount is never a number and an instant never a Date.
 */

/** How the text of a column is parsed. A null column is null. */
type Kind = 'text' | 'number' | 'boolean' | 'instant';
type Value = string | number | boolean | null;

export interface Field {
  readonly sql: string;
  readonly kind: Kind;
}

/** A referenced record; it is null when its id is null. */
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
export const number = (sql: string): Field => ({ sql, kind: 'number' });
export const boolean = (sql: string): Field => ({ sql, kind: 'boolean' });
export const instant = (sql: string): Field => ({ sql: `${sql}::text`, kind: 'instant' });
export const reference = <F extends Record<string, Field>>(fields: F): { readonly fields: F } => ({ fields });

/** A row with each column as PostgreSQL's text (see BoundDb.texts). */
type TextRow = readonly (string | null)[];

export interface RecordRow<T> {
  /** The select list, in the order in which `read` reads. */
  readonly columns: string;
  /** Converts a row to a record. The record's columns begin at index `from`. */
  read(row: TextRow, from?: number): T;
}

/** A key of a record, the index of its column, and how it is parsed. */
interface Cell {
  readonly key: string;
  readonly column: number;
  readonly kind: Kind;
}

/** Derives the select list and the reader from the shape of a record. The first field of a reference is its id. */
export function recordRow<T>(fields: FieldsOf<T>): RecordRow<T> {
  const columns: string[] = [];
  const cellOf = (key: string, name: string, { sql, kind }: Field): Cell => ({
    key,
    kind,
    column: columns.push(`${sql} AS "${name}"`) - 1,
  });
  // The cast is safe: the mapped type says what each key holds, and the loop only needs to know that each is one of the
  // two.
  const parts = Object.entries(fields as Record<string, Field | Reference>).map(([key, entry]) =>
    'fields' in entry
      ? {
          key,
          inner: Object.entries(entry.fields).map(([name, field]) => cellOf(name, `${key}.${name}`, field)),
        }
      : cellOf(key, key, entry),
  );
  const blank = blankOf(parts.map(({ key }) => key));
  // The reader loops over data instead of calling a function per key, because a page of challans has 2,500 values.
  const read = (row: TextRow, from: number = 0): T => {
    const record = { ...blank };
    for (const part of parts)
      record[part.key] = 'inner' in part ? referenced(part.inner, row, from) : valueOf(part, row, from);
    // The cast is safe: by construction the keys and kinds are those of T.
    return record as T;
  };
  return { columns: columns.join(', '), read };
}

/**
 * Returns an empty record that is copied for each row. JavaScript turns an object to which many keys are added one by
 * one into a hash table, which is slower to read and to copy. An object from JSON.parse is not one.
 */
function blankOf(keys: readonly string[]): Record<string, unknown> {
  // The cast is safe: the text was made from an object with these keys.
  return JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null])))) as Record<string, unknown>;
}

function referenced(cells: readonly Cell[], row: TextRow, from: number): Record<string, Value> | null {
  const record: Record<string, Value> = {};
  for (const cell of cells) {
    const value = valueOf(cell, row, from);
    if (value === null && cell === cells[0]) return null;
    record[cell.key] = value;
  }
  return record;
}

function valueOf({ kind, column }: Cell, row: TextRow, from: number): Value {
  const value = row[from + column];
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'text':
      return value;
    case 'number':
      return Number(value);
    case 'boolean':
      return value === 't';
    case 'instant':
      return isoInstant(value);
  }
}
