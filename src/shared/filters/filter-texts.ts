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

/** The filters of a list as an address and its fields have them: text, '' for one that is not set. */
export type FilterTexts<T extends FilterTable> = {
  [N in keyof T]: T[N] extends ChoiceFilter<infer On, infer Off>
    ? '' | On | Off
    : T[N] extends OneOfFilter<infer Word>
      ? '' | Word
      : string;
};

/** No filter is set. */
export function noFilters<T extends FilterTable>(table: T): FilterTexts<T> {
  // '' is a value of every filter's text.
  return Object.fromEntries(filterNames(table).map((name) => [name, ''])) as FilterTexts<T>;
}

/** Only what is set, as a link and a query have it, so that one filter is one address. */
export function setTexts<T extends FilterTable>(table: T, texts: Partial<FilterTexts<T>>): Partial<FilterTexts<T>> {
  const set = Object.entries(texts).filter(([name, text]) => name in table && text !== '' && text !== undefined);
  // Each text came in under its own name.
  return Object.fromEntries(set) as Partial<FilterTexts<T>>;
}

/** The same as a body has it, where a choice is a boolean. */
export function filterOfTexts<T extends FilterTable>(table: T, texts: FilterTexts<T>): FilterOfList<T> {
  const set = Object.entries<string | undefined>(setTexts(table, texts)).map(([name, text]) => {
    const filter: Filter | undefined = table[name];
    return [name, filter?.kind === 'choice' ? text === filter.words[0] : text];
  });
  // A choice is a boolean; all others are text in the API too.
  return Object.fromEntries(set) as FilterOfList<T>;
}

/** A filter as the API has it → texts. */
export function textsOfFilter<T extends FilterTable>(
  table: T,
  values: { readonly [N in keyof T]?: FilterValues[T[N]['kind']] | null | undefined },
): FilterTexts<T> {
  const texts = filterNames(table).map((name: FilterName<T>) => {
    const filter: Filter | undefined = table[name];
    const value = values[name] ?? '';
    return [name, filter?.kind === 'choice' && value !== '' ? filter.words[value ? 0 : 1] : value];
  });
  // As above.
  return Object.fromEntries(texts) as FilterTexts<T>;
}
