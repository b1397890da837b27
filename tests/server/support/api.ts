import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { z } from 'zod';
import type { AnswerOf, CallArguments, Endpoint } from '../../../src/shared/contract/define.ts';
import { allErrors, fillPath } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { errorDataOf } from '../../../src/shared/contract/error-data.ts';
import { errorStatus, type ErrorBody } from '../../../src/shared/contract/errors.ts';
import { amountOut, total } from '../../../src/shared/contract/scalars.ts';
import { buildApp } from '../../../src/server/app.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { withGlobal, withTenant, type TenantDb } from '../../../src/server/db/tenant.ts';
import type { Pools } from '../../../src/server/http/implement.ts';
import type { Limits } from '../../../src/server/http/limits.ts';
import { hashPassword } from '../../../src/server/features/session/passwords.service.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

export { callerOf } from '../../../src/sample-data/month-end.ts';

export interface Answer<T> {
  status: number;
  headers: Record<string, unknown>;
  /** The raw text, for files and for byte comparisons. */
  text: string;
  /** The same as it came, for files that are no text. */
  bytes: Buffer;
  /** The JSON body of a success. */
  body: T;
  /** The JSON body of a failure; throws for a success. */
  error: ErrorBody;
}

export interface Tenant {
  id: string;
  email: string;
  password: string;
  token: string;
  bannerName: string;
}

export interface CallOptions {
  token?: string;
  /** Idempotency-Key. */
  key?: string;
  headers?: Record<string, string>;
}

/** The real app on a real, fresh database; nothing is faked. */
export interface Api {
  app: FastifyInstance;
  pools: Pools;
  /** As the owner of the schema. */
  databaseUrl: string;
  /** As the role that requests work as. */
  appUrl: string;
  adminToken: string;
  /** Calls an endpoint of the contract by injection, with the real login's token. */
  call<E extends Endpoint>(endpoint: E, args: CallArguments<E>, options?: CallOptions): Promise<Answer<AnswerOf<E>>>;
  /** Calls with whatever arguments a test wants to get wrong. */
  callRaw(
    method: string,
    url: string,
    options?: CallOptions & { body?: unknown; payload?: string | Buffer },
  ): Promise<Answer<Record<string, unknown>>>;
  /** A new transport business, signed in. */
  addTenant(bannerName?: string): Promise<Tenant>;
  /** A look behind the API, as the tenant. */
  inTenant<T>(tenant: Tenant, work: (db: TenantDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Holds an error answer against the API document of its call: the code, its status, and every field of its data. */
export function expectDeclared(endpoint: Endpoint, { status, error: { code, data } }: Answer<unknown>): void {
  const name = `${endpoint.method} ${endpoint.path}`;
  expect(allErrors(endpoint), `the error codes of ${name}`).toContain(code);
  expect(errorStatus[code], `the status of ${code}`).toBe(status);
  const declared = errorDataOf(endpoint, code);
  // A schema removes what it does not know, so data with a field too many are not equal.
  if (data !== undefined) expect(data, `the data of ${code} of ${name}`).toEqual(declared?.parse(data));
}

/** The amounts of an answer that have not two decimals, each with its path. */
function wrongAmounts(schema: unknown, value: unknown, path = ''): string[] {
  if (schema === amountOut || schema === total) {
    return typeof value === 'string' && value !== '' && !/^-?\d+\.\d\d$/.test(value) ? [`${path}: ${value}`] : [];
  }
  const below = (inner: unknown, key: string): string[] =>
    wrongAmounts(inner, (value as Record<string, unknown>)[key], `${path}.${key}`);
  if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(schema.shape).flatMap(([key, inner]) => below(inner, key));
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value) ? value.flatMap((one, at) => wrongAmounts(schema.element, one, `${path}[${at}]`)) : [];
  }
  if (schema instanceof z.ZodRecord) {
    return typeof value === 'object' && value !== null
      ? Object.keys(value).flatMap((key) => below(schema.valueType, key))
      : [];
  }
  if (schema instanceof z.ZodUnion) {
    // A text is an amount only where nothing else of the union is a text.
    if (typeof value === 'string' && schema.options.some((one) => one instanceof z.ZodString && one !== amountOut))
      return [];
    return schema.options.flatMap((one) => wrongAmounts(one, value, path));
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return wrongAmounts(schema.unwrap(), value, path);
  return [];
}

/** Longer than the app waits: what a test finds must not depend on how busy its machine is. */
const patience = { pool: { waitMs: { connection: 60_000, lock: 15_000 } }, limits: { waitMs: 60_000 } };

const password = 'correct horse 42';
let hashed: Promise<string> | undefined;

interface ApiOptions {
  limits?: Partial<Limits>;
  /** Migrated; absent: one of its own. */
  database?: TestDatabase;
}

export async function startApi({ limits = {}, database: given }: ApiOptions = {}): Promise<Api> {
  const database = given ?? (await freshDatabase());
  const pools: Pools = {
    main: createPool(database.appUrl, { ...patience.pool, max: 10 }),
    stream: createPool(database.appUrl, { ...patience.pool, max: 4, pipeline: false }),
  };
  /** Past what the app may do: it makes no second admin. */
  const owner = createPool(database.url, { max: 1 });
  const app = await buildApp({
    pools,
    logLevel: process.env.TEST_LOG_LEVEL ?? 'silent',
    limits: { ...patience.limits, ...limits },
  });
  await app.ready();
  hashed ??= hashPassword(password);
  const passwordHash = await hashed;

  const insertAccount = (accountRole: string, email: string, bannerName: string) =>
    withGlobal(owner, 'write', async (db) => {
      const { rows } = await db.query<{ id: string }>(
        `INSERT INTO accounts (role, email, password_hash, banner_name, gst_no, contact_number, office_address)
         VALUES ($1, $2, $3, $4, '21ABCDE1234F1Z5', '9876543210', 'Station Road, Keonjhar') RETURNING id`,
        [accountRole, email, passwordHash, bannerName],
      );
      // The insert returns the one row it made.
      return rows[0]!.id;
    });

  const callRaw: Api['callRaw'] = async (method, url, options = {}) => {
    const payload = options.payload ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await app.inject({
      // Tests also send methods that no route has.
      method: method as 'GET',
      url,
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const text = response.payload;
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json') && text !== '';
    const parsed = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      bytes: response.rawPayload,
      body: parsed,
      get error(): ErrorBody {
        if (parsed.success !== false)
          throw new Error(`Expected a failure, got ${response.statusCode}: ${text.slice(0, 300)}`);
        // Just checked: a failure of the API has this shape.
        return parsed as unknown as ErrorBody;
      },
    };
  };

  const call: Api['call'] = async (endpoint, args, options = {}) => {
    const given = args as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...given.query, ...endpoint.when })) {
      if (value !== undefined) search.set(name, String(value));
    }
    const url = `/api${fillPath(endpoint.path, given.params)}${search.size > 0 ? `?${search.toString()}` : ''}`;
    const answer = await callRaw(endpoint.method, url, {
      ...options,
      ...(given.body === undefined ? {} : { body: given.body }),
    });
    if (answer.status >= 400) expectDeclared(endpoint, answer);
    if (answer.status === endpoint.status && !('kind' in endpoint.answer)) {
      const wrong = wrongAmounts(endpoint.answer, answer.body);
      if (wrong.length > 0) throw new Error(`${url}: these amounts have not two decimals: ${wrong.join(', ')}`);
    }
    // The server's own serializer is built from the declared answer.
    return answer as unknown as Answer<AnswerOf<typeof endpoint>>;
  };

  const adminEmail = 'admin@challan.test';
  await insertAccount('admin', adminEmail, '');
  const admin = await call(contract.session.loginAdmin, { body: { email: adminEmail, password } });

  return {
    app,
    pools,
    databaseUrl: database.url,
    appUrl: database.appUrl,
    adminToken: admin.body.data.token,
    call,
    callRaw,
    addTenant: async (bannerName = `Transport ${randomUUID().slice(0, 8)}`) => {
      const email = `${randomUUID()}@challan.test`;
      const id = await insertAccount('subadmin', email, bannerName);
      const signedIn = await call(contract.session.loginSubadmin, { body: { email, password } });
      return { id, email, password, bannerName, token: signedIn.body.token };
    },
    inTenant: (tenant, work) => withTenant(pools.main, tenant.id, 'write', work),
    close: async () => {
      await app.close();
      await Promise.all([pools.main.end(), pools.stream.end(), owner.end()]);
      await database.drop();
    },
  };
}
