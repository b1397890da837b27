import { isApiError, networkError } from '../../api/api-error.ts';

/** The default when the server says nothing (docs/specification.md §15.4). */
export const reportFailed = 'Failed to generate CSV report';
const reportFailedAgain = 'Failed to generate CSV report. Please try again.';

/** docs/specification.md §9.4: this very host over https, and nothing that only looks like it. */
export function isWhatsappUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return protocol === 'https:' && host === 'wa.me' && username === '' && password === '';
}

/**
 * docs/specification.md §15.4 in its order: the two codes, then the server's own sentence, then the default. A server
 * that said nothing has failed; where none answered, trying again may help.
 */
export function shareFailure(error: unknown): string {
  if (!isApiError(error)) return reportFailedAgain;
  if (error.code === 'NO_DATA_FOUND') return 'No challans found for the specified criteria';
  if (error.code === 'INVALID_REQUEST') return error.text ?? 'Invalid request data';
  if (error.status === 0 || error.text === networkError) return reportFailedAgain;
  return error.text ?? reportFailed;
}
