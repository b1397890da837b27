import { z } from 'zod';
import { allErrors, isVariant } from './define.ts';
import type { Endpoint } from './define.ts';
import { errorDataOf } from './error-data.ts';
import { errorStatus, type ErrorCode } from './errors.ts';
import { documented } from './scalars.ts';

/** JSON Schema as zod writes it. */
type Schema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  description?: string;
}
interface Content {
  [mediaType: string]: { schema: Schema };
}
interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: Schema }>;
  content?: Content;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-roles': readonly string[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Answer>;
}
interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  components: { securitySchemes: Record<string, Schema>; schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

/** Endpoints by group and verb: the contract or a part of it. */
export type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = documented.get(zodSchema);
      if (!shown) return;
      if ('type' in shown) for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, shown);
    },
  });
  return rest;
}

function parametersOf(shape: z.ZodObject | undefined, place: 'path' | 'query'): Parameter[] {
  if (!shape) return [];
  const schema = schemaOf(shape, 'input');
  // An object schema always has `properties`; it has no `required` where no key is required.
  const properties = schema.properties as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same body gives the first answer again, and nothing is done twice. Kept 7 days, the newest 100,000 of each business.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function requestBodyOf(endpoint: Endpoint): Pick<Operation, 'requestBody'> {
  if (endpoint.upload) {
    const schema = {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!endpoint.body) return {};
  const schema = schemaOf(endpoint.body, 'input');
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function successOf({ answer }: Endpoint): Answer {
  if ('kind' in answer) {
    if (answer.kind === 'empty') return { description: 'Done' };
    return {
      description: 'The file',
      headers: { 'Content-Disposition': { description: 'attachment; filename', schema: { type: 'string' } } },
      content: { [answer.type]: { schema: { type: 'string' } } },
    };
  }
  const schema = schemaOf(answer, 'output');
  const withSuccess = {
    ...schema,
    // `answer` is an object schema: it has `properties`, and `required` unless no key is required.
    required: ['success', ...((schema.required ?? []) as string[])],
    properties: { success: { const: true }, ...(schema.properties as Schema) },
  };
  return { description: 'Done', content: { 'application/json': { schema: withSuccess } } };
}

/** The rule that an error with this code has its kind of `data`. */
function dataRuleOf(endpoint: Endpoint, code: ErrorCode): Schema[] {
  const data = errorDataOf(endpoint, code);
  if (!data) return [];
  const withData = { properties: { code: { const: code }, data: schemaOf(data, 'output') } };
  return [{ anyOf: [{ properties: { code: { not: { const: code } } } }, withData] }];
}

/** The errors of an endpoint, grouped by status, with the codes of each. */
function failuresOf(endpoint: Endpoint): Record<string, Answer> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of allErrors(endpoint)) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.join(', '),
          ...(status === 429 && {
            headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'string' } } },
          }),
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Error' },
                  { type: 'object', properties: { code: { enum: codes } } },
                  ...codes.flatMap((code) => dataRuleOf(endpoint, code)),
                ],
              },
            },
          },
        },
      ]),
  );
}

function operationOf(id: string, endpoint: Endpoint): Operation {
  return {
    operationId: id,
    summary: endpoint.summary,
    tags: [endpoint.resource],
    security: endpoint.roles === 'public' ? [] : [{ bearer: [] }],
    'x-roles': endpoint.roles === 'public' ? [] : endpoint.roles,
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
    ],
    ...requestBodyOf(endpoint),
    responses: { [endpoint.status]: successOf(endpoint), ...failuresOf(endpoint) },
  };
}

/**
 * Merges an endpoint into the operation of those with the same method and path, which differ in their query (`when`,
 * `whenGiven`). The operation has the answers of all.
 */
function merged(base: Operation, variant: Operation): Operation {
  const known = new Set(base.parameters.map(({ name }) => name));
  const extra = variant.parameters.filter(({ name }) => !known.has(name));
  // A parameter whose schema differs between the variants (`format`) accepts the values of each.
  const shared = base.parameters.map((parameter) => {
    const other = variant.parameters.find(({ name }) => name === parameter.name)?.schema;
    // The base accepts no value of this parameter (`z.never`).
    if (other && parameter.schema.not) return { ...parameter, schema: other };
    const isSame = other === undefined || JSON.stringify(other) === JSON.stringify(parameter.schema);
    return isSame ? parameter : { ...parameter, schema: { anyOf: [parameter.schema, other] } };
  });
  const responses = { ...base.responses };
  for (const [status, answer] of Object.entries(variant.responses)) {
    const present = responses[status];
    responses[status] = present ? { ...answer, ...present, content: mergedContent(present, answer) } : answer;
  }
  return {
    ...base,
    summary: `${base.summary}. ${variant.summary}`,
    parameters: [...shared, ...extra.map((parameter) => ({ ...parameter, required: false }))],
    responses,
  };
}

/** The contents of several answers. Of one media type it is any of them. */
function mergedContent(one: Answer, other: Answer): Content {
  const content: Content = { ...one.content };
  for (const [type, { schema }] of Object.entries(other.content ?? {})) {
    const known = content[type]?.schema;
    // Safe: an answer is an object, so only this function writes `anyOf`.
    const several = (known?.anyOf ?? (known ? [known] : [])) as Schema[];
    const isKnown = several.some((one) => JSON.stringify(one) === JSON.stringify(schema));
    const all = isKnown ? several : [...several, schema];
    content[type] = { schema: all.length === 1 ? schema : { anyOf: all } };
  }
  return content;
}

const errorSchema: Schema = {
  type: 'object',
  required: ['success', 'message', 'code', 'requestId'],
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'One sentence for a person' },
    error: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'Request field → its message' },
    data: { description: 'Facts for a program, with some codes; see the answers of each call' },
    requestId: { type: 'string' },
  },
};

/** The OpenAPI 3.1 document of these endpoints; paths are under /api. */
export function buildOpenApi(endpoints: Endpoints, { version }: { version: string }): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const all = Object.entries(endpoints).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, endpoint]) => ({ id: `${group}.${verb}`, endpoint })),
  );
  // The endpoint without a condition comes first: it names the operation, and its variants are merged into it.
  const ordered = all.toSorted((one, other) => Number(isVariant(one.endpoint)) - Number(isVariant(other.endpoint)));
  for (const { id, endpoint } of ordered) {
    const operations = (paths[endpoint.path] ??= {});
    const method = endpoint.method.toLowerCase();
    const operation = operationOf(id, endpoint);
    const present = operations[method];
    operations[method] = present ? merged(present, operation) : operation;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Challan Desk API',
      version,
      description:
        'Money, weights, rates, liters and percentages are decimal strings. Timestamps are ISO 8601 UTC; days are days in Asia/Kolkata. Text is Unicode in NFC; spaces around it are taken off before its length is counted. PAN, IFSC and GST numbers are stored in capitals, contact numbers without spaces. Parameters of a query may also be sent in the header X-Typed, written as in a query, so that no log of a proxy keeps what somebody searched for; those of a path too, with a dash in their place.',
    },
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema },
    },
    paths,
  };
}
