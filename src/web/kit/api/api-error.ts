import type { ErrorCode } from '../../../shared/contract/errors.ts';

/** Why a call failed: a code of the contract, or that no proper answer of the server arrived. */
type FailureCode = ErrorCode | 'NETWORK' | 'TIMEOUT' | 'UNREADABLE';

const anErrorOccurred = 'An error occurred';
export const networkError = 'Network Error';
export const timeoutError = (ms: number): string => `timeout of ${ms} ms exceeded`;

interface ApiErrorParts {
  status: number;
  code: FailureCode;
  /** The message of the server or of the network layer; absent if neither gave a readable one. */
  text?: string | undefined;
  fields?: Record<string, string> | undefined;
  data?: unknown;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The error of a failed call. `message` follows the rule for error texts (docs/specification.md §15.1). */
export class ApiError extends Error {
  /** The HTTP status; 0 if no answer arrived. */
  readonly status: number;
  readonly code: FailureCode;
  readonly text: string | undefined;
  /** The messages of invalid fields, by the field's name in the request. */
  readonly fields: Record<string, string>;
  /** The stored record for a conflict, or the present totals for SELECTION_CHANGED. */
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

/** The message in an error body: 'error: message' if it has both fields, else the one it has (docs/specification.md §15.1). */
export function serverText(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const error = 'error' in body ? asText(body.error) : undefined;
  const message = 'message' in body ? asText(body.message) : undefined;
  return error && message ? `${error}: ${message}` : (error ?? message);
}

/** The message to show for a failure. `fallback` is the default message of the screen. */
export function errorText(error: unknown, fallback: string = anErrorOccurred): string {
  if (error instanceof ApiError) return error.text ?? fallback;
  return fallback;
}

/** The id of the failed request, if an answer arrived. */
export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.requestId : undefined;

/** The same error without its message, because that is shown elsewhere; the screen then shows its default message. */
export const withoutText = (error: ApiError): ApiError => new ApiError({ ...error, text: undefined });

export const isApiError = (error: unknown, code?: FailureCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);
