import type { ErrorCode } from '../shared/contract/errors.ts';
import type { HistoryRecord } from '../shared/contract/history.ts';

interface RefusalDetails {
  /** Request field → its message, for form errors. */
  fields?: Record<string, string>;
  /** Data for the client: the current record of a conflict, the current count of a selection. */
  data?: object;
  retryAfterSeconds?: number;
}

/**
 * A request that is answered with an error on purpose. The transaction is rolled back, and the user reads `message`:
 * one sentence that says what to do. The HTTP status follows from the code (shared/contract/errors.ts).
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, message: string, details: RefusalDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * The refusal of a missing, expired, revoked or deactivated session. All of them get the same text
 * (docs/specification.md §14.4).
 */
export function noSession(): Refusal {
  return new Refusal('UNAUTHORIZED', 'Session expired or invalid token');
}

/**
 * The refusal for a record that does not exist and for one of another tenant. Both answers are the same byte for byte
 * (docs/specification.md §14.4).
 */
export function notFound(what: string): Refusal {
  return new Refusal('NOT_FOUND', `${what} not found`);
}

/** Returns the noun of a record inside a sentence: 'petrol pump'. */
export const wordsOf = (record: HistoryRecord): string => record.replace('-', ' ').replace(/^tds/, 'TDS');
/** Returns the noun of a record as the first word of a sentence: 'Petrol pump'. */
export const nounOf = (record: HistoryRecord): string =>
  wordsOf(record).charAt(0).toUpperCase() + wordsOf(record).slice(1);

/**
 * The refusal of an unknown id in a body, or of another tenant's (docs/specification.md §14.4). The answer does not say
 * which of the two it is.
 */
export function invalidReference(field: string, what: string): Refusal {
  return fieldRefusal('INVALID_REFERENCE', field, `The selected ${what} does not exist. Please choose another one.`);
}

/** The refusal of one field of a request, which shows the message too. */
export const fieldRefusal = (code: ErrorCode, field: string, message: string): Refusal =>
  new Refusal(code, message, { fields: { [field]: message } });

/** The refusal of a stale save. `current` is the record as it is now, in the form of the API. */
export function versionConflict(what: string, current: object): Refusal {
  return new Refusal(
    'VERSION_CONFLICT',
    `This ${what} was changed by someone else meanwhile. Review the current values and save again.`,
    { data: current },
  );
}
