/** SQLSTATEs. */
const uniqueViolation = '23505';
const serializationFailure = '40001';

/**
 * Whether a statement failed because a unique index already holds the value. The index decides, not a check beforehand,
 * because two writes may run at once. The transaction has failed then, and the caller refuses.
 */
export function isTaken(error: unknown, index: string): boolean {
  // pg's DatabaseError has the SQLSTATE and the name of the index.
  const { code, constraint } = error instanceof Error ? (error as { code?: unknown; constraint?: unknown }) : {};
  return code === uniqueViolation && constraint === index;
}

/**
 * For a write whose value was checked beforehand: when another transaction has taken it since, this one is run again, as
 * after any other conflict of two (db/tenant.ts), and its check finds the other one.
 */
export async function againWhenTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === uniqueViolation)) throw cause;
    throw conflictOfTwo('A value was taken meanwhile', cause);
  }
}

/** What another transaction changed while this one ran: thrown, this one is run again. */
export const conflictOfTwo = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: serializationFailure });
