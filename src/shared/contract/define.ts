import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { paginationKeys } from './scalars.ts';

/** The records that have a history, and the resource of each; the path of its history follows from that. */
export const recorded = {
  owner: 'owners',
  truck: 'trucks',
  tag: 'tags',
  'petrol-pump': 'petrol-pumps',
  challan: 'challans',
  'bank-account': 'bank-accounts',
  subadmin: 'subadmins',
} as const;
export type HistoryRecord = keyof typeof recorded;

/** The nouns of the product: a resource's cached data is what a write may change (see `touches`). */
export const resources = [
  ...Object.values(recorded),
  'session',
  'profile',
  'bank-statement',
  'payment-batches',
  'bank-layouts',
  'bank-files',
  'bank-answers',
  'batches',
  'hsd-verification',
  'accounting',
  'owner-statements',
  'shared-reports',
  'dashboard',
  'history',
  'settings',
  'health',
  'preferences',
  'tables',
  'imports',
  'palette',
] as const;
export type Resource = (typeof resources)[number];

export type AccountRole = 'admin' | 'subadmin';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer that is not JSON: a streamed file (CSV or an Excel workbook), or nothing at all (204). */
export const file = { kind: 'file', type: 'text/csv' } as const;
export const workbook = {
  kind: 'file',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export const pdf = { kind: 'file', type: 'application/pdf' } as const;
/** Bytes as they were stored: a bank's own format. */
export const binary = { kind: 'file', type: 'application/octet-stream' } as const;
/** Several files in one. */
export const archive = { kind: 'file', type: 'application/zip' } as const;
export const empty = { kind: 'empty' } as const;
export type FileAnswer = typeof file | typeof workbook | typeof binary | typeof pdf | typeof archive;
export type EmptyAnswer = typeof empty;

type Shape = z.ZodObject | undefined;
type Answer = z.ZodObject | FileAnswer | EmptyAnswer;

export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  A extends Answer = Answer,
  M extends Method = Method,
> {
  readonly resource: Resource;
  readonly method: M;
  /** Under /api, parameters in braces: `/owners/{id}`. */
  readonly path: string;
  readonly summary: string;
  /** 'public' needs no session; otherwise the roles that may call. */
  readonly roles: 'public' | readonly AccountRole[];
  readonly params: P;
  readonly query: Q;
  /** Strict: an unknown key is 400 UNKNOWN_FIELD. */
  readonly body: B;
  /** The JSON body beside `success: true`, or `file`, or `empty`. */
  readonly answer: A;
  readonly status: 200 | 201 | 204;
  /** Error codes of this call, besides those that every call may answer (see `commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** A POST that only reads: its parameters are too long for an address. */
  readonly reads: boolean;
  /** Resources whose cached data this write may change; the client invalidates them by this list alone. */
  readonly touches: readonly Resource[];
  /** Honours an Idempotency-Key: the stored answer is written in the transaction of the write. */
  readonly idempotent: boolean;
  /** multipart/form-data with one file in the field `file` instead of a JSON body. */
  readonly upload: boolean;
  /**
   * Handles only requests whose query has these values; another endpoint with the same method and path handles the rest
   * (`GET /challans/bank-report` and the same with `format=csv`).
   */
  readonly when: Readonly<Record<string, string>> | undefined;
  /**
   * A long call: its transaction is aborted when the client goes before the answer, so that of a write that was cancelled
   * nothing stays, and it has a time limit of a minute.
   */
  readonly stopsWithClient: boolean;
  /** A read that may be a moment old: it may be asked of a replica (docs/running.md §6). */
  readonly mayLag: boolean;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
}

interface EndpointSpec<P extends Shape, Q extends Shape, B extends Shape, A extends Answer, M extends Method> {
  method: M;
  path: `/${string}`;
  summary: string;
  roles: 'public' | readonly AccountRole[];
  params?: P;
  query?: Q;
  body?: B;
  answer: A;
  status?: 200 | 201 | 204;
  errors?: readonly ErrorCode[];
  reads?: boolean;
  touches?: readonly Resource[];
  idempotent?: boolean;
  upload?: boolean;
  when?: Readonly<Record<string, string>>;
  stopsWithClient?: boolean;
  mayLag?: boolean;
  bodyLimit?: number;
}

const defaultBodyLimit = 256 * 1024;

/** Declares one call of the API. Routes, the OpenAPI document, the client and its hooks are derived from it. */
export function endpoint<
  A extends Answer,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  M extends Method = Method,
>(resource: Resource, spec: EndpointSpec<P, Q, B, A, M>): Endpoint<P, Q, B, A, M> {
  return {
    resource,
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    roles: spec.roles,
    // An absent shape is `undefined`, which is what P, Q and B default to; the optional key alone hides that from the
    // compiler.
    params: spec.params as P,
    query: spec.query as Q,
    body: spec.body as B,
    answer: spec.answer,
    status: spec.status ?? 200,
    errors: spec.errors ?? [],
    reads: spec.reads ?? spec.method === 'GET',
    touches: withHistory(spec.touches ?? []),
    idempotent: spec.idempotent ?? false,
    upload: spec.upload ?? false,
    when: spec.when,
    stopsWithClient: spec.stopsWithClient ?? false,
    mayLag: spec.mayLag ?? false,
    bodyLimit: spec.bodyLimit ?? defaultBodyLimit,
  };
}

/** Every change of a record is added to its history. */
const withHistory = (touches: readonly Resource[]): readonly Resource[] =>
  touches.length === 0 ? touches : [...new Set<Resource>([...touches, 'history'])];

/** What a caller passes for one shape (before parsing), and what a handler gets (after it). */
type Input<S extends Shape> = S extends z.ZodObject ? z.input<S> : undefined;
type Output<S extends Shape> = S extends z.ZodObject ? z.output<S> : undefined;

type Given<K extends string, S extends Shape> = S extends z.ZodObject
  ? Record<never, never> extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }
  : { [key in K]?: undefined };

/** Arguments of the client for this endpoint: `{ params, query, body }`, each only where it is declared. */
export type CallArguments<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>;

export type ParamsOf<E extends Endpoint> = Output<E['params']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type QueryInput<E extends Endpoint> = Input<E['query']>;
export type BodyOf<E extends Endpoint> = Output<E['body']>;
export type BodyInput<E extends Endpoint> = Input<E['body']>;
/** The JSON answer beside `success`; `FileAnswer`/`EmptyAnswer` answers have none. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodObject ? z.output<E['answer']> : undefined;

/** Codes any call may answer, so that an endpoint lists only its own. */
export const commonErrors: readonly ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'TOO_MANY_REQUESTS'];

/** All codes this endpoint may answer: its own, the common ones, and those its shape implies. */
export function allErrors(e: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...e.errors, ...commonErrors]);
  if (e.roles !== 'public') codes.add('UNAUTHORIZED').add('FORBIDDEN');
  if (e.params) codes.add('NOT_FOUND');
  if (e.params && 'id' in e.params.shape) codes.add('INVALID_ID');
  if (e.query) codes.add('VALIDATION_ERROR');
  if (e.query && paginationKeys.some((key) => key in (e.query?.shape ?? {}))) codes.add('INVALID_PAGINATION');
  // Also where no body is expected: a body that is sent is parsed first.
  if (e.method !== 'GET' && !e.upload) {
    codes.add('UNKNOWN_FIELD').add('INVALID_JSON').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  }
  if (e.body) {
    codes.add('VALIDATION_ERROR');
    if ('version' in e.body.shape) codes.add('VERSION_CONFLICT');
  }
  if (e.upload) codes.add('INVALID_FILE').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (e.idempotent) codes.add('IDEMPOTENCY_MISMATCH').add('VALIDATION_ERROR');
  return [...codes].sort();
}

/** The URL path with its parameters filled in and encoded: `fillPath('/owners/{id}', { id })`. */
export function fillPath(path: string, params: Record<string, string> | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params?.[name];
    if (value === undefined) throw new Error(`Path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
