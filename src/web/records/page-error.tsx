import { useCallback, useEffect, useState } from 'react';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { RequestId } from '../ui/request-id.tsx';

/** docs/specification.md §7.2 */
const errorClearMs = 5_000;

/** For a screen that shows its errors on the page itself, and takes each away after a moment. */
export function usePageError(onClose: () => void) {
  const [error, setError] = useState<{ text: string; requestId: string | undefined }>();
  useEffect(() => {
    if (!error) return undefined;
    const timer = setTimeout(() => setError(undefined), errorClearMs);
    return () => clearTimeout(timer);
  }, [error]);
  return {
    tell: useCallback((problem: unknown, fallback = '') => {
      setError({
        text: typeof problem === 'string' ? problem : errorText(problem, fallback),
        requestId: requestIdOf(problem),
      });
    }, []),
    notice: error && (
      <Alert
        title={error.text}
        onClose={() => {
          setError(undefined);
          // The button that had the focus goes with the alert.
          onClose();
        }}
      >
        <RequestId id={error.requestId} />
      </Alert>
    ),
  };
}
