import type { FastifyRequest } from 'fastify';
import type { core, z } from 'zod';
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../../shared/contract/define.ts';
import { Refusal } from '../refusal.ts';
import { describeInvalid, InvalidRequest, type Place } from './problems.ts';

/** Where a request comes from. `device` is what a browser calls itself, the same each time; '' when it does not say. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  readonly device: string;
}

/** A parsed call, typed by its endpoint. */
export interface Parsed<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly client: Client;
  readonly log: FastifyRequest['log'];
  readonly request: FastifyRequest;
}

/**
 * Parses a call with the schemas of its endpoint.
 * @throws InvalidRequest naming the place and the fields
 */
export function parse<E extends Endpoint>(endpoint: E, request: FastifyRequest): Parsed<E> {
  const invalid = endpoint.errors.includes('INVALID_REQUEST') ? 'INVALID_REQUEST' : 'VALIDATION_ERROR';
  const check = (place: Place, schema: z.ZodObject | undefined, value: unknown): unknown => {
    if (schema === undefined) return undefined;
    const result = schema.safeParse(value, { error: plainMessage });
    if (!result.success) throw new InvalidRequest(place, result.error, invalid);
    return result.data;
  };
  return {
    // Each value is what its own schema returned, which is how these types are derived.
    params: check('params', endpoint.params, request.params) as ParamsOf<E>,
    query: check('query', endpoint.query, request.query) as QueryOf<E>,
    body: check(
      'body',
      endpoint.upload ? undefined : endpoint.body,
      request.body === undefined ? {} : request.body,
    ) as BodyOf<E>,
    client: {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      device: /^[\w-]{16,64}$/.exec(String(request.headers['x-device']))?.[0] ?? '',
    },
    log: request.log,
    request,
  };
}

/**
 * Parses a part of a body as if it were the body of a call. Returns the value, or the refusal that the call would get.
 */
export function readBody<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> | Refusal {
  const result = schema.safeParse(value, { error: plainMessage });
  if (result.success) return result.data;
  const { code, message, fields } = describeInvalid(new InvalidRequest('body', result.error));
  return new Refusal(code, message, fields ? { fields } : {});
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
};

/**
 * The message of a schema that has none of its own; it replaces the library's. It follows the field's name, like the
 * messages of the contract's scalars (see describeInvalid).
 */
function plainMessage(issue: core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'another kind of value'}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return 'is not valid';
  }
}

const unitOf = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');
