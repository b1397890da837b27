import { z } from 'zod';
import { amountOut, percentageOut, instant } from './scalars.ts';
import type { Right } from './seats.ts';

/** How the fields of records are declared. challan-fields.ts uses the first part, the other records use RecordField. */

/** What a field holds. A 'record' is another record that the field names. */
export type FieldKind =
  | 'text'
  | 'identifier'
  | 'reference'
  | 'money'
  | 'weight'
  | 'liters'
  | 'percent'
  | 'date'
  | 'instant'
  | 'count'
  | 'flag'
  | 'record';

/** Who sets a field: a person, the calculation, or the server by other means than a save. */
export type Origin = 'typed' | 'derived' | 'server';

interface Field<K extends FieldKind, O extends Origin, A extends z.ZodType, I extends z.ZodType | null> {
  kind: K;
  origin: O;
  /** The column of a date ends in _at; a second column with its day ends in _on. */
  column: string;
  label: string;
  /** The schema of the field in an answer. */
  answer: A;
  /** The schema of the field in a body; null: it cannot be sent. */
  input: I;
}

const answers = {
  text: z.string(),
  identifier: z.string(),
  reference: z.string(),
  money: amountOut,
  weight: amountOut,
  liters: amountOut,
  percent: percentageOut,
  date: instant,
  instant,
  count: z.number(),
  flag: z.boolean(),
};
type Answers = typeof answers;
type PlainKind = keyof Answers;

export const typed = <K extends PlainKind, I extends z.ZodType>(
  kind: K,
  column: string,
  label: string,
  input: I,
): Field<K, 'typed', Answers[K], I> => ({ kind, origin: 'typed', column, label, answer: answers[kind], input });

export const typedOrNull = <K extends PlainKind, I extends z.ZodType>(
  kind: K,
  column: string,
  label: string,
  input: I,
) => {
  const answer: z.ZodNullable<Answers[K]> = z.nullable(answers[kind]);
  return { ...typed(kind, column, label, input), answer };
};

/** A computed field. It may be sent, and is then compared with what the server computes (AMOUNT_MISMATCH). */
export const derived = <K extends 'money' | 'weight', I extends z.ZodType>(
  kind: K,
  column: string,
  label: string,
  input: I,
): Field<K, 'derived', Answers[K], I> => ({ kind, origin: 'derived', column, label, answer: answers[kind], input });

/** A field that the server sets. It cannot be sent. */
export const kept = <K extends PlainKind>(
  kind: K,
  column: string,
  label: string,
): Field<K, 'server', Answers[K], null> => ({
  kind,
  origin: 'server',
  column,
  label,
  answer: answers[kind],
  input: null,
});

export const keptOrNull = <K extends PlainKind>(kind: K, column: string, label: string) => {
  const answer: z.ZodNullable<Answers[K]> = z.nullable(answers[kind]);
  return { ...kept(kind, column, label), answer };
};

/** A field that names another record: by its id in a body and in the database (`tagId`), as the record in an answer. */
export const named = <A extends z.ZodType, I extends z.ZodType | null>(
  column: string,
  label: string,
  answer: A,
  input: I,
): Field<'record', 'typed', z.ZodNullable<A>, I> => ({
  kind: 'record',
  origin: 'typed',
  column,
  label,
  answer: z.nullable(answer),
  input,
});

/**
 * A field of master data that people enter. Each resource has one table of them, which form, details, grid and history
 * read.
 */
export interface RecordField {
  /** The label on the form, in the details and in the history. */
  label: string;
  kind: FieldKind;
  /** The heading of its column in a grid, where it differs from the label. */
  heading?: string;
  /** The words for the values of a flag: [true, false]. */
  words?: readonly [string, string];
  /** Its value is the id of such a record, whose name is shown. */
  names?: 'owners' | 'tags' | 'petrol_pumps';
  /** Only seats with this right see it whole; others see its last four characters (docs/specification.md §28.2). */
  seenWith?: Right;
  /** Its values are never shown; the history says only that it was changed. */
  isSecret?: true;
  /** How it is edited in its cell of the list; absent: it is not. */
  inCell?: 'text' | 'lines' | 'owner';
}

/** The columns of a list whose cells can be edited. `renamed` gives the columns that are not named like their field. */
export const columnsInCells = (
  fields: Readonly<Record<string, RecordField>>,
  renamed: Readonly<Record<string, string>> = {},
): readonly string[] => Object.keys(fields).flatMap((name) => (fields[name]?.inCell ? [renamed[name] ?? name] : []));

/** The table of a resource's fields. It has to have every field of the body, else the code does not compile. */
export type FieldsOf<Body extends z.ZodType> = Readonly<Record<keyof z.input<Body> & string, RecordField>>;
