import { z } from 'zod';
import { compare } from '../calc/money.ts';
import {
  filterNames,
  rangesOf,
  type ChoiceFilter,
  type FilterKind,
  type FilterOf,
  type FilterTable,
  type OneOfFilter,
} from '../filters/define.ts';
import {
  amountsReversed,
  day,
  documented,
  id,
  idQuery,
  optionalQuery,
  rangeReversed,
  signedAmount,
  text,
  trueOrFalse,
} from './scalars.ts';

/** Derives the schemas of a list's filters from their table: for a query string, for a body and for an answer. */

const orNone = z.literal('none');
const contained = text(200);
/** As long as a route: two places and the arrow. */
const whole = text(403);
const idChoice = z.union([orNone, id], { error: 'must be an id or none' });
const dayChoice = z.union([orNone, day], { error: 'must be a date such as 2026-04-01, or none' });

/** Accepts true and false, and also the words of the choice, such as paid and unpaid. */
function choiceQuery<const On extends string, const Off extends string>({ words: [on, off] }: ChoiceFilter<On, Off>) {
  const words = ['true', 'false', on, off] as const;
  return optionalQuery(
    z
      .union([z.boolean(), z.enum(words).transform((value) => value === 'true' || value === on)], {
        error: `must be ${on} or ${off}`,
      })
      .register(documented, { type: 'string', enum: [...words] }),
  );
}

const oneOfQuery = <const Word extends string>({ words }: OneOfFilter<Word>) =>
  // Safe: there is at least one word.
  optionalQuery(z.enum(words as readonly [Word, ...Word[]], { error: `must be one of ${words.join(', ')}` }));

export const dayQuery = optionalQuery(day);
const amountQuery = optionalQuery(signedAmount);

const querySchemas = {
  contains: () => optionalQuery(contained),
  exact: () => optionalQuery(whole),
  choice: choiceQuery,
  oneOf: oneOfQuery,
  id: () => idQuery,
  idOrNone: () => optionalQuery(idChoice),
  dayFrom: () => dayQuery,
  dayTo: () => dayQuery,
  dayOrNone: () => optionalQuery(dayChoice),
  amountFrom: () => amountQuery,
  amountTo: () => amountQuery,
} satisfies { [Kind in FilterKind]: (filter: FilterOf<Kind>) => z.ZodType };

const bodySchemas = {
  contains: contained,
  exact: whole,
  choice: trueOrFalse,
  oneOf: z.string(),
  id,
  idOrNone: idChoice,
  dayFrom: day,
  dayTo: day,
  dayOrNone: dayChoice,
  amountFrom: signedAmount,
  amountTo: signedAmount,
} satisfies Record<FilterKind, z.ZodType>;
type BodySchema<Kind extends FilterKind> = (typeof bodySchemas)[Kind];

const answerSchemas = {
  contains: z.string(),
  exact: z.string(),
  choice: z.boolean(),
  oneOf: z.string(),
  id: z.string(),
  idOrNone: z.string(),
  dayFrom: z.string(),
  dayTo: z.string(),
  dayOrNone: z.string(),
  amountFrom: z.string(),
  amountTo: z.string(),
} satisfies Record<FilterKind, z.ZodType>;
type AnswerSchema<Kind extends FilterKind> = (typeof answerSchemas)[Kind];

type QueryShape<T extends FilterTable> = {
  [N in keyof T]: T[N] extends ChoiceFilter<infer On, infer Off>
    ? ReturnType<typeof choiceQuery<On, Off>>
    : T[N] extends OneOfFilter<infer Word>
      ? ReturnType<typeof oneOfQuery<Word>>
      : ReturnType<(typeof querySchemas)[T[N]['kind']]>;
};

/** The shape with the schema that `schemaOf` gives for each filter of a table. */
function shapeOf<T extends FilterTable>(
  table: T,
  schemaOf: (filter: T[keyof T]) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries(filterNames(table).map((name) => [name, schemaOf(table[name])]));
}

/** The filters in a query string, where absent, empty and `null` all mean "no filter". */
export function filterQuery<T extends FilterTable>(table: T): QueryShape<T> {
  return shapeOf(table, (filter) => {
    // Safe: the function for a filter's kind accepts that filter.
    const schemaOf = querySchemas[filter.kind] as (filter: T[keyof T]) => z.ZodType;
    return schemaOf(filter);
  }) as QueryShape<T>;
}

/** The filters in a body, where an absent key means "no filter". */
export function filterBody<T extends FilterTable>(table: T) {
  type Shape = { [N in keyof T]: z.ZodOptional<BodySchema<T[N]['kind']>> };
  return shapeOf(table, ({ kind }) => bodySchemas[kind].optional()) as Shape;
}

/** The filters in a body where null means "no filter" as well. */
export function nullableFilterBody<T extends FilterTable>(table: T) {
  type Shape = { [N in keyof T]: z.ZodOptional<z.ZodNullable<BodySchema<T[N]['kind']>>> };
  return shapeOf(table, ({ kind }) => bodySchemas[kind].nullable().optional()) as Shape;
}

/** The filters in an answer that says how they were understood; null means "no filter". */
export function filterAnswer<T extends FilterTable>(table: T) {
  type Shape = { [N in keyof T]: z.ZodNullable<AnswerSchema<T[N]['kind']>> };
  return shapeOf(table, ({ kind }) => answerSchemas[kind].nullable()) as Shape;
}

/** The filters in an answer that repeats them as they were sent. */
export function filterEcho<T extends FilterTable>(table: T) {
  type Shape = { [N in keyof T]: z.ZodOptional<AnswerSchema<T[N]['kind']>> };
  return shapeOf(table, ({ kind }) => answerSchemas[kind].optional()) as Shape;
}

/** Refuses ranges that end before they begin (docs/specification.md §14.3). */
export function inRangeOrder<S extends z.ZodObject>(schema: S, table: FilterTable): S {
  return rangesOf(table).reduce((checked, { from, to, of }) => {
    const isInOrder = of === 'days' ? (a: string, b: string) => a <= b : amountsInOrder;
    return checked.refine(
      (value) => {
        // Safe: both ends of a range are texts in the schema.
        const { [from]: first, [to]: last } = value as Record<string, string | null | undefined>;
        return !first || !last || isInOrder(first, last);
      },
      { path: [to], error: of === 'days' ? rangeReversed : amountsReversed },
    );
  }, schema);
}

/** Text that is not an amount counts as in order here, because it has an error of its own. */
const amountsInOrder = (first: string, last: string): boolean =>
  ![first, last].every((amount) => signedAmount.safeParse(amount).success) || compare(first, last) <= 0;
