import { describe, expect, expectTypeOf, it } from 'vitest';
import { challans } from '../../src/shared/contract/challans.ts';
import type { QueryOf } from '../../src/shared/contract/define.ts';
import {
  challanFilters,
  challanListFilters,
  statementFilters,
  type ChallanFilter,
} from '../../src/shared/filters/challan-filters.ts';
import { filterNames } from '../../src/shared/filters/define.ts';
import {
  filterOfTexts,
  noFilters,
  setTexts,
  textsOfFilter,
  type FilterTexts,
} from '../../src/shared/filters/filter-texts.ts';
import { partsOf } from '../../src/shared/filters/filter-words.ts';
import { someId } from './issues.ts';

const empty = noFilters(challanFilters);
type Texts = typeof empty;

const spoken = (texts: Partial<Texts>): [string, string][] =>
  partsOf(challanFilters, { ...empty, ...texts }).map((part) => [part.label('MARKET'), part.words('MARKET')]);

describe('the words of a filter', () => {
  it.each<[Partial<Texts>, string, string]>([
    [{ tpNo: '409' }, 'TP No contains “409”', 'TP No contains “409”'],
    [{ paymentStatus: 'unpaid' }, 'Unpaid', 'unpaid only'],
    [{ tagId: someId }, 'Tag: MARKET', 'tag MARKET'],
    [{ tagId: 'none' }, 'Tag: Without a tag', 'without a tag'],
    [{ ownerId: someId }, 'Owner: MARKET', 'owner MARKET'],
    [{ startDate: '2026-11-01' }, 'Loaded from 01/11/2026', 'loaded from 01/11/2026'],
    [{ depositedDate: 'none' }, 'Not deposited', 'not deposited'],
    [{ depositedDate: '2026-11-05' }, 'Deposited on 05/11/2026', 'deposited on 05/11/2026'],
    [{ depositedEndDate: '2026-11-15' }, 'Deposited to 15/11/2026', 'deposited to 15/11/2026'],
    [
      { depositedStartDate: '2026-11-01', depositedEndDate: '2026-11-15' },
      'Deposited 01/11/2026 to 15/11/2026',
      'deposited 01/11/2026 to 15/11/2026',
    ],
    [{ netFrom: '500', netTo: '900.5' }, 'Net amount ₹500.00 to ₹900.50', 'net amount ₹500.00 to ₹900.50'],
    [{ netTo: '-0.01' }, 'Net amount below zero', 'net amount below zero'],
    [{ tpUse: 'twice' }, 'Same TP twice', 'same TP twice only'],
  ])('%j', (texts, label, words) => {
    expect(spoken(texts)).toEqual([[label, words]]);
  });

  it('are there for every filter of the table, each end of a range by itself too', () => {
    const silent = filterNames(challanFilters).filter((name) => {
      const filter = challanFilters[name];
      const value =
        filter.kind === 'choice'
          ? filter.words[0]
          : filter.kind.startsWith('day')
            ? '2026-11-01'
            : filter.kind.startsWith('amount')
              ? '5'
              : someId;
      return spoken({ [name]: value }).length !== 1;
    });
    expect(silent).toEqual([]);
  });

  it('take the two ends of a range as one, and nothing for what is not set', () => {
    const range = { depositedStartDate: '2026-11-01', depositedEndDate: '2026-11-15' };
    expect(partsOf(challanFilters, { ...empty, ...range }).map(({ names }) => names)).toEqual([Object.keys(range)]);
    expect(spoken({})).toEqual([]);
  });
});

describe('a filter as text', () => {
  const texts: FilterTexts<typeof challanListFilters> = {
    ...noFilters(challanListFilters),
    tpNo: '409',
    paymentStatus: 'paid',
    tagId: 'none',
  };

  it('is a filter of the wire, and text again', () => {
    const filter = filterOfTexts(challanListFilters, texts);
    expect(filter).toEqual({ tpNo: '409', paymentStatus: true, tagId: 'none' });
    expect(textsOfFilter(challanListFilters, filter)).toEqual(texts);
    expect(textsOfFilter(challanListFilters, { paymentStatus: false, tagId: null }).paymentStatus).toBe('unpaid');
  });

  it('leaves out what is not set, and what is no filter', () => {
    expect(setTexts(challanListFilters, { ...texts, page: '2' } as typeof texts)).toEqual({
      tpNo: '409',
      paymentStatus: 'paid',
      tagId: 'none',
    });
  });
});

describe('the filters of the lists', () => {
  it('are in the file all that the screen has, and in the list all that the file has', () => {
    const inList = filterNames(challanListFilters) as string[];
    expect(Object.keys(challans.exportCsv.body.shape.filters.shape)).toEqual(inList);
    expect(Object.keys(challans.list.query.shape)).toEqual(expect.arrayContaining(inList));
  });

  it('are filters of challans in the bank statement too', () => {
    expect(filterNames(statementFilters).filter((name) => !(name in challanFilters))).toEqual([]);
  });

  it('keep the types of the wire', () => {
    type Query = QueryOf<typeof challans.list>;
    expectTypeOf<Query['paymentStatus']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<Query['depositedDate']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Query>().not.toHaveProperty('ownerName');
    expectTypeOf<ChallanFilter['paymentStatus']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<Texts['paymentStatus']>().toEqualTypeOf<'' | 'paid' | 'unpaid'>();
  });
});
