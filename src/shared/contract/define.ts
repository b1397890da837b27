import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Resource } from './nouns.ts';
import { idParams, paginationKeys } from './scalars.ts';
import type { Right } from './seats.ts';

export type AccountRole = 'admin' | 'subadmin';
/**
 * When a call asks again who the caller is (docs/specification.md §28.9): 'people' where somebody else might sit there, because
 * the business has people or the caller a second step; 'always'; or 'code' where the call takes the password itself, so that
 * only who has a second step is asked.
 */
export type AsksAgain = 'people' | 'always' | 'code';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Answers that are not JSON: a file, or nothing at all (204). CSV files and Excel workbooks are streamed. */
export const file = { kind: 'file', type: 'text/csv' } as const;
export const workbook = {
  kind: 'file',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export const pdf = { kind: 'file', type: 'application/pdf' } as const;
/** Bytes exactly as they were stored: a file in a bank's format. */
export const binary = { kind: 'file', type: 'application/octet-stream' } as const;
/** Several files in one archive. */
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
  /** 'public' needs no session; otherwise only these roles may call. */
  readonly roles: 'public' | readonly AccountRole[];
  /** What the seat of a person of a business must allow (docs/specification.md §28.1). */
  readonly right: Right;
  /** Absent: never. */
  readonly asksAgain: AsksAgain | undefined;
  readonly params: P;
  readonly query: Q;
  /** A strict object: an unknown key is 400 UNKNOWN_FIELD. */
  readonly body: B;
  /** The JSON answer without its `success: true`, or a file, or `empty`. */
  readonly answer: A;
  readonly status: 200 | 201 | 204;
  /** Error codes of this call, without those that follow from its shape or that every call has (see `allErrors`). */
  readonly errors: readonly ErrorCode[];
  /** true for a GET, and for a POST that only reads because its parameters are too long for a URL. */
  readonly reads: boolean;
  /** Resources whose cached data this write may change. The client invalidates exactly these. */
  readonly touches: readonly Resource[];
  /** Accepts an Idempotency-Key. The answer is stored in the transaction of the write, and a retry gets it again. */
  readonly idempotent: boolean;
  /** The body is multipart/form-data with one file in the field `file`. */
  readonly upload: boolean;
  /**
   * Only requests whose query has these values belong to this endpoint. Another endpoint with the same method and path
   * gets the others (`GET /challans/bank-report` with and without `format=csv`).
   */
  readonly when: Readonly<Record<string, string>> | undefined;
  /** Only requests with this query parameter belong to this endpoint (`GET /challans` with and without `fields`). */
  readonly whenGiven: string | undefined;
  /**
   * A long call with a time limit of a minute. Its transaction is aborted when the client disconnects before the answer, so
   * that a cancelled write leaves nothing behind.
   */
  readonly stopsWithClient: boolean;
  /** A read whose data may be a moment old, so that a replica may answer it (docs/running.md §6). */
  readonly mayLag: boolean;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
}

interface EndpointSpec<P extends Shape, Q extends Shape, B extends Shape, A extends Answer> {
  summary: string;
  /** Absent: those of the resource (`rolesOf`). */
  roles?: Endpoint['roles'];
  right?: Right;
  asksAgain?: AsksAgain;
  params?: P;
  query?: Q;
  body?: B;
  answer: A;
  status?: 200 | 201 | 204;
  errors?: readonly ErrorCode[];
  reads?: boolean;
  /** Absent: a write touches its own resource, but one of the own sign-in nothing. */
  touches?: readonly Resource[];
  idempotent?: boolean;
  upload?: boolean;
  when?: Readonly<Record<string, string>>;
  whenGiven?: string;
  stopsWithClient?: boolean;
  mayLag?: boolean;
  bodyLimit?: number;
}

const defaultBodyLimit = 256 * 1024;

/** The roles of resources that are not of the businesses alone. A call may differ from its resource. */
const rolesOf: Readonly<Partial<Record<Resource, readonly AccountRole[]>>> = {
  session: ['admin', 'subadmin'],
  'second-step': ['admin', 'subadmin'],
  subadmins: ['admin'],
  settings: ['admin'],
  health: ['admin'],
};
const ofBusinesses: readonly AccountRole[] = ['subadmin'];

/** The rights of resources where reading is not 'read' or writing is not 'record'. A call may differ from its resource. */
const rightsOf: Readonly<Partial<Record<Resource, { reads?: Right; writes?: Right }>>> = {
  session: { reads: 'self', writes: 'self' },
  'second-step': { reads: 'self', writes: 'self' },
  preferences: { reads: 'self', writes: 'self' },
  profile: { writes: 'manage' },
  people: { reads: 'manage', writes: 'manage' },
  'bank-statement': { writes: 'pay' },
  'payment-batches': { writes: 'pay' },
  'prepared-payments': { writes: 'pay' },
  'bank-accounts': { reads: 'readBank', writes: 'pay' },
  'bank-layouts': { reads: 'readBank', writes: 'pay' },
  'bank-files': { reads: 'readBank', writes: 'pay' },
  'bank-answers': { reads: 'readBank', writes: 'pay' },
  'tds-deposits': { reads: 'readBank', writes: 'pay' },
};

/** The resources whose writes ask again who the caller is, but for those of the own sign-in. A call may differ from its resource. */
const asksAgainOf: Readonly<Partial<Record<Resource, AsksAgain>>> = { people: 'people', 'bank-accounts': 'people' };

type MethodOf<R extends string> = R extends `${infer M extends Method} ${string}` ? M : never;

/**
 * Declares one call of the API by its method and path: 'GET /owners/{id}', whose `{id}` is a parameter. Routes, the OpenAPI
 * document, the client and its hooks are derived from it.
 */
export function endpoint<
  R extends `${Method} /${string}`,
  A extends Answer,
  P extends Shape = R extends `${string}{id}${string}` ? typeof idParams : undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(resource: Resource, request: R, spec: EndpointSpec<P, Q, B, A>): Endpoint<P, Q, B, A, MethodOf<R>> {
  // Safe: the type of a request says so.
  const [method, path] = request.split(' ') as [MethodOf<R>, string];
  const roles = spec.roles ?? rolesOf[resource] ?? ofBusinesses;
  const reads = spec.reads ?? method === 'GET';
  const { reads: toRead = 'read', writes: toWrite = 'record' } = rightsOf[resource] ?? {};
  const right = spec.right ?? (reads ? toRead : toWrite);
  const isOwnSignIn = right === 'self' || roles === 'public';
  return {
    resource,
    method,
    path,
    summary: spec.summary,
    roles,
    right,
    asksAgain: spec.asksAgain ?? (reads || isOwnSignIn ? undefined : asksAgainOf[resource]),
    // Safe: an absent shape is what P, Q and B default to. The compiler cannot see that of an optional key.
    params: (spec.params ?? (path.includes('{id}') ? idParams : undefined)) as P,
    query: spec.query as Q,
    body: spec.body as B,
    answer: spec.answer,
    status: spec.status ?? 200,
    errors: spec.errors ?? [],
    reads,
    touches: withHistory(spec.touches ?? (reads || isOwnSignIn ? [] : [resource])),
    idempotent: spec.idempotent ?? false,
    upload: spec.upload ?? false,
    when: spec.when,
    whenGiven: spec.whenGiven,
    stopsWithClient: spec.stopsWithClient ?? false,
    mayLag: spec.mayLag ?? false,
    bodyLimit: spec.bodyLimit ?? defaultBodyLimit,
  };
}

export type CamelCase<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;
/** 'petrol-pumps' → 'petrolPumps'. */
export const camelCase = <S extends string>(text: S): CamelCase<S> =>
  // Safe: CamelCase describes the same change of a text for types.
  text.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<S>;

/** Declares the two files of a list, whose paths differ only in their ending. */
export const filePair = <R extends `${Method} /${string}csv`, Q extends Shape = undefined, B extends Shape = undefined>(
  resource: Resource,
  request: R,
  spec: Omit<EndpointSpec<undefined, Q, B, FileAnswer>, 'answer' | 'params'>,
) => {
  // Safe: only the ending changes.
  const ofXlsx = request.replace(/csv$/, 'xlsx') as R;
  return {
    exportCsv: endpoint<R, typeof file, undefined, Q, B>(resource, request, { ...spec, answer: file }),
    exportXlsx: endpoint<R, typeof workbook, undefined, Q, B>(resource, ofXlsx, {
      ...spec,
      summary: 'The same as an Excel workbook',
      answer: workbook,
    }),
  };
};

/** Every write adds to the history of a record, so its cached data change too. */
const withHistory = (touches: readonly Resource[]): readonly Resource[] =>
  touches.length === 0 ? touches : [...new Set<Resource>([...touches, 'history'])];

/** The type that a caller passes for a shape, before parsing, and the type that a handler gets after it. */
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
/** The JSON answer without `success`; undefined for files and empty answers. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodObject ? z.output<E['answer']> : undefined;

/** Whether an endpoint gets only some of the requests to its method and path. */
export const isVariant = ({ when, whenGiven }: Pick<Endpoint, 'when' | 'whenGiven'>): boolean =>
  when !== undefined || whenGiven !== undefined;

/** Whether a variant gets the request with this query. An empty parameter counts as none, as everywhere. */
export function isVariantFor(endpoint: Endpoint, query: Readonly<Record<string, unknown>>): boolean {
  const { when, whenGiven } = endpoint;
  if (when !== undefined) return Object.entries(when).every(([name, value]) => query[name] === value);
  return whenGiven !== undefined && (query[whenGiven] ?? '') !== '';
}

/** Whether who lacks a second step that is demanded may not make the call: everything but what belongs to the own sign-in. */
export const needsSecondStep = ({ roles, right }: Pick<Endpoint, 'roles' | 'right'>): boolean =>
  roles !== 'public' && right !== 'self';

/** Error codes that any call may answer. */
export const commonErrors: readonly ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'TOO_MANY_REQUESTS'];

/** All error codes that an endpoint may answer: its own, the common ones, and those that follow from its shape. */
export function allErrors(e: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...e.errors, ...commonErrors]);
  if (e.roles !== 'public') codes.add('UNAUTHORIZED').add('FORBIDDEN');
  if (needsSecondStep(e)) codes.add('SECOND_STEP_MISSING');
  if (e.asksAgain) codes.add('CONFIRMATION_WANTED');
  if (e.params) codes.add('NOT_FOUND');
  if (e.params && 'id' in e.params.shape) codes.add('INVALID_ID');
  if (e.query) codes.add('VALIDATION_ERROR');
  if (e.query && paginationKeys.some((key) => key in (e.query?.shape ?? {}))) codes.add('INVALID_PAGINATION');
  // This includes calls without a body: the server parses a body that is sent before it looks at the call.
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
