/**
 * Whether a statement failed because a unique index already holds the value. The index decides, not a check beforehand,
 * because two writes may run at once. The transaction has failed then, and the caller refuses.
 */
export function isTaken(error: unknown, index: string): boolean {
  // pg's DatabaseError has the SQLSTATE and the name of the index.
  const { code, constraint } = error instanceof Error ? (error as { code?: unknown; constraint?: unknown }) : {};
  return code === '23505' && constraint === index;
}
