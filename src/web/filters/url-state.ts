import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** How one value is read from and written to the address; the default is never written. */
export interface UrlValue<T> {
  fallback: T;
  parse: (text: string) => T | undefined;
  write: (value: T) => string;
}

export const url = {
  text: (fallback = ''): UrlValue<string> => ({ fallback, parse: (text) => text, write: (value) => value }),
  number: (fallback: number, least = 1): UrlValue<number> => ({
    fallback,
    parse: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
    write: String,
  }),
  oneOf: <const T extends string | number>(values: readonly T[], fallback: NoInfer<T>): UrlValue<T> => ({
    fallback,
    parse: (text) => values.find((value) => String(value) === text),
    write: String,
  }),
  day: (): UrlValue<string> => ({
    fallback: '',
    parse: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined),
    write: (value) => value,
  }),
};

/** With the address that opens a record of another screen: closing it goes back to where that was asked for. */
export const fromElsewhere = { isFromElsewhere: true } as const;
export const isFromElsewhere = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isFromElsewhere' in state;

type Shape = Record<string, UrlValue<never>>;
type Values<S> = { [K in keyof S]: S[K] extends UrlValue<infer T> ? T : never };

/**
 * Filters, sort, page, tab and open dialog live in the address (docs/specification.md §19.6): Back works, and a link
 * opens the same for a colleague. `shape` must be a constant outside the component. `set` pushes one history entry; `{
 * replace: true }` for typing. Several calls in one event add up.
 */
export function useUrlState<const S extends { [K in keyof S]: UrlValue<Values<S>[K]> }>(
  shape: S,
): [Values<S>, (patch: Partial<Values<S>>, options?: { replace?: boolean }) => void] {
  const [search, setSearch] = useSearchParams();
  // Kept when the address is replaced: how the user came to this screen has not changed.
  const state: unknown = useLocation().state;
  const values = useMemo(() => {
    const read: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(shape as unknown as Shape)) {
      const text = search.get(key);
      read[key] = (text === null ? undefined : item.parse(text)) ?? item.fallback;
    }
    // Each key was read by its own UrlValue: exactly Values<S>.
    return read as Values<S>;
  }, [search, shape]);

  const set = useCallback(
    (patch: Partial<Values<S>>, options?: { replace?: boolean }) => {
      // The live address, not the one of the last render: two changes in one event must both last.
      const next = new URLSearchParams(window.location.search);
      const before = next.toString();
      for (const [key, value] of Object.entries(patch)) {
        const item = (shape as unknown as Shape)[key];
        if (!item) continue;
        // Safe: `value` came in as this key's own type.
        const isDefault = value === undefined || value === item.fallback;
        const text = isDefault ? '' : item.write(value as never);
        if (text === '') next.delete(key);
        else next.set(key, text);
      }
      // The same address again is no step of the history: Back would seem to do nothing.
      if (next.toString() === before) return;
      const isReplaced = options?.replace ?? false;
      setSearch(next, { replace: isReplaced, preventScrollReset: true, ...(isReplaced && { state }) });
    },
    [setSearch, shape, state],
  );
  return [values, set];
}
