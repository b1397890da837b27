import { z } from 'zod';
import { amountOut, instant } from './scalars.ts';

/** How the fields of a record are declared: see challan-fields.ts. */

/** What a field holds; a record is another one that the challan names. */
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

/** Who says what a field holds: a person; the calculation; or the server, by other means than a save. */
export type Origin = 'typed' | 'derived' | 'server';

interface Field<K extends FieldKind, O extends Origin, A extends z.ZodType, I extends z.ZodType | null> {
  kind: K;
  origin: O;
  /** A date's column ends in _at and has its day beside it, ending in _on. */
  column: string;
  label: string;
  /** Of an answer. */
  answer: A;
  /** Of a body; null: it cannot be sent. */
  input: I;
}

const answers = {
  text: z.string(),
  identifier: z.string(),
  reference: z.string(),
  money: amountOut,
  weight: amountOut,
  liters: amountOut,
  percent: amountOut,
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

/** It may be sent, and is compared with what the server computes (AMOUNT_MISMATCH). */
export const derived = <K extends 'money' | 'weight', I extends z.ZodType>(
  kind: K,
  column: string,
  label: string,
  input: I,
): Field<K, 'derived', Answers[K], I> => ({ kind, origin: 'derived', column, label, answer: answers[kind], input });

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

/** In a body and in the database the id, in an answer the record; the id's name ends in Id. */
export const named = <A extends z.ZodType, I extends z.ZodType>(
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

/** A field of master data that people enter. One table for each resource, read by form, details, grid and history. */
export interface RecordField {
  /** On the form, in the details and in the history. */
  label: string;
  kind: FieldKind;
  /** Over its column in a grid, where that is not the label. */
  heading?: string;
  /** The words of a yes or no: [true, false]. */
  words?: readonly [string, string];
  /** Its value is the id of one of these, and is shown by its name. */
  names?: 'owners' | 'tags' | 'petrol_pumps';
  /** Never shown: of a change only that it was made. */
  isSecret?: true;
  /** Changed in its cell of the list. */
  inCell?: 'text' | 'lines' | 'owner';
}

/** The columns of a list whose cells are edited: those of its fields, unless a column is named otherwise. */
export const columnsInCells = (
  fields: Readonly<Record<string, RecordField>>,
  renamed: Readonly<Record<string, string>> = {},
): readonly string[] => Object.keys(fields).flatMap((name) => (fields[name]?.inCell ? [renamed[name] ?? name] : []));

/** A field for each that a body can have: one that is left out does not compile. */
export type FieldsOf<Body extends z.ZodType> = Readonly<Record<keyof z.input<Body> & string, RecordField>>;
