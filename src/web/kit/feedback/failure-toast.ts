import { useEffect } from 'react';
import { errorText, isApiError } from '../api/api-error.ts';
import { notify } from './toast.ts';

// The toast needs no request id, because the screen shows it with the error in its place.
const showToast = (error: unknown, fallback: string): void => notify.error(errorText(error, fallback));

/** Shows each failed load as a toast too (docs/specification.md §3.8). `fallback` is the screen's message in the error catalogue. */
export function useFailureToast(error: unknown, fallback: string, report = showToast): void {
  useEffect(() => {
    if (error && !isApiError(error, 'UNAUTHORIZED')) report(error, fallback);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per failure, not per render
  }, [error]);
}
