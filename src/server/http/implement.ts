import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { FileFormat } from '../../shared/calc/file-names.ts';
import type { Endpoint } from '../../shared/contract/define.ts';
import type { Caller } from '../caller.ts';
import { readWithFallback, usableReplica, type Replica } from '../db/read-replica.ts';
import {
  withGlobal,
  withTenant,
  type GlobalDb,
  type InSnapshot,
  type TenantDb,
  type TransactionMode,
} from '../db/tenant.ts';
import type { TableFile } from '../files/table-file.ts';
import type { ReceivedFile } from '../files/spreadsheet/file-kind.ts';
import { dataOf, sendText, serialize, type DataOf, type Result } from './answer.ts';
import { Batcher } from './batcher.ts';
import { ReaderWatch, streamFile } from './file-body.ts';
import { idempotencyKey, runOnce, type StoredAnswer } from './idempotency.ts';
import { createGates, defaultLimits, type Gates, type Limits } from './limits.ts';
import type { Parsed } from './parse.ts';
import { hidesBankDetails } from '../seat.ts';
import { callerOf, Routes } from './routes.ts';
import { Deadline } from './signals.ts';
import { receiveFile, UploadMemory, uploadsUnderWay } from './upload.ts';

export interface Pools {
  /** For requests. Its statements are pipelined: a transaction costs one round trip more than its statements. */
  readonly main: pg.Pool;
  /** For streams (COPY): a few separate connections, so that slow readers do not block requests. */
  readonly stream: pg.Pool;
  /** Absent: all reads go to the primary. */
  readonly replica?: Replica;
}

type TenantHandler<E extends Endpoint> = (input: Parsed<E> & { db: TenantDb; caller: Caller }) => Promise<Result<E>>;
type SnapshotHandler<E extends Endpoint> = (
  input: Parsed<E> & { db: TenantDb; caller: Caller; inSnapshot: InSnapshot },
) => Promise<Result<E>>;
/**
 * What `read` of an upload gets. It runs before the transaction, which must not be open while a file arrives and is
 * parsed.
 */
export interface Upload {
  /** The id of the business that uploads the file. */
  readonly business: string;
  receive(maxBytes: number): Promise<ReceivedFile>;
  /** Fires when the client disconnects before it has its answer. */
  readonly signal: AbortSignal;
  /** Runs `work` in a short read-only transaction, before the file arrives. */
  withReadTransaction<T>(work: (db: TenantDb) => Promise<T>): Promise<T>;
}
type GlobalHandler<E extends Endpoint> = (input: Parsed<E> & { db: GlobalDb; caller: Caller }) => Promise<Result<E>>;
/** Handles several calls in one transaction. All of them come from one account and one screen. */
type BatchHandler<E extends Endpoint, R> = (batch: {
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
interface BatchedIfHandlers<E extends Endpoint> {
  isBatched: (input: Parsed<E>) => boolean;
  batch: BatchHandler<E, Result<E> | undefined>;
  single: TenantHandler<E>;
}
type PoolHandler<E extends Endpoint> = (input: Parsed<E> & { pool: pg.Pool; caller: Caller }) => Promise<Result<E>>;
type SessionlessHandler<E extends Endpoint> = (input: Parsed<E> & { pool: pg.Pool }) => Promise<Result<E>>;

/**
 * Binds endpoints of the contract to handlers; there is one instance per app. `endpoints` lists those that
 * have a handler.
 */
export class Implementer {
  readonly #routes: Routes;
  readonly #pools: Pools;
  readonly #limits: Limits;

  /** The semaphores that limit what each account runs at once; their keys come from `semaphoreKeyOf`. */
  readonly gates: Gates;

  constructor(app: FastifyInstance, pools: Pools, limits: Partial<Limits> = {}) {
    this.#routes = new Routes(app, pools.main);
    this.#pools = pools;
    this.#limits = { ...defaultLimits, ...limits };
    this.gates = createGates(this.#limits);
  }

  get endpoints(): ReadonlySet<Endpoint> {
    return this.#routes.endpoints;
  }

  /**
   * Binds a call of a sub-admin. The handler's `db` is a transaction bound to the tenant of the session; it is
   * read-only when the endpoint only reads.
   */
  tenant<E extends Endpoint>(endpoint: E, handler: TenantHandler<E>): void {
    this.#routes.add(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      if (isFile(endpoint)) {
        const pool = this.#replicaFor(endpoint)?.stream;
        await this.#sendFile(request, reply, caller, (db) => handler({ ...input, db, caller }), pool);
      } else sendText(reply, await this.#answerInTransaction(endpoint, handler, { request, reply, caller, input }));
    });
  }

  /** Binds a call of a sub-admin whose answer is what `read` returns, as `data`. */
  data<E extends Endpoint>(
    endpoint: E,
    read: (input: Parsed<E> & { db: TenantDb; caller: Caller }) => Promise<DataOf<E>>,
  ): void {
    this.tenant(endpoint, async (input) => dataOf<E>(await read(input)));
  }

  /** Binds the two files of a list. */
  files<E extends Endpoint, X extends Endpoint>(
    pair: { exportCsv: E; exportXlsx: X },
    fileOf: (input: Parsed<E | X> & { db: TenantDb; caller: Caller }, format: FileFormat) => Promise<TableFile>,
  ): void {
    this.tenant<E | X>(pair.exportCsv, (call) => fileOf(call, 'csv'));
    this.tenant<E | X>(pair.exportXlsx, (call) => fileOf(call, 'xlsx'));
  }

  /**
   * Binds a write whose result is made of many reads. They run in a second transaction, `inSnapshot`, which begins after
   * what the first one has waited for. Its connection is of the pool for streams: nobody there waits for the first one's.
   */
  tenantWithSnapshot<E extends Endpoint>(endpoint: E, handler: SnapshotHandler<E>): void {
    this.#routes.add(endpoint, async (request, reply, input) => {
      const call = { request, reply, input, caller: callerOf(request) };
      sendText(reply, await this.#answerInTransaction(endpoint, handler, call));
    });
  }

  /** Answers one call in a transaction of its own. */
  #answerInTransaction<E extends Endpoint>(
    endpoint: E,
    handler: SnapshotHandler<E>,
    { request, reply, caller, input }: Call<E>,
  ): Promise<StoredAnswer> {
    const mode = modeOf(endpoint);
    const call = keyedCall(endpoint, request, input);
    const work = async (db: TenantDb, signal: AbortSignal): Promise<StoredAnswer> => {
      const inSnapshot: InSnapshot = (read) => withTenantOf(caller, this.#pools.stream, 'read', read, signal);
      const [answer] = await runOnce(db, [call], async () => [
        serialize(reply, endpoint, await handler({ ...input, db, caller, inSnapshot })),
      ]);
      // Safe: `runOnce` returns one answer for each call.
      return answer!;
    };
    const { answerMs, longAnswerMs } = this.#limits;
    return this.#runInTurn(
      request,
      reply,
      (deadline) => {
        const signal = endpoint.stopsWithClient ? AbortSignal.any([deadline, request.left]) : deadline;
        return this.#runOnReplicaOrPrimary(endpoint, (pool) =>
          withTenantOf(caller, pool, mode, (db) => work(db, signal), signal),
        );
      },
      0,
      endpoint.stopsWithClient ? longAnswerMs : answerMs,
    );
  }

  /**
   * Binds a small write that would have to wait for other writes of the same business. The calls that arrive while a
   * transaction runs are handled together in the next one (docs/decisions.md 89). When the handler throws, each call of
   * the batch is done alone.
   */
  batched<E extends Endpoint>(endpoint: E, handler: BatchHandler<E, Result<E>>): void {
    type Keyed = Call<E> & ReturnType<typeof keyedCall>;
    const runBatched = this.#batcherOf((db, calls: readonly Keyed[]) =>
      runOnce(db, calls, async (fresh) => {
        const inputs = fresh.map(({ input }) => input);
        const results = await handler({ db, caller: calls[0]!.caller, inputs });
        return fresh.map((call, index) => serialize(call.reply, endpoint, results[index]));
      }),
    );
    this.#routes.add(endpoint, async (request, reply, input) => {
      const call = { ...keyedCall(endpoint, request, input), request, reply, input, caller: callerOf(request) };
      sendText(reply, await runBatched(call));
    });
  }

  /**
   * Like `batched`, but only for the calls that `isBatched` chooses. All other calls are handled by `single`. When `batch`
   * returns undefined for a call, that call is handled by `single` afterwards. So a call that must wait or be refused
   * does not hold up the rest of the batch.
   */
  batchedIf<E extends Endpoint>(endpoint: E, handlers: BatchedIfHandlers<E>): void {
    // The batch would store the key although it may leave the call to `single`.
    if (endpoint.idempotent) throw new Error('An endpoint with an Idempotency-Key cannot be bound with batchedIf');
    const runBatched = this.#batcherOf((db, calls: readonly Call<E>[]) =>
      handlers.batch({ db, caller: calls[0]!.caller, inputs: calls.map(({ input }) => input) }),
    );
    this.#routes.add(endpoint, async (request, reply, input) => {
      const call = { request, reply, input, caller: callerOf(request) };
      const result = handlers.isBatched(input) ? await runBatched(call) : undefined;
      sendText(
        reply,
        result ? serialize(reply, endpoint, result) : await this.#answerInTransaction(endpoint, handlers.single, call),
      );
    });
  }

  /** Returns a function that handles a call in one transaction with the waiting calls of the same account and screen. */
  #batcherOf<C extends Omit<Call<Endpoint>, 'input'>, R>(
    work: (db: TenantDb, calls: readonly C[]) => Promise<readonly R[]>,
  ): (call: C) => Promise<R> {
    const batcher = new Batcher(async (calls: readonly C[]) => {
      // All calls have the same caller. The first one has waited longest, so its time limit counts.
      const { request, reply, caller } = calls[0]!;
      return this.#runInTurn(request, reply, (signal) =>
        withTenantOf(caller, this.#pools.main, 'write', (db) => work(db, calls), signal),
      );
    });
    return (call) =>
      this.gates.batched.run(semaphoreKeyOf(call.caller), call.request.left, () =>
        batcher.add(`${call.caller.accountId} ${call.caller.screen}`, call),
      );
  }

  /**
   * Binds a sub-admin's file that needs a permission check first. `allow` ends before the transaction of the file
   * begins.
   */
  guardedFile<E extends Endpoint>(
    endpoint: E,
    allow: (input: Parsed<E> & { pool: pg.Pool; caller: Caller }) => Promise<void>,
    handler: TenantHandler<E>,
  ): void {
    this.#routes.add(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      await this.gates.calls.run(semaphoreKeyOf(caller), request.left, () =>
        allow({ ...input, pool: this.#pools.main, caller }),
      );
      await this.#sendFile(request, reply, caller, (db) => handler({ ...input, db, caller }));
    });
  }

  /** Binds a file that is made of the request alone, without a transaction. */
  file<E extends Endpoint>(endpoint: E, fileOf: (input: Parsed<E>) => TableFile): void {
    this.#routes.add(endpoint, (request, reply, input) =>
      this.gates.files.run(semaphoreKeyOf(callerOf(request)), request.left, () =>
        streamFile(reply, fileOf(input), new ReaderWatch(reply.raw, request.left, this.#limits)),
      ),
    );
  }

  /** Binds a call whose data belongs to no tenant (accounts, the directory of owners). */
  global<E extends Endpoint>(endpoint: E, handler: GlobalHandler<E>): void {
    this.globalAfter(endpoint, async () => undefined, handler);
  }

  /** Like `global`, with slow work first: `prepare` ends before the transaction takes a connection. */
  globalAfter<E extends Endpoint, T>(
    endpoint: E,
    prepare: (input: Parsed<E>) => Promise<T>,
    handler: (input: Parsed<E> & { db: GlobalDb; caller: Caller; prepared: T }) => Promise<Result<E>>,
  ): void {
    this.#routes.add(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const prepared = await prepare(input);
      const work = async (db: GlobalDb): Promise<StoredAnswer> =>
        serialize(reply, endpoint, await handler({ ...input, db, caller, prepared }));
      const answer = await this.#runInTurn(request, reply, (signal) =>
        this.#runOnReplicaOrPrimary(endpoint, (pool) => withGlobal(pool, modeOf(endpoint), work, signal)),
      );
      sendText(reply, answer);
    });
  }

  /**
   * Binds a call whose data belongs to no tenant and that needs more than one transaction: the count of a refused try
   * must stay although the call fails.
   */
  withPool<E extends Endpoint>(endpoint: E, handler: PoolHandler<E>): void {
    this.#routes.add(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const result = await this.gates.calls.run(semaphoreKeyOf(caller), request.left, () =>
        handler({ ...input, pool: this.#pools.main, caller }),
      );
      sendText(reply, serialize(reply, endpoint, result));
    });
  }

  /**
   * Binds an upload of a sub-admin. `read` receives and parses the file, then `handler` stores the result in a
   * transaction.
   */
  upload<E extends Endpoint, T>(
    endpoint: E,
    read: (upload: Upload, input: Parsed<E>) => Promise<T>,
    handler: (input: Parsed<E> & { db: TenantDb; caller: Caller; file: T }) => Promise<Result<E>>,
  ): void {
    this.#routes.add(endpoint, async (request, reply, input) => {
      const caller = callerOf(request);
      const { businessId: business } = caller;
      // A call over the limit is refused at once: no upload waits for another one to end.
      await uploadsUnderWay.run(business, request.left, async () => {
        const memory = new UploadMemory();
        try {
          // The time limit of the call starts with the last byte of the upload.
          let since = 0;
          const upload: Upload = {
            business,
            receive: async (maxBytes) => {
              const received = await receiveFile(request, reply, maxBytes, endpoint.bodyLimit, memory);
              since = reply.elapsedTime;
              return received;
            },
            signal: request.left,
            withReadTransaction: (work) =>
              this.#runInTurn(request, reply, (signal) => withTenantOf(caller, this.#pools.main, 'read', work, signal)),
          };
          const file = await read(upload, input);
          const work = async (db: TenantDb): Promise<StoredAnswer> =>
            serialize(reply, endpoint, await handler({ ...input, db, caller, file }));
          const answer = await this.#runInTurn(
            request,
            reply,
            (signal) => withTenantOf(caller, this.#pools.main, modeOf(endpoint), work, signal),
            since,
          );
          sendText(reply, answer);
        } finally {
          memory.release();
        }
      });
    });
  }

  /** Binds a call that needs no session. Its handler opens its own transactions. */
  withoutSession<E extends Endpoint>(endpoint: E, handler: SessionlessHandler<E>): void {
    this.#routes.add(endpoint, async (_request, reply, input) => {
      const answer = serialize(reply, endpoint, await handler({ ...input, pool: this.#pools.main }));
      sendText(reply, answer);
    });
  }

  #replicaFor(endpoint: Endpoint): Replica | undefined {
    return endpoint.mayLag ? usableReplica(this.#pools.replica) : undefined;
  }

  #runOnReplicaOrPrimary<T>(endpoint: Endpoint, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    return readWithFallback(this.#replicaFor(endpoint), this.#pools.main, work);
  }

  /**
   * Runs a call's transaction when the account has a free place, within the call's time limit of `limitMs`. The limit
   * counts from `since`, in milliseconds after the request began.
   */
  #runInTurn<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    transaction: (signal: AbortSignal) => Promise<T>,
    since: number = 0,
    limitMs: number = this.#limits.answerMs,
  ): Promise<T> {
    return this.gates.calls.run(semaphoreKeyOf(callerOf(request)), request.left, async () => {
      const deadline = new Deadline(limitMs - (reply.elapsedTime - since));
      try {
        return await transaction(deadline.signal);
      } finally {
        deadline.end();
      }
    });
  }

  /** Streams a file in a read-only transaction, as fast as the reader takes it. */
  async #sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    fileOf: (db: TenantDb) => Promise<unknown>,
    pool: pg.Pool = this.#pools.stream,
  ): Promise<void> {
    await this.gates.files.run(semaphoreKeyOf(caller), request.left, () => {
      const watch = new ReaderWatch(reply.raw, request.left, this.#limits);
      const work = async (db: TenantDb): Promise<void> =>
        // Safe: the handler of a file returns one.
        streamFile(reply, (await fileOf(db)) as TableFile, watch);
      return withTenantOf(caller, pool, 'read', work, watch.signal);
    });
  }
}

/** Runs a transaction of the caller's business, in which a search does not find what the caller must not see. */
const withTenantOf = <T>(
  caller: Caller,
  pool: pg.Pool,
  mode: TransactionMode,
  work: (db: TenantDb) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => withTenant(pool, caller.businessId, mode, work, signal, hidesBankDetails(caller));

const keyedCall = <E extends Endpoint>(endpoint: E, request: FastifyRequest, { body }: Parsed<E>) => ({
  key: endpoint.idempotent ? idempotencyKey(request.headers['idempotency-key']) : undefined,
  // Another person's answer may show what this one must not see.
  identity: [endpoint.method, request.url, body, callerOf(request).accountId] as const,
});

/** The semaphore key of a caller: the people of a business share its places. The role comes first because the metrics count by role. */
const semaphoreKeyOf = ({ role, businessId }: Caller): string => `${role} ${businessId}`;

const modeOf = (endpoint: Endpoint) => (endpoint.reads ? 'read' : 'write');

function isFile(endpoint: Endpoint): boolean {
  return 'kind' in endpoint.answer && endpoint.answer.kind === 'file';
}
