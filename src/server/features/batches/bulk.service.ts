import { createHash } from 'node:crypto';
import { canDeleteDeclaration, canDeleteOwner, canDeleteTag, type Permission } from '../../../shared/access.ts';
import { namedInGroup } from '../../../shared/contract/challans-bulk.ts';
import type { Owner } from '../../../shared/contract/owners.ts';
import type { Tag } from '../../../shared/contract/tags.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { countUsesOf } from '../master-data/owners.queries.ts';
import { countTagged } from '../master-data/tags.queries.ts';
import { countDeclared } from '../tds/declarations.queries.ts';

/** Functions that bulk actions and their undo share. */

/** After computing this many challans, a loop lets other requests have their turn in the event loop. */
export const challansPerTurn = 50;

/**
 * Returns a hash of the records' ids and versions, in their order, and of the figures that were shown with them. When it differs,
 * some of these have changed.
 */
export function fingerprintOf(
  records: readonly { id: string; version: number }[],
  figures: readonly string[] = [],
): string {
  const hash = createHash('sha256');
  for (const { id, version } of records) hash.update(`${id} ${version}\n`);
  return hash.update(figures.join(' ')).digest('base64url');
}

/** Groups [reason, name] pairs by reason: how many there are, and the first of their names. */
export function groupByReason(
  pairs: readonly (readonly [reason: string, name: string])[],
): { reason: string; count: number; names: string[] }[] {
  const groups = new Map<string, { reason: string; count: number; names: string[] }>();
  for (const [reason, name] of pairs) {
    const group = groups.get(reason) ?? { reason, count: 0, names: [] };
    group.count += 1;
    if (group.names.length < namedInGroup) group.names.push(name);
    groups.set(reason, group);
  }
  return [...groups.values()];
}

/** By record id: why the record cannot be deleted. */
export type Reasons = ReadonlyMap<string, string>;

function reasonsOf<R extends { id: string }>(records: readonly R[], may: (record: R) => Permission): Reasons {
  return new Map(
    records.flatMap((record): [string, string][] => {
      const permission = may(record);
      return permission.allowed ? [] : [[record.id, permission.reason]];
    }),
  );
}
const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/**
 * Returns why owners cannot be deleted. Owners that challans refer to cannot; with `withTrucks`, neither can owners
 * that have trucks (for a delete that does not include the trucks).
 */
export async function ownersInUse(
  db: TenantDb,
  owners: readonly Owner[],
  { withTrucks = false }: { withTrucks?: boolean } = {},
): Promise<Reasons> {
  const uses = await countUsesOf(db, idsOf(owners));
  return reasonsOf(owners, (owner) => {
    const { challans = 0, trucks = 0 } = uses.get(owner.id) ?? {};
    const permission = canDeleteOwner(owner, challans);
    if (!permission.allowed || !withTrucks || trucks === 0) return permission;
    return { allowed: false, reason: `Cannot delete owner "${owner.name}". It has ${trucks} truck(s).` };
  });
}

/** Returns why tags cannot be deleted: challans use them (docs/specification.md §7.2). */
export async function tagsInUse(db: TenantDb, tags: readonly Tag[]): Promise<Reasons> {
  const counts = await countTagged(db, idsOf(tags));
  return reasonsOf(tags, (tag) => canDeleteTag(tag, counts.get(tag.id) ?? 0));
}

/** Returns why declarations cannot be deleted: challans rest on them (docs/specification.md §27.7). */
export async function declarationsInUse(
  db: TenantDb,
  declarations: readonly { id: string; ownerId: string }[],
): Promise<Reasons> {
  const counts = await countDeclared(db, declarations);
  return reasonsOf(declarations, ({ id }) => canDeleteDeclaration(counts.get(id) ?? 0));
}
