import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../../shared/contract/define.ts';
import { InvalidRequest, type Place } from './problems.ts';

/** A parsed call, typed by its endpoint. */
export interface Parsed<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly client: { readonly address: string; readonly userAgent: string };
  readonly log: FastifyRequest['log'];
  readonly request: FastifyRequest;
}

/** Reads a call by the schemas of its endpoint. @throws InvalidRequest naming the place and the fields */
export function parse<E extends Endpoint>(endpoint: E, request: FastifyRequest): Parsed<E> {
  const invalid = endpoint.errors.includes('INVALID_REQUEST') ? 'INVALID_REQUEST' : 'VALIDATION_ERROR';
  const check = (place: Place, schema: z.ZodObject | undefined, value: unknown): unknown => {
    if (schema === undefined) return undefined;
    const result = schema.safeParse(value);
    if (!result.success) throw new InvalidRequest(place, result.error, invalid);
    return result.data;
  };
  return {
    // Each value is what its own schema returned, which is how these types are derived.
    params: check('params', endpoint.params, request.params) as ParamsOf<E>,
    query: check('query', endpoint.query, request.query) as QueryOf<E>,
    body: check('body', endpoint.upload ? undefined : endpoint.body, request.body ?? {}) as BodyOf<E>,
    client: { address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    log: request.log,
    request,
  };
}
