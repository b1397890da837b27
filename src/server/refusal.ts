import type { ErrorCode } from '../shared/contract/errors.ts';
import type { HistoryRecord } from '../shared/contract/history.ts';

interface RefusalDetails {
  /** Request field → its message, for form errors. */
  fields?: Record<string, string>;
  /** Data for the client: the current record of a conflict, the current count of a selection. */
  data?: unknown;
  retryAfterSeconds?: number;
}

/**
 * A request that is answered with an error on purpose: the transaction is rolled back and the person reads `message`,
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

/** One text for a missing, expired, revoked or deactivated session (docs/specification.md §14.4). */
export function noSession(): Refusal {
  return new Refusal('UNAUTHORIZED', 'Session expired or invalid token');
}

/**
 * The one answer for a record that does not exist and for another tenant's: byte for byte the same
 * (docs/specification.md §14.4).
 */
export function notFound(what: string): Refusal {
  return new Refusal('NOT_FOUND', `${what} not found`);
}

/** How a record is called in a sentence that begins with it: 'Petrol pump'. */
export const nounOf = (record: HistoryRecord): string =>
  record.charAt(0).toUpperCase() + record.slice(1).replace('-', ' ');

/** A foreign or unknown id in a body (docs/specification.md §14.4): the answer does not say which. */
export function invalidReference(field: string, what: string): Refusal {
  const message = `The selected ${what} does not exist. Please choose another one.`;
  return new Refusal('INVALID_REFERENCE', message, { fields: { [field]: message } });
}

/** Another change came first; `current` is the record as it is now, as the API sends it. */
export function versionConflict(what: string, current: unknown): Refusal {
  return new Refusal(
    'VERSION_CONFLICT',
    `This ${what} was changed by someone else meanwhile. Review the current values and save again.`,
    { data: current },
  );
}
