import { grouped } from '../../../shared/calc/grouped.ts';
import { nameKey } from '../../../shared/calc/keys.ts';
import type { ImportUnknown } from '../../../shared/contract/imports.ts';
import type { Owner } from '../../../shared/contract/owners.ts';
import type { ReadRow } from '../../../shared/sheet/import-fields.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectByKey } from './imports.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { selectByName } from '../master-data/records.queries.ts';
import { countUnknown, type FieldError, type RowTexts } from './import-plan.service.ts';

/** Finds the owners that the rows of an import name, by `ownerName` and `ownerPan` (docs/specification.md §22.2). */

export async function selectNamedOwners(db: TenantDb, rows: readonly ReadRow[]): Promise<Owner[]> {
  const texts = (field: string): string[] =>
    rows.map(({ texts: row }) => row[field] ?? '').filter((text) => text !== '');
  const [named, byPan] = await Promise.all([
    selectByName(db, ownerTable, texts('ownerName')),
    selectByKey(
      db,
      ownerTable,
      'panNo',
      texts('ownerPan').map((pan) => pan.toUpperCase()),
    ),
  ]);
  return [...new Map([...named, ...byPan].map((owner) => [owner.id, owner])).values()];
}

/** Returns a function that finds the owner of a row: by PAN, else by the exact name. */
export function ownerFinder(owners: readonly Owner[]): (texts: RowTexts) => { owner: Owner } | { error: FieldError } {
  const byPan = grouped(owners, ({ panNo }) => [panNo]);
  const byName = grouped(owners, ({ name }) => [nameKey(name)]);
  const wrong = (field: string, message: string) => ({ error: { field, message } });
  return ({ ownerName = '', ownerPan = '' }) => {
    const pan = ownerPan.toUpperCase();
    if (ownerName === '' && pan === '') return wrong('ownerName', 'Please select an owner');
    const found = (pan === '' ? byName.get(nameKey(ownerName)) : byPan.get(pan)) ?? [];
    const [only] = found;
    if (only && found.length === 1) return { owner: only };
    if (pan === '') {
      return found.length === 0
        ? wrong('ownerName', `No owner is named "${ownerName}": import the owner first`)
        : wrong('ownerName', `${found.length} owners are named "${ownerName}": give the PAN of the right one`);
    }
    if (found.length === 0) return wrong('ownerPan', `No owner has the PAN ${pan}: import the owner first`);
    if (ownerName === '') {
      return wrong('ownerName', `${found.length} owners have the PAN ${pan}: give the name of the right one`);
    }
    const named = found.filter(({ name }) => nameKey(name) === nameKey(ownerName));
    const [owner] = named;
    if (!owner)
      return wrong('ownerName', `None of the ${found.length} owners with the PAN ${pan} is named "${ownerName}"`);
    if (named.length === 1) return { owner };
    return wrong(
      'ownerName',
      `${named.length} owners with the PAN ${pan} are named "${ownerName}": give them different names`,
    );
  };
}

/** Returns the names that belong to no owner, of rows without a PAN. */
export function unknownOwners(rows: readonly ReadRow[], owners: readonly Owner[]): ImportUnknown[] {
  const known = new Set(owners.map(({ name }) => nameKey(name)));
  return countUnknown(
    rows.map(({ texts: { ownerName = '', ownerPan = '' } }) =>
      ownerName === '' || ownerPan !== '' || known.has(nameKey(ownerName))
        ? []
        : [{ kind: 'owner' as const, text: ownerName }],
    ),
  );
}
