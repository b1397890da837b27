import type { TenantDb } from '../db/tenant.ts';

/** What happens when two transactions want the same at once. */

/** Error codes of PostgreSQL (SQLSTATE). */
const uniqueViolation = '23505';
const serializationFailure = '40001';

/**
 * Waits for a write, and refuses it when one of these unique indexes already contains the value. The index decides and not
 * a check beforehand, because two writes may run at once.
 */
export async function refuseWhenTaken<T>(
  writing: Promise<T>,
  indexes: readonly string[],
  refusal: () => Error,
): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    // pg's DatabaseError has the SQLSTATE and the name of the index.
    const { code, constraint } = error instanceof Error ? (error as { code?: unknown; constraint?: string }) : {};
    throw code === uniqueViolation && indexes.includes(constraint ?? '') ? refusal() : error;
  }
}

/**
 * Wraps a write whose value was checked beforehand. When another transaction has taken the value since, this
 * transaction is retried like after any other conflict (db/tenant.ts), and its check then finds the other value.
 */
export async function retryWhenTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === uniqueViolation)) throw cause;
    throw conflictOfTwo('A value was taken meanwhile', cause);
  }
}

/**
 * Creates an error that makes the transaction retry, because another transaction changed something while this one ran.
 */
export const conflictOfTwo = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: serializationFailure });

/** The kinds of work of which a business does one at a time. */
type Work =
  | 'bank-answers'
  | 'carries'
  | 'copy-owners'
  | 'import'
  | 'live-reports'
  | 'period-lock'
  | 'statement-prints'
  | 'tally'
  | 'tds-deposits';

/** Waits until no other transaction of the business does this work. So this one sees what the other one did. */
export async function takeTurns(db: TenantDb, work: Work): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended($2::text || ':' || $1::text, 0))`, [db.tenantId, work]);
}
