/**
 * Filters of a list as data. Schemas (contract/filters.ts), SQL conditions (server/queries), values of the address and
 * fields (web/filters) follow from the kind of a filter, each by a map that is total: a new kind does not compile until
 * all of them know it.
 */

/** The value of a filter of each kind when it is set, as API and server have it. */
export interface FilterValues {
  /** Part of a text, in any case. */
  contains: string;
  /** A yes or no. */
  choice: boolean;
  /** One of a few words. */
  oneOf: string;
  /** The id of a record. */
  id: string;
  /** The id of a record, or `none`. */
  idOrNone: string;
  /** The first day of a range. */
  dayFrom: string;
  /** The last day of a range. */
  dayTo: string;
  /** One day, or `none`. */
  dayOrNone: string;
  /** The lowest amount of a range, a decimal that may be negative. */
  amountFrom: string;
  /** The highest amount of a range. */
  amountTo: string;
}
export type FilterKind = keyof FilterValues;

/** The value of a filter that means "without a record" or "without a day". */
export const none = 'none';

/** The records whose ids a filter holds; screens show their names. */
export type NamedRecords = 'owners' | 'tags' | 'petrolPumps' | 'bankAccounts';

interface Named {
  label: string;
  /** Its field is behind "More filters". */
  isRare?: true;
}
export interface ContainsFilter extends Named {
  kind: 'contains';
  /** A search starts at this many letters. */
  least: number;
  /** Where it looks, when the label would be too long for a field; said while the field is entered and empty. */
  hint?: string;
}
export interface ChoiceFilter<On extends string = string, Off extends string = string> extends Named {
  kind: 'choice';
  /** [yes, no] in an address. */
  words: readonly [On, Off];
  /** The same for people. */
  labels: readonly [string, string];
}
export interface OneOfFilter<Word extends string = string> extends Named {
  kind: 'oneOf';
  /** In an address and in the API. */
  words: readonly Word[];
  /** The same for people. */
  labels: readonly string[];
  /** What no word means, where that is not everything. */
  unset?: string;
}
export interface IdFilter extends Named {
  kind: 'id';
  records: NamedRecords;
}
export interface IdOrNoneFilter extends Named {
  kind: 'idOrNone';
  records: NamedRecords;
  /** 'Without a tag' */
  none: string;
}
/** Two filters with the same label are the two ends of one range. */
export interface DayFromFilter extends Named {
  kind: 'dayFrom';
}
export interface DayToFilter extends Named {
  kind: 'dayTo';
}
export interface DayOrNoneFilter extends Named {
  kind: 'dayOrNone';
  /** 'Not deposited' */
  none: string;
}
export interface AmountFromFilter extends Named {
  kind: 'amountFrom';
}
export interface AmountToFilter extends Named {
  kind: 'amountTo';
}

export type Filter =
  | ContainsFilter
  | ChoiceFilter
  | OneOfFilter
  | IdFilter
  | IdOrNoneFilter
  | DayFromFilter
  | DayToFilter
  | DayOrNoneFilter
  | AmountFromFilter
  | AmountToFilter;
export type FilterOf<Kind extends FilterKind> = Extract<Filter, { kind: Kind }>;

/** The filters of a list by their name in the API and in the address, in the order in which they are shown. */
export type FilterTable = Readonly<Record<string, Filter>>;
export type FilterName<T extends FilterTable> = keyof T & string;

/** A filter of a list as API and server have it: what is not set is absent. */
export type FilterOfList<T extends FilterTable> = { [N in keyof T]?: FilterValues[T[N]['kind']] | undefined };

export const contains = (label: string, least = 1, hint?: string): ContainsFilter => ({
  kind: 'contains',
  label,
  least,
  ...(hint !== undefined && { hint }),
});
export const choice = <const On extends string, const Off extends string>(
  label: string,
  words: readonly [On, Off],
  labels: readonly [string, string],
): ChoiceFilter<On, Off> => ({ kind: 'choice', label, words, labels });
export const oneOf = <const Word extends string>(
  label: string,
  labels: Readonly<Record<Word, string>>,
  unset?: string,
): OneOfFilter<Word> => ({
  kind: 'oneOf',
  label,
  // Object.keys widens to string; the words are its keys.
  words: Object.keys(labels) as Word[],
  labels: Object.values(labels),
  ...(unset !== undefined && { unset }),
});
export const idOf = (label: string, records: NamedRecords): IdFilter => ({ kind: 'id', label, records });
export const idOrNone = (label: string, records: NamedRecords, without: string): IdOrNoneFilter => ({
  kind: 'idOrNone',
  label,
  records,
  none: without,
});
export const dayFrom = (label: string): DayFromFilter => ({ kind: 'dayFrom', label });
export const dayTo = (label: string): DayToFilter => ({ kind: 'dayTo', label });
export const dayOrNone = (label: string, without: string): DayOrNoneFilter => ({
  kind: 'dayOrNone',
  label,
  none: without,
});
export const amountFrom = (label: string): AmountFromFilter => ({ kind: 'amountFrom', label });
export const amountTo = (label: string): AmountToFilter => ({ kind: 'amountTo', label });
export const rare = <F extends Filter>(filter: F): F => ({ ...filter, isRare: true });

// Object.keys widens to string; a table has no other keys.
export const filterNames = <T extends FilterTable>(table: T): FilterName<T>[] => Object.keys(table) as FilterName<T>[];

/** Some filters of a table, in the order given. */
export function pickFilters<T extends FilterTable, const N extends FilterName<T>>(
  table: T,
  ...names: readonly N[]
): Pick<T, N> {
  // Exactly the names of Pick<T, N>.
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, N>;
}

/** All filters of a table but these. */
export function omitFilters<T extends FilterTable, const N extends FilterName<T>>(
  table: T,
  ...names: readonly N[]
): Omit<T, N> {
  const left = Object.entries(table).filter(([name]) => !names.some((item) => item === name));
  // Exactly the names of Omit<T, N>.
  return Object.fromEntries(left) as Omit<T, N>;
}

const lastOf: Readonly<Partial<Record<FilterKind, FilterKind>>> = { dayFrom: 'dayTo', amountFrom: 'amountTo' };

/** The two ends of each range, of days or of amounts. */
export function rangesOf<T extends FilterTable>(
  table: T,
): { from: FilterName<T>; to: FilterName<T>; of: 'days' | 'amounts' }[] {
  return filterNames(table).flatMap((from) => {
    const first = table[from];
    const kind = first && lastOf[first.kind];
    const to = filterNames(table).find((name) => table[name]?.kind === kind && table[name]?.label === first?.label);
    return kind === undefined || to === undefined ? [] : [{ from, to, of: kind === 'dayTo' ? 'days' : 'amounts' }];
  });
}

/** The filters of a list that are set, of an object that may hold other things as well. */
export function setFilters<T extends FilterTable>(
  table: T,
  given: { readonly [N in keyof T]?: FilterValues[T[N]['kind']] | null | undefined },
): FilterOfList<T> {
  const set = filterNames(table).flatMap((name) =>
    (given[name] ?? undefined) === undefined ? [] : [[name, given[name]]],
  );
  // Each value came in under its own name.
  return Object.fromEntries(set) as FilterOfList<T>;
}

/** The filters of a list, null where one is not set. */
export function orNull<T extends FilterTable>(
  table: T,
  filter: FilterOfList<T>,
): { [N in keyof T]: FilterValues[T[N]['kind']] | null } {
  const all = filterNames(table).map((name) => [name, filter[name] ?? null]);
  // Each value came in under its own name.
  return Object.fromEntries(all) as { [N in keyof T]: FilterValues[T[N]['kind']] | null };
}
