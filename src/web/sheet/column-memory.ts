import { z } from 'zod';
import { headingsKey, type Mapping } from '../../shared/sheet/headings.ts';
import { readPreference, writePreference } from '../session/account-storage.ts';

/** How this user put the columns of tables, by their headings, on this device; `place` names the kind of table. */

const shape = z.record(z.string(), z.array(z.string().nullable()));
const mostTables = 20;

function readAll(place: string): Record<string, (string | null)[]> {
  try {
    return shape.catch({}).parse(JSON.parse(readPreference(place, '{}')));
  } catch {
    return {};
  }
}

/** As they were put for a table with these headings the last time, without names that are no field any more. */
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
  const latest = [...Object.entries(others), [key, columns] as const].slice(-mostTables);
  writePreference(place, JSON.stringify(Object.fromEntries(latest)));
}
