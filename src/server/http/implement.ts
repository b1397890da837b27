import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import type { AccountRole, AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../../shared/contract/define.ts';
import type { Caller } from '../caller.ts';
import { withGlobal, withTenant, type GlobalDb, type TenantDb } from '../db/tenant.ts';
import type { ReceivedFile } from '../files/received-file.ts';
import { JsonText } from '../queries/json-row.ts';
import { contentDisposition, FileBody } from './file-body.ts';
import { idempotencyKey, once, requestHash, type StoredAnswer } from './idempotency.ts';
import { InvalidRequest, type Place } from './problems.ts';
import { authenticate, SeenCallers, tokenHashOf } from './session.ts';
import { acceptUploads, receiveFile } from './upload.ts';

export interface Pools {
  /** Requests: pipelined, so that a transaction costs one round trip more than its statements. */
  readonly main: pg.Pool;
  /** Streams (COPY): few connections of their own, so that slow readers cannot take those of everyone else. */
  readonly stream: pg.Pool;
}

export interface Parsed<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly client: { readonly address: string; readonly userAgent: string };
  readonly log: FastifyRequest['log'];
  readonly request: FastifyRequest;
}

/**
 * What a handler returns: the declared JSON, whose parts may be written already, a file, or nothing where the contract
 * says `empty`.
 */
export type Result<E extends Endpoint> =
  AnswerOf<E> | { [K in keyof AnswerOf<E>]: AnswerOf<E>[K] | JsonText } | FileBody;

type TenantHandler<E extends Endpoint> = (input: Parsed<E> & { db: TenantDb; caller: Caller }) => Promise<Result<E>>;
/** Before the transaction, which must not stay open while bytes arrive and a file is read. */
export interface Upload {
  receive(maxBytes: number): Promise<ReceivedFile>;
  /** Fires when the client leaves before its answer. */
  readonly signal: AbortSignal;
}
type GlobalHandler<E extends Endpoint> = (input: Parsed<E> & { db: GlobalDb; caller: Caller }) => Promise<Result<E>>;
type StepsHandler<E extends Endpoint> = (input: Parsed<E> & { pool: pg.Pool; caller: Caller }) => Promise<Result<E>>;
type OpenHandler<E extends Endpoint> = (input: Parsed<E> & { pool: pg.Pool }) => Promise<Result<E>>;

/** One endpoint bound to its handler; the routes of one path differ by what their query says (`when`). */
interface Bound {
  endpoint: Endpoint;
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session check, before the body is read. */
    caller: Caller | null;
    /** The session check itself, where a read may begin before it has ended; nothing leaves before. */
    confirmed: Promise<void> | null;
  }
}

/** Binds endpoints of the contract to handlers. One instance per app; `done` lists what has a handler. */
export class Implementer {
  readonly done = new Set<Endpoint>();
  readonly #app: FastifyInstance;
  readonly #pools: Pools;
  readonly #routes = new Map<string, Bound[]>();
  readonly #seen = new SeenCallers();

  constructor(app: FastifyInstance, pools: Pools) {
    this.#app = app;
    this.#pools = pools;
  }

  /** For a sub-admin: the handler's `db` is a transaction bound to the tenant of the session; read-only for a read. */
  tenant<E extends Endpoint>(endpoint: E, handler: TenantHandler<E>): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const isStream = isFile(endpoint);
      const pool = isStream ? this.#pools.stream : this.#pools.main;
      const mode = endpoint.method === 'GET' || isStream ? 'read' : 'write';
      const key = endpoint.idempotent ? idempotencyKey(request.headers['idempotency-key']) : undefined;
      await withTenant(pool, caller.accountId, mode, async (db) => {
        if (isStream) {
          await request.confirmed;
          await stream(reply, await handler({ ...input, db, caller }));
          return null;
        }
        return once(
          db,
          key,
          () => requestHash(endpoint.method, request.url, input.body),
          async () => serialize(reply, endpoint, await handler({ ...input, db, caller })),
        );
      }).then((answer) => answer && sendText(request, reply, answer));
    });
  }

  /** For what belongs to no tenant (accounts, the directory of owners). */
  global<E extends Endpoint>(endpoint: E, handler: GlobalHandler<E>): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const mode = endpoint.method === 'GET' ? 'read' : 'write';
      const answer = await withGlobal(this.#pools.main, mode, async (db) =>
        serialize(reply, endpoint, await handler({ ...input, db, caller })),
      );
      await sendText(request, reply, answer);
    });
  }

  /** For what belongs to no tenant and takes more than one transaction: a refused call leaves its count behind. */
  steps<E extends Endpoint>(endpoint: E, handler: StepsHandler<E>): void {
    this.#route(endpoint, async (request, reply, input) => {
      const result = await handler({ ...input, pool: this.#pools.main, caller: callerOf(request) });
      const answer = serialize(reply, endpoint, result);
      await sendText(request, reply, answer);
    });
  }

  /** For a sub-admin's file: `read` takes and reads it, then `handler` writes what came of it, in a transaction. */
  upload<E extends Endpoint, T>(
    endpoint: E,
    read: (upload: Upload) => Promise<T>,
    handler: (input: Parsed<E> & { db: TenantDb; caller: Caller; file: T }) => Promise<Result<E>>,
  ): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const left = new AbortController();
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) left.abort();
      });
      const file = await read({
        receive: (maxBytes) => receiveFile(request, reply, maxBytes, endpoint.bodyLimit),
        signal: left.signal,
      });
      const answer = await withTenant(this.#pools.main, caller.accountId, 'write', async (db) =>
        serialize(reply, endpoint, await handler({ ...input, db, caller, file })),
      );
      await sendText(request, reply, answer);
    });
  }

  /** For calls without a session; they open their own transactions. */
  open<E extends Endpoint>(endpoint: E, handler: OpenHandler<E>): void {
    this.#route(endpoint, async (request, reply, input) => {
      const answer = serialize(reply, endpoint, await handler({ ...input, pool: this.#pools.main }));
      await sendText(request, reply, answer);
    });
  }

  #route<E extends Endpoint>(
    endpoint: E,
    run: (request: FastifyRequest, reply: FastifyReply, input: Parsed<E>) => Promise<void>,
  ): void {
    this.done.add(endpoint);
    const bound: Bound = { endpoint, run: (request, reply) => run(request, reply, parse(endpoint, request)) };
    const route = `${endpoint.method} ${endpoint.path}`;
    const twins = this.#routes.get(route);
    if (twins) {
      twins.push(bound);
      return;
    }
    const variants = [bound];
    this.#routes.set(route, variants);
    if (endpoint.upload) {
      void this.#app.register(async (scope) => {
        await acceptUploads(scope);
        this.#register(scope, endpoint, variants);
      });
    } else this.#register(this.#app, endpoint, variants);
  }

  #register(app: FastifyInstance, endpoint: Endpoint, variants: readonly Bound[]): void {
    const { roles } = endpoint;
    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      bodyLimit: endpoint.bodyLimit,
      schema: { response: responseSchema(endpoint) },
      // Before the body is read: without a session nobody learns whether a body or an id is right.
      onRequest: async (request) => {
        if (roles === 'public') return;
        const tokenHash = tokenHashOf(request);
        const check = this.#check(request, tokenHash, roles);
        request.caller = endpoint.method === 'GET' ? this.#seen.expect(request, tokenHash, roles) : null;
        if (request.caller === null) request.caller = await check;
        else request.confirmed = check.then(() => undefined);
        // It is awaited before anything leaves; until then a refusal must not look unhandled.
        request.confirmed?.catch(() => undefined);
      },
      handler: async (request, reply) => {
        try {
          await pick(variants, request).run(request, reply);
        } catch (error) {
          // Who may not call learns nothing else either.
          await request.confirmed;
          throw error;
        }
        return reply;
      },
    });
  }

  async #check(request: FastifyRequest, tokenHash: Buffer, roles: readonly AccountRole[]): Promise<Caller> {
    try {
      const caller = await authenticate(this.#pools.main, request, tokenHash, roles);
      this.#seen.learn(tokenHash, caller);
      return caller;
    } catch (error) {
      this.#seen.learn(tokenHash, null);
      throw error;
    }
  }
}

/** The variant whose `when` the query fulfils, else the one without. */
function pick(variants: readonly Bound[], request: FastifyRequest): Bound {
  const query = request.query as Record<string, unknown>;
  const special = variants.find(
    ({ endpoint }) => endpoint.when && Object.entries(endpoint.when).every(([name, value]) => query[name] === value),
  );
  const chosen = special ?? variants.find(({ endpoint }) => endpoint.when === undefined);
  if (!chosen) throw new Error('Every path has an endpoint without a condition');
  return chosen;
}

function isFile(endpoint: Endpoint): boolean {
  return 'kind' in endpoint.answer && endpoint.answer.kind === 'file';
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A route with roles has a caller');
  return request.caller;
}

/** JSON Schema of the answer: the serializer built from it writes the declared fields and no others. */
function responseSchema(endpoint: Endpoint): Record<number, unknown> {
  if ('kind' in endpoint.answer) return {};
  const answer = z.object({ success: z.boolean(), ...endpoint.answer.shape });
  return { [endpoint.status]: z.toJSONSchema(answer, { io: 'output', target: 'draft-7', unrepresentable: 'any' }) };
}

function parse<E extends Endpoint>(endpoint: E, request: FastifyRequest): Parsed<E> {
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

function serialize(reply: FastifyReply, endpoint: Endpoint, result: unknown): StoredAnswer {
  if ('kind' in endpoint.answer) return { status: endpoint.status, text: '' };
  reply.code(endpoint.status);
  const parts = Object.entries(result as object);
  if (parts.some(([, value]) => value instanceof JsonText)) {
    const written = parts.map(
      ([key, value]) => `,"${key}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`,
    );
    // Joined once and as a whole: text that is added to afterwards is copied anew before it can be sent.
    return { status: endpoint.status, text: ['{"success":true', ...written, '}'].join('') };
  }
  // The result is the declared answer (see Result), an object by its schema; a JSON serializer returns text.
  const text = reply.serialize({ success: true, ...(result as object) }) as string;
  return { status: endpoint.status, text };
}

async function sendText(request: FastifyRequest, reply: FastifyReply, { status, text }: StoredAnswer): Promise<void> {
  await request.confirmed;
  reply.code(status);
  if (text === '') void reply.send();
  // As bytes: the length is known, and the socket need not encode it a second time.
  else void reply.type('application/json; charset=utf-8').send(Buffer.from(text));
}

/** Sends a file while it is being written; the caller's transaction stays open until the last byte was handed over. */
async function stream(reply: FastifyReply, body: unknown): Promise<void> {
  if (!(body instanceof FileBody)) throw new Error('A streaming route answers with a file');
  const sink = new PassThrough();
  // Without a listener an error would end the process; it reaches us through `written` as well.
  sink.on('error', () => undefined);
  // A reader who left: the writer's next write fails, and with it the statement in the database.
  reply.raw.on('close', () => sink.destroy());
  const written = body.write(sink);
  await Promise.race([new Promise((resolve) => sink.once('readable', resolve)), written]);
  void reply
    .header('content-type', body.contentType)
    .header('content-disposition', contentDisposition(body.fileName))
    .send(sink);
  try {
    await written;
  } catch (error) {
    sink.destroy(error instanceof Error ? error : new Error('The file could not be written'));
    throw error;
  }
}
