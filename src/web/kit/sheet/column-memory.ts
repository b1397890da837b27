import { z } from 'zod';
import { headingsKey, type Mapping } from '../../../shared/sheet/headings.ts';
import { readPreference, writePreference } from '../api/account-storage.ts';

/** The choices of this user on this device for the last `most` tables, each under a key. `place` names the kind of table. */
export function tableMemory<Choice>(place: string, shape: z.ZodType<Choice>, most: number) {
  const all = z.record(z.string(), shape).catch({});
  const read = (): Record<string, Choice> => {
    try {
      return all.parse(JSON.parse(readPreference(place, '{}')));
    } catch {
      return {};
    }
  };
  const remember = (key: string, choice: Choice): void => {
    const { [key]: _old, ...others } = read();
    const latest = [...Object.entries(others), [key, choice] as const].slice(-most);
    writePreference(place, JSON.stringify(Object.fromEntries(latest)));
  };
  return { read, remember };
}

const columnsIn = (place: string) => tableMemory(place, z.array(z.string().nullable()), 20);

/** The last mapping of a table with these headings, without names that are no longer fields. */
export function rememberedMapping<Name extends string>(
  place: string,
  found: Mapping<Name>,
  isField: (name: unknown) => name is Name,
): Mapping<Name> {
  const columns = found.hasHeadings ? columnsIn(place).read()[headingsKey(found)] : undefined;
  if (!columns || columns.length !== found.columns.length) return found;
  return { ...found, columns: columns.map((name) => (isField(name) ? name : null)) };
}

export function rememberMapping(place: string, headings: readonly string[], columns: readonly (string | null)[]): void {
  columnsIn(place).remember(headingsKey({ headings }), [...columns]);
}

const orderPlace = (place: string): string => `${place}.month-first`;

/** Whether the user has said of a table with these headings that its dates have the month first. */
export const isMonthFirstRemembered = (place: string, headings: readonly string[]): boolean =>
  columnsIn(orderPlace(place)).read()[headingsKey({ headings })]?.[0] === 'yes';

export function rememberMonthFirst(place: string, headings: readonly string[], isMonthFirst: boolean): void {
  if (isMonthFirst || isMonthFirstRemembered(place, headings))
    rememberMapping(orderPlace(place), headings, [isMonthFirst ? 'yes' : 'no']);
}
