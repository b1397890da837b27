/**
 * Whether a statement failed because a unique index already holds the value. The index decides, not a look beforehand:
 * of two who write at once, one gets here. The transaction is over then, and the caller refuses.
 */
export function isTaken(error: unknown, index: string): boolean {
  // How pg's DatabaseError tells it: SQLSTATE and the index by name.
  const { code, constraint } = error instanceof Error ? (error as { code?: unknown; constraint?: unknown }) : {};
  return code === '23505' && constraint === index;
}
