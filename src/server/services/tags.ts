import { canDeleteTag } from '../../shared/access.ts';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Tag } from '../../shared/contract/tags.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { changesBetween, insertHistory } from '../queries/history.ts';
import { removeRecord } from '../queries/records.ts';
import { insertTag, lockTag, selectTagUsage, updateTag as updateTagRow } from '../queries/tags.ts';
import { isTaken } from '../queries/unique.ts';
import { notFound, Refusal, versionConflict } from '../refusal.ts';

const fields = ['name', 'color', 'description'] as const;

export async function createTag(
  db: TenantDb,
  caller: Caller,
  input: BodyOf<typeof contract.tags.create>,
): Promise<Tag> {
  const tag = await refusingTwins(input.name, insertTag(db, { ...input, description: input.description ?? '' }));
  await insertHistory(db, caller, { entity: 'tag', entityId: tag.id, action: 'created' });
  return tag;
}

export async function updateTag(
  db: TenantDb,
  caller: Caller,
  id: string,
  { version, ...input }: BodyOf<typeof contract.tags.update>,
): Promise<Tag> {
  const before = await lockTag(db, id);
  if (!before) throw notFound('Tag');
  if (version !== undefined && version !== before.version) throw versionConflict('tag', before);
  const after = { ...before, ...input };
  const changes = changesBetween(before, after, fields);
  if (Object.keys(changes).length === 0) return before;
  const saved = await refusingTwins(after.name, updateTagRow(db, id, after));
  await insertHistory(db, caller, { entity: 'tag', entityId: id, action: 'updated', changes });
  return saved;
}

/** Refused while challans carry the tag (part 1 §8). */
export async function removeTag(db: TenantDb, caller: Caller, id: string): Promise<void> {
  const tag = await lockTag(db, id);
  if (!tag) throw notFound('Tag');
  const usage = await selectTagUsage(db, id);
  const permission = canDeleteTag(tag, usage.totalChallans);
  if (!permission.allowed) throw new Refusal('TAG_IN_USE', permission.reason, { data: { usage } });
  await removeRecord(db, 'tags', id);
  await insertHistory(db, caller, { entity: 'tag', entityId: id, action: 'deleted' });
}

/** A name is in an account once, ignoring case (wire.md). */
async function refusingTwins(name: string, saving: Promise<Tag>): Promise<Tag> {
  try {
    return await saving;
  } catch (error) {
    if (!isTaken(error, 'tags_name')) throw error;
    const message = `A tag named "${name}" already exists`;
    throw new Refusal('TAG_EXISTS', message, { fields: { name: message } });
  }
}
