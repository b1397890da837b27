import * as fc from 'fast-check';

/** The part of JSON Schema that the API document uses. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  minProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

/** The ways a value may fit: one schema for each alternative, with what stands beside the alternatives. */
export function alternatives({ anyOf, oneOf, ...rest }: Schema): Schema[] {
  const choices = anyOf ?? oneOf;
  if (choices) return choices.flatMap((choice) => alternatives({ ...rest, ...choice }));
  return Array.isArray(rest.type) ? rest.type.map((type) => ({ ...rest, type })) : [rest];
}

const lengthOf = (text: string): number => [...text].length;
const compiled = new Map<string, RegExp>();
function regexOf(pattern: string): RegExp {
  const regex = compiled.get(pattern) ?? new RegExp(pattern, 'u');
  compiled.set(pattern, regex);
  return regex;
}
const partsOf = (schema: Schema): Schema[] => [schema, ...(schema.allOf ?? [])];

function textFits(schema: Schema, value: string): boolean {
  return partsOf(schema).every(
    ({ pattern, minLength = 0, maxLength = Infinity }) =>
      lengthOf(value) >= minLength &&
      lengthOf(value) <= maxLength &&
      (pattern === undefined || regexOf(pattern).test(value)),
  );
}

/** Whether the document allows a value that is no object and no list. */
export function fits(schema: Schema, value: unknown): boolean {
  return alternatives(schema).some((one) => {
    if ('const' in one) return value === one.const;
    if (one.enum) return one.enum.includes(value);
    if (one.type === 'string') return typeof value === 'string' && textFits(one, value) && hasFormat(one, value);
    if (one.type === 'boolean') return typeof value === 'boolean';
    if (one.type === 'null') return value === null;
    if (typeof value !== 'number') return false;
    const { minimum = -Infinity, maximum = Infinity, multipleOf = one.type === 'integer' ? 1 : 0 } = one;
    return value >= minimum && value <= maximum && (multipleOf === 0 || value % multipleOf === 0);
  });
}

/** As far as the values below need it. */
function hasFormat({ format }: Schema, value: string): boolean {
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  if (format === 'date-time') return /T.*(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
  return true;
}

const twoDigits = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
const dates = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2300-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid({ version: 4 }),
  date: dates,
  'date-time': fc
    .tuple(dates, twoDigits(23), twoDigits(59), twoDigits(59), fc.integer({ min: 0, max: 9 }), fc.boolean())
    .map(([date, hours, minutes, seconds, digits, isUtc]) => {
      const fraction = digits === 0 ? '' : `.${'123456789'.slice(0, digits)}`;
      return `${date}T${hours}:${minutes}:${seconds}${fraction}${isUtc ? 'Z' : '+05:30'}`;
    }),
  email: fc.stringMatching(/^[A-Za-z0-9]{1,10}([.+_-][a-z0-9]{1,8})?@[a-z0-9]{1,10}(\.[a-z]{2,5}){1,2}$/),
};

/** Letters of three scripts with their marks, two of them without a composed form; signs, spaces, an emoji. */
const signs = [...'aZé09 .,-/&\'"%_\\<>=+@\u00a0\n\tकि\u0958\u0301ଓ\u0b5cଡ଼\u200d😀₹'];

/** Text of a length that is allowed: usually short, at times the shortest or the longest. */
function texts(schema: Schema): fc.Arbitrary<string> {
  const min = schema.minLength ?? 0;
  const max = Math.min(schema.maxLength ?? 1_000, 1_000);
  const allowed = signs.filter((sign) => textFits({ pattern: classOf(schema.pattern) }, sign));
  const lengths = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min, max: Math.min(max, min + 12) }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  );
  return fc
    .tuple(fc.array(fc.constantFrom(...allowed), { maxLength: 12, size: 'max' }), lengths)
    .map(([some, length]) => {
      // As the document asks: composed, and without space around it.
      const value = [...some.join('').normalize('NFC').trim()].slice(0, length).join('').trim();
      return value + 'x'.repeat(length - lengthOf(value));
    })
    .filter((value) => textFits(schema, value));
}

/** The class of characters of a pattern that allows any number of them. */
const classOf = (pattern = ''): string => pattern.replace(/^\^(\(\?=.*\))?\[/, '^[');
const isOfOneClass = (pattern: string): boolean => /^\^\[\^[^\]]*\]\*\$$/.test(classOf(pattern));

/** A pattern without what only looks ahead, which the values are checked for afterwards. */
function withoutLooks(pattern: string): string {
  const at = pattern.search(/\(\?[=!]/);
  if (at < 0) return pattern;
  let depth = 0;
  for (let end = at; end < pattern.length; end += 1) {
    if (pattern[end] === '\\') end += 1;
    else if (pattern[end] === '(') depth += 1;
    else if (pattern[end] === ')' && (depth -= 1) === 0)
      return withoutLooks(pattern.slice(0, at) + pattern.slice(end + 1));
  }
  throw new Error(`Not closed: ${pattern}`);
}

function strings(schema: Schema): fc.Arbitrary<string> {
  const made = schema.format === undefined ? undefined : formats[schema.format];
  if (made) return made.filter((value) => textFits(schema, value));
  const [first] = partsOf(schema).flatMap(({ pattern }) => pattern ?? []);
  if (first === undefined || isOfOneClass(first)) return texts(schema);
  return fc.stringMatching(regexOf(withoutLooks(first)), { size: 'small' }).filter((value) => textFits(schema, value));
}

function objects({ properties = {}, required = [], minProperties = 0, ...schema }: Schema): fc.Arbitrary<unknown> {
  const { propertyNames, additionalProperties: rest } = schema;
  const named =
    propertyNames && typeof rest === 'object'
      ? Object.fromEntries((propertyNames.enum as string[]).map((name) => [name, rest]))
      : properties;
  const values = Object.fromEntries(Object.entries(named).map(([name, property]) => [name, valuesOf(property)]));
  return fc
    .record(values, { requiredKeys: required, noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= minProperties);
}

function lists({ items = {}, minItems = 0, maxItems = Infinity, uniqueItems }: Schema): fc.Arbitrary<unknown> {
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
  return uniqueItems ? fc.uniqueArray(valuesOf(items), lengths) : fc.array(valuesOf(items), lengths);
}

/** Values that the document allows. Sizes are bounded: nothing here grows with a limit of the document. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const [only, ...others] = alternatives(schema).map((one) => {
    if ('const' in one) return fc.constant(one.const);
    if (one.enum) return fc.constantFrom(...one.enum);
    switch (one.type) {
      case 'string':
        return strings(one);
      case 'integer': {
        const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, multipleOf = 1 } = one;
        const steps = { min: Math.ceil(minimum / multipleOf), max: Math.floor(maximum / multipleOf) };
        return fc.integer(steps).map((value) => value * multipleOf);
      }
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return lists(one);
      case 'object':
        return objects(one);
      default:
        throw new Error(`No values for ${JSON.stringify(one)}`);
    }
  });
  // There is at least one.
  return others.length === 0 ? only! : fc.oneof(only!, ...others);
}

export interface Outside {
  path: (string | number)[];
  /** The whole value, wrong at the path. */
  value: unknown;
}

/**
 * A value that the document allows, changed in one place after the other to one that it does not allow. In a query, text is
 * all there is, and an empty one is none.
 */
export function valuesOutside(schema: Schema, value: unknown, isQuery: boolean): Outside[] {
  const here = wrongInstead(schema, value, isQuery).map((wrong): Outside => ({ path: [], value: wrong }));
  const [one] = alternatives(schema).filter((choice) => isShapedLike(choice, value));
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    if (first === undefined || !one?.items) return here;
    return [...here, ...under(0, one.items, first, (inner) => [inner, ...value.slice(1)], isQuery)];
  }
  if (typeof value !== 'object' || value === null || !one?.properties) return here;
  const { properties, required = [], additionalProperties } = one;
  const missing = required.map((name): Outside => {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    return { path: [name], value: rest };
  });
  const unknown = additionalProperties === false ? [{ path: [], value: { ...value, unknown: 1 } }] : [];
  const inner = Object.entries(value).flatMap(([name, held]) =>
    under(name, properties[name] ?? {}, held, (changed) => ({ ...value, [name]: changed }), isQuery),
  );
  return [...here, ...missing, ...unknown, ...inner];
}

const under = (
  key: string | number,
  schema: Schema,
  held: unknown,
  put: (changed: unknown) => unknown,
  isQuery: boolean,
): Outside[] =>
  valuesOutside(schema, held, isQuery).map(({ path, value }) => ({ path: [key, ...path], value: put(value) }));

/** Of alternatives, the one whose constants the value has. */
function isShapedLike({ type, properties = {} }: Schema, value: unknown): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (typeof value !== 'object' || value === null) return false;
  return (
    type === 'object' &&
    Object.entries(properties).every(
      ([name, property]) => !('const' in property) || (value as Record<string, unknown>)[name] === property.const,
    )
  );
}

/** What does not fit in the place of a value: one step over each limit, and other kinds of values. */
function wrongInstead(schema: Schema, value: unknown, isQuery: boolean): unknown[] {
  const kinds: unknown[] = isQuery ? [] : [null, 7.25, true, 'x', [], {}];
  const choices = alternatives(schema);
  if (typeof value === 'object' && value !== null) {
    const type = Array.isArray(value) ? 'array' : 'object';
    const { minItems = 0, maxItems = Infinity } = choices.find((one) => one.type === type) ?? {};
    const others = kinds.filter(
      (kind) => typeof kind !== 'object' || (kind === null && !choices.some((one) => fits(one, null))),
    );
    if (!Array.isArray(value) || value.length === 0) return others;
    const first: unknown = value[0];
    return [
      ...others,
      ...(minItems > 0 ? [value.slice(0, minItems - 1)] : []),
      ...(maxItems <= 20_000 ? [Array.from({ length: maxItems + 1 }, () => first)] : []),
    ];
  }
  const steps = choices.flatMap((one): unknown[] => {
    if (one.type === 'integer') {
      const { minimum = 0, maximum = 0, multipleOf = 1 } = one;
      return [minimum - multipleOf, maximum + multipleOf, minimum + multipleOf / 2];
    }
    if (typeof value !== 'string') return [];
    return [
      `${value}!`,
      `${value}\u0000x`,
      `${value}${value.at(-1) ?? ''}`,
      value.slice(0, -1),
      'x'.repeat((one.maxLength ?? 0) + 1),
      '',
    ];
  });
  return [...kinds, ...steps].filter(
    (wrong) =>
      !(isQuery && (wrong === '' || wrong === 'null')) &&
      (typeof wrong === 'object' && wrong !== null ? true : !fits(schema, wrong)),
  );
}
