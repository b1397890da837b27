import type { ErrorCode } from '../../shared/contract/errors.ts';

/** Why no answer of ours came: the transport, or a code of the contract. */
type FailureCode = ErrorCode | 'NETWORK' | 'TIMEOUT' | 'UNREADABLE';

const anErrorOccurred = 'An error occurred';
export const networkError = 'Network Error';
export const timeoutError = (ms: number): string => `timeout of ${ms} ms exceeded`;

interface ApiErrorParts {
  status: number;
  code: FailureCode;
  /** The sentence of the server or of the transport; absent when neither said anything a person can read. */
  text?: string | undefined;
  fields?: Record<string, string> | undefined;
  data?: unknown;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** Every failed call. `message` follows the rule for error texts (docs/specification.md §15.1). */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: FailureCode;
  readonly text: string | undefined;
  /** Request field → its message, for form errors. */
  readonly fields: Record<string, string>;
  /** The current record of a conflict, or the real totals of SELECTION_CHANGED. */
  readonly data: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(parts: ApiErrorParts) {
    super(parts.text ?? anErrorOccurred);
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.text = parts.text;
    this.fields = parts.fields ?? {};
    this.data = parts.data;
    this.requestId = parts.requestId;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** docs/specification.md §15.1: both fields give 'error: message', otherwise whichever exists. Only strings are shown. */
export function serverText(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const error = 'error' in body ? asText(body.error) : undefined;
  const message = 'message' in body ? asText(body.message) : undefined;
  return error && message ? `${error}: ${message}` : (error ?? message);
}

/** The sentence to show for a failure; `fallback` is the screen's own default of the error catalogue. */
export function errorText(error: unknown, fallback: string = anErrorOccurred): string {
  if (error instanceof ApiError) return error.text ?? fallback;
  return fallback;
}

/** The number of the failed request, where an answer came. */
export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.requestId : undefined;

/** The same failure without its sentence, where that is shown elsewhere: the screen's own default is left. */
export const withoutText = (error: ApiError): ApiError => new ApiError({ ...error, text: undefined });

export const isApiError = (error: unknown, code?: FailureCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);
