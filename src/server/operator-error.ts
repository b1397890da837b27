/** An error that the operator can fix: one line with what is wrong and what to do, printed without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** What to print when the program cannot go on: that line, or the stack of an unexpected error. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Why the system or the database refused, in one line; undefined for other errors, which are defects of the program. */
export function reasonOf(error: unknown): string | undefined {
  // Node tries each address of a name; its own error has no message.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // Node's own refusals of a wrong call.
  if (error.code.startsWith('ERR_')) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : '';
  const inWords = systemReasons[error.code]?.(path || 'a file');
  return inWords ?? error.message.split('\n')[0];
}

const systemReasons: Record<string, (path: string) => string> = {
  ENOSPC: () => 'the disk is full',
  EDQUOT: () => 'the quota of this user on the disk is used up',
  EROFS: () => 'the disk is read-only',
  EACCES: (path) => `this user has no access to ${path}`,
  EPERM: (path) => `this user may not change ${path}`,
  ENOTDIR: (path) => `${path} leads through a file that is not a directory`,
  EIO: (path) => `the disk reports an error at ${path}`,
};
