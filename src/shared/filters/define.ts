/**
 * The filters of lists as data. The kind of a filter determines its schemas (contract/filters.ts), its SQL condition
 * (the server's queries), its text in the URL and its field (web/features/filters). Each of these is a map over all kinds, so a new kind
 * does not compile until every map has it.
 */

/** The value of a filter of each kind in the API and on the server, when it is set. */
export interface FilterValues {
  /** A part of a text; upper and lower case are the same. */
  contains: string;
  /** A whole text; upper and lower case are the same. Or `none`. */
  exact: string;
  /** Yes or no. */
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
export type NamedRecords = 'owners' | 'tags' | 'petrolPumps' | 'bankAccounts' | 'people';

interface Named {
  label: string;
  /** The screen shows its field only under "More filters". */
  isRare?: true;
}
export interface ContainsFilter extends Named {
  kind: 'contains';
  /** The number of letters from which the search starts. */
  least: number;
  /** What it searches, where the label would be too long for a field. It is shown while the field has the focus and is empty. */
  hint?: string;
}
/** Comes from a group of a list (shared/contract/challan-groups.ts). It has no field, only a chip. */
export interface ExactFilter extends Named {
  kind: 'exact';
  /** 'Without a driver'; absent where every challan has a text. */
  none?: string;
}
export interface ChoiceFilter<On extends string = string, Off extends string = string> extends Named {
  kind: 'choice';
  /** The words for [yes, no] in a URL. */
  words: readonly [On, Off];
  /** The words for [yes, no] that people read. */
  labels: readonly [string, string];
}
export interface OneOfFilter<Word extends string = string> extends Named {
  kind: 'oneOf';
  /** The words in a URL and in the API. */
  words: readonly Word[];
  /** What people read for each of the words. */
  labels: readonly string[];
  /** What people read when no word is chosen, where that does not mean "everything". */
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
  /** What a list without chosen days shows, where that is not all dates: 'Last 31 days'. */
  unset?: string;
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
  | ExactFilter
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

/** The filters of a list by their names in the API and in the URL, in the order in which they are shown. */
export type FilterTable = Readonly<Record<string, Filter>>;
export type FilterName<T extends FilterTable> = keyof T & string;

/** The values of a list's filters in the API and on the server. Filters that are not set are absent. */
export type FilterOfList<T extends FilterTable> = { [N in keyof T]?: FilterValues[T[N]['kind']] | undefined };

export const contains = (label: string, least = 1, hint?: string): ContainsFilter => ({
  kind: 'contains',
  label,
  least,
  ...(hint !== undefined && { hint }),
});
export const exact = (label: string, without?: string): ExactFilter => ({
  kind: 'exact',
  label,
  ...(without !== undefined && { none: without }),
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
  // Safe: Object.keys widens to string, but the words are the keys of `labels`.
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
export const dayFrom = (label: string, unset?: string): DayFromFilter => ({
  kind: 'dayFrom',
  label,
  ...(unset !== undefined && { unset }),
});
export const dayTo = (label: string): DayToFilter => ({ kind: 'dayTo', label });
export const dayOrNone = (label: string, without: string): DayOrNoneFilter => ({
  kind: 'dayOrNone',
  label,
  none: without,
});
export const amountFrom = (label: string): AmountFromFilter => ({ kind: 'amountFrom', label });
export const amountTo = (label: string): AmountToFilter => ({ kind: 'amountTo', label });
export const rare = <F extends Filter>(filter: F): F => ({ ...filter, isRare: true });

// Safe: Object.keys widens to string, but a table has no other keys.
export const filterNames = <T extends FilterTable>(table: T): FilterName<T>[] => Object.keys(table) as FilterName<T>[];

/** The named filters of a table, in the order of the names. */
export function pickFilters<T extends FilterTable, const N extends FilterName<T>>(
  table: T,
  ...names: readonly N[]
): Pick<T, N> {
  // Safe: these are exactly the names of Pick<T, N>.
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, N>;
}

/** All filters of a table except the named ones. */
export function omitFilters<T extends FilterTable, const N extends FilterName<T>>(
  table: T,
  ...names: readonly N[]
): Omit<T, N> {
  const left = Object.entries(table).filter(([name]) => !names.some((item) => item === name));
  // Safe: these are exactly the names of Omit<T, N>.
  return Object.fromEntries(left) as Omit<T, N>;
}

/** The kind of filter that is the other end of a range. */
const lastOf: Readonly<Partial<Record<FilterKind, FilterKind>>> = { dayFrom: 'dayTo', amountFrom: 'amountTo' };

/** The ranges of a table: its filters for the two ends that have the same label. */
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

/** The filters that are set in an object, which may have other keys as well. */
export function setFilters<T extends FilterTable>(
  table: T,
  given: { readonly [N in keyof T]?: FilterValues[T[N]['kind']] | null | undefined },
): FilterOfList<T> {
  const set = filterNames(table).flatMap((name) =>
    (given[name] ?? undefined) === undefined ? [] : [[name, given[name]]],
  );
  // Safe: each value keeps its name.
  return Object.fromEntries(set) as FilterOfList<T>;
}

/** All filters of a list, with null for those that are not set. */
export function orNull<T extends FilterTable>(
  table: T,
  filter: FilterOfList<T>,
): { [N in keyof T]: FilterValues[T[N]['kind']] | null } {
  const all = filterNames(table).map((name) => [name, filter[name] ?? null]);
  // Safe: each value keeps its name.
  return Object.fromEntries(all) as { [N in keyof T]: FilterValues[T[N]['kind']] | null };
}
