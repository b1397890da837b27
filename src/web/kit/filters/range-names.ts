import { dayRangeOf, rangeNamesOf, type DayRangeName, type Days } from '../../../shared/calc/day-ranges.ts';
import { today } from '../forms/day-field.tsx';
import { url, useUrlState } from './url-state.ts';

const shape = { rangeNames: url.text() };

/**
 * The names by which the ranges of a screen were chosen, by the label of the range. The days mostly tell the name. On a day on
 * which they have two, the chosen one is in the URL: on 30 November "This month" is also "Last 30 days".
 */
export function useRangeNames() {
  const [{ rangeNames }, setUrl] = useUrlState(shape);
  const chosen = new Map(rangeNames.split(',').map((one) => one.split('=') as [label: string, name: string]));
  const day = today();
  return {
    nameOf: (label: string, days: Days): DayRangeName | undefined => {
      const names = rangeNamesOf(days, day);
      return names.find((name) => name === chosen.get(label)) ?? names[0];
    },
    /** To be called before the days are put into the URL: that makes the new entry of the history. */
    choose: (names: readonly { label: string; name: DayRangeName }[]): void => {
      for (const { label, name } of names) {
        if (rangeNamesOf(dayRangeOf(name, day), day).length > 1) chosen.set(label, name);
        else chosen.delete(label);
      }
      chosen.delete('');
      setUrl({ rangeNames: [...chosen].map((one) => one.join('=')).join() }, { replace: true });
    },
  };
}
