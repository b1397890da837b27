import { useEffect, useState } from 'react';

/** What a picker searches for. The caller queries the server, because this folder does not know the API. */
export interface PickerQuery {
  /** '' below two characters. */
  search: string;
  /** true while the list is open or an answer is awaited. An inactive picker sends no request. */
  isActive: boolean;
}
export const inactiveQuery: PickerQuery = { search: '', isActive: false };

/** The answer to a PickerQuery. */
export interface PickerItems<T> {
  /** The query that these items answer, so that the picker can tell an old answer from the current one. */
  search: string;
  isActive: boolean;
  items: readonly T[];
  isLoading: boolean;
  /** The error message, if the search failed. */
  error?: string | undefined;
  /** The id of the failed request. */
  requestId?: string | undefined;
  /** The number of all matches, if the list holds only the first of them. */
  total?: number | undefined;
}

/** Below two characters there is no search, and the first ten items are shown (docs/specification.md §3.2). */
const pickerMinimum = 2;
export const pickerFirst = 10;

export const searchOf = (typed: string): string => {
  const text = typed.trim();
  return text.length < pickerMinimum ? '' : text;
};

/** Debounces the search text. `flush` applies it at once. */
export function useDebounced(text: string, delayMs: number): [settled: string, flush: () => void] {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (settled === text) return undefined;
    // Clearing needs no debounce: the first ten items are already cached.
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : delayMs);
    return () => clearTimeout(timer);
  }, [text, settled, delayMs]);
  return [settled, () => setSettled(text)];
}

/**
 * The rows to show. Without a search these are the first ten and always the selected one, even if it is not among them
 * (docs/specification.md §3.2). With a search they are its results.
 */
export function offeredItems<T>(
  items: readonly T[],
  search: string,
  selected: T | null,
  keyOf: (item: T) => string,
): T[] {
  if (search !== '') return [...items];
  const first = items.slice(0, pickerFirst);
  if (!selected || first.some((item) => keyOf(item) === keyOf(selected))) return first;
  return [selected, ...first.slice(0, pickerFirst - 1)];
}

/** The text that screen readers announce after each search. */
export function resultText(count: number, total: number | undefined, isLoading: boolean, error?: string): string {
  if (error) return error;
  if (isLoading) return 'Searching…';
  if (count === 0) return 'No match';
  const more = total !== undefined && total > count ? ` of ${total}` : '';
  return `${count}${more} ${count === 1 && !more ? 'result' : 'results'}`;
}
