import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Endpoint, AccountRole } from '../../shared/contract/define.ts';
import { screenNames } from '../../shared/screen-names.ts';
import type { Caller } from '../caller.ts';
import { readFrom, usable, type Replica } from '../db/read-replica.ts';
import { withGlobal, withTenant, type GlobalDb, type TenantDb, withGlobalStatement } from '../db/tenant.ts';
import type { ReceivedFile } from '../files/spreadsheet/file-kind.ts';
import { Refusal, noSession } from '../refusal.ts';
import { Semaphore } from '../semaphore.ts';
import { sendText, serialize, type Result } from './answer.ts';
import { Gathering } from './gathering.ts';
import { idempotencyKey, once, type StoredAnswer } from './idempotency.ts';
import { usualLimits, type Limits } from './limits.ts';
import { parse, type Parsed } from './parse.ts';
import { Deadline, leftSignal } from './signals.ts';
import { ReaderWatch, streamFile } from './stream-file.ts';
import { acceptUploads, receiveFile, UploadMemory, uploadsUnderWay } from './upload.ts';
import { selectLiveSession, touchSession } from '../queries/sessions.ts';
import { bearerToken, hashToken } from './tokens.ts';

export interface Pools {
  /** For requests. Pipelined: a transaction costs one round trip more than its statements. */
  readonly main: pg.Pool;
  /** For streams (COPY): a few separate connections, so that slow readers do not block requests. */
  readonly stream: pg.Pool;
  /** Absent: all reads go to the primary. */
  readonly replica?: Replica;
}

type TenantHandler<E extends Endpoint> = (input: Parsed<E> & { db: TenantDb; caller: Caller }) => Promise<Result<E>>;
/** What a handler gets before the transaction, which must not be open while a file arrives and is read. */
export interface Upload {
  /** Whose file it is. */
  readonly account: string;
  receive(maxBytes: number): Promise<ReceivedFile>;
  /** Fires when the client disconnects before its answer. */
  readonly signal: AbortSignal;
  /** A short transaction that only reads, before the file arrives. */
  look<T>(work: (db: TenantDb) => Promise<T>): Promise<T>;
}
type GlobalHandler<E extends Endpoint> = (input: Parsed<E> & { db: GlobalDb; caller: Caller }) => Promise<Result<E>>;
/** The calls come from one account and one screen. */
type GatheredHandler<E extends Endpoint, R> = (gathered: {
  db: TenantDb;
  caller: Caller;
  inputs: readonly Parsed<E>[];
}) => Promise<readonly R[]>;
interface Call<E extends Endpoint> {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  input: Parsed<E>;
}
interface GatheredSome<E extends Endpoint> {
  joins: (input: Parsed<E>) => boolean;
  together: GatheredHandler<E, Result<E> | undefined>;
  alone: TenantHandler<E>;
}
type PoolHandler<E extends Endpoint> = (input: Parsed<E> & { pool: pg.Pool; caller: Caller }) => Promise<Result<E>>;
type SessionlessHandler<E extends Endpoint> = (input: Parsed<E> & { pool: pg.Pool }) => Promise<Result<E>>;

/** One endpoint bound to its handler; the routes of one path differ by what their query says (`when`). */
interface Bound {
  endpoint: Endpoint;
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session check, before the body is read. */
    caller: Caller | null;
    /** Fires when the client disconnects before it has its answer, possibly before anybody listens. */
    left: AbortSignal;
  }
}

/** Binds endpoints of the contract to handlers. One instance per app; `done` lists the endpoints that have a handler. */
export class Implementer {
  readonly done = new Set<Endpoint>();
  readonly #app: FastifyInstance;
  readonly #pools: Pools;
  readonly #routes = new Map<string, Bound[]>();
  readonly #limits: Limits;
  readonly #calls: Semaphore;
  readonly #gathered: Semaphore;
  readonly #files: Semaphore;

  constructor(app: FastifyInstance, pools: Pools, limits: Partial<Limits> = {}) {
    this.#app = app;
    this.#pools = pools;
    this.#limits = { ...usualLimits, ...limits };
    const { atWork, gathered, waiting, waitMs, files, fileWaitMs } = this.#limits;
    const many = { waiting: { perKey: waiting }, waitMs, refusal: tooManyCalls };
    this.#calls = new Semaphore({ running: { perKey: atWork }, ...many });
    this.#gathered = new Semaphore({ running: { perKey: gathered }, ...many });
    this.#files = new Semaphore({
      running: { perKey: files },
      waiting: { perKey: files },
      waitMs: fileWaitMs,
      refusal: tooManyFiles,
    });
  }

  /** What runs and waits of each account (`placeOf`). */
  get gates(): Readonly<Record<'calls' | 'gathered' | 'files', Semaphore>> {
    return { calls: this.#calls, gathered: this.#gathered, files: this.#files };
  }

  /** For a sub-admin: the handler's `db` is a transaction bound to the tenant of the session; read-only for a read. */
  tenant<E extends Endpoint>(endpoint: E, handler: TenantHandler<E>): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      if (isFile(endpoint)) {
        const pool = this.#replicaFor(endpoint)?.stream;
        await this.#send(request, reply, caller, (db) => handler({ ...input, db, caller }), pool);
      } else sendText(reply, await this.#answer(endpoint, handler, { request, reply, caller, input }));
    });
  }

  /** A call in a transaction of its own. */
  #answer<E extends Endpoint>(
    endpoint: E,
    handler: TenantHandler<E>,
    { request, reply, caller, input }: Call<E>,
  ): Promise<StoredAnswer> {
    const mode = modeOf(endpoint);
    const call = keyedCall(endpoint, request, input);
    const work = async (db: TenantDb): Promise<StoredAnswer> => {
      const [answer] = await once(db, [call], async () => [
        serialize(reply, endpoint, await handler({ ...input, db, caller })),
      ]);
      // One answer for each call.
      return answer!;
    };
    const { answerMs, longAnswerMs } = this.#limits;
    return this.#work(
      request,
      reply,
      (deadline) => {
        const signal = endpoint.stopsWithClient ? AbortSignal.any([deadline, request.left]) : deadline;
        return this.#read(endpoint, (pool) => withTenant(pool, caller.accountId, mode, work, signal));
      },
      0,
      endpoint.stopsWithClient ? longAnswerMs : answerMs,
    );
  }

  /**
   * For a small write that others of its business wait for: those that arrive while one is at work are one transaction
   * (docs/decisions.md 89). The handler does all of them or throws; then each is done alone.
   */
  gathered<E extends Endpoint>(endpoint: E, handler: GatheredHandler<E, Result<E>>): void {
    type Keyed = Call<E> & ReturnType<typeof keyedCall>;
    const together = this.#together((db, calls: readonly Keyed[]) =>
      once(db, calls, async (fresh) => {
        const inputs = fresh.map(({ input }) => input);
        const results = await handler({ db, caller: calls[0]!.caller, inputs });
        return fresh.map((call, index) => serialize(call.reply, endpoint, results[index]));
      }),
    );
    this.#route(endpoint, async (request, reply, input) => {
      const call = { ...keyedCall(endpoint, request, input), request, reply, input, caller: callerOf(request) };
      sendText(reply, await together(call));
    });
  }

  /**
   * The same for those calls that `joins` chooses. What `together` leaves undone (undefined) is done alone then, like all
   * other calls, so that it neither refuses nor delays its neighbours.
   */
  gatheredSome<E extends Endpoint>(endpoint: E, handlers: GatheredSome<E>): void {
    if (endpoint.idempotent) throw new Error('A key is stored with its answer: what has one is not left undone');
    const together = this.#together((db, calls: readonly Call<E>[]) =>
      handlers.together({ db, caller: calls[0]!.caller, inputs: calls.map(({ input }) => input) }),
    );
    this.#route(endpoint, async (request, reply, input) => {
      const call = { request, reply, input, caller: callerOf(request) };
      const result = handlers.joins(input) ? await together(call) : undefined;
      sendText(reply, result ? serialize(reply, endpoint, result) : await this.#answer(endpoint, handlers.alone, call));
    });
  }

  /** Does a call with those of its account and screen that wait for the same. */
  #together<C extends Omit<Call<Endpoint>, 'input'>, R>(
    work: (db: TenantDb, calls: readonly C[]) => Promise<readonly R[]>,
  ): (call: C) => Promise<R> {
    const gathering = new Gathering(async (calls: readonly C[]) => {
      // They have the same caller; the first has waited longest.
      const { request, reply, caller } = calls[0]!;
      return this.#work(request, reply, (signal) =>
        withTenant(this.#pools.main, caller.accountId, 'write', (db) => work(db, calls), signal),
      );
    });
    return (call) =>
      this.#gathered.pass(placeOf(call.caller), call.request.left, () =>
        gathering.join(`${call.caller.accountId} ${call.caller.screen}`, call),
      );
  }

  /** For a sub-admin's file that must be allowed first: `allow` ends before the transaction of the file begins. */
  guardedFile<E extends Endpoint>(
    endpoint: E,
    allow: (input: Parsed<E> & { pool: pg.Pool; caller: Caller }) => Promise<void>,
    handler: TenantHandler<E>,
  ): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      await this.#calls.pass(placeOf(caller), request.left, () => allow({ ...input, pool: this.#pools.main, caller }));
      await this.#send(request, reply, caller, (db) => handler({ ...input, db, caller }));
    });
  }

  /** For what belongs to no tenant (accounts, the directory of owners). */
  global<E extends Endpoint>(endpoint: E, handler: GlobalHandler<E>): void {
    this.globalAfter(endpoint, async () => undefined, handler);
  }

  /** The same after something slow: `prepare` ends before the transaction takes a connection. */
  globalAfter<E extends Endpoint, T>(
    endpoint: E,
    prepare: (input: Parsed<E>) => Promise<T>,
    handler: (input: Parsed<E> & { db: GlobalDb; caller: Caller; prepared: T }) => Promise<Result<E>>,
  ): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const prepared = await prepare(input);
      const work = async (db: GlobalDb): Promise<StoredAnswer> =>
        serialize(reply, endpoint, await handler({ ...input, db, caller, prepared }));
      const answer = await this.#work(request, reply, (signal) =>
        this.#read(endpoint, (pool) => withGlobal(pool, modeOf(endpoint), work, signal)),
      );
      sendText(reply, answer);
    });
  }

  /** For what belongs to no tenant and needs more than one transaction: the count of a refused try must stay. */
  withPool<E extends Endpoint>(endpoint: E, handler: PoolHandler<E>): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const result = await this.#calls.pass(placeOf(caller), request.left, () =>
        handler({ ...input, pool: this.#pools.main, caller }),
      );
      sendText(reply, serialize(reply, endpoint, result));
    });
  }

  /** For a sub-admin's file: `read` receives and parses it, then `handler` stores the result in a transaction. */
  upload<E extends Endpoint, T>(
    endpoint: E,
    read: (upload: Upload, input: Parsed<E>) => Promise<T>,
    handler: (input: Parsed<E> & { db: TenantDb; caller: Caller; file: T }) => Promise<Result<E>>,
  ): void {
    this.#route(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const { accountId: account } = caller;
      // Refused at once: nobody waits for an upload to end.
      await uploadsUnderWay.pass(account, request.left, async () => {
        const memory = new UploadMemory();
        try {
          // The time limit of the call starts with the last byte of the upload.
          let since = 0;
          const upload: Upload = {
            account,
            receive: async (maxBytes) => {
              const received = await receiveFile(request, reply, maxBytes, endpoint.bodyLimit, memory);
              since = reply.elapsedTime;
              return received;
            },
            signal: request.left,
            look: (work) =>
              this.#work(request, reply, (signal) => withTenant(this.#pools.main, account, 'read', work, signal)),
          };
          const file = await read(upload, input);
          const work = async (db: TenantDb): Promise<StoredAnswer> =>
            serialize(reply, endpoint, await handler({ ...input, db, caller, file }));
          const answer = await this.#work(
            request,
            reply,
            (signal) => withTenant(this.#pools.main, account, modeOf(endpoint), work, signal),
            since,
          );
          sendText(reply, answer);
        } finally {
          memory.release();
        }
      });
    });
  }

  /** For calls without a session; they open their own transactions. */
  withoutSession<E extends Endpoint>(endpoint: E, handler: SessionlessHandler<E>): void {
    this.#route(endpoint, async (_request, reply, input) => {
      const answer = serialize(reply, endpoint, await handler({ ...input, pool: this.#pools.main }));
      sendText(reply, answer);
    });
  }

  #replicaFor(endpoint: Endpoint): Replica | undefined {
    return endpoint.mayLag ? usable(this.#pools.replica) : undefined;
  }

  #read<T>(endpoint: Endpoint, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    return readFrom(this.#replicaFor(endpoint), this.#pools.main, work);
  }

  /** Runs a call's transaction when it is the account's turn, within the call's time limit, which started at `since`. */
  #work<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    transaction: (signal: AbortSignal) => Promise<T>,
    since: number = 0,
    limitMs: number = this.#limits.answerMs,
  ): Promise<T> {
    return this.#calls.pass(placeOf(callerOf(request)), request.left, async () => {
      const deadline = new Deadline(limitMs - (reply.elapsedTime - since));
      try {
        return await transaction(deadline.signal);
      } finally {
        deadline.end();
      }
    });
  }

  /** Streams a file for as long as its reader takes. */
  async #send(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    fileOf: (db: TenantDb) => Promise<unknown>,
    pool: pg.Pool = this.#pools.stream,
  ): Promise<void> {
    await this.#files.pass(placeOf(caller), request.left, () => {
      const watch = new ReaderWatch(reply.raw, request.left, this.#limits);
      const work = async (db: TenantDb): Promise<void> => streamFile(reply, await fileOf(db), watch);
      return withTenant(pool, caller.accountId, 'read', work, watch.signal);
    });
  }

  #route<E extends Endpoint>(
    endpoint: E,
    run: (request: FastifyRequest, reply: FastifyReply, input: Parsed<E>) => Promise<void>,
  ): void {
    this.done.add(endpoint);
    const bound: Bound = { endpoint, run: (request, reply) => run(request, reply, parse(endpoint, request)) };
    const route = `${endpoint.method} ${endpoint.path}`;
    const known = this.#routes.get(route);
    if (known) {
      known.push(bound);
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
      // Before the body is read: without a session nobody learns whether a body or an id is right.
      onRequest: async (request, reply) => {
        request.left = leftSignal(request.raw, reply.raw);
        if (roles !== 'public') request.caller = await authenticate(this.#pools.main, request, roles);
      },
      handler: async (request, reply) => {
        await pick(variants, request).run(request, reply);
        return reply;
      },
    });
  }
}

/** The variant whose `when` matches the query, else the one without. */
function pick(variants: readonly Bound[], request: FastifyRequest): Bound {
  const query = request.query as Record<string, unknown>;
  const special = variants.find(
    ({ endpoint }) => endpoint.when && Object.entries(endpoint.when).every(([name, value]) => query[name] === value),
  );
  const chosen = special ?? variants.find(({ endpoint }) => endpoint.when === undefined);
  if (!chosen) throw new Error('Every path has an endpoint without a condition');
  return chosen;
}

const keyedCall = <E extends Endpoint>(endpoint: E, request: FastifyRequest, { body }: Parsed<E>) => ({
  key: endpoint.idempotent ? idempotencyKey(request.headers['idempotency-key']) : undefined,
  asked: [endpoint.method, request.url, body] as const,
});

/** Whose turn it is: the figures of the gates are by role. */
const placeOf = ({ role, accountId }: Caller): string => `${role} ${accountId}`;

const modeOf = (endpoint: Endpoint) => (endpoint.reads ? 'read' : 'write');

const tooManyCalls = (): Refusal =>
  new Refusal('TOO_MANY_REQUESTS', 'Too many requests. Please wait a moment.', { retryAfterSeconds: 2 });
const tooManyFiles = (): Refusal =>
  new Refusal(
    'TOO_MANY_REQUESTS',
    'Other files of this account are being downloaded. Please wait for one of them, then try again.',
    { retryAfterSeconds: 5 },
  );

function isFile(endpoint: Endpoint): boolean {
  return 'kind' in endpoint.answer && endpoint.answer.kind === 'file';
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A route with roles has a caller');
  return request.caller;
}

/**
 * Checks the session in the database, on every request. A request marked as background (a poll) does not prolong the
 * session (docs/specification.md §2.4).
 */
async function authenticate(pool: pg.Pool, request: FastifyRequest, roles: readonly AccountRole[]): Promise<Caller> {
  const token = bearerToken(request.headers.authorization);
  if (token === null) throw noSession();
  const tokenHash = hashToken(token);
  const session = await withGlobalStatement(pool, (db) => selectLiveSession(db, tokenHash));
  if (session === null) throw noSession();
  if (!roles.includes(session.role)) {
    throw new Refusal('FORBIDDEN', "You don't have permission to access this page.");
  }
  if (session.is_touch_due && request.headers['x-background'] === undefined) {
    await withGlobalStatement(pool, (db) => touchSession(db, tokenHash));
  }
  return {
    accountId: session.account_id,
    role: session.role,
    email: session.email,
    bannerName: session.banner_name,
    sessionId: session.session_id,
    screen: screenOf(request.headers['x-screen']),
    requestId: request.id,
  };
}

/** One of the known screens, as the client names it; else empty: the history shows no words that a caller made up. */
const screenOf = (header: string | string[] | undefined): string => screenNames.find((name) => name === header) ?? '';
