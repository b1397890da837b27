import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { isVariant, isVariantFor, needsSecondStep, type Endpoint } from '../../shared/contract/define.ts';
import { typedHeader } from '../../shared/contract/typed-texts.ts';
import type { Caller } from '../caller.ts';
import { Refusal } from '../refusal.ts';
import { requireRightTo } from '../seat.ts';
import { withDeclaredData } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { parse, type Parsed } from './parse.ts';
import { requireConfirmation } from './second-step.ts';
import { disconnectSignal } from './signals.ts';
import { acceptUploads } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session check, before the body is read. */
    caller: Caller | null;
    /** Fires when the client disconnects before it has its answer. This may happen before anybody listens. */
    left: AbortSignal;
  }
}

/** Runs a call whose session and parameters have been checked. */
type Run<E extends Endpoint> = (request: FastifyRequest, reply: FastifyReply, input: Parsed<E>) => Promise<void>;

/** One of the endpoints that share a path; they differ in their query (`when`, `whenGiven`). */
interface Variant {
  endpoint: Endpoint;
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/** The routes of the endpoints: each checks the session, then parses the call by the contract, then runs it. */
export class Routes {
  /** The endpoints that have a route. */
  readonly endpoints = new Set<Endpoint>();
  readonly #app: FastifyInstance;
  readonly #pool: pg.Pool;
  readonly #variants = new Map<string, Variant[]>();

  constructor(app: FastifyInstance, pool: pg.Pool) {
    this.#app = app;
    this.#pool = pool;
  }

  add<E extends Endpoint>(endpoint: E, run: Run<E>): void {
    this.endpoints.add(endpoint);
    const variant: Variant = { endpoint, run: (request, reply) => run(request, reply, parse(endpoint, request)) };
    const route = `${endpoint.method} ${endpoint.path}`;
    const known = this.#variants.get(route);
    if (known) {
      known.push(variant);
      return;
    }
    const variants = [variant];
    this.#variants.set(route, variants);
    if (endpoint.upload) {
      void this.#app.register(async (scope) => {
        await acceptUploads(scope);
        this.#register(scope, endpoint, variants);
      });
    } else this.#register(this.#app, endpoint, variants);
  }

  #register(app: FastifyInstance, endpoint: Endpoint, variants: readonly Variant[]): void {
    const { roles } = endpoint;
    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      bodyLimit: endpoint.bodyLimit,
      // The session is checked before the body is read, so that nobody without a session learns whether a body or an id
      // is right.
      onRequest: async (request, reply) => {
        addTyped(request);
        request.left = disconnectSignal(request.raw, reply.raw);
        if (roles === 'public') return;
        const caller = (request.caller = await authenticate(this.#pool, request, roles));
        // The same for who has a session, and not the right.
        const { endpoint: called } = pickVariant(variants, request);
        if (caller.mustSetUp && needsSecondStep(called))
          throw new Refusal('SECOND_STEP_MISSING', 'Please set up your second step first: it is demanded of you.');
        requireRightTo(caller, called);
        await requireConfirmation(this.#pool, caller, called);
      },
      handler: async (request, reply) => {
        const { endpoint: called, run } = pickVariant(variants, request);
        try {
          await run(request, reply);
        } catch (error) {
          throw error instanceof Refusal ? withDeclaredData(error, reply, called) : error;
        }
        return reply;
      },
    });
  }
}

/**
 * Adds the parameters that came in a header, so that no log has them. Those of the path have a dash in their place. One of
 * the query that is given twice is a list, as in an address, and is refused.
 */
function addTyped(request: FastifyRequest): void {
  const more = request.headers[typedHeader];
  if (more === undefined) return;
  const [query, params] = [request.query, request.params] as Record<string, unknown>[];
  for (const [name, value] of new URLSearchParams(String(more))) {
    if (params && name in params) params[name] = value;
    else if (query) query[name] = name in query ? [query[name], value].flat() : value;
  }
}

/** Returns the variant whose condition the query meets, else the one without a condition. */
function pickVariant(variants: readonly Variant[], request: FastifyRequest): Variant {
  const query = request.query as Record<string, unknown>;
  const special = variants.find(({ endpoint }) => isVariantFor(endpoint, query));
  const chosen = special ?? variants.find(({ endpoint }) => !isVariant(endpoint));
  if (!chosen) throw new Error('Every path has an endpoint without a condition');
  return chosen;
}

/** Returns the caller of a request to an endpoint with roles. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A route with roles has a caller');
  return request.caller;
}
