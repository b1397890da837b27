import { z } from 'zod';
import { headingsKey, type Mapping } from '../../../shared/sheet/headings.ts';
import { readPreference, writePreference } from '../api/account-storage.ts';

/** Remembers how this user mapped the columns of tables on this device, by their headings. `place` names the kind of table. */

const shape = z.record(z.string(), z.array(z.string().nullable()));
const maxTables = 20;

function readAll(place: string): Record<string, (string | null)[]> {
  try {
    return shape.catch({}).parse(JSON.parse(readPreference(place, '{}')));
  } catch {
    return {};
  }
}

/** The last mapping of a table with these headings, without names that are no longer fields. */
export function rememberedMapping<Name extends string>(
  place: string,
  found: Mapping<Name>,
  isField: (name: unknown) => name is Name,
): Mapping<Name> {
  const columns = found.hasHeadings ? readAll(place)[headingsKey(found)] : undefined;
  if (!columns || columns.length !== found.columns.length) return found;
  return { ...found, columns: columns.map((name) => (isField(name) ? name : null)) };
}

export function rememberMapping(place: string, headings: readonly string[], columns: readonly (string | null)[]): void {
  const key = headingsKey({ headings });
  const { [key]: _old, ...others } = readAll(place);
  const latest = [...Object.entries(others), [key, columns] as const].slice(-maxTables);
  writePreference(place, JSON.stringify(Object.fromEntries(latest)));
}

const orderPlace = (place: string): string => `${place}.month-first`;

/** Whether the user has said of a table with these headings that its dates have the month first. */
export const isMonthFirstRemembered = (place: string, headings: readonly string[]): boolean =>
  readAll(orderPlace(place))[headingsKey({ headings })]?.[0] === 'yes';

export function rememberMonthFirst(place: string, headings: readonly string[], isMonthFirst: boolean): void {
  if (isMonthFirst || isMonthFirstRemembered(place, headings))
    rememberMapping(orderPlace(place), headings, [isMonthFirst ? 'yes' : 'no']);
}
