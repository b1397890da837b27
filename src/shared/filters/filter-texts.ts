import {
  filterNames,
  type ChoiceFilter,
  type OneOfFilter,
  type Filter,
  type FilterName,
  type FilterOfList,
  type FilterTable,
  type FilterValues,
} from './define.ts';

/** The filters of a list as the URL and the fields hold them: each is a text, '' where it is not set. */
export type FilterTexts<T extends FilterTable> = {
  [N in keyof T]: T[N] extends ChoiceFilter<infer On, infer Off>
    ? '' | On | Off
    : T[N] extends OneOfFilter<infer Word>
      ? '' | Word
      : string;
};

/** The texts of a list's filters when none is set. */
export function noFilters<T extends FilterTable>(table: T): FilterTexts<T> {
  // Safe: '' is a possible text of every filter.
  return Object.fromEntries(filterNames(table).map((name) => [name, ''])) as FilterTexts<T>;
}

/** Only the filters that are set, for links and queries, so that equal filters always have the same URL. */
export function setTexts<T extends FilterTable>(table: T, texts: Partial<FilterTexts<T>>): Partial<FilterTexts<T>> {
  const set = Object.entries(texts).filter(([name, text]) => name in table && text !== '' && text !== undefined);
  // Safe: each text keeps its name.
  return Object.fromEntries(set) as Partial<FilterTexts<T>>;
}

/** The filters that are set as a body has them, where a choice is a boolean. */
export function filterOfTexts<T extends FilterTable>(table: T, texts: FilterTexts<T>): FilterOfList<T> {
  const set = Object.entries<string | undefined>(setTexts(table, texts)).map(([name, text]) => {
    const filter: Filter | undefined = table[name];
    return [name, filter?.kind === 'choice' ? text === filter.words[0] : text];
  });
  // Safe: only a choice is a boolean; all other filters are texts in the API too.
  return Object.fromEntries(set) as FilterOfList<T>;
}

/** The texts of filters that the API gave. */
export function textsOfFilter<T extends FilterTable>(
  table: T,
  values: { readonly [N in keyof T]?: FilterValues[T[N]['kind']] | null | undefined },
): FilterTexts<T> {
  const texts = filterNames(table).map((name: FilterName<T>) => {
    const filter: Filter | undefined = table[name];
    const value = values[name] ?? '';
    return [name, filter?.kind === 'choice' && value !== '' ? filter.words[value ? 0 : 1] : value];
  });
  // Safe: only a choice is a boolean; all other filters are texts in the API too.
  return Object.fromEntries(texts) as FilterTexts<T>;
}
