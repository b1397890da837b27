import { formatDate } from '../calc/dates.ts';
import { formatINR } from '../calc/money.ts';
import {
  filterNames,
  none,
  rangesOf,
  type Filter,
  type FilterName,
  type FilterTable,
  type NamedRecords,
} from './define.ts';
import type { FilterTexts } from './filter-texts.ts';

/** A filter that is set, in words. The two ends of a range are one part. */
export interface FilterPart<N extends string = string> {
  names: readonly N[];
  /** The record whose name is a part of the words; null: they have none. */
  record: { records: NamedRecords; id: string } | null;
  /** On a chip: 'Tag: MARKET', 'Paid', 'Deposited 01/11/2026 to 15/11/2026'. */
  label(recordName?: string): string;
  /** In a sentence: 'tag MARKET', 'paid only', 'deposited 01/11/2026 to 15/11/2026'. */
  words(recordName?: string): string;
}

/** The filters that are set, in words and in the order of the table. */
export function partsOf<T extends FilterTable>(table: T, texts: FilterTexts<T>): FilterPart<FilterName<T>>[] {
  const ranges = rangesOf(table);
  return filterNames(table).flatMap((name): FilterPart<FilterName<T>>[] => {
    const filter: Filter | undefined = table[name];
    const range = ranges.find(({ from, to }) => from === name || to === name);
    if (!filter) return [];
    if (!range) return texts[name] === '' ? [] : [partOf(name, filter, texts[name])];
    const [first, last] = [texts[range.from], texts[range.to]];
    const isSet = first !== '' || last !== '';
    return isSet && name === range.from
      ? [
          range.of === 'days'
            ? part([range.from, range.to], `${filter.label} ${daysText(first, last)}`)
            : part([range.from, range.to], `${filter.label} ${amountsText(first, last)}`),
        ]
      : [];
  });
}

function partOf<N extends string>(name: N, filter: Filter, text: string): FilterPart<N> {
  const { label } = filter;
  switch (filter.kind) {
    case 'contains':
      return part([name], `${label} contains “${text}”`);
    case 'exact':
      return text === none && filter.none !== undefined
        ? part([name], filter.none)
        : part([name], `${label}: ${text}`, `${label} “${text}”`);
    case 'choice': {
      const chosen = filter.labels[text === filter.words[0] ? 0 : 1];
      return part([name], chosen, `${chosen} only`);
    }
    case 'oneOf': {
      const chosen = filter.labels[filter.words.indexOf(text)] ?? text;
      return part([name], `${label}: ${chosen}`, chosen);
    }
    case 'dayOrNone':
      return part([name], text === none ? filter.none : `${label} ${daysText(text, text)}`);
    case 'dayFrom':
      return part([name], `${label} ${daysText(text, '')}`);
    case 'dayTo':
      return part([name], `${label} ${daysText('', text)}`);
    case 'amountFrom':
      return part([name], `${label} ${amountsText(text, '')}`);
    case 'amountTo':
      return part([name], `${label} ${amountsText('', text)}`);
    case 'idOrNone':
      if (text === none) return part([name], `${label}: ${filter.none}`, filter.none);
      break;
    case 'id':
  }
  return {
    names: [name],
    record: { records: filter.records, id: text },
    label: (recordName = '…') => `${label}: ${recordName}`,
    words: (recordName = '…') => `${lowerFirst(label)} ${recordName}`,
  };
}

const part = <N extends string>(names: readonly N[], label: string, words = label): FilterPart<N> => ({
  names,
  record: null,
  label: () => label,
  words: () => lowerFirst(words),
});

/** Makes the first letter small, except in 'TP No'. */
const lowerFirst = (text: string): string =>
  /^.[A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** 'on 01/04/2026', '01/04/2026 to 30/04/2026', 'from 01/04/2026', 'to 30/04/2026'; '' is an open end. */
function daysText(from: string, to: string): string {
  if (from === '') return `to ${formatDate(to)}`;
  if (to === '') return `from ${formatDate(from)}`;
  return from === to ? `on ${formatDate(from)}` : `${formatDate(from)} to ${formatDate(to)}`;
}

/** The highest amount below zero. */
const belowZero = '-0.01';

/** 'of ₹500.00', '₹500.00 to ₹900.00', 'from ₹500.00', 'to ₹900.00', 'below zero'; '' is an open end. */
function amountsText(from: string, to: string): string {
  if (from === '') return to === belowZero ? 'below zero' : `to ${formatINR(to)}`;
  if (to === '') return `from ${formatINR(from)}`;
  return from === to ? `of ${formatINR(from)}` : `${formatINR(from)} to ${formatINR(to)}`;
}
