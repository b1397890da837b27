import { isDay } from '../../../shared/calc/dates.ts';
import {
  filterNames,
  none,
  type FilterKind,
  type FilterName,
  type FilterOf,
  type FilterTable,
} from '../../../shared/filters/define.ts';
import { setTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { addressOf, url, type UrlValue } from './url-state.ts';

/** The values in the URL of a list. A value that cannot be read is ignored, instead of causing an error of the server. */

/** The page sizes to choose from, besides "Fit to window" (docs/specification.md §3.4). */
export const pageSizes: readonly number[] = [10, 20, 50, 100];
/** Stands for "Fit to window" in place of a number of rows. */
export const fitToWindow = 0;
export const leastRows = 10;
export const mostRows = 100;
export const pageSizeOf = (size: number): number => pageSizes.find((known) => known === size) ?? fitToWindow;
/**
 * The page size in the URL; 0 stands for the account's last choice. A number that is not among the choices comes from rows
 * that were fitted to a window.
 */
export const limitValue = (): UrlValue<number> => {
  const { parse, ...rest } = url.number(fitToWindow, leastRows);
  return { ...rest, parse: (text) => [parse(text)].find((size) => size !== undefined && size <= mostRows) };
};

/** A text value that is parsed by `read`. */
const value = (read: (text: string) => string | undefined): UrlValue<string> => ({
  fallback: '',
  parse: read,
  write: (text) => text,
});

const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const asId = (text: string): string | undefined => (idPattern.test(text) ? text : undefined);
const asAmount = (text: string): string | undefined => (/^-?\d{1,12}(\.\d{1,2})?$/.test(text) ? text : undefined);
const asDay = (text: string): string | undefined => (isDay(text) ? text : undefined);

export const idValue = (): UrlValue<string> => value(asId);

const filterValues: { readonly [Kind in FilterKind]: (filter: FilterOf<Kind>) => UrlValue<string> } = {
  contains: ({ least }) => value((text) => (text.trim().length >= least ? text.trim().slice(0, 200) : undefined)),
  exact: () => value((text) => text.trim().slice(0, 200) || undefined),
  choice: ({ words }) => url.oneOf(['', ...words], ''),
  oneOf: ({ words }) => url.oneOf(['', ...words], ''),
  id: idValue,
  idOrNone: () => value((text) => (text === none ? none : asId(text))),
  dayFrom: () => value(asDay),
  dayTo: () => value(asDay),
  dayOrNone: () => value((text) => (text === none ? none : asDay(text))),
  amountFrom: () => value(asAmount),
  amountTo: () => value(asAmount),
};

/** The filters of a list in its URL, with the same names as in the API. */
export function filterShape<T extends FilterTable>(table: T): { [N in keyof T]: UrlValue<FilterTexts<T>[N]> } {
  const shape = filterNames(table).map((name: FilterName<T>) => {
    const filter = table[name];
    // Safe: the function for a filter's kind takes that filter.
    const valueOf = filterValues[filter!.kind] as (filter: unknown) => UrlValue<string>;
    return [name, valueOf(filter)];
  });
  // Safe: each value reads what FilterTexts has for its kind.
  return Object.fromEntries(shape) as { [N in keyof T]: UrlValue<FilterTexts<T>[N]> };
}

/** The URL of a list with these filters. */
export function linkTo<T extends FilterTable>(path: string, table: T, texts: Partial<FilterTexts<T>>): string {
  // Safe: each of the values that are set is a text.
  return addressOf(path, setTexts(table, texts) as Record<string, string>);
}
