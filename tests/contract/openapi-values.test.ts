import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVariant, isVariantFor, type Endpoint } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { buildOpenApi } from '../../src/shared/contract/openapi.ts';
import { valuesOf, valuesOutside, type Schema } from './schema-values.ts';

/**
 * A client that knows the API document alone is refused nowhere for a rule of one field, and what is one step outside the
 * document is refused. The same seed gives the same values.
 */
const seed = 20261123;
const times = 200;

const document = buildOpenApi(contract, { version: '0.0.0' });
const endpoints: Endpoint[] = Object.values(contract).flatMap((verbs): Endpoint[] => Object.values(verbs));

type Place = 'query' | 'body';
interface Call {
  name: string;
  place: Place;
  schema: Schema;
  variants: Endpoint[];
}

const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, operation]): Call[] => {
    const name = `${method.toUpperCase()} ${path}`;
    const variants = endpoints.filter((one) => one.path === path && one.method.toLowerCase() === method);
    const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
    const query: Schema = {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
      required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
    };
    const body = operation.requestBody?.content['application/json']?.schema;
    return [
      ...(parameters.length > 0 ? [{ name, place: 'query' as const, schema: query, variants }] : []),
      ...(body ? [{ name, place: 'body' as const, schema: body, variants }] : []),
    ];
  }),
);

/** Rules between fields, which a schema of the document does not say. */
const betweenFields = [
  'Passwords do not match',
  'The end date cannot be before the start date',
  'The highest amount cannot be below the lowest',
  'Deposited date cannot be before unloading date',
  'Loading date cannot be after unloading date',
  'Unloading date cannot be before loading date',
  'Please enter HSD in liters',
  'Petrol pump selection is required to enter HSD in liters',
  'Material shortage amount must be 0 when the difference weight is not above the discount weight',
  'must each have a key of their own',
  'does not fit the columns',
  // Of what is prepared.
  'must name one act to prepare',
  'must mark as paid',
  // Of the layout of a bank file.
  'A line needs the field "Beneficiary account"',
  'A line needs the field "Amount"',
  'A field of a fixed width needs its length',
  'Please choose a separator',
  'The text cannot contain the separator',
  'The separator cannot be among the accepted signs',
  // Of the columns of a bill.
  'must be given together with tpColumn and amountColumn',
  'must be another column than that of the TP numbers',
];

/** A value as a request carries it, and the schema of the endpoint that gets it. */
function read({ place, variants }: Call, value: unknown) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const sent =
    place === 'body' || !isObject
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
  const given = sent as Record<string, unknown>;
  const asked = isObject ? variants.find((variant) => isVariantFor(variant, given)) : undefined;
  return (asked ?? variants.find((variant) => !isVariant(variant)))![place]!.safeParse(sent);
}

describe(`values made from the API document alone (seed ${seed})`, () => {
  it.each(calls)('$name: no rule of one field refuses a $place', (call) => {
    const refused = fc.sample(valuesOf(call.schema), { numRuns: times, seed }).flatMap((value) => {
      const issues = read(call, value).error?.issues ?? [];
      return issues
        .filter(({ message }) => !betweenFields.includes(message))
        .map(({ path, message }) => ({ path: path.join('.'), message, value: at(value, path) }));
    });
    expect(refused).toEqual([]);
  });

  it.each(calls)('$name: every rule of one field refuses what is outside in a $place', (call) => {
    const accepted = fc.sample(valuesOf(call.schema), { numRuns: 2, seed }).flatMap((value) =>
      valuesOutside(call.schema, value, call.place === 'query').flatMap((outside) => {
        const issues = read(call, outside.value).error?.issues ?? [];
        const isNamed = issues.some(({ path }) => isWithin(path.join('.'), outside.path.join('.')));
        return isNamed ? [] : [{ path: outside.path.join('.'), sent: at(outside.value, outside.path), issues }];
      }),
    );
    expect(accepted).toEqual([]);
  });
});

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);

/** One path leads to the other. */
const isWithin = (a: string, b: string): boolean =>
  `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`) || a === '';
