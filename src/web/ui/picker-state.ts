import { useEffect, useState } from 'react';

/** What a picker searches for: the caller asks its server, as this folder knows none. */
export interface PickerAsk {
  /** '' below two characters. */
  search: string;
  /** Only while the list is open: a closed picker asks nothing. */
  isActive: boolean;
}
export const askNothing: PickerAsk = { search: '', isActive: false };

/** The answer to a PickerAsk. */
export interface PickerItems<T> {
  /** What these items are for, as it was asked: what is not being asked for has no answer yet. */
  search: string;
  isActive: boolean;
  items: readonly T[];
  isLoading: boolean;
  /** A sentence when the search failed. */
  error?: string | undefined;
  /** The number of the search that failed. */
  requestId?: string | undefined;
  /** All that match, where the list holds only the first of them. */
  total?: number | undefined;
}

/** docs/specification.md §3.2: below two characters the first ten, no search. */
const pickerMinimum = 2;
export const pickerFirst = 10;

export const searchOf = (typed: string): string => {
  const text = typed.trim();
  return text.length < pickerMinimum ? '' : text;
};

/** The search text once typing has paused; `flush` takes it at once. */
export function useDebounced(text: string, delayMs: number): [settled: string, flush: () => void] {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (settled === text) return undefined;
    // Clearing needs no pause: the first ten are there already.
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : delayMs);
    return () => clearTimeout(timer);
  }, [text, settled, delayMs]);
  return [settled, () => setSettled(text)];
}

/**
 * The rows to offer. Without a search the first ten, and always the selected one, also when it is not among them
 * (docs/specification.md §3.2); with a search what the search gave.
 */
export function offered<T>(items: readonly T[], search: string, selected: T | null, keyOf: (item: T) => string): T[] {
  if (search !== '') return [...items];
  const first = items.slice(0, pickerFirst);
  if (!selected || first.some((item) => keyOf(item) === keyOf(selected))) return first;
  return [selected, ...first.slice(0, pickerFirst - 1)];
}

/** Read out politely after each search. */
export function resultText(count: number, total: number | undefined, isLoading: boolean, error?: string): string {
  if (error) return error;
  if (isLoading) return 'Searching…';
  if (count === 0) return 'No match';
  const more = total !== undefined && total > count ? ` of ${total}` : '';
  return `${count}${more} ${count === 1 && !more ? 'result' : 'results'}`;
}
