import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { splitQuery, typedTexts, withQuery } from '../../../shared/contract/typed-texts.ts';

interface Place {
  search: string;
  hash: string;
}

/** The values in an address. Those that a person typed are behind its `#`, where a browser sends them to nobody. */
export const queryOf = ({ search, hash }: Place): URLSearchParams =>
  new URLSearchParams([
    ...new URLSearchParams(search),
    ...[...new URLSearchParams(hash.slice(1))].filter(([name]) => typedTexts.has(name)),
  ]);

/** The address of a screen of this app with these values. */
export function addressOf(path: string, query: URLSearchParams | Record<string, string>): string {
  const { open, typed } = splitQuery(new URLSearchParams(query));
  return withQuery(withQuery(path, open), typed, '#');
}

/** How one value is read from and written to the URL. The fallback is never written. */
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

/** Router state for a link that opens a record on another screen: closing the record goes back to the first screen. */
export const fromElsewhere = { isFromElsewhere: true } as const;
export const isFromElsewhere = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isFromElsewhere' in state;

type Shape = Record<string, UrlValue<never>>;
type Values<S> = { [K in keyof S]: S[K] extends UrlValue<infer T> ? T : never };

/**
 * Keeps filters, sort, page, tab and open dialog in the URL (docs/specification.md §19.6), so that Back works and a link
 * opens the same view for a colleague. `shape` must be a constant outside the component. `set` pushes one history entry;
 * pass `{ replace: true }` for typing. Several calls in one event are combined.
 */
export function useUrlState<const S extends { [K in keyof S]: UrlValue<Values<S>[K]> }>(
  shape: S,
): [Values<S>, (patch: Partial<Values<S>>, options?: { replace?: boolean }) => void] {
  const navigate = useNavigate();
  const { search, hash, state } = useLocation();
  const values = useMemo(() => {
    const query = queryOf({ search, hash });
    const read: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(shape as unknown as Shape)) {
      const text = query.get(key);
      read[key] = (text === null ? undefined : item.parse(text)) ?? item.fallback;
    }
    // Safe: each key was read by its own UrlValue, which makes it a Values<S>.
    return read as Values<S>;
  }, [search, hash, shape]);

  const set = useCallback(
    (patch: Partial<Values<S>>, options?: { replace?: boolean }) => {
      // Read the current URL, not the one of the last render, so that two changes in one event both take effect.
      const next = queryOf(window.location);
      const before = next.toString();
      for (const [key, value] of Object.entries(patch)) {
        const item = (shape as unknown as Shape)[key];
        if (!item) continue;
        // Safe: `value` has the type of this key.
        const isDefault = value === undefined || value === item.fallback;
        const text = isDefault ? '' : item.write(value as never);
        if (text === '') next.delete(key);
        else next.set(key, text);
      }
      // Do not push the same URL again: Back would seem to do nothing.
      if (next.toString() === before) return;
      const isReplaced = options?.replace ?? false;
      // Replacing the URL keeps the router state: how the user came to this screen has not changed.
      const kept: unknown = isReplaced ? state : null;
      void navigate(addressOf(window.location.pathname, next), {
        replace: isReplaced,
        preventScrollReset: true,
        state: kept,
      });
    },
    [navigate, shape, state],
  );
  return [values, set];
}
