/**
 * An error that the operator can fix. Its message is one line that says what is wrong and what to do; it is printed
 * without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/**
 * Returns what to print when the program cannot go on: the line of an OperatorError, or the stack of an unexpected
 * error.
 */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Returns in one line why the system or the database refused; undefined for other errors, which are defects of the
 * program.
 */
export function reasonOf(error: unknown): string | undefined {
  // Node tries each address of a host name and throws an AggregateError without a message.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // These codes are Node's refusals of a wrong call, which is a defect of the program.
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
