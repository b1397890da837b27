import { z } from 'zod';
import { AMOUNT_MESSAGE, WEIGHT_MESSAGE } from '../calc/challan-rules.ts';
import { isDay, isInstant } from '../calc/dates.ts';
import { tenDigitsOf } from '../calc/identity.ts';

/**
 * The building blocks of every shape of the API (docs/specification.md §14.2). Nothing in a body is coerced: money,
 * weights, liters and percentages are decimal strings, and booleans are booleans. A query string is text, and only these
 * schemas parse it.
 */

/**
 * How the API document shows a schema, where what zod derives from it says too little (transforms) or too much (query
 * parsing). An entry with a `type` replaces what zod derives; one without a `type` is added to it. The document never allows
 * more than the schema: tests/contract/openapi-values.test.ts.
 */
export const documented = z.registry<Record<string, unknown>>();

const decimalMessage = 'must be a decimal string such as "12345.00"';
const decimalPattern = /^\d{1,12}(\.\d{1,2})?$/;

/** Gives `required` as the message for a missing value (absent or null), and `wrong` for a value of the wrong type. */
function missingOr(required: string | undefined, wrong: string) {
  return (issue: { input?: unknown }) => ((issue.input ?? undefined) === undefined && required) || wrong;
}

/**
 * A decimal amount in a body: at most 12 digits before the point and two after it, never negative. `required` is the
 * message for an absent or empty value ('Please enter loading weight'); 0 is a value (docs/specification.md §8.3.1).
 */
export function decimal(required?: string) {
  return z
    .string({ error: missingOr(required, decimalMessage) })
    .min(1, { error: required ?? decimalMessage, abort: true })
    .regex(decimalPattern, AMOUNT_MESSAGE);
}

/** A weight in MT: an amount with at most ten digits before the point. */
export function weight(required?: string) {
  return decimal(required)
    .regex(/^\d{1,10}(\.\d*)?$/, WEIGHT_MESSAGE)
    .register(documented, { type: 'string', pattern: '^\\d{1,10}(\\.\\d{1,2})?$' });
}

/** A computed amount that a client may send, which can be below zero (difference weight, net payable). */
export const signedAmount = z
  .string({ error: 'must be a decimal string such as "-12345.00"' })
  .regex(/^-?\d{1,12}(\.\d{1,2})?$/, 'must be a decimal string such as "-12345.00"');

const twoDecimals = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' };
/**
 * Money, weight, liters or a share in an answer, signed where the value can be negative. The serializer writes two decimals
 * (http/answer.ts).
 */
export const amountOut = z.string().register(documented, twoDecimals);
/** A percentage of TDS in an answer. */
export const percentageOut = z.string().register(documented, { type: 'string', pattern: '^\\d+\\.\\d{1,2}$' });
/** A sum over many rows in an answer. It can be longer than a single amount. */
export const total = z.string().register(documented, twoDecimals);
/** A sum that a client sends back for comparison (`expected.totalAmount`). */
export const signedTotal = z
  .string({ error: 'must be a decimal string such as "12345.00"' })
  .regex(/^-?\d{1,18}(\.\d{1,2})?$/, 'must be a decimal string such as "12345.00"');

const malformedId = 'must be an id';
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** The schema also accepts capitals. */
const documentedId = { type: 'string', format: 'uuid', pattern: idPattern.source };

function idSaying(malformed: string) {
  return z
    .string({ error: malformed })
    .regex(idPattern, malformed)
    .transform((value) => value.toLowerCase())
    .register(documented, documentedId);
}

/** A UUID v4 made by the server. */
export const id = idSaying(malformedId);

export const idParams = z.object({ id });

/** An id that has to be chosen. `required` is the message for an absent or empty one ('Please select a tag'). */
export function requiredId(required: string, malformed = malformedId) {
  return z
    .string({ error: missingOr(required, malformed) })
    .min(1, { error: required, abort: true })
    .pipe(idSaying(malformed))
    .register(documented, documentedId);
}

/** A boolean in a body: 0, "false" and null are refused. */
export const trueOrFalse = z.boolean({ error: 'must be true or false' });

const years = '^(19|2[01])\\d\\d-';
/** A calendar day that exists, in the years 1900 to 2199. */
export const day = z
  .string({ error: 'must be a date such as 2026-04-01' })
  .regex(/^\d{4}-\d\d-\d\d$/, { error: 'must be a date such as 2026-04-01', abort: true })
  .refine(isDay, 'must be a date that exists')
  .register(documented, { type: 'string', format: 'date', pattern: years });

/** A calendar day that has to be given. `required` is the message for an absent or empty value. */
export const requiredDay = (required: string) =>
  z
    .string({ error: required })
    .min(1, { error: required, abort: true })
    .pipe(day)
    .register(documented, { type: 'string', format: 'date', pattern: years });

/**
 * A date of a challan in a body: a day or an ISO 8601 timestamp. `required` is the message for an absent or empty value
 * ('Please select loading date').
 */
export function dayOrInstant(required?: string) {
  const wrong = 'Please enter a valid date';
  return z
    .string({ error: missingOr(required, wrong) })
    .min(1, { error: required ?? wrong, abort: true })
    .refine((value) => isDay(value) || isInstant(value), wrong)
    .register(documented, {
      type: 'string',
      pattern: `${years}[^a-z]*$`,
      anyOf: [{ format: 'date' }, { format: 'date-time' }],
    });
}

const wrongMoment = 'must be a moment such as 2026-04-01T09:30:00Z';
/** An ISO 8601 timestamp with its zone, in a request. */
export const moment = z
  .string({ error: wrongMoment })
  .refine(isInstant, wrongMoment)
  .register(documented, { type: 'string', format: 'date-time', pattern: `${years}[^a-z]*$` });

/** An instant in an answer: ISO 8601, UTC. */
export const instant = z.string().register(documented, { type: 'string', format: 'date-time' });

/** When a record was written, and its version, after its own fields. */
export const written = { createdAt: instant, updatedAt: instant, version: z.number() };

/**
 * Worded like the specification's messages for two dates in the wrong order (docs/specification.md §8.3.3). The field and
 * the server's answer use the same text.
 */
export const rangeReversed = 'The end date cannot be before the start date';
export const amountsReversed = 'The highest amount cannot be below the lowest';

/**
 * The arguments of `refine` by which a query or a filter refuses a reversed range of days with 400
 * (docs/specification.md §14.3).
 */
export function inOrder<A extends string, B extends string>(from: A, to: B) {
  const check = (value: { [key in A | B]?: string | null | undefined }) => {
    const [start, end] = [value[from], value[to]];
    return !start || !end || start <= end;
  };
  const params: { path: PropertyKey[]; error: string } = {
    path: [to],
    error: rangeReversed,
  };
  return [check, params] as const;
}

/* oxlint-disable no-control-regex -- control characters are exactly what is refused here */
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;
const unprintableOrNewLine = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;
/* oxlint-enable no-control-regex */

/**
 * Text that a person typed: one line, or several with `lines`. It is trimmed and normalised to NFC. Control characters and
 * direction overrides are refused, because they make a text look different from what it is.
 */
export function text(
  max: number,
  options: {
    min?: number;
    required?: string;
    tooLong?: string;
    lines?: boolean;
    /** Gives the form that is stored (in capitals, without spaces). The length is checked afterwards. */
    stored?: (value: string) => string;
    /** The message for a text that is not empty but shorter than `min`; absent: `required` is used. */
    tooShort?: string;
    /** What the stored form has to match, and the message where it does not. */
    pattern?: RegExp;
    invalid?: string;
  } = {},
) {
  const { required = 'is required', pattern, invalid = 'is not valid' } = options;
  const least = options.min ?? (options.required ? 1 : 0);
  const forbidden = options.lines ? unprintable : unprintableOrNewLine;
  return z
    .string({ error: missingOr(options.required, 'must be text') })
    .refine((value) => value.isWellFormed() && !forbidden.test(value.trim()), 'must not contain control characters')
    .transform((value) => (options.stored ?? asTyped)(value.normalize('NFC').trim()))
    .pipe(
      z
        .string()
        .refine((value) => isAtLeast(value, least), {
          error: ({ input }) => (input === '' ? required : (options.tooShort ?? required)),
          abort: pattern !== undefined,
        })
        .refine((value) => isAtMost(value, max), {
          error: options.tooLong ?? `must be at most ${max} characters`,
          abort: pattern !== undefined,
        })
        .refine((value) => pattern?.test(value) ?? true, invalid),
    )
    .register(documented, {
      type: 'string',
      ...(pattern
        ? { pattern: options.stored === upperCase ? inAnyCase(pattern) : pattern.source }
        : { ...(least > 0 && { minLength: least }), pattern: patternOf(forbidden, least) }),
      maxLength: max,
    });
}

const asTyped = (value: string): string => value;

/** Lengths count code points, as JSON Schema and PostgreSQL do. */
const isAtMost = (value: string, max: number): boolean => value.length <= max || [...value].length <= max;
const isAtLeast = (value: string, min: number): boolean => value.length >= 2 * min || [...value].length >= min;

/** The pattern of a text that has no forbidden characters and, without the spaces around it, at least `least` characters. */
function patternOf(forbidden: RegExp, least: number): string {
  const inner = least > 1 ? `[\\s\\S]{${least - 2},}\\S` : '';
  return `^${least > 0 ? `(?=\\s*\\S${inner})` : ''}[^${forbidden.source.slice(1)}*$`;
}
export const upperCase = (value: string): string => value.toUpperCase();

/** A pattern of capitals that accepts small letters too. JSON Schema has no flag for it. */
const inAnyCase = ({ source }: RegExp): string =>
  source.replace(/A-Z|[A-Z]/g, (part) => (part === 'A-Z' ? 'A-Za-z' : `[${part}${part.toLowerCase()}]`));

/** A query value where absent, empty and `null` all mean "no filter". */
export function optionalQuery<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value: z.input<T> | '' | 'null' | undefined) => (value === '' || value === 'null' ? undefined : value),
    schema.optional(),
  );
}

/** A whole number in a query. The client may pass a number, which it sends as text. */
export function wholeNumber(min: number, max: number) {
  const wrong = `must be a whole number from ${min} to ${max}`;
  return z
    .union(
      [
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
        z.number().int(),
      ],
      { error: wrong },
    )
    .pipe(z.number().min(min, wrong).max(max, wrong))
    .register(documented, { type: 'integer', minimum: min, maximum: max });
}

const maximumLimit = 100;
const mostPages = 1_000_000_000;
const limit = wholeNumber(1, maximumLimit);

/** The keys of paging: for an error in one of them implement.ts answers 400 INVALID_PAGINATION. */
export const paginationKeys = ['page', 'limit', 'pageSize'] as const;
export const pageQuery = {
  page: wholeNumber(1, mostPages)
    .default(1)
    .register(documented, { type: 'integer', minimum: 1, maximum: mostPages, default: 1 }),
  limit: limit.default(10).register(documented, { type: 'integer', minimum: 1, maximum: maximumLimit, default: 10 }),
};
/** On the bank statement `limit` has a second name, which wins where both are sent. */
export const pageSizeQuery = { pageSize: limit.optional() };

export const sortOrder = z.enum(['asc', 'desc']);

/** `sortBy`, which allows only these keys and has a default, and `sortOrder`. */
export function sortQuery<const K extends readonly [string, ...string[]]>(
  keys: K,
  by: K[number],
  order: 'asc' | 'desc' = 'desc',
) {
  return {
    sortBy: optionalQuery(z.enum(keys))
      // Safe: z.enum widens its output, but `keys` is the list of what it accepts.
      .transform((value) => (value ?? by) as K[number])
      .register(documented, { type: 'string', enum: [...keys], default: by }),
    sortOrder: optionalQuery(sortOrder)
      .transform((value) => value ?? order)
      .register(documented, { type: 'string', enum: ['asc', 'desc'], default: order }),
  };
}

/** As sortQuery, without a default: where no order is chosen, a list has its own order, and a search ranks by relevance. */
export function chosenSortQuery<const K extends readonly [string, ...string[]]>(keys: K) {
  return {
    sortBy: optionalQuery(z.enum(keys)).register(documented, { type: 'string', enum: [...keys] }),
    sortOrder: sortQuery(keys, keys[0], 'asc').sortOrder,
  };
}

export const idQuery = optionalQuery(id);
export const textQuery = optionalQuery(text(200));
/** A search term in which a phone number may have any form: the ten digits that are stored. */
export const contactTerm = (term: string): string => tenDigitsOf(term) ?? term;
export const contactQuery = optionalQuery(text(200, { stored: contactTerm }));
const termRules = { min: 2, required: 'Please enter at least 2 characters' };
/** A search term: at least 2 characters after trimming (docs/specification.md §3.3). */
export const searchTerm = text(200, termRules);
/** The most results of a search when no page of it is requested. */
const mostResults = 200;
/** The query of a search: the term, which finds a contact number in any form, the page and the order. */
export const searchQuery = <const K extends readonly [string, ...string[]]>(keys: K) => ({
  q: text(200, { ...termRules, stored: contactTerm }),
  page: pageQuery.page,
  limit: limit
    .default(mostResults)
    .register(documented, { type: 'integer', minimum: 1, maximum: maximumLimit, default: mostResults }),
  ...chosenSortQuery(keys),
});

export const pagination = z.object({
  currentPage: z.number(),
  limit: z.number(),
  totalPages: z.number(),
  totalCount: z.number(),
  hasNext: z.boolean(),
  hasPrevious: z.boolean(),
  offset: z.number(),
});
export type Pagination = z.output<typeof pagination>;

/** The version of a record, for optimistic locking: a PUT with an outdated version gets 409 VERSION_CONFLICT. */
export const version = z
  .number({ error: 'must be a whole number' })
  .int('must be a whole number')
  .min(1, 'must be 1 or more');

export const message = z.object({ message: z.string() });

/** An email address in lower case, so that another spelling makes no second account (docs/security.md §2.2). */
export function email(required: string, invalid: string, pattern = z.regexes.email) {
  return text(254, { required, tooLong: invalid })
    .transform((value) => value.toLowerCase())
    .pipe(z.email({ error: invalid, pattern }))
    .register(documented, { type: 'string', format: 'email', maxLength: 254, pattern: pattern.source });
}
/**
 * A pattern for emails that requires no dot: the first admin may be admin@localhost, or what ADMIN_EMAIL says
 * (docs/specification.md §18.1).
 */
export const anyHost = /^[^\s@]+@[^\s@]+$/;

/** The shortest password of an account (docs/specification.md §5.2 and §12.3). */
export const passwordTooShort = { min: 6, message: 'Password must be at least 6 characters' } as const;

/** A password exactly as it was typed: every character counts. At most 128 characters (docs/security.md §2.2). */
export function password(required: string, tooShort?: { min: number; message: string }) {
  const typed = z.string({ error: missingOr(required, 'must be text') }).max(128, 'must be at most 128 characters');
  // A check that aborts also skips the rules between fields, so it is used only where a second message would follow.
  if (!tooShort) return typed.min(1, required);
  return typed.min(1, { error: required, abort: true }).min(tooShort.min, tooShort.message);
}

/** Text whose stored form has to match a pattern: a contact number without spaces, a PAN in capitals. */
export function matching(pattern: RegExp, required: string, invalid: string, stored?: (value: string) => string) {
  return text(50, { required, tooLong: invalid, pattern, invalid, ...(stored && { stored }) });
}

/** A list of ids. `minimum` is the message for a missing or empty one. */
export function ids(max: number, minimum: string) {
  return z.array(id, { error: minimum }).min(1, minimum).max(max, `must be at most ${max} at once`);
}

/** Puts a record on hold, or takes it off (docs/specification.md §10.8). */
export const holdInput = z.strictObject({
  /** '' takes it off hold. */
  reason: text(500, { lines: true }),
  version: version.optional(),
});

/** Only records whose changed account the caller may confirm (docs/specification.md §28.7). */
export const toConfirmQuery = optionalQuery(z.enum(['yes'], { error: 'must be yes' }));
