import { useCallback, useEffect, useState } from 'react';
import { errorText } from '../../api/api-error.ts';

/** Part 1 §9. */
const errorClearMs = 5_000;

/** The tags page says its errors on the page itself, and takes each away after 5 seconds (part 1 §4). */
export function usePageError() {
  const [error, setError] = useState<{ text: string }>();
  useEffect(() => {
    if (!error) return undefined;
    const timer = setTimeout(() => setError(undefined), errorClearMs);
    return () => clearTimeout(timer);
  }, [error]);
  return {
    text: error?.text,
    tell: useCallback((problem: unknown, fallback: string) => {
      setError({ text: typeof problem === 'string' ? problem : errorText(problem, fallback) });
    }, []),
    clear: useCallback(() => setError(undefined), []),
  };
}
