import { DatabaseError } from 'pg';

/**
 * Whether a statement failed because a unique index already holds the value. The index decides, not a look beforehand:
 * of two who write at once, one gets here. The transaction is over then, and the caller refuses.
 */
export function isTaken(error: unknown, index: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === index;
}
