import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError, type core } from 'zod';
import { lockedSentence } from '../../shared/calc/period-lock.ts';
import { errorStatus, type ErrorBody, type ErrorCode } from '../../shared/contract/errors.ts';
import { CommitUnknownError } from '../db/tenant.ts';
import { isDatabaseAway } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';

export type Place = 'params' | 'query' | 'body';

/** The errors that the schema of a request found, and in which part of the request. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
  readonly place: Place;
  readonly issues: readonly core.$ZodIssue[];
  /** The error code of a value that does not fit. One call has its own code for it (docs/specification.md §15.4). */
  readonly code: 'VALIDATION_ERROR' | 'INVALID_REQUEST';
  constructor(place: Place, error: ZodError, code: InvalidRequest['code'] = 'VALIDATION_ERROR') {
    super('The request does not fit its schema');
    this.place = place;
    this.issues = error.issues;
    this.code = code;
  }
}

const busy = 'The server is busy. Please try again in a moment.';
const broken = 'Something went wrong on the server. Nothing was changed. Please try again.';
/**
 * PostgreSQL's codes for a statement timeout, a lock timeout, a session idle in a transaction, a serialization failure
 * and a deadlock. The last two come here only after the retries.
 */
const busyCodes = new Set(['57014', '55P03', '25P03', '40001', '40P01']);

/** The trigger's error for a write that would change a locked day, which is its detail (migration 015). */
const periodLocked = 'PL001';

/** What waiting does not cure: PostgreSQL's codes for a full disk and for a database that takes no writes. */
const operatorProblems: Readonly<Record<string, string>> = {
  '53100': 'The disk of the database is full, so nothing was saved. Please tell the people who run the server.',
  '25006':
    'The database takes no changes at the moment, so nothing was saved. Please tell the people who run the server.',
};

/**
 * Turns anything that was thrown into the error answer of docs/specification.md §14.1. Only unexpected errors are
 * logged as errors.
 */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = describe(error);
  if (problem.code === 'INTERNAL_ERROR') request.log.error(loggable(error), 'request failed');
  else if (problem.code === 'SERVICE_UNAVAILABLE') request.log.warn(loggable(error), 'request not served');
  if (problem.retryAfterSeconds !== undefined) void reply.header('retry-after', String(problem.retryAfterSeconds));
  void reply
    .code(errorStatus[problem.code])
    .type('application/json; charset=utf-8')
    .send(errorBody(problem, request.id));
}

export function errorBody({ message, code, fields, data }: Problem, requestId: string): string {
  const body: ErrorBody = {
    success: false,
    message,
    code,
    ...(fields ? { fields } : {}),
    ...(data === undefined ? {} : { data }),
    requestId,
  };
  return JSON.stringify(body);
}

interface Problem {
  code: ErrorCode;
  message: string;
  fields?: Record<string, string> | undefined;
  data?: unknown;
  retryAfterSeconds?: number | undefined;
}

function describe(error: unknown): Problem {
  if (error instanceof Refusal) return { code: error.code, message: error.message, ...error.details };
  if (error instanceof InvalidRequest) return describeInvalid(error);
  if (error instanceof CommitUnknownError) {
    return {
      code: 'SERVICE_UNAVAILABLE',
      message:
        'The connection to the database was lost while saving. Check whether the change is there, then try again.',
      retryAfterSeconds: 2,
    };
  }
  const code = codeOf(error);
  if (code === periodLocked) return { code: 'PERIOD_LOCKED', message: lockedSentence(detailOf(error)) };
  const told = operatorProblems[code];
  if (told !== undefined) return { code: 'SERVICE_UNAVAILABLE', message: told, retryAfterSeconds: 10 };
  if (busyCodes.has(code) || isDatabaseAway(error)) {
    return { code: 'SERVICE_UNAVAILABLE', message: busy, retryAfterSeconds: 2 };
  }
  return describeFramework(code, error) ?? { code: 'INTERNAL_ERROR', message: broken };
}

export function describeInvalid({ place, issues, code }: InvalidRequest): Problem {
  const first = issues[0];
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown) {
    return {
      code: 'UNKNOWN_FIELD',
      message: `The field ${[...unknown.path, unknown.keys[0] ?? ''].join('.')} is not known.`,
    };
  }
  const fields: Record<string, string> = {};
  for (const issue of issues) fields[issue.path.join('.') || place] ??= issue.message;
  const path = first?.path.join('.') ?? '';
  // Other path parameters (a vehicle number) are ordinary values with their own messages.
  if (place === 'params' && path === 'id') {
    return { code: 'INVALID_ID', message: 'The id in the address is not valid.' };
  }
  const sentence =
    first && startsAsSentence(first.message)
      ? first.message
      : `${path || 'The request'} ${first?.message ?? 'is not valid'}`;
  const isPaging = place === 'query' && ['page', 'limit', 'pageSize'].includes(path);
  return { code: isPaging ? 'INVALID_PAGINATION' : code, message: sentence, fields };
}

/** Messages of the specification are sentences; those of the contract's scalars continue the field's name. */
function startsAsSentence(message: string): boolean {
  return /^[A-Z]/.test(message);
}

/** Fastify's own refusals, raised before a handler runs. */
function describeFramework(code: string, error: unknown): Problem | null {
  const status = (error as FastifyError | null)?.statusCode;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || status === 413) {
    return { code: 'PAYLOAD_TOO_LARGE', message: 'The request is too large.' };
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || status === 415) {
    return { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The request must be sent as application/json.' };
  }
  if (status === 429) {
    return { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please wait a moment.', retryAfterSeconds: 10 };
  }
  if (status === 503) return { code: 'SERVICE_UNAVAILABLE', message: busy, retryAfterSeconds: 2 };
  if (status !== undefined && status >= 400 && status < 500)
    return { code: 'INVALID_REQUEST', message: 'The request is not valid.' };
  return null;
}

function detailOf(error: unknown): string {
  return error instanceof Error && 'detail' in error && typeof error.detail === 'string' ? error.detail : '';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Returns what may be logged of an error: never PostgreSQL's detail or parameters, because they repeat the row. As a
 * second safeguard, PANs and long digit sequences in the message are masked (docs/security.md §8).
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { err: { name: 'NonError' } };
  const { constraint, table } = error as { constraint?: string; table?: string };
  return {
    err: {
      name: error.name,
      code: codeOf(error) || undefined,
      constraint,
      table,
      message: scrub(error.message),
      stack: error.stack ? scrub(error.stack.split('\n').slice(1, 8).join('\n')) : undefined,
      cause: error.cause instanceof Error ? scrub(error.cause.message) : undefined,
    },
  };
}

export function scrub(text: string): string {
  return text.replace(/\b[A-Z]{5}\d{4}[A-Z]\b/gi, '[pan]').replace(/\d{6,}/g, '[digits]');
}
