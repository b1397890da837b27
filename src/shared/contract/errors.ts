/**
 * Every error code of the API with its HTTP status (docs/specification.md §14.4). In an error, programs read the `code`
 * and people read the `message`, which is one sentence.
 */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  UNKNOWN_FIELD: 400,
  INVALID_JSON: 400,
  INVALID_PAGINATION: 400,
  INVALID_ID: 400,
  INVALID_REFERENCE: 400,
  INVALID_REQUEST: 400,
  AMOUNT_MISMATCH: 400,
  ROWS_REFUSED: 400,
  NO_MATCHING_CHALLANS: 400,
  WRONG_PASSWORD: 400,
  WRONG_CODE: 400,
  INVALID_FILE: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  SECOND_STEP_WANTED: 401,
  FORBIDDEN: 403,
  CONFIRMATION_WANTED: 403,
  SECOND_STEP_MISSING: 403,
  NOT_FOUND: 404,
  NO_DATA_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  VERSION_CONFLICT: 409,
  EMAIL_IN_USE: 409,
  SECOND_STEP_ON: 409,
  OWNER_IN_USE: 409,
  TRUCK_EXISTS: 409,
  TAG_IN_USE: 409,
  TAG_EXISTS: 409,
  DECLARATION_EXISTS: 409,
  DECLARATION_IN_USE: 409,
  DEPOSIT_EXISTS: 409,
  CHALLAN_PAID: 409,
  PERIOD_LOCKED: 409,
  ON_HOLD: 409,
  NO_PETROL_PUMP: 409,
  HSD_CHANGED: 409,
  COPY_LIMIT: 409,
  SELECTION_CHANGED: 409,
  IMPORT_CHANGED: 409,
  ALREADY_REVERSED: 409,
  LINE_AT_BANK: 409,
  CARRIED: 409,
  LAYOUT_EXISTS: 409,
  LAYOUT_IN_USE: 409,
  LINE_ANSWERED: 409,
  ALREADY_UNDONE: 409,
  ALREADY_DECIDED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every error. `fields` gives a message for each wrong field; some codes have `data` (error-data.ts). */
export interface ErrorBody {
  success: false;
  message: string;
  error?: string;
  code: ErrorCode;
  fields?: Record<string, string>;
  data?: unknown;
  requestId: string;
}
